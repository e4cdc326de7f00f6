package dev.basalt.codegen;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A vector or a matrix.
 *
 * @param name as BLAS writes it: a matrix ends in a capital
 * @param slots the operands a…e of the frame that it is put into
 * @param written whether the routine overwrites it
 * @param first rows of a matrix, elements of a vector
 * @param second columns of a matrix; elements of a vector that depends on an option, or null
 * @param option the option that, unless it is NONE, exchanges first and second; or null
 */
record ClassicOperand(String name, String slots, boolean written, String first, String second, String option)
        implements ClassicArgument {
    private static final Pattern SYNTAX = Pattern.compile("(\\w+):([a-e]+)(\\*?)\\[(\\w+)(?:,(\\w+))?](?:\\^(\\w+))?");

    static ClassicOperand of(String text) {
        Matcher m = SYNTAX.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("not an operand: " + text);
        }
        return new ClassicOperand(m.group(1), m.group(2), !m.group(3).isEmpty(), m.group(4), m.group(5), m.group(6));
    }

    private boolean matrix() {
        return Character.isUpperCase(name.charAt(name.length() - 1));
    }

    /** The name as the routine reads it, such as {@code op(A)}. */
    String read() {
        return option == null ? name : "op(" + name + ")";
    }

    /** What a dimension counts in this operand, or null. */
    String role(String dimension) {
        if (!matrix()) {
            return option == null && first.equals(dimension) ? "elements" : null;
        }
        if (first.equals(second)) {
            return first.equals(dimension) ? "order" : null;
        }
        return first.equals(dimension) ? "rows" : second.equals(dimension) ? "columns" : null;
    }

    @Override
    public void write(ClassicMethod method) {
        String java = java();
        String distance = distance();
        boolean strided = method.form() == ClassicForm.STRIDED;
        String stride = "stride" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        method.parameter("DevicePointer", java, meaning(method.form()));
        method.parameter("long", distance, matrix() ? leading(method.family()) : increment(method.family()));
        if (strided) {
            method.parameter("long", stride, "elements from one " + name + " to the next, at least 0");
        }
        for (int i = 0; i < slots.length(); i++) {
            int slot = slots.charAt(i) - 'a';
            method.statement(String.join(
                            ", ",
                            "Frame." + (matrix() ? "matrix" : "vector") + "(f",
                            "" + slot,
                            "ElementType." + method.type().element(),
                            java,
                            size(),
                            distance,
                            strided ? stride : "0",
                            method.count())
                    + ");");
            if (method.form() == ClassicForm.BATCHED) {
                method.statement("Frame.pointers(f, " + slot + ");");
            }
            method.view(matrix() ? "MatrixView" : "VectorView");
        }
    }

    private String java() {
        return name.length() == 1 ? name.toLowerCase(Locale.ROOT) : name;
    }

    private String distance() {
        return (matrix() ? "ld" : "inc") + java();
    }

    /** Its parameters in a plain call. */
    List<String> names() {
        return List.of(java(), distance());
    }

    /** The same for a kernel: the address of the first element, and the distance. */
    List<String> addresses(String element) {
        String first = matrix()
                ? java() + ".address()"
                : "DirectNames.first(" + String.join(", ", java(), element, size(), distance()) + ")";
        return List.of(first, distance());
    }

    private String size() {
        if (option == null) {
            return value(first) + (matrix() ? ", " + value(second) : "");
        }
        String size = option + " == Op.NONE ? " + first + " : " + second;
        return matrix() ? size + ", " + option + " == Op.NONE ? " + second + " : " + first : size;
    }

    private static String value(String dimension) {
        return dimension.equals("order") ? "side == Side.LEFT ? m : n" : dimension;
    }

    private String meaning(ClassicForm form) {
        String shape = matrix()
                ? (first.equals("order")
                        ? "m×m (LEFT) or n×n (RIGHT)"
                        : first + "×" + second + otherwise(second + "×" + first))
                : first + otherwise(second) + " elements";
        String all = name + ", " + shape + (written ? "; overwritten" : "");
        return switch (form) {
            case PLAIN -> all;
            case BATCHED -> "table in device memory with the address of every " + all;
            case STRIDED -> "the first " + all;
        };
    }

    private String otherwise(String other) {
        return option == null ? "" : " (" + other + " unless " + option + " is NONE)";
    }

    private String leading(ClassicFamily family) {
        String rows = first.equals("order")
                ? "m (LEFT) or n (RIGHT)"
                : family.level().equals("2") ? "max(1, " + first + ")" : first + otherwise(second);
        return "leading dimension of " + name + ", at least " + rows;
    }

    private String increment(ClassicFamily family) {
        String rule = family.level().equals("2")
                ? "not 0, negative to walk backwards"
                : family.walksForward() ? "a vector is empty unless it is positive" : "may be negative or 0";
        return "elements from one element of " + name + " to the next; " + rule;
    }
}
