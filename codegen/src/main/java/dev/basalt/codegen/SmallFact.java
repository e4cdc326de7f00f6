package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the table says of a family's small lane.
 *
 * @param lane the name of its methods
 * @param kind what the device is asked for: VECTOR, MATVEC, BAND, PRODUCT, TRIANGLE, UPDATE, FACTOR, REFLECTOR, PACKED, SIDES, INDEFINITE, EIGEN or BAND_LU
 * @param steps calls of the leaf, one after the other
 * @param tier an expression for the name of the best tier, which is without workspace; or "known"
 * @param from the operand that is copied to the result first, or null
 * @param beside the operand in whose place the result may be, with its leading dimension, or null
 */
record SmallFact(String lane, String kind, List<Step> steps, String tier, String from, String beside) {
    /** In place of the tier's name: what the best tier is, and whether one kernel is all of it, only the long way knows. */
    private static final String KNOWN = "known";

    private static final Pattern SYNTAX = Pattern.compile("(\\w+) (.*\\)) (.*?)(?: (from|beside) (\\w+))?");

    /**
     * One call of the leaf.
     *
     * @param told whether what it returns is the problem's info; unless that is 0, no later step is taken
     * @param method of the leaf
     * @param arguments of the method
     */
    record Step(boolean told, String method, List<String> arguments) {
        private static final Pattern SYNTAX = Pattern.compile("(info=)?(\\w+(?:\\(\\)\\.\\w+)?)\\((.*)\\)");

        /** The leaf of solves, and what a launch of several problems calls in its place: it takes no vector apart. */
        Step ofSeveral() {
            return method.equals(LaneSource.SOLVE) ? new Step(told, "trsm", arguments) : this;
        }

        static Step of(String text) {
            Matcher m = SYNTAX.matcher(text);
            if (!m.matches()) {
                throw new IllegalArgumentException("not a step of a small lane: " + text);
            }
            return new Step(m.group(1) != null, m.group(2), List.of(m.group(3).split(", *", -1)));
        }
    }

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
        return new SmallFact(name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1), m.group(1),
                Arrays.stream(m.group(2).split("; *", -1)).map(Step::of).toList(), m.group(3),
                "from".equals(m.group(4)) ? m.group(5) : null, "beside".equals(m.group(4)) ? m.group(5) : null);
    }

    /** Whether a dimension or another name is an argument of some step. */
    private boolean names(String argument) {
        return steps.stream().anyMatch(step -> step.arguments().contains(argument));
    }

    /** Whether an argument lies in device memory beside a problem: pivots, factors, info. */
    static boolean isBeside(ClassicArgument argument) {
        return argument instanceof ClassicPivots || argument instanceof ClassicOutcome outcome && !outcome.isResult();
    }

    /** The operand in whose place the result may be. */
    ClassicOperand besideOf(ClassicFamily family) {
        return family.operands().stream().filter(operand -> operand.name().equals(beside)).findFirst().orElseThrow();
    }

    /** Whether it takes only calls like one that the handle has made the long way, with one kernel. */
    boolean known() {
        return tier.equals(KNOWN);
    }

    /** Whether the device is asked with the diagonals of a band. */
    boolean banded() {
        return kind.equals("BAND");
    }

    /** How the handle is entered: an expression for the kernels. */
    String enter(ClassicFamily family) {
        String asked = "(Small." + kind + ", ";
        return known()
                ? "h.enterKnown" + asked + family.routine() + ", type, KnownCalls.options("
                        + option(family, "Side", "LEFT") + ", " + option(family, "Op", "NONE") + ")" + vectors(family)
                        + ", " + extents(family) + ")"
                : "h.enterSmall" + asked + "type, " + extents(family) + ")";
    }

    /** The same for vectors, with the kernels that a view knows. */
    String enterShort(ClassicFamily family, String view) {
        return "h.enterShort(" + view + ".kernels, type, " + extents(family) + ")";
    }

    /** What the options of vectors add to those of a call. */
    private static String vectors(ClassicFamily family) {
        List<String> names = family.of(ClassicOption.class)
                .stream()
                .filter(option -> option.type().equals("Evect") || option.type().equals("Svect"))
                .map(ClassicOption::name)
                .toList();
        return names.isEmpty() ? "" : " + KnownCalls.vectors(" + String.join(", ", names) + ")";
    }

    private static String option(ClassicFamily family, String type, String otherwise) {
        return family.of(ClassicOption.class)
                .stream()
                .filter(option -> option.type().equals(type))
                .map(ClassicOption::name)
                .findFirst()
                .orElse(type + "." + otherwise);
    }

    /** The dimensions that the device is asked with. */
    String extents(ClassicFamily family) {
        return switch (kind) {
            case "REFLECTOR" -> names("k") ? "m, n, k" : names("m") ? "m, n, 0" : "0, n, 0";
            case "VECTOR" -> names("n") ? "1, n, 1" : "1, 1, 1";
            case "MATVEC" ->
                names("m") ? "m, n, 1" : names("nrhs") ? "n, nrhs, 1" : matrix(family) ? "n, n, 1" : "n, 1, 1";
            case "BAND" -> names("m") ? "m, n, kl + ku + 1" : "n, n, k + 1";
            case "PRODUCT" -> "m, n, k";
            case "TRIANGLE" ->
                names("nrhs") ? "n, nrhs, n" : names("m") ? "m, n, side == Side.LEFT ? m : n" : "n, n, n";
            case "UPDATE" -> "n, n, k";
            case "FACTOR" -> names("m") ? "m, n, Math.min(m, n)" : "n, n, n";
            case "PACKED", "SIDES", "INDEFINITE", "EIGEN" -> names("nrhs") ? "0, n, nrhs" : "0, n, 0";
            case "BAND_LU" -> names("nrhs") ? "n, nrhs, kl" : "m, n, kl";
            default -> throw new IllegalArgumentException("no lane is called " + kind);
        };
    }

    private static boolean matrix(ClassicFamily family) {
        return family.operands().stream().anyMatch(ClassicOperand::matrix);
    }

    /** What the lane returns. */
    String result(ClassicFamily family) {
        if (!family.isReduction()) {
            return "Status";
        }
        String kind = family.result().kind();
        boolean real = kind.equals("real") || steps.get(0).method().equals("dotReal");
        return kind.equals("index") ? "long" : real ? "double" : "Complex";
    }

    /** Writes the calls of kernels and what follows them. */
    void call(Source out, ClassicFamily family) {
        String result = result(family);
        String indent = "            ";
        if (result.equals("Complex")) {
            out.add(indent + "long result = h.call.staging();");
        }
        if (names("work")) {
            out.add(indent + "long workBytes = h.knownBytes();", indent + "long work = h.knownWork();");
        }
        if (from != null) {
            out.add(indent + "if (b != c) {", indent + "    kernels.copyMatrix(m, n, b, ldb, c, ldc);", indent + "}");
        }
        if (result.equals("double") || result.equals("long")) {
            step(out, family, steps.get(0), indent + result + " value = kernels.", ");");
        } else {
            steps(out, indent, "kernels.", "Memory.i32(info, (int) failed);", step -> values(family, step));
        }
        out.add(indent + (known() ? "h.ranKnown(routine);" : "h.ranDirect(routine, " + tier + ");"));
        out.add(indent + switch (result) {
            case "Status" -> "return Status.SUCCESS;";
            case "double" -> "return SmallCall.rounded(type, value);";
            case "long" -> "return value;";
            default -> "return SmallCall.complex(type, result);";
        });
    }

    /** Writes the calls of kernels on operands that a {@code Stage} has brought to their places. */
    void callOnArrays(Source out, ClassicFamily family) {
        String result = result(family);
        String indent = "            ";
        if (result.equals("Complex")) {
            out.add(indent + "long result = stage.result();");
        }
        if (from != null) {
            out.add(indent + "stage.kernels.copyMatrix(m, n, b, ldb, c, ldc);");
        }
        if (result.equals("double") || result.equals("long")) {
            String kept = result.equals("double") ? "real" : "index";
            step(out, family, steps.get(0), indent + "stage." + kept + "(stage.kernels.", "));");
        } else {
            steps(out, indent, "stage.kernels.", "stage.index(failed);", step -> values(family, step));
        }
    }

    /** Writes the calls of kernels on problem i of a few, which are views. */
    void callOne(Source out, ClassicFamily family, String indent) {
        new SmallFact(lane, kind, steps.stream().map(Step::ofSeveral).toList(), tier, from, beside).steps(out, indent,
                "kernels.", "Memory.i32(SmallCall.told(info, i), (int) failed);",
                step -> step.arguments().stream().flatMap(argument -> ofOne(family, argument)).toList());
    }

    private static Stream<String> ofOne(ClassicFamily family, String argument) {
        ClassicArgument of =
                family.arguments().stream().filter(a -> a.name().equals(argument)).findFirst().orElse(null);
        return switch (of) {
            case ClassicOperand operand -> Stream.of(operand.java() + ".at(i)", operand.java() + ".ld");
            case ClassicScalar scalar -> Stream.of(scalar.name(), scalar.name() + "Im");
            case ClassicPivots pivots -> Stream.of(pivots.name() + ".at(i)");
            case null, default -> Stream.of(argument);
        };
    }

    /** Writes all steps; {@code told} is what is done with {@code failed}, the info of the problem. */
    private void steps(Source out, String indent, String kernels, String told, Function<Step, List<String>> arguments) {
        String inner = indent;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (!step.told()) {
                out.call(inner + kernels + step.method() + "(", arguments.apply(step), ");");
                continue;
            }
            if (!inner.equals(indent)) {
                throw new IllegalArgumentException("two steps tell the info of " + lane);
            }
            out.call(indent + "long failed = " + kernels + step.method() + "(", arguments.apply(step), ");");
            out.add(indent + told);
            if (i + 1 < steps.size()) {
                out.add(indent + "if (failed == 0) {");
                inner = indent + "    ";
            }
        }
        if (!inner.equals(indent)) {
            out.add(indent + "}");
        }
    }

    private static void step(Source out, ClassicFamily family, Step step, String start, String end) {
        out.call(start + step.method() + "(", values(family, step), end);
    }

    /** What the leaf takes of operands at their addresses. */
    static List<String> values(ClassicFamily family, Step step) {
        List<String> values = new ArrayList<>();
        for (String argument : step.arguments()) {
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
