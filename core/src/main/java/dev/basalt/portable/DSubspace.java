package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** The reflectors of the QR factorisation of -X over scale·I, a base of the space that an exchange of two blocks brings to the front. */
final class DSubspace {
    /** Elements of a column of small matrices. */
    static final int ORDER = 4;

    /** The reflectors, one after the other, and their factors. */
    private final double[] v = new double[2 * ORDER];

    private final double[] tau = new double[2];
    private final double[] w = new double[ORDER];
    private int count;
    private int order;

    /** Makes the reflectors for X (n1×n2), which is stored from a place on. */
    void factor(int n1, int n2, double[] x, int from, double scale) {
        count = n2;
        order = n1 + n2;
        for (int c = 0; c < n2; c++) {
            reflector(c, n1, n2, x, from, scale);
        }
    }

    /** Reflector c, after those before it. */
    private void reflector(int c, int n1, int n2, double[] x, int from, double scale) {
        int m = n1 + n2;
        for (int r = 0; r < m; r++) {
            w[r] = r < n1 ? -x[from + r + n1 * c] : r == n1 + c ? scale : 0;
        }
        for (int k = 0; k < c; k++) {
            double sum = 0;
            for (int r = k; r < m; r++) {
                sum += v[r - k + ORDER * k] * w[r];
            }
            for (int r = k; r < m; r++) {
                w[r] -= tau[k] * sum * v[r - k + ORDER * k];
            }
        }
        double large = 0;
        for (int r = c; r < m; r++) {
            large = Math.max(large, Math.abs(w[r]));
        }
        v[ORDER * c] = 1;
        tau[c] = 0;
        double sum = 0;
        for (int r = c; r < m && large > 0; r++) {
            w[r] /= large;
            sum += w[r] * w[r];
        }
        double norm = Math.sqrt(sum);
        double end = w[c] >= 0 ? -norm : norm;
        for (int r = c + 1; r < m; r++) {
            v[r - c + ORDER * c] = large > 0 ? w[r] / (w[c] - end) : 0;
        }
        if (large > 0) {
            tau[c] = (end - w[c]) / end;
        }
    }

    /** The reflectors from the left on a matrix of order m. */
    void left(double[] d, int m) {
        for (int c = 0; c < count; c++) {
            for (int j = 0; j < m; j++) {
                turn(c, m, d, ORDER * j, 1);
            }
        }
    }

    /** The reflectors from the right. */
    void right(double[] d, int m) {
        for (int c = 0; c < count; c++) {
            for (int i = 0; i < m; i++) {
                turn(c, m, d, i, ORDER);
            }
        }
    }

    private void turn(int c, int m, double[] d, int from, int step) {
        double sum = 0;
        for (int r = c; r < m; r++) {
            sum += v[r - c + ORDER * c] * d[from + r * step];
        }
        for (int r = c; r < m; r++) {
            d[from + r * step] -= tau[c] * sum * v[r - c + ORDER * c];
        }
    }

    /** The reflectors on so many lines in memory: elements of a line are {@code step} apart, lines {@code next}. */
    void lines(long lines, long from, long next, long step) {
        for (int c = 0; c < count; c++) {
            lines(order - c, c, lines, from + c * step * 8L, next, step);
        }
    }

    private void lines(int len, int c, long count, long from, long next, long step) {
        double t = tau[c];
        double v1 = v[1 + ORDER * c];
        if (len == 2) {
            pairs(count, from, from + step * 8L, next, v1, t);
            return;
        }
        double v2 = v[2 + ORDER * c];
        double v3 = len == 4 ? v[3 + ORDER * c] : 0;
        long p = from;
        long q = p + step * 8L;
        long r = q + step * 8L;
        // Of three elements the last is read twice, times zero.
        long s = len == 4 ? r + step * 8L : r;
        for (long j = 0; j < count * next * 8L; j += next * 8L) {
            double sum = t * (f64(p + j) + v1 * f64(q + j) + v2 * f64(r + j) + v3 * f64(s + j));
            f64(p + j, f64(p + j) - sum);
            f64(q + j, f64(q + j) - sum * v1);
            f64(r + j, f64(r + j) - sum * v2);
            if (len == 4) {
                f64(s + j, f64(s + j) - sum * v3);
            }
        }
    }

    private static void pairs(long count, long p, long q, long next, double v1, double t) {
        for (long j = 0; j < count * next * 8L; j += next * 8L) {
            double sum = t * (f64(p + j) + v1 * f64(q + j));
            f64(p + j, f64(p + j) - sum);
            f64(q + j, f64(q + j) - sum * v1);
        }
    }
}
