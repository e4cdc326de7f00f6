package dev.basalt.portable;

/** Condition numbers of the eigenvalues and eigenvectors of one Schur form. */
interface ConditionsLeaf {
    /**
     * See {@link dev.basalt.spi.Kernel#TRSNA}.
     *
     * @param values where the reciprocal condition numbers of eigenvalues go; 0 for nowhere
     * @param vectors where those of vectors go; 0 for nowhere
     * @param work scratch of n·(n + 1) complex elements
     */
    void trsna(long n, long t, long ldt, long values, long vectors, long work);
}
