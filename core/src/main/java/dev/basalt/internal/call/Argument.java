package dev.basalt.internal.call;

import java.util.function.ToLongFunction;

/** One argument of a routine as the table of routines describes it: what commands and tests need to make a call of any family. */
public sealed interface Argument {
    /**
     * Its name in BLAS.
     *
     * @return such as {@code uplo}
     */
    String name();

    /**
     * A dimension.
     *
     * @param name m, n, k, nrhs, kl, ku …
     * @param told whether a method on views takes it from the shapes of its operands
     */
    record Dimension(String name, boolean told) implements Argument {}

    /**
     * An option.
     *
     * @param name side, uplo, diag, trans, norm …
     * @param type its enum
     */
    record Choice(String name, Class<? extends Enum<?>> type) implements Argument {}

    /**
     * A scalar.
     *
     * @param name alpha or beta, or c and s of a rotation
     * @param slot alpha or beta of the frame
     * @param real whether it is real even where the elements are complex
     */
    record Scalar(String name, String slot, boolean real) implements Argument {}

    /**
     * Pivots, the factors of reflectors, or other numbers of each problem that lie at equal distances in every form of a batch.
     *
     * @param name ipiv, tau …
     * @param slot operand of the frame
     * @param written whether the routine overwrites them
     * @param size how many a problem has, as {@link #extent} reads it
     */
    record Pivots(String name, int slot, boolean written, String size) implements Argument {}

    /**
     * What a routine leaves for each problem.
     *
     * @param name info or result
     * @param slot operand of the frame
     * @param kind {@code real}, {@code index}, or nothing for the type of the elements
     */
    record Outcome(String name, int slot, String kind) implements Argument {}

    /**
     * A vector or a matrix.
     *
     * @param name as BLAS writes it: a matrix ends in a capital
     * @param slots the operands a…g of the frame that it is put into
     * @param written whether the routine overwrites it
     * @param first rows of a matrix, elements of a vector
     * @param second columns of a matrix; elements of a vector that depends on an option, or null
     * @param below diagonals of a band below the main one, or those on the stored side of it; or null
     * @param above diagonals of a band above the main one; or null
     * @param packed whether it is a packed triangle
     * @param option the option that, unless it is NONE, exchanges first and second; or null
     * @param contiguous whether its elements lie one after the other, and no increment is given
     */
    record Array(String name, String slots, boolean written, String first, String second, String below, String above,
            boolean packed, String option, boolean contiguous) implements Argument {
        /**
         * Whether it is a matrix.
         *
         * @return false for a vector
         */
        public boolean matrix() {
            return Character.isUpperCase(name.charAt(name.length() - 1));
        }
    }

    /**
     * What an expression of the table comes to.
     *
     * @param expression a number, a name, {@code min(x,y)}, {@code max(x,y)}, or two of them with {@code +}, {@code -} (at least 0) or {@code *} between
     * @param size the size that a name stands for
     * @return the size, or the largest number there is where it has more bits
     */
    static long extent(String expression, ToLongFunction<String> size) {
        String e = expression.replace(" ", "");
        if (e.endsWith(")")) {
            int comma = e.indexOf(',');
            long x = extent(e.substring(4, comma), size);
            long y = extent(e.substring(comma + 1, e.length() - 1), size);
            return e.startsWith("min") ? Math.min(x, y) : Math.max(x, y);
        }
        for (char operator : new char[] {'+', '-', '*'}) {
            int at = e.lastIndexOf(operator);
            if (at > 0) {
                long x = extent(e.substring(0, at), size);
                long y = extent(e.substring(at + 1), size);
                return switch (operator) {
                    case '+' -> x > Long.MAX_VALUE - y ? Long.MAX_VALUE : x + y;
                    case '-' -> Math.max(0, x - y);
                    default -> y != 0 && x > Long.MAX_VALUE / y ? Long.MAX_VALUE : x * y;
                };
            }
        }
        return Character.isDigit(e.charAt(0)) ? Long.parseLong(e) : size.applyAsLong(e);
    }
}
