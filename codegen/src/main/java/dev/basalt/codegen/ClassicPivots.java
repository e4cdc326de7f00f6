package dev.basalt.codegen;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What belongs to a problem beside its matrix: pivots, factors tau of reflectors, error bounds and such. Never a table of addresses, but, as in rocSOLVER, at
 * equal distances in both forms of a batch.
 *
 * @param name ipiv, tau, or any other
 * @param slot operand of the frame
 * @param written whether the routine overwrites them
 * @param size how many a problem has
 * @param kind real, index, or nothing for the type of the elements
 */
record ClassicPivots(String name, int slot, boolean written, String size, String kind) implements ClassicArgument {
    private static final Pattern SYNTAX = Pattern.compile("(\\w+):([a-m])(\\*?)(?:\\[(.+)]|<(.+)>)(?::(real|index))?");

    /** Whether it is one: ipiv or tau, or what stands in angle brackets behind two colons. */
    static boolean is(String text) {
        return text.matches("(ipiv|tau):.*") || text.contains("::");
    }

    static ClassicPivots of(String text) {
        Matcher m = SYNTAX.matcher(text.replace("::", ":"));
        if (!m.matches()) {
            throw new IllegalArgumentException("not numbers beside a problem: " + text);
        }
        String size = m.group(4) != null ? m.group(4) : m.group(5);
        String kind = m.group(6) != null ? m.group(6) : m.group(1).equals("ipiv") ? "index" : "";
        return new ClassicPivots(m.group(1), m.group(2).charAt(0) - 'a', !m.group(3).isEmpty(), size, kind);
    }

    /** Whether they are factors of reflectors, elements of the matrix's type. */
    boolean factors() {
        return name.equals("tau");
    }

    /** Whether they are pivots of a factorisation. */
    boolean pivots() {
        return name.equals("ipiv");
    }

    /** The method of Frame that takes them. */
    String kindOfFrame() {
        return factors() ? "factors" : pivots() ? "pivots" : "beside";
    }

    /** The type of their elements, in Java, where {@code type} is that of the call. */
    String element() {
        return switch (kind) {
            case "index" -> "ElementType.I64";
            case "real" -> "type.real()";
            default -> "type";
        };
    }

    private String element(ClassicType type) {
        return switch (kind) {
            case "index" -> "I64";
            case "real" -> type.real();
            default -> type.element();
        };
    }

    /** What they are, for people. */
    String meaning(ClassicType type) {
        String element = type == null ? switch (kind) {
            case "index" -> " I64";
            case "real" -> " of the elements' real type";
            default -> "";
        } : " {@link ElementType#" + element(type) + "}";
        String what = factors() ? "factors tau, " : pivots() ? "pivots, " : name + ", ";
        return what + Expression.words(size) + element
                + (written ? "; overwritten"
                        : factors() ? ", as the factorisation left them"
                        : pivots() ? ", as the factorisation left them"
                        : "");
    }

    private String stride() {
        return factors() || pivots()
                ? "strideP"
                : "stride" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    @Override
    public void write(ClassicMethod method) {
        boolean batch = method.form() != ClassicForm.PLAIN;
        method.parameter("DevicePointer", name, (batch ? "the first problem's " : "") + meaning(method.type()));
        if (batch) {
            method.parameter("long", stride(),
                    "elements from one problem's " + (factors() ? "factors" : name) + " to the next's, at least 0");
        }
        method.statement("Frame.vector(f, " + slot + ", ElementType." + element(method.type()) + ", " + name + ", "
                + Expression.java(size) + ", 1, " + (batch ? stride() : "0") + ", " + method.count() + ");");
        method.view("VectorView");
    }
}
