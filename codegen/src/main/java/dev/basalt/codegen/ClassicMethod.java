package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One static method: its parameters, their documentation, and the statements that fill the frame of the call. */
final class ClassicMethod {
    private static final int WIDTH = 120;

    private final ClassicFamily family;
    private final ClassicType type;
    private final ClassicForm form;
    private final boolean scalarsOnDevice;
    private final boolean returnsValue;
    private final boolean complexScalars;
    private String routine;

    private final List<String> parameters = new ArrayList<>();
    private final List<String> documentation = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();
    private final List<String> viewTypes = new ArrayList<>();

    /**
     * A method.
     *
     * @param family the routine
     * @param type element type; null where the caller names those of the operands, and that of the computation
     * @param form how the problems are given
     * @param scalarsOnDevice whether alpha and beta are in device memory
     * @param returnsValue whether the result of the reduction is returned, instead of left in device memory
     * @param complexScalars whether scalars on the host are complex numbers; looked at if there is no type
     */
    ClassicMethod(ClassicFamily family, ClassicType type, ClassicForm form, boolean scalarsOnDevice,
            boolean returnsValue, boolean complexScalars) {
        this.family = family;
        this.type = type;
        this.form = form;
        this.scalarsOnDevice = scalarsOnDevice;
        this.returnsValue = returnsValue;
        this.complexScalars = complexScalars;
        this.routine = family.routine();
        parameter("Handle", "handle", "handle");
        view("Handle");
        boolean counted = form == ClassicForm.PLAIN;
        for (ClassicArgument argument : family.arguments()) {
            boolean result = argument.equals(family.result());
            // As in rocBLAS, the results follow the batch count; everything else, info too, precedes it.
            if (result && !counted) {
                batchCount();
                counted = true;
            }
            if (!result || !returnsValue) {
                argument.write(this);
            }
        }
        if (!counted) {
            batchCount();
        }
        if (type == null) {
            parameter("ElementType", "compute", "the type of the computation; F16 stands for F32");
            statement("Frame.compute(f, compute);");
        }
    }

    /** The type of an operand or a result, as Java says it; a parameter where the caller names it. */
    String element(ClassicArgument argument, String java, String name) {
        if (type == null) {
            parameter("ElementType", java + "Type", "the type of " + name);
            return "Frame.type(f, " + java + "Type, \"" + java + "Type\")";
        }
        return "ElementType." + switch (argument) {
            case ClassicOutcome outcome -> outcome.element(type);
            case ClassicOperand operand ->
                operand.real() ? type.real() : operand.written() ? type.written() : type.element();
            default -> type.element();
        };
    }

    /** Makes it run another routine than the family's. */
    void runs(String expression) {
        routine = expression;
    }

    boolean complexScalars() {
        return complexScalars;
    }

    /** The type of the call, as Java says it. */
    private String called() {
        return type == null ? new Shapes(family).typed().java() + "Type" : "ElementType." + type.written();
    }

    private String name() {
        return ClassicFamily.name(type == null ? family.mixedName() : family.name(type), form);
    }

    private void batchCount() {
        String rule = family.level().equals("1") ? "; nothing is done unless it is positive" : ", at least 0";
        parameter("long", "batchCount", "problems in the batch" + rule);
        statement("g.count = batchCount;");
    }

    ClassicFamily family() {
        return family;
    }

    ClassicType type() {
        return type;
    }

    ClassicForm form() {
        return form;
    }

    boolean scalarsOnDevice() {
        return scalarsOnDevice;
    }

    /** How many problems an operand has. */
    String count() {
        return form == ClassicForm.PLAIN ? "1" : "batchCount";
    }

    /**
     * Adds a parameter.
     *
     * @param javaType its type
     * @param name its name
     * @param meaning its documentation
     */
    void parameter(String javaType, String name, String meaning) {
        parameters.add(javaType + " " + name);
        documentation.add("@param " + name + " " + meaning);
    }

    /**
     * Adds a statement.
     *
     * @param statement Java
     */
    void statement(String statement) {
        statements.add(statement);
    }

    /**
     * Adds a parameter of the method on views, to which the documentation refers.
     *
     * @param javaType its type
     */
    void view(String javaType) {
        viewTypes.add(javaType);
    }

    /**
     * The method's source.
     *
     * @return lines, indented for a class
     */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("    /**");
        comment(lines, family.text() + "; " + (type == null ? "of types that the caller names" : type.words())
                + form.words + variant() + ".");
        if (type == null) {
            comment(lines, "Types: " + typings() + ".");
        }
        lines.add("     *");
        documentation.forEach(text -> comment(lines, text));
        comment(lines, "@return " + returned());
        comment(lines, "@throws BlasException as the method on views"
                + (type == null ? "; INVALID_VALUE for types that do not go together" : ""));
        comment(lines, "@see " + (family.level().equals("L") ? "Lapack" : "Blas") + "#" + family.view() + "("
                + String.join(", ", viewTypes) + ")");
        lines.add("     */");
        signature(lines);
        if (form == ClassicForm.PLAIN && !scalarsOnDevice && family.fact("small") != null && type != null
                && !type.narrow()) {
            lines.addAll(small());
        }
        if (form == ClassicForm.STRIDED && !scalarsOnDevice && !returnsValue && LaneSource.hasStrided(family)
                && type != null && !type.narrow()) {
            lines.addAll(small());
        }
        lines.add("        Call f = Frame.begin(handle, " + routine + ", " + called() + ");");
        lines.add("        Launch g = f.args;");
        statements.forEach(statement -> lines.add("        " + statement));
        if (returnsValue) {
            lines.add("        f.hostResult = true;");
            lines.add("        return " + executed() + ";");
        } else {
            lines.add("        return Frame.execute(handle);");
        }
        lines.add("    }");
        return lines;
    }

    /** The types that go together, and in what they are computed. */
    private String typings() {
        Map<String, List<String>> computed = new LinkedHashMap<>();
        for (ClassicTypings typing : ClassicTypings.of(family)) {
            if (typing.compute() != null) {
                computed.computeIfAbsent(typing.words(), words -> new ArrayList<>()).add(typing.compute());
            }
        }
        List<String> words = new ArrayList<>();
        computed.forEach((types, compute) -> words.add(types + " in " + String.join(" or ", compute)));
        return String.join(", ", words);
    }

    /** The statements that send a small call straight to its kernel. */
    private List<String> small() {
        SmallFact small = SmallFact.of(family);
        boolean kept = family.isReduction() && !returnsValue;
        boolean strided = form == ClassicForm.STRIDED;
        String lane = Level.of(family).lane();
        String end = strided ? LaneSource.STRIDED : kept ? EachSource.KEPT : "";
        String method = lane + "." + small.lane() + end + "(";
        String element = "ElementType." + type.element();
        List<String> enter = new ArrayList<>(List.of("handle", element));
        List<String> run = new ArrayList<>(List.of("handle.core", "kernels", family.routine(), element));
        for (ClassicArgument argument : family.arguments()) {
            switch (argument) {
                case ClassicScalar scalar -> run.addAll(scalar.parts(type));
                case ClassicOperand operand -> {
                    enter.add(operand.java());
                    enter.addAll(operand.distances());
                    run.add(operand.address(element));
                    run.addAll(operand.distances());
                    if (strided) {
                        enter.add(operand.stride());
                        run.add(operand.stride());
                    }
                }
                case ClassicOutcome outcome when outcome.isResult() -> {
                    if (kept) {
                        enter.add(outcome.name());
                        run.add(outcome.name() + ".address()");
                    }
                }
                default -> {
                    enter.add(argument.name());
                    run.add(argument.name() + (SmallFact.isBeside(argument) ? ".address()" : ""));
                }
            }
        }
        if (strided) {
            enter.add("batchCount");
            run.add("batchCount");
        }
        String entered = method + String.join(", ", enter) + ")";
        List<String> conditions = family.scalars()
                .stream()
                .map(scalar -> scalar.condition(family, type, element))
                .filter(condition -> condition != null)
                .toList();
        if (!conditions.isEmpty()) {
            entered = String.join(" && ", conditions) + " ? " + entered + " : null";
        }
        Source out = new Source();
        out.add("        Leaf kernels = " + entered + ";", "        if (kernels != null) {");
        String cast = resultType().equals("float") ? "(float) " : "";
        out.call("            return " + cast + method, run, ");");
        out.add("        }");
        return out.lines();
    }

    private String variant() {
        if (family.isReduction()) {
            return returnsValue ? ", for the host: waits for the device" : ", into device memory: does not wait";
        }
        return scalarsOnDevice ? ", with scalars in device memory, read when the kernels run" : "";
    }

    private String returned() {
        if (returnsValue) {
            return "the result; 0 in a query";
        }
        return family.workspace()
                ? "SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED"
                : "SUCCESS; in a query SIZE_UNCHANGED";
    }

    private String resultType() {
        return returnsValue ? ClassicType.host(family.result().element(type)) : "Status";
    }

    private String executed() {
        return switch (resultType()) {
            case "float" -> "(float) Frame.executeReal(handle)";
            case "double" -> "Frame.executeReal(handle)";
            case "long" -> "Frame.executeIndex(handle)";
            default -> "Frame.executeComplex(handle)";
        };
    }

    private void signature(List<String> lines) {
        String start = "    public static " + resultType() + " " + name() + "(";
        String all = String.join(", ", parameters) + ") {";
        if (start.length() + all.length() <= WIDTH) {
            lines.add(start + all);
            return;
        }
        lines.add(start);
        if (12 + all.length() <= WIDTH) {
            lines.add("            " + all);
            return;
        }
        for (int i = 0; i < parameters.size(); i++) {
            lines.add("            " + parameters.get(i) + (i + 1 < parameters.size() ? "," : ") {"));
        }
    }

    /** Adds a paragraph of a comment, broken into lines; those after the first are set in, as of a tag. */
    private static void comment(List<String> lines, String text) {
        StringBuilder line = new StringBuilder("     *");
        int limit = WIDTH;
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > limit) {
                lines.add(line.toString());
                line = new StringBuilder(text.startsWith("@") ? "     *    " : "     *");
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
    }
}
