package dev.basalt.portable;

/** Two-sided Jacobi of one symmetric or Hermitian matrix: see {@link dev.basalt.spi.Kernel#SYEVJ}. */
interface EigenJacobiLeaf {
    /**
     * Eigenvalues at {@code values}, eigenvectors in the place of the triangle if they are asked for; n×n elements at h are scratch.
     *
     * @param work elements of a problem as {@link dev.basalt.spi.JacobiWork#tileElements} says, or 0: pairs are then rotated one by one
     * @return 0, or 1 if what is beside the diagonal has not vanished
     */
    int syevj(boolean lower, boolean vectors, long n, long a, long lda, long h, long values, double alphaRe,
            long sweeps, long residual, long taken, long work);
}
