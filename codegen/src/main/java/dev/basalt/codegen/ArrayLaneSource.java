package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The small lane of calls on arrays, from the table of routines: for each family that has one, what is plain, and how operands reach the kernel and come back. */
final class ArrayLaneSource implements Generator {
    private static final String CLASS = "SmallArrays";

    @Override
    public void generate(Path sources, Output output) throws IOException {
        Source out = new Source();
        out.add("package dev.basalt.arrays;", "");
        new TreeSet<>(List.of("portable.DirectDevice.Small", "type.Diag", "type.ElementType", "type.Op", "type.Side",
                "type.Uplo")).forEach(name -> out.add("import dev.basalt." + name + ";"));
        out.add("");
        out.comment("", List.of(
                "The small lane ({@link Stage}) of all routines that have one. A method returns null if nothing was done."));
        out.add("final class " + CLASS + " {", "    private " + CLASS + "() {}");
        RoutineTable.read().stream().filter(ArrayLaneSource::has).forEach(family -> write(out, family));
        out.add("}");
        output.write("dev/basalt/arrays/" + CLASS + ".java", RoutineTable.NAME, out.lines());
    }

    /** Whether a family has a small lane on arrays. What only a handle knows is not for them. */
    static boolean has(ClassicFamily family) {
        return family.has("classic") && family.fact("small") != null && !SmallFact.of(family).known()
                && SmallFact.of(family).beside() == null;
    }

    /** The call of the lane from a method on arrays, which names its arguments as the table does. */
    static void call(Source out, ClassicFamily family, ClassicType type, boolean takesArrays) {
        List<String> values = new ArrayList<>(List.of("ElementType." + type.element(), "" + takesArrays));
        List<String> conditions = new ArrayList<>();
        for (ClassicArgument argument : family.arguments()) {
            switch (argument) {
                case ClassicScalar scalar -> {
                    values.addAll(scalar.parts(type));
                    String condition = scalar.conditionOnArrays(family, type);
                    if (condition != null) {
                        conditions.add(condition);
                    }
                }
                case ClassicOperand operand -> {
                    values.add(operand.java());
                    values.add(operand.java() + "Offset");
                    values.addAll(operand.distances());
                }
                case ClassicPivots pivots -> values.addAll(List.of(pivots.name(), pivots.name() + "Offset"));
                case ClassicOutcome outcome -> {}
                default -> values.add(argument.name());
            }
        }
        String start = conditions.isEmpty() ? "" : String.join(" && ", conditions) + " ? ";
        out.call("        Stage small = " + start + CLASS + "." + SmallFact.of(family).lane() + "(", values,
                ")" + (conditions.isEmpty() ? ";" : " : null;"));
    }

    private static void write(Source out, ClassicFamily family) {
        SmallFact small = SmallFact.of(family);
        List<String> parameters = new ArrayList<>(List.of("ElementType type", "boolean takesArrays"));
        List<String> wrong = new ArrayList<>();
        List<String> elements = new ArrayList<>();
        for (ClassicArgument argument : family.arguments()) {
            switch (argument) {
                case ClassicOption option -> {
                    parameters.add(option.type() + " " + option.name());
                    wrong.add(option.name() + " == null");
                }
                case ClassicDimension dimension -> parameters.add("int " + dimension.name());
                case ClassicScalar scalar -> {
                    parameters.add("double " + scalar.name());
                    if (!scalar.name().equals("c")) {
                        parameters.add("double " + scalar.name() + "Im");
                    }
                }
                case ClassicOperand operand -> {
                    parameters.add("Object " + array(operand));
                    parameters.add("int " + operand.java() + "Offset");
                    operand.distances().forEach(name -> parameters.add("int " + step(operand)));
                    if (family.walksForward()) {
                        wrong.add(step(operand) + " <= 0");
                    }
                    wrong.add("!Stage." + operand.kind() + "(Stage.length(" + array(operand) + ", " + type(operand)
                            + "), " + operand.java() + "Offset, " + extents(operand) + ")");
                    elements.add(elements(operand));
                }
                case ClassicPivots pivots -> {
                    String name = pivots.name();
                    parameters.add("Object " + name + "Array");
                    parameters.add("int " + name + "Offset");
                    wrong.add("!Stage.vector(Stage.length(" + name + "Array, " + pivots.element() + "), " + name
                            + "Offset, " + Expression.java(pivots.size()) + ", 1)");
                    // An index may be as large as two elements.
                    elements.add("2L * (" + Expression.java(pivots.size()) + ")");
                }
                default -> {}
            }
        }
        LaneSource.types(wrong, family);
        LaneSource.fills(wrong, family);
        out.add("");
        out.call("    static Stage " + small.lane() + "(", parameters, ") {");
        LaneSource.refuse(out, wrong);
        out.call("        Stage stage = Stage.enter(", List.of("Small." + small.kind(), "type", small.extents(family),
                "0L + " + String.join(" + ", elements), "" + elements.size(), "takesArrays"), ");");
        out.add("        if (stage == null) {", "            return null;", "        }");
        out.add("        boolean done = false;", "        try {");
        family.operands().forEach(operand -> load(out, operand, ArrayMethod.mayStay(family, operand)));
        family.of(ClassicPivots.class)
                .forEach(pivots -> out.call("            long " + pivots.name() + " = stage.vector(",
                        beside(pivots, "false"), ");"));
        small.callOnArrays(out, family);
        family.operands().stream().filter(ClassicOperand::written).forEach(operand -> store(out, operand));
        family.of(ClassicPivots.class)
                .stream()
                .filter(ClassicPivots::written)
                .forEach(pivots -> out.call("            stage.storeVector(" + pivots.name() + ", ",
                        beside(pivots, null), ");"));
        out.add("            done = true;", "            return stage;");
        if (ArrayMethod.mayBeSent(family)) {
            out.add("        } catch (IndexOutOfBoundsException e) {");
            out.add("            // A kernel in Java that looks at elements one by one, before anything was written.");
            out.add("            return null;");
        }
        out.add("        } finally {", "            if (!done) {", "                stage.leave();", "            }",
                "        }", "    }");
    }

    /** How what lies beside a problem lies, as the methods of the stage take it. */
    private static List<String> beside(ClassicPivots pivots, String stays) {
        List<String> values = new ArrayList<>(List.of(pivots.element(), pivots.name() + "Array",
                pivots.name() + "Offset", Expression.java(pivots.size()), "1"));
        if (stays != null) {
            values.add(stays);
        }
        return values;
    }

    private static String array(ClassicOperand operand) {
        return operand.java() + "Array";
    }

    private static String step(ClassicOperand operand) {
        return operand.java() + "Step";
    }

    private static String type(ClassicOperand operand) {
        return operand.real() ? "type.real()" : "type";
    }

    /** Rows and columns, the leading dimension or increment, and diagonals. */
    private static String extents(ClassicOperand operand) {
        String band = operand.band() ? ", " + operand.diagonalsBelow() + ", " + operand.diagonalsAbove() : "";
        return operand.size() + (operand.packed() ? "" : operand.fixed() ? ", 1" : ", " + step(operand)) + band;
    }

    private static String elements(ClassicOperand operand) {
        if (operand.packed()) {
            return "(long) n * (n + 1L) / 2";
        }
        if (operand.band()) {
            return "(" + operand.leastRows() + ") * (long) (" + operand.columns() + ")";
        }
        return operand.matrix() ? "(long) (" + operand.rows() + ") * (" + operand.columns() + ")"
                : operand.option() == null ? operand.rows()
                : "(" + operand.rows() + ")";
    }

    /** How it lies, as the methods of the stage take it. */
    private static List<String> place(ClassicOperand operand) {
        List<String> values = new ArrayList<>(List.of(type(operand), array(operand), operand.java() + "Offset"));
        if (operand.packed()) {
            values.addAll(List.of("n * (n + 1) / 2", "1"));
        } else if (operand.matrix()) {
            values.addAll(List.of(rows(operand), operand.columns(), step(operand)));
        } else {
            values.addAll(List.of(operand.rows(), operand.fixed() ? "1" : step(operand)));
        }
        return values;
    }

    private static String rows(ClassicOperand operand) {
        return operand.band() ? operand.leastRows() : operand.rows();
    }

    private static void load(Source out, ClassicOperand operand, boolean stays) {
        boolean vector = !operand.matrix() || operand.packed();
        List<String> values = place(operand);
        values.add("" + stays);
        out.call("            long " + operand.java() + " = stage." + (vector ? "vector(" : "matrix("), values, ");");
        if (operand.matrix() && !operand.packed()) {
            out.call("            long " + operand.distance() + " = Stage.step(",
                    List.of(operand.java(), rows(operand), step(operand)), ");");
        } else if (!operand.distances().isEmpty()) {
            out.add("            long " + operand.distance() + " = 1;");
        }
    }

    private static void store(Source out, ClassicOperand operand) {
        boolean vector = !operand.matrix() || operand.packed();
        List<String> values = new ArrayList<>(List.of(operand.java()));
        values.addAll(place(operand));
        out.call("            stage." + (vector ? "storeVector(" : "storeMatrix("), values, ");");
    }
}
