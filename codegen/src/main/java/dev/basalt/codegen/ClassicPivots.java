package dev.basalt.codegen;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The pivots: never a table of addresses, but, as in rocSOLVER, at equal distances in both forms of a batch.
 *
 * @param slot operand of the frame
 * @param written whether the routine overwrites them
 * @param size how many a problem has
 */
record ClassicPivots(int slot, boolean written, String size) implements ClassicArgument {
    private static final Pattern SYNTAX = Pattern.compile("ipiv:([a-e])(\\*?)\\[(.+)]");

    @Override
    public String name() {
        return "ipiv";
    }

    static ClassicPivots of(String text) {
        Matcher m = SYNTAX.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("not pivots: " + text);
        }
        return new ClassicPivots(m.group(1).charAt(0) - 'a', !m.group(2).isEmpty(), m.group(3).replace(",", ", "));
    }

    @Override
    public void write(ClassicMethod method) {
        boolean batch = method.form() != ClassicForm.PLAIN;
        method.parameter("DevicePointer", "ipiv",
                (batch ? "the first problem's pivots, " : "pivots, ") + size + " {@link ElementType#I64}"
                        + (written
                                ? "; overwritten"
                                : ", as getrf left them; where one is outside of 1 to " + size + ", B becomes NaN"));
        if (batch) {
            method.parameter("long", "strideP", "elements from one problem's pivots to the next's, at least 0");
        }
        method.statement(
                "Frame.vector(f, " + slot + ", ElementType.I64, ipiv, " + (size.startsWith("min") ? "Math." : "") + size
                        + ", 1, " + (batch ? "strideP" : "0") + ", " + method.count() + ");");
        method.view("VectorView");
    }
}
