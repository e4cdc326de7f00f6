package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Kernels with a triangular matrix (BLAS level 3, and the inverse of a triangle).
 *
 * <p>As in {@link DLevel3}, triangles are halved down to {@link #BASE} and the rest is gemm. Solving divides by the diagonal
 * and inverts no block, so it is as accurate as the reference.
 */
abstract class DTriangle extends DLevel3 {
    @Override
    public void trmm(
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb) {
        if (alphaRe == 0) {
            scalMatrix(m, n, 0, 0, b, ldb);
            return;
        }
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        long order = side == Side.LEFT ? m : n;
        if (order <= BASE) {
            smallTrmm(side, lower, op, diag, m, n, alphaRe, a, lda, b, ldb);
            return;
        }
        long n1 = half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * 8L;
        long off = uplo == Uplo.LOWER ? a + n1 * 8L : a + n1 * lda * 8L;
        if (side == Side.LEFT) {
            long b2 = b + n1 * 8L;
            if (lower) {
                trmm(side, uplo, op, diag, n2, n, alphaRe, 0, a22, lda, b2, ldb);
                gemm(op, Op.NONE, n2, n, n1, alphaRe, 0, off, lda, b, ldb, 1, 0, b2, ldb, 0, 0);
                trmm(side, uplo, op, diag, n1, n, alphaRe, 0, a, lda, b, ldb);
            } else {
                trmm(side, uplo, op, diag, n1, n, alphaRe, 0, a, lda, b, ldb);
                gemm(op, Op.NONE, n1, n, n2, alphaRe, 0, off, lda, b2, ldb, 1, 0, b, ldb, 0, 0);
                trmm(side, uplo, op, diag, n2, n, alphaRe, 0, a22, lda, b2, ldb);
            }
        } else {
            long b2 = b + n1 * ldb * 8L;
            if (lower) {
                trmm(side, uplo, op, diag, m, n1, alphaRe, 0, a, lda, b, ldb);
                gemm(Op.NONE, op, m, n1, n2, alphaRe, 0, b2, ldb, off, lda, 1, 0, b, ldb, 0, 0);
                trmm(side, uplo, op, diag, m, n2, alphaRe, 0, a22, lda, b2, ldb);
            } else {
                trmm(side, uplo, op, diag, m, n2, alphaRe, 0, a22, lda, b2, ldb);
                gemm(Op.NONE, op, m, n2, n1, alphaRe, 0, b, ldb, off, lda, 1, 0, b2, ldb, 0, 0);
                trmm(side, uplo, op, diag, m, n1, alphaRe, 0, a, lda, b, ldb);
            }
        }
    }

    @Override
    public void trsm(
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb) {
        scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
        if (alphaRe == 0) {
            return;
        }
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        long order = side == Side.LEFT ? m : n;
        if (order <= BASE) {
            smallTrsm(side, lower, op, diag, m, n, a, lda, b, ldb);
            return;
        }
        long n1 = half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * 8L;
        long off = uplo == Uplo.LOWER ? a + n1 * 8L : a + n1 * lda * 8L;
        if (side == Side.LEFT) {
            long b2 = b + n1 * 8L;
            if (lower) {
                trsm(side, uplo, op, diag, n1, n, 1, 0, a, lda, b, ldb);
                gemm(op, Op.NONE, n2, n, n1, -1, 0, off, lda, b, ldb, 1, 0, b2, ldb, 0, 0);
                trsm(side, uplo, op, diag, n2, n, 1, 0, a22, lda, b2, ldb);
            } else {
                trsm(side, uplo, op, diag, n2, n, 1, 0, a22, lda, b2, ldb);
                gemm(op, Op.NONE, n1, n, n2, -1, 0, off, lda, b2, ldb, 1, 0, b, ldb, 0, 0);
                trsm(side, uplo, op, diag, n1, n, 1, 0, a, lda, b, ldb);
            }
        } else {
            long b2 = b + n1 * ldb * 8L;
            if (lower) {
                trsm(side, uplo, op, diag, m, n2, 1, 0, a22, lda, b2, ldb);
                gemm(Op.NONE, op, m, n1, n2, -1, 0, b2, ldb, off, lda, 1, 0, b, ldb, 0, 0);
                trsm(side, uplo, op, diag, m, n1, 1, 0, a, lda, b, ldb);
            } else {
                trsm(side, uplo, op, diag, m, n1, 1, 0, a, lda, b, ldb);
                gemm(Op.NONE, op, m, n2, n1, -1, 0, b, ldb, off, lda, 1, 0, b2, ldb, 0, 0);
                trsm(side, uplo, op, diag, m, n2, 1, 0, a22, lda, b2, ldb);
            }
        }
    }

    private void smallTrmm(
            Side side,
            boolean lower,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            long a,
            long lda,
            long b,
            long ldb) {
        double alpha = alphaRe;
        boolean unit = diag == Diag.UNIT;
        long di = op == Op.NONE ? 8L : lda * 8L;
        long dj = op == Op.NONE ? lda * 8L : 8L;
        long db = ldb * 8L;
        if (side == Side.LEFT) {
            for (long j = 0; j < n; j++, b += db) {
                multiply(lower, unit, m, a, di, dj, b, 8L);
                if (alpha != 1) {
                    scal(m, alpha, 0, true, b, 1);
                }
            }
            return;
        }
        for (long r = 0; r < n; r++) {
            // Each column needs columns that are not overwritten yet.
            long j = lower ? r : n - 1 - r;
            long first = lower ? j + 1 : 0;
            long bj = b + j * db;
            double s = unit ? alpha : alpha * f64(a + j * (di + dj));
            scal(m, s, 0, true, bj, 1);
            addColumns(m, n - 1 - r, alpha, b + first * db, db, a + first * di + j * dj, di, bj, 8L);
        }
    }

    private static void smallTrsm(
            Side side, boolean lower, Op op, Diag diag, long m, long n, long a, long lda, long b, long ldb) {
        boolean unit = diag == Diag.UNIT;
        long di = op == Op.NONE ? 8L : lda * 8L;
        long dj = op == Op.NONE ? lda * 8L : 8L;
        long db = ldb * 8L;
        if (side == Side.LEFT) {
            for (long j = 0; j < n; j++, b += db) {
                solve(lower, unit, m, a, di, dj, b, 8L);
            }
            return;
        }
        for (long r = 0; r < n; r++) {
            long j = lower ? n - 1 - r : r;
            long first = lower ? j + 1 : 0;
            long bj = b + j * db;
            addColumns(m, r, -1, b + first * db, db, a + first * di + j * dj, di, bj, 8L);
            if (!unit) {
                divide(m, bj, a + j * (di + dj));
            }
        }
    }

    /** x := x / d for m contiguous elements and the element d at an address. */
    static void divide(long m, long x, long d) {
        double v = f64(d);
        for (long end = x + m * 8L; x < end; x += 8L) {
            f64(x, f64(x) / v);
        }
    }

    @Override
    public void trtri(Uplo uplo, Diag diag, long n, long a, long lda) {
        if (n <= BASE) {
            smallTrtri(uplo, diag, n, a, lda);
            return;
        }
        long n1 = half(n);
        long n2 = n - n1;
        long a22 = a + (n1 + n1 * lda) * 8L;
        if (uplo == Uplo.UPPER) {
            long a12 = a + n1 * lda * 8L;
            trtri(uplo, diag, n1, a, lda);
            trmm(Side.LEFT, uplo, Op.NONE, diag, n1, n2, 1, 0, a, lda, a12, lda);
            trsm(Side.RIGHT, uplo, Op.NONE, diag, n1, n2, -1, 0, a22, lda, a12, lda);
            trtri(uplo, diag, n2, a22, lda);
        } else {
            long a21 = a + n1 * 8L;
            trtri(uplo, diag, n2, a22, lda);
            trmm(Side.LEFT, uplo, Op.NONE, diag, n2, n1, 1, 0, a22, lda, a21, lda);
            trsm(Side.RIGHT, uplo, Op.NONE, diag, n2, n1, -1, 0, a, lda, a21, lda);
            trtri(uplo, diag, n1, a, lda);
        }
    }

    /** Column by column, as LAPACK's trti2: each is a product with the part that is already inverted. */
    private void smallTrtri(Uplo uplo, Diag diag, long n, long a, long lda) {
        boolean lower = uplo == Uplo.LOWER;
        boolean unit = diag == Diag.UNIT;
        long da = lda * 8L;
        for (long r = 0; r < n; r++) {
            long j = lower ? n - 1 - r : r;
            long first = lower ? j + 1 : 0;
            long ajj = a + j * (da + 8L);
            long column = a + first * 8L + j * da;
            double s = -1;
            if (!unit) {
                f64(ajj, 1 / f64(ajj));
                s = -f64(ajj);
            }
            multiply(lower, unit, r, a + first * (da + 8L), 8L, da, column, 8L);
            scal(r, s, 0, true, column, 1);
        }
    }
}
