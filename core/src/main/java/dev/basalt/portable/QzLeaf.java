package dev.basalt.portable;

/** The generalised Schur form of one pair of matrices: see {@link dev.basalt.spi.Kernel#QZ}. */
interface QzLeaf {
    /**
     * The iteration and what it needs before.
     *
     * @param left where the left Schur vectors go; 0 for nowhere
     * @param right where the right ones go; 0 for nowhere
     * @param work n elements of scratch
     * @param factor one more
     * @return 0, or the number of the last row that has not converged
     */
    long qz(long n, long a, long lda, long b, long ldb, long left, long ldLeft, long right, long ldRight, long work,
            long factor);
}
