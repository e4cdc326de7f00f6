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
    long narrow(long n, long k, long a, long di, long dj) {
        double last = 0;
        for (long j = 0; j < n; j++) {
            long row = a + j * di;
            long from = Math.max(0, j - k);
            double pivot = f64(row + j * dj);
            for (long i = from; i < j; i++) {
                long other = a + i * di;
                double re = f64(row + i * dj);
                double im = f64(row + i * dj + 8L);
                for (long q = from; q < i; q++) {
                    double xr = f64(row + q * dj);
                    double xi = f64(row + q * dj + 8L);
                    double yr = f64(other + q * dj);
                    double yi = f64(other + q * dj + 8L);
                    re = Math.fma(-xi, yi, Math.fma(-xr, yr, re));
                    im = Math.fma(xr, yi, Math.fma(-xi, yr, im));
                }
                double root = i == j - 1 ? last : f64(other + i * dj);
                re /= root;
                im /= root;
                f64(row + i * dj, re);
                f64(row + i * dj + 8L, im);
                pivot = Math.fma(-im, im, Math.fma(-re, re, pivot));
            }
            f64(row + j * dj + 8L, 0);
            if (!(pivot > 0)) {
                f64(row + j * dj, pivot);
                return j + 1;
            }
            last = Math.sqrt(pivot); // float: last = (float) Math.sqrt(pivot);
            f64(row + j * dj, last);
        }
        return 0;
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
}
