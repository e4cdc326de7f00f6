package dev.basalt.portable;

import dev.basalt.spi.Kernel;
import dev.basalt.type.Uplo;

/** LDLᵀ without blocks, its solution and its inverse pivot by pivot, for one problem of one element type: what a small call is. A triangle that grows by the column is packed. */
public final class IndefiniteLeaf {
    private final AasenLeaf kernels;

    /** Over the kernels of a type. */
    IndefiniteLeaf(AasenLeaf kernels) {
        this.kernels = kernels;
    }

    /**
     * The factors of a triangle in its place, with the pivots of Bunch and Kaufman.
     *
     * @return 1-based column of the first pivot that is zero or not a number, 0 if none is
     */
    public long sytf2(Uplo uplo, boolean hermitian, long n, long a, long lda, long ipiv) {
        return factor(uplo, hermitian, n, a, lda, 0, ipiv);
    }

    /**
     * The same of a packed triangle, whose step and growth follow from its order.
     *
     * @return as above
     */
    public long sytf2(Uplo uplo, boolean hermitian, long n, long a, long step, long growth, long ipiv) {
        return factor(uplo, hermitian, n, a, n - 1, -1, ipiv);
    }

    private long factor(Uplo uplo, boolean hermitian, long n, long a, long step, long growth, long ipiv) {
        boolean upper = uplo == Uplo.UPPER;
        return kernels.sytf2(upper, hermitian, false, n, kernels.first(upper, n, a, step, growth), step, growth, ipiv);
    }

    /** B := the solution of A·X = B from those factors; NaN where pivots are such as no factorisation leaves. */
    public void sytrs(Uplo uplo, boolean hermitian, long n, long nrhs, long a, long lda, long ipiv, long b, long ldb) {
        solve(uplo, hermitian, n, nrhs, a, lda, 0, ipiv, b, ldb);
    }

    /** The same of a packed triangle. */
    public void sytrs(Uplo uplo, boolean hermitian, long n, long nrhs, long a, long step, long growth, long ipiv,
            long b, long ldb) {
        solve(uplo, hermitian, n, nrhs, a, n - 1, -1, ipiv, b, ldb);
    }

    private void solve(Uplo uplo, boolean hermitian, long n, long nrhs, long a, long step, long growth, long ipiv,
            long b, long ldb) {
        boolean upper = uplo == Uplo.UPPER;
        long first = kernels.first(upper, n, a, step, growth);
        if (!kernels.sytrs(upper, hermitian, false, n, nrhs, first, step, growth, ipiv, b, ldb)) {
            kernels.leaf.scalMatrix(n, nrhs, Double.NaN, Double.NaN, b, ldb);
        }
    }

    /**
     * The inverse of a matrix in place of those factors; NaN where pivots are such as no factorisation leaves.
     *
     * @param work n elements of scratch
     * @return 1-based column of a pivot that is zero, with nothing changed, or what is reported of wrong pivots, or 0
     */
    public long sytri(Uplo uplo, boolean hermitian, long n, long a, long lda, long ipiv, long work) {
        long info = invert(uplo, hermitian, n, a, lda, 0, ipiv, work);
        if (info != Long.MIN_VALUE) {
            return info;
        }
        kernels.leaf.scalTriangle(uplo, false, n, Double.NaN, Double.NaN, a, lda);
        return Kernel.WRONG_FACTORS;
    }

    /**
     * The same of a packed triangle.
     *
     * @return as above
     */
    public long sytri(Uplo uplo, boolean hermitian, long n, long a, long step, long growth, long ipiv, long work) {
        long info = invert(uplo, hermitian, n, a, n - 1, -1, ipiv, work);
        if (info != Long.MIN_VALUE) {
            return info;
        }
        kernels.leaf.fill(n * (n + 1) / 2, Double.NaN, Double.NaN, a, 1);
        return Kernel.WRONG_PACKED;
    }

    private long invert(Uplo uplo, boolean hermitian, long n, long a, long step, long growth, long ipiv, long work) {
        boolean upper = uplo == Uplo.UPPER;
        return kernels.sytri(upper, hermitian, false, n, kernels.first(upper, n, a, step, growth), step, growth, ipiv,
                work);
    }
}
