package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The statements at the head of a plain method that send a small call straight to its kernel, for the families whose algorithm is one
 * kernel without workspace.
 */
final class ClassicDirect {
    private static final List<String> MATRICES = List.of("Gemm", "Gemv", "Ger", "Symv", "Trsv");
    private static final List<String> TRIANGLES = List.of("Symm", "Syrk", "Trmm", "Trsm");
    private static final List<String> VECTORS = List.of("Elementwise", "Reduction", "Rotation");

    private ClassicDirect() {}

    /**
     * Whether there is a direct way.
     *
     * @param family the routine
     * @return whether there is
     */
    static boolean serves(ClassicFamily family) {
        String routine = family.routineClass();
        return MATRICES.contains(routine) || TRIANGLES.contains(routine) || VECTORS.contains(routine);
    }

    /**
     * The statements.
     *
     * @param family the routine
     * @param type element type
     * @param result what the method returns
     * @return lines, indented for a method
     */
    static List<String> lines(ClassicFamily family, ClassicType type, String result) {
        String element = "ElementType." + type.element();
        List<String> enter = new ArrayList<>(List.of("handle", element));
        if (family.routineClass().equals("Syrk")) {
            // Which forms of A it takes depends on the routine.
            enter.add(1, family.routine());
        }
        List<String> run = new ArrayList<>(List.of("handle", "kernels", family.routine(), element));
        List<String> conditions = new ArrayList<>();
        for (ClassicArgument argument : family.arguments()) {
            if (argument instanceof ClassicScalar scalar) {
                scalar(scalar, type, family, run, conditions);
            } else if (argument instanceof ClassicOperand operand) {
                enter.addAll(operand.names());
                run.addAll(operand.addresses(element));
            } else if (!(argument instanceof ClassicOutcome)) {
                String name =
                        argument instanceof ClassicOption option ? option.name() : ((ClassicDimension) argument).name();
                enter.add(name);
                run.add(name);
            }
        }
        String entered = "DirectNames." + entry(family) + "(" + String.join(", ", enter) + ")";
        if (!conditions.isEmpty()) {
            entered = String.join(" && ", conditions) + " ? " + entered + " : null";
        }
        String call = holder(family) + method(family) + "(" + String.join(", ", run) + ")";
        return List.of(
                "        Leaf kernels = " + entered + ";",
                "        if (kernels != null) {",
                "            return " + (result.equals("float") ? "(float) " : "") + call + ";",
                "        }");
    }

    private static String holder(ClassicFamily family) {
        String routine = family.routineClass();
        return MATRICES.contains(routine)
                ? "DirectMatrix."
                : TRIANGLES.contains(routine) ? "DirectTriangle." : "Direct.";
    }

    private static void scalar(
            ClassicScalar scalar, ClassicType type, ClassicFamily family, List<String> run, List<String> conditions) {
        String name = scalar.name();
        boolean complex = !scalar.real() && !type.element().equals(type.real());
        run.add(complex ? name + ".re()" : name);
        if (!name.equals("c")) {
            run.add(complex ? name + ".im()" : "0");
        }
        boolean scale = family.view().equals("scal");
        if (!name.equals("alpha")) {
            if (complex) {
                conditions.add(name + " != null");
            }
        } else if (complex) {
            conditions.add("DirectNames." + (scale ? "isNotOne" : "isNonZero") + "(alpha)");
        } else {
            conditions.add("alpha != " + (scale ? "1" : "0"));
        }
    }

    /** How the handle is entered. */
    private static String entry(ClassicFamily family) {
        if (!VECTORS.contains(family.routineClass())) {
            return family.routineClass().toLowerCase(Locale.ROOT);
        }
        return family.walksForward() ? "vector" : "vectors";
    }

    private static String method(ClassicFamily family) {
        return switch (family.view()) {
            case "dotc" -> "dotu";
            case "geru", "gerc" -> "ger";
            case "hemv" -> "symv";
            case "hemm" -> "symm";
            case "herk" -> "syrk";
            default -> family.view();
        };
    }
}
