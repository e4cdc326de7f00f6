package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** What {@link Recursive} leaves of level 3 with a triangular matrix, and of the inverse of a triangle. */
abstract class DTriangle extends DLevel3 {
    @Override
    final void smallTrmm(Side side, boolean lower, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb) {
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

    @Override
    final void smallTrsm(Side side, boolean lower, Op op, Diag diag, long m, long n, long a, long lda, long b,
            long ldb) {
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

    /** Column by column, as LAPACK's trti2: each is a product with the part that is already inverted. */
    @Override
    final void smallTrtri(Uplo uplo, Diag diag, long n, long a, long lda) {
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
