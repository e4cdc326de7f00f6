package dev.basalt.host.vector;

/**
 * What {@link VectorDSums} and {@link VectorDStreams} do, in plain Java with the same bits, for the time until loops of vectors are machine code: sums by two lanes at a time. Each loop is a
 * method of its own, so that the compiler has it soon.
 */
final class EarlyDSums {
    private static final int LANES = VectorDSums.LANES;

    private EarlyDSums() {}

    /** Σ xᵢ·yᵢ of some elements. */
    static double pairDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        double low = pair(0, n, x, xOffset, y, yOffset) + pair(2, n, x, xOffset, y, yOffset);
        return low; // float: return low + (pair(4, n, x, xOffset, y, yOffset) + pair(6, n, x, xOffset, y, yOffset));
    }

    /** The sum of a lane and the next. */
    private static double pair(int lane, int n, double[] x, int xOffset, double[] y, int yOffset) {
        int p = xOffset + lane;
        int q = yOffset + lane;
        int rest = n - LANES;
        int added = -n & LANES - 1;
        double a = lane < added ? 0 : x[p + rest] * y[q + rest];
        double c = lane + 1 < added ? 0 : x[p + 1 + rest] * y[q + 1 + rest];
        double b = 0;
        double d = 0;
        int i = 0;
        for (; i < n - 2 * LANES; i += 2 * LANES) {
            a = Math.fma(x[p + i], y[q + i], a);
            c = Math.fma(x[p + i + 1], y[q + i + 1], c);
            b = Math.fma(x[p + i + LANES], y[q + i + LANES], b);
            d = Math.fma(x[p + i + LANES + 1], y[q + i + LANES + 1], d);
        }
        if (i < rest) {
            b = Math.fma(x[p + i], y[q + i], b);
            d = Math.fma(x[p + i + 1], y[q + i + 1], d);
        }
        return a + b + (c + d);
    }

    /** The same of many. */
    static double manyDot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        double sum = 0;
        for (int i = n / LANES * LANES; i < n; i++) {
            sum += x[xOffset + i] * y[yOffset + i];
        }
        double low = many(0, sum, n, x, xOffset, y, yOffset) + many(2, 0, n, x, xOffset, y, yOffset);
        return low; // float: return low + (many(4, 0, n, x, xOffset, y, yOffset) + many(6, 0, n, x, xOffset, y, yOffset));
    }

    private static double many(int lane, double sum, int n, double[] x, int xOffset, double[] y, int yOffset) {
        int p = xOffset + lane;
        int q = yOffset + lane;
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        double s = 0;
        double t = 0;
        double u = 0;
        double v = 0;
        int i = 0;
        for (; i <= n - 4 * LANES; i += 4 * LANES) {
            a = Math.fma(x[p + i], y[q + i], a);
            s = Math.fma(x[p + i + 1], y[q + i + 1], s);
            b = Math.fma(x[p + i + LANES], y[q + i + LANES], b);
            t = Math.fma(x[p + i + LANES + 1], y[q + i + LANES + 1], t);
            c = Math.fma(x[p + i + 2 * LANES], y[q + i + 2 * LANES], c);
            u = Math.fma(x[p + i + 2 * LANES + 1], y[q + i + 2 * LANES + 1], u);
            d = Math.fma(x[p + i + 3 * LANES], y[q + i + 3 * LANES], d);
            v = Math.fma(x[p + i + 3 * LANES + 1], y[q + i + 3 * LANES + 1], v);
        }
        for (; i <= n - LANES; i += LANES) {
            a = Math.fma(x[p + i], y[q + i], a);
            s = Math.fma(x[p + i + 1], y[q + i + 1], s);
        }
        return sum + (a + b + (c + d)) + (s + t + (u + v));
    }

    /** Σ xᵢ² of many. */
    static double squares(int n, double[] x, int xOffset) {
        double low = square(0, n, x, xOffset) + square(1, n, x, xOffset)
                + (square(2, n, x, xOffset) + square(3, n, x, xOffset));
        return low; // float: return low + (square(4, n, x, xOffset) + square(5, n, x, xOffset) + (square(6, n, x, xOffset) + square(7, n, x, xOffset)));
    }

    /** The sum of a lane. */
    private static double square(int lane, int n, double[] x, int xOffset) {
        int p = xOffset + lane;
        int rest = n - LANES;
        double a = lane < (-n & LANES - 1) ? 0 : x[p + rest] * x[p + rest];
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i < n - 4 * LANES; i += 4 * LANES) {
            a = Math.fma(x[p + i], x[p + i], a);
            b = Math.fma(x[p + i + LANES], x[p + i + LANES], b);
            c = Math.fma(x[p + i + 2 * LANES], x[p + i + 2 * LANES], c);
            d = Math.fma(x[p + i + 3 * LANES], x[p + i + 3 * LANES], d);
        }
        for (; i < rest; i += LANES) {
            b = Math.fma(x[p + i], x[p + i], b);
        }
        return a + b + (c + d);
    }

    /** Σ |xᵢ| of some elements. */
    static double someAsum(int n, double[] x, int xOffset) {
        double low =
                some(0, n, x, xOffset) + some(1, n, x, xOffset) + (some(2, n, x, xOffset) + some(3, n, x, xOffset));
        return low; // float: return low + (some(4, n, x, xOffset) + some(5, n, x, xOffset) + (some(6, n, x, xOffset) + some(7, n, x, xOffset)));
    }

    private static double some(int lane, int n, double[] x, int xOffset) {
        int p = xOffset + lane;
        int rest = n - LANES;
        double a = lane < (-n & LANES - 1) ? 0 : Math.abs(x[p + rest]);
        double b = 0;
        int i = 0;
        for (; i < n - 2 * LANES; i += 2 * LANES) {
            a += Math.abs(x[p + i]);
            b += Math.abs(x[p + i + LANES]);
        }
        if (i < rest) {
            b += Math.abs(x[p + i]);
        }
        return a + b;
    }

    /** The same of many. */
    static double manyAsum(int n, double[] x, int xOffset) {
        double sum = 0;
        for (int i = n / LANES * LANES; i < n; i++) {
            sum += Math.abs(x[xOffset + i]);
        }
        double low = sum + size(0, n, x, xOffset) + size(1, n, x, xOffset)
                + (size(2, n, x, xOffset) + size(3, n, x, xOffset));
        return low; // float: return low + (size(4, n, x, xOffset) + size(5, n, x, xOffset) + (size(6, n, x, xOffset) + size(7, n, x, xOffset)));
    }

    private static double size(int lane, int n, double[] x, int xOffset) {
        int p = xOffset + lane;
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i <= n - 4 * LANES; i += 4 * LANES) {
            a += Math.abs(x[p + i]);
            b += Math.abs(x[p + i + LANES]);
            c += Math.abs(x[p + i + 2 * LANES]);
            d += Math.abs(x[p + i + 3 * LANES]);
        }
        for (; i <= n - LANES; i += LANES) {
            a += Math.abs(x[p + i]);
        }
        return a + b + (c + d);
    }

    /** y := alpha·x + y. */
    static void axpy(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        for (int i = 0; i < n; i++) {
            y[yOffset + i] += alpha * x[xOffset + i];
        }
    }

    /** x := alpha·x. */
    static void scal(int n, double alpha, double[] x, int xOffset) {
        for (int i = 0; i < n; i++) {
            x[xOffset + i] *= alpha;
        }
    }

    /** x and y exchange their elements. */
    static void swap(int n, double[] x, int xOffset, double[] y, int yOffset) {
        for (int i = 0; i < n; i++) {
            double kept = x[xOffset + i];
            x[xOffset + i] = y[yOffset + i];
            y[yOffset + i] = kept;
        }
    }

    /** x := c·x + s·y and y := c·y - s·x. */
    static void rot(int n, double[] x, int xOffset, double[] y, int yOffset, double c, double s) {
        for (int i = 0; i < n; i++) {
            double first = x[xOffset + i];
            double second = y[yOffset + i];
            x[xOffset + i] = c * first + s * second;
            y[yOffset + i] = c * second - s * first;
        }
    }
}
