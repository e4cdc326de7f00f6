package dev.basalt.portable;

/** QR iteration of one bidiagonal matrix: see {@link dev.basalt.spi.Kernel#BDSQR}. */
interface BidiagonalQrLeaf {
    /**
     * The singular values into {@code work}, largest first.
     *
     * @param limit rotations by n², or 0 for as many as are always enough
     * @param given address of the diagonal, and then of what is beside it
     * @param work 6n real elements
     * @param m vectors whose elements are rotated, n each, at v; elements {@code vi} apart, vectors {@code vj}
     * @param p rows of the matrix at u whose columns are rotated
     * @param k columns of the matrix at c whose rows are rotated
     * @return how many elements beside the diagonal are not zero at the end
     */
    long bdsqr(boolean lower, long n, long limit, long given, long work, long m, long v, long vi, long vj, long p,
            long u, long ldu, long k, long c, long ldc);
}
