package dev.basalt.portable;

import dev.basalt.type.Op;

/**
 * The tridiagonal kernels for one problem of one element type, over absolute addresses. Diagonals are named as in LAPACK: dl below the main one, d, du and du2 above.
 */
interface TridiagonalLeaf {
    /**
     * LU with partial pivoting, as LAPACK's gttrf. Elements lie one after the other.
     *
     * @return 1-based column of the first pivot that is exactly zero, 0 if none
     */
    long gttrf(long n, long dl, long d, long du, long du2, long ipiv);

    /** Solves op(A)·X = B for so many right-hand sides, as LAPACK's gttrs. */
    void gttrs(Op op, long n, long sides, long dl, long d, long du, long du2, long ipiv, long b, long ldb);

    /**
     * Solves A·X = B, as LAPACK's gtsv: elements of each diagonal and of each right-hand side have an increment.
     *
     * @return 1-based column of the first pivot that is exactly zero, 0 if none
     */
    long gtsv(long n, long sides, long dl, long incdl, long d, long incd, long du, long incdu, long b, long incb,
            long ldb);
}
