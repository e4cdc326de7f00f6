package dev.basalt;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.cholesky.Posv;
import dev.basalt.internal.cholesky.Potrf;
import dev.basalt.internal.cholesky.Potrs;
import dev.basalt.internal.lu.Gesv;
import dev.basalt.internal.lu.Getrf;
import dev.basalt.internal.lu.Getrs;
import dev.basalt.spi.Launch;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * LAPACK on views. A numerical failure of a problem (a singular matrix, one that is not positive definite) is not an exception:
 * it is in that problem's {@code info}, in device memory, and the other problems of a batch go on.
 */
public final class Lapack {
    private Lapack() {}

    /**
     * LU factorisation with partial pivoting, A = P·L·U, in place. The pivots are those of LAPACK.
     *
     * @param handle handle
     * @param a m×n; L without its unit diagonal and U afterwards
     * @param pivots I64, min(m, n) a problem: the 1-based row each row was exchanged with
     * @param info I32, one a problem: 0, or the 1-based column of the first pivot that is exactly zero (the factorisation
     *     is complete nevertheless)
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE, INVALID_SIZE, INVALID_POINTER or MEMORY_ERROR
     */
    public static Status getrf(Handle handle, MatrixView a, VectorView pivots, VectorView info) {
        Call f = Frame.begin(handle, Getrf.ROUTINE, a);
        Frame.matrix(f, 2, a);
        Launch g = f.args;
        g.m = g.c.rows;
        g.n = g.c.cols;
        g.count = a == null ? 1 : a.count;
        Frame.pivots(f, 3, pivots, Math.min(g.m, g.n));
        Frame.perProblem(f, 4, info, g.count);
        return Frame.execute(handle);
    }

    /**
     * Solves op(A)·X = B from the factors of {@link #getrf}; X overwrites B.
     *
     * <p>Pivots are data in device memory, and no device waits for them. A problem with a pivot outside of 1…n is not solved: every element
     * of its B becomes NaN. Nothing else is touched, and the other problems of a batch go on. The form with {@code info} tells which.
     *
     * @param handle handle
     * @param op how A is read
     * @param a n×n, as getrf left it
     * @param pivots I64, n a problem, as getrf left them; each from 1 to n
     * @param b n×nrhs; NaN where a pivot is outside of 1…n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE, INVALID_SIZE, INVALID_POINTER or MEMORY_ERROR
     */
    public static Status getrs(Handle handle, Op op, MatrixView a, VectorView pivots, MatrixView b) {
        Call f = Frame.begin(handle, Getrs.ROUTINE, b);
        f.args.opA = op;
        system(f, a, b);
        Frame.pivots(f, 3, pivots, f.args.n);
        return Frame.execute(handle);
    }

    /**
     * As {@link #getrs(Handle, Op, MatrixView, VectorView, MatrixView)}, and tells which problems had wrong pivots. With n = 0 or nrhs = 0 no
     * pivot is looked at, and {@code info} becomes 0.
     *
     * @param handle handle
     * @param op how A is read
     * @param a n×n, as getrf left it
     * @param pivots I64, n a problem, as getrf left them; each from 1 to n
     * @param b n×nrhs; NaN where info is not 0
     * @param info I32, one a problem: 0, or -6 where a pivot is outside of 1…n ({@code ipiv} is the sixth argument of LAPACK's getrs)
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE, INVALID_SIZE, INVALID_POINTER or MEMORY_ERROR
     */
    public static Status getrs(Handle handle, Op op, MatrixView a, VectorView pivots, MatrixView b, VectorView info) {
        Call f = Frame.begin(handle, Getrs.WITH_INFO, b);
        f.args.opA = op;
        system(f, a, b);
        Frame.pivots(f, 3, pivots, f.args.n);
        Frame.perProblem(f, 4, info, f.args.count);
        return Frame.execute(handle);
    }

    /**
     * Solves A·X = B by LU with partial pivoting; X overwrites B, the factors overwrite A.
     *
     * @param handle handle
     * @param a n×n
     * @param pivots I64, n a problem
     * @param b n×nrhs; unchanged where info is not 0
     * @param info I32, one a problem: 0, or the 1-based column of the first pivot that is exactly zero
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE, INVALID_SIZE, INVALID_POINTER or MEMORY_ERROR
     */
    public static Status gesv(Handle handle, MatrixView a, VectorView pivots, MatrixView b, VectorView info) {
        Call f = Frame.begin(handle, Gesv.ROUTINE, b);
        system(f, a, b);
        Frame.pivots(f, 3, pivots, f.args.n);
        Frame.perProblem(f, 4, info, f.args.count);
        return Frame.execute(handle);
    }

    /**
     * Cholesky factorisation of a symmetric or Hermitian positive definite matrix in place: A = L·Lᴴ or Uᴴ·U.
     *
     * @param handle handle
     * @param uplo the triangle to read and overwrite; the other is neither read nor written
     * @param a n×n
     * @param info I32, one a problem: 0, or the order of the first leading minor that is not positive definite
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE, INVALID_SIZE, INVALID_POINTER or MEMORY_ERROR
     */
    public static Status potrf(Handle handle, Uplo uplo, MatrixView a, VectorView info) {
        Call f = Frame.begin(handle, Potrf.ROUTINE, a);
        Frame.matrix(f, 2, a);
        Launch g = f.args;
        g.uplo = uplo;
        g.n = g.c.rows;
        g.count = a == null ? 1 : a.count;
        f.match("rows of A = columns of A", g.c.rows, g.c.cols);
        Frame.perProblem(f, 4, info, g.count);
        return Frame.execute(handle);
    }

    /**
     * Solves A·X = B from the factor of {@link #potrf}; X overwrites B.
     *
     * @param handle handle
     * @param uplo the triangle that holds the factor
     * @param a n×n, as potrf left it
     * @param b n×nrhs
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE, INVALID_SIZE, INVALID_POINTER or MEMORY_ERROR
     */
    public static Status potrs(Handle handle, Uplo uplo, MatrixView a, MatrixView b) {
        Call f = Frame.begin(handle, Potrs.ROUTINE, b);
        f.args.uplo = uplo;
        system(f, a, b);
        return Frame.execute(handle);
    }

    /**
     * Solves A·X = B by Cholesky; X overwrites B, the factor overwrites the triangle of A.
     *
     * @param handle handle
     * @param uplo the triangle to read and overwrite
     * @param a n×n, symmetric or Hermitian positive definite
     * @param b n×nrhs; unchanged where info is not 0
     * @param info I32, one a problem: 0, or the order of the first leading minor that is not positive definite
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE, INVALID_SIZE, INVALID_POINTER or MEMORY_ERROR
     */
    public static Status posv(Handle handle, Uplo uplo, MatrixView a, MatrixView b, VectorView info) {
        Call f = Frame.begin(handle, Posv.ROUTINE, b);
        f.args.uplo = uplo;
        system(f, a, b);
        Frame.perProblem(f, 4, info, f.args.count);
        return Frame.execute(handle);
    }

    private static void system(Call f, MatrixView a, MatrixView b) {
        Frame.matrix(f, 0, a);
        Frame.matrix(f, 2, b);
        Launch g = f.args;
        g.n = g.a.rows;
        g.k = g.c.cols;
        g.count = b == null ? 1 : b.count;
        f.match("rows of A = columns of A", g.a.rows, g.a.cols);
        f.match("rows of B = order of A", g.c.rows, g.n);
    }
}
