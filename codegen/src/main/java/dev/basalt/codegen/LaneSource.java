package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The small lane, from the table of routines: for each family that has one, how a handle is entered with views and with the classic names, and
 * the call of the kernel.
 */
final class LaneSource implements Generator {
    /** What lanes of a few problems end in. */
    static final String FEW = "Few";

    /** What those of a few problems at equal distances end in. */
    static final String STRIDED = "Strided";

    private static final Set<String> FACTORS = Set.of("FACTOR", "TRIANGLE");

    /** The leaf of products, and that of solves, which a launch of several problems does not take for one vector each. */
    private static final String PRODUCT = "wholeGemm";

    static final String SOLVE = "wholeTrsm";

    @Override
    public void generate(Path sources, Output output) throws IOException {
        List<ClassicFamily> families = RoutineTable.read();
        for (Level level : Level.values()) {
            List<ClassicFamily> own =
                    families.stream().filter(family -> level.has(family) && family.fact("small") != null).toList();
            if (!own.isEmpty()) {
                output.write("dev/basalt/" + level.lane() + ".java", RoutineTable.NAME, source(level, own));
            }
        }
    }

    private static List<String> source(Level level, List<ClassicFamily> families) {
        TreeSet<String> imports = new TreeSet<>(List.of("internal.call.HandleCore", "internal.call.KnownCalls",
                "internal.call.Routine", "internal.product.Gemm", "internal.workspace.Need", "portable.DirectDevice",
                "portable.DirectDevice.Small", "portable.Leaf", "spi.Memory", "type.Complex", "type.Diag", "type.Eform",
                "type.ElementType", "type.Evect", "type.Op", "type.Side", "type.Svect", "type.Uplo"));
        families.forEach(family -> imports.add("internal." + family.room() + "." + family.routineClass()));
        Source out = new Source();
        out.add("package dev.basalt;", "");
        imports.forEach(name -> out.add("import dev.basalt." + name + ";"));
        out.add("");
        out.comment("", List.of("The small lane ({@link SmallCall}) of " + level.title
                + ". A method that enters returns null if the handle was not entered."));
        out.add("final class " + level.lane() + " {", "    private " + level.lane() + "() {}");
        for (ClassicFamily family : families) {
            SmallFact small = SmallFact.of(family);
            if (family.has("views")) {
                onViews(out, family, small, false);
            }
            onPointers(out, family, small, false);
            run(out, family, small);
            if (family.isReduction()) {
                onPointers(out, family, small, true);
                EachSource.writeOne(out, family);
            }
            if (EachSource.has(family)) {
                EachSource.write(out, family);
            }
            if (hasFew(family)) {
                onViews(out, family, small, true);
                runFew(out, family, small);
            }
            if (hasStrided(family)) {
                onDistances(out, family, small);
                runStrided(out, family, small);
            }
        }
        out.add("}");
        return out.lines();
    }

    // ---- entering

    /** Whether a few problems of matrices may be taken one after the other: all operands are matrices, and one kernel is all of it, or they are factored or solved. */
    static boolean hasFew(ClassicFamily family) {
        return hasProducts(family) || hasFactors(family);
    }

    /** Factorisations and solves, of which launches take up to {@code SmallCall.ONE_BY_ONE} one by one. */
    private static boolean hasFactors(ClassicFamily family) {
        if (family.fact("small") == null || !family.level().equals("L") || !family.has("views")) {
            return false;
        }
        SmallFact small = SmallFact.of(family);
        return FACTORS.contains(small.kind()) && !small.known() && small.from() == null && small.beside() == null
                && family.operands()
                        .stream()
                        .allMatch(operand -> operand.matrix() && !operand.band() && !operand.packed());
    }

    private static boolean hasProducts(ClassicFamily family) {
        if (family.fact("small") == null || !family.level().equals("3") || !family.has("views")) {
            return false;
        }
        SmallFact small = SmallFact.of(family);
        return small.beside() == null && small.steps().size() == 1
                && family.operands().stream().allMatch(ClassicOperand::matrix);
    }

    /** Whether a few problems at equal distances may be: those, and vectors and matrices with vectors that have a lane on views. */
    static boolean hasStrided(ClassicFamily family) {
        return hasProducts(family) && SmallFact.of(family).from() == null || EachSource.has(family);
    }

    /** With views, of one problem or of {@code several}. */
    private static void onViews(Source out, ClassicFamily family, SmallFact small, boolean few) {
        String kept = few ? ".several" : ".single";
        Shapes shapes = new Shapes(family);
        ClassicOperand typed = shapes.typed();
        List<String> parameters = new ArrayList<>(List.of("Handle handle"));
        List<String> absent = new ArrayList<>(List.of("handle == null"));
        for (ClassicArgument argument : family.arguments()) {
            if (argument instanceof ClassicOption option) {
                parameters.add(option.type() + " " + option.name());
                absent.add(option.name() + " == null");
            } else if (argument instanceof ClassicOperand operand) {
                parameters.add(operand.viewType() + " " + operand.java());
                absent.add(operand.java() + " == null");
            } else if (SmallFact.isBeside(argument)) {
                parameters.add("VectorView " + argument.name());
                absent.add(argument.name() + " == null");
            } else if (argument instanceof ClassicDimension dimension && isRange(dimension.name())) {
                parameters.add("long " + dimension.name());
            }
        }
        out.add("");
        out.call("    static Leaf " + small.lane() + (few ? FEW : "") + "(", parameters, ") {");
        refuse(out, absent);
        out.add("        ElementType type = " + typed.java() + kept + ";");
        List<String> wrong = new ArrayList<>(List.of("type == null"));
        for (ClassicOperand operand : family.operands()) {
            if (!operand.equals(typed)) {
                wrong.add(operand.java() + kept + " != " + type(operand));
            }
        }
        String beside = few ? ".few" : ".single";
        family.of(ClassicPivots.class).forEach(pivots -> wrong.add(pivots.name() + beside + " != " + pivots.element()));
        if (family.has(ClassicOutcome.class, "info")) {
            wrong.add("info" + beside + " != ElementType.I32");
        }
        types(wrong, family);
        refuse(out, wrong);
        for (String dimension : family.dimensions()) {
            Shapes.Extent definer = shapes.of(dimension);
            if (definer != null) {
                out.add("        long " + dimension + " = " + view(definer) + ";");
            } else if (small.known() && shapes.beside(dimension) != null) {
                out.add("        long " + dimension + " = " + shapes.beside(dimension).name() + ".n;");
            } else if (small.banded()) {
                out.add("        long " + dimension + " = " + diagonals(family, dimension) + ";");
            }
        }
        List<String> unequal = new ArrayList<>();
        if (few) {
            few(unequal, family, small, typed.java());
        }
        for (ClassicOperand operand : family.operands()) {
            if (operand.fills()) {
                out.add("        long kl = " + operand.java() + ".kl;",
                        "        long ku = " + operand.java() + ".ku - kl;");
            }
        }
        fills(unequal, family);
        whole(unequal, family);
        for (Shapes.Extent extent : shapes.others()) {
            String must = extent.dimension().equals("order") ? "(side == Side.LEFT ? m : n)"
                    : extent.operand().matrix() ? extent.dimension()
                    : "(" + extent.operand().rows() + ")";
            unequal.add("(" + view(extent) + ") != " + must);
        }
        for (ClassicOperand operand : family.operands()) {
            if (operand.halfBand()) {
                unequal.add("(uplo == Uplo.LOWER ? " + operand.java() + ".ku : " + operand.java() + ".kl) != 0");
            }
            if (operand.fixed()) {
                unequal.add(operand.java() + ".n != " + operand.first());
                if (!operand.first().equals("1")) {
                    unequal.add(operand.java() + ".inc != 1");
                }
            } else if (!operand.matrix()) {
                if (family.walksForward()) {
                    unequal.add(operand.java() + ".inc <= 0");
                } else if (!family.level().equals("1")) {
                    unequal.add(operand.java() + ".inc == 0");
                }
            }
        }
        for (ClassicPivots pivots : family.of(ClassicPivots.class)) {
            if (few) {
                unequal.add(pivots.name() + ".count != " + typed.java() + ".count");
            }
            unequal.add(pivots.name() + ".n < " + Expression.java(pivots.size()));
            unequal.add(pivots.name() + ".inc != 1");
        }
        if (family.has(ClassicOutcome.class, "info")) {
            unequal.add(few ? "!SmallCall.tells(info, " + typed.java() + ".count)" : "info.inc <= 0");
        }
        if (small.from() != null) {
            unequal.add(few ? "b != c" : "!SmallCall.agree(b.first, b.ld, c.first, c.ld)");
        }
        if (small.beside() != null) {
            String other = small.besideOf(family).java();
            unequal.add("!SmallCall.agree(" + other + ".first, " + other + ".ld, " + typed.java() + ".first, "
                    + typed.java() + ".ld)");
        }
        refuse(out, unequal);
        if (small.kind().equals("VECTOR")) {
            enter(out, small.enterShort(family, shapes.typed().java()), cores(family, ".core"));
        } else {
            enter(out, family, small, cores(family, ".core"));
        }
    }

    /** Adds what a batch must be for its problems to be taken one after the other, with the bits of a launch. */
    private static void few(List<String> unequal, ClassicFamily family, SmallFact small, String typed) {
        for (ClassicOperand operand : family.operands()) {
            if (!operand.java().equals(typed)) {
                unequal.add(operand.java() + ".count != " + typed + ".count");
            }
        }
        alone(unequal, family, small, typed + ".count");
    }

    /** Adds that so many problems must be few, and such as a launch takes one by one. */
    private static void alone(List<String> wrong, ClassicFamily family, SmallFact small, String count) {
        wrong.add("!SmallCall.few(" + count + ", " + small.extents(family) + ")");
        String method = small.steps().get(0).method();
        if (method.equals(PRODUCT)) {
            // Batches of complex products have a kernel of their own, and one call for many real ones takes less.
            wrong.add("type.isComplex()");
            wrong.add(count + " > SmallCall.PRODUCTS");
        } else if (method.equals(SOLVE) || hasFactors(family)) {
            wrong.add(count + " > SmallCall.ONE_BY_ONE");
        }
    }

    /** So many diagonals of the band among the operands; of those on one side there are none on the other. */
    private static String diagonals(ClassicFamily family, String dimension) {
        String band = family.operands().stream().filter(ClassicOperand::band).findFirst().orElseThrow().java();
        return dimension.equals("k") ? band + ".kl + " + band + ".ku" : band + "." + dimension;
    }

    /** The memory of all operands, and of what lies beside a problem. */
    private static List<String> cores(ClassicFamily family, String of) {
        return family.arguments()
                .stream()
                .filter(argument -> argument instanceof ClassicOperand || SmallFact.isBeside(argument))
                .map(argument -> (argument instanceof ClassicOperand operand ? operand.java() : argument.name()) + of)
                .toList();
    }

    /** The type of an operand of a call, in Java. */
    private static String type(ClassicOperand operand) {
        return operand.real() ? "type.real()" : "type";
    }

    static String view(Shapes.Extent extent) {
        String name = extent.operand().java();
        return extent.operand().matrix() && !extent.operand().packed()
                ? extent.value(name + ".rows", name + ".cols")
                : name + ".n";
    }

    /** Adds what types and options do not go together. */
    static void types(List<String> wrong, ClassicFamily family) {
        String only = family.fact("only");
        if (only != null) {
            wrong.add((only.startsWith("real") ? "" : "!") + "type.isComplex()");
        }
        if (family.fact("trans") != null) {
            String trans = family.of(ClassicOption.class)
                    .stream()
                    .filter(option -> option.type().equals("Op"))
                    .findFirst()
                    .orElseThrow()
                    .name();
            wrong.add("(" + trans + " == Op." + family.fact("trans") + " && type.isComplex())");
        }
    }

    /** Adds that a band must have room for its fill. */
    static void fills(List<String> wrong, ClassicFamily family) {
        if (family.operands().stream().anyMatch(ClassicOperand::fills)) {
            wrong.add("ku < 0");
        }
    }

    /** Whether a dimension is one end of the rows that a matrix is reduced in, which callers name beside the views. */
    static boolean isRange(String dimension) {
        return dimension.equals("ilo") || dimension.equals("ihi");
    }

    /** Adds that such rows must be all: factors outside of them are zeroed by launches of their own. */
    private static void whole(List<String> wrong, ClassicFamily family) {
        if (family.dimensions().contains("ilo")) {
            boolean beside = family.operands().stream().anyMatch(operand -> operand.hasSide("order"));
            wrong.add("ilo != 1");
            wrong.add(beside ? "ihi != (side == Side.LEFT ? m : n)" : "ihi != n");
        }
    }

    /** Declines if any condition holds. */
    static void refuse(Source out, List<String> conditions) {
        if (!conditions.isEmpty()) {
            out.whereAny("        ", conditions);
            out.add("            return null;", "        }");
        }
    }

    private static void enter(Source out, ClassicFamily family, SmallFact small, List<String> cores) {
        enter(out, small.enter(family), cores);
    }

    private static void enter(Source out, String entered, List<String> cores) {
        out.add("        HandleCore h = handle.core;");
        out.call("        return SmallCall.admitted(", join(List.of("h", entered), cores), ");");
        out.add("    }");
    }

    private static List<String> join(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /** What both lanes of the classic names say of an option. */
    private static void take(ClassicOption option, List<String> parameters, List<String> wrong) {
        parameters.add(option.type() + " " + option.name());
        wrong.add(option.name() + " == null");
    }

    /** The same of where an operand lies; {@code strided} where each problem has its own at equal distances. */
    private static void take(ClassicOperand operand, ClassicFamily family, boolean strided, List<String> parameters,
            List<String> wrong) {
        parameters.add("DevicePointer " + operand.java());
        operand.distances().forEach(name -> parameters.add("long " + name));
        if (strided) {
            parameters.add("long " + operand.stride());
        }
        if (family.walksForward()) {
            wrong.add(operand.distance() + " <= 0");
        }
    }

    /** With the classic names; {@code kept} where a result stays in device memory. */
    private static void onPointers(Source out, ClassicFamily family, SmallFact small, boolean kept) {
        List<String> parameters = new ArrayList<>(List.of("Handle handle", "ElementType type"));
        List<String> wrong = new ArrayList<>(List.of("handle == null"));
        for (ClassicArgument argument : family.arguments()) {
            switch (argument) {
                case ClassicOption option -> take(option, parameters, wrong);
                case ClassicDimension dimension -> parameters.add("long " + dimension.name());
                case ClassicOperand operand -> {
                    take(operand, family, false, parameters, wrong);
                    wrong.add("!SmallCall." + operand.kind() + "(" + type(operand) + ", " + operand.extents() + ")");
                }
                case ClassicPivots pivots ->
                    beside(parameters, wrong, pivots.name(), pivots.element(), Expression.java(pivots.size()));
                case ClassicOutcome info when !info.isResult() ->
                    beside(parameters, wrong, info.name(), "ElementType.I32", "1");
                default -> {}
            }
        }
        types(wrong, family);
        fills(wrong, family);
        whole(wrong, family);
        if (small.from() != null) {
            wrong.add("!SmallCall.agree(b.address(), ldb, c.address(), ldc)");
        }
        if (small.beside() != null) {
            ClassicOperand other = small.besideOf(family);
            ClassicOperand typed = new Shapes(family).typed();
            wrong.add("!SmallCall.agree(" + other.java() + ".address(), " + other.distance() + ", " + typed.java()
                    + ".address(), " + typed.distance() + ")");
        }
        List<String> cores = new ArrayList<>(cores(family, ".core"));
        if (kept) {
            beside(parameters, wrong, "result", EachSource.resultType(family), "1");
            cores.add("result.core");
        }
        out.add("");
        out.call("    static Leaf " + small.lane() + (kept ? EachSource.KEPT : "") + "(", parameters, ") {");
        refuse(out, wrong);
        enter(out, family, small, cores);
    }

    /** With the classic names, of a few problems at equal distances. */
    private static void onDistances(Source out, ClassicFamily family, SmallFact small) {
        List<String> parameters = new ArrayList<>(List.of("Handle handle", "ElementType type"));
        List<String> wrong = new ArrayList<>(List.of("handle == null", "batchCount < 1"));
        wrong.add("batchCount > DirectDevice.VECTORS");
        boolean matrices = hasProducts(family);
        if (matrices) {
            alone(wrong, family, small, "batchCount");
        }
        for (ClassicArgument argument : family.arguments()) {
            switch (argument) {
                case ClassicOption option -> take(option, parameters, wrong);
                case ClassicDimension dimension -> parameters.add("long " + dimension.name());
                case ClassicOperand operand -> {
                    take(operand, family, true, parameters, wrong);
                    wrong.add("!SmallCall." + (operand.matrix() ? "matrices" : "vectors") + "(" + type(operand) + ", "
                            + operand.extents() + ", " + operand.stride() + ", batchCount)");
                }
                default -> {}
            }
        }
        types(wrong, family);
        List<String> cores = new ArrayList<>(cores(family, ".memory().core"));
        if (family.isReduction()) {
            beside(parameters, wrong, "result", EachSource.resultType(family), "batchCount");
            cores.add("result.memory().core");
        }
        parameters.add("long batchCount");
        out.add("");
        out.call("    static Leaf " + small.lane() + STRIDED + "(", parameters, ") {");
        refuse(out, wrong);
        if (matrices) {
            enter(out, family, small, cores);
            return;
        }
        String rows = family.dimensions().contains("m") ? "m" : family.level().equals("1") ? "1" : "n";
        out.add("        HandleCore h = handle.core;");
        out.call("        return SmallCall.admitted(",
                join(List.of("h", "h.enterSmall(Small." + small.kind() + ", type, " + rows + ", n * batchCount, 1)"),
                        cores),
                ");");
        out.add("    }");
    }

    /** What lies beside a problem, one element after the other: one less than a matrix has columns may be none. */
    private static void beside(List<String> parameters, List<String> wrong, String name, String type, String size) {
        parameters.add("DevicePointer " + name);
        wrong.add(size.contains("- 1")
                ? "!SmallCall.beside(" + type + ", " + size + ", " + name + ")"
                : "!SmallCall.vector(" + type + ", " + size + ", " + name + ", 1)");
    }

    // ---- the kernel

    /** What a kernel's method takes: operands as addresses, of a few problems as views. */
    private static List<String> parameters(ClassicFamily family, boolean few) {
        List<String> parameters =
                new ArrayList<>(List.of("HandleCore h", "Leaf kernels", "Routine routine", "ElementType type"));
        for (ClassicArgument argument : family.arguments()) {
            switch (argument) {
                case ClassicOption option -> parameters.add(option.type() + " " + option.name());
                case ClassicDimension dimension -> parameters.add("long " + dimension.name());
                case ClassicScalar scalar -> {
                    parameters.add("double " + scalar.name());
                    if (!scalar.name().equals("c")) {
                        parameters.add("double " + scalar.name() + "Im");
                    }
                }
                case ClassicOperand operand when few -> parameters.add("MatrixView " + operand.java());
                case ClassicOperand operand -> {
                    parameters.add("long " + operand.java());
                    operand.distances().forEach(name -> parameters.add("long " + name));
                }
                case ClassicPivots pivots -> parameters.add((few ? "VectorView " : "long ") + pivots.name());
                case ClassicOutcome info when !info.isResult() ->
                    parameters.add((few ? "VectorView" : "long") + " info");
                default -> {}
            }
        }
        return parameters;
    }

    private static void run(Source out, ClassicFamily family, SmallFact small) {
        List<String> parameters = parameters(family, false);
        String result = small.result(family);
        out.add("");
        out.call("    static " + result + " " + small.lane() + "(", parameters, ") {");
        out.add("        try {");
        small.call(out, family);
        out.add("        } finally {", "            h.leave();", "        }", "    }");
    }

    /** The kernel for one problem after the other, at equal distances. */
    private static void runStrided(Source out, ClassicFamily family, SmallFact small) {
        List<String> parameters = new ArrayList<>();
        for (String parameter : parameters(family, false)) {
            parameters.add(parameter);
            family.operands()
                    .stream()
                    .filter(operand -> parameter.equals("long " + operand.distance()))
                    .forEach(operand -> parameters.add("long " + operand.stride()));
        }
        if (family.isReduction()) {
            parameters.add("long result");
        }
        parameters.add("long batchCount");
        SmallFact.Step step = small.steps().get(0);
        List<String> values = new ArrayList<>(SmallFact.values(family, step));
        List<String> vectors = new ArrayList<>();
        for (ClassicOperand operand : family.operands()) {
            String at = operand.java() + " + i * " + operand.stride() + " * type.bytes()";
            values.replaceAll(value -> value.equals(operand.java()) ? at : value);
            vectors.add(at);
            vectors.addAll(operand.distances());
        }
        String place = family.isReduction() ? "result + i * " + EachSource.resultType(family) + ".bytes()" : null;
        values.replaceAll(value -> value.equals("result") ? place : value);
        out.add("");
        out.call("    static Status " + small.lane() + STRIDED + "(", parameters, ") {");
        out.add("        try {");
        EachSource.dots(out, family, small);
        out.add("            for (long i = 0; i < batchCount; i++) {");
        EachSource.leaf(out, family, step, "                ", place, values, String.join(", ", vectors));
        out.add("            }", "            h.ranDirect(routine, " + small.tier() + ");",
                "            return Status.SUCCESS;", "        } finally {", "            h.leave();", "        }",
                "    }");
    }

    /** The kernel for one problem after the other. */
    private static void runFew(Source out, ClassicFamily family, SmallFact small) {
        out.add("");
        out.call("    static Status " + small.lane() + FEW + "(", parameters(family, true), ") {");
        out.add("        try {",
                "            for (long i = 0; i < " + new Shapes(family).typed().java() + ".count; i++) {");
        small.callOne(out, family, "                ");
        out.add("            }", "            h.ranDirect(routine, " + small.tier() + ");",
                "            return Status.SUCCESS;", "        } finally {", "            h.leave();", "        }",
                "    }");
    }
}
