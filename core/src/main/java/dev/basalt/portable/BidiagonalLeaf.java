package dev.basalt.portable;

/** Reduction of one matrix to bidiagonal form by reflectors (Golub and Kahan, "Calculating the singular values and pseudo-inverse of a matrix", 1965). */
interface BidiagonalLeaf {
    /** The whole of a small matrix: see {@link dev.basalt.spi.Kernel#GEBD2}; {@code turned}: read as its conjugate transpose; {@code work} is that of three times max(m, n) elements. */
    void gebd2(boolean turned, long m, long n, long a, long lda, long d, long e, long tauq, long taup, long work);

    /** One reflector: see {@link dev.basalt.spi.Kernel#LABRD}. */
    void reflector(long n, boolean conjugated, long v, long line, long step, long tau, long beta, long scaled);
}
