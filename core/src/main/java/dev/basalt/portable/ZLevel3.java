package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Complex products of matrices (BLAS level 3); see {@link DLevel3}. */
abstract class ZLevel3 extends ZStored {
    private static final long BLOCK = 96;

    @Override
    public void gemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda, long b,
            long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        scalMatrix(m, n, betaRe, betaIm, c, ldc);
        addProduct(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
    }

    @Override
    final void addProduct(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda,
            long b, long ldb, long c, long ldc) {
        if (alphaRe == 0 && alphaIm == 0) {
            return;
        }
        boolean conjA = opA == Op.CONJ_TRANS;
        boolean conjB = opB == Op.CONJ_TRANS;
        long da = lda * 16L;
        long dc = ldc * 16L;
        long dbl = opB == Op.NONE ? 16L : ldb * 16L;
        long dbj = opB == Op.NONE ? ldb * 16L : 16L;
        for (long l = 0; l < k; l += BLOCK) {
            long depth = Math.min(BLOCK, k - l);
            for (long i = 0; i < m; i += BLOCK) {
                long rows = Math.min(BLOCK, m - i);
                long block = opA == Op.NONE ? a + i * 16L + l * da : a + l * 16L + i * da;
                long bl = b + l * dbl;
                long ci = c + i * 16L;
                for (long j = 0; j < n; j++, bl += dbj, ci += dc) {
                    if (opA == Op.NONE) {
                        addColumns(rows, depth, alphaRe, alphaIm, block, da, bl, dbl, conjB, ci, 16L);
                    } else {
                        addRows(rows, depth, alphaRe, alphaIm, block, da, conjA, bl, dbl, conjB, ci, 16L);
                    }
                }
            }
        }
    }

    @Override
    final void smallSymm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, long c, long ldc) {
        if (side == Side.LEFT) {
            for (long j = 0; j < n; j++, b += ldb * 16L, c += ldc * 16L) {
                symv(uplo, hermitian, m, alphaRe, alphaIm, a, lda, b, 1, 1, 0, c, 1);
            }
            return;
        }
        boolean lower = uplo == Uplo.LOWER;
        long da = lda * 16L;
        long db = ldb * 16L;
        for (long j = 0; j < n; j++, c += ldc * 16L) {
            // Column j of A: one part of it is stored, the other is the mirror image of row j.
            long bj = b + j * db;
            long row = a + j * 16L;
            long column = a + j * da;
            long diagonal = column + j * 16L;
            long stepHead = lower ? da : 16L;
            long stepTail = lower ? 16L : da;
            addColumns(m, j, alphaRe, alphaIm, b, db, lower ? row : column, stepHead, hermitian && lower, c, 16L);
            if (hermitian) {
                double v = f64(diagonal);
                axpy(m, v * alphaRe, v * alphaIm, bj, 1, c, 1);
            } else {
                addColumns(m, 1, alphaRe, alphaIm, bj, db, diagonal, 16L, false, c, 16L);
            }
            long tail = diagonal + stepTail;
            addColumns(m, n - j - 1, alphaRe, alphaIm, bj + db, db, tail, stepTail, hermitian && !lower, c, 16L);
        }
    }
}
