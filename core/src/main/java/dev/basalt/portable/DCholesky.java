package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** What {@link CholeskyLeaf} leaves of real elements. */
final class DCholesky extends CholeskyLeaf {
    DCholesky(Leaf leaf) {
        super(leaf, 8L);
    }

    @Override
    void smallLauum(long n, long a, long di, long dj) {
        for (long i = 0; i < n; i++) {
            long row = a + i * di;
            // The diagonal is needed up to the last element of its row.
            for (long j = 0; j <= i; j++) {
                long p = row + i * dj;
                long q = row + j * dj;
                double sum = 0;
                for (long k = i; k < n; k++, p += di, q += di) {
                    sum += f64(p) * f64(q);
                }
                f64(row + j * dj, sum);
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
                double x = f64(row + i * dj);
                for (long q = from; q < i; q++) {
                    x = Math.fma(-f64(row + q * dj), f64(other + q * dj), x);
                }
                x /= i == j - 1 ? last : f64(other + i * dj);
                f64(row + i * dj, x);
                pivot = Math.fma(-x, x, pivot);
            }
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
        return f64(a) == 0;
    }

    @Override
    double real(long a) { // keep double
        return f64(a);
    }

    @Override
    void real(long a, double value) { // keep double
        f64(a, value); // float: f32(a, (float) value);
    }

    @Override
    double squares(long n, long x) { // keep double
        double sum = 0; // keep double
        for (long i = 0; i < n; i++) {
            double v = f64(x + i * 8L); // keep double
            sum += v * v;
        }
        return sum;
    }
}
