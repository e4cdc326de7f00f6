package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** Condition numbers of a real Schur form: those of the complex one that it becomes when each pair is made triangular. Both eigenvalues of a pair have the same. */
final class DConditions implements ConditionsLeaf {
    private final ZConditions complex = new ZConditions();

    @Override
    public void trsna(long n, long form, long ldt, long values, long vectors, long work) {
        for (long j = 0; j < n; j++) {
            for (long i = 0; i < n; i++) {
                long to = work + (i + j * n) * 16L;
                f64(to, i > j + 1 ? 0 : f64(form + (i + j * ldt) * 8L));
                f64(to + 8L, 0);
            }
        }
        for (long k = 0; k + 1 < n; k++) {
            double below = f64(form + (k + 1 + k * ldt) * 8L);
            if (below != 0) {
                triangular(n, work, k, f64(form + (k + (k + 1) * ldt) * 8L), below);
            }
        }
        complex.begin(n, work);
        for (long k = 0; k < n; k++) {
            complex.one(k, values, vectors);
            if (k + 1 < n && f64(form + (k + 1 + k * ldt) * 8L) != 0) {
                twice(values, k);
                twice(vectors, k);
                k++;
            }
        }
    }

    private static void twice(long numbers, long k) {
        if (numbers != 0) {
            f64(numbers + k * 8L + 8L, f64(numbers + k * 8L));
        }
    }

    /** The pair in row k, whose vector for the eigenvalue with positive imaginary part is (above, i·imaginary part). */
    private static void triangular(long n, long t, long k, double above, double below) {
        double im = Math.sqrt(Math.abs(above)) * Math.sqrt(Math.abs(below));
        double large = Math.max(Math.abs(above), im);
        double p = above / large;
        double q = im / large;
        double r = Math.sqrt(p * p + q * q);
        p /= r;
        q /= r;
        double diagonal = f64(t + k * (n + 1) * 16L);
        turn(k + 2, t + k * n * 16L, t + (k + 1) * n * 16L, 1, p, q);
        turn(n - k, t + k * (n + 1) * 16L, t + (k + k * n) * 16L + 16L, n, p, -q);
        f64(t + k * (n + 1) * 16L, diagonal);
        f64(t + k * (n + 1) * 16L + 8L, im);
        f64(t + k * (n + 1) * 16L + 16L, 0);
        f64(t + k * (n + 1) * 16L + 24L, 0);
        f64(t + (k + 1) * (n + 1) * 16L, diagonal);
        f64(t + (k + 1) * (n + 1) * 16L + 8L, -im);
    }

    /** x := p·x + i·q·y, y := i·q·x + p·y. */
    private static void turn(long count, long from, long to, long step, double p, double q) {
        long x = from;
        long y = to;
        for (long i = 0; i < count; i++, x += step * 16L, y += step * 16L) {
            double a = f64(x);
            double b = f64(x + 8L);
            double c = f64(y);
            double d = f64(y + 8L);
            f64(x, p * a - q * d);
            f64(x + 8L, p * b + q * c);
            f64(y, p * c - q * b);
            f64(y + 8L, p * d + q * a);
        }
    }
}
