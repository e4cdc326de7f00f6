package dev.basalt.host.vector;

import dev.basalt.portable.SmallTriangle;
import dev.basalt.portable.TridiagonalLeaf;
import dev.basalt.type.Op;

/**
 * What kernels of one element type do element by element, where vectors are too short for anything else: with the bits of vectors. Increments and
 * distances are in elements, an address is that of element 0.
 */
public interface ByElement extends SmallTriangle {
    /**
     * Those of a type.
     *
     * @param bytes of an element
     * @param complex whether elements are complex
     * @return them
     */
    static ByElement of(long bytes, boolean complex) {
        if (complex) {
            return bytes == 16 ? new ByElementZ() : new ByElementC();
        }
        return bytes == 8 ? new ByElementD() : new ByElementS();
    }

    /** y := alpha·x + y. */
    void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy);

    /** x := alpha·x of complex numbers: a real alpha has nothing to fuse. */
    void scal(long n, double alphaRe, double alphaIm, long x, long incx);

    /** x := c·x + s·y and y := c·y - conj(s)·x. */
    void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y, long incy);

    /** {@link dev.basalt.portable.Leaf#gemv}. */
    void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long incx, double betaRe,
            double betaIm, long y, long incy);

    /** A := alpha·x·yᵀ + A, or alpha·x·yᴴ + A. */
    void ger(long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy, boolean conj, long a,
            long lda);

    /** {@link dev.basalt.portable.Leaf#syr}. */
    void syr(boolean upper, boolean hermitian, int n, int from, int to, double alphaRe, double alphaIm, long x,
            long incx, long a, long step, long growth);

    /** {@link dev.basalt.portable.Leaf#syr2}. */
    void syr2(boolean upper, boolean hermitian, int n, int from, int to, double alphaRe, double alphaIm, long x,
            long incx, long y, long incy, long a, long step, long growth);

    /** {@link dev.basalt.portable.Leaf#getf2} with no more columns than rows. */
    long lu(long m, long n, long a, long lda, long ipiv, long offset);

    /** A = L·Lᴴ; with {@code di} and {@code dj} exchanged A = Uᴴ·U. */
    long cholesky(long n, long a, long di, long dj);

    /** The inverse of a triangle in its place; see {@link #cholesky}. */
    void invert(long n, boolean unit, long a, long di, long dj);

    /** As {@link TinyD#solve}; {@code conj}: elements of t are conjugates of those meant. */
    boolean solve(long n, boolean unit, boolean conj, long t, long dp, long dq, long sides, long x, long du, long dx);

    /** Kernels of tridiagonal systems, given the portable ones. */
    default TridiagonalLeaf tridiagonal(TridiagonalLeaf portable) {
        return portable;
    }
}
