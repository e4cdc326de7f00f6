package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Complex kernels with a triangular matrix; see {@link DTriangle}. */
abstract class ZTriangle extends ZLevel3 {
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
        if (alphaRe == 0 && alphaIm == 0) {
            scalMatrix(m, n, 0, 0, b, ldb);
            return;
        }
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        long order = side == Side.LEFT ? m : n;
        if (order <= BASE) {
            smallTrmm(side, lower, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
            return;
        }
        long n1 = DLevel2.half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * 16L;
        long off = uplo == Uplo.LOWER ? a + n1 * 16L : a + n1 * lda * 16L;
        if (side == Side.LEFT) {
            long b2 = b + n1 * 16L;
            if (lower) {
                trmm(side, uplo, op, diag, n2, n, alphaRe, alphaIm, a22, lda, b2, ldb);
                gemm(op, Op.NONE, n2, n, n1, alphaRe, alphaIm, off, lda, b, ldb, 1, 0, b2, ldb, 0, 0);
                trmm(side, uplo, op, diag, n1, n, alphaRe, alphaIm, a, lda, b, ldb);
            } else {
                trmm(side, uplo, op, diag, n1, n, alphaRe, alphaIm, a, lda, b, ldb);
                gemm(op, Op.NONE, n1, n, n2, alphaRe, alphaIm, off, lda, b2, ldb, 1, 0, b, ldb, 0, 0);
                trmm(side, uplo, op, diag, n2, n, alphaRe, alphaIm, a22, lda, b2, ldb);
            }
        } else {
            long b2 = b + n1 * ldb * 16L;
            if (lower) {
                trmm(side, uplo, op, diag, m, n1, alphaRe, alphaIm, a, lda, b, ldb);
                gemm(Op.NONE, op, m, n1, n2, alphaRe, alphaIm, b2, ldb, off, lda, 1, 0, b, ldb, 0, 0);
                trmm(side, uplo, op, diag, m, n2, alphaRe, alphaIm, a22, lda, b2, ldb);
            } else {
                trmm(side, uplo, op, diag, m, n2, alphaRe, alphaIm, a22, lda, b2, ldb);
                gemm(Op.NONE, op, m, n2, n1, alphaRe, alphaIm, b, ldb, off, lda, 1, 0, b2, ldb, 0, 0);
                trmm(side, uplo, op, diag, m, n1, alphaRe, alphaIm, a, lda, b, ldb);
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
        if (alphaRe == 0 && alphaIm == 0) {
            return;
        }
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        long order = side == Side.LEFT ? m : n;
        if (order <= BASE) {
            smallTrsm(side, lower, op, diag, m, n, a, lda, b, ldb);
            return;
        }
        long n1 = DLevel2.half(order);
        long n2 = order - n1;
        long a22 = a + (n1 + n1 * lda) * 16L;
        long off = uplo == Uplo.LOWER ? a + n1 * 16L : a + n1 * lda * 16L;
        if (side == Side.LEFT) {
            long b2 = b + n1 * 16L;
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
            long b2 = b + n1 * ldb * 16L;
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
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb) {
        boolean unit = diag == Diag.UNIT;
        boolean conj = op == Op.CONJ_TRANS;
        boolean scaled = alphaRe != 1 || alphaIm != 0;
        long di = op == Op.NONE ? 16L : lda * 16L;
        long dj = op == Op.NONE ? lda * 16L : 16L;
        long db = ldb * 16L;
        if (side == Side.LEFT) {
            for (long j = 0; j < n; j++, b += db) {
                multiply(lower, conj, unit, m, a, di, dj, b, 16L);
                if (scaled) {
                    scal(m, alphaRe, alphaIm, false, b, 1);
                }
            }
            return;
        }
        for (long r = 0; r < n; r++) {
            // Each column needs columns that are not overwritten yet.
            long j = lower ? r : n - 1 - r;
            long first = lower ? j + 1 : 0;
            long bj = b + j * db;
            long ajj = a + j * (di + dj);
            if (!unit) {
                double re = f64(ajj);
                double im = conj ? -f64(ajj + 8L) : f64(ajj + 8L);
                scal(m, re, im, false, bj, 1);
            }
            if (scaled) {
                scal(m, alphaRe, alphaIm, false, bj, 1);
            }
            long alj = a + first * di + j * dj;
            addColumns(m, n - 1 - r, alphaRe, alphaIm, b + first * db, db, alj, di, conj, bj, 16L);
        }
    }

    private static void smallTrsm(
            Side side, boolean lower, Op op, Diag diag, long m, long n, long a, long lda, long b, long ldb) {
        boolean unit = diag == Diag.UNIT;
        boolean conj = op == Op.CONJ_TRANS;
        long di = op == Op.NONE ? 16L : lda * 16L;
        long dj = op == Op.NONE ? lda * 16L : 16L;
        long db = ldb * 16L;
        if (side == Side.LEFT) {
            for (long j = 0; j < n; j++, b += db) {
                solve(lower, conj, unit, m, a, di, dj, b, 16L);
            }
            return;
        }
        for (long r = 0; r < n; r++) {
            long j = lower ? n - 1 - r : r;
            long first = lower ? j + 1 : 0;
            long bj = b + j * db;
            addColumns(m, r, -1, 0, b + first * db, db, a + first * di + j * dj, di, conj, bj, 16L);
            if (!unit) {
                divide(m, bj, a + j * (di + dj), conj);
            }
        }
    }

    @Override
    public void trtri(Uplo uplo, Diag diag, long n, long a, long lda) {
        if (n <= BASE) {
            smallTrtri(uplo, diag, n, a, lda);
            return;
        }
        long n1 = DLevel2.half(n);
        long n2 = n - n1;
        long a22 = a + (n1 + n1 * lda) * 16L;
        if (uplo == Uplo.UPPER) {
            long a12 = a + n1 * lda * 16L;
            trtri(uplo, diag, n1, a, lda);
            trmm(Side.LEFT, uplo, Op.NONE, diag, n1, n2, 1, 0, a, lda, a12, lda);
            trsm(Side.RIGHT, uplo, Op.NONE, diag, n1, n2, -1, 0, a22, lda, a12, lda);
            trtri(uplo, diag, n2, a22, lda);
        } else {
            long a21 = a + n1 * 16L;
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
        long da = lda * 16L;
        for (long r = 0; r < n; r++) {
            long j = lower ? n - 1 - r : r;
            long first = lower ? j + 1 : 0;
            long ajj = a + j * (da + 16L);
            long column = a + first * 16L + j * da;
            double re = -1;
            double im = 0;
            if (!unit) {
                invert(ajj);
                re = -f64(ajj);
                im = -f64(ajj + 8L);
            }
            multiply(lower, false, unit, r, a + first * (da + 16L), 16L, da, column, 16L);
            scal(r, re, im, false, column, 1);
        }
    }

    /** The element at d := 1 / d, after Smith as {@link #divide}. */
    private static void invert(long d) {
        double re = f64(d);
        double im = f64(d + 8L);
        boolean swap = Math.abs(re) < Math.abs(im);
        double ratio = swap ? re / im : im / re;
        double whole = swap ? re * ratio + im : re + im * ratio;
        f64(d, (swap ? ratio : 1) / whole);
        f64(d + 8L, (swap ? -1 : -ratio) / whole);
    }
}
