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
