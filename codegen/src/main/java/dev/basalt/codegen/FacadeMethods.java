package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;

/** The methods on views of one family: with its scalars on the host as doubles and as complex numbers, and in device memory. */
final class FacadeMethods {
    /** Where the scalars are. */
    private enum Scalars {
        REAL("double"), COMPLEX("Complex"), DEVICE("VectorView");

        private final String type;

        Scalars(String type) {
            this.type = type;
        }

        /** The Java type of a scalar of a row. */
        String of(ClassicScalar scalar) {
            return this == COMPLEX && scalar.real() ? "double" : type;
        }
    }

    /** The row for complex scalars, and that for real ones, which may be the same. */
    private final ClassicFamily full;

    private final ClassicFamily real;
    private final Shapes shapes;

    FacadeMethods(List<ClassicFamily> rows) {
        this.full = rows.get(0);
        this.real = rows.get(rows.size() - 1);
        this.shapes = new Shapes(full);
    }

    void write(Source out) {
        if (full.isReduction()) {
            onHost(out);
            onDevice(out);
        } else if (!full.hasScalars()) {
            method(out, Scalars.REAL);
        } else {
            method(out, Scalars.REAL);
            if (full.scalars().stream().anyMatch(scalar -> !scalar.real())) {
                method(out, Scalars.COMPLEX);
            }
            method(out, Scalars.DEVICE);
        }
        frame(out);
    }

    // ---- parameters

    private List<String> parameters(Scalars scalars, boolean result) {
        List<String> parameters = new ArrayList<>(List.of("Handle handle"));
        for (ClassicArgument argument : full.arguments()) {
            String type = type(argument, scalars);
            if (type != null && (result || !isResult(argument))) {
                parameters.add(type + " " + java(argument));
            }
        }
        return parameters;
    }

    private boolean isResult(ClassicArgument argument) {
        return argument.equals(full.result());
    }

    private String type(ClassicArgument argument, Scalars scalars) {
        return switch (argument) {
            case ClassicDimension dimension -> shapes.tells(dimension.name()) ? null : "long";
            case ClassicOption option -> option.type();
            case ClassicScalar scalar -> scalars == null ? null : scalars.of(scalar);
            case ClassicOperand operand -> operand.viewType();
            default -> "VectorView";
        };
    }

    private static String java(ClassicArgument argument) {
        return argument instanceof ClassicOperand operand ? operand.java() : argument.name();
    }

    /** The arguments that the private method takes: all but the scalars. */
    private List<String> passed(boolean result) {
        List<String> passed = new ArrayList<>(List.of("handle", "f"));
        for (ClassicArgument argument : full.arguments()) {
            if (type(argument, null) != null && (result || !isResult(argument))) {
                passed.add(java(argument));
            }
        }
        return passed;
    }

    // ---- documentation

    private void documentation(Source out, String first, Scalars scalars, boolean result, String returned) {
        List<String> paragraphs = new ArrayList<>();
        String more = (scalars == Scalars.REAL ? real : full).fact("more");
        paragraphs.add(first + (more == null ? "" : " " + more) + mixed());
        paragraphs.add("");
        paragraphs.add("@param handle handle");
        for (ClassicArgument argument : full.arguments()) {
            if (type(argument, scalars) != null && (result || !isResult(argument))) {
                paragraphs.add("@param " + java(argument) + " " + meaning(argument, scalars));
            }
        }
        paragraphs.add("@return " + returned);
        paragraphs.add(
                "@throws BlasException INVALID_VALUE for null options and types that do not fit, INVALID_SIZE for sizes or batches that"
                        + " do not fit, INVALID_POINTER for a view that is null, or has no memory although it is needed"
                        + (full.workspace() ? ", MEMORY_ERROR if not even the smallest workspace is there" : ""));
        out.add("");
        out.comment("    ", paragraphs);
    }

    /** What types operands may have beside one for all. */
    private String mixed() {
        List<String> types = ClassicTypings.of(full)
                .stream()
                .filter(typing -> !typing.words().matches("(?:(?:F32|F64|C32|C64) ?)*"))
                .map(ClassicTypings::words)
                .distinct()
                .toList();
        return types.isEmpty()
                ? ""
                : " " + String.join(", ", ClassicTypings.typed(full).stream().map(ClassicArgument::name).toList())
                        + " may also be " + String.join(", ", types)
                        + ": what is narrower than F32 is computed in it, and rounded once where it is written.";
    }

    private String meaning(ClassicArgument argument, Scalars scalars) {
        return switch (argument) {
            case ClassicOption option -> option.meaning(full);
            case ClassicScalar scalar -> scalar(scalar, scalars);
            case ClassicOperand operand -> operand.read().equals(operand.name())
                    ? operand.name() + ", " + operand.shape() + (operand.written() ? "; overwritten" : "")
                    : operand.name() + ", " + operand.shape();
            case ClassicPivots pivots -> pivots.meaning(null);
            case ClassicDimension dimension -> dimension.roles(full) + ", at least 0";
            case ClassicOutcome outcome -> outcome.isResult()
                    ? "one element for each problem: a vector of as many elements, or a batch of single ones"
                    : "I32, one a problem: 0, or where it failed";
            default -> argument.name();
        };
    }

    private static String scalar(ClassicScalar scalar, Scalars scalars) {
        String what = switch (scalar.name()) {
            case "alpha" -> "factor";
            case "beta" -> "factor of the result's old value";
            case "c" -> "cosine";
            case "tol" -> "what counts as zero, beside the largest";
            case "vl" -> "what the eigenvalues are larger than";
            case "vu" -> "the largest that an eigenvalue may be";
            case "abstol" -> "what an iteration may leave";
            default -> "sine";
        };
        return switch (scalars) {
            case REAL -> what;
            case COMPLEX ->
                scalar.real() ? what + ", real as always" : what + "; on real elements its imaginary part must be 0";
            case DEVICE -> what + ", in device memory: one element of the elements' "
                    + (scalar.real() ? "real type" : "type or its real type");
        };
    }

    private String status() {
        return full.workspace()
                ? "SUCCESS, or PERF_DEGRADED if workspace was short; in a query SIZE_INCREASED or SIZE_UNCHANGED"
                : "SUCCESS; in a query SIZE_UNCHANGED";
    }

    // ---- methods

    private void method(Source out, Scalars scalars) {
        ClassicFamily row = scalars == Scalars.REAL ? real : full;
        String words = full.hasScalars() ? switch (scalars) {
            case REAL -> "";
            case COMPLEX -> ", with complex scalars";
            case DEVICE -> ", with scalars in device memory, read when the kernel runs";
        } : "";
        documentation(out, row.text() + words + ".", scalars, true, status());
        out.call("    public static Status " + full.view() + "(", parameters(scalars, true), ") {");
        if (scalars != Scalars.DEVICE) {
            small(out, row, scalars);
        }
        begin(out, row, scalars);
        for (ClassicScalar scalar : full.scalars()) {
            out.add("        Frame." + scalar.slot() + "(f, " + scalar.name() + ");");
        }
        out.call("        return " + full.view() + "(", passed(true), ");");
        out.add("    }");
    }

    private void begin(Source out, ClassicFamily row, Scalars scalars) {
        String routine = row.routine();
        if (scalars == Scalars.DEVICE && full != real) {
            // A scalar of a real type is that of the real row.
            String last = full.scalars().get(full.scalars().size() - 1).name();
            out.add("        boolean complex = " + last + " == null || " + last + ".type.isComplex();");
            routine = "complex ? " + full.routine() + " : " + real.routine();
        }
        out.add("        Call f = Frame.begin(handle, " + routine + ", " + shapes.typed().java() + ");");
    }

    private void small(Source out, ClassicFamily row, Scalars scalars) {
        if (row.fact("small") == null) {
            return;
        }
        SmallFact small = SmallFact.of(row);
        String lane = Level.of(row).lane();
        String typed = shapes.typed().java();
        List<String> enter = new ArrayList<>(List.of("handle"));
        List<String> run = new ArrayList<>(List.of("handle.core", "kernels", row.routine(), typed + ".type"));
        List<String> few = new ArrayList<>(List.of("handle.core", "few", row.routine(), typed + ".type"));
        List<String> conditions = new ArrayList<>();
        for (ClassicArgument argument : row.arguments()) {
            switch (argument) {
                case ClassicScalar scalar -> {
                    boolean complex = scalars.of(scalar).equals("Complex");
                    run.addAll(scalar.parts(complex));
                    few.addAll(scalar.parts(complex));
                    String condition = scalar.condition(row, complex, typed + ".type");
                    if (condition != null) {
                        conditions.add(complex ? typed + " != null && " + condition : condition);
                    }
                }
                case ClassicOption option -> {
                    enter.add(option.name());
                    run.add(option.name());
                    few.add(option.name());
                }
                case ClassicDimension dimension -> {
                    String name = dimension.name();
                    if (LaneSource.isRange(name)) {
                        enter.add(name);
                    }
                    String value = LaneSource.isRange(name) ? name : extent(name);
                    run.add(value);
                    few.add(value);
                }
                case ClassicOperand operand -> {
                    enter.add(operand.java());
                    few.add(operand.java());
                    run.add(operand.java() + ".first");
                    if (!operand.distances().isEmpty()) {
                        run.add(operand.java() + (operand.matrix() ? ".ld" : ".inc"));
                    }
                }
                case ClassicPivots pivots -> {
                    beside(enter, run, pivots);
                    few.add(pivots.name());
                }
                case ClassicOutcome outcome when !outcome.isResult() -> {
                    beside(enter, run, outcome);
                    few.add(outcome.name());
                }
                default -> {}
            }
        }
        String entered = lane + "." + small.lane() + "(" + String.join(", ", enter) + ")";
        if (!conditions.isEmpty()) {
            out.add("        boolean plain = " + String.join(" && ", conditions) + ";");
            entered = "plain ? " + entered + " : null";
        }
        out.add("        Leaf kernels = " + entered + ";", "        if (kernels != null) {");
        out.call("            return " + lane + "." + small.lane() + "(", run, ");");
        out.add("        }");
        if (EachSource.has(row) && !row.isReduction()) {
            List<String> parts = new ArrayList<>();
            row.scalars().forEach(scalar -> parts.addAll(scalar.parts(scalars.of(scalar).equals("Complex"))));
            EachSource.call(out, row, parts, conditions.isEmpty() ? null : "plain");
        }
        if (LaneSource.hasFew(row)) {
            String name = lane + "." + small.lane() + LaneSource.FEW;
            String several = name + "(" + String.join(", ", enter) + ")";
            out.add("        Leaf few = " + (conditions.isEmpty() ? several : "plain ? " + several + " : null") + ";",
                    "        if (few != null) {");
            out.call("            return " + name + "(", few, ");");
            out.add("        }");
        }
    }

    private static void beside(List<String> enter, List<String> run, ClassicArgument argument) {
        enter.add(argument.name());
        run.add(argument.name() + ".first");
    }

    /** A dimension from the views. */
    private String extent(String dimension) {
        Shapes.Extent extent = shapes.of(dimension);
        ClassicPivots beside = shapes.beside(dimension);
        if (beside != null) {
            return beside.name() + ".n";
        }
        if (extent == null) {
            return diagonals(dimension, "");
        }
        String name = extent.operand().java();
        return extent.operand().matrix() && !extent.operand().packed()
                ? extent.value(name + ".rows", name + ".cols")
                : name + ".n";
    }

    /** Diagonals of a band, from its view or its operand. */
    private String diagonals(String dimension, String prefix) {
        ClassicOperand band = full.operands().stream().filter(ClassicOperand::band).findFirst().orElseThrow();
        String name = prefix.isEmpty() ? band.java() : prefix + band.field();
        return band.halfBand()
                ? "uplo == Uplo.LOWER ? " + name + ".kl : " + name + ".ku"
                : new ClassicDimension(dimension).value(band, name + ".");
    }

    // ---- reductions

    private void onHost(Source out) {
        String result = full.fact("small") != null ? SmallFact.of(full).result(full) : "double";
        documentation(out, full.text() + ", for the host: waits for the device.", Scalars.REAL, false,
                "the result; 0 for empty vectors and in a query");
        out.call("    public static " + result + " " + full.view() + "(", parameters(Scalars.REAL, false), ") {");
        small(out, full, Scalars.REAL);
        begin(out, full, Scalars.REAL);
        operands(out);
        out.add("        f.hostResult = true;");
        out.add("        f.match(\"one problem (a batch needs the form with a result vector): batch_count = 1\", g.count, 1);");
        String kind = switch (result) {
            case "double" -> "Real";
            case "long" -> "Index";
            default -> "Complex";
        };
        out.add("        return Frame.execute" + kind + "(handle);", "    }");
    }

    private void onDevice(Source out) {
        documentation(out, full.text() + ", into device memory: does not wait.", Scalars.REAL, true, status());
        out.call("    public static Status " + full.view() + "(", parameters(Scalars.REAL, true), ") {");
        if (EachSource.has(full)) {
            EachSource.call(out, full, List.of(), null);
        }
        begin(out, full, Scalars.REAL);
        operands(out);
        out.add("        Frame.perProblem(f, " + full.result().slot() + ", result, g.count);");
        out.add("        return Frame.execute(handle);", "    }");
    }

    // ---- the frame

    private void frame(Source out) {
        if (full.isReduction()) {
            return;
        }
        List<String> parameters = new ArrayList<>(List.of("Handle handle", "Call f"));
        for (ClassicArgument argument : full.arguments()) {
            String type = type(argument, null);
            if (type != null) {
                parameters.add(type + " " + java(argument));
            }
        }
        out.add("");
        out.call("    private static Status " + full.view() + "(", parameters, ") {");
        operands(out);
        for (ClassicArgument argument : full.arguments()) {
            if (argument instanceof ClassicPivots pivots) {
                String size = Expression.fields(pivots.size(), full, "g.");
                out.add("        Frame." + pivots.kindOfFrame() + "(f, " + pivots.slot() + ", " + pivots.name() + ", "
                        + size + ");");
            } else if (argument instanceof ClassicOutcome outcome) {
                out.add("        Frame.perProblem(f, " + outcome.slot() + ", " + outcome.name() + ", g.count);");
            }
        }
        out.add("        return Frame.execute(handle);", "    }");
    }

    private void operands(Source out) {
        for (ClassicOperand operand : full.operands()) {
            for (int slot : operand.slotNumbers()) {
                String kind = operand.fixed() ? "few" : operand.kind();
                String size = operand.fixed() ? ", " + few(operand) : "";
                out.add("        Frame." + kind + "(f, " + slot + ", " + operand.java() + size + ");");
            }
        }
        out.add("        Launch g = f.args;");
        for (ClassicOption option : full.of(ClassicOption.class)) {
            out.add("        " + option.framed());
        }
        for (ClassicDimension dimension : full.of(ClassicDimension.class)) {
            if (!dimension.inOperand()) {
                Shapes.Extent extent = shapes.of(dimension.name());
                out.add("        g." + dimension.field() + " = " + (extent == null ? told(dimension) : framed(extent))
                        + ";");
            }
        }
        String typed = shapes.typed().java();
        out.add("        g.count = " + typed + " == null ? 1 : " + typed + ".count;");
        List<ClassicOperand> squares = new ArrayList<>();
        for (Shapes.Extent extent : shapes.others()) {
            match(out, extent, squares);
        }
    }

    /** A dimension that no operand has: the factors of reflectors tell how many those are, a band its diagonals. */
    private String told(ClassicDimension dimension) {
        if (!shapes.tells(dimension.name())) {
            return dimension.name();
        }
        return full.of(ClassicPivots.class)
                .stream()
                .filter(pivots -> pivots.size().equals(dimension.name()))
                .findFirst()
                .map(pivots -> "Frame.told(f, " + pivots.slot() + ", " + pivots.name() + ")")
                .orElseGet(() -> diagonals(dimension.name(), "g."));
    }

    /** How many elements a small vector has; inverted blocks as many as are given. */
    private static String few(ClassicOperand operand) {
        String name = operand.java();
        return operand.contiguous() || operand.first().equals(ClassicDimension.INVERSES)
                ? name + " == null ? 0 : " + name + ".n"
                : operand.first();
    }

    private static String framed(Shapes.Extent extent) {
        String name = "g." + extent.operand().field();
        return extent.value(name + ".rows", name + ".cols");
    }

    private void match(Source out, Shapes.Extent extent, List<ClassicOperand> squares) {
        ClassicOperand operand = extent.operand();
        String value = framed(extent);
        if (Expression.is(extent.dimension())) {
            matched(out, extent.words(false) + " = " + Expression.words(extent.dimension()), value,
                    Expression.fields(extent.dimension(), full, "g."));
            return;
        }
        if (operand.matrix() && extent.dimension().equals("order") && !operand.square()) {
            matched(out, extent.words(false) + " = the side of the product that Q stands on", value,
                    "side == Side.LEFT ? g.m : g.n");
            return;
        }
        if (operand.matrix() && extent.dimension().equals("order")) {
            if (!squares.contains(operand)) {
                squares.add(operand);
                String name = "g." + operand.field();
                matched(out, "rows of A = columns of A", name + ".rows", name + ".cols");
                matched(out, "order of A = the side of the product it stands on", name + ".rows",
                        "side == Side.LEFT ? g.m : g.n");
            }
            return;
        }
        if (List.of("over", "across").contains(extent.dimension())) {
            boolean over = extent.dimension().equals("over");
            matched(out, extent.words(false) + (over ? " = k (LEFT) or m (RIGHT)" : " = n (LEFT) or k (RIGHT)"), value,
                    over ? "side == Side.LEFT ? g.k : g.m" : "side == Side.LEFT ? g.n : g.k");
            return;
        }
        if (extent.dimension().equals(ClassicOperand.LONGEST)) {
            matched(out, extent.words(false) + " = max(m, n)", value, "Math.max(g.m, g.n)");
            return;
        }
        ClassicDimension dimension = new ClassicDimension(extent.dimension());
        if (!operand.matrix()) {
            // Its size depends on the option, its name does not.
            if (extent.dimension().equals("order")) {
                matched(out, "size of " + operand.name() + " = the side of the matrix it multiplies",
                        "g." + operand.field() + ".rows", "side == Side.LEFT ? g.m : g.n");
                return;
            }
            Shapes.Extent definer = shapes.of(operand.first());
            String want = operand.option() == null
                    ? "g." + dimension.field()
                    : operand.plain() + " ? g." + operand.first() + " : g." + operand.second();
            matched(out, "size of " + operand.name() + " = " + told(definer, operand), "g." + operand.field() + ".rows",
                    want);
            return;
        }
        Shapes.Extent definer = shapes.of(extent.dimension());
        boolean square = operand.square() && definer.operand().equals(operand);
        String words = square
                ? "rows of " + operand.name() + " = columns of " + operand.name()
                : extent.words(false) + " = " + told(definer, operand);
        matched(out, words, value, "g." + dimension.field());
    }

    /** What a dimension is where it comes from. */
    private static String told(Shapes.Extent definer, ClassicOperand other) {
        ClassicOperand operand = definer.operand();
        if (operand.square()) {
            return "order of " + operand.name();
        }
        boolean read = operand.option() == null && other.option() != null && !other.matrix();
        return definer.words(read);
    }

    private static void matched(Source out, String words, String left, String right) {
        out.call("        f.match(", List.of("\"" + words + "\"", left, right), ");");
    }
}
