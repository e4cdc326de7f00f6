package dev.basalt.portable;

/** QR with column pivoting (Quintana-Ortí, Sun and Bischof, "A BLAS-3 version of the QR factorization with column pivoting", 1998), and ranks. */
interface PivotingLeaf {
    /** Puts the columns first whose number is not zero; the numbers := those of the columns; 2n norms, and how many come first. */
    void start(long m, long n, long a, long lda, long jpvt, long norms);

    /** Chooses the column, exchanges it, and makes its reflector: see {@link dev.basalt.spi.Kernel#LAQPS_COLUMN}. */
    void column(long m, long n, long first, long col, long a, long lda, long f, long ldf, long tau, long jpvt,
            long norms);

    /** Brings the row and the norms up to date: see {@link dev.basalt.spi.Kernel#LAQPS_ROW}. */
    void row(long m, long n, long first, long col, long a, long lda, long f, long ldf, long tau, long norms);

    /** The rank of an upper triangle of order n, with 2n elements of scratch. */
    long rank(long n, double tolerance, long a, long lda, long x);
}
