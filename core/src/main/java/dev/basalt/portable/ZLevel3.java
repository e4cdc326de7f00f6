package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Complex products of matrices (BLAS level 3); see {@link DLevel3}. */
abstract class ZLevel3 extends ZStored {
    static final long BASE = 8;
    private static final long BLOCK = 96;

    @Override
    public void gemm(
            Op opA,
            Op opB,
            long m,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            double betaRe,
            double betaIm,
            long c,
            long ldc,
            long work,
            long workBytes) {
        scalMatrix(m, n, betaRe, betaIm, c, ldc);
        addProduct(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
    }

    /** C := alpha·op(A)·op(B) + C. */
    static void addProduct(
            Op opA,
            Op opB,
            long m,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            long c,
            long ldc) {
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
    public void symm(
            Side side,
            Uplo uplo,
            boolean hermitian,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            double betaRe,
            double betaIm,
            long c,
            long ldc) {
        scalMatrix(m, n, betaRe, betaIm, c, ldc);
        if (alphaRe != 0 || alphaIm != 0) {
            addSymm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
        }
    }

    /** C := alpha·A·B + C or alpha·B·A + C. */
    private void addSymm(
            Side side,
            Uplo uplo,
            boolean hermitian,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            long c,
            long ldc) {
        long order = side == Side.LEFT ? m : n;
        if (order <= BASE) {
            addSmallSymm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
            return;
        }
        long n1 = DLevel2.half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * 16L;
        long off = uplo == Uplo.LOWER ? a + n1 * 16L : a + n1 * lda * 16L;
        Op mirror = hermitian ? Op.CONJ_TRANS : Op.TRANS;
        // How the stored block gives block (2, 1) of A, and block (1, 2).
        Op op21 = uplo == Uplo.LOWER ? Op.NONE : mirror;
        Op op12 = uplo == Uplo.LOWER ? mirror : Op.NONE;
        if (side == Side.LEFT) {
            long b2 = b + n1 * 16L;
            long c2 = c + n1 * 16L;
            addSymm(side, uplo, hermitian, n1, n, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
            gemm(op12, Op.NONE, n1, n, n2, alphaRe, alphaIm, off, lda, b2, ldb, 1, 0, c, ldc, 0, 0);
            gemm(op21, Op.NONE, n2, n, n1, alphaRe, alphaIm, off, lda, b, ldb, 1, 0, c2, ldc, 0, 0);
            addSymm(side, uplo, hermitian, n2, n, alphaRe, alphaIm, a22, lda, b2, ldb, c2, ldc);
        } else {
            long b2 = b + n1 * ldb * 16L;
            long c2 = c + n1 * ldc * 16L;
            addSymm(side, uplo, hermitian, m, n1, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
            gemm(Op.NONE, op21, m, n1, n2, alphaRe, alphaIm, b2, ldb, off, lda, 1, 0, c, ldc, 0, 0);
            gemm(Op.NONE, op12, m, n2, n1, alphaRe, alphaIm, b, ldb, off, lda, 1, 0, c2, ldc, 0, 0);
            addSymm(side, uplo, hermitian, m, n2, alphaRe, alphaIm, a22, lda, b2, ldb, c2, ldc);
        }
    }

    private void addSmallSymm(
            Side side,
            Uplo uplo,
            boolean hermitian,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            long c,
            long ldc) {
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

    @Override
    public void syrk(
            Uplo uplo,
            Op op,
            boolean hermitian,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            double betaRe,
            double betaIm,
            long c,
            long ldc) {
        scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
        double im = hermitian ? 0 : alphaIm;
        if (k > 0 && (alphaRe != 0 || im != 0)) {
            addSyrk(uplo, op, hermitian, n, k, alphaRe, im, a, lda, c, ldc);
        }
    }

    /** Triangle of C := alpha·op(A)·op(A)ᵀ + C, or ᴴ. */
    private void addSyrk(
            Uplo uplo,
            Op op,
            boolean hermitian,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long c,
            long ldc) {
        Op mirror = hermitian ? Op.CONJ_TRANS : Op.TRANS;
        Op opA = op == Op.NONE ? Op.NONE : mirror;
        Op opB = op == Op.NONE ? mirror : Op.NONE;
        long di = op == Op.NONE ? 16L : lda * 16L;
        if (n <= BASE) {
            for (long j = 0; j < n; j++) {
                long i = uplo == Uplo.LOWER ? j : 0;
                long rows = uplo == Uplo.LOWER ? n - j : j + 1;
                long cij = c + i * 16L + j * ldc * 16L;
                addProduct(opA, opB, rows, 1, k, alphaRe, alphaIm, a + i * di, lda, a + j * di, lda, cij, ldc);
                if (hermitian) {
                    f64(c + (j + j * ldc) * 16L + 8L, 0);
                }
            }
            return;
        }
        long n1 = DLevel2.half(n);
        long n2 = n - n1;
        long a2 = a + n1 * di;
        addSyrk(uplo, op, hermitian, n1, k, alphaRe, alphaIm, a, lda, c, ldc);
        if (uplo == Uplo.LOWER) {
            long c21 = c + n1 * 16L;
            gemm(opA, opB, n2, n1, k, alphaRe, alphaIm, a2, lda, a, lda, 1, 0, c21, ldc, 0, 0);
        } else {
            long c12 = c + n1 * ldc * 16L;
            gemm(opA, opB, n1, n2, k, alphaRe, alphaIm, a, lda, a2, lda, 1, 0, c12, ldc, 0, 0);
        }
        addSyrk(uplo, op, hermitian, n2, k, alphaRe, alphaIm, a2, lda, c + (n1 + n1 * ldc) * 16L, ldc);
    }
}
