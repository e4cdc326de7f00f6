package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** A real matrix of order two: its eigenvalues, and the rotation that brings it to LAPACK's standard form, triangular or with equal diagonal elements and elements of different sign beside them. */
final class DPair {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;

    private static final double LARGE = 0x1p480; // float: private static final float LARGE = 0x1p50f;
    private static final double SMALL = 0x1p-480; // float: private static final float SMALL = 0x1p-50f;
    private static final int TIMES = 20;
    private static final double HALF = 0.5;
    private static final double FOUR = 4.0;

    /** The standard form. */
    double a;

    double b;
    double c;
    double d;

    /** The eigenvalues. */
    double re1;

    double im1;
    double re2;
    double im2;

    /** The rotation from the left, whose transpose stands on the right. */
    double cosine;

    double sine;

    private static double hypot(double x, double y) {
        double p = Math.abs(x);
        double q = Math.abs(y);
        double large = Math.max(p, q);
        double ratio = large == 0 ? 0 : Math.min(p, q) / large;
        return large * Math.sqrt(1 + ratio * ratio);
    }

    private static boolean sameSign(double x, double y) {
        return Math.copySign(1, x) == Math.copySign(1, y);
    }

    /** The two shifts for a step on rows first to i: eigenvalues at the end, or with {@code other} 1 (at the beginning) or 2 (at the end) numbers that are none. */
    void shifts(int other, long h, long ldh, long first, long i, double diagonal, double beside) {
        long end = h + (i + i * ldh) * 8L;
        double h11 = f64(end - ldh * 8L - 8L);
        double h21 = f64(end - ldh * 8L);
        double h12 = f64(end - 8L);
        double h22 = f64(end);
        if (other != 0) {
            long begin = h + (first + first * ldh) * 8L;
            double s = other == 2
                    ? Math.abs(h21) + Math.abs(f64(end - 2 * ldh * 8L - 8L))
                    : Math.abs(f64(begin + 8L)) + Math.abs(f64(begin + ldh * 8L + 16L));
            h11 = diagonal * s + (other == 2 ? h22 : f64(begin));
            h12 = beside * s;
            h21 = s;
            h22 = h11;
        }
        double s = Math.abs(h11) + Math.abs(h12) + Math.abs(h21) + Math.abs(h22);
        re1 = 0;
        im1 = 0;
        re2 = 0;
        im2 = 0;
        if (s == 0) {
            return;
        }
        h11 /= s;
        h21 /= s;
        h12 /= s;
        h22 /= s;
        double mean = (h11 + h22) / 2;
        double det = (h11 - mean) * (h22 - mean) - h12 * h21;
        double root = Math.sqrt(Math.abs(det));
        if (det >= 0) {
            re1 = mean * s;
            re2 = re1;
            im1 = root * s;
            im2 = -im1;
        } else {
            // Two real ones: the one nearer to the last element, twice.
            double x = mean + root;
            double y = mean - root;
            re1 = (Math.abs(x - h22) <= Math.abs(y - h22) ? x : y) * s;
            re2 = re1;
        }
    }

    /** The standard form of a matrix, its eigenvalues and the rotation (Bai and Demmel, "On swapping diagonal blocks in real Schur form", 1993). */
    void standard(double p, double q, double r, double s) {
        a = p;
        b = q;
        c = r;
        d = s;
        cosine = 1;
        sine = 0;
        if (c != 0) {
            if (b == 0) {
                turn();
            } else if (a - d != 0 || sameSign(b, c)) {
                general();
            }
        }
        re1 = a;
        re2 = d;
        im1 = c == 0 ? 0 : Math.sqrt(Math.abs(b)) * Math.sqrt(Math.abs(c));
        im2 = -im1;
        if (c == 0) {
            im2 = 0;
        }
    }

    /** A lower triangle becomes an upper one. */
    private void turn() {
        cosine = 0;
        sine = 1;
        double kept = d;
        d = a;
        a = kept;
        b = -c;
        c = 0;
    }

    private void general() {
        double apart = a - d;
        double p = HALF * apart;
        double large = Math.max(Math.abs(b), Math.abs(c));
        double small = Math.min(Math.abs(b), Math.abs(c)) * (sameSign(b, c) ? 1 : -1);
        double scale = Math.max(Math.abs(p), large);
        double z = p / scale * p + large / scale * small;
        if (z >= FOUR * UNIT) {
            z = p + Math.copySign(1, p) * Math.sqrt(scale) * Math.sqrt(z);
            a = d + z;
            d -= large / z * small;
            double t = hypot(c, z);
            cosine = z / t;
            sine = c / t;
            b -= c;
            c = 0;
            return;
        }
        equal(apart);
    }

    /** Diagonal elements become equal; then the block is complex, or its two real eigenvalues are close. */
    private void equal(double difference) {
        double apart = difference;
        double sum = b + c;
        for (int i = 0; i < TIMES; i++) {
            double scale = Math.max(Math.abs(apart), Math.abs(sum));
            if (scale >= LARGE) {
                apart *= SMALL;
                sum *= SMALL;
            } else if (scale <= SMALL && scale > 0) {
                apart *= LARGE;
                sum *= LARGE;
            } else {
                break;
            }
        }
        double p = HALF * apart;
        double t = hypot(sum, apart);
        cosine = Math.sqrt(HALF * (1 + Math.abs(sum) / t));
        sine = -(p / (t * cosine)) * Math.copySign(1, sum);
        double aa = a * cosine + b * sine;
        double bb = -a * sine + b * cosine;
        double cc = c * cosine + d * sine;
        double dd = -c * sine + d * cosine;
        a = aa * cosine + cc * sine;
        b = bb * cosine + dd * sine;
        c = -aa * sine + cc * cosine;
        d = -bb * sine + dd * cosine;
        double mean = HALF * (a + d);
        a = mean;
        d = mean;
        if (c == 0) {
            return;
        }
        if (b == 0) {
            b = -c;
            c = 0;
            double kept = cosine;
            cosine = -sine;
            sine = kept;
        } else if (sameSign(b, c)) {
            double x = Math.sqrt(Math.abs(b));
            double y = Math.sqrt(Math.abs(c));
            double root = Math.copySign(1, c) * (x * y);
            double inverse = 1 / Math.sqrt(Math.abs(b + c));
            a = mean + root;
            d = mean - root;
            b -= c;
            c = 0;
            double turn = x * inverse;
            double other = y * inverse;
            double kept = cosine * turn - sine * other;
            sine = cosine * other + sine * turn;
            cosine = kept;
        }
    }
}
