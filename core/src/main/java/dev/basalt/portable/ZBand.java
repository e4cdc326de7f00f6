package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Columns of a narrow band of complex numbers by element; as {@link DBand}, by |re| + |im|. */
public class ZBand implements BandColumns {
    /** Up to here a quotient is a product with a reciprocal. */
    private static final double MOST = 0x1p1000; // float: private static final float MOST = 0x1p120f;

    private static final double LEAST = 0x1p-1000; // float: private static final float LEAST = 0x1p-120f;

    private final Leaf leaf;

    /**
     * Columns of one type.
     *
     * @param leaf the kernels of the type, which divide by pivots that have no good reciprocal
     */
    public ZBand(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public long pivot(long below, long at) {
        double best = magnitude(at);
        long p = 0;
        for (long i = 1; i <= below; i++) {
            double size = magnitude(at + i * 16L);
            // The first number that is none is larger than all.
            if (size > best || (Double.isNaN(size) && !Double.isNaN(best))) {
                best = size;
                p = i;
            }
        }
        if (best == 0) {
            return -1;
        }
        exchange(at, at + p * 16L);
        if (below == 0) {
            return p;
        }
        if (best < MOST && best > LEAST) {
            scale(below, f64(at), f64(at + 8L), at + 16L);
        } else {
            // With alpha = 1 a solve on the right divides what is below by the pivot.
            leaf.trsm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, below, 1, 1, 0, at, 1, at + 16L, below);
        }
        return p;
    }

    /** Multiplies by the reciprocal of a pivot, computed without squares (R. L. Smith, 1962). */
    private static void scale(long count, double re, double im, long x) {
        boolean wide = Math.abs(re) >= Math.abs(im);
        double ratio = wide ? im / re : re / im;
        double size = wide ? Math.fma(im, ratio, re) : Math.fma(re, ratio, im);
        double r = (wide ? 1 : ratio) / size;
        double i = -(wide ? ratio : 1) / size;
        for (long end = x + count * 16L; x < end; x += 16L) {
            double xr = f64(x);
            double xi = f64(x + 8L);
            f64(x, Math.fma(xr, r, -xi * i));
            f64(x + 8L, Math.fma(xr, i, xi * r));
        }
    }

    @Override
    public void eliminate(long below, long p, long cols, long at, long step) {
        for (long c = 1; c <= cols; c++) {
            long column = at + c * step * 16L;
            if (p != 0) {
                exchange(column, column + p * 16L);
            }
            double ur = f64(column);
            double ui = f64(column + 8L);
            for (long i = 1; i <= below; i++) {
                double lr = f64(at + i * 16L);
                double li = f64(at + i * 16L + 8L);
                long x = column + i * 16L;
                f64(x, Math.fma(li, ui, Math.fma(-lr, ur, f64(x))));
                f64(x + 8L, Math.fma(-lr, ui, Math.fma(-li, ur, f64(x + 8L))));
            }
        }
    }

    @Override
    public final void below(long below, long sides, long column, long row, long ld) {
        for (long r = 0; r < sides; r++, row += ld * 16L) {
            double ur = f64(row);
            double ui = f64(row + 8L);
            for (long i = 0; i < below; i++) {
                double lr = f64(column + i * 16L);
                double li = f64(column + i * 16L + 8L);
                long x = row + i * 16L + 16L;
                f64(x, Math.fma(li, ui, Math.fma(-lr, ur, f64(x))));
                f64(x + 8L, Math.fma(-lr, ui, Math.fma(-li, ur, f64(x + 8L))));
            }
        }
    }

    @Override
    public final void above(Op op, long below, long sides, long column, long row, long ld) {
        double sign = op == Op.CONJ_TRANS ? -1 : 1;
        for (long r = 0; r < sides; r++, row += ld * 16L) {
            double re = f64(row);
            double im = f64(row + 8L);
            // What was found last comes last.
            for (long i = below - 1; i >= 0; i--) {
                double lr = f64(column + i * 16L);
                double li = sign * f64(column + i * 16L + 8L);
                double xr = f64(row + i * 16L + 16L);
                double xi = f64(row + i * 16L + 24L);
                re = Math.fma(li, xi, Math.fma(-lr, xr, re));
                im = Math.fma(-lr, xi, Math.fma(-li, xr, im));
            }
            f64(row, re);
            f64(row + 8L, im);
        }
    }

    private static double magnitude(long x) {
        return Math.abs(f64(x)) + Math.abs(f64(x + 8L));
    }

    private static void exchange(long x, long y) {
        double re = f64(x);
        double im = f64(x + 8L);
        f64(x, f64(y));
        f64(x + 8L, f64(y + 8L));
        f64(y, re);
        f64(y + 8L, im);
    }
}
