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
}
