package dev.basalt.cli;

import dev.basalt.BlasException;
import dev.basalt.ByteSize;
import dev.basalt.CallReport;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Scheme;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Solves one system on a device: holds the operands there, plans, factors, solves, and keeps count. */
final class DirectSolver implements AutoCloseable {
    private final Problem problem;
    private final Progress progress;
    private final DeviceArena arena;
    private final Handle handle;
    private final MatrixView a;
    private final MatrixView b;
    /** The vector of the condition estimate. */
    private final MatrixView x;

    private final VectorView ipiv;
    private final VectorView info;

    /**
     * How a factorization and a solution went.
     *
     * @param method LU or Cholesky
     * @param info 0, or the pivot or minor at which the factorization broke down
     * @param plan what the calls were going to need
     * @param factor the factorization
     * @param solve the solution; null if the factorization broke down
     * @param factorNanos time of the factorization
     * @param solveNanos time of the solution
     * @param condition estimate of the condition number in the 1-norm; infinite if it is beyond the type's range
     * @param conditionNanos time of the estimate
     */
    record Run(Method method, int info, Plan plan, CallReport factor, CallReport solve, long factorNanos,
            long solveNanos, double condition, long conditionNanos) {}

    /**
     * Puts a system's operands on a device.
     *
     * @param device device
     * @param problem system
     * @param workspace bytes of workspace, fixed; 0 lets the handle manage it; -1 leaves it to properties and environment
     * @param progress is told what goes on
     */
    DirectSolver(Device device, Problem problem, long workspace, Progress progress) {
        this.problem = problem;
        this.progress = progress;
        this.handle = workspace < 0 ? device.createHandle() : device.handleBuilder().deviceMemorySize(0).create();
        this.arena = device.arena();
        try {
            ElementType type = problem.type();
            a = arena.matrix(type, problem.n(), problem.n());
            b = arena.matrix(type, problem.n(), problem.nrhs());
            x = arena.matrix(type, problem.n(), 1);
            ipiv = arena.vector(ElementType.I64, problem.n());
            info = arena.vector(ElementType.I32, 1);
            if (workspace >= 0) {
                fix(workspace);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void fix(long workspace) {
        try {
            handle.setDeviceMemorySize(workspace);
        } catch (BlasException e) {
            if (e.status() != Status.MEMORY_ERROR) {
                throw e;
            }
            throw new Failure("not enough memory: --workspace asks for " + ByteSize.format(workspace)
                    + ", and beside the matrix " + handle.device().name() + " has "
                    + ByteSize.format(handle.device().freeMemory()) + " free", e);
        }
    }

    /**
     * The calls that solve a system, one after another, with those that estimate the condition number.
     *
     * @param method LU or Cholesky
     * @param h handle
     * @param a matrix, or its shape
     * @param ipiv pivots of LU
     * @param b right-hand sides
     * @param x one column for the estimate
     * @param info outcome
     */
    static void calls(Method method, Handle h, MatrixView a, VectorView ipiv, MatrixView b, MatrixView x,
            VectorView info) {
        factor(method, h, a, ipiv, info);
        solve(method, h, Op.NONE, a, ipiv, b);
        solve(method, h, Op.NONE, a, ipiv, x);
        if (method == Method.LU) {
            solve(method, h, Op.CONJ_TRANS, a, ipiv, x);
        }
    }

    private static void factor(Method method, Handle h, MatrixView a, VectorView ipiv, VectorView info) {
        if (method == Method.CHOLESKY) {
            Lapack.potrf(h, Uplo.LOWER, a, info);
        } else {
            Lapack.getrf(h, a, ipiv, info);
        }
    }

    /** A matrix that Cholesky factors is its own conjugate transpose. */
    private static void solve(Method method, Handle h, Op op, MatrixView a, VectorView ipiv, MatrixView b) {
        if (method == Method.CHOLESKY) {
            Lapack.potrs(h, Uplo.LOWER, a, b);
        } else {
            Lapack.getrs(h, op, a, ipiv, b);
        }
    }

    /**
     * Factors the matrix and, if that succeeds, solves.
     *
     * @param method LU or Cholesky
     * @return how it went
     */
    Run run(Method method) {
        progress.phase("copying to " + handle.device().name());
        new DeviceColumns(a).upload(problem.a(), progress);
        new DeviceColumns(b).upload(problem.b(), progress);
        Plan plan = handle.plan(h -> calls(method, h, a, ipiv, b, x, info));
        reserve(plan);
        try {
            progress.phase("factoring (" + method + ")");
            long begun = System.nanoTime();
            factor(method, handle, a, ipiv, info);
            handle.synchronize();
            long factored = System.nanoTime();
            CallReport factor = handle.lastCall();
            int[] outcome = new int[1];
            info.download(outcome);
            if (outcome[0] != 0) {
                return new Run(method, outcome[0], plan, factor, null, factored - begun, 0, 0, 0);
            }
            progress.phase("solving");
            long again = System.nanoTime();
            solve(method, handle, Op.NONE, a, ipiv, b);
            handle.synchronize();
            long solved = System.nanoTime();
            CallReport solve = handle.lastCall();
            progress.phase("estimating the condition number");
            double condition = condition(method);
            long estimated = System.nanoTime();
            return new Run(method, 0, plan, factor, solve, factored - begun, solved - again, condition,
                    estimated - solved);
        } catch (BlasException e) {
            throw e.shortage() == null ? e : shortage(e);
        }
    }

    /** How ill conditioned the matrix is, by its factors. */
    private double condition(Method method) {
        DeviceColumns column = new DeviceColumns(x);
        return ConditionEstimate.of(problem.a(), problem.type().isComplex(), (vector, adjoint) -> {
            column.upload(vector);
            solve(method, handle, adjoint ? Op.CONJ_TRANS : Op.NONE, a, ipiv, x);
            handle.synchronize();
            double[] solution = column.download().column(0);
            System.arraycopy(solution, 0, vector, 0, vector.length);
        });
    }

    /** A managed workspace grows before the clock runs. If it cannot, the calls will make do with less, and say so. */
    private void reserve(Plan plan) {
        if (handle.workspaceScheme() == Scheme.MANAGED) {
            try {
                handle.reserve(plan);
            } catch (BlasException e) {
                if (e.status() != Status.MEMORY_ERROR) {
                    throw e;
                }
            }
        }
    }

    /** The library's message names its own methods; here the same is an option or a variable. */
    private RuntimeException shortage(BlasException e) {
        long minimum = e.shortage().minimum();
        String remedy;
        if (handle.workspaceScheme() == Scheme.MANUAL) {
            remedy = "use --workspace " + minimum + " or more, or leave it out";
        } else if (handle.workspaceScheme() == Scheme.PREALLOCATED) {
            remedy = "raise ROCBLAS_DEVICE_MEMORY_SIZE or basalt.deviceMemorySize, whichever is set, to that or more,"
                    + " or use --workspace";
        } else {
            return e;
        }
        return new Failure("not enough workspace: " + e.routine() + " needs at least " + minimum + " bytes (best "
                + e.shortage().optimal() + "), but there are " + e.shortage().held() + "; " + remedy, e);
    }

    /** What the right-hand sides have become. */
    DenseMatrix solution() {
        progress.phase("copying from " + handle.device().name());
        return new DeviceColumns(b).download();
    }

    /** The handle, for its figures. */
    Handle handle() {
        return handle;
    }

    @Override
    public void close() {
        arena.close();
        handle.close();
    }
}
