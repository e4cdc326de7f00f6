package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Columns of a narrow band by element: its columns are too short for kernels of vectors. */
public class DBand implements BandColumns {
    /** Up to here a quotient is a product with a reciprocal. */
    private static final double MOST = 0x1p1000; // float: private static final float MOST = 0x1p120f;

    private static final double LEAST = 0x1p-1000; // float: private static final float LEAST = 0x1p-120f;

    private final Leaf leaf;

    /**
     * Columns over the kernels of their type.
     *
     * @param leaf divides by pivots that have no good reciprocal
     */
    public DBand(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public final long pivot(long below, long at) {
        double best = Math.abs(f64(at));
        long p = 0;
        for (long i = 1; i <= below; i++) {
            double size = Math.abs(f64(at + i * 8L));
            // The first number that is none is larger than all.
            if (size > best || (Double.isNaN(size) && !Double.isNaN(best))) {
                best = size;
                p = i;
            }
        }
        if (best == 0) {
            return -1;
        }
        double pivot = f64(at + p * 8L);
        f64(at + p * 8L, f64(at));
        f64(at, pivot);
        double inverse = 1 / pivot;
        double size = Math.abs(inverse);
        if (size < MOST && size > LEAST) {
            for (long i = 1; i <= below; i++) {
                f64(at + i * 8L, f64(at + i * 8L) * inverse);
            }
        } else if (below > 0) {
            // With alpha = 1 a solve on the right divides what is below by the pivot.
            leaf.trsm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, below, 1, 1, 0, at, 1, at + 8L, below);
        }
        return p;
    }

    @Override
    public void eliminate(long below, long p, long cols, long at, long step) {
        for (long c = 1; c <= cols; c++) {
            long column = at + c * step * 8L;
            double u = f64(column + p * 8L);
            f64(column + p * 8L, f64(column));
            f64(column, u);
            for (long i = 1; i <= below; i++) {
                f64(column + i * 8L, Math.fma(-f64(at + i * 8L), u, f64(column + i * 8L)));
            }
        }
    }

    @Override
    public final void below(long below, long sides, long column, long row, long ld) {
        for (long r = 0; r < sides; r++, row += ld * 8L) {
            double u = f64(row);
            for (long i = 0; i < below; i++) {
                f64(row + i * 8L + 8L, Math.fma(-f64(column + i * 8L), u, f64(row + i * 8L + 8L)));
            }
        }
    }

    @Override
    public final void above(Op op, long below, long sides, long column, long row, long ld) {
        for (long r = 0; r < sides; r++, row += ld * 8L) {
            double x = f64(row);
            for (long i = below - 1; i >= 0; i--) {
                x = Math.fma(-f64(column + i * 8L), f64(row + i * 8L + 8L), x);
            }
            f64(row, x);
        }
    }
}
