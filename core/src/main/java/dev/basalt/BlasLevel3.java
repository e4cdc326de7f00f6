package dev.basalt;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.product.Symm;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.product.Trmm;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.product.Trtri;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Launch;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Level 3: matrix-matrix. Use through {@link Blas}. */
class BlasLevel3 extends BlasLevel2 {
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
            Handle handle, Op opA, Op opB, double alpha, MatrixView a, MatrixView b, double beta, MatrixView c) {
        boolean plain = alpha != 0;
        Leaf kernels = plain ? DirectMatrix.enter(handle, opA, opB, a, b, c) : null;
        if (kernels != null) {
            return DirectMatrix.gemm(
                    handle,
                    kernels,
                    Gemm.ROUTINE,
                    c.type,
                    opA,
                    opB,
                    c.rows,
                    c.cols,
                    opA == Op.NONE ? a.cols : a.rows,
                    alpha,
                    0,
                    a.first,
                    a.ld,
                    b.first,
                    b.ld,
                    beta,
                    0,
                    c.first,
                    c.ld);
        }
        Call f = Frame.begin(handle, Gemm.ROUTINE, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return gemm(handle, f, opA, opB, a, b, c);
    }

    /**
     * As the first form, with complex scalars.
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
            Handle handle, Op opA, Op opB, Complex alpha, MatrixView a, MatrixView b, Complex beta, MatrixView c) {
        boolean plain = DirectMatrix.active(alpha, c) && DirectMatrix.fits(beta, c);
        Leaf kernels = plain ? DirectMatrix.enter(handle, opA, opB, a, b, c) : null;
        if (kernels != null) {
            return DirectMatrix.gemm(
                    handle,
                    kernels,
                    Gemm.ROUTINE,
                    c.type,
                    opA,
                    opB,
                    c.rows,
                    c.cols,
                    opA == Op.NONE ? a.cols : a.rows,
                    alpha.re(),
                    alpha.im(),
                    a.first,
                    a.ld,
                    b.first,
                    b.ld,
                    beta.re(),
                    beta.im(),
                    c.first,
                    c.ld);
        }
        Call f = Frame.begin(handle, Gemm.ROUTINE, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return gemm(handle, f, opA, opB, a, b, c);
    }

    /**
     * As the first form, with scalars in device memory, read when the kernels run.
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
            VectorView alpha,
            MatrixView a,
            MatrixView b,
            VectorView beta,
            MatrixView c) {
        Call f = Frame.begin(handle, Gemm.ROUTINE, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return gemm(handle, f, opA, opB, a, b, c);
    }

    private static Status gemm(Handle handle, Call f, Op opA, Op opB, MatrixView a, MatrixView b, MatrixView c) {
        three(f, a, b, c);
        Launch g = f.args;
        g.opA = opA;
        g.opB = opB;
        g.k = opA == Op.NONE ? g.a.cols : g.a.rows;
        f.match("rows of op(A) = rows of C", opA == Op.NONE ? g.a.rows : g.a.cols, g.m);
        f.match("rows of op(B) = columns of op(A)", opB == Op.NONE ? g.b.rows : g.b.cols, g.k);
        f.match("columns of op(B) = columns of C", opB == Op.NONE ? g.b.cols : g.b.rows, g.n);
        return Frame.execute(handle);
    }

    private static void three(Call f, MatrixView a, MatrixView b, MatrixView c) {
        Frame.matrix(f, 0, a);
        Frame.matrix(f, 1, b);
        Frame.matrix(f, 2, c);
        f.args.m = f.args.c.rows;
        f.args.n = f.args.c.cols;
        f.args.count = c == null ? 1 : c.count;
    }

    /**
     * C := alpha·A·B + beta·C (LEFT) or alpha·B·A + beta·C (RIGHT) with A symmetric.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param alpha factor of the product
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @param beta factor of C's old value
     * @param c m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status symm(
            Handle handle, Side side, Uplo uplo, double alpha, MatrixView a, MatrixView b, double beta, MatrixView c) {
        Status direct =
                alpha != 0 ? DirectTriangle.symm(handle, Symm.SYMM, side, uplo, alpha, 0, a, b, beta, 0, c) : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Symm.SYMM, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symm(handle, f, side, uplo, a, b, c);
    }

    /**
     * As the first form, with complex scalars.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param alpha factor of the product
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @param beta factor of C's old value
     * @param c m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status symm(
            Handle handle,
            Side side,
            Uplo uplo,
            Complex alpha,
            MatrixView a,
            MatrixView b,
            Complex beta,
            MatrixView c) {
        Status direct = DirectMatrix.active(alpha, c) && DirectMatrix.fits(beta, c)
                ? DirectTriangle.symm(
                        handle, Symm.SYMM, side, uplo, alpha.re(), alpha.im(), a, b, beta.re(), beta.im(), c)
                : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Symm.SYMM, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symm(handle, f, side, uplo, a, b, c);
    }

    /**
     * As the first form, with scalars in device memory, read when the kernels run.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param alpha factor of the product
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @param beta factor of C's old value
     * @param c m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status symm(
            Handle handle,
            Side side,
            Uplo uplo,
            VectorView alpha,
            MatrixView a,
            MatrixView b,
            VectorView beta,
            MatrixView c) {
        Call f = Frame.begin(handle, Symm.SYMM, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symm(handle, f, side, uplo, a, b, c);
    }

    /**
     * C := alpha·A·B + beta·C (LEFT) or alpha·B·A + beta·C (RIGHT) with A Hermitian (complex elements only; the imaginary part of its diagonal is not read).
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param alpha factor of the product
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @param beta factor of C's old value
     * @param c m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status hemm(
            Handle handle, Side side, Uplo uplo, double alpha, MatrixView a, MatrixView b, double beta, MatrixView c) {
        Status direct =
                alpha != 0 ? DirectTriangle.symm(handle, Symm.HEMM, side, uplo, alpha, 0, a, b, beta, 0, c) : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Symm.HEMM, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symm(handle, f, side, uplo, a, b, c);
    }

    /**
     * As the first form, with complex scalars.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param alpha factor of the product
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @param beta factor of C's old value
     * @param c m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status hemm(
            Handle handle,
            Side side,
            Uplo uplo,
            Complex alpha,
            MatrixView a,
            MatrixView b,
            Complex beta,
            MatrixView c) {
        Status direct = DirectMatrix.active(alpha, c) && DirectMatrix.fits(beta, c)
                ? DirectTriangle.symm(
                        handle, Symm.HEMM, side, uplo, alpha.re(), alpha.im(), a, b, beta.re(), beta.im(), c)
                : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Symm.HEMM, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symm(handle, f, side, uplo, a, b, c);
    }

    /**
     * As the first form, with scalars in device memory, read when the kernels run.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param alpha factor of the product
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @param beta factor of C's old value
     * @param c m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status hemm(
            Handle handle,
            Side side,
            Uplo uplo,
            VectorView alpha,
            MatrixView a,
            MatrixView b,
            VectorView beta,
            MatrixView c) {
        Call f = Frame.begin(handle, Symm.HEMM, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symm(handle, f, side, uplo, a, b, c);
    }

    private static Status symm(Handle handle, Call f, Side side, Uplo uplo, MatrixView a, MatrixView b, MatrixView c) {
        three(f, a, b, c);
        Launch g = f.args;
        g.side = side;
        g.uplo = uplo;
        square(f, side == Side.LEFT ? g.m : g.n);
        f.match("rows of B = rows of C", g.b.rows, g.m);
        f.match("columns of B = columns of C", g.b.cols, g.n);
        return Frame.execute(handle);
    }

    private static void square(Call f, long order) {
        f.match("rows of A = columns of A", f.args.a.rows, f.args.a.cols);
        f.match("order of A = the side of the product it stands on", f.args.a.rows, order);
    }

    /**
     * The triangle {@code uplo} of C := alpha·op(A)·op(A)ᵀ + beta·C. The other triangle is neither read nor written.
     *
     * @param handle handle
     * @param uplo the triangle of C
     * @param op NONE: A·Aᵀ; TRANS: Aᵀ·A
     * @param alpha factor of the product
     * @param a op(A) is n×k
     * @param beta factor of C's old value
     * @param c n×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status syrk(Handle handle, Uplo uplo, Op op, double alpha, MatrixView a, double beta, MatrixView c) {
        Status direct = alpha != 0 ? DirectTriangle.syrk(handle, Syrk.SYRK, uplo, op, alpha, 0, a, beta, 0, c) : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Syrk.SYRK, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return syrk(handle, f, uplo, op, a, c);
    }

    /**
     * As the first form, with complex scalars.
     *
     * @param handle handle
     * @param uplo the triangle of C
     * @param op NONE: A·Aᵀ; TRANS: Aᵀ·A
     * @param alpha factor of the product
     * @param a op(A) is n×k
     * @param beta factor of C's old value
     * @param c n×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status syrk(
            Handle handle, Uplo uplo, Op op, Complex alpha, MatrixView a, Complex beta, MatrixView c) {
        Status direct = DirectMatrix.active(alpha, c) && DirectMatrix.fits(beta, c)
                ? DirectTriangle.syrk(handle, Syrk.SYRK, uplo, op, alpha.re(), alpha.im(), a, beta.re(), beta.im(), c)
                : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Syrk.SYRK, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return syrk(handle, f, uplo, op, a, c);
    }

    /**
     * As the first form, with scalars in device memory, read when the kernels run.
     *
     * @param handle handle
     * @param uplo the triangle of C
     * @param op NONE: A·Aᵀ; TRANS: Aᵀ·A
     * @param alpha factor of the product
     * @param a op(A) is n×k
     * @param beta factor of C's old value
     * @param c n×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status syrk(
            Handle handle, Uplo uplo, Op op, VectorView alpha, MatrixView a, VectorView beta, MatrixView c) {
        Call f = Frame.begin(handle, Syrk.SYRK, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return syrk(handle, f, uplo, op, a, c);
    }

    /**
     * The triangle {@code uplo} of C := alpha·op(A)·op(A)ᴴ + beta·C with real alpha and beta; complex elements only. The diagonal of C ends real.
     *
     * @param handle handle
     * @param uplo the triangle of C
     * @param op NONE: A·Aᴴ; CONJ_TRANS: Aᴴ·A
     * @param alpha factor of the product
     * @param a op(A) is n×k
     * @param beta factor of C's old value
     * @param c n×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status herk(Handle handle, Uplo uplo, Op op, double alpha, MatrixView a, double beta, MatrixView c) {
        Status direct = alpha != 0 ? DirectTriangle.syrk(handle, Syrk.HERK, uplo, op, alpha, 0, a, beta, 0, c) : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Syrk.HERK, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return syrk(handle, f, uplo, op, a, c);
    }

    /**
     * As the first form, with scalars in device memory, read when the kernels run.
     *
     * @param handle handle
     * @param uplo the triangle of C
     * @param op NONE: A·Aᴴ; CONJ_TRANS: Aᴴ·A
     * @param alpha factor of the product
     * @param a op(A) is n×k
     * @param beta factor of C's old value
     * @param c n×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status herk(
            Handle handle, Uplo uplo, Op op, VectorView alpha, MatrixView a, VectorView beta, MatrixView c) {
        Call f = Frame.begin(handle, Syrk.HERK, c);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return syrk(handle, f, uplo, op, a, c);
    }

    private static Status syrk(Handle handle, Call f, Uplo uplo, Op op, MatrixView a, MatrixView c) {
        Frame.matrix(f, 0, a);
        Frame.matrix(f, 2, c);
        Launch g = f.args;
        g.uplo = uplo;
        g.opA = op;
        g.n = g.c.rows;
        g.k = op == Op.NONE ? g.a.cols : g.a.rows;
        g.count = c == null ? 1 : c.count;
        f.match("rows of C = columns of C", g.c.rows, g.c.cols);
        f.match("rows of op(A) = order of C", op == Op.NONE ? g.a.rows : g.a.cols, g.n);
        return Frame.execute(handle);
    }

    /**
     * C := alpha·op(A)·B (LEFT) or alpha·B·op(A) (RIGHT) with A triangular. C may be B; it must not overlap it otherwise.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param op how A is read
     * @param diag whether A has a unit diagonal
     * @param alpha factor of the product
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @param c m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status trmm(
            Handle handle,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            double alpha,
            MatrixView a,
            MatrixView b,
            MatrixView c) {
        Status direct = alpha != 0 ? DirectTriangle.trmm(handle, side, uplo, op, diag, alpha, 0, a, b, c) : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Trmm.ROUTINE, c);
        Frame.alpha(f, alpha);
        return trmm(handle, f, side, uplo, op, diag, a, b, c);
    }

    /**
     * As the first form, with complex scalars.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param op how A is read
     * @param diag whether A has a unit diagonal
     * @param alpha factor of the product
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @param c m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status trmm(
            Handle handle,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            Complex alpha,
            MatrixView a,
            MatrixView b,
            MatrixView c) {
        Status direct = DirectMatrix.active(alpha, c)
                ? DirectTriangle.trmm(handle, side, uplo, op, diag, alpha.re(), alpha.im(), a, b, c)
                : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Trmm.ROUTINE, c);
        Frame.alpha(f, alpha);
        return trmm(handle, f, side, uplo, op, diag, a, b, c);
    }

    /**
     * As the first form, with scalars in device memory, read when the kernels run.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param op how A is read
     * @param diag whether A has a unit diagonal
     * @param alpha factor of the product
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @param c m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status trmm(
            Handle handle,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            VectorView alpha,
            MatrixView a,
            MatrixView b,
            MatrixView c) {
        Call f = Frame.begin(handle, Trmm.ROUTINE, c);
        Frame.alpha(f, alpha);
        return trmm(handle, f, side, uplo, op, diag, a, b, c);
    }

    private static Status trmm(
            Handle handle, Call f, Side side, Uplo uplo, Op op, Diag diag, MatrixView a, MatrixView b, MatrixView c) {
        three(f, a, b, c);
        triangular(f, side, uplo, op, diag);
        f.match("rows of B = rows of C", f.args.b.rows, f.args.m);
        f.match("columns of B = columns of C", f.args.b.cols, f.args.n);
        return Frame.execute(handle);
    }

    private static void triangular(Call f, Side side, Uplo uplo, Op op, Diag diag) {
        Launch g = f.args;
        g.side = side;
        g.uplo = uplo;
        g.opA = op;
        g.diag = diag;
        square(f, side == Side.LEFT ? g.m : g.n);
    }

    /**
     * Solves op(A)·X = alpha·B (LEFT) or X·op(A) = alpha·B (RIGHT) with A triangular; X overwrites B. A singular A is not detected: it gives infinities.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param op how A is read
     * @param diag whether A has a unit diagonal
     * @param alpha factor of B; 0 clears B and does not read A
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status trsm(
            Handle handle, Side side, Uplo uplo, Op op, Diag diag, double alpha, MatrixView a, MatrixView b) {
        Status direct = alpha != 0 ? DirectTriangle.trsm(handle, side, uplo, op, diag, alpha, 0, a, b) : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Trsm.ROUTINE, b);
        Frame.alpha(f, alpha);
        return trsm(handle, f, side, uplo, op, diag, a, b);
    }

    /**
     * As the first form, with complex scalars.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param op how A is read
     * @param diag whether A has a unit diagonal
     * @param alpha factor of B; 0 clears B and does not read A
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status trsm(
            Handle handle, Side side, Uplo uplo, Op op, Diag diag, Complex alpha, MatrixView a, MatrixView b) {
        Status direct = DirectMatrix.active(alpha, b)
                ? DirectTriangle.trsm(handle, side, uplo, op, diag, alpha.re(), alpha.im(), a, b)
                : null;
        if (direct != null) {
            return direct;
        }
        Call f = Frame.begin(handle, Trsm.ROUTINE, b);
        Frame.alpha(f, alpha);
        return trsm(handle, f, side, uplo, op, diag, a, b);
    }

    /**
     * As the first form, with scalars in device memory, read when the kernels run.
     *
     * @param handle handle
     * @param side side of A
     * @param uplo the stored triangle of A
     * @param op how A is read
     * @param diag whether A has a unit diagonal
     * @param alpha factor of B; 0 clears B and does not read A
     * @param a m×m (LEFT) or n×n (RIGHT)
     * @param b m×n
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status trsm(
            Handle handle, Side side, Uplo uplo, Op op, Diag diag, VectorView alpha, MatrixView a, MatrixView b) {
        Call f = Frame.begin(handle, Trsm.ROUTINE, b);
        Frame.alpha(f, alpha);
        return trsm(handle, f, side, uplo, op, diag, a, b);
    }

    private static Status trsm(
            Handle handle, Call f, Side side, Uplo uplo, Op op, Diag diag, MatrixView a, MatrixView b) {
        Frame.matrix(f, 0, a);
        Frame.matrix(f, 2, b);
        f.args.m = f.args.c.rows;
        f.args.n = f.args.c.cols;
        f.args.count = b == null ? 1 : b.count;
        triangular(f, side, uplo, op, diag);
        return Frame.execute(handle);
    }

    /**
     * The inverse of a triangular matrix. A singular A is not detected: it gives infinities.
     *
     * @param handle handle
     * @param uplo the stored triangle; the other is neither read nor written
     * @param diag whether A has a unit diagonal
     * @param a n×n
     * @param inverse n×n; may be A
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException by the rules of BLAS: INVALID_VALUE, INVALID_SIZE, INVALID_POINTER, or MEMORY_ERROR
     */
    public static Status trtri(Handle handle, Uplo uplo, Diag diag, MatrixView a, MatrixView inverse) {
        Call f = Frame.begin(handle, Trtri.ROUTINE, inverse);
        Frame.matrix(f, 0, a);
        Frame.matrix(f, 2, inverse);
        Launch g = f.args;
        g.uplo = uplo;
        g.diag = diag;
        g.n = g.c.rows;
        g.count = inverse == null ? 1 : inverse.count;
        square(f, g.n);
        f.match("columns of the inverse = its rows", g.c.cols, g.n);
        return Frame.execute(handle);
    }
}
