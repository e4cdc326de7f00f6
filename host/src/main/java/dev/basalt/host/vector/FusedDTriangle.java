package dev.basalt.host.vector;

import static dev.basalt.spi.Memory.f64;

/**
 * Few columns of a triangle stored in any way, element by element: a call of machine code would take longer. Every product is fused with the sum it goes into. A column is that of
 * {@link dev.basalt.portable.Leaf#symvStored}: element (i, j) lies at {@code a + i + step·j + growth·j(j-1)/2}. Increments and distances are in elements.
 */
final class FusedDTriangle {
    private FusedDTriangle() {}

    /** y := alpha·A·x + beta·y. */
    static void symv(boolean upper, int n, int k, double alphaRe, long a, long step, long growth, long x, long incx,
            double betaRe, long y, long incy) {
        double alpha = alphaRe;
        double beta = betaRe;
        long dx = incx * 8L;
        long dy = incy * 8L;
        if (beta != 1) {
            long v = y;
            for (int i = 0; i < n; i++, v += dy) {
                f64(v, beta == 0 ? 0 : beta * f64(v));
            }
        }
        long column = a;
        long next = step * 8L;
        long xj = x;
        long yj = y;
        for (int j = 0; j < n; j++) {
            int first = upper ? Math.max(0, j - k) : j + 1;
            int end = upper ? j : Math.min(n, j + k + 1);
            double factor = alpha * f64(xj);
            double sum = 0;
            long p = column + first * 8L;
            long stop = p + (end - first) * 8L;
            long u = x + first * dx;
            long v = y + first * dy;
            for (; p != stop; p += 8L, u += dx, v += dy) {
                double value = f64(p);
                f64(v, Math.fma(value, factor, f64(v)));
                sum = Math.fma(value, f64(u), sum);
            }
            f64(yj, Math.fma(f64(column + j * 8L), factor, Math.fma(alpha, sum, f64(yj))));
            column += next;
            next += growth * 8L;
            xj += dx;
            yj += dy;
        }
    }

    /** x := op(A)·x, or the solution of op(A)·x = b in place. So short that it becomes a part of its callers, each of which has one of both. */
    static void triangle(boolean solves, boolean upper, boolean plain, boolean unit, int n, int k, long a, long step,
            long growth, long x, long incx) {
        boolean ascending = solves != (upper == plain);
        long dx = incx * 8L;
        for (int c = 0; c < n; c++) {
            int j = ascending ? c : n - 1 - c;
            int first = upper ? Math.max(0, j - k) : j + 1;
            int end = upper ? j : Math.min(n, j + k + 1);
            long column = a + column(j, step, growth);
            long p = column + first * 8L;
            long stop = column + end * 8L;
            long u = x + first * dx;
            double own = f64(x + j * dx);
            double diagonal = unit ? 1 : f64(column + j * 8L);
            double sum = solves ? own : own * diagonal;
            if (!plain) {
                sum = sum(solves ? -1 : 1, p, stop, u, dx, sum);
            }
            if (solves) {
                sum /= diagonal;
                own = -sum;
            }
            f64(x + j * dx, sum);
            if (plain) {
                add(own, p, stop, u, dx);
            }
        }
    }

    /** The products of a column with a vector, and a number. */
    private static double sum(double sign, long column, long stop, long x, long dx, double sum) {
        long u = x;
        for (long p = column; p != stop; p += 8L, u += dx) {
            sum = Math.fma(sign * f64(p), f64(u), sum);
        }
        return sum;
    }

    /** x := factor times a column + x. */
    private static void add(double factor, long column, long stop, long x, long dx) {
        long u = x;
        for (long p = column; p != stop; p += 8L, u += dx) {
            f64(u, Math.fma(factor, f64(p), f64(u)));
        }
    }

    /** Columns {@code from} to {@code to} of A := alpha·x·xᵀ + A, with the bits of vectors. */
    static void syr(boolean upper, int n, int from, int to, double alphaRe, long x, long incx, long a, long step,
            long growth) {
        double alpha = alphaRe;
        long dx = incx * 8L;
        for (int j = from; j < to; j++) {
            int first = upper ? 0 : j;
            int end = upper ? j + 1 : n;
            double factor = alpha * f64(x + j * dx);
            long p = a + column(j, step, growth) + first * 8L;
            long stop = p + (end - first) * 8L;
            long u = x + first * dx;
            for (; p != stop; p += 8L, u += dx) {
                f64(p, Math.fma(f64(u), factor, f64(p)));
            }
        }
    }

    /** Columns {@code from} to {@code to} of A := alpha·x·yᵀ + alpha·y·xᵀ + A, with the bits of vectors. */
    static void syr2(boolean upper, int n, int from, int to, double alphaRe, long x, long incx, long y, long incy,
            long a, long step, long growth) {
        double alpha = alphaRe;
        long dx = incx * 8L;
        long dy = incy * 8L;
        for (int j = from; j < to; j++) {
            int first = upper ? 0 : j;
            int end = upper ? j + 1 : n;
            double left = alpha * f64(y + j * dy);
            double right = alpha * f64(x + j * dx);
            long p = a + column(j, step, growth) + first * 8L;
            long stop = p + (end - first) * 8L;
            long u = x + first * dx;
            long v = y + first * dy;
            for (; p != stop; p += 8L, u += dx, v += dy) {
                f64(p, Math.fma(f64(v), right, Math.fma(f64(u), left, f64(p))));
            }
        }
    }

    /** Bytes to where row 0 of a column would lie. */
    private static long column(int j, long step, long growth) {
        return (j * step + growth * ((long) j * (j - 1) / 2)) * 8L;
    }
}
