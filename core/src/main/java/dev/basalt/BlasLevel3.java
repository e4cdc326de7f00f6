package dev.basalt;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.routine.Gemm;
import dev.basalt.spi.Launch;

/** Level 3: matrix-matrix. Use through {@link Blas}. */
class BlasLevel3 {
    BlasLevel3() {}

    /**
     * C := alpha·op(A)·op(B) + beta·C. alpha = 0 reads neither A nor B; beta = 0 overwrites C, even where it holds NaN.
     *
     * @param handle handle
     * @param opA how A is read
     * @param opB how B is read
     * @param alpha factor of the product
     * @param a op(A) is m×k
     * @param b op(B) is k×n
     * @param beta factor of C's old value
     * @param c m×n, not overlapping A or B
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status gemm(
            Handle handle,
            Op opA,
            Op opB,
            double alpha,
            MatrixView a,
            MatrixView b,
            double beta,
            MatrixView c) {
        Call f = Frame.begin(handle, Gemm.ROUTINE, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return gemm(handle, f, opA, opB, a, b, c);
    }

    private static Status gemm(Handle handle, Call f, Op opA, Op opB, MatrixView a, MatrixView b, MatrixView c) {
        Frame.matrix(f, 0, a);
        Frame.matrix(f, 1, b);
        Frame.matrix(f, 2, c);
        Launch g = f.args;
        g.opA = opA;
        g.opB = opB;
        g.m = g.c.rows;
        g.n = g.c.cols;
        g.k = opA == Op.NONE ? g.a.cols : g.a.rows;
        f.args.count = c == null ? 1 : c.count;
        f.match("rows of op(A) = rows of C", opA == Op.NONE ? g.a.rows : g.a.cols, g.m);
        f.match("rows of op(B) = columns of op(A)", opB == Op.NONE ? g.b.rows : g.b.cols, g.k);
        f.match("columns of op(B) = columns of C", opB == Op.NONE ? g.b.cols : g.b.rows, g.n);
        return Frame.execute(handle);
    }
}
