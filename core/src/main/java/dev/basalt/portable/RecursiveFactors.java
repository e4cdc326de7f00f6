package dev.basalt.portable;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Factorisations that halve their matrix, as {@link Recursive} does. */
abstract class RecursiveFactors extends Recursive {
    /** {@link #trtri} by columns. */
    abstract void smallTrtri(Uplo uplo, Diag diag, long n, long a, long lda);

    /** {@link #getf2} of few columns. */
    abstract long narrowGetf2(long m, long n, long a, long lda, long ipiv, long offset);

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
