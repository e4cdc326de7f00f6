package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.LongBinaryOperator;

/**
 * A call of a family on views, as Java that compiles: its operands in device memory, small and filled, and the call. The names {@code handle} and {@code arena} stand for
 * what a program has.
 */
final class Example {
    /** What a matrix of an example has on its diagonal, and beside it: it is positive definite, and the factor of another such one. */
    private static final long DIAGONAL = 4;

    /** The largest sum of a column of such a matrix. */
    private static final long NORM = DIAGONAL + 2;

    /** What only leaves the call. */
    private static final Set<String> RESULTS =
            Set.of("Z", "VL", "VR", "VS", "VSL", "VSR", "X", "R", "W", "Y", "invA", "AB", "tauq", "taup");

    /** Vectors that are no part of a problem: an earlier call makes them, where there is one. */
    private static final Set<String> MADE = Set.of("tau", "r", "c", "s", "du2");

    private final ClassicFamily family;
    private final ExampleSizes sizes;
    private final Shapes shapes;
    private final String type;
    private final Set<String> named = new LinkedHashSet<>();
    private final List<String> declared = new ArrayList<>();
    private final List<String> filled = new ArrayList<>();
    private final List<String> written = new ArrayList<>();

    Example(ClassicFamily family) {
        this.family = family;
        this.sizes = new ExampleSizes(family);
        this.shapes = new Shapes(family);
        this.type = family.types().stream().map(ClassicType::element).anyMatch("F64"::equals) ? "F64" : "C64";
    }

    /** The views that the call overwrites. */
    List<String> written() {
        lines();
        return List.copyOf(written);
    }

    /** Its lines. */
    List<String> lines() {
        named.clear();
        declared.clear();
        filled.clear();
        written.clear();
        List<String> call = new ArrayList<>(List.of("handle"));
        for (ClassicArgument argument : family.arguments()) {
            switch (argument) {
                case ClassicDimension dimension -> {
                    if (!shapes.tells(dimension.name())) {
                        call.add(size(dimension.name()));
                    }
                }
                case ClassicOption option -> call.add(option.type() + "." + constant(option));
                case ClassicScalar scalar -> call.add(scalar(scalar));
                case ClassicOperand operand -> {
                    operand(operand);
                    call.add(operand.java());
                }
                case ClassicPivots pivots -> {
                    pivots(pivots);
                    call.add(pivots.name());
                }
                case ClassicOutcome outcome -> {
                    if (!outcome.isResult()) {
                        declare("VectorView", outcome.name(), "arena.vector(ElementType.I32, 1)");
                        written.add(outcome.name());
                        call.add(outcome.name());
                    }
                }
            }
        }
        List<String> before = before();
        List<String> lines = new ArrayList<>();
        if (!named.isEmpty()) {
            StringJoiner names = new StringJoiner(", ", "long ", ";");
            named.forEach(name -> names.add(name + " = " + sizes.of(name)));
            lines.add(names.toString());
        }
        lines.addAll(declared);
        lines.addAll(filled);
        lines.addAll(before);
        String level = family.level().equals("L") ? "Lapack" : "Blas";
        lines.add((family.isReduction() ? "var result = " : "") + level + "." + family.view() + "("
                + String.join(", ", call) + ");");
        return lines;
    }

    /** The calls that make factors and reflectors from what is filled in. */
    private List<String> before() {
        List<String> calls = new ArrayList<>();
        for (String call : family.fact("after") == null ? new String[0] : family.fact("after").split("; ", -1)) {
            calls.add("Lapack." + call + ";");
            if (isMade("info") && family.of(ClassicOutcome.class).isEmpty() && calls.size() == 1) {
                declare("VectorView", "info", "arena.vector(ElementType.I32, 1)");
                written.add("info");
            }
            family.dimensions().stream().filter(name -> call.matches(".*\\b" + name + "\\b.*")).forEach(named::add);
        }
        return calls;
    }

    /** Whether a call before it has an operand, which it makes if that is none of the problem's own. */
    private boolean isMade(String name) {
        return family.fact("after") != null && family.fact("after").matches(".*[ (]" + name + "[,)].*");
    }

    private void declare(String view, String name, String value) {
        declared.add(view + " " + name + " = " + value + ";");
    }

    private void fill(String view, List<Long> numbers, String element) {
        StringJoiner values = new StringJoiner(", ", "{", "}");
        for (long number : numbers) {
            values.add(Long.toString(number));
            if (element.equals("C64")) {
                values.add("0");
            }
        }
        filled.add(view + ".upload(new " + (element.equals("I64") ? "long" : "double") + "[] " + values + ");");
    }

    /** A size as the example writes it: the name of a dimension, or a number. */
    private String size(String expression) {
        if (family.dimensions().contains(expression) && !expression.equals(ClassicDimension.INVERSES)) {
            named.add(expression);
            return expression;
        }
        return Long.toString(sizes.of(expression));
    }

    // ---- operands

    private void operand(ClassicOperand operand) {
        String element = operand.real() ? "F64" : type;
        String typed = "ElementType." + element;
        String name = operand.java();
        if (operand.written()) {
            written.add(operand.packed() || operand.band() ? name + ".storage()" : name);
        }
        if (operand.packed()) {
            declare("PackedView", name, "arena.packed(" + typed + ", " + size(operand.first()) + ")");
            long n = sizes.of(operand.first());
            List<Long> numbers = new ArrayList<>();
            for (long j = 0; j < n; j++) {
                numbers.addAll(matrix(n - j, 1, Example::entry));
            }
            fill(name + ".storage()", numbers, element);
        } else if (operand.band()) {
            band(operand, typed, element);
        } else if (operand.matrix()) {
            long rows = sizes.of(operand.first());
            long cols = sizes.of(operand.second());
            declare("MatrixView", name,
                    "arena.matrix(" + typed + ", " + size(operand.first()) + ", " + size(operand.second()) + ")");
            if (isInput(operand)) {
                fill(name, matrix(rows, cols, entries(operand)), element);
            }
        } else {
            long n = sizes.of(operand.first());
            declare("VectorView", name, "arena.vector(" + typed + ", " + size(operand.first()) + ")");
            if (operand.first().equals(ClassicDimension.INVERSES)) {
                return;
            }
            if (isInput(operand) && !(MADE.contains(name) && isMade(name))) {
                fill(name, vector(name, n), element);
            }
        }
    }

    private void band(ClassicOperand operand, String typed, String element) {
        String name = operand.java();
        // A symmetric band has its diagonals below the main one: LOWER.
        long below = sizes.of(operand.below());
        long above = operand.halfBand() ? 0 : sizes.of(operand.above());
        declare("BandView", name, "arena.band(" + typed + ", " + size(operand.first()) + ", " + size(operand.second())
                + ", " + size(operand.below()) + ", " + (operand.halfBand() ? "0" : size(operand.above())) + ")");
        if (isInput(operand)) {
            fill(name + ".storage()", matrix(below + above + 1, sizes.of(operand.second()), (i, j) -> entry(i, above)),
                    element);
        }
    }

    /** Whether it is read at all. */
    private boolean isInput(ClassicOperand operand) {
        if (operand.name().equals("AF") && isMade("af")) {
            return false;
        }
        if (operand.written() && operand.real() && reduces() || operand.written() && operand.name().equals("s")) {
            return false;
        }
        boolean vectors = operand.name().matches("U|VT|T") && !operand.hasSide("ncvt") && !operand.hasSide("nru");
        return !operand.written() || !vectors && !RESULTS.contains(operand.name());
    }

    /** Whether a matrix is given, so that diagonals and values are results. */
    private boolean reduces() {
        return family.operands().stream().anyMatch(operand -> operand.name().equals("A"));
    }

    /** The elements of a matrix: where it is a row of blocks those of the diagonal are larger than those beside them. */
    private LongBinaryOperator entries(ClassicOperand operand) {
        if (family.text().contains("in Schur form") || family.text().contains("a triangular matrix")) {
            return (i, j) -> i == j ? DIAGONAL + i : i < j ? 1 : 0;
        }
        if (!operand.second().startsWith("nb*nblocks")) {
            return Example::entry;
        }
        long nb = sizes.of("nb");
        long diagonal = operand.second().endsWith("-nb") ? 1 : DIAGONAL;
        return (i, j) -> i == j % nb ? diagonal : 0;
    }

    private static long entry(long i, long j) {
        return i == j ? DIAGONAL : Math.abs(i - j) == 1 ? 1 : 0;
    }

    private static List<Long> matrix(long rows, long cols, LongBinaryOperator entry) {
        List<Long> numbers = new ArrayList<>();
        for (long j = 0; j < cols; j++) {
            for (long i = 0; i < rows; i++) {
                numbers.add(entry.applyAsLong(i, j));
            }
        }
        return numbers;
    }

    private List<Long> vector(String name, long n) {
        List<Long> numbers = new ArrayList<>();
        boolean tridiagonal = family.level().equals("L");
        for (long i = 0; i < n; i++) {
            numbers.add(!tridiagonal || name.matches("[xvb]") ? i + 1
                    : name.matches("[dw]|alpha") ? DIAGONAL
                    : name.equals("du2") ? 0
                    : 1);
        }
        return numbers;
    }

    private void pivots(ClassicPivots pivots) {
        String element = pivots.kind().equals("index") ? "I64" : pivots.kind().equals("real") ? "F64" : type;
        declare("VectorView", pivots.name(), "arena.vector(ElementType." + element + ", " + size(pivots.size()) + ")");
        long n = sizes.of(pivots.size());
        if (pivots.written()) {
            written.add(pivots.name());
        }
        if (pivots.name().equals("jpvt")) {
            fill(pivots.name(), matrix(n, 1, (i, j) -> 0), element);
        } else if (!isMade(pivots.name()) && (!pivots.written() || pivots.name().matches("[de]") && !reduces())) {
            boolean counts = pivots.pivots();
            fill(pivots.name(),
                    matrix(n, 1,
                            (i, j) -> counts ? i + 1
                                    : pivots.name().matches("[dw]") ? DIAGONAL
                                    : pivots.name().equals("anorm") ? NORM
                                    : 1),
                    element);
        }
    }

    // ---- options and scalars

    private String constant(ClassicOption option) {
        return switch (option.type()) {
            case "Side" -> "LEFT";
            case "Uplo" -> "LOWER";
            case "Diag" -> "NON_UNIT";
            case "Semiring" -> "MIN_PLUS";
            case "Evect" -> last("evect", "ORIGINAL");
            case "Balance", "Sense" -> "BOTH";
            case "Schur" -> "SCHUR";
            case "Selection" -> "RIGHT_HALF";
            case "Sign" -> "PLUS";
            case "Eform" -> "AX";
            case "Erange" -> "ALL";
            case "Eorder" -> "ENTIRE";
            case "Norm" -> "ONE";
            case "Direct" -> "FORWARD";
            case "Storev" -> "COLUMNS";
            case "Fact" -> "NOT_FACTORED";
            case "Region" -> "GENERAL";
            case "Svect" -> "SINGULAR";
            default -> "NONE";
        };
    }

    private String last(String fact, String otherwise) {
        String all = family.fact(fact);
        return all == null ? otherwise : all.substring(all.lastIndexOf(' ') + 1);
    }

    private static String scalar(ClassicScalar scalar) {
        return switch (scalar.name()) {
            case "alpha", "cto" -> "2";
            case "c" -> "0.6";
            case "s" -> "0.8";
            case "tol" -> "1e-12";
            case "vl", "vu", "abstol" -> "0";
            default -> "1";
        };
    }
}
