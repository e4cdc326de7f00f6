package dev.basalt.portable;

import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/**
 * The tridiagonal kernels for one problem of one element type, over absolute addresses. Diagonals are named as in LAPACK: dl below the main one, d, du and du2 above.
 */
public interface TridiagonalLeaf {
    /**
     * The kernels of a type.
     *
     * @param type a floating type
     * @return kernels, always the same
     */
    static TridiagonalLeaf of(ElementType type) {
        return switch (type) {
            case F32 -> STridiagonal.KERNELS;
            case F64 -> DTridiagonal.KERNELS;
            case C32 -> CTridiagonal.KERNELS;
            case C64 -> ZTridiagonal.KERNELS;
            default -> throw new IllegalArgumentException("no tridiagonal systems of " + type);
        };
    }

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

    /**
     * L·D·Lᴴ of a positive definite matrix with the real diagonal d and the subdiagonal e, in place, as LAPACK's pttrf.
     *
     * @return as {@link Leaf#potf2}
     */
    long pttrf(long n, long d, long e);

    /** Solves for so many right-hand sides with what {@link #pttrf} leaves; {@code upper}: e is the superdiagonal of U in Uᴴ·D·U. */
    void pttrs(boolean upper, long n, long sides, long d, long e, long b, long ldb);
}
