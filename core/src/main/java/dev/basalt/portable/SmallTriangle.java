package dev.basalt.portable;

import dev.basalt.type.Op;

/**
 * Products and equations with a triangle of few columns, for which a call of a kernel would take longer than they do. Element (i, j) lies at
 * {@code a + i + step·j + growth·j(j-1)/2}, and k diagonals beside the main one are stored. Increments and distances are in elements, an address is that of element 0.
 */
public interface SmallTriangle {
    /** y := alpha·A·x + beta·y of a symmetric A, see {@link Leaf#symvStored}. */
    void symv(boolean upper, boolean hermitian, int n, int k, double alphaRe, double alphaIm, long a, long step,
            long growth, long x, long incx, double betaRe, double betaIm, long y, long incy);

    /** x := op(A)·x, see {@link Leaf#trmvStored}. */
    void trmv(boolean upper, Op op, boolean unit, int n, int k, long a, long step, long growth, long x, long incx);

    /** Solves op(A)·x = b in place, see {@link Leaf#trsvStored}. */
    void trsv(boolean upper, Op op, boolean unit, int n, int k, long a, long step, long growth, long x, long incx);
}
