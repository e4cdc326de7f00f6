package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Factorisations that halve their matrix, as {@link Recursive} does. */
abstract class RecursiveFactors extends Recursive {
    /** {@link #trtri} by columns. */
    abstract void smallTrtri(Uplo uplo, Diag diag, long n, long a, long lda);

    /** Solves for a column with the unit lower triangle of order n before it. */
    abstract void solveColumn(long n, long a, long lda, long column);

    /** Whether an element is 0. */
    abstract boolean isZero(long element);

    /** The n elements behind a pivot, divided by it. */
    abstract void divideByPivot(long n, long pivot);

    /** {@link #potf2} by element. */
    abstract long smallPotf2(Uplo uplo, long n, long a, long lda);

    @Override
    public void trtri(Uplo uplo, Diag diag, long n, long a, long lda) {
        if (n <= BASE) {
            smallTrtri(uplo, diag, n, a, lda);
            return;
        }
        long n1 = half(n);
        long n2 = n - n1;
        long a22 = a + (n1 + n1 * lda) * bytes();
        if (uplo == Uplo.UPPER) {
            long a12 = a + n1 * lda * bytes();
            trtri(uplo, diag, n1, a, lda);
            trmm(Side.LEFT, uplo, Op.NONE, diag, n1, n2, 1, 0, a, lda, a12, lda);
            trsm(Side.RIGHT, uplo, Op.NONE, diag, n1, n2, -1, 0, a22, lda, a12, lda);
            trtri(uplo, diag, n2, a22, lda);
        } else {
            long a21 = a + n1 * bytes();
            trtri(uplo, diag, n2, a22, lda);
            trmm(Side.LEFT, uplo, Op.NONE, diag, n2, n1, 1, 0, a22, lda, a21, lda);
            trsm(Side.RIGHT, uplo, Op.NONE, diag, n2, n1, -1, 0, a, lda, a21, lda);
            trtri(uplo, diag, n1, a, lda);
        }
    }

    /**
     * Recursive in the columns (Toledo, "Locality of reference in LU decomposition with partial pivoting", 1997): the left
     * half, then trsm and gemm on the right half, then the right half. All but the narrow panels at the bottom is gemm.
     */
    @Override
    public long getf2(long m, long n, long a, long lda, long ipiv, long offset) {
        long k = Math.min(m, n);
        if (k <= BASE) {
            return narrowGetf2(m, n, a, lda, ipiv, offset);
        }
        long n1 = half(k);
        long n2 = n - n1;
        long a12 = a + n1 * lda * bytes();
        long a21 = a + n1 * bytes();
        long a22 = a12 + n1 * bytes();
        long info = getf2(m, n1, a, lda, ipiv, offset);
        laswp(m, n2, a12, lda, 0, n1, ipiv, offset, false);
        trsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, n1, n2, 1, 0, a, lda, a12, lda);
        gemm(Op.NONE, Op.NONE, m - n1, n2, n1, -1, 0, a21, lda, a12, lda, 1, 0, a22, lda, 0, 0);
        long info2 = getf2(m - n1, n2, a22, lda, ipiv + n1 * 8, offset + n1);
        laswp(m - n1, n1, a21, lda, 0, k - n1, ipiv + n1 * 8, offset + n1, false);
        return info != 0 ? info : info2 != 0 ? info2 + n1 : 0;
    }

    /** {@link #getf2} of few columns. Left-looking: each column is brought up to date in one pass, then gives its pivot. */
    private long narrowGetf2(long m, long n, long a, long lda, long ipiv, long offset) {
        long bytes = bytes();
        long k = Math.min(m, n);
        long info = 0;
        long column = a;
        for (long j = 0; j < n; j++, column += lda * bytes) {
            long done = Math.min(j, k);
            laswp(m, 1, column, lda, 0, done, ipiv, offset, false);
            solveColumn(done, a, lda, column);
            if (done == m) {
                continue;
            }
            long ajj = column + done * bytes;
            if (done > 0) {
                gemv(Op.NONE, m - done, done, -1, 0, a + done * bytes, lda, column, 1, 1, 0, ajj, 1);
            }
            if (j < k) {
                long p = iamax(m - j, ajj, 1) - 1;
                i64(ipiv + j * 8, offset + j + p + 1);
                if (isZero(ajj + p * bytes)) {
                    info = info == 0 ? j + 1 : info;
                } else {
                    if (p != 0) {
                        swap(j + 1, a + j * bytes, lda, a + (j + p) * bytes, lda);
                    }
                    divideByPivot(m - j - 1, ajj);
                }
            }
        }
        return info;
    }

    /** Recursive in the order: the leading half, trsm on the block beside it, syrk on the trailing half, then that. */
    @Override
    public long potf2(Uplo uplo, long n, long a, long lda) {
        if (n <= BASE) {
            return smallPotf2(uplo, n, a, lda);
        }
        long n1 = half(n);
        long n2 = n - n1;
        long a22 = a + (n1 + n1 * lda) * bytes();
        long info = potf2(uplo, n1, a, lda);
        if (info != 0) {
            return info;
        }
        if (uplo == Uplo.LOWER) {
            long a21 = a + n1 * bytes();
            trsm(Side.RIGHT, uplo, Op.CONJ_TRANS, Diag.NON_UNIT, n2, n1, 1, 0, a, lda, a21, lda);
            syrk(uplo, Op.NONE, true, n2, n1, -1, 0, a21, lda, 1, 0, a22, lda);
        } else {
            long a12 = a + n1 * lda * bytes();
            trsm(Side.LEFT, uplo, Op.CONJ_TRANS, Diag.NON_UNIT, n1, n2, 1, 0, a, lda, a12, lda);
            syrk(uplo, Op.CONJ_TRANS, true, n2, n1, -1, 0, a12, lda, 1, 0, a22, lda);
        }
        info = potf2(uplo, n2, a22, lda);
        return info != 0 ? info + n1 : 0;
    }
}
