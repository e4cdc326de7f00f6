package dev.basalt.portable;

/** Eigenvalues of one symmetric tridiagonal matrix with the diagonals d and e, by steps whose number is bounded. */
interface SteqrLeaf {
    /**
     * d := the eigenvalues in rising order.
     *
     * @return how many elements of e have not converged to zero
     */
    long sterf(long n, long d, long e);

    /**
     * The same, and z (m×n) := z times the eigenvectors.
     *
     * @param w address of 2n elements of scratch
     * @return as above
     */
    long steqr(long n, long d, long e, long m, long z, long ldz, long w);
}
