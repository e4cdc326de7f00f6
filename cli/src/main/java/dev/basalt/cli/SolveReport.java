package dev.basalt.cli;

import dev.basalt.ByteSize;
import dev.basalt.CallReport;
import dev.basalt.ElementType;
import dev.basalt.Handle;
import dev.basalt.Scheme;
import dev.basalt.Status;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;

/** What a solve did and how well, for people. */
final class SolveReport {
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

    /**
     * Measures the errors.
     *
     * @param x solution
     * @throws Failure if it has infinities
     */
    void measure(DenseMatrix x) {
        backward = Accuracy.backwardError(problem.a(), x, problem.b());
        forward = problem.truth() == null ? 0 : Accuracy.forwardError(x, problem.truth());
        if (!Double.isFinite(backward) || !Double.isFinite(forward)) {
            throw new Failure(problem.name() + ": the solution is not finite: a value went beyond the range of type "
                    + problem.type().letter() + "; scale the matrix");
        }
    }

    /** Prints everything. */
    void print(PrintWriter to, Path written) {
        line(to, "matrix", problem.name() + " (" + problem.header() + ")");
        line(to, "n", "%d", problem.n());
        line(to, "right-hand side", rightHandSide());
        line(to, "type", String.valueOf(problem.type().letter()));
        line(to, "method", "%s (%s)", run.method(), why);
        line(to, "device", device);
        line(to, "backward error", "%.2e", backward);
        line(to, "forward error", problem.truth() == null ? "unknown (B was given)" : "%.2e", forward);
        double seconds = (run.factorNanos() + run.solveNanos()) / 1e9;
        line(to, "time", "%.4f s (factor %.4f, solve %.4f)", seconds, run.factorNanos() / 1e9, run.solveNanos() / 1e9);
        double flops = Flops.solve(run.method(), problem.type().isComplex(), problem.n(), problem.nrhs());
        line(to, "rate", "%.2f GFLOP/s", flops / 1e9 / Math.max(seconds, 1e-9));
        line(
                to,
                "workspace",
                "used %s, planned %s (minimum %s), held %s, scheme %s",
                ByteSize.format(used),
                ByteSize.format(run.plan().optimal()),
                ByteSize.format(run.plan().minimum()),
                ByteSize.format(held),
                scheme);
        degraded(to, run.factor());
        degraded(to, run.solve());
        warn(to);
        if (written != null) {
            line(to, "written", written.toString());
        }
        to.flush();
    }

    private String rightHandSide() {
        String columns = problem.nrhs() + (problem.nrhs() == 1 ? " column" : " columns");
        return problem.truth() == null ? columns + ", given" : columns + " from a random solution, seed " + seed;
    }

    private void degraded(PrintWriter to, CallReport call) {
        if (call.status() == Status.PERF_DEGRADED) {
            line(
                    to,
                    "degraded",
                    "%s%s ran \"%s\" in %s; the next better algorithm takes %s, the best %s",
                    problem.type().letter(),
                    call.routine(),
                    call.tierName(),
                    ByteSize.format(call.bytesUsed()),
                    ByteSize.format(call.bytesToNextTier()),
                    ByteSize.format(call.optimal()));
        }
    }

    /** Partial pivoting may fail in theory and hardly ever does (Higham, 2002, chapter 9); when it does, it must be seen. */
    private void warn(PrintWriter to) {
        double epsilon = problem.type().real() == ElementType.F32 ? Math.ulp(1f) : Math.ulp(1d);
        if (backward > 100 * epsilon * Math.max(10, problem.n())) {
            line(to, "warning", "the backward error is large for this type: do not trust the solution");
        } else if (problem.truth() != null && forward > 0.1) {
            line(to, "warning", "the matrix is too ill conditioned for this type: hardly a digit is correct");
        }
    }

    private static void line(PrintWriter to, String label, String format, Object... values) {
        String text = values.length == 0 ? format : String.format(Locale.ROOT, format, values);
        to.println(String.format("%-16s%s", label, text));
    }
}
