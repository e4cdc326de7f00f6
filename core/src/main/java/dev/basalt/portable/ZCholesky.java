package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** What {@link CholeskyLeaf} leaves of complex elements. */
final class ZCholesky extends CholeskyLeaf {
    ZCholesky(Leaf leaf) {
        super(leaf, 16L);
    }

    @Override
    void smallLauum(long n, long a, long di, long dj) {
        for (long i = 0; i < n; i++) {
            long row = a + i * di;
            // The diagonal is needed up to the last element of its row.
            for (long j = 0; j <= i; j++) {
                long p = row + i * dj;
                long q = row + j * dj;
                double re = 0;
                double im = 0;
                for (long k = i; k < n; k++, p += di, q += di) {
                    re += f64(p) * f64(q) + f64(p + 8L) * f64(q + 8L);
                    im += f64(p) * f64(q + 8L) - f64(p + 8L) * f64(q);
                }
                f64(row + j * dj, re);
                f64(row + j * dj + 8L, i == j ? 0 : im);
            }
        }
    }

    @Override
    boolean isZero(long a) {
        return f64(a) == 0 && f64(a + 8L) == 0;
    }

    @Override
    double real(long a) { // keep double
        return f64(a);
    }

    @Override
    void real(long a, double value) { // keep double
        f64(a, value); // float: f32(a, (float) value);
        f64(a + 8L, 0);
    }

    @Override
    double squares(long n, long x) { // keep double
        double sum = 0; // keep double
        for (long i = 0; i < 2 * n; i++) {
            double v = f64(x + i * 8L); // keep double
            sum += v * v;
        }
        return sum;
    }

    @Override
    long pttrf(long n, long d, long e) {
        for (long i = 0; i < n; i++, d += 8L, e += 16L) {
            double pivot = f64(d);
            if (!(pivot > 0)) {
                return i + 1;
            }
            if (i + 1 < n) {
                double re = f64(e);
                double im = f64(e + 8L);
                double f = re / pivot;
                double g = im / pivot;
                f64(e, f);
                f64(e + 8L, g);
                f64(d + 8L, f64(d + 8L) - f * re - g * im);
            }
        }
        return 0;
    }

    @Override
    void pttrs(boolean upper, long n, long k, long d, long e, long b, long ldb) {
        double sign = upper ? -1 : 1;
        for (long j = 0; j < k; j++, b += ldb * 16L) {
            double re = f64(b);
            double im = f64(b + 8L);
            for (long i = 1; i < n; i++) {
                double er = f64(e + i * 16L - 16L);
                double ei = sign * f64(e + i * 16L - 8L);
                double r = f64(b + i * 16L) - (re * er - im * ei);
                im = f64(b + i * 16L + 8L) - (re * ei + im * er);
                re = r;
                f64(b + i * 16L, re);
                f64(b + i * 16L + 8L, im);
            }
            re = 0;
            im = 0;
            for (long i = n - 1; i >= 0; i--) {
                double er = i + 1 < n ? f64(e + i * 16L) : 0;
                double ei = i + 1 < n ? -sign * f64(e + i * 16L + 8L) : 0;
                double pivot = f64(d + i * 8L);
                double r = f64(b + i * 16L) / pivot - (re * er - im * ei);
                im = f64(b + i * 16L + 8L) / pivot - (re * ei + im * er);
                re = r;
                f64(b + i * 16L, re);
                f64(b + i * 16L + 8L, im);
            }
        }
    }
}
