package dev.basalt.codegen;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a factorisation leaves beside its matrix: the pivots, or the factors tau of reflectors. Never a table of addresses, but, as in rocSOLVER, at equal
 * distances in both forms of a batch.
 *
 * @param name ipiv or tau
 * @param slot operand of the frame
 * @param written whether the routine overwrites them
 * @param size how many a problem has
 */
record ClassicPivots(String name, int slot, boolean written, String size) implements ClassicArgument {
    private static final Pattern SYNTAX = Pattern.compile("(ipiv|tau):([a-g])(\\*?)\\[(.+)]");

    static ClassicPivots of(String text) {
        Matcher m = SYNTAX.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("neither pivots nor factors of reflectors: " + text);
        }
        return new ClassicPivots(m.group(1), m.group(2).charAt(0) - 'a', !m.group(3).isEmpty(),
                m.group(4).replace(",", ", "));
    }

    /** Whether they are factors of reflectors, elements of the matrix's type. */
    boolean factors() {
        return name.equals("tau");
    }

    @Override
    public void write(ClassicMethod method) {
        boolean batch = method.form() != ClassicForm.PLAIN;
        String element = factors() ? method.type().element() : "I64";
        String what = factors() ? "factors tau, " : "pivots, ";
        method.parameter("DevicePointer", name,
                (batch ? "the first problem's " : "") + what + size + " {@link ElementType#" + element + "}"
                        + (written ? "; overwritten"
                                : factors() ? ", as the factorisation left them"
                                : ", as getrf left them; where one is outside of 1 to " + size + ", B becomes NaN"));
        if (batch) {
            method.parameter("long", "strideP",
                    "elements from one problem's " + (factors() ? "factors" : "pivots") + " to the next's, at least 0");
        }
        method.statement("Frame.vector(f, " + slot + ", ElementType." + element + ", " + name + ", "
                + (size.startsWith("min") ? "Math." : "") + size + ", 1, " + (batch ? "strideP" : "0") + ", "
                + method.count() + ");");
        method.view("VectorView");
    }
}
