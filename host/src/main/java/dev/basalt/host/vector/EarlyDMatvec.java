package dev.basalt.host.vector;

/** What {@link VectorDMatvec} does, element by element in plain Java with the same bits, for the time until loops of vectors are machine code. */
final class EarlyDMatvec {
    private static final int LANES = VectorDMatvec.LANES;

    private EarlyDMatvec() {}

    /** y := alpha·op(A)·x + beta·y with at least {@link #LANES} rows. */
    static void gemv(boolean transposed, int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x,
            int xOffset, double beta, double[] y, int yOffset) {
        if (transposed) {
            columns(m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        } else if (m >= VectorDMatvec.MANY && n >= VectorDMatvec.MANY) {
            VectorDMatvec.streams(true, m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        } else {
            rows(m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        }
    }

    /** y := alpha·A·x + beta·y. */
    private static void rows(int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset,
            double beta, double[] y, int yOffset) {
        int i = 0;
        for (; i < m - 3; i += 4) {
            double s = 0;
            double t = 0;
            double u = 0;
            double v = 0;
            int at = aOffset + i;
            for (int j = 0; j < n; j++, at += lda) {
                double factor = x[xOffset + j];
                s = Math.fma(a[at], factor, s);
                t = Math.fma(a[at + 1], factor, t);
                u = Math.fma(a[at + 2], factor, u);
                v = Math.fma(a[at + 3], factor, v);
            }
            put(s, alpha, beta, y, yOffset + i);
            put(t, alpha, beta, y, yOffset + i + 1);
            put(u, alpha, beta, y, yOffset + i + 2);
            put(v, alpha, beta, y, yOffset + i + 3);
        }
        for (; i < m; i++) {
            double s = 0;
            int at = aOffset + i;
            for (int j = 0; j < n; j++, at += lda) {
                s = Math.fma(a[at], x[xOffset + j], s);
            }
            put(s, alpha, beta, y, yOffset + i);
        }
    }

    private static void put(double sum, double alpha, double beta, double[] y, int at) {
        y[at] = beta == 0 ? alpha * sum : alpha * sum + beta * y[at];
    }

    /** y := factor·column + y. */
    static void addColumn(int m, double factor, double[] a, int aOffset, double[] y, int yOffset) {
        for (int i = 0; i < m; i++) {
            y[yOffset + i] += factor * a[aOffset + i];
        }
    }

    /** y := y + four columns. */
    static void add(int m, double[] a, int first, int apart, double s, double t, double u, double v, double[] y,
            int yOffset) {
        int second = first + apart;
        int third = second + apart;
        int fourth = third + apart;
        int whole = m / LANES * LANES;
        for (int i = 0; i < whole; i++) {
            double odd = Math.fma(a[fourth + i], v, a[second + i] * t);
            double even = Math.fma(a[third + i], u, Math.fma(a[first + i], s, y[yOffset + i]));
            y[yOffset + i] = even + odd;
        }
        for (int i = whole; i < m; i++) {
            y[yOffset + i] += a[first + i] * s + a[third + i] * u + (a[second + i] * t + a[fourth + i] * v);
        }
    }

    /** y := alpha·Aᵀ·x + beta·y. */
    private static void columns(int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset,
            double beta, double[] y, int yOffset) {
        for (int j = 0; j < n; j++) {
            int at = aOffset + j * lda;
            double low = lane(0, m, a, at, x, xOffset) + lane(1, m, a, at, x, xOffset)
                    + (lane(2, m, a, at, x, xOffset) + lane(3, m, a, at, x, xOffset));
            double sum = low; // float: float sum = low + (lane(4, m, a, at, x, xOffset) + lane(5, m, a, at, x, xOffset) + (lane(6, m, a, at, x, xOffset) + lane(7, m, a, at, x, xOffset)));
            put(sum, alpha, beta, y, yOffset + j);
        }
    }

    private static double lane(int lane, int m, double[] a, int aOffset, double[] x, int xOffset) {
        double s = 0;
        int p = aOffset + lane;
        int q = xOffset + lane;
        int i = 0;
        for (; i <= m - LANES; i += LANES) {
            s = Math.fma(a[p + i], x[q + i], s);
        }
        int rest = m - LANES;
        return i < m && lane >= i - rest ? Math.fma(a[p + rest], x[q + rest], s) : s;
    }
}
