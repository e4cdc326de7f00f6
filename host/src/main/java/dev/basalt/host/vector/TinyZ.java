package dev.basalt.host.vector;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

/** As {@link TinyD} for complex elements. */
public final class TinyZ {
    private static final double SMALLEST = 0x1p-1020; // float: private static final double SMALLEST = 0x1p-124;

    private static final double LARGEST = 0x1p1020; // float: private static final double LARGEST = 0x1p124;

    private TinyZ() {}

    /** As {@link TinyD#solve}; {@code conj}: elements of t are conjugates of those meant. */
    public static boolean solve(long n, boolean unit, boolean conj, long t, long dp, long dq, long sides, long x,
            long du, long dx) {
        long next = (dp + dq) * 16L;
        for (long p = 0; p < n && !unit; p++) {
            double re = Math.abs(f64(t + p * next)); // keep double
            double im = Math.abs(f64(t + p * next + 8L)); // keep double
            double size = Math.max(re, im); // keep double
            if (!(size >= SMALLEST && size <= LARGEST)) {
                return false;
            }
        }
        // Machine code turns elements by i or -i: it exchanges their parts, and multiplies them by these signs.
        double even = conj ? 1 : -1;
        double odd = conj ? -1 : 1;
        for (long q = 0; q < n; q++) {
            long row = t + q * dq * 16L;
            long diagonal = t + q * next;
            double re = unit ? 1 : reciprocal(diagonal);
            double im = unit ? 0 : imaginary(diagonal);
            for (long side = 0; side < sides; side++) {
                long column = x + side * dx * 16L;
                long at = column + q * du * 16L;
                double vr = Math.fma(-0.0, even, f64(at));
                double vi = Math.fma(-0.0, odd, f64(at + 8L));
                for (long p = 0; p < q; p++) {
                    double xr = f64(column + p * du * 16L);
                    double xi = f64(column + p * du * 16L + 8L);
                    double tr = f64(row + p * dp * 16L);
                    double ti = f64(row + p * dp * 16L + 8L);
                    vr = Math.fma(-(xi * even), ti, Math.fma(-xr, tr, vr));
                    vi = Math.fma(-(xr * odd), ti, Math.fma(-xi, tr, vi));
                }
                f64(at, Math.fma(vi * even, im, vr * re));
                f64(at + 8L, Math.fma(vr * odd, im, vi * re));
            }
        }
        return true;
    }

    /** The real part of the reciprocal of an element, by Smith's formula (CACM 5, 1962). */
    private static double reciprocal(long at) {
        double re = f64(at); // keep double
        double im = f64(at + 8L); // keep double
        if (Math.abs(re) >= Math.abs(im)) {
            return 1 / (re + im * (im / re)); // float: return (float) (1 / (re + im * (im / re)));
        }
        double ratio = re / im; // keep double
        return ratio / (im + re * ratio); // float: return (float) (ratio / (im + re * ratio));
    }

    /** The imaginary part of the same. */
    private static double imaginary(long at) {
        double re = f64(at); // keep double
        double im = f64(at + 8L); // keep double
        if (Math.abs(re) >= Math.abs(im)) {
            double ratio = im / re; // keep double
            return -ratio / (re + im * ratio); // float: return (float) (-ratio / (re + im * ratio));
        }
        return -1 / (im + re * (re / im)); // float: return (float) (-1 / (im + re * (re / im)));
    }

    /** As {@link TinyD#lu}. */
    public static long lu(long m, long n, long a, long lda, long ipiv, long offset) {
        long info = 0;
        for (long j = 0; j < n; j++) {
            long column = a + j * lda * 16L;
            long pivot = j;
            double largest = -1;
            for (long i = 0; i < m; i++) {
                double re = f64(column + i * 16L);
                double im = f64(column + i * 16L + 8L);
                for (long p = 0; p < Math.min(i, j); p++) {
                    double lr = f64(a + (i + p * lda) * 16L);
                    double li = f64(a + (i + p * lda) * 16L + 8L);
                    double ur = f64(column + p * 16L);
                    double ui = f64(column + p * 16L + 8L);
                    re = Math.fma(li, ui, Math.fma(-lr, ur, re));
                    im = Math.fma(-lr, ui, Math.fma(-li, ur, im));
                }
                f64(column + i * 16L, re);
                f64(column + i * 16L + 8L, im);
                double size = Math.abs(re) + Math.abs(im);
                if (i >= j && (size > largest || Double.isNaN(size) && !Double.isNaN(largest))) {
                    largest = size;
                    pivot = i;
                }
            }
            i64(ipiv + j * 8, offset + pivot + 1);
            if (largest == 0) {
                info = info == 0 ? j + 1 : info;
                continue;
            }
            for (long q = 0; q < n && pivot != j; q++) {
                exchange(a + (j + q * lda) * 16L, a + (pivot + q * lda) * 16L);
            }
            divide(m - j - 1, column + j * 16L, largest);
        }
        return info;
    }

    private static void exchange(long one, long other) {
        double re = f64(one);
        double im = f64(one + 8L);
        f64(one, f64(other));
        f64(one + 8L, f64(other + 8L));
        f64(other, re);
        f64(other + 8L, im);
    }

    /** The elements behind a pivot, divided by it: times its reciprocal. Where that overflows, all are multiplied by a power of two before. */
    private static void divide(long n, long pivot, double size) {
        boolean safe = size >= Double.MIN_NORMAL;
        double lift = safe ? 1 : 0x1p64;
        double re = f64(pivot) * lift;
        double im = f64(pivot + 8L) * lift;
        boolean real = Math.abs(re) >= Math.abs(im);
        double ratio = real ? im / re : re / im;
        double whole = real ? 1 / (re + im * ratio) : 1 / (im + re * ratio);
        double cr = real ? whole : ratio * whole;
        double ci = real ? -(ratio * whole) : -whole;
        for (long i = 1; i <= n; i++) {
            long at = pivot + i * 16L;
            double xr = f64(at) * lift;
            double xi = f64(at + 8L) * lift;
            f64(at, Math.fma(-xi, ci, xr * cr));
            f64(at + 8L, Math.fma(xr, ci, xi * cr));
        }
    }

    /** As {@link TinyD#cholesky}, A = L·Lᴴ: what is not positive has a real pivot, too. */
    public static long cholesky(long n, long a, long di, long dj) {
        for (long q = 0; q < n; q++) {
            long row = a + q * di * 16L;
            double v = f64(row + q * dj * 16L);
            for (long p = 0; p < q; p++) {
                double re = f64(row + p * dj * 16L);
                double im = f64(row + p * dj * 16L + 8L);
                v = Math.fma(-im, im, Math.fma(-re, re, v));
            }
            boolean positive = v > 0;
            double root = positive ? Math.sqrt(v) : v;
            f64(row + q * dj * 16L, root);
            f64(row + q * dj * 16L + 8L, 0);
            if (!positive) {
                return q + 1;
            }
            double reciprocal = 1 / root;
            for (long i = q + 1; i < n; i++) {
                column(q, a + i * di * 16L, row, dj, reciprocal);
            }
        }
        return 0;
    }

    /** Element q of a row of L. */
    private static void column(long q, long other, long row, long dj, double reciprocal) {
        long at = other + q * dj * 16L;
        double re = f64(at);
        double im = f64(at + 8L);
        for (long p = 0; p < q; p++) {
            double lr = f64(other + p * dj * 16L);
            double li = f64(other + p * dj * 16L + 8L);
            double kr = f64(row + p * dj * 16L);
            double ki = f64(row + p * dj * 16L + 8L);
            re = Math.fma(-li, ki, Math.fma(-lr, kr, re));
            im = Math.fma(lr, ki, Math.fma(-li, kr, im));
        }
        f64(at, re * reciprocal);
        f64(at + 8L, im * reciprocal);
    }

    /** As {@link TinyD#invert}. */
    public static void invert(long n, boolean unit, long a, long di, long dj) {
        for (long j = n - 1; j >= 0; j--) {
            long column = a + j * dj * 16L;
            double fr = -1;
            double fi = 0;
            if (!unit) {
                long diagonal = column + j * di * 16L;
                double re = reciprocal(diagonal);
                double im = imaginary(diagonal);
                f64(diagonal, re);
                f64(diagonal + 8L, im);
                fr = -re;
                fi = -im;
            }
            for (long i = n - 1; i > j; i--) {
                long row = a + i * di * 16L;
                long at = column + i * di * 16L;
                double vr = f64(at);
                double vi = f64(at + 8L);
                if (!unit) {
                    double dr = f64(row + i * dj * 16L);
                    double im = f64(row + i * dj * 16L + 8L);
                    double real = Math.fma(-vi, im, vr * dr);
                    vi = Math.fma(vi, dr, vr * im);
                    vr = real;
                }
                for (long p = j + 1; p < i; p++) {
                    double lr = f64(row + p * dj * 16L);
                    double li = f64(row + p * dj * 16L + 8L);
                    double xr = f64(column + p * di * 16L);
                    double xi = f64(column + p * di * 16L + 8L);
                    vr = Math.fma(-li, xi, Math.fma(lr, xr, vr));
                    vi = Math.fma(li, xr, Math.fma(lr, xi, vi));
                }
                f64(at, unit ? -vr : Math.fma(-vi, fi, vr * fr));
                f64(at + 8L, unit ? -vi : Math.fma(vi, fr, vr * fi));
            }
        }
    }
}
