package dev.basalt.cli;

import dev.basalt.BlasException;
import dev.basalt.CallReport;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.type.Op;
import java.util.Arrays;

/** Solves one system on a device: holds the operands there, plans, factors, solves, and keeps count. */
final class DirectSolver implements AutoCloseable {
    private final Problem problem;
    private final boolean cond;
    private final Progress progress;
    private final Workbench bench;
    private final DeviceArena arena;
    private final Handle handle;
    private final Operands operands;
    private final Bandwidth band;

    /**
     * How a factorization and a solution went.
     *
     * @param method what was done
     * @param info 0, or the pivot or minor at which the factorization broke down
     * @param plan what the calls were going to need
     * @param factor the factorization, or the call that does all
     * @param solve the solution; null if the factorization broke down, or there was one call
     * @param factorNanos time of the factorization
     * @param solveNanos time of the solution
     * @param condition estimate of the condition number in the 1-norm; infinite if it is beyond the type's range, NaN if there is none
     * @param conditionNanos time of the estimate
     * @param steps of a refinement, below 0 where it fell back
     */
    record Run(Method method, int info, Plan plan, CallReport factor, CallReport solve, long factorNanos,
            long solveNanos, double condition, long conditionNanos, long steps) {}

    /**
     * Puts a system's operands on a device.
     *
     * @param device device
     * @param problem system
     * @param workspace bytes of workspace, fixed; 0 lets the handle manage it; -1 leaves it to properties and environment
     * @param band the diagonals of the matrix, if it is to be stored as a band; else null
     * @param apart whether right-hand sides and solutions need memory of their own
     * @param cond whether the condition number is to be estimated in any case
     * @param progress is told what goes on
     */
    DirectSolver(Device device, Problem problem, long workspace, Bandwidth band, boolean apart, boolean cond,
            Progress progress) {
        this.problem = problem;
        this.band = band;
        this.cond = cond;
        this.progress = progress;
        this.bench = new Workbench(device, workspace);
        this.handle = bench.handle();
        this.arena = bench.arena();
        try {
            operands = band != null
                    ? Operands.of(arena, problem.type(), problem.n(), band, problem.nrhs())
                    : Operands.of(arena, problem.type(), problem.m(), problem.n(), problem.nrhs(), apart);
            bench.fix(workspace);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Factors the matrix and, if that succeeds, solves.
     *
     * @param method how
     * @return how it went
     */
    Run run(Method method) {
        progress.phase("copying to " + handle.device().name());
        new DeviceColumns(operands.a()).upload(band != null ? band.stored(problem.a()) : problem.a(), progress);
        MatrixView sides = operands.given() != null && method.isMixed() ? operands.given() : operands.b();
        new DeviceColumns(sides.block(0, 0, problem.m(), problem.nrhs())).upload(problem.b(), progress);
        Plan plan = handle.plan(h -> method.calls(h, operands));
        bench.reserve(plan);
        try {
            progress.call((method.isOneCall() ? "solving (" : "factoring (") + method + ")", handle,
                    (double) problem.m() * problem.n(), flops(method));
            long begun = System.nanoTime();
            if (method.isOneCall()) {
                method.factorAndSolve(handle, operands);
            } else {
                method.factor(handle, operands);
            }
            handle.synchronize();
            long factored = System.nanoTime();
            CallReport factor = handle.lastCall();
            int[] outcome = new int[1];
            operands.info().download(outcome);
            if (outcome[0] != 0) {
                return new Run(method, outcome[0], plan, factor, null, factored - begun, 0, Double.NaN, 0, 0);
            }
            long again = System.nanoTime();
            CallReport solve = method.isOneCall() ? null : solve(method);
            long solved = System.nanoTime();
            double condition = method.leavesFactors() ? condition(method) : cond ? conditionByLu() : Double.NaN;
            long estimated = System.nanoTime();
            return new Run(method, 0, plan, factor, solve, factored - begun, solve == null ? 0 : solved - again,
                    condition, estimated - solved, steps(method));
        } catch (BlasException e) {
            throw bench.inWords(e);
        }
    }

    /** Operations of the first call. */
    private double flops(Method method) {
        boolean complex = problem.type().isComplex();
        double sides = method.isOneCall() ? problem.nrhs() : 0;
        return band != null
                ? Flops.banded(band, complex, problem.n(), sides)
                : Flops.solve(method, complex, problem.m(), problem.n(), sides);
    }

    private CallReport solve(Method method) {
        progress.call("solving", handle, (double) problem.n() * problem.n(),
                Flops.products(problem.type().isComplex(), problem.n(), problem.n(), problem.nrhs()));
        method.solve(handle, Op.NONE, operands, operands.b());
        handle.synchronize();
        return handle.lastCall();
    }

    private long steps(Method method) {
        long[] steps = new long[1];
        if (method.isMixed()) {
            operands.iter().download(steps);
        }
        return steps[0];
    }

    /** How ill conditioned the matrix is, by its factors; of a triangle of QR, that triangle. */
    private double condition(Method method) {
        progress.phase("estimating the condition number");
        DeviceColumns column = new DeviceColumns(operands.x());
        Matrix matrix = method == Method.QR ? triangle() : problem.a();
        return ConditionEstimate.of(matrix, problem.type().isComplex(), (vector, adjoint) -> {
            column.upload(vector);
            method.solve(handle, adjoint ? Op.CONJ_TRANS : Op.NONE, operands, operands.x());
            handle.synchronize();
            double[] solution = column.download().column(0);
            System.arraycopy(solution, 0, vector, 0, vector.length);
        });
    }

    /** Factors the matrix for nothing else. */
    private double conditionByLu() {
        new DeviceColumns(operands.a()).upload(problem.a(), progress);
        Method.LU.factor(handle, operands);
        int[] outcome = new int[1];
        operands.info().download(outcome);
        return outcome[0] == 0 ? condition(Method.LU) : Double.POSITIVE_INFINITY;
    }

    private DenseMatrix triangle() {
        DenseMatrix triangle = new DeviceColumns(operands.triangle()).download();
        int parts = problem.type().isComplex() ? 2 : 1;
        boolean lower = problem.m() < problem.n();
        for (int j = 0; j < triangle.cols(); j++) {
            int from = lower ? 0 : j + 1;
            int to = lower ? j : triangle.rows();
            Arrays.fill(triangle.column(j), parts * from, parts * to, 0);
        }
        return triangle;
    }

    /** The determinant, from the factors that are there. */
    Determinant determinant(Method method) {
        DenseMatrix factors = new DeviceColumns(operands.a()).download();
        long[] pivots = new long[problem.n()];
        operands.ipiv().download(pivots);
        return method == Method.LU ? Determinant.ofLu(factors, pivots) : Determinant.ofCholesky(factors);
    }

    /** The inverse, from the factors that are there; by Cholesky the solutions for the columns of the identity matrix. */
    DenseMatrix inverse(Method method) {
        progress.call("inverting", handle, (double) problem.n() * problem.n(),
                Flops.inverse(problem.type().isComplex(), problem.n()));
        if (method == Method.LU) {
            Lapack.getri(handle, operands.a(), operands.ipiv(), operands.info());
            return new DeviceColumns(operands.a()).download();
        }
        int n = problem.n();
        MatrixView columns = arena.matrix(problem.type(), n, n);
        new DeviceColumns(columns).upload(DenseMatrix.identity(n, problem.type().isComplex()), progress);
        method.solve(handle, Op.NONE, operands, columns);
        return new DeviceColumns(columns).download();
    }

    /** What the right-hand sides have become. */
    DenseMatrix solution() {
        progress.phase("copying from " + handle.device().name());
        return new DeviceColumns(operands.b().block(0, 0, problem.n(), problem.nrhs())).download();
    }

    /** The handle, for its figures. */
    Handle handle() {
        return handle;
    }

    @Override
    public void close() {
        bench.close();
    }
}
