package dev.basalt.portable;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/** Random sketches, and the columns that they choose: over the kernels of a {@link Leaf} alone. */
final class SketchKernels {
    /** Coins of a number. */
    private static final int COINS = 64;

    /** Half of the digits of double and of single precision are lost where a part that small is left. */
    private static final double UNIT = 0x1p-53;

    private static final double SINGLE_UNIT = 0x1p-24;

    private SketchKernels() {}

    /** Runs some problems of a launch. */
    static void run(Leaf leaf, Launch l, long from, long to) {
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            if (l.kernel == Kernel.GAUSSIAN) {
                gaussian(leaf, l, i);
            } else {
                choose(leaf, l, i);
            }
        }
    }

    private static void gaussian(Leaf leaf, Launch l, long i) {
        int parts = l.type.isComplex() ? 2 : 1;
        for (long col = 0; col < l.n(i); col++) {
            for (long row = 0; row < l.m(i); row++) {
                long place = (col << 32 | row) * parts;
                leaf.fill(1, heads(place), parts == 1 ? 0 : heads(place + 1),
                        l.c.at(i) + (row + col * l.c.ld) * l.type.bytes(), 1);
            }
        }
    }

    /** The heads of the coins of a place, which SplitMix throws (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014). */
    private static double heads(long place) {
        long z = (place + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return (Long.bitCount(z ^ z >>> 31) - COINS / 2) / (COINS / 2.0);
    }

    private static void choose(Leaf leaf, Launch l, long i) {
        long k = l.k;
        long bytes = l.type.bytes();
        long steps = l.q - l.p;
        long q = l.d.at(i);
        long products = q + k * steps * bytes;
        long scratch = products + l.n * bytes;
        boolean all = !l.e.present() || i32(l.e.at(i)) == 0;
        long fixed = (long) real(l, l.g.at(i), 0);
        for (long j = l.p; j < l.n; j++) {
            double norm = leaf.nrm2(k, column(l, i, j), 1);
            norm(l, i, 0, j, norm);
            norm(l, i, 1, j, norm);
            if (all) {
                norm(l, i, 2, j, norm);
            }
        }
        for (long col = l.p; col < l.q; col++) {
            if (col >= fixed) {
                exchange(leaf, l, i, col, best(l, i, col));
            }
            long done = col - l.p;
            direction(leaf, l, column(l, i, col), q, done, scratch);
            if (col + 1 < l.n) {
                leaf.gemv(Op.CONJ_TRANS, k, l.n - col - 1, 1, 0, column(l, i, col + 1), l.b.ld, q + done * k * bytes, 1,
                        0, 0, products, 1);
                norms(leaf, l, i, col, products, scratch);
            }
        }
        if (l.e.present()) {
            i32(l.e.at(i), lost(l, i) ? 0 : 1);
        }
    }

    /** The column, or the first of those behind it of which most is left; NaN is most. */
    private static long best(Launch l, long i, long col) {
        long best = col;
        double most = norm(l, i, 0, col);
        for (long j = col + 1; j < l.n; j++) {
            double norm = norm(l, i, 0, j);
            if (ColumnNorms.larger(norm, most)) {
                best = j;
                most = norm;
            }
        }
        return best;
    }

    private static void exchange(Leaf leaf, Launch l, long i, long col, long best) {
        if (best == col) {
            return;
        }
        long c = l.c.at(i);
        long distance = l.c.ld * l.type.bytes();
        leaf.swap(l.m(i), c + best * distance, 1, c + col * distance, 1);
        leaf.swap(l.k, column(l, i, best), 1, column(l, i, col), 1);
        ColumnNorms.exchange(l.f.at(i), best, col);
        for (int t = 0; t < 3; t++) {
            norm(l, i, t, best, norm(l, i, t, col));
        }
    }

    /** Vector {@code done} of q := the direction of a column behind those that are done, or zeros where there is none: their products are taken off twice. */
    private static void direction(Leaf leaf, Launch l, long column, long q, long done, long scratch) {
        long k = l.k;
        long own = q + done * k * l.type.bytes();
        leaf.copy(k, column, 1, own, 1);
        double before = leaf.nrm2(k, own, 1);
        for (int t = 0; t < 2; t++) {
            takeOff(leaf, l, own, q, done, scratch);
        }
        double norm = leaf.nrm2(k, own, 1);
        boolean none = norm <= 8 * unit(l) * before || norm < (single(l) ? Float.MIN_NORMAL : Double.MIN_NORMAL);
        leaf.scal(k, none ? 0 : 1 / norm, 0, true, own, 1);
    }

    /** x of k elements := what is left of it behind the vectors of q that are done. */
    private static void takeOff(Leaf leaf, Launch l, long x, long q, long done, long scratch) {
        if (done > 0) {
            leaf.gemv(Op.CONJ_TRANS, l.k, done, 1, 0, q, l.k, x, 1, 0, 0, scratch, 1);
            leaf.gemv(Op.NONE, l.k, done, -1, 0, q, l.k, scratch, 1, 1, 0, x, 1);
        }
    }

    private static void norms(Leaf leaf, Launch l, long i, long col, long products, long scratch) {
        long bytes = l.type.bytes();
        for (long j = col + 1; j < l.n; j++) {
            double norm = norm(l, i, 0, j);
            if (norm == 0) {
                continue;
            }
            double left = ColumnNorms.left(modulus(l, products + (j - col - 1) * bytes), norm);
            if (ColumnNorms.lost(left, norm, norm(l, i, 1, j), unit(l))) {
                long own = scratch + (l.q - l.p) * bytes;
                leaf.copy(l.k, column(l, i, j), 1, own, 1);
                takeOff(leaf, l, own, l.d.at(i), col - l.p + 1, scratch);
                double now = leaf.nrm2(l.k, own, 1);
                norm(l, i, 0, j, now);
                norm(l, i, 1, j, now);
            } else {
                norm(l, i, 0, j, norm * Math.sqrt(left));
            }
        }
    }

    /** Whether a column behind has lost half of its digits since the sketch was new. */
    private static boolean lost(Launch l, long i) {
        double half = Math.sqrt(unit(l));
        for (long j = l.q; j < l.n; j++) {
            double first = norm(l, i, 2, j);
            if (first > 0 && norm(l, i, 0, j) <= half * first) {
                return true;
            }
        }
        return false;
    }

    /** The address of what stands for a column. */
    private static long column(Launch l, long i, long j) {
        return l.b.at(i) + (j - l.p) * l.b.ld * l.type.bytes();
    }

    private static double norm(Launch l, long i, int kind, long j) {
        return real(l, l.a.at(i), kind * l.a.ld + j);
    }

    private static void norm(Launch l, long i, int kind, long j, double norm) {
        long at = kind * l.a.ld + j;
        if (single(l)) {
            f32(l.a.at(i) + 4 * at, (float) norm);
        } else {
            f64(l.a.at(i) + 8 * at, norm);
        }
    }

    private static double real(Launch l, long base, long at) {
        return single(l) ? f32(base + 4 * at) : f64(base + 8 * at);
    }

    private static double modulus(Launch l, long x) {
        return l.type.isComplex() ? Math.hypot(real(l, x, 0), real(l, x, 1)) : Math.abs(real(l, x, 0));
    }

    private static boolean single(Launch l) {
        return l.type.real() == ElementType.F32;
    }

    private static double unit(Launch l) {
        return single(l) ? SINGLE_UNIT : UNIT;
    }
}
