package dev.basalt.internal.call;

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
     * @param name m, n, k, nrhs, kl or ku
     */
    record Dimension(String name) implements Argument {}

    /**
     * An option.
     *
     * @param name side, uplo, diag, trans, transA or transB
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
     * Pivots, or the factors of reflectors.
     *
     * @param name ipiv or tau
     * @param slot operand of the frame
     * @param written whether the routine overwrites them
     * @param size how many a problem has: {@code n}, {@code k} or {@code min(m, n)}
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
     */
    record Array(String name, String slots, boolean written, String first, String second, String below, String above,
            boolean packed, String option) implements Argument {
        /**
         * Whether it is a matrix.
         *
         * @return false for a vector
         */
        public boolean matrix() {
            return Character.isUpperCase(name.charAt(name.length() - 1));
        }
    }
}
