package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The small lane of vectors, and of matrices with vectors, on views, for a few problems and for results in device memory, from the table of routines: the leaf is
 * called for one problem after the other.
 */
final class EachSource {
    /** What lanes end in that leave a result in device memory. */
    static final String KEPT = "Kept";

    /** What matrices with vectors have no kernels for many problems for: a launch of some calls these, too. */
    private static final Set<String> WITH_MATRICES = Set.of("gemv", "ger", "symv", "trmv", "syr", "syr2");

    private final ClassicFamily family;
    private final SmallFact small;
    private final Shapes shapes;

    private EachSource(ClassicFamily family) {
        this.family = family;
        this.small = SmallFact.of(family);
        this.shapes = new Shapes(family);
    }

    /** Whether a family has one: all that it reads and writes are vectors of one length, or a result; or dense matrices with vectors. */
    static boolean has(ClassicFamily family) {
        if (family.fact("small") == null || !family.has("views")) {
            return false;
        }
        return withMatrix(family) || family.level().equals("1")
                && family.operands().stream().noneMatch(operand -> operand.matrix() || operand.fixed());
    }

    private static boolean withMatrix(ClassicFamily family) {
        return family.level().equals("2") && WITH_MATRICES.contains(SmallFact.of(family).steps().get(0).method())
                && family.operands().stream().noneMatch(operand -> operand.band() || operand.packed());
    }

    /** Writes the two methods of a family's lane. */
    static void write(Source out, ClassicFamily family) {
        EachSource each = new EachSource(family);
        each.enter(out);
        each.run(out);
    }

    /** Writes the call of the leaf for one problem of a reduction with the classic names, whose result stays in device memory. */
    static void writeOne(Source out, ClassicFamily family) {
        SmallFact small = SmallFact.of(family);
        SmallFact.Step step = small.steps().get(0);
        List<String> parameters = new ArrayList<>(
                List.of("HandleCore h", "Leaf kernels", "Routine routine", "ElementType type", "long n"));
        List<String> vectors = new ArrayList<>();
        for (ClassicOperand operand : family.operands()) {
            parameters.add("long " + operand.java());
            operand.distances().forEach(name -> parameters.add("long " + name));
            vectors.add(operand.java());
            vectors.addAll(operand.distances());
        }
        parameters.add("long result");
        out.add("");
        out.call("    static Status " + small.lane() + KEPT + "(", parameters, ") {");
        out.add("        try {");
        leaf(out, family, step, "            ", "result", SmallFact.values(family, step), String.join(", ", vectors));
        ran(out, small);
    }

    /** Writes how a method on views takes it, with its scalars as the leaf has them, behind a condition or null. */
    static void call(Source out, ClassicFamily family, List<String> scalars, String condition) {
        EachSource each = new EachSource(family);
        String typed = each.shapes.typed().java();
        String lane = Level.of(family).lane() + "." + each.name();
        List<String> enter = new ArrayList<>(List.of("handle"));
        family.of(ClassicOption.class).forEach(option -> enter.add(option.name()));
        enter.addAll(each.views());
        List<String> run = new ArrayList<>(List.of("handle.core", "each", family.routine(), typed + ".type"));
        family.of(ClassicOption.class).forEach(option -> run.add(option.name()));
        family.dimensions().forEach(dimension -> run.add(LaneSource.view(each.shapes.of(dimension))));
        run.add(typed + ".count");
        run.addAll(scalars);
        run.addAll(each.views());
        String entered = lane + "(" + String.join(", ", enter) + ")";
        out.add("        Leaf each = " + (condition == null ? entered : condition + " ? " + entered + " : null") + ";",
                "        if (each != null) {");
        out.call("            return " + lane + "(", run, ");");
        out.add("        }");
    }

    private boolean isDot() {
        return small.steps().get(0).method().startsWith("dot");
    }

    private String name() {
        return small.lane() + "Each";
    }

    /** The names of the views, that of the results behind the others. */
    private List<String> views() {
        List<String> views = new ArrayList<>(family.operands().stream().map(ClassicOperand::java).toList());
        if (family.isReduction()) {
            views.add("result");
        }
        return views;
    }

    private void enterWithMatrix(Source out) {
        String typed = shapes.typed().java();
        List<String> parameters = new ArrayList<>(List.of("Handle handle"));
        List<String> absent = new ArrayList<>(List.of("handle == null"));
        List<String> wrong = new ArrayList<>(List.of("type == null"));
        List<String> unequal = new ArrayList<>();
        List<String> cores = new ArrayList<>();
        for (ClassicOption option : family.of(ClassicOption.class)) {
            parameters.add(option.type() + " " + option.name());
            absent.add(option.name() + " == null");
        }
        for (ClassicOperand operand : family.operands()) {
            String view = operand.java();
            parameters.add(operand.viewType() + " " + view);
            absent.add(view + " == null");
            cores.add(view + ".core");
            if (!view.equals(typed)) {
                wrong.add(view + ".few != type");
                unequal.add(view + ".count != " + typed + ".count");
            }
            if (!operand.matrix()) {
                unequal.add(view + ".inc == 0");
            }
        }
        for (Shapes.Extent extent : shapes.others()) {
            String must = extent.operand().matrix() ? extent.dimension() : "(" + extent.operand().rows() + ")";
            unequal.add("(" + LaneSource.view(extent) + ") != " + must);
        }
        LaneSource.types(wrong, family);
        out.add("");
        out.call("    static Leaf " + name() + "(", parameters, ") {");
        LaneSource.refuse(out, absent);
        out.add("        ElementType type = " + typed + ".few;");
        LaneSource.refuse(out, wrong);
        for (String dimension : family.dimensions()) {
            out.add("        long " + dimension + " = " + LaneSource.view(shapes.of(dimension)) + ";");
        }
        LaneSource.refuse(out, unequal);
        out.add("        HandleCore h = handle.core;");
        String rows = family.dimensions().contains("m") ? "m" : "n";
        List<String> admitted = new ArrayList<>(List.of("h",
                "h.enterSmall(Small." + small.kind() + ", type, " + rows + ", n * " + typed + ".count, 1)"));
        admitted.addAll(cores);
        out.call("        return SmallCall.admitted(", admitted, ");");
        out.add("    }");
    }

    private void enter(Source out) {
        if (withMatrix(family)) {
            enterWithMatrix(out);
            return;
        }
        String typed = shapes.typed().java();
        List<String> parameters = new ArrayList<>(List.of("Handle handle"));
        List<String> absent = new ArrayList<>(List.of("handle == null"));
        List<String> wrong = new ArrayList<>(List.of("type == null"));
        List<String> unequal = new ArrayList<>();
        List<String> cores = new ArrayList<>();
        for (String view : views()) {
            parameters.add("VectorView " + view);
            absent.add(view + " == null");
            cores.add(view + ".core");
            if (!view.equals(typed) && !view.equals("result")) {
                wrong.add(view + ".few != type");
                unequal.add(view + ".n != " + typed + ".n");
                unequal.add(view + ".count != " + typed + ".count");
            }
            if (family.walksForward() && !view.equals("result")) {
                unequal.add(view + ".inc <= 0");
            }
        }
        LaneSource.types(wrong, family);
        if (family.isReduction()) {
            unequal.add("!SmallCall.results(result, " + resultType(family) + ", " + typed + ".count)");
        }
        if (isDot()) {
            unequal.add("SmallCall.distance(result) == 0 && SmallCall.manyDots(x, y)");
        }
        out.add("");
        out.call("    static Leaf " + name() + "(", parameters, ") {");
        LaneSource.refuse(out, absent);
        out.add("        ElementType type = " + typed + ".few;");
        LaneSource.refuse(out, wrong);
        LaneSource.refuse(out, unequal);
        out.add("        HandleCore h = handle.core;");
        List<String> admitted = new ArrayList<>(List.of("h",
                "h.enterSmall(Small." + small.kind() + ", type, 1, " + typed + ".n * " + typed + ".count, 1)"));
        admitted.addAll(cores);
        out.call("        return SmallCall.admitted(", admitted, ");");
        out.add("    }");
    }

    /** The element type of a result, in Java. */
    static String resultType(ClassicFamily family) {
        return switch (family.result().kind()) {
            case "index" -> "ElementType.I64";
            case "real" -> "type.real()";
            default -> "type";
        };
    }

    private void run(Source out) {
        List<String> parameters =
                new ArrayList<>(List.of("HandleCore h", "Leaf kernels", "Routine routine", "ElementType type"));
        family.of(ClassicOption.class).forEach(option -> parameters.add(option.type() + " " + option.name()));
        family.dimensions().forEach(dimension -> parameters.add("long " + dimension));
        parameters.add("long count");
        for (ClassicScalar scalar : family.scalars()) {
            parameters.add("double " + scalar.name());
            if (!scalar.name().equals("c")) {
                parameters.add("double " + scalar.name() + "Im");
            }
        }
        family.operands().forEach(operand -> parameters.add(operand.viewType() + " " + operand.java()));
        if (family.isReduction()) {
            parameters.add("VectorView result");
        }
        out.add("");
        out.call("    static Status " + name() + "(", parameters, ") {");
        out.add("        try {");
        if (isDot()) {
            // Short real dots without gaps have a kernel for many problems, whose bits do not depend on how many there are.
            out.add("            if (SmallCall.manyDots(x, y)) {",
                    "                SmallCall.dots(kernels, x, y, result);",
                    "                h.ranDirect(routine, " + small.tier() + ");",
                    "                return Status.SUCCESS;", "            }");
        }
        out.add("            for (long i = 0; i < count; i++) {");
        SmallFact.Step step = small.steps().get(0);
        leaf(out, family, step, "                ", "SmallCall.result(result, i)", values(step),
                "x.at(i), x.inc, y.at(i), y.inc");
        out.add("            }");
        ran(out, small);
    }

    /** Writes the call of the kernel for many short dots, of problems at equal distances. */
    static void dots(Source out, ClassicFamily family, SmallFact small) {
        if (small.steps().get(0).method().startsWith("dot")) {
            out.add("            if (SmallCall.manyDots(type, n, incx, incy, batchCount)) {",
                    "                long bytes = type.bytes();",
                    "                kernels.dots(n, batchCount, x, strideX * bytes, y, strideY * bytes, result, bytes);",
                    "                h.ranDirect(routine, " + small.tier() + ");",
                    "                return Status.SUCCESS;", "            }");
        }
    }

    /** Writes a call of the leaf; what it returns goes to a place. */
    static void leaf(Source out, ClassicFamily family, SmallFact.Step step, String indent, String place,
            List<String> values, String vectors) {
        if (step.method().equals("dotReal")) {
            out.add(indent + "kernels.dot(n, " + vectors + ", false, " + place + ");");
        } else if (!family.isReduction() || family.result().kind().isEmpty()) {
            out.call(indent + "kernels." + step.method() + "(", values, ");");
        } else if (family.result().kind().equals("index")) {
            out.call(indent + "Memory.i64(" + place + ", kernels." + step.method() + "(", values, "));");
        } else {
            out.call(indent + "SmallCall.real(type, " + place + ", kernels." + step.method() + "(", values, "));");
        }
    }

    private static void ran(Source out, SmallFact small) {
        out.add("            h.ranDirect(routine, " + small.tier() + ");", "            return Status.SUCCESS;",
                "        } finally {", "            h.leave();", "        }", "    }");
    }

    /** What the leaf takes for a problem. */
    private List<String> values(SmallFact.Step step) {
        List<String> values = new ArrayList<>();
        for (String argument : step.arguments()) {
            ClassicArgument of =
                    family.arguments().stream().filter(a -> a.name().equals(argument)).findFirst().orElse(null);
            if (of instanceof ClassicOperand operand) {
                values.add(operand.java() + ".at(i)");
                values.add(operand.java() + (operand.matrix() ? ".ld" : ".inc"));
            } else if (of instanceof ClassicScalar && !argument.equals("c")) {
                values.addAll(List.of(argument, argument + "Im"));
            } else if (argument.equals("result")) {
                values.add("SmallCall.result(result, i)");
            } else {
                values.add(argument);
            }
        }
        return values;
    }
}
