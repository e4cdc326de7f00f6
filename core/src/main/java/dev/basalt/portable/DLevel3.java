package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Products of matrices (BLAS level 3), and what {@link Recursive} leaves of special ones. */
abstract class DLevel3 extends DStored {
    /** Rows and depth of the block of A that a product works on at once: it stays in the L2 cache, a column of it in L1. */
    private static final long BLOCK = 128;

    @Override
    public void gemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda, long b,
            long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        scalMatrix(m, n, betaRe, betaIm, c, ldc);
        addProduct(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, c, ldc);
    }

    @Override
    final void addProduct(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda,
            long b, long ldb, long c, long ldc) {
        double alpha = alphaRe;
        if (alpha == 0) {
            return;
        }
        long da = lda * 8L;
        long dc = ldc * 8L;
        long dbl = opB == Op.NONE ? 8L : ldb * 8L;
        long dbj = opB == Op.NONE ? ldb * 8L : 8L;
        for (long l = 0; l < k; l += BLOCK) {
            long depth = Math.min(BLOCK, k - l);
            for (long i = 0; i < m; i += BLOCK) {
                long rows = Math.min(BLOCK, m - i);
                long block = opA == Op.NONE ? a + i * 8L + l * da : a + l * 8L + i * da;
                long bl = b + l * dbl;
                long ci = c + i * 8L;
                long j = 0;
                for (; j + 2 <= n; j += 2, bl += 2 * dbj, ci += 2 * dc) {
                    if (opA == Op.NONE) {
                        addColumnsTwice(rows, depth, alpha, block, da, bl, dbl, dbj, ci, dc);
                    } else {
                        addRowsTwice(rows, depth, alpha, block, da, bl, dbl, dbj, ci, dc);
                    }
                }
                if (j < n) {
                    if (opA == Op.NONE) {
                        addColumns(rows, depth, alpha, block, da, bl, dbl, ci, 8L);
                    } else {
                        addRows(rows, depth, alpha, block, da, bl, dbl, ci, 8L);
                    }
                }
            }
        }
    }

    /** As {@link #addColumns} for two columns of C: each element of A that is loaded serves both. */
    private static void addColumnsTwice(long m, long k, double alpha, long a, long da, long b, long dbl, long dbj,
            long c, long dc) {
        long l = 0;
        for (; l + 4 <= k; l += 4, a += 4 * da, b += 4 * dbl) {
            double x0 = alpha * f64(b);
            double x1 = alpha * f64(b + dbl);
            double x2 = alpha * f64(b + 2 * dbl);
            double x3 = alpha * f64(b + 3 * dbl);
            double y0 = alpha * f64(b + dbj);
            double y1 = alpha * f64(b + dbj + dbl);
            double y2 = alpha * f64(b + dbj + 2 * dbl);
            double y3 = alpha * f64(b + dbj + 3 * dbl);
            add4ColumnsTwice(m, x0, x1, x2, x3, y0, y1, y2, y3, a, da, c, dc);
        }
        addColumns(m, k - l, alpha, a, da, b, dbl, c, 8L);
        addColumns(m, k - l, alpha, a, da, b + dbj, dbl, c + dc, 8L);
    }

    private static void add4ColumnsTwice(long m, double x0, double x1, double x2, double x3, double y0, double y1,
            double y2, double y3, long a0, long da, long c0, long dc) {
        long a1 = a0 + da;
        long a2 = a1 + da;
        long a3 = a2 + da;
        long c1 = c0 + dc;
        for (long end = c0 + m * 8L; c0 < end; c0 += 8L, c1 += 8L, a0 += 8L, a1 += 8L, a2 += 8L, a3 += 8L) {
            double v0 = f64(a0);
            double v1 = f64(a1);
            double v2 = f64(a2);
            double v3 = f64(a3);
            f64(c0, f64(c0) + ((x0 * v0 + x1 * v1) + (x2 * v2 + x3 * v3)));
            f64(c1, f64(c1) + ((y0 * v0 + y1 * v1) + (y2 * v2 + y3 * v3)));
        }
    }

    /** As {@link #addRows} for two columns of C: eight sums at once hide the latency of additions. */
    private static void addRowsTwice(long m, long k, double alpha, long a, long da, long b, long dbl, long dbj, long c,
            long dc) {
        long i = 0;
        for (; i + 4 <= m; i += 4, a += 4 * da, c += 32L) {
            double s0 = 0;
            double s1 = 0;
            double s2 = 0;
            double s3 = 0;
            double t0 = 0;
            double t1 = 0;
            double t2 = 0;
            double t3 = 0;
            long a0 = a;
            long a1 = a0 + da;
            long a2 = a1 + da;
            long a3 = a2 + da;
            long bl = b;
            for (long end = a + k * 8L; a0 < end; a0 += 8L, a1 += 8L, a2 += 8L, a3 += 8L, bl += dbl) {
                double x = f64(bl);
                double y = f64(bl + dbj);
                double v0 = f64(a0);
                double v1 = f64(a1);
                double v2 = f64(a2);
                double v3 = f64(a3);
                s0 += v0 * x;
                s1 += v1 * x;
                s2 += v2 * x;
                s3 += v3 * x;
                t0 += v0 * y;
                t1 += v1 * y;
                t2 += v2 * y;
                t3 += v3 * y;
            }
            add4(c, alpha, s0, s1, s2, s3);
            add4(c + dc, alpha, t0, t1, t2, t3);
        }
        addRows(m - i, k, alpha, a, da, b, dbl, c, 8L);
        addRows(m - i, k, alpha, a, da, b + dbj, dbl, c + dc, 8L);
    }

    /** Four elements of C in a column. */
    private static void add4(long c, double alpha, double s0, double s1, double s2, double s3) {
        f64(c, f64(c) + alpha * s0);
        f64(c + 8L, f64(c + 8L) + alpha * s1);
        f64(c + 16L, f64(c + 16L) + alpha * s2);
        f64(c + 24L, f64(c + 24L) + alpha * s3);
    }

    @Override
    final void smallSymm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, long c, long ldc) {
        if (side == Side.LEFT) {
            for (long j = 0; j < n; j++, b += ldb * 8L, c += ldc * 8L) {
                symv(uplo, hermitian, m, alphaRe, alphaIm, a, lda, b, 1, 1, 0, c, 1);
            }
            return;
        }
        double alpha = alphaRe;
        for (long j = 0; j < n; j++, c += ldc * 8L) {
            // Row j left of the diagonal and column j below it, or column j above and row j right.
            long row = a + j * 8L;
            long column = a + j * lda * 8L;
            long head = uplo == Uplo.LOWER ? row : column;
            long step = uplo == Uplo.LOWER ? lda * 8L : 8L;
            long diagonal = column + j * 8L;
            addColumns(m, j, alpha, b, ldb * 8L, head, step, c, 8L);
            addColumns(m, n - j, alpha, b + j * ldb * 8L, ldb * 8L, diagonal, 8L + lda * 8L - step, c, 8L);
        }
    }
}
