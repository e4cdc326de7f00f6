package dev.basalt;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.matvec.Gemv;
import dev.basalt.internal.matvec.Ger;
import dev.basalt.internal.matvec.Symv;
import dev.basalt.internal.matvec.Trmv;
import dev.basalt.internal.matvec.Trsv;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Launch;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Level 2: a matrix and vectors. Use through {@link Blas}. */
class BlasLevel2 extends BlasLevel1 {
    BlasLevel2() {}

    // ---- gemv
    // ----------------------------------------------------------------------------------------------------------

    /**
     * y := alpha·op(A)·x + beta·y. An empty A is a quick return: y is not even scaled. alpha = 0 reads neither A nor x; beta = 0
     * overwrites y, even where it holds NaN; alpha = 0 with beta = 1 does nothing.
     *
     * @param handle handle
     * @param opA how A is read
     * @param alpha factor of the product
     * @param a A, m×n
     * @param x as many elements as op(A) has columns
     * @param beta factor of y's old value
     * @param y as many elements as op(A) has rows, not overlapping A or x
     * @return SUCCESS, or PERF_DEGRADED if workspace was short; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE for null options and types that do not fit, INVALID_SIZE for sizes or batches that do
     *     not fit and increments of 0, INVALID_POINTER for a view that is null, or has no memory although it is needed
     */
    public static Status gemv(
            Handle handle, Op opA, double alpha, MatrixView a, VectorView x, double beta, VectorView y) {
        boolean plain = alpha != 0;
        Leaf kernels = plain ? DirectMatrix.enter(handle, opA, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.gemv(
                    handle,
                    kernels,
                    Gemv.ROUTINE,
                    a.type,
                    opA,
                    a.rows,
                    a.cols,
                    alpha,
                    0,
                    a.first,
                    a.ld,
                    x.first,
                    x.inc,
                    beta,
                    0,
                    y.first,
                    y.inc);
        }
        Call f = Frame.begin(handle, Gemv.ROUTINE, y);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return gemv(handle, f, opA, a, x, y);
    }

    /**
     * As {@link #gemv(Handle, Op, double, MatrixView, VectorView, double, VectorView)} with complex scalars.
     *
     * @param handle handle
     * @param opA how A is read
     * @param alpha factor of the product
     * @param a A, m×n
     * @param x as many elements as op(A) has columns
     * @param beta factor of y's old value
     * @param y as many elements as op(A) has rows, not overlapping A or x
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status gemv(
            Handle handle, Op opA, Complex alpha, MatrixView a, VectorView x, Complex beta, VectorView y) {
        boolean plain = DirectMatrix.active(alpha, a) && DirectMatrix.fits(beta, a);
        Leaf kernels = plain ? DirectMatrix.enter(handle, opA, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.gemv(
                    handle,
                    kernels,
                    Gemv.ROUTINE,
                    a.type,
                    opA,
                    a.rows,
                    a.cols,
                    alpha.re(),
                    alpha.im(),
                    a.first,
                    a.ld,
                    x.first,
                    x.inc,
                    beta.re(),
                    beta.im(),
                    y.first,
                    y.inc);
        }
        Call f = Frame.begin(handle, Gemv.ROUTINE, y);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return gemv(handle, f, opA, a, x, y);
    }

    /**
     * As {@link #gemv(Handle, Op, double, MatrixView, VectorView, double, VectorView)} with the scalars in device memory, read
     * when the kernel runs. Since their values are not known before, all views need memory.
     *
     * @param handle handle
     * @param opA how A is read
     * @param alpha factor of the product: one element of y's type or its real type
     * @param a A, m×n
     * @param x as many elements as op(A) has columns
     * @param beta factor of y's old value: as alpha
     * @param y as many elements as op(A) has rows, not overlapping A or x
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status gemv(
            Handle handle, Op opA, VectorView alpha, MatrixView a, VectorView x, VectorView beta, VectorView y) {
        Call f = Frame.begin(handle, Gemv.ROUTINE, y);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return gemv(handle, f, opA, a, x, y);
    }

    private static Status gemv(Handle handle, Call f, Op opA, MatrixView a, VectorView x, VectorView y) {
        Frame.matrix(f, 0, a);
        Frame.vector(f, 1, x);
        Frame.vector(f, 2, y);
        Launch g = f.args;
        g.opA = opA;
        g.m = g.a.rows;
        g.n = g.a.cols;
        g.count = y == null ? 1 : y.count;
        f.match("size of x = columns of op(A)", g.b.rows, opA == Op.NONE ? g.n : g.m);
        f.match("size of y = rows of op(A)", g.c.rows, opA == Op.NONE ? g.m : g.n);
        return Frame.execute(handle);
    }

    // ---- ger
    // -----------------------------------------------------------------------------------------------------------

    /**
     * A := alpha·x·yᵀ + A; on complex elements the same as geru. An empty A is a quick return; alpha = 0 reads and changes
     * nothing.
     *
     * @param handle handle
     * @param alpha factor of the product
     * @param x m elements
     * @param y n elements
     * @param a A, m×n, not overlapping x or y
     * @return SUCCESS; in a query SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE for types that do not fit, INVALID_SIZE for sizes or batches that do not fit and
     *     increments of 0, INVALID_POINTER for a view that is null, or has no memory although it is needed
     */
    public static Status ger(Handle handle, double alpha, VectorView x, VectorView y, MatrixView a) {
        Leaf kernels = alpha != 0 ? DirectMatrix.enter(handle, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.ger(
                    handle, kernels, Ger.GER, a.type, a.rows, a.cols, alpha, 0, x.first, x.inc, y.first, y.inc, a.first,
                    a.ld);
        }
        Call f = Frame.begin(handle, Ger.GER, a);
        Frame.alpha(f, alpha);
        return ger(handle, f, x, y, a);
    }

    /**
     * As {@link #ger(Handle, double, VectorView, VectorView, MatrixView)} with a complex scalar.
     *
     * @param handle handle
     * @param alpha factor of the product
     * @param x m elements
     * @param y n elements
     * @param a A, m×n, not overlapping x or y
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status ger(Handle handle, Complex alpha, VectorView x, VectorView y, MatrixView a) {
        Leaf kernels = DirectMatrix.active(alpha, a) ? DirectMatrix.enter(handle, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.ger(
                    handle,
                    kernels,
                    Ger.GER,
                    a.type,
                    a.rows,
                    a.cols,
                    alpha.re(),
                    alpha.im(),
                    x.first,
                    x.inc,
                    y.first,
                    y.inc,
                    a.first,
                    a.ld);
        }
        Call f = Frame.begin(handle, Ger.GER, a);
        Frame.alpha(f, alpha);
        return ger(handle, f, x, y, a);
    }

    /**
     * As {@link #ger(Handle, double, VectorView, VectorView, MatrixView)} with the scalar in device memory.
     *
     * @param handle handle
     * @param alpha factor of the product: one element of A's type or its real type
     * @param x m elements
     * @param y n elements
     * @param a A, m×n, not overlapping x or y
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status ger(Handle handle, VectorView alpha, VectorView x, VectorView y, MatrixView a) {
        Call f = Frame.begin(handle, Ger.GER, a);
        Frame.alpha(f, alpha);
        return ger(handle, f, x, y, a);
    }

    /**
     * A := alpha·x·yᵀ + A, nothing conjugated; else as {@link #ger(Handle, double, VectorView, VectorView, MatrixView)}.
     *
     * @param handle handle
     * @param alpha factor of the product
     * @param x m elements
     * @param y n elements
     * @param a A, m×n, not overlapping x or y
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status geru(Handle handle, double alpha, VectorView x, VectorView y, MatrixView a) {
        Leaf kernels = alpha != 0 ? DirectMatrix.enter(handle, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.ger(
                    handle, kernels, Ger.GERU, a.type, a.rows, a.cols, alpha, 0, x.first, x.inc, y.first, y.inc,
                    a.first, a.ld);
        }
        Call f = Frame.begin(handle, Ger.GERU, a);
        Frame.alpha(f, alpha);
        return ger(handle, f, x, y, a);
    }

    /**
     * As {@link #geru(Handle, double, VectorView, VectorView, MatrixView)} with a complex scalar.
     *
     * @param handle handle
     * @param alpha factor of the product
     * @param x m elements
     * @param y n elements
     * @param a A, m×n, not overlapping x or y
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status geru(Handle handle, Complex alpha, VectorView x, VectorView y, MatrixView a) {
        Leaf kernels = DirectMatrix.active(alpha, a) ? DirectMatrix.enter(handle, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.ger(
                    handle,
                    kernels,
                    Ger.GERU,
                    a.type,
                    a.rows,
                    a.cols,
                    alpha.re(),
                    alpha.im(),
                    x.first,
                    x.inc,
                    y.first,
                    y.inc,
                    a.first,
                    a.ld);
        }
        Call f = Frame.begin(handle, Ger.GERU, a);
        Frame.alpha(f, alpha);
        return ger(handle, f, x, y, a);
    }

    /**
     * As {@link #geru(Handle, double, VectorView, VectorView, MatrixView)} with the scalar in device memory.
     *
     * @param handle handle
     * @param alpha factor of the product: one element of A's type or its real type
     * @param x m elements
     * @param y n elements
     * @param a A, m×n, not overlapping x or y
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status geru(Handle handle, VectorView alpha, VectorView x, VectorView y, MatrixView a) {
        Call f = Frame.begin(handle, Ger.GERU, a);
        Frame.alpha(f, alpha);
        return ger(handle, f, x, y, a);
    }

    /**
     * A := alpha·x·yᴴ + A; else as {@link #ger(Handle, double, VectorView, VectorView, MatrixView)}.
     *
     * @param handle handle
     * @param alpha factor of the product
     * @param x m elements
     * @param y n elements, conjugated
     * @param a A, m×n, not overlapping x or y
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status gerc(Handle handle, double alpha, VectorView x, VectorView y, MatrixView a) {
        Leaf kernels = alpha != 0 ? DirectMatrix.enter(handle, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.ger(
                    handle, kernels, Ger.GERC, a.type, a.rows, a.cols, alpha, 0, x.first, x.inc, y.first, y.inc,
                    a.first, a.ld);
        }
        Call f = Frame.begin(handle, Ger.GERC, a);
        Frame.alpha(f, alpha);
        return ger(handle, f, x, y, a);
    }

    /**
     * As {@link #gerc(Handle, double, VectorView, VectorView, MatrixView)} with a complex scalar.
     *
     * @param handle handle
     * @param alpha factor of the product
     * @param x m elements
     * @param y n elements, conjugated
     * @param a A, m×n, not overlapping x or y
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status gerc(Handle handle, Complex alpha, VectorView x, VectorView y, MatrixView a) {
        Leaf kernels = DirectMatrix.active(alpha, a) ? DirectMatrix.enter(handle, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.ger(
                    handle,
                    kernels,
                    Ger.GERC,
                    a.type,
                    a.rows,
                    a.cols,
                    alpha.re(),
                    alpha.im(),
                    x.first,
                    x.inc,
                    y.first,
                    y.inc,
                    a.first,
                    a.ld);
        }
        Call f = Frame.begin(handle, Ger.GERC, a);
        Frame.alpha(f, alpha);
        return ger(handle, f, x, y, a);
    }

    /**
     * As {@link #gerc(Handle, double, VectorView, VectorView, MatrixView)} with the scalar in device memory.
     *
     * @param handle handle
     * @param alpha factor of the product: one element of A's type or its real type
     * @param x m elements
     * @param y n elements, conjugated
     * @param a A, m×n, not overlapping x or y
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status gerc(Handle handle, VectorView alpha, VectorView x, VectorView y, MatrixView a) {
        Call f = Frame.begin(handle, Ger.GERC, a);
        Frame.alpha(f, alpha);
        return ger(handle, f, x, y, a);
    }

    private static Status ger(Handle handle, Call f, VectorView x, VectorView y, MatrixView a) {
        Frame.vector(f, 0, x);
        Frame.vector(f, 1, y);
        Frame.matrix(f, 2, a);
        Launch g = f.args;
        g.m = g.c.rows;
        g.n = g.c.cols;
        g.count = a == null ? 1 : a.count;
        f.match("size of x = rows of A", g.a.rows, g.m);
        f.match("size of y = columns of A", g.b.rows, g.n);
        return Frame.execute(handle);
    }

    // ---- symv, hemv
    // ----------------------------------------------------------------------------------------------------

    /**
     * y := alpha·A·x + beta·y, A symmetric; the triangle that is not named is never read. n = 0 is a quick return. alpha = 0
     * reads neither A nor x; beta = 0 overwrites y, even where it holds NaN; alpha = 0 with beta = 1 does nothing.
     *
     * @param handle handle
     * @param uplo the triangle of A that is stored
     * @param alpha factor of the product
     * @param a A, n×n
     * @param x n elements
     * @param beta factor of y's old value
     * @param y n elements, not overlapping A or x
     * @return SUCCESS, or PERF_DEGRADED if workspace was short; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE for null options and types that do not fit, INVALID_SIZE for sizes or batches that do
     *     not fit and increments of 0, INVALID_POINTER for a view that is null, or has no memory although it is needed
     */
    public static Status symv(
            Handle handle, Uplo uplo, double alpha, MatrixView a, VectorView x, double beta, VectorView y) {
        boolean plain = alpha != 0;
        Leaf kernels = plain ? DirectMatrix.enter(handle, uplo, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.symv(
                    handle, kernels, Symv.SYMV, a.type, uplo, a.rows, alpha, 0, a.first, a.ld, x.first, x.inc, beta, 0,
                    y.first, y.inc);
        }
        Call f = Frame.begin(handle, Symv.SYMV, y);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symv(handle, f, uplo, a, x, y);
    }

    /**
     * As {@link #symv(Handle, Uplo, double, MatrixView, VectorView, double, VectorView)} with complex scalars.
     *
     * @param handle handle
     * @param uplo the triangle of A that is stored
     * @param alpha factor of the product
     * @param a A, n×n
     * @param x n elements
     * @param beta factor of y's old value
     * @param y n elements, not overlapping A or x
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status symv(
            Handle handle, Uplo uplo, Complex alpha, MatrixView a, VectorView x, Complex beta, VectorView y) {
        boolean plain = DirectMatrix.active(alpha, a) && DirectMatrix.fits(beta, a);
        Leaf kernels = plain ? DirectMatrix.enter(handle, uplo, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.symv(
                    handle,
                    kernels,
                    Symv.SYMV,
                    a.type,
                    uplo,
                    a.rows,
                    alpha.re(),
                    alpha.im(),
                    a.first,
                    a.ld,
                    x.first,
                    x.inc,
                    beta.re(),
                    beta.im(),
                    y.first,
                    y.inc);
        }
        Call f = Frame.begin(handle, Symv.SYMV, y);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symv(handle, f, uplo, a, x, y);
    }

    /**
     * As {@link #symv(Handle, Uplo, double, MatrixView, VectorView, double, VectorView)} with the scalars in device memory. Since
     * their values are not known before, all views need memory.
     *
     * @param handle handle
     * @param uplo the triangle of A that is stored
     * @param alpha factor of the product: one element of y's type or its real type
     * @param a A, n×n
     * @param x n elements
     * @param beta factor of y's old value: as alpha
     * @param y n elements, not overlapping A or x
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status symv(
            Handle handle, Uplo uplo, VectorView alpha, MatrixView a, VectorView x, VectorView beta, VectorView y) {
        Call f = Frame.begin(handle, Symv.SYMV, y);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symv(handle, f, uplo, a, x, y);
    }

    /**
     * y := alpha·A·x + beta·y, A Hermitian of complex type; imaginary parts on its diagonal are taken as 0. Else as
     * {@link #symv(Handle, Uplo, double, MatrixView, VectorView, double, VectorView)}.
     *
     * @param handle handle
     * @param uplo the triangle of A that is stored
     * @param alpha factor of the product
     * @param a A, n×n
     * @param x n elements
     * @param beta factor of y's old value
     * @param y n elements, not overlapping A or x
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException as symv; also INVALID_VALUE for real elements
     */
    public static Status hemv(
            Handle handle, Uplo uplo, double alpha, MatrixView a, VectorView x, double beta, VectorView y) {
        boolean plain = alpha != 0 && a != null && a.type.isComplex();
        Leaf kernels = plain ? DirectMatrix.enter(handle, uplo, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.symv(
                    handle, kernels, Symv.HEMV, a.type, uplo, a.rows, alpha, 0, a.first, a.ld, x.first, x.inc, beta, 0,
                    y.first, y.inc);
        }
        Call f = hemv(handle, y);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symv(handle, f, uplo, a, x, y);
    }

    /**
     * As {@link #hemv(Handle, Uplo, double, MatrixView, VectorView, double, VectorView)} with complex scalars.
     *
     * @param handle handle
     * @param uplo the triangle of A that is stored
     * @param alpha factor of the product
     * @param a A, n×n
     * @param x n elements
     * @param beta factor of y's old value
     * @param y n elements, not overlapping A or x
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status hemv(
            Handle handle, Uplo uplo, Complex alpha, MatrixView a, VectorView x, Complex beta, VectorView y) {
        boolean plain = DirectMatrix.active(alpha, a) && DirectMatrix.fits(beta, a) && a != null && a.type.isComplex();
        Leaf kernels = plain ? DirectMatrix.enter(handle, uplo, a, x, y) : null;
        if (kernels != null) {
            return DirectMatrix.symv(
                    handle,
                    kernels,
                    Symv.HEMV,
                    a.type,
                    uplo,
                    a.rows,
                    alpha.re(),
                    alpha.im(),
                    a.first,
                    a.ld,
                    x.first,
                    x.inc,
                    beta.re(),
                    beta.im(),
                    y.first,
                    y.inc);
        }
        Call f = hemv(handle, y);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symv(handle, f, uplo, a, x, y);
    }

    /**
     * As {@link #hemv(Handle, Uplo, double, MatrixView, VectorView, double, VectorView)} with the scalars in device memory. Since
     * their values are not known before, all views need memory.
     *
     * @param handle handle
     * @param uplo the triangle of A that is stored
     * @param alpha factor of the product: one element of y's type or its real type
     * @param a A, n×n
     * @param x n elements
     * @param beta factor of y's old value: as alpha
     * @param y n elements, not overlapping A or x
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status hemv(
            Handle handle, Uplo uplo, VectorView alpha, MatrixView a, VectorView x, VectorView beta, VectorView y) {
        Call f = hemv(handle, y);
        Frame.alpha(f, alpha);
        Frame.beta(f, beta);
        return symv(handle, f, uplo, a, x, y);
    }

    /** A missing view must be reported as missing, not as one of the real type that a frame begins with. */
    private static Call hemv(Handle handle, VectorView y) {
        return Frame.begin(handle, Symv.HEMV, y == null ? ElementType.C64 : y.type);
    }

    private static Status symv(Handle handle, Call f, Uplo uplo, MatrixView a, VectorView x, VectorView y) {
        Frame.matrix(f, 0, a);
        Frame.vector(f, 1, x);
        Frame.vector(f, 2, y);
        Launch g = f.args;
        g.uplo = uplo;
        g.n = g.a.rows;
        g.count = y == null ? 1 : y.count;
        f.match("columns of A = rows of A", g.a.cols, g.n);
        f.match("size of x = order of A", g.b.rows, g.n);
        f.match("size of y = order of A", g.c.rows, g.n);
        return Frame.execute(handle);
    }

    // ---- trmv, trsv
    // ----------------------------------------------------------------------------------------------------

    /**
     * x := op(A)·x, A triangular; the other triangle, and with {@link Diag#UNIT} the diagonal, is never read. n = 0 is a quick
     * return.
     *
     * @param handle handle
     * @param uplo the triangle of A that is stored
     * @param opA how A is read
     * @param diag whether the diagonal is taken as ones
     * @param a A, n×n
     * @param x n elements, not overlapping A
     * @return SUCCESS, or PERF_DEGRADED if workspace was short; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE for null options and types that do not fit, INVALID_SIZE for sizes or batches that do
     *     not fit and increments of 0, INVALID_POINTER for a view that is null or without memory
     */
    public static Status trmv(Handle handle, Uplo uplo, Op opA, Diag diag, MatrixView a, VectorView x) {
        return triangular(handle, Trmv.ROUTINE, uplo, opA, diag, a, x);
    }

    /**
     * Solves op(A)·x = b, A triangular; x overwrites b. The other triangle, and with {@link Diag#UNIT} the diagonal, is never
     * read. Singularity is not looked for: a zero on the diagonal gives infinities and NaN. n = 0 is a quick return.
     *
     * @param handle handle
     * @param uplo the triangle of A that is stored
     * @param opA how A is read
     * @param diag whether the diagonal is taken as ones
     * @param a A, n×n
     * @param x b, and then x: n elements, not overlapping A
     * @return SUCCESS; in a query SIZE_UNCHANGED, since the solution needs no workspace
     * @throws BlasException as {@link #trmv}
     */
    public static Status trsv(Handle handle, Uplo uplo, Op opA, Diag diag, MatrixView a, VectorView x) {
        Leaf kernels = DirectMatrix.enter(handle, uplo, opA, diag, a, x);
        if (kernels != null) {
            return DirectMatrix.trsv(
                    handle, kernels, Trsv.ROUTINE, a.type, uplo, opA, diag, a.rows, a.first, a.ld, x.first, x.inc);
        }
        return triangular(handle, Trsv.ROUTINE, uplo, opA, diag, a, x);
    }

    private static Status triangular(
            Handle handle, Routine routine, Uplo uplo, Op opA, Diag diag, MatrixView a, VectorView x) {
        Call f = Frame.begin(handle, routine, x);
        Frame.matrix(f, 0, a);
        Frame.vector(f, 2, x);
        Launch g = f.args;
        g.uplo = uplo;
        g.opA = opA;
        g.diag = diag;
        g.n = g.a.rows;
        g.count = x == null ? 1 : x.count;
        f.match("columns of A = rows of A", g.a.cols, g.n);
        f.match("size of x = order of A", g.c.rows, g.n);
        return Frame.execute(handle);
    }
}
