package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;

/** One static method: its parameters, their documentation, and the statements that fill the frame of the call. */
final class ClassicMethod {
    private static final int WIDTH = 120;

    private final ClassicFamily family;
    private final ClassicType type;
    private final ClassicForm form;
    private final boolean scalarsOnDevice;
    private final boolean returnsValue;

    private final List<String> parameters = new ArrayList<>();
    private final List<String> documentation = new ArrayList<>();
    private final List<String> statements = new ArrayList<>();
    private final List<String> viewTypes = new ArrayList<>();

    /**
     * A method.
     *
     * @param family the routine
     * @param type element type
     * @param form how the problems are given
     * @param scalarsOnDevice whether alpha and beta are in device memory
     * @param returnsValue whether the result of the reduction is returned, instead of left in device memory
     */
    ClassicMethod(ClassicFamily family, ClassicType type, ClassicForm form, boolean scalarsOnDevice,
            boolean returnsValue) {
        this.family = family;
        this.type = type;
        this.form = form;
        this.scalarsOnDevice = scalarsOnDevice;
        this.returnsValue = returnsValue;
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
        comment(lines, family.text() + "; " + type.words() + form.words + variant() + ".");
        lines.add("     *");
        documentation.forEach(text -> comment(lines, text));
        comment(lines, "@return " + returned());
        comment(lines, "@throws BlasException as the method on views");
        comment(lines, "@see " + (family.level().equals("L") ? "Lapack" : "Blas") + "#" + family.view() + "("
                + String.join(", ", viewTypes) + ")");
        lines.add("     */");
        signature(lines);
        boolean onHost = !scalarsOnDevice && returnsValue == family.isReduction();
        if (form == ClassicForm.PLAIN && onHost && family.fact("small") != null) {
            lines.addAll(small());
        }
        lines.add(
                "        Call f = Frame.begin(handle, " + family.routine() + ", ElementType." + type.element() + ");");
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

    /** The statements that send a small call straight to its kernel. */
    private List<String> small() {
        SmallFact small = SmallFact.of(family);
        String lane = family.level().equals("L") ? "SmallLapack" : "SmallLevel" + family.level();
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
                }
                case ClassicOutcome outcome -> {}
                default -> {
                    enter.add(argument.name());
                    run.add(argument.name());
                }
            }
        }
        String entered = lane + "." + small.lane() + "(" + String.join(", ", enter) + ")";
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
        out.call("            return " + cast + lane + "." + small.lane() + "(", run, ");");
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
        String start = "    public static " + resultType() + " " + family.name(type) + form.suffix + "(";
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
