package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

/**
 * Two-sided Jacobi. Pairs come by rounds, in which no row meets two others, so that devices that rotate a round at once compute the same (Brent and Luk, "The solution of singular-value and symmetric eigenvalue problems
 * on multiprocessor arrays", 1985).
 */
final class DEigenJacobi implements EigenJacobiLeaf {
    /** What rounding makes of 1. */
    private static final double UNIT = 0x1p-53; // float: private static final float UNIT = 0x1p-24f;

    /** Beyond it a square has no room for 1. */
    private static final double STEEP = 0x1p50; // float: private static final float STEEP = 0x1p20f;

    /** Matrices whose largest number has an exponent no further from 0 are worked on as they are. */
    private static final int PLAIN = 400; // float: private static final int PLAIN = 40;

    private final Leaf leaf;
    private final int parts;

    DEigenJacobi(Leaf leaf, int parts) {
        this.leaf = leaf;
        this.parts = parts;
    }

    private long bytes() {
        return parts * 8L;
    }

    @Override
    public int syevj(boolean lower, boolean vectors, long n, long a, long lda, long h, long values, double alphaRe,
            long sweeps, long residual, long taken) {
        double largest = write(lower, n, a, lda, h);
        boolean finite = Double.isFinite(largest);
        int by = !finite || largest == 0 || Math.abs(Math.getExponent(largest)) <= PLAIN
                ? 0
                : -Math.getExponent(largest);
        if (by != 0) {
            scale(n * n * parts, h, by);
        }
        if (vectors) {
            for (long j = 0; j < n; j++) {
                leaf.fill(n, 0, 0, a + j * lda * bytes(), 1);
                leaf.fill(1, 1, 0, a + (j + j * lda) * bytes(), 1);
            }
        }
        double allowed = Math.scalb(alphaRe, by); // float: float allowed = (float) Math.scalb(alphaRe, by);
        double off = offDiagonal(n, h);
        boolean done = finite && (off <= allowed || settled(n, h));
        long sweep = 0;
        while (finite && !done && sweep < sweeps) {
            sweep(vectors, n, h, a, lda);
            sweep++;
            off = offDiagonal(n, h);
            done = off <= allowed || settled(n, h);
        }
        i64(taken, sweep);
        f64(residual, finite ? Math.scalb(off, -by) : Double.NaN);
        for (long j = 0; j < n; j++) {
            double value = f64(h + (j + j * n) * bytes());
            f64(values + j * 8L, finite ? Math.scalb(value, -by) : Double.NaN);
        }
        if (finite) {
            sort(vectors, n, values, a, lda);
        }
        return done ? 0 : 1;
    }

    /** Both triangles at h; the largest number, NaN or infinite if one is. */
    private double write(boolean lower, long n, long a, long lda, long h) {
        double largest = 0;
        for (long j = 0; j < n; j++) {
            for (long i = lower ? j : 0; i < (lower ? n : j + 1); i++) {
                long from = a + (i + j * lda) * bytes();
                long to = h + (i + j * n) * bytes();
                long mirror = h + (j + i * n) * bytes();
                double re = f64(from);
                largest = larger(largest, Math.abs(re));
                f64(to, re);
                f64(mirror, re);
                if (parts == 2) {
                    double im = i == j ? 0 : f64(from + 8L);
                    largest = larger(largest, Math.abs(im));
                    f64(to + 8L, im);
                    f64(mirror + 8L, -im);
                }
            }
        }
        return largest;
    }

    private static double larger(double x, double y) {
        return x > y || Double.isNaN(x) ? x : y;
    }

    private static void scale(long n, long x, int by) {
        for (long i = 0; i < n; i++) {
            f64(x + i * 8L, Math.scalb(f64(x + i * 8L), by));
        }
    }

    private double modulus(long element) {
        double re = Math.abs(f64(element));
        if (parts == 1) {
            return re;
        }
        double im = Math.abs(f64(element + 8L));
        double most = Math.max(re, im);
        if (most == 0) {
            return 0;
        }
        double least = Math.min(re, im) / most;
        return most * Math.sqrt(1 + least * least);
    }

    /** The Frobenius norm of what is beside the diagonal. */
    private double offDiagonal(long n, long h) {
        double sum = 0;
        for (long j = 1; j < n; j++) {
            for (long i = 0; i < j; i++) {
                double size = modulus(h + (i + j * n) * bytes());
                sum += size * size;
            }
        }
        return Math.sqrt(2 * sum);
    }

    /** Whether an element is more than a rounding error beside the diagonal elements of its row and column. */
    private boolean counts(long n, long h, long p, long q) {
        double first = Math.abs(f64(h + (p + p * n) * bytes()));
        double second = Math.abs(f64(h + (q + q * n) * bytes()));
        return modulus(h + (p + q * n) * bytes()) > UNIT * Math.sqrt(first) * Math.sqrt(second);
    }

    private boolean settled(long n, long h) {
        for (long j = 1; j < n; j++) {
            for (long i = 0; i < j; i++) {
                if (counts(n, h, i, j)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** All pairs by rounds: each round has every row once. */
    private void sweep(boolean vectors, long n, long h, long v, long ldv) {
        long seats = n + n % 2;
        for (long round = 0; round < seats - 1; round++) {
            for (long pair = 0; pair < seats / 2; pair++) {
                long one = (round + pair) % (seats - 1);
                long other = pair == 0 ? seats - 1 : (round - pair + seats - 1) % (seats - 1);
                long p = Math.min(one, other);
                long q = Math.max(one, other);
                if (q < n && counts(n, h, p, q)) {
                    rotate(vectors, n, p, q, h, v, ldv);
                }
            }
        }
    }

    /** Makes the elements (p, q) and (q, p) zero. */
    private void rotate(boolean vectors, long n, long p, long q, long h, long v, long ldv) {
        long hp = h + p * n * bytes();
        long hq = h + q * n * bytes();
        double app = f64(hp + p * bytes());
        double aqq = f64(hq + q * bytes());
        long apq = hq + p * bytes();
        double size = modulus(apq);
        double zeta = (aqq - app) / (2 * size);
        double steep = Math.abs(zeta);
        double tangent =
                Math.copySign(steep > STEEP ? 1 / (2 * steep) : 1 / (steep + Math.sqrt(1 + zeta * zeta)), zeta);
        double c = 1 / Math.sqrt(1 + tangent * tangent);
        double s = c * tangent;
        double turnRe = -s * (f64(apq) / size);
        double turnIm = parts == 2 ? s * (f64(apq + 8L) / size) : 0;
        leaf.rot(n, c, turnRe, turnIm, parts == 1, hp, 1, hq, 1);
        if (vectors) {
            leaf.rot(n, c, turnRe, turnIm, parts == 1, v + p * ldv * bytes(), 1, v + q * ldv * bytes(), 1);
        }
        put(hp + p * bytes(), app - tangent * size);
        put(hq + q * bytes(), aqq + tangent * size);
        put(hp + q * bytes(), 0);
        put(hq + p * bytes(), 0);
        row(n, p, h);
        row(n, q, h);
    }

    private void put(long element, double x) {
        f64(element, x);
        if (parts == 2) {
            f64(element + 8L, 0);
        }
    }

    /** Row p := the conjugate of column p. */
    private void row(long n, long p, long h) {
        long column = h + p * n * bytes();
        for (long k = 0; k < n; k++) {
            long to = h + (p + k * n) * bytes();
            f64(to, f64(column + k * bytes()));
            if (parts == 2) {
                f64(to + 8L, k == p ? 0 : -f64(column + k * bytes() + 8L));
            }
        }
    }

    private void sort(boolean vectors, long n, long values, long v, long ldv) {
        for (long i = 0; i < n - 1; i++) {
            long best = i;
            for (long j = i + 1; j < n; j++) {
                best = f64(values + j * 8L) < f64(values + best * 8L) ? j : best;
            }
            if (best != i) {
                double kept = f64(values + i * 8L);
                f64(values + i * 8L, f64(values + best * 8L));
                f64(values + best * 8L, kept);
                if (vectors) {
                    leaf.swap(n, v + i * ldv * bytes(), 1, v + best * ldv * bytes(), 1);
                }
            }
        }
    }
}
