package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the table says of a family's small lane.
 *
 * @param lane the name of its methods
 * @param kind what the device is asked for: VECTOR, MATVEC, PRODUCT, TRIANGLE or UPDATE
 * @param method of the leaf
 * @param arguments of the method
 * @param tier an expression for the name of the best tier
 * @param from the operand that is copied to the result first, or null
 */
record SmallFact(String lane, String kind, String method, List<String> arguments, String tier, String from) {
    private static final Pattern SYNTAX = Pattern.compile("(\\w+) (\\w+)\\((.*)\\) (.*?)(?: from (\\w+))?");

    /**
     * Reads the fact of a family.
     *
     * @param family one that has a small lane
     * @return its fact
     */
    static SmallFact of(ClassicFamily family) {
        Matcher m = SYNTAX.matcher(family.fact("small"));
        if (!m.matches()) {
            throw new IllegalArgumentException("not a small lane: " + family.fact("small") + " of " + family.name());
        }
        String name = family.signature();
        return new SmallFact(name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1), m.group(1), m.group(2),
                List.of(m.group(3).split(", *", -1)), m.group(4), m.group(5));
    }

    /** The dimensions that the device is asked with. */
    String extents() {
        return switch (kind) {
            case "VECTOR" -> arguments.contains("n") ? "1, n, 1" : "1, 1, 1";
            case "MATVEC" -> arguments.contains("m") ? "m, n, 1" : "n, n, 1";
            case "PRODUCT" -> "m, n, k";
            case "TRIANGLE" -> "m, n, side == Side.LEFT ? m : n";
            case "UPDATE" -> "n, n, k";
            default -> throw new IllegalArgumentException("no lane is called " + kind);
        };
    }

    /** What the lane returns. */
    String result(ClassicFamily family) {
        if (!family.isReduction()) {
            return "Status";
        }
        String kind = family.result().kind();
        return kind.equals("index") ? "long" : kind.equals("real") || method.equals("dotReal") ? "double" : "Complex";
    }

    /** Writes the call of the kernel and what follows it. */
    void call(Source out, ClassicFamily family) {
        String result = result(family);
        String indent = "            ";
        if (result.equals("Complex")) {
            out.add(indent + "long result = h.call.staging();");
        }
        if (from != null) {
            out.add(indent + "if (b != c) {", indent + "    kernels.copyMatrix(m, n, b, ldb, c, ldc);", indent + "}");
        }
        String start = switch (result) {
            case "double", "long" -> result + " value = ";
            default -> "";
        };
        out.call(indent + start + "kernels." + method + "(", values(family), ");");
        out.add(indent + "h.ranDirect(routine, " + tier + ");");
        out.add(indent + switch (result) {
            case "Status" -> "return Status.SUCCESS;";
            case "double" -> "return type.real() == ElementType.F32 ? (float) value : value;";
            case "long" -> "return value;";
            default -> "return SmallCall.complex(type, result);";
        });
    }

    /** Writes the call of the kernel on operands that a {@code Stage} has brought to their places. */
    void callOnArrays(Source out, ClassicFamily family) {
        String result = result(family);
        String indent = "            ";
        if (result.equals("Complex")) {
            out.add(indent + "long result = stage.result();");
        }
        if (from != null) {
            out.add(indent + "stage.kernels.copyMatrix(m, n, b, ldb, c, ldc);");
        }
        boolean number = result.equals("double") || result.equals("long");
        String start = !number ? "" : result.equals("double") ? "stage.real(" : "stage.index(";
        out.call(indent + start + "stage.kernels." + method + "(", values(family), number ? "));" : ");");
    }

    private List<String> values(ClassicFamily family) {
        List<String> values = new ArrayList<>();
        for (String argument : arguments) {
            ClassicArgument of =
                    family.arguments().stream().filter(a -> a.name().equals(argument)).findFirst().orElse(null);
            if (of instanceof ClassicOperand operand) {
                values.addAll(operand.stored());
            } else if (of instanceof ClassicScalar && !argument.equals("c")) {
                values.add(argument);
                values.add(argument + "Im");
            } else {
                values.add(argument);
            }
        }
        return values;
    }
}
