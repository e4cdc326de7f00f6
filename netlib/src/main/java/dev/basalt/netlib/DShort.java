package dev.basalt.netlib;

/**
 * Vectors without gaps that are so short that a call of a kernel takes longer than the work: loops on the heap, which the JVM's compiler makes fast
 * after a few hundred calls. Spark and Breeze make hundreds of thousands of them.
 */
final class DShort {
    /** From here on the kernels are faster, with all that a call of them takes. */
    private static final int LONG = 4096;

    /** Sums of squares at least so large have lost nothing to underflow that matters. */
    private static final double LEAST = Double.MIN_NORMAL / Math.ulp(1.0) / 16;

    private DShort() {}

    /** Whether a vector is short, lies without gaps, and is all there; else others do the work, or say what is wrong. */
    static boolean fits(int n, double[] x, int offsetx, int incx) {
        return n > 0 && n < LONG && incx == 1 && x != null && offsetx >= 0 && offsetx <= x.length - n;
    }

    /** The same of two. */
    static boolean fits(int n, double[] x, int offsetx, int incx, double[] y, int offsety, int incy) {
        return fits(n, x, offsetx, incx) && fits(n, y, offsety, incy);
    }

    /** Σ xᵢ·yᵢ, in eight sums side by side. */
    static double dot(int n, double[] x, int offsetx, double[] y, int offsety) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        double e = 0;
        double f = 0;
        double g = 0;
        double h = 0;
        int i = 0;
        for (; i < n - 7; i += 8) {
            int p = offsetx + i;
            int q = offsety + i;
            a += x[p] * y[q];
            b += x[p + 1] * y[q + 1];
            c += x[p + 2] * y[q + 2];
            d += x[p + 3] * y[q + 3];
            e += x[p + 4] * y[q + 4];
            f += x[p + 5] * y[q + 5];
            g += x[p + 6] * y[q + 6];
            h += x[p + 7] * y[q + 7];
        }
        for (; i < n; i++) {
            a += x[offsetx + i] * y[offsety + i];
        }
        return a + b + (c + d) + (e + f + (g + h));
    }

    /** y := alpha·x + y. */
    static void axpy(int n, double alpha, double[] x, int offsetx, double[] y, int offsety) {
        if (alpha != 0) {
            for (int i = 0; i < n; i++) {
                y[offsety + i] += alpha * x[offsetx + i];
            }
        }
    }

    /** x := alpha·x. */
    static void scal(int n, double alpha, double[] x, int offsetx) {
        if (alpha != 1) {
            for (int i = 0; i < n; i++) {
                x[offsetx + i] *= alpha;
            }
        }
    }

    /** Σ |xᵢ|, in four sums side by side. */
    static double asum(int n, double[] x, int offsetx) {
        double a = 0;
        double b = 0;
        double c = 0;
        double d = 0;
        int i = 0;
        for (; i < n - 3; i += 4) {
            int p = offsetx + i;
            a += Math.abs(x[p]);
            b += Math.abs(x[p + 1]);
            c += Math.abs(x[p + 2]);
            d += Math.abs(x[p + 3]);
        }
        for (; i < n; i++) {
            a += Math.abs(x[offsetx + i]);
        }
        return a + b + (c + d);
    }

    /** ‖x‖₂; NaN where the sum of the squares leaves the range in which it is exact enough, or is none. */
    static double nrm2(int n, double[] x, int offsetx) {
        double sum = dot(n, x, offsetx, x, offsetx);
        return sum >= LEAST && sum <= Double.MAX_VALUE ? Math.sqrt(sum) : Double.NaN;
    }
}
