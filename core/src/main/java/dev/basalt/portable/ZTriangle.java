package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Complex kernels with a triangular matrix; see {@link DTriangle}. */
abstract class ZTriangle extends ZLevel3 {
    @Override
    final void smallTrmm(Side side, boolean lower, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb) {
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

    @Override
    final void smallTrsm(Side side, boolean lower, Op op, Diag diag, long m, long n, long a, long lda, long b,
            long ldb) {
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

    /** Column by column, as LAPACK's trti2: each is a product with the part that is already inverted. */
    @Override
    final void smallTrtri(Uplo uplo, Diag diag, long n, long a, long lda) {
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
