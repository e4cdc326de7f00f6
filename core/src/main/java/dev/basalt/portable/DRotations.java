package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** Sequences of plane rotations with real numbers, on neighbouring elements of many vectors. The vectors may be complex. */
final class DRotations {
    private final Leaf leaf;
    private final int parts;

    DRotations(Leaf leaf, int parts) {
        this.leaf = leaf;
        this.parts = parts;
    }

    /** Bytes of an element. */
    private long bytes() {
        return parts * 8L;
    }

    /**
     * Rotates elements i and i + 1 of m vectors, by cosine i and sine i, for {@code first} ≤ i < {@code end}: from the first pair to the last, or {@code backward}.
     *
     * @param step elements from one element of a vector to the next
     * @param next elements from one vector to the next
     */
    void apply(boolean backward, long first, long end, long cosines, long sines, long m, long v, long step, long next) {
        if (m == 0 || first >= end) {
            return;
        }
        if (next == 1) {
            long from = backward ? end - 1 : first;
            long column = backward ? end : first;
            leaf.sweep(end - first, cosines + from * 8L, sines + from * 8L, backward ? -1 : 1, backward, m,
                    v + column * step * bytes(), backward ? -step : step);
            return;
        }
        long j = 0;
        long ahead = next * bytes();
        for (; j + 1 < m; j += 2) {
            for (int part = 0; part < parts; part++) {
                long x = v + j * ahead + part * 8L;
                two(backward, first, end, cosines, sines, x, x + ahead, step * bytes());
            }
        }
        for (int part = 0; j < m && part < parts; part++) {
            long x = v + j * ahead + part * 8L;
            one(backward, first, end, cosines, sines, x, step * bytes());
        }
    }

    /** Two vectors together, since each waits for its own last result. */
    private static void two(boolean backward, long first, long end, long cosines, long sines, long x, long y,
            long step) {
        if (backward) {
            double a = f64(x + end * step);
            double b = f64(y + end * step);
            for (long i = end - 1; i >= first; i--) {
                double c = f64(cosines + i * 8L);
                double s = f64(sines + i * 8L);
                double p = f64(x + i * step);
                double q = f64(y + i * step);
                f64(x + (i + 1) * step, c * a - s * p);
                f64(y + (i + 1) * step, c * b - s * q);
                a = c * p + s * a;
                b = c * q + s * b;
            }
            f64(x + first * step, a);
            f64(y + first * step, b);
            return;
        }
        double a = f64(x + first * step);
        double b = f64(y + first * step);
        for (long i = first; i < end; i++) {
            double c = f64(cosines + i * 8L);
            double s = f64(sines + i * 8L);
            double p = f64(x + (i + 1) * step);
            double q = f64(y + (i + 1) * step);
            f64(x + i * step, c * a + s * p);
            f64(y + i * step, c * b + s * q);
            a = c * p - s * a;
            b = c * q - s * b;
        }
        f64(x + end * step, a);
        f64(y + end * step, b);
    }

    private static void one(boolean backward, long first, long end, long cosines, long sines, long x, long step) {
        double a = f64(x + (backward ? end : first) * step);
        for (long k = first; k < end; k++) {
            long i = backward ? end - 1 - (k - first) : k;
            double c = f64(cosines + i * 8L);
            double s = f64(sines + i * 8L);
            double p = f64(x + (backward ? i : i + 1) * step);
            f64(x + (backward ? i + 1 : i) * step, backward ? c * a - s * p : c * a + s * p);
            a = backward ? c * p + s * a : c * p - s * a;
        }
        f64(x + (backward ? first : end) * step, a);
    }

    /** Elements i and j of m vectors change places. */
    void swap(long i, long j, long m, long v, long step, long next) {
        if (m > 0) {
            leaf.swap(m, v + i * step * bytes(), next, v + j * step * bytes(), next);
        }
    }

    /** Elements i of m vectors change their signs. */
    void negate(long i, long m, long v, long step, long next) {
        if (m > 0) {
            leaf.scal(m, -1, 0, true, v + i * step * bytes(), next);
        }
    }
}
