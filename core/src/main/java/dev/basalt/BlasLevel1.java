package dev.basalt;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.vector.Elementwise;
import dev.basalt.internal.vector.Reduction;
import dev.basalt.internal.vector.Rotation;
import dev.basalt.portable.Leaf;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;

/** Level 1: vectors. Use through {@link Blas}. */
class BlasLevel1 {
    BlasLevel1() {}

    // ---- element by element
    // --------------------------------------------------------------------------------------------

    /**
     * y := alpha·x + y. Empty vectors are a quick return; alpha = 0 reads and changes nothing. An increment of 0 stands for one
     * element that is used again and again, a negative one walks backwards. A batch of one x is shared by all y.
     *
     * @param handle handle
     * @param alpha factor of x
     * @param x n elements
     * @param y n elements, not overlapping x
     * @return SUCCESS; in a query SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE for types that do not fit, INVALID_SIZE if x and y differ in size or batch,
     *     INVALID_POINTER if a view is null, or has no memory although it is needed
     */
    public static Status axpy(Handle handle, double alpha, VectorView x, VectorView y) {
        Leaf kernels = alpha != 0 ? Direct.enter(handle, x, y) : null;
        if (kernels != null) {
            return Direct.axpy(
                    handle, kernels, Elementwise.AXPY, x.type, x.n, alpha, 0, x.first, x.inc, y.first, y.inc);
        }
        Call f = Frame.begin(handle, Elementwise.AXPY, y);
        Frame.alpha(f, alpha);
        return pair(handle, f, x, y);
    }

    /**
     * As {@link #axpy(Handle, double, VectorView, VectorView)} with a complex scalar.
     *
     * @param handle handle
     * @param alpha factor of x; on real elements its imaginary part must be 0
     * @param x n elements
     * @param y n elements, not overlapping x
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status axpy(Handle handle, Complex alpha, VectorView x, VectorView y) {
        boolean nonZero = Direct.fits(alpha, x) && (alpha.re() != 0 || alpha.im() != 0);
        Leaf kernels = nonZero ? Direct.enter(handle, x, y) : null;
        if (kernels != null) {
            return Direct.axpy(
                    handle,
                    kernels,
                    Elementwise.AXPY,
                    x.type,
                    x.n,
                    alpha.re(),
                    alpha.im(),
                    x.first,
                    x.inc,
                    y.first,
                    y.inc);
        }
        Call f = Frame.begin(handle, Elementwise.AXPY, y);
        Frame.alpha(f, alpha);
        return pair(handle, f, x, y);
    }

    /**
     * As {@link #axpy(Handle, double, VectorView, VectorView)} with the scalar in device memory, read when the kernel runs.
     *
     * @param handle handle
     * @param alpha factor of x: one element of x's type or its real type
     * @param x n elements
     * @param y n elements, not overlapping x
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status axpy(Handle handle, VectorView alpha, VectorView x, VectorView y) {
        Call f = Frame.begin(handle, Elementwise.AXPY, y);
        Frame.alpha(f, alpha);
        return pair(handle, f, x, y);
    }

    /**
     * x := alpha·x. Empty vectors and increments that are not positive are a quick return, alpha = 1 touches nothing. Elements
     * that are NaN stay NaN even for alpha = 0. A real alpha scales both parts of complex elements (csscal, zdscal), where a
     * {@link Complex} one is a full product.
     *
     * @param handle handle
     * @param alpha factor
     * @param x n elements
     * @return SUCCESS; in a query SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE for types that do not fit, INVALID_POINTER if the view is null, or has no memory
     *     although it is needed
     */
    public static Status scal(Handle handle, double alpha, VectorView x) {
        Leaf kernels = alpha != 1 ? Direct.enterForward(handle, x) : null;
        if (kernels != null) {
            return Direct.scal(handle, kernels, Elementwise.SCAL_REAL, x.type, x.n, alpha, 0, x.first, x.inc);
        }
        Call f = Frame.begin(handle, Elementwise.SCAL_REAL, x);
        Frame.alpha(f, alpha);
        return scal(handle, f, x);
    }

    /**
     * As {@link #scal(Handle, double, VectorView)} with a complex scalar.
     *
     * @param handle handle
     * @param alpha factor; on real elements its imaginary part must be 0
     * @param x n elements
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status scal(Handle handle, Complex alpha, VectorView x) {
        boolean notOne = Direct.fits(alpha, x) && (alpha.re() != 1 || alpha.im() != 0);
        Leaf kernels = notOne ? Direct.enterForward(handle, x) : null;
        if (kernels != null) {
            return Direct.scal(handle, kernels, Elementwise.SCAL, x.type, x.n, alpha.re(), alpha.im(), x.first, x.inc);
        }
        Call f = Frame.begin(handle, Elementwise.SCAL, x);
        Frame.alpha(f, alpha);
        return scal(handle, f, x);
    }

    /**
     * As {@link #scal(Handle, double, VectorView)} with the scalar in device memory, read when the kernel runs.
     *
     * @param handle handle
     * @param alpha factor: one element of x's type or its real type
     * @param x n elements
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status scal(Handle handle, VectorView alpha, VectorView x) {
        boolean full = alpha == null || alpha.type.isComplex();
        Call f = Frame.begin(handle, full ? Elementwise.SCAL : Elementwise.SCAL_REAL, x);
        Frame.alpha(f, alpha);
        return scal(handle, f, x);
    }

    private static Status scal(Handle handle, Call f, VectorView x) {
        Frame.vector(f, 2, x);
        f.args.n = x == null ? 0 : x.n;
        f.args.count = x == null ? 1 : x.count;
        return Frame.execute(handle);
    }

    /**
     * y := x. Empty vectors are a quick return.
     *
     * @param handle handle
     * @param x n elements; a batch of one is shared by all y
     * @param y n elements, not overlapping x
     * @return SUCCESS; in a query SIZE_UNCHANGED
     * @throws BlasException as {@link #axpy(Handle, double, VectorView, VectorView)}
     */
    public static Status copy(Handle handle, VectorView x, VectorView y) {
        Leaf kernels = Direct.enter(handle, x, y);
        if (kernels != null) {
            return Direct.copy(handle, kernels, Elementwise.COPY, x.type, x.n, x.first, x.inc, y.first, y.inc);
        }
        return pair(handle, Frame.begin(handle, Elementwise.COPY, y), x, y);
    }

    /**
     * x and y exchange their elements. Empty vectors are a quick return.
     *
     * @param handle handle
     * @param x n elements
     * @param y n elements, not overlapping x, in a batch of the same size
     * @return SUCCESS; in a query SIZE_UNCHANGED
     * @throws BlasException as {@link #axpy(Handle, double, VectorView, VectorView)}
     */
    public static Status swap(Handle handle, VectorView x, VectorView y) {
        Leaf kernels = Direct.enter(handle, x, y);
        if (kernels != null) {
            return Direct.swap(handle, kernels, Elementwise.SWAP, x.type, x.n, x.first, x.inc, y.first, y.inc);
        }
        return pair(handle, Frame.begin(handle, Elementwise.SWAP, y), x, y);
    }

    /**
     * Applies a plane rotation: x := c·x + s·y and y := c·y - s·x. The sine is real whatever the elements are (csrot, zdrot). Empty
     * vectors are a quick return. No values of c and s are special: c = 1 with s = 0 reads and writes all elements too. An increment
     * of 0 stands for one element that is rotated again and again.
     *
     * @param handle handle
     * @param x n elements
     * @param y n elements, not overlapping x, in a batch of the same size
     * @param c cosine
     * @param s sine
     * @return SUCCESS; in a query SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE for types that do not fit, INVALID_SIZE if x and y differ in size or batch,
     *     INVALID_POINTER if a view is null, or has no memory although it is needed
     */
    public static Status rot(Handle handle, VectorView x, VectorView y, double c, double s) {
        Leaf kernels = Direct.enter(handle, x, y);
        if (kernels != null) {
            return Direct.rot(handle, kernels, Rotation.ROT_REAL, x.type, x.n, x.first, x.inc, y.first, y.inc, c, s, 0);
        }
        Call f = Frame.begin(handle, Rotation.ROT_REAL, y);
        Frame.alpha(f, c);
        Frame.beta(f, s);
        return pair(handle, f, x, y);
    }

    /**
     * As {@link #rot(Handle, VectorView, VectorView, double, double)} with a complex sine: x := c·x + s·y and y := c·y - conj(s)·x.
     *
     * @param handle handle
     * @param x n elements
     * @param y n elements, not overlapping x, in a batch of the same size
     * @param c cosine, real as always
     * @param s sine; on real elements its imaginary part must be 0
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status rot(Handle handle, VectorView x, VectorView y, double c, Complex s) {
        Leaf kernels = Direct.fits(s, x) ? Direct.enter(handle, x, y) : null;
        if (kernels != null) {
            return Direct.rot(
                    handle, kernels, Rotation.ROT, x.type, x.n, x.first, x.inc, y.first, y.inc, c, s.re(), s.im());
        }
        Call f = Frame.begin(handle, Rotation.ROT, y);
        Frame.alpha(f, c);
        Frame.beta(f, s);
        return pair(handle, f, x, y);
    }

    /**
     * As {@link #rot(Handle, VectorView, VectorView, double, double)} with the scalars in device memory, read when the kernel runs.
     *
     * @param handle handle
     * @param x n elements
     * @param y n elements, not overlapping x, in a batch of the same size
     * @param c cosine: one element of x's real type
     * @param s sine: one element of x's type or its real type
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status rot(Handle handle, VectorView x, VectorView y, VectorView c, VectorView s) {
        boolean full = s == null || s.type.isComplex();
        Call f = Frame.begin(handle, full ? Rotation.ROT : Rotation.ROT_REAL, y);
        Frame.alpha(f, c);
        Frame.beta(f, s);
        return pair(handle, f, x, y);
    }

    private static Status pair(Handle handle, Call f, VectorView x, VectorView y) {
        Frame.vector(f, 0, x);
        Frame.vector(f, 2, y);
        f.args.n = y == null ? 0 : y.n;
        f.args.count = y == null ? 1 : y.count;
        f.match("size of x = size of y", x == null ? 0 : x.n, f.args.n);
        return Frame.execute(handle);
    }

    // ---- dot products
    // --------------------------------------------------------------------------------------------------

    /**
     * Σ xᵢ·yᵢ of real vectors, for the host: waits for the device. Complex vectors need {@link #dotu(Handle, VectorView,
     * VectorView)} or {@link #dotc(Handle, VectorView, VectorView)}. Long vectors are summed in blocks of fixed size, so that a
     * result has the same bits however many workers took part and whatever workspace there was.
     *
     * @param handle handle
     * @param x n elements
     * @param y n elements
     * @return the sum; 0 for empty vectors and in a query
     * @throws BlasException INVALID_VALUE for types that do not fit, INVALID_SIZE if x and y differ in size, or for a batch,
     *     INVALID_POINTER for a view that is null or without memory, MEMORY_ERROR if there is no workspace for the result
     */
    public static double dot(Handle handle, VectorView x, VectorView y) {
        Leaf kernels = x != null && !x.type.isComplex() ? Direct.enter(handle, x, y) : null;
        if (kernels != null) {
            return Direct.dot(handle, kernels, Reduction.DOT, x.type, x.n, x.first, x.inc, y.first, y.inc);
        }
        dot(Frame.begin(handle, Reduction.DOT, x), x, y);
        return Frame.executeReal(handle);
    }

    /**
     * Σ xᵢ·yᵢ of real vectors, into device memory: does not wait. Empty vectors give 0, an empty batch nothing.
     *
     * @param handle handle
     * @param x n elements
     * @param y n elements, in a batch of the same size or one shared by all
     * @param result one element of the type of x for each problem: a vector of as many elements, or a batch of single ones
     * @return SUCCESS, or PERF_DEGRADED if workspace was short; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException as {@link #dot(Handle, VectorView, VectorView)}; also INVALID_POINTER if there is no result
     */
    public static Status dot(Handle handle, VectorView x, VectorView y, VectorView result) {
        return dot(handle, Frame.begin(handle, Reduction.DOT, x), x, y, result);
    }

    /**
     * Σ xᵢ·yᵢ for the host, as {@link #dot(Handle, VectorView, VectorView)}, of any type.
     *
     * @param handle handle
     * @param x n elements
     * @param y n elements
     * @return the sum; 0 for empty vectors and in a query
     */
    public static Complex dotu(Handle handle, VectorView x, VectorView y) {
        Leaf kernels = Direct.enter(handle, x, y);
        if (kernels != null) {
            return Direct.dotu(handle, kernels, Reduction.DOTU, x.type, x.n, x.first, x.inc, y.first, y.inc);
        }
        dot(Frame.begin(handle, Reduction.DOTU, x), x, y);
        return Frame.executeComplex(handle);
    }

    /**
     * Σ xᵢ·yᵢ into device memory, as {@link #dot(Handle, VectorView, VectorView, VectorView)}, of any type.
     *
     * @param handle handle
     * @param x n elements
     * @param y n elements, in a batch of the same size or one shared by all
     * @param result one element of the type of x for each problem
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status dotu(Handle handle, VectorView x, VectorView y, VectorView result) {
        return dot(handle, Frame.begin(handle, Reduction.DOTU, x), x, y, result);
    }

    /**
     * Σ conj(xᵢ)·yᵢ for the host, as {@link #dot(Handle, VectorView, VectorView)}, of any type.
     *
     * @param handle handle
     * @param x n elements, conjugated
     * @param y n elements
     * @return the sum; 0 for empty vectors and in a query
     */
    public static Complex dotc(Handle handle, VectorView x, VectorView y) {
        Leaf kernels = Direct.enter(handle, x, y);
        if (kernels != null) {
            return Direct.dotu(handle, kernels, Reduction.DOTC, x.type, x.n, x.first, x.inc, y.first, y.inc);
        }
        dot(Frame.begin(handle, Reduction.DOTC, x), x, y);
        return Frame.executeComplex(handle);
    }

    /**
     * Σ conj(xᵢ)·yᵢ into device memory, as {@link #dot(Handle, VectorView, VectorView, VectorView)}, of any type.
     *
     * @param handle handle
     * @param x n elements, conjugated
     * @param y n elements, in a batch of the same size or one shared by all
     * @param result one element of the type of x for each problem
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status dotc(Handle handle, VectorView x, VectorView y, VectorView result) {
        return dot(handle, Frame.begin(handle, Reduction.DOTC, x), x, y, result);
    }

    private static void dot(Call f, VectorView x, VectorView y) {
        second(f, x, y);
        reduce(f, x);
    }

    private static Status dot(Handle handle, Call f, VectorView x, VectorView y, VectorView result) {
        second(f, x, y);
        return reduce(handle, f, x, result);
    }

    private static void second(Call f, VectorView x, VectorView y) {
        Frame.vector(f, 1, y);
        f.match("size of y = size of x", y == null ? 0 : y.n, x == null ? 0 : x.n);
    }

    // ---- reductions of one vector
    // --------------------------------------------------------------------------------------

    /**
     * Σ |re xᵢ| + |im xᵢ| for the host: waits for the device. A vector that is empty or has an increment that is not positive
     * gives 0.
     *
     * @param handle handle
     * @param x n elements
     * @return the sum; 0 in a query
     * @throws BlasException INVALID_VALUE for integers, INVALID_SIZE for a batch, INVALID_POINTER for a view that is null or
     *     without memory, MEMORY_ERROR if there is no workspace for the result
     */
    public static double asum(Handle handle, VectorView x) {
        Leaf kernels = Direct.enterForward(handle, x);
        if (kernels != null) {
            return Direct.asum(handle, kernels, Reduction.ASUM, x.type, x.n, x.first, x.inc);
        }
        reduce(Frame.begin(handle, Reduction.ASUM, x), x);
        return Frame.executeReal(handle);
    }

    /**
     * Σ |re xᵢ| + |im xᵢ| into device memory: does not wait. A vector that is empty or has an increment that is not positive
     * gives 0.
     *
     * @param handle handle
     * @param x n elements
     * @param result one element of the real type of x for each problem: a vector of as many elements, or a batch of single
     *     ones
     * @return SUCCESS, or PERF_DEGRADED if workspace was short; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException as {@link #asum(Handle, VectorView)}; also INVALID_POINTER if there is no result
     */
    public static Status asum(Handle handle, VectorView x, VectorView result) {
        return reduce(handle, Frame.begin(handle, Reduction.ASUM, x), x, result);
    }

    /**
     * ‖x‖₂ for the host, without avoidable overflow or underflow; else as {@link #asum(Handle, VectorView)}.
     *
     * @param handle handle
     * @param x n elements
     * @return the norm; 0 in a query
     */
    public static double nrm2(Handle handle, VectorView x) {
        Leaf kernels = Direct.enterForward(handle, x);
        if (kernels != null) {
            return Direct.nrm2(handle, kernels, Reduction.NRM2, x.type, x.n, x.first, x.inc);
        }
        reduce(Frame.begin(handle, Reduction.NRM2, x), x);
        return Frame.executeReal(handle);
    }

    /**
     * ‖x‖₂ into device memory, without avoidable overflow or underflow; else as {@link #asum(Handle, VectorView, VectorView)}.
     *
     * @param handle handle
     * @param x n elements
     * @param result one element of the real type of x for each problem
     * @return SUCCESS or PERF_DEGRADED; in a query SIZE_INCREASED or SIZE_UNCHANGED
     */
    public static Status nrm2(Handle handle, VectorView x, VectorView result) {
        return reduce(handle, Frame.begin(handle, Reduction.NRM2, x), x, result);
    }

    /**
     * The index, counted from 1, of the first element with the largest |re| + |im|, for the host; NaN counts as largest. Else as
     * {@link #asum(Handle, VectorView)}.
     *
     * @param handle handle
     * @param x n elements
     * @return index from 1; 0 for an empty vector and in a query
     */
    public static long iamax(Handle handle, VectorView x) {
        Leaf kernels = Direct.enterForward(handle, x);
        if (kernels != null) {
            return Direct.iamax(handle, kernels, Reduction.IAMAX, x.type, x.n, x.first, x.inc);
        }
        reduce(Frame.begin(handle, Reduction.IAMAX, x), x);
        return Frame.executeIndex(handle);
    }

    /**
     * The index, counted from 1, of the first element with the largest |re| + |im|, into device memory; NaN counts as largest.
     * Else as {@link #asum(Handle, VectorView, VectorView)}.
     *
     * @param handle handle
     * @param x n elements
     * @param result one {@link ElementType#I64} for each problem; 0 for an empty vector
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status iamax(Handle handle, VectorView x, VectorView result) {
        return reduce(handle, Frame.begin(handle, Reduction.IAMAX, x), x, result);
    }

    /**
     * The index, counted from 1, of the first element with the smallest |re| + |im|, for the host. Else as
     * {@link #asum(Handle, VectorView)}.
     *
     * @param handle handle
     * @param x n elements
     * @return index from 1; 0 for an empty vector and in a query
     */
    public static long iamin(Handle handle, VectorView x) {
        Leaf kernels = Direct.enterForward(handle, x);
        if (kernels != null) {
            return Direct.iamin(handle, kernels, Reduction.IAMIN, x.type, x.n, x.first, x.inc);
        }
        reduce(Frame.begin(handle, Reduction.IAMIN, x), x);
        return Frame.executeIndex(handle);
    }

    /**
     * The index, counted from 1, of the first element with the smallest |re| + |im|, into device memory. Else as
     * {@link #asum(Handle, VectorView, VectorView)}.
     *
     * @param handle handle
     * @param x n elements
     * @param result one {@link ElementType#I64} for each problem; 0 for an empty vector
     * @return SUCCESS; in a query SIZE_UNCHANGED
     */
    public static Status iamin(Handle handle, VectorView x, VectorView result) {
        return reduce(handle, Frame.begin(handle, Reduction.IAMIN, x), x, result);
    }

    /** Prepares a reduction whose result the frame will hold; one problem only, since a method returns one value. */
    private static void reduce(Call f, VectorView x) {
        first(f, x);
        f.hostResult = true;
        f.match("one problem (a batch needs the form with a result vector): batch_count = 1", f.args.count, 1);
    }

    private static Status reduce(Handle handle, Call f, VectorView x, VectorView result) {
        first(f, x);
        Frame.perProblem(f, 3, result, f.args.count);
        return Frame.execute(handle);
    }

    private static void first(Call f, VectorView x) {
        Frame.vector(f, 0, x);
        f.args.n = x == null ? 0 : x.n;
        f.args.count = x == null ? 1 : x.count;
    }
}
