package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

/**
 * One-sided Jacobi. Angles are asked of columns of length 1, so no square of a small column vanishes beside one of a large column (Demmel and Veselić, "Jacobi's method is more accurate than
 * QR", 1992). The longer column of a pair comes first (de Rijk, "A one-sided Jacobi algorithm for computing the singular value decomposition on a vector computer", 1989).
 */
final class DJacobi implements JacobiLeaf {
    /** What rounding makes of 1. */
    private static final double UNIT = 0x1p-53; // float: private static final float UNIT = 0x1p-24f;

    /** A shorter column is one of zeros: its length has no reciprocal. */
    private static final double SHORTEST = 0x1p-1020; // float: private static final float SHORTEST = 0x1p-124f;

    /** Beyond it a square has no room for 1. */
    private static final double STEEP = 0x1p50; // float: private static final float STEEP = 0x1p20f;

    /** Products of elements of columns so long have room for all that counts in their sum. */
    private static final double PLAIN_LEAST = 0x1p-400; // float: private static final float PLAIN_LEAST = 0x1p-40f;

    private static final double PLAIN_MOST = 0x1p400; // float: private static final float PLAIN_MOST = 0x1p40f;

    /** Where the square of a length becomes less than this part of it, the length is measured anew. */
    private static final double VANISHING = 0x1p-10; // float: private static final float VANISHING = 0x1p-10f;

    /** What is left of a unit vector beside other columns is used if it is so long at least. */
    private static final double ENOUGH = 0.5;

    /** Up to this ratio of lengths columns begin as products with approximate vectors. */
    private static final double EVEN = 0x1p20;

    private final Leaf leaf;
    private final int parts;
    private final DJacobiProducts products;

    /**
     * Kernels of a type.
     *
     * @param leaf its other kernels
     * @param parts 1, or 2 where it is complex
     */
    DJacobi(Leaf leaf, int parts) {
        this.leaf = leaf;
        this.parts = parts;
        products = new DJacobiProducts(leaf, parts);
    }

    private long bytes() {
        return parts * 8L;
    }

    @Override
    public int gesvj(long m, long n, long x, long ldx, long v, long ldv, long values, double alphaRe, long sweeps,
            long residual, long taken, long near, long ldnear, long work) {
        double tolerance = Math.max(alphaRe, UNIT * Math.sqrt((double) m));
        DJacobiProducts.Place place = new DJacobiProducts.Place(m, n, x, ldx, v, ldv, work);
        boolean done = false;
        double worst = 0;
        long sweep = 0;
        boolean finite = lengths(m, n, x, ldx, values);
        boolean many = work != 0 && m <= 2 * n;
        if (many && near != 0 && finite && sweeps > 0) {
            // Who is allowed no other sweep is told what this one has found.
            worst = sweeps > 1 ? Double.POSITIVE_INFINITY : products.cosine(place, values);
            done = worst <= tolerance;
            sweep++;
            if (!done) {
                leaf.copyMatrix(m, n, near, ldnear, x, ldx);
            }
            finite = lengths(m, n, x, ldx, values);
        }
        if (v != 0 && (sweep == 0 || done)) {
            identity(n, v, ldv);
        }
        while (finite && !done && sweep < sweeps) {
            boolean plain = many && ratio(n, values) < Double.POSITIVE_INFINITY;
            if (plain) {
                worst = products.cosine(place, values);
            }
            if (!plain || worst > tolerance && !products.turn(place, values, tolerance)) {
                lengths(m, n, x, ldx, values);
                worst = sweep(m, n, x, ldx, v, ldv, values, tolerance);
            }
            done = worst <= tolerance;
            sweep++;
            finite = lengths(m, n, x, ldx, values);
        }
        f64(residual, finite ? worst : Double.NaN);
        i64(taken, sweep);
        if (!finite) {
            leaf(n, values);
            return 1;
        }
        sort(m, n, x, ldx, v, ldv, values);
        normalise(m, n, x, ldx, values);
        return done ? 0 : 1;
    }

    @Override
    public boolean approaches(long m, long n, long x, long ldx, long values) {
        return lengths(m, n, x, ldx, values) && ratio(n, values) <= EVEN;
    }

    private void identity(long n, long v, long ldv) {
        for (long j = 0; j < n; j++) {
            leaf.fill(n, 0, 0, v + j * ldv * bytes(), 1);
            leaf.fill(1, 1, 0, v + (j + j * ldv) * bytes(), 1);
        }
    }

    /** The longest column by the shortest; infinite where products of their elements may leave the range. */
    private static double ratio(long n, long values) {
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        for (long j = 0; j < n; j++) {
            least = Math.min(least, f64(values + j * 8L));
            most = Math.max(most, f64(values + j * 8L));
        }
        return least >= PLAIN_LEAST && most <= PLAIN_MOST ? most / least : Double.POSITIVE_INFINITY;
    }

    private static void leaf(long n, long values) {
        for (long j = 0; j < n; j++) {
            f64(values + j * 8L, Double.NaN);
        }
    }

    private boolean lengths(long m, long n, long x, long ldx, long values) {
        double nothing = 0;
        for (long j = 0; j < n; j++) {
            double length = leaf.nrm2(m, x + j * ldx * bytes(), 1); // keep double
            f64(values + j * 8L, length); // float: f32(values + j * 4L, (float) length);
            nothing += 0 * f64(values + j * 8L);
        }
        return nothing == 0;
    }

    /** All pairs by rounds: each round has every column once. The largest cosine that was found. */
    private double sweep(long m, long n, long x, long ldx, long v, long ldv, long values, double tolerance) {
        double worst = 0;
        long seats = n + n % 2;
        for (long round = 0; round < seats - 1; round++) {
            for (long pair = 0; pair < seats / 2; pair++) {
                long one = (round + pair) % (seats - 1);
                long other = pair == 0 ? seats - 1 : (round - pair + seats - 1) % (seats - 1);
                long i = Math.min(one, other);
                long j = Math.max(one, other);
                if (j < n) {
                    worst = Math.max(worst, rotate(m, n, i, j, x, ldx, v, ldv, values, tolerance));
                }
            }
        }
        return worst;
    }

    private double rotate(long m, long n, long i, long j, long x, long ldx, long v, long ldv, long values,
            double tolerance) {
        double a = f64(values + i * 8L);
        double b = f64(values + j * 8L);
        long xi = x + i * ldx * bytes();
        long xj = x + j * ldx * bytes();
        long vi = v == 0 ? 0 : v + i * ldv * bytes();
        long vj = v == 0 ? 0 : v + j * ldv * bytes();
        boolean exchange = b > a;
        double re = 0;
        double im = 0;
        if (a >= SHORTEST && b >= SHORTEST) {
            double p = 1 / a;
            double q = 1 / b;
            long step = bytes();
            boolean whole = parts == 1 && Math.min(a, b) >= PLAIN_LEAST && Math.max(a, b) <= PLAIN_MOST;
            if (whole) {
                double sum = leaf.dotReal(m, xi, 1, xj, 1); // keep double
                re = sum * p * q; // float: re = (float) sum * p * q;
            }
            for (long k = 0; k < m && !whole; k++) {
                long s = xi + k * step;
                long t = xj + k * step;
                re += f64(s) * p * (f64(t) * q);
                if (parts == 2) {
                    re += f64(s + 8L) * p * (f64(t + 8L) * q);
                    im += f64(s) * p * (f64(t + 8L) * q) - f64(s + 8L) * p * (f64(t) * q);
                }
            }
        }
        double cosine = parts == 2 ? Math.sqrt(re * re + im * im) : Math.abs(re);
        if (!(cosine > tolerance)) {
            if (exchange) {
                leaf.swap(m, xi, 1, xj, 1);
                swap(n, vi, vj);
                f64(values + i * 8L, b);
                f64(values + j * 8L, a);
            }
            return cosine;
        }
        double zeta = (b / a - a / b) / (2 * cosine);
        double size = Math.abs(zeta);
        double tangent = Math.copySign(size > STEEP ? 1 / (2 * size) : 1 / (size + Math.sqrt(1 + zeta * zeta)), zeta);
        double c = 1 / Math.sqrt(1 + tangent * tangent);
        double s = c * tangent;
        // A small angle changes little, whatever the phase of the product is.
        double turnRe = -s * (re / cosine);
        double turnIm = s * (im / cosine);
        leaf.rot(m, c, turnRe, turnIm, parts == 1, xi, 1, xj, 1);
        if (v != 0) {
            leaf.rot(n, c, turnRe, turnIm, parts == 1, vi, 1, vj, 1);
        }
        if (exchange) {
            leaf.swap(m, xi, 1, xj, 1);
            swap(n, vi, vj);
        }
        double less = 1 - tangent * cosine * (b / a);
        double more = 1 + tangent * cosine * (a / b);
        if (less > VANISHING && more > VANISHING) {
            f64(values + (exchange ? j : i) * 8L, a * Math.sqrt(less)); // float: f32(values + (exchange ? j : i) * 4L, (float) (a * Math.sqrt(less)));
            f64(values + (exchange ? i : j) * 8L, b * Math.sqrt(more)); // float: f32(values + (exchange ? i : j) * 4L, (float) (b * Math.sqrt(more)));
            return cosine;
        }
        double first = leaf.nrm2(m, xi, 1); // keep double
        double second = leaf.nrm2(m, xj, 1); // keep double
        f64(values + i * 8L, first); // float: f32(values + i * 4L, (float) first);
        f64(values + j * 8L, second); // float: f32(values + j * 4L, (float) second);
        return cosine;
    }

    private void swap(long n, long one, long other) {
        if (one != 0) {
            leaf.swap(n, one, 1, other, 1);
        }
    }

    private void sort(long m, long n, long x, long ldx, long v, long ldv, long values) {
        for (long i = 0; i < n - 1; i++) {
            long best = i;
            for (long j = i + 1; j < n; j++) {
                best = f64(values + j * 8L) > f64(values + best * 8L) ? j : best;
            }
            if (best != i) {
                double kept = f64(values + i * 8L);
                f64(values + i * 8L, f64(values + best * 8L));
                f64(values + best * 8L, kept);
                leaf.swap(m, x + i * ldx * bytes(), 1, x + best * ldx * bytes(), 1);
                if (v != 0) {
                    swap(n, v + i * ldv * bytes(), v + best * ldv * bytes());
                }
            }
        }
    }

    /** Columns of length 1; those without a length become what is left of unit vectors beside the others. */
    private void normalise(long m, long n, long x, long ldx, long values) {
        long unit = 0;
        for (long j = 0; j < n; j++) {
            long column = x + j * ldx * bytes();
            double length = f64(values + j * 8L);
            if (length >= SHORTEST) {
                scale(m, column, 1 / length);
                continue;
            }
            for (long tries = 0; tries < m; tries++, unit++) {
                leaf.fill(m, 0, 0, column, 1);
                leaf.fill(1, 1, 0, column + unit % m * bytes(), 1);
                double left = beside(m, j, x, ldx, column);
                if (left * left * 2 * m >= ENOUGH) {
                    scale(m, column, 1 / left);
                    left = beside(m, j, x, ldx, column);
                    scale(m, column, 1 / left);
                    break;
                }
            }
            unit++;
        }
    }

    /** Takes the other columns before it off a column, one by one, twice; its length then. */
    private double beside(long m, long j, long x, long ldx, long column) {
        for (int again = 0; again < 2; again++) {
            for (long k = 0; k < j; k++) {
                long other = x + k * ldx * bytes();
                double re = 0;
                double im = 0;
                for (long i = 0; i < m; i++) {
                    long s = other + i * bytes();
                    long t = column + i * bytes();
                    re += f64(s) * f64(t);
                    if (parts == 2) {
                        re += f64(s + 8L) * f64(t + 8L);
                        im += f64(s) * f64(t + 8L) - f64(s + 8L) * f64(t);
                    }
                }
                if (re != 0 || im != 0) {
                    leaf.axpy(m, -re, -im, other, 1, column, 1);
                }
            }
        }
        double left = leaf.nrm2(m, column, 1); // keep double
        return left; // float: return (float) left;
    }

    private void scale(long m, long column, double by) {
        leaf.scal(m, by, 0, true, column, 1);
    }
}
