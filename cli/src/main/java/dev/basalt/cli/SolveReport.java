package dev.basalt.cli;

import dev.basalt.ByteSize;
import dev.basalt.CallReport;
import dev.basalt.Handle;
import dev.basalt.Scheme;
import dev.basalt.type.ElementType;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** What a solve did and how well, for people. */
final class SolveReport {
    /** Products with elements of the matrix that measuring an inverse takes. */
    private static final double MEASURED = 1e9;
    /** Columns of an inverse that are measured in any case. */
    private static final int FEWEST = 8;

    private final Problem problem;
    private final DirectSolver.Run run;
    private final String why;
    private final long seed;
    private final String device;
    private final Scheme scheme;
    private final long used;
    private final long held;
    private double backward;
    private double forward;
    private double remainder;
    private Determinant determinant;
    private DenseMatrix inverse;

    /** Takes the handle's figures down, since it will be closed when they are printed. */
    SolveReport(Problem problem, Handle handle, DirectSolver.Run run, String why, long seed) {
        this.problem = problem;
        this.run = run;
        this.why = why;
        this.seed = seed;
        this.device = handle.device().toString();
        this.scheme = handle.workspaceScheme();
        this.used = handle.highWater();
        this.held = handle.getDeviceMemorySize();
    }

    /** The method that gave the solution. */
    Method method() {
        return run.method();
    }

    /** Adds the determinant. */
    void determinant(Determinant value) {
        determinant = value;
    }

    /** Adds the inverse. */
    void inverse(DenseMatrix value) {
        inverse = value;
    }

    /** The inverse, where it was asked for. */
    DenseMatrix inverse() {
        return inverse;
    }

    /** Whether there are solutions besides the one that was found. */
    private boolean isWide() {
        return problem.m() < problem.n();
    }

    private boolean isTall() {
        return problem.m() > problem.n();
    }

    /**
     * Measures the errors.
     *
     * @param x solution
     * @param progress is told how far
     * @throws Failure if it has infinities
     */
    void measure(DenseMatrix x, Progress progress) {
        double once = Flops.products(problem.type().isComplex(), problem.m(), problem.n(), problem.nrhs());
        if (isTall()) {
            // A residual, and its product with the matrix; then a residual alone.
            backward = Accuracy.orthogonality(problem.a(), x, problem.b(),
                    done -> progress.operations(done * 2 / 3, 3 * once));
            remainder = Accuracy.remainder(problem.a(), x, problem.b(),
                    done -> progress.operations((2 + done) / 3, 3 * once));
        } else {
            backward = Accuracy.backwardError(problem.a(), x, problem.b(), done -> progress.operations(done, once));
        }
        forward = problem.truth() == null || isWide() ? 0 : Accuracy.forwardError(x, problem.truth());
        if (!Double.isFinite(backward) || !Double.isFinite(forward)) {
            throw new Failure(problem.name() + ": the solution is not finite: a value went beyond the range of type "
                    + problem.type().letter()
                    + (isSingular() ? "; the matrix is singular to working precision" : "; scale the matrix"));
        }
    }

    /**
     * Whether the matrix is singular as far as its type can tell: a change of the matrix that rounding may make gives one that
     * is. LAPACK's gesvx says so (info = n + 1) from eps on; a factorization of order n is good to n eps at best.
     */
    boolean isSingular() {
        return 1 / run.condition() < problem.n() * unitRoundoff();
    }

    /** Why the solution is not to be trusted, if {@link #isSingular}. */
    String singular() {
        return problem.name() + ": the matrix is singular to working precision: its condition number "
                + number("%.1e", run.condition()) + " is above 1/(n eps) = "
                + number("%.1e", 1 / (problem.n() * unitRoundoff()))
                + ", so no digit of the solution can be trusted (--force accepts it)";
    }

    private double unitRoundoff() {
        return problem.type().real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    /** Everything. */
    Report all(Path written, Path inverted) {
        Report to = new Report();
        to.add("matrix", problem.name() + " (" + problem.header() + ")");
        to.add("n", problem.n() + (problem.isSquare() ? "" : ", " + problem.m() + " equations"), "n", problem.n());
        to.value("m", problem.m()).value("nrhs", problem.nrhs());
        to.add("right-hand side", rightHandSide());
        to.add("type", String.valueOf(problem.type().letter()));
        to.add("method", run.method() + " (" + why + ")");
        to.add("device", device);
        to.add("condition", condition(), "condition", run.condition());
        if (run.method().isMixed()) {
            to.add("refinement", refinement(), "refinementSteps", run.steps());
        }
        if (isTall()) {
            to.add("residual", number("%.2e", remainder) + " of the right-hand side", "residual", remainder);
        }
        to.add("backward error", number("%.2e", backward), "backwardError", backward);
        boolean known = problem.truth() != null && !isWide();
        to.add("forward error",
                problem.truth() == null ? "unknown (B was given)"
                        : isWide() ? "unknown (there are many solutions)"
                        : number("%.2e", forward),
                "forwardError", known ? forward : null);
        if (determinant != null) {
            to.add("determinant", determinant.toString());
        }
        if (inverse != null) {
            to.add("inverse", inverse(inverted));
        }
        speed(to);
        to.add("workspace", workspace(), "workspace", workspaceValues());
        degraded(to, run.factor());
        if (run.solve() != null) {
            degraded(to, run.solve());
        }
        warn(to);
        if (written != null) {
            to.add("written", written.toString());
        }
        return to;
    }

    private void speed(Report to) {
        double seconds = (run.factorNanos() + run.solveNanos()) / 1e9;
        String parts = run.solve() == null
                ? " s"
                : " s (factor " + number("%.4f", run.factorNanos() / 1e9) + ", solve "
                        + number("%.4f", run.solveNanos() / 1e9) + ")";
        to.add("time", number("%.4f", seconds) + parts, "seconds", seconds);
        boolean complex = problem.type().isComplex();
        double flops = run.method() == Method.BANDED
                ? Flops.banded(Bandwidth.of(problem.a()), complex, problem.n(), problem.nrhs())
                : Flops.solve(run.method(), complex, problem.m(), problem.n(), problem.nrhs());
        double rate = flops / 1e9 / Math.max(seconds, 1e-9);
        to.add("rate", number("%.2f", rate) + " GFLOP/s", "gflops", rate);
    }

    private Map<String, Object> workspaceValues() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("used", used);
        values.put("planned", run.plan().optimal());
        values.put("minimum", run.plan().minimum());
        values.put("held", held);
        values.put("scheme", scheme.name());
        return values;
    }

    private String condition() {
        if (Double.isNaN(run.condition())) {
            return "not estimated (" + run.method() + " leaves no factors)";
        }
        String of = run.method() == Method.QR ? " (of the triangle, 1-norm, estimated in " : " (1-norm, estimated in ";
        return number("%.1e", run.condition()) + of + number("%.4f", run.conditionNanos() / 1e9) + " s)";
    }

    /** LAPACK's codes in words. */
    private String refinement() {
        return switch ((int) run.steps()) {
            case -1 -> "none, for want of workspace; factored in double precision";
            case -2 -> "a number was too large for " + low() + "; factored in double precision";
            case -3 -> "singular in " + low() + "; factored in double precision";
            case -31, -61 -> "not good enough after " + (-1 - run.steps()) + " steps; factored in double precision";
            case 1 -> "1 step";
            default -> run.steps() + " steps";
        };
    }

    private String low() {
        return run.method() == Method.MIXED ? "single precision" : "low precision";
    }

    /** Where the inverse is, and how good it is as the solution of A X = I: in all columns, or in as many as take a second or so. */
    private String inverse(Path written) {
        int n = problem.n();
        int count = (int) Math.clamp(MEASURED / n / n, Math.min(n, FEWEST), (double) n);
        int[] some = IntStream.range(0, count).map(i -> (int) ((long) i * n / count)).toArray();
        DenseMatrix units = DenseMatrix.units(n, problem.type().isComplex(), some);
        double error = Accuracy.backwardError(problem.a(), inverse.columns(some), units);
        return written + ", backward error " + number("%.2e", error)
                + (count < n ? " (worst of " + count + " columns)" : "");
    }

    private String rightHandSide() {
        String columns = problem.nrhs() + (problem.nrhs() == 1 ? " column" : " columns");
        return problem.truth() == null ? columns + ", given" : columns + " from a random solution, seed " + seed;
    }

    private String workspace() {
        return "used " + ByteSize.format(used) + ", planned " + ByteSize.format(run.plan().optimal()) + " (minimum "
                + ByteSize.format(run.plan().minimum()) + "), held " + ByteSize.format(held) + ", scheme " + scheme;
    }

    private void degraded(Report to, CallReport call) {
        Figures.degraded(to, call, problem.type().letter());
    }

    /** Partial pivoting may fail in theory and hardly ever does (Higham, 2002, chapter 9); when it does, it must be seen. */
    private void warn(Report to) {
        if (backward > 200 * unitRoundoff() * Math.max(10, problem.n())) {
            to.add("warning", "the backward error is large for this type: do not trust the solution");
        }
        if (isSingular()) {
            to.add("warning", "the matrix is singular to working precision: do not trust the solution");
        } else if (problem.truth() != null && forward > 0.1) {
            to.add("warning", "the matrix is too ill conditioned for this type: hardly a digit is correct");
        }
    }

    private static String number(String format, double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "infinite";
    }
}
