package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A static method on arrays of Java, with offsets and without: its parameters, and the statements that fill the frame. */
final class ArrayMethod {
    /** Names of offsets end in it. */
    private static final String OFFSET = "Offset";

    /** Real routines that read their operands by kernels alone, except for short vectors. */
    private static final Set<String> READ = Set.of("asum", "nrm2", "iamax", "iamin", "dot", "gemv", "symv", "spmv");

    /** Real routines that write them by kernels alone, too. */
    private static final Set<String> WRITTEN_TOO = Set.of("axpy", "scal", "copy", "swap", "ger", "gemm");

    /** Real routines of several kernels, all of which take arrays: none of them is one in Java. */
    private static final Set<String> THROUGHOUT = Set.of("getrf", "potrf");

    /** Routines that reduce vectors, with loops on the heap for short ones. */
    private static final Set<String> SUMS = Set.of("dot", "asum", "nrm2", "iamax", "iamin");

    /** Those that do the same to all elements, with loops for longer ones. */
    private static final Set<String> ELEMENTWISE = Set.of("axpy", "scal", "copy", "swap", "rot");

    /** Those of a matrix and vectors, with loops for few rows and columns. */
    private static final Set<String> MATVEC = Set.of("gemv", "symv", "spmv");

    /** Those of both that do the same to both parts of a complex element, whatever the scalars are. */
    private static final Set<String> PARTWISE = Set.of("asum", "nrm2", "copy", "swap");

    /** Routines that look at one triangle of their only matrix. */
    private static final Set<String> TRIANGLES = Set.of("potrf", "potri", "lauum", "trtri");

    /** How the matrices of a method lie. */
    enum Lay {
        /** By columns in one array. */
        COLUMNS,
        /** By rows in one array. */
        ROWS,
        /** An array for each row. */
        ARRAYS
    }

    private final ClassicFamily family;
    private final ClassicType type;
    private final Lay lay;

    /** What parameters mean, by their declarations. */
    private final Map<String, String> parameters = new LinkedHashMap<>();

    private final List<List<String>> statements = new ArrayList<>();
    private final Set<String> imports = new TreeSet<>();
    private String returned = "void";
    private String meaning;
    private String executed = "f.execute();";

    ArrayMethod(ClassicFamily family, ClassicType type, Lay lay) {
        this.family = family;
        this.type = type;
        this.lay = lay;
        imports.add("internal." + family.room() + "." + family.routineClass());
        for (ClassicArgument argument : family.arguments()) {
            switch (argument) {
                case ClassicDimension dimension -> dimension(dimension);
                case ClassicOption option -> option(option);
                case ClassicScalar scalar -> scalar(scalar);
                case ClassicPivots pivots -> pivots(pivots);
                case ClassicOutcome outcome -> outcome(outcome);
                case ClassicOperand operand -> operand(operand);
            }
        }
    }

    private void dimension(ClassicDimension dimension) {
        parameters.put("int " + dimension.name(),
                dimension.roles(family) + (family.level().equals("1") ? "" : ", at least 0"));
        if (!dimension.inOperand()) {
            statement("g." + dimension.field() + " = " + dimension.name() + ";");
        }
    }

    private void option(ClassicOption option) {
        imports.add((option.type().equals("Semiring") ? "spi." : "type.") + option.type());
        parameters.put(option.type() + " " + option.name(), option.meaning(family));
        statement("g." + option.field() + " = " + option.name() + ";");
    }

    private void scalar(ClassicScalar scalar) {
        String host = ClassicType.host(type.scalar(scalar.real()));
        if (host.equals("Complex")) {
            imports.add("type.Complex");
        }
        parameters.put(host + " " + scalar.name(), "the scalar " + scalar.name());
        statement("f." + scalar.slot() + "(" + scalar.name() + ");");
    }

    private void pivots(ClassicPivots pivots) {
        String element = switch (pivots.kind()) {
            case "index" -> "I64";
            case "real" -> type.real();
            default -> type.element();
        };
        String meaning =
                (pivots.factors() ? "factors tau of reflectors, " : pivots.pivots() ? "pivots, " : pivots.name() + ", ")
                        + Expression.words(pivots.size()) + " elements" + (pivots.written() ? "; overwritten" : "");
        array(pivots.name(), element, meaning);
        call("f.vector(", List.of("" + pivots.slot(), element(element), pivots.name(), pivots.name() + OFFSET,
                size(Expression.java(pivots.size())), "1"));
    }

    private void outcome(ClassicOutcome outcome) {
        if (!outcome.isResult()) {
            call("f.info(", List.of("" + outcome.slot()));
            returned = "int";
            meaning = "info: 0, or what LAPACK says of the problem";
            executed = "return f.executeInfo();";
            return;
        }
        String host = ClassicType.host(outcome.element(type));
        returned = host.equals("long") ? "int" : host;
        meaning = "the result";
        executed = switch (host) {
            case "float" -> "return (float) f.executeReal();";
            case "double" -> "return f.executeReal();";
            case "long" -> "return f.executeIndex();";
            default -> "return f.executeComplex();";
        };
        if (host.equals("Complex")) {
            imports.add("type.Complex");
        }
    }

    private void operand(ClassicOperand operand) {
        String element = operand.real() ? type.real() : type.element();
        String java = operand.java();
        boolean byRows = operand.matrix() && lay != Lay.COLUMNS;
        boolean arrays = operand.matrix() && lay == Lay.ARRAYS;
        String text = operand.name() + ", " + operand.shape() + (operand.written() ? "; overwritten" : "");
        if (arrays) {
            parameters.put(number(element) + "[][] " + java, text);
        } else {
            array(java, element, text);
        }
        if (!operand.distances().isEmpty() && !arrays) {
            parameters.put("int " + operand.distance(), distance(operand));
        }
        List<String> values = new ArrayList<>(List.of("" + operand.slot(), element(element), java));
        if (!arrays) {
            values.add(java + OFFSET);
        }
        if (operand.matrix() && !operand.packed()) {
            values.add(size(operand.rows()));
            values.add(size(operand.columns()));
        } else {
            values.add(size(operand.size()));
        }
        if (!operand.packed() && !arrays) {
            values.add(operand.fixed() ? "1" : operand.distance());
        }
        if (operand.band()) {
            values.add(size(operand.diagonalsBelow()));
            values.add(size(operand.diagonalsAbove()));
        }
        for (String name : List.of("Side", "Op", "Uplo", "Storev", "Svect")) {
            if (values.stream().anyMatch(value -> value.contains(name + "."))) {
                imports.add("type." + name);
            }
        }
        call("f." + (byRows ? "rows" : operand.kind()) + "(", values);
        for (int slot : operand.slotNumbers().subList(1, operand.slotNumbers().size())) {
            call("f.same(", List.of("" + slot, "" + operand.slot()));
        }
    }

    private String distance(ClassicOperand operand) {
        return !operand.matrix() ? "elements from one element of " + operand.name() + " to the next"
                : lay == Lay.ROWS
                        ? "elements from one row of " + operand.name()
                                + " to the next, at least as many as it has columns"
                : "leading dimension of " + operand.name() + ", at least " + operand.leastLeading(family);
    }

    private void array(String name, String element, String meaning) {
        parameters.put(number(element) + "[] " + name, meaning);
        parameters.put("int " + name + OFFSET, "elements of " + name + " before its operand");
    }

    /** The numbers of an array. */
    private static String number(String element) {
        return switch (element) {
            case "I64" -> "int";
            case "F32", "C32" -> "float";
            default -> "double";
        };
    }

    private static String element(String element) {
        return "ElementType." + element;
    }

    /** A size in 64 bits, which sums and products of 32 bits fit. */
    private static String size(String java) {
        String wide = java.replaceAll("\\b(\\d+) \\* ", "$1L * ");
        return wide.matches("\\w+( \\+ \\w+)+") ? "0L + " + wide : wide;
    }

    private void statement(String statement) {
        statements.add(List.of(statement));
    }

    private void call(String start, List<String> values) {
        statements.add(
                new Source().call("        " + start, values, ");").lines().stream().map(l -> l.substring(8)).toList());
    }

    /** What its source needs beside the ordinary. */
    Set<String> imports() {
        return imports;
    }

    /** Whether its kernels are known to take arrays. */
    private boolean isInPlace() {
        boolean real = type.element().equals(type.real());
        return real && mayStay(family);
    }

    /** Whether operands of some type of a family may stay in their arrays. */
    private static boolean mayStay(ClassicFamily family) {
        return mayBeSent(family) || THROUGHOUT.contains(family.view());
    }

    /** Whether they may stay, and a kernel in Java may send the call to copies, since nothing has been written then. */
    static boolean mayBeSent(ClassicFamily family) {
        return READ.contains(family.view()) || WRITTEN_TOO.contains(family.view());
    }

    /** Whether an operand may, where its type is real. Vectors beside a matrix are copied: that is cheap, and then they begin at a line of memory. */
    static boolean mayStay(ClassicFamily family, ClassicOperand operand) {
        return !operand.band() && (operand.matrix() || family.level().equals("1"))
                && (WRITTEN_TOO.contains(family.view()) || THROUGHOUT.contains(family.view())
                        || !operand.written() && READ.contains(family.view()));
    }

    /** Sends a call on short vectors to the loops on the heap. */
    private void loops(Source out) {
        String name = family.view();
        boolean real = type.element().equals(type.real());
        if (real && MATVEC.contains(name)) {
            matvecLoops(out);
            return;
        }
        boolean partwise = !real && (PARTWISE.contains(name) || Set.of("scal", "rot").contains(name) && isRealScalar());
        if (!(SUMS.contains(name) || ELEMENTWISE.contains(name)) || !real && !partwise) {
            return;
        }
        String loops = (type.real().equals("F64") ? "DShort." : "SShort.");
        String limit = switch (name) {
            case "rot" -> "ALL";
            case "iamax", "iamin" -> "INDICES";
            default -> ELEMENTWISE.contains(name) ? "ELEMENTS" : "SUMS";
        };
        List<String> asked = new ArrayList<>(List.of(loops + limit, "n"));
        List<String> values = new ArrayList<>(List.of(partwise ? "2 * n" : "n"));
        for (ClassicArgument argument : family.arguments()) {
            if (argument instanceof ClassicScalar scalar) {
                values.add(scalar.name());
            } else if (argument instanceof ClassicOperand operand) {
                String offset = operand.java() + OFFSET;
                asked.addAll(List.of(operand.java(), offset, operand.distance()));
                values.addAll(List.of(operand.java(), partwise ? "2 * " + offset : offset));
            }
        }
        out.call("        if (" + loops + "fits" + (partwise ? "Pairs" : "") + "(", asked, ")) {");
        if (name.equals("nrm2")) {
            out.call("            " + returned + " squares = " + loops + "squares(", values, ");");
            out.add("            if (" + loops + "holds(squares)) {",
                    "                return " + (returned.equals("float") ? "(float) " : "") + "Math.sqrt(squares);",
                    "            }");
        } else {
            out.call("            " + (returned.equals("void") ? "" : "return ") + loops + name + "(", values, ");");
            if (returned.equals("void")) {
                out.add("            return;");
            }
        }
        out.add("        }");
    }

    /** Sends a call on a matrix of few rows and columns to them. */
    private void matvecLoops(Source out) {
        String loops = (type.real().equals("F64") ? "DMatvec." : "SMatvec.");
        String name = family.view();
        List<String> asked = new ArrayList<>();
        List<String> values = new ArrayList<>();
        for (ClassicArgument argument : family.arguments()) {
            if (argument instanceof ClassicOperand operand) {
                List<String> place = List.of(operand.java(), operand.java() + OFFSET);
                asked.addAll(place);
                asked.addAll(operand.distances());
                values.addAll(place);
                values.addAll(operand.matrix() ? operand.distances() : List.of());
            } else {
                values.add(argument.name());
                if (!(argument instanceof ClassicScalar)) {
                    asked.add(argument.name());
                }
            }
        }
        out.call("        if (alpha != 0 && " + loops + "fits" + Character.toUpperCase(name.charAt(0))
                + name.substring(1) + "(", asked, ")) {");
        out.call("            " + loops + name + "(", values, ");");
        out.add("            return;", "        }");
    }

    private boolean isRealScalar() {
        return family.scalars().stream().allMatch(ClassicScalar::real);
    }

    /** Sends a small call to its kernel. */
    private void lane(Source out) {
        if (!ArrayLaneSource.has(family)) {
            return;
        }
        ArrayLaneSource.call(out, family, type, isInPlace());
        out.add("        if (small != null) {");
        switch (returned) {
            case "void" -> out.add("            small.leave();", "            return;");
            case "int" -> out.add("            return small.index();");
            case "Complex" -> out.add("            return small.complex(" + element(type.element()) + ");");
            default -> out.add("            return " + (returned.equals("float") ? "(float) " : "") + "small.real();");
        }
        out.add("        }");
    }

    private static boolean isOffset(String parameter) {
        return parameter.endsWith(OFFSET);
    }

    /** Writes both methods. */
    void write(Source out) {
        boolean offsets = parameters.keySet().stream().anyMatch(ArrayMethod::isOffset);
        out.add("");
        documentation(out, true);
        out.call(start(), List.copyOf(parameters.keySet()), ") {");
        if (lay == Lay.COLUMNS) {
            loops(out);
            lane(out);
        }
        out.add("        Frame f = Frame.begin(" + family.routine() + ", " + element(type.element()) + ");");
        if (statements.stream().flatMap(List::stream).anyMatch(s -> s.startsWith("g."))) {
            out.add("        Launch g = f.args;");
        }
        statements.forEach(lines -> lines.forEach(line -> out.add("        " + line)));
        if (lay != Lay.COLUMNS && Turns.of(family, type) != null) {
            out.add("        f.turn(Turn." + Turns.of(family, type) + ");");
        }
        if (lay == Lay.COLUMNS && TRIANGLES.contains(family.view())) {
            out.add("        f.triangle(uplo);");
        }
        if (isInPlace() && THROUGHOUT.contains(family.view())) {
            out.add("        f.inPlaceThroughout();");
        } else if (isInPlace()) {
            out.add("        f.inPlace(" + family.level().equals("1") + ", " + WRITTEN_TOO.contains(family.view())
                    + ");");
        }
        out.add("        " + executed, "    }");
        if (!offsets) {
            return;
        }
        out.add("");
        documentation(out, false);
        out.call(start(), parameters.keySet().stream().filter(p -> !isOffset(p)).toList(), ") {");
        List<String> values =
                parameters.keySet().stream().map(p -> isOffset(p) ? "0" : p.substring(p.indexOf(' ') + 1)).toList();
        out.call("        " + (returned.equals("void") ? "" : "return ") + family.name(type) + "(", values, ");");
        out.add("    }");
    }

    /** What is copied, and how. */
    private String copied() {
        boolean turned = Turns.of(family, type) != null;
        if (lay == Lay.ARRAYS) {
            return turned
                    ? "Rows are copied as they lie. The call is turned instead of the matrices."
                    : "Rows are copied, and the matrices are transposed on the way.";
        }
        return !turned ? "The matrices are copied, and transposed on the way."
                : isInPlace()
                        ? "The call is turned instead of the matrices. They stay in their arrays, as those of the call by columns do."
                : "The matrices are copied as they lie. The call is turned instead of them.";
    }

    private String start() {
        return "    public static " + returned + " " + family.name(type) + "(";
    }

    private void documentation(Source out, boolean offsets) {
        List<String> lines = new ArrayList<>();
        lines.add(family.text() + "; " + type.words()
                + (offsets ? "." : ", with operands that begin where their arrays do."));
        lines.add("");
        if (lay != Lay.COLUMNS) {
            lines.add("<p>" + copied());
            lines.add("");
        }
        parameters.forEach((parameter, text) -> {
            if (offsets || !isOffset(parameter)) {
                lines.add("@param " + parameter.substring(parameter.indexOf(' ') + 1) + " " + text);
            }
        });
        if (meaning != null) {
            lines.add("@return " + meaning);
        }
        lines.add("@throws BlasException if an argument is wrong or an array too short; nothing has then been touched");
        out.comment("    ", lines);
    }
}
