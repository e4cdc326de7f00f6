package dev.basalt.portable;

/** Some eigenvalues and eigenvectors of one symmetric tridiagonal matrix: see {@link dev.basalt.spi.Kernel#STEBZ} and {@link dev.basalt.spi.Kernel#STEIN}. */
interface SturmLeaf {
    /**
     * Eigenvalues at w, and at {@code numbers} how many, the number of blocks, whose block each is of, and where blocks end.
     *
     * @return 0, or n if the matrix is not finite
     */
    int stebz(int range, boolean entire, long n, long d, long e, long w, double alphaRe, double betaRe, long il,
            long iu, long scratch, long numbers);

    /**
     * Eigenvectors of the eigenvalues at w, in columns of which every {@code step}-th number is written.
     *
     * @return how many did not converge
     */
    int stein(long n, long k, long d, long e, long w, long z, long step, long ldz, long scratch, long numbers);
}
