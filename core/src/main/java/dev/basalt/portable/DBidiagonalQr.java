package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/**
 * Implicit QR of a bidiagonal matrix (Demmel and Kahan, "Accurate singular values of bidiagonal matrices", 1990). A block is chased from its larger end to its smaller one; without a
 * shift where that would cost small values their digits.
 */
final class DBidiagonalQr implements BidiagonalQrLeaf {
    /** What rounding makes of 1. */
    private static final double UNIT = 0x1p-53; // float: private static final float UNIT = 0x1p-24f;

    /** An element beside the diagonal that is so much smaller than what it stands beside is zero. */
    private static final double TOLERANCE = 1.1e-14; // float: private static final float TOLERANCE = 6e-7f;

    private static final double LEAST_NORMAL = 0x1p-1022; // float: private static final float LEAST_NORMAL = 0x1p-126f;

    /** Numbers between these have a square root and a reciprocal with all digits. */
    private static final double LEAST = 0x1p-960; // float: private static final float LEAST = 0x1p-100f;

    private static final double MOST = 0x1p960; // float: private static final float MOST = 0x1p100f;

    /** Squares of numbers between these are in the range, with room for sums. */
    private static final double SMALL = 0x1p-500; // float: private static final float SMALL = 0x1p-60f;

    private static final double LARGE = 0x1p500; // float: private static final float LARGE = 0x1p60f;
    private static final double UP = 0x1p1000; // float: private static final float UP = 0x1p120f;
    private static final double DOWN = 0x1p-600; // float: private static final float DOWN = 0x1p-70f;

    /** After so many steps a block is looked through; in between only where steps converge. */
    private static final long LOOKS = 4;

    /** Rotations that are always enough, by n². */
    private static final long ENOUGH = 6;

    private final DRotations rotations;

    DBidiagonalQr(DRotations rotations) {
        this.rotations = rotations;
    }

    @Override
    public long bdsqr(boolean lower, long n, long limit, long given, long work, long m, long v, long vi, long vj,
            long p, long u, long ldu, long k, long c, long ldc) {
        if (n == 0) {
            return 0;
        }
        long d = work;
        long e = work + n * 8L;
        if (!take(n, given, d, e)) {
            return n;
        }
        long right = e + n * 8L;
        long left = right + 2 * n * 8L;
        if (lower) {
            for (long i = 0; i < n - 1; i++) {
                f64(d + i * 8L, rotate(f64(d + i * 8L), f64(e + i * 8L), left + i * 8L, left + (n + i) * 8L));
                double next = f64(d + (i + 1) * 8L);
                f64(e + i * 8L, f64(left + (n + i) * 8L) * next);
                f64(d + (i + 1) * 8L, f64(left + i * 8L) * next);
            }
            rotations.apply(false, 0, n - 1, left, left + n * 8L, p, u, ldu, 1);
            rotations.apply(false, 0, n - 1, left, left + n * 8L, k, c, 1, ldc);
        }
        double threshold = threshold(n, d, e);
        long most = (limit > 0 ? limit : ENOUGH) * n * n;
        long looks = 0;
        double ratio = 0;
        long oldFirst = -1;
        long oldLast = -1;
        boolean down = true;
        long last = n - 1;
        while (last > 0) {
            long first = split(last, e, threshold);
            if (first == last) {
                last--;
                continue;
            }
            if (first > oldLast || last < oldFirst) {
                down = Math.abs(f64(d + first * 8L)) >= Math.abs(f64(d + last * 8L));
            }
            looks = first == oldFirst && last == oldLast ? looks - 1 : 0;
            oldFirst = first;
            oldLast = last;
            if (looks > 0) {
                ratio = endsSmall(down, first, last, d, e) ? -1 : ratio;
            } else {
                ratio = deflate(down, first, last, d, e);
                looks = LOOKS;
            }
            if (ratio < 0) {
                continue;
            }
            most -= last - first;
            if (most < 0) {
                return left(n, e);
            }
            double shift =
                    n * TOLERANCE * ratio <= Math.max(UNIT, 0.01 * TOLERANCE) ? 0 : shift(down, first, last, d, e);
            chase(shift, down, first, last, d, e, down ? right : left, down ? left : right, n);
            rotations.apply(!down, first, last, right, right + n * 8L, m, v, vi, vj);
            rotations.apply(!down, first, last, left, left + n * 8L, p, u, ldu, 1);
            rotations.apply(!down, first, last, left, left + n * 8L, k, c, 1, ldc);
        }
        sort(n, d, m, v, vi, vj, p, u, ldu, k, c, ldc);
        return 0;
    }

    /** The given elements into the workspace; false where one is not finite. */
    private static boolean take(long n, long given, long d, long e) {
        double nothing = 0;
        for (long i = 0; i < 2 * n - 1; i++) {
            double x = f64(given + i * 8L);
            nothing += 0 * x;
            f64(d + i * 8L, x);
        }
        f64(e + (n - 1) * 8L, 0);
        if (nothing == 0) {
            return true;
        }
        for (long i = 0; i < n; i++) {
            f64(d + i * 8L, Double.NaN);
            f64(e + i * 8L, 0);
        }
        return false;
    }

    /** r of the rotation that takes (f, g) to (r, 0), whose cosine and sine are written. */
    static double rotate(double f, double g, long cosine, long sine) {
        double square = f * f + g * g;
        if (square > LEAST && square < MOST && g != 0) {
            // A root and a reciprocal at the same time, where a quotient would wait for the root.
            double root = Math.sqrt(square);
            double inverse = root * (1 / square);
            f64(cosine, f * inverse);
            f64(sine, g * inverse);
            return root;
        }
        double large = Math.max(Math.abs(f), Math.abs(g));
        double scale = large < SMALL ? UP : large > LARGE ? DOWN : 1;
        double x = f * scale;
        double y = g * scale;
        double r = Math.sqrt(x * x + y * y);
        if (g == 0 || r == 0) {
            f64(cosine, 1);
            f64(sine, 0);
            return f;
        }
        f64(cosine, x / r);
        f64(sine, y / r);
        return r / scale;
    }

    /** What counts as zero beside the smallest singular value there can be. */
    private static double threshold(long n, long d, long e) {
        double least = Math.abs(f64(d));
        double mu = least;
        for (long i = 1; i < n && least != 0; i++) {
            mu = Math.abs(f64(d + i * 8L)) * (mu / (mu + Math.abs(f64(e + (i - 1) * 8L))));
            least = Math.min(least, mu);
        }
        double smallest = ENOUGH * LEAST_NORMAL * n * n;
        return Math.max(TOLERANCE * (least / Math.sqrt((double) n)), smallest);
    }

    /** Where the block that ends with the last row begins; what separates it becomes zero. */
    private static long split(long last, long e, double threshold) {
        for (long i = last - 1; i >= 0; i--) {
            if (Math.abs(f64(e + i * 8L)) <= threshold) {
                f64(e + i * 8L, 0);
                return i + 1;
            }
        }
        return 0;
    }

    /** Whether the element beside the diagonal where steps converge may be zero, which it is then. */
    private static boolean endsSmall(boolean down, long first, long last, long d, long e) {
        long end = e + (down ? last - 1 : first) * 8L;
        double own = Math.abs(f64(d + (down ? last : first) * 8L));
        if (Math.abs(f64(end)) <= TOLERANCE * own) {
            f64(end, 0);
            return true;
        }
        return false;
    }

    /** Makes an element beside the diagonal zero that is small for its place, and is then -1; else the smallest by the largest number of a block. */
    private static double deflate(boolean down, long first, long last, long d, long e) {
        long step = down ? 8L : -8L;
        long x = d + (down ? first : last) * 8L;
        long y = e + (down ? first : last - 1) * 8L;
        if (endsSmall(down, first, last, d, e)) {
            return -1;
        }
        double mu = Math.abs(f64(x));
        double least = mu;
        double most = mu;
        for (long i = first; i < last; i++, y += step) {
            double beside = Math.abs(f64(y));
            if (beside <= TOLERANCE * mu) {
                f64(y, 0);
                return -1;
            }
            x += step;
            double next = Math.abs(f64(x));
            mu = next * (mu / (mu + beside));
            least = Math.min(least, mu);
            most = Math.max(most, Math.max(next, beside));
        }
        return least / most;
    }

    /** The smallest singular value of the two rows at the smaller end, or 0 where it is nothing beside the larger end. */
    private static double shift(boolean down, long first, long last, long d, long e) {
        double end = Math.abs(f64(d + (down ? first : last) * 8L));
        double f = Math.abs(f64(d + (down ? last - 1 : first) * 8L));
        double g = Math.abs(f64(e + (down ? last - 1 : first) * 8L));
        double h = Math.abs(f64(d + (down ? last : first + 1) * 8L));
        double shift = smallest(Math.min(f, h), g, Math.max(f, h));
        double part = shift / end;
        return part * part < UNIT ? 0 : shift;
    }

    /** The smaller singular value of a triangle whose diagonal has a smaller and a larger number, without avoidable underflow. */
    private static double smallest(double low, double beside, double high) {
        if (low == 0) {
            return 0;
        }
        double sum = 1 + low / high;
        double difference = (high - low) / high;
        if (beside < high) {
            double part = beside / high;
            part *= part;
            return low * (2 / (Math.sqrt(sum * sum + part) + Math.sqrt(difference * difference + part)));
        }
        double part = high / beside;
        if (part == 0) {
            return low * high / beside;
        }
        double more = sum * part;
        double less = difference * part;
        return 2 * (low * (1 / (Math.sqrt(1 + more * more) + Math.sqrt(1 + less * less)))) * part;
    }

    /**
     * One sweep over a block, from its first row on or from its last. At {@code before} are the rotations that make what is beside the diagonal, at {@code after} those that take it away,
     * cosines and n elements on sines, at the places of the elements they work on.
     */
    private static void chase(double shift, boolean down, long first, long last, long d, long e, long before,
            long after, long n) {
        long step = down ? 8L : -8L;
        long x = d + (down ? first : last) * 8L;
        long y = e + (down ? first : last - 1) * 8L;
        long places = y - e;
        long count = last - first;
        if (shift == 0) {
            plain(count, step, x, y, before + places, after + places, n * 8L);
        } else {
            shifted(shift, count, step, x, y, before + places, after + places, n * 8L);
        }
        for (long i = first; i < last && !down; i++) {
            // A pair is rotated with the lower number first.
            f64(before + (n + i) * 8L, -f64(before + (n + i) * 8L));
            f64(after + (n + i) * 8L, -f64(after + (n + i) * 8L));
        }
    }

    private static void plain(long count, long step, long x, long y, long before, long after, long sines) {
        double cosine = 1;
        double oldCosine = 1;
        double oldSine = 0;
        for (long k = 0; k < count; k++) {
            double r = rotate(f64(x) * cosine, f64(y), before, before + sines);
            cosine = f64(before);
            if (k > 0) {
                f64(y - step, oldSine * r);
            }
            f64(x, rotate(oldCosine * r, f64(x + step) * f64(before + sines), after, after + sines));
            oldCosine = f64(after);
            oldSine = f64(after + sines);
            x += step;
            y += step;
            before += step;
            after += step;
        }
        double end = f64(x) * cosine;
        f64(x, end * oldCosine);
        f64(y - step, end * oldSine);
    }

    /** The second rotation of a row is found beside the first, from what both begin with: so each waits for one root. */
    private static void shifted(double shift, long count, long step, long x, long y, long before, long after,
            long sines) {
        double own = f64(x);
        double f = (Math.abs(own) - shift) * (Math.copySign(1, own) + shift / own);
        double g = f64(y);
        for (long k = 0; k < count; k++) {
            double a = f64(x);
            double b = f64(y);
            double next = f64(x + step);
            double beyond = k < count - 1 ? f64(y + step) : 0;
            double square = f * f + g * g;
            double p = f * a + g * b;
            double q = f * b - g * a;
            double s = g * next;
            double t = f * next;
            double other = p * p + s * s;
            double r;
            if (square > LEAST && square < MOST && other > LEAST && other < MOST) {
                double root = Math.sqrt(other);
                r = Math.sqrt(square);
                double first = r * (1 / square);
                double second = root * (1 / other);
                double both = first * second;
                f64(before, f * first);
                f64(before + sines, g * first);
                double c = p * second;
                f64(after, c);
                f64(after + sines, s * second);
                f64(x, root * first);
                f64(x + step, (p * t - s * q) * both);
                f = (p * q + s * t) * both;
                g = s * beyond * second;
                beyond *= c;
            } else {
                r = rotate(f, g, before, before + sines);
                double c = f64(before);
                double sine = f64(before + sines);
                q = c * b - sine * a;
                t = c * next;
                f64(x, rotate(c * a + sine * b, sine * next, after, after + sines));
                c = f64(after);
                sine = f64(after + sines);
                f = c * q + sine * t;
                f64(x + step, c * t - sine * q);
                g = sine * beyond;
                beyond *= c;
            }
            if (k > 0) {
                f64(y - step, r);
            }
            if (k < count - 1) {
                f64(y + step, beyond);
            }
            x += step;
            y += step;
            before += step;
            after += step;
        }
        f64(y - step, f);
    }

    /** How many elements beside the diagonal are not zero. */
    private static long left(long n, long e) {
        long count = 0;
        for (long i = 0; i < n - 1; i++) {
            count += f64(e + i * 8L) != 0 ? 1 : 0;
        }
        return Math.max(1, count);
    }

    private void sort(long n, long d, long m, long v, long vi, long vj, long p, long u, long ldu, long k, long c,
            long ldc) {
        for (long i = 0; i < n; i++) {
            double x = f64(d + i * 8L);
            if (x <= 0) {
                // The sign of a zero goes, too.
                f64(d + i * 8L, x == 0 ? 0 : -x);
                if (x < 0) {
                    rotations.negate(i, m, v, vi, vj);
                }
            }
        }
        for (long i = 0; i < n - 1; i++) {
            long best = i;
            double value = f64(d + i * 8L);
            for (long j = i + 1; j < n; j++) {
                if (f64(d + j * 8L) > value) {
                    value = f64(d + j * 8L);
                    best = j;
                }
            }
            if (best != i) {
                f64(d + best * 8L, f64(d + i * 8L));
                f64(d + i * 8L, value);
                rotations.swap(i, best, m, v, vi, vj);
                rotations.swap(i, best, p, u, ldu, 1);
                rotations.swap(i, best, k, c, 1, ldc);
            }
        }
    }
}
