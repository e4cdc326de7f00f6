package dev.basalt.host.assembled.matvec;

import dev.basalt.portable.Leaf;
import dev.basalt.type.Op;

/**
 * The leaf whose products with stored triangles and bands go through {@link Stored}, and what it does by element with columns so few that a call of a kernel
 * would take longer. Element (i, j) lies at {@code a + i + step·j + growth·j(j-1)/2}, and k diagonals beside the main one are stored.
 */
public interface StoredLeaf {
    /** This leaf. */
    Leaf leaf();

    /** y := alpha·A·x + beta·y. */
    void symvByElement(boolean upper, boolean hermitian, int n, int k, double alphaRe, double alphaIm, long a,
            long step, long growth, long x, long incx, double betaRe, double betaIm, long y, long incy);

    /** x := op(A)·x. */
    void trmvByElement(boolean upper, Op op, boolean unit, int n, int k, long a, long step, long growth, long x,
            long incx);

    /** Solves op(A)·x = b in place. */
    void trsvByElement(boolean upper, Op op, boolean unit, int n, int k, long a, long step, long growth, long x,
            long incx);
}
