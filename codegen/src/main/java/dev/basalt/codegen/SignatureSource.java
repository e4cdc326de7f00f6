package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The rules of each family's arguments, from the table of routines: a class each, and one that lists them all. */
final class SignatureSource implements Generator {
    private static final String PACKAGE = "dev/basalt/internal/signature/";
    private static final int OPERANDS = 13;

    @Override
    public void generate(Path sources, Output output) throws IOException {
        List<ClassicFamily> families = RoutineTable.read().stream().filter(family -> family.has("signature")).toList();
        for (ClassicFamily family : families) {
            output.write(PACKAGE + name(family) + ".java", RoutineTable.NAME, source(family));
        }
        output.write(PACKAGE + "Signatures.java", RoutineTable.NAME, all(families));
    }

    private static String name(ClassicFamily family) {
        return family.signature() + "Signature";
    }

    /** The list of all, which loads all: for tests and commands, not for calls. */
    private static List<String> all(List<ClassicFamily> families) {
        Source out = new Source();
        out.add("package dev.basalt.internal.signature;", "", "import dev.basalt.internal.call.Routine;");
        TreeSet<String> imports = new TreeSet<>();
        families.forEach(family -> imports.add("dev.basalt.internal." + family.room() + "." + family.routineClass()));
        imports.forEach(name -> out.add("import " + name + ";"));
        out.add("import java.util.List;", "");
        out.comment("", List.of("Every routine there is, in the order of the table."));
        out.add("public final class Signatures {", "    private Signatures() {}", "");
        out.comment("    ",
                List.of("The routines of BLAS and LAPACK.", "", "@return all of them, each with its signature"));
        out.add("    public static List<Routine> all() {");
        List<String> names = families.stream().map(ClassicFamily::routine).toList();
        out.call("        return List.of(", names, ");");
        out.add("    }", "}");
        return out.lines();
    }

    private static List<String> source(ClassicFamily family) {
        Source out = new Source();
        out.add("package dev.basalt.internal.signature;", "", "import dev.basalt.internal.call.Argument;",
                "import dev.basalt.internal.call.Call;", "import dev.basalt.internal.call.Signature;",
                "import dev.basalt.internal.call.Typing;", "import dev.basalt.spi.Semiring;",
                "import dev.basalt.type.Balance;", "import dev.basalt.type.ElementType;",
                "import dev.basalt.type.Diag;", "import dev.basalt.type.Direct;", "import dev.basalt.type.Eform;",
                "import dev.basalt.type.Eorder;", "import dev.basalt.type.Erange;", "import dev.basalt.type.Evect;",
                "import dev.basalt.type.Fact;", "import dev.basalt.type.Norm;", "import dev.basalt.type.Op;",
                "import dev.basalt.type.Region;", "import dev.basalt.type.Schur;", "import dev.basalt.type.Selection;",
                "import dev.basalt.type.Sense;", "import dev.basalt.type.Side;", "import dev.basalt.type.Sign;",
                "import dev.basalt.type.Storev;", "import dev.basalt.type.Svect;", "import dev.basalt.type.Uplo;",
                "import java.util.List;", "");
        out.comment("", List.of(family.view() + ": " + family.text() + "."));
        out.add("public final class " + name(family) + " extends Signature {");
        out.comment("    ", List.of("The rules, without state."));
        constructor(out, family);
        names(out, family);
        options(out, family);
        sizes(out, family);
        quick(out, family);
        reads(out, family);
        types(out, family);
        scalars(out, family);
        shape(out, family);
        arguments(out, family);
        out.add("}");
        return out.lines();
    }

    private static void method(Source out, String declaration, List<String> body) {
        out.add("", "    @Override", "    " + declaration + " {");
        body.forEach(line -> out.add("        " + line));
        out.add("    }");
    }

    // ---- names and positions

    private static void constructor(Source out, ClassicFamily family) {
        String[] names = new String[OPERANDS];
        int[] positions = new int[OPERANDS];
        int written = 0;
        int position = 1;
        for (ClassicArgument argument : family.arguments()) {
            for (int slot : slots(argument)) {
                names[slot] = argument.name();
                positions[slot] = position;
                written |= writes(argument) ? 1 << slot : 0;
            }
            position += width(argument);
        }
        StringBuilder operands = new StringBuilder();
        StringBuilder at = new StringBuilder();
        for (int i = 0; i < OPERANDS; i++) {
            operands.append(i == 0 ? "" : " ").append(names[i] == null ? "-" : names[i]);
            at.append(", ").append(positions[i]);
        }
        out.add("    public " + name(family) + "() {");
        out.add("        super(\"" + family.level() + "\", \"" + family.view() + "\", \"" + operands + "\", 0b"
                + Integer.toBinaryString(written) + at + ");");
        out.add("    }");
    }

    private static List<Integer> slots(ClassicArgument argument) {
        return switch (argument) {
            case ClassicOperand operand -> operand.slotNumbers();
            case ClassicPivots pivots -> List.of(pivots.slot());
            case ClassicOutcome outcome -> List.of(outcome.slot());
            default -> List.of();
        };
    }

    private static boolean writes(ClassicArgument argument) {
        return switch (argument) {
            case ClassicOperand operand -> operand.written();
            case ClassicPivots pivots -> pivots.written();
            default -> true;
        };
    }

    /** How many arguments of BLAS it is: an array has its leading dimension or increment behind it. */
    private static int width(ClassicArgument argument) {
        return argument instanceof ClassicOperand operand ? 1 + operand.distances().size() : 1;
    }

    private static int position(ClassicFamily family, ClassicArgument of) {
        int position = 1;
        for (ClassicArgument argument : family.arguments()) {
            if (argument.equals(of)) {
                return position;
            }
            position += width(argument);
        }
        throw new IllegalArgumentException(of + " is no argument of " + family.name());
    }

    private static void names(Source out, ClassicFamily family) {
        List<String> cases = new ArrayList<>();
        cases.add("return switch (type) {");
        for (ClassicType type : family.types()) {
            if (type.written().equals(type.element())) {
                cases.add("    case " + type.element() + " -> \"" + family.name(type) + "\";");
            }
        }
        String as = family.fact("as");
        if (as != null) {
            String[] words = as.split(" ", 2);
            List<String> elements = words[0].equals("real") ? List.of("s F32", "d F64") : List.of("c C32", "z C64");
            for (String element : elements) {
                cases.add("    case " + element.substring(2) + " -> \"" + words[1].replace("?", element.substring(0, 1))
                        + "\";");
            }
        }
        cases.add("    default -> "
                + (family.isMixed() ? "\"" + family.mixedName() + "\";" : "type.letter() + family();"));
        cases.add("};");
        method(out, "public String name(ElementType type)", cases);
    }

    // ---- rules

    private static void options(Source out, ClassicFamily family) {
        List<String> body = new ArrayList<>();
        String only = family.fact("only");
        if (only != null) {
            String[] words = only.split(" ", 2);
            body.add(words[0].equals("double")
                    ? "onlyDouble(c, \"" + words[1] + "\");"
                    : "only(c, " + words[0].equals("complex") + ", \"" + words[1] + "\");");
        }
        for (ClassicOption option : family.of(ClassicOption.class)) {
            body.add("c.option(c.args." + option.field() + ", \"" + option.name() + "\", " + position(family, option)
                    + ");");
        }
        if (family.fact("trans") != null) {
            ClassicOption trans = family.of(ClassicOption.class)
                    .stream()
                    .filter(option -> option.type().equals("Op"))
                    .findFirst()
                    .orElseThrow();
            body.add("forbidden(c, c.args." + trans.field() + ", Op." + family.fact("trans") + ", \"" + trans.name()
                    + "\", " + position(family, trans) + ");");
        }
        String norms = family.fact("norm");
        if (norms != null) {
            body.add("taken(c, c.args.norm, \"norm\", " + position(family, new ClassicOption("norm")) + ");");
            takes(out, "Norm", norms);
        }
        String vectors = family.fact("evect");
        if (vectors != null) {
            for (ClassicOption option : family.of(ClassicOption.class)) {
                if (option.type().equals("Evect")) {
                    body.add("taken(c, c.args." + option.field() + ", \"" + option.name() + "\", "
                            + position(family, option) + ");");
                }
            }
            takes(out, "Evect", vectors);
        }
        String singular = family.fact("svect");
        if (singular != null) {
            for (ClassicOption option : family.of(ClassicOption.class)) {
                if (option.type().equals("Svect")) {
                    body.add("taken(c, c.args." + option.field() + ", \"" + option.name() + "\", "
                            + position(family, option) + ");");
                }
            }
            takes(out, "Svect", singular);
        }
        if (!body.isEmpty()) {
            method(out, "public void options(Call c)", body);
        }
        if (family.fact("trans") != null) {
            method(out, "public Op forbidden()", List.of("return Op." + family.fact("trans") + ";"));
        }
    }

    /** The constants of an option that a family takes, if not all. */
    private static void takes(Source out, String option, String constants) {
        method(out, "public boolean takes(Enum<?> option)", List.of("return !(option instanceof " + option + ") || "
                + "List.of(" + option + "." + constants.replace(" ", ", " + option + ".") + ").contains(option);"));
    }

    private static void sizes(Source out, ClassicFamily family) {
        List<String> body = new ArrayList<>();
        if (family.level().equals("1")) {
            body.add("c.args.count = Math.max(0, c.args.count);");
            method(out, "public void sizes(Call c)", body);
            return;
        }
        dimensions(body, family);
        for (ClassicDimension dimension : family.of(ClassicDimension.class)) {
            int position = position(family, dimension);
            body.add("c.size(" + dimension.name() + " >= 0, \"" + dimension.name() + "\", " + position + ", \""
                    + dimension.name() + " >= 0\", " + dimension.name() + ");");
        }
        where(body, family);
        for (ClassicOperand operand : family.operands()) {
            if (operand.matrix() && !operand.packed()) {
                leading(body, family, operand);
            }
        }
        if (family.level().equals("2") || family.level().equals("L")) {
            for (ClassicOperand operand : family.operands()) {
                if (!operand.matrix() && !operand.fixed()) {
                    body.add("c.size(c.args." + operand.field() + ".ld != 0, \"" + operand.distance() + "\", "
                            + (position(family, operand) + 1) + ", \"" + operand.distance() + " != 0\", 0);");
                }
            }
        }
        method(out, "public void sizes(Call c)", body);
        if (family.fact("where") != null) {
            String rules = family.fact("where").replace(" ", "\", \"");
            method(out, "public List<String> bounds()", List.of("return List.of(\"" + rules + "\");"));
        }
    }

    /** The dimensions and the options that shapes depend on, under their names. */
    private static void dimensions(List<String> body, ClassicFamily family) {
        for (ClassicDimension dimension : family.of(ClassicDimension.class)) {
            String value = dimension.inOperand() ? dimension.value(family, "c.args.") : "c.args." + dimension.field();
            body.add("long " + dimension.name() + " = " + value + ";");
        }
        for (ClassicOption option : family.of(ClassicOption.class)) {
            boolean used = family.operands()
                    .stream()
                    .anyMatch(operand -> option.name().equals(operand.option()) && operand.matrix() && !operand.square()
                            || option.name().equals("side") && operand.sided() || operand.vectorsOf(option.name()));
            if (used) {
                body.add(option.type() + " " + option.name() + " = c.args." + option.field() + ";");
            }
        }
    }

    /** The dimensions that others bound. */
    private static void where(List<String> body, ClassicFamily family) {
        String fact = family.fact("where");
        for (String rule : fact == null ? new String[0] : fact.split(" ", -1)) {
            String[] sides = rule.split("<=", 2);
            boolean order = sides[1].startsWith("order");
            String behind = order ? sides[1].substring("order".length()) : "";
            ClassicDimension dimension = family.of(ClassicDimension.class)
                    .stream()
                    .filter(d -> d.name().equals(sides[0]))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(family.name() + " has no dimension " + sides[0]));
            body.add("c.size(" + sides[0] + " <= "
                    + (order ? "(side == Side.LEFT ? m : n)" + behind : Expression.java(sides[1])) + ", \"" + sides[0]
                    + "\", " + position(family, dimension) + ", \"" + sides[0] + " <= "
                    + (order ? "the order of Q" + Expression.words(behind) : Expression.words(sides[1])) + "\", "
                    + sides[0] + ");");
        }
    }

    private static void leading(List<String> body, ClassicFamily family, ClassicOperand operand) {
        String ld = operand.distance();
        String least = operand.band() ? operand.leastRows() : operand.rows();
        String text = (operand.band() ? operand.leastLeading(family) : operand.rows()).replace("Math.", "");
        if (family.level().equals("2") && !operand.band()) {
            least = "Math.max(1, " + least + ")";
            text = "max(1, " + text + ")";
        } else if (operand.first().equals("order") || operand.first().equals("over")) {
            text = (operand.square() ? "order of " : "rows of ") + operand.name();
        } else if (operand.option() != null || operand.vectorsOf("leftSvect") || operand.vectorsOf("rightSvect")
                || operand.vectorsOf("leftEvect") || operand.vectorsOf("rightEvect")) {
            text = "rows of " + operand.name();
        }
        String field = "c.args." + operand.field();
        String holds =
                operand.band() && !operand.halfBand() ? field + ".holdsBand()" : field + ".ld >= (" + least + ")";
        body.add("c.size(" + holds + ", \"" + ld + "\", " + (position(family, operand) + 1) + ", \"" + ld + " >= "
                + text + "\", " + field + ".ld);");
    }

    private static void quick(Source out, ClassicFamily family) {
        List<String> conditions = new ArrayList<>();
        String fact = family.fact("quick");
        for (ClassicDimension dimension : family.of(ClassicDimension.class)) {
            boolean counts = fact == null
                    ? List.of("m", "n", "nrhs").contains(dimension.name())
                    : List.of(fact.split(" ", -1)).contains(dimension.name());
            if (counts) {
                String sign = family.level().equals("1") ? " <= 0" : " == 0";
                conditions.add("c.args." + dimension.field() + sign);
            }
        }
        if (family.walksForward()) {
            conditions.add("c.args." + family.operands().get(0).field() + ".ld <= 0");
        }
        String condition = conditions.isEmpty() ? "false" : String.join(" || ", conditions);
        method(out, "public boolean quick(Call c)", List.of("return " + condition + ";"));
    }

    // ---- what is read

    private static void reads(Source out, ClassicFamily family) {
        boolean alpha = family.has(ClassicScalar.class, "alpha");
        boolean beta = family.has(ClassicScalar.class, "beta");
        String inner = family.dimensions().stream().filter(family::isInner).findFirst().orElse(null);
        String nothing = nothing(family, alpha, beta, inner);
        if (nothing != null) {
            method(out, "public boolean nothingToDo(Call c)", List.of("return " + nothing + ";"));
        }
        List<String> body = new ArrayList<>();
        int unread = 0;
        for (ClassicOperand operand : family.operands()) {
            for (int slot : operand.slotNumbers()) {
                unread |= operand.written() ? 0 : 1 << slot;
            }
        }
        String fact = family.fact("unread");
        if (fact != null) {
            for (String rule : fact.split("; *", -1)) {
                body.add("if (" + zero(rule.substring(0, rule.indexOf('='))) + " && (0b"
                        + Integer.toBinaryString(mask(family, rule.substring(rule.indexOf(':') + 1)))
                        + " & 1 << operand) != 0) {");
                body.add("    return false;");
                body.add("}");
            }
        } else if (alpha && unread != 0) {
            body.add("if ((" + zero("alpha") + (inner == null ? "" : " || " + zero(inner)) + ") && (0b"
                    + Integer.toBinaryString(unread) + " & 1 << operand) != 0) {");
            body.add("    return false;");
            body.add("}");
        }
        if (!body.isEmpty()) {
            body.add("return super.uses(c, operand);");
            method(out, "public boolean uses(Call c, int operand)", body);
        }
    }

    private static String nothing(ClassicFamily family, boolean alpha, boolean beta, String inner) {
        String fact = family.fact("none");
        if (fact != null) {
            return fact.equals("never") ? null : "c.args.alpha.is(" + fact.substring(fact.indexOf('=') + 1) + ")";
        }
        if (alpha && beta) {
            String zero = zero("alpha");
            return "c.args.beta.is(1) && " + (inner == null ? zero : "(" + zero(inner) + " || " + zero + ")");
        }
        return alpha && (family.level().equals("1") || family.level().equals("2")) ? zero("alpha") : null;
    }

    private static String zero(String what) {
        return switch (what.strip()) {
            case "alpha" -> "c.args.alpha.is(0)";
            case "beta" -> "c.args.beta.is(0)";
            case "evect" -> "c.args.evect == Evect.NONE";
            case "nrhs", "k", ClassicDimension.INVERSES -> "c.args.k == 0";
            default -> throw new IllegalArgumentException("what is 0 if " + what + "?");
        };
    }

    private static int mask(ClassicFamily family, String names) {
        int mask = 0;
        for (String name : names.strip().split(" ", -1)) {
            ClassicArgument argument = family.arguments()
                    .stream()
                    .filter(a -> a.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(family.name() + " has no operand " + name));
            if (argument instanceof ClassicPivots pivots) {
                mask |= 1 << pivots.slot();
            } else if (argument instanceof ClassicOperand operand) {
                for (int slot : operand.slotNumbers()) {
                    mask |= 1 << slot;
                }
            }
        }
        return mask;
    }

    // ---- types, scalars, shape

    private static void types(Source out, ClassicFamily family) {
        List<String> cases = new ArrayList<>();
        for (ClassicArgument argument : family.arguments()) {
            if (argument instanceof ClassicPivots pivots && !pivots.element().equals("type")) {
                cases.add("    case " + pivots.slot() + " -> " + pivots.element() + ";");
            } else if (argument instanceof ClassicOutcome outcome) {
                String type = !outcome.isResult() ? "ElementType.I32" : switch (outcome.kind()) {
                    case "index" -> "ElementType.I64";
                    case "real" -> "type.real()";
                    default -> "type";
                };
                cases.add("    case " + outcome.slot() + " -> " + type + ";");
            } else if (argument instanceof ClassicOperand operand && operand.real()) {
                cases.add("    case " + operand.slot() + " -> type.real();");
            }
        }
        if (!cases.isEmpty()) {
            cases.add(0, "return switch (operand) {");
            cases.add("    default -> type;");
            cases.add("};");
            method(out, "public ElementType operandType(int operand, ElementType type)", cases);
        }
    }

    private static void scalars(Source out, ClassicFamily family) {
        List<String> names = new ArrayList<>();
        for (ClassicScalar scalar : family.scalars()) {
            // Of a complex number in device memory other real scalars take the real part.
            if (scalar.real() && scalar.name().equals("c")) {
                method(out, "public boolean alphaMayBeComplex()", List.of("return false;"));
            }
            if (!scalar.slot().equals(scalar.name())) {
                names.add("if (scalar.equals(\"" + scalar.slot() + "\")) {");
                names.add("    return \"" + scalar.name() + "\";");
                names.add("}");
            }
        }
        if (!names.isEmpty()) {
            names.add("return scalar;");
            method(out, "public String scalarName(String scalar)", names);
        }
    }

    private static void shape(Source out, ClassicFamily family) {
        List<String> parts = new ArrayList<>();
        List<String> body = new ArrayList<>();
        dimensions(body, family);
        body.removeIf(line -> !line.startsWith("long "));
        for (ClassicDimension dimension : family.of(ClassicDimension.class)) {
            parts.add((parts.isEmpty() ? "\"" : "\" ") + dimension.shown() + "=\" + " + dimension.name());
        }
        body.add("return " + (parts.isEmpty() ? "\"\"" : String.join(" + ", parts)) + ";");
        method(out, "public String dimensions(Call c)", body);
    }

    private static void arguments(Source out, ClassicFamily family) {
        List<String> list = new ArrayList<>();
        for (ClassicArgument argument : family.arguments()) {
            list.add(switch (argument) {
                case ClassicDimension dimension -> "new Argument.Dimension(\"" + dimension.name() + "\", "
                        + new Shapes(family).tells(dimension.name()) + ")";
                case ClassicOption option ->
                    "new Argument.Choice(\"" + option.name() + "\", " + option.type() + ".class)";
                case ClassicScalar scalar ->
                    "new Argument.Scalar(\"" + scalar.name() + "\", \"" + scalar.slot() + "\", " + scalar.real() + ")";
                case ClassicPivots pivots -> "new Argument.Pivots(\"" + pivots.name() + "\", " + pivots.slot() + ", "
                        + pivots.written() + ", \"" + pivots.size() + "\")";
                case ClassicOutcome outcome -> "new Argument.Outcome(\"" + outcome.name() + "\", " + outcome.slot()
                        + ", \"" + outcome.kind() + "\")";
                case ClassicOperand o -> "new Argument.Array(" + String.join(", ", quoted(o.name()), quoted(o.slots()),
                        "" + o.written(), quoted(o.first()), quoted(o.second()), quoted(o.below()), quoted(o.above()),
                        "" + o.packed(), quoted(o.option()), "" + o.contiguous()) + ")";
            });
        }
        out.add("", "    @Override", "    public List<Argument> arguments() {");
        out.call("        return List.of(", list, ");");
        out.add("    }");
        List<String> types = family.types()
                .stream()
                .filter(type -> !type.narrow())
                .map(type -> "ElementType." + type.element())
                .distinct()
                .toList();
        out.add("", "    @Override", "    public List<ElementType> types() {");
        out.call("        return List.of(", types, ");");
        out.add("    }");
        List<ClassicTypings> typings = ClassicTypings.of(family);
        if (!typings.isEmpty()) {
            mixed(out, family, typings);
        }
    }

    private static void mixed(Source out, ClassicFamily family, List<ClassicTypings> typings) {
        method(out, "public List<Typing> mixed()", List.of("return Mixed.ALL;"));
        out.add("");
        out.comment("    ", List.of("Made when they are first asked for."));
        List<String> all = typings.stream()
                .map(t -> "Typing.of(\"" + t.name() + "\", ElementType." + t.type(family) + ", "
                        + (t.compute() == null ? "null" : "ElementType." + t.compute()) + ", \"" + t.slots(family)
                        + "\")")
                .toList();
        out.add("    private static final class Mixed {");
        out.call("        private static final List<Typing> ALL = List.of(", all, ");");
        out.add("    }");
    }

    private static String quoted(String text) {
        return text == null ? "null" : "\"" + text + "\"";
    }
}
