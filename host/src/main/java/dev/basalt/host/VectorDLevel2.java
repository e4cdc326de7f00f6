package dev.basalt.host;

import static dev.basalt.host.VectorDLanes.LANES;
import static dev.basalt.host.VectorDLanes.SIZE;
import static dev.basalt.host.VectorDLanes.WIDTH;
import static dev.basalt.host.VectorDLanes.bounded;
import static dev.basalt.host.VectorDLanes.load;
import static dev.basalt.host.VectorDLanes.splat;
import static dev.basalt.host.VectorDLanes.store;
import static dev.basalt.host.VectorDLanes.sum;
import static dev.basalt.host.VectorDLanes.zero;
import static dev.basalt.spi.Memory.f64;

import jdk.incubator.vector.DoubleVector;

/**
 * Matrix-vector products with contiguous vectors on the side of the columns. Each reads A once, several columns at a time, so that the
 * vector beside it is loaded seldom. An element of y is summed over the columns one after another, alone or in a vector, so its bits do
 * not depend on how columns are grouped or rows are cut.
 */
final class VectorDLevel2 {
    /** Rows that are done for all columns before the next: their part of y stays in the L1 cache. */
    private static final long ROWS = 2048;

    private VectorDLevel2() {}

    /** y := alpha·A·x + y for n columns of m elements; strides in bytes, y contiguous. */
    static void addColumns(long m, long n, double alpha, long a, long da, long x, long dx, long y) {
        for (long i = 0; i < m; i += ROWS) {
            long rows = Math.min(ROWS, m - i);
            long aj = a + i * SIZE;
            long xj = x;
            long yi = y + i * SIZE;
            long j = 0;
            for (; j + 8 <= n; j += 8) {
                add8(rows, alpha, aj, da, xj, dx, yi);
                aj += 8 * da;
                xj += 8 * dx;
            }
            if (j + 4 <= n) {
                add4(rows, alpha, aj, da, xj, dx, yi);
                aj += 4 * da;
                xj += 4 * dx;
                j += 4;
            }
            for (; j < n; j++) {
                VectorDLevel1.axpy(rows, alpha * f64(xj), aj, yi);
                aj += da;
                xj += dx;
            }
        }
    }

    private static void add8(long m, double alpha, long a, long da, long x, long dx, long y) {
        double x0 = alpha * f64(x);
        double x1 = alpha * f64(x + dx);
        double x2 = alpha * f64(x + 2 * dx);
        double x3 = alpha * f64(x + 3 * dx);
        double x4 = alpha * f64(x + 4 * dx);
        double x5 = alpha * f64(x + 5 * dx);
        double x6 = alpha * f64(x + 6 * dx);
        double x7 = alpha * f64(x + 7 * dx);
        long d = bounded(da);
        long d3 = bounded(3 * d);
        long p = bounded(a);
        long q = bounded(a + 4 * d);
        long t = bounded(y);
        DoubleVector v0 = splat(x0);
        DoubleVector v1 = splat(x1);
        DoubleVector v2 = splat(x2);
        DoubleVector v3 = splat(x3);
        DoubleVector v4 = splat(x4);
        DoubleVector v5 = splat(x5);
        DoubleVector v6 = splat(x6);
        DoubleVector v7 = splat(x7);
        for (long end = y + m / LANES * WIDTH; t < end; ) {
            DoubleVector s = load(p).fma(v0, load(t));
            s = load(p + d).fma(v1, s);
            s = load(p + 2 * d).fma(v2, s);
            s = load(p + d3).fma(v3, s);
            s = load(q).fma(v4, s);
            s = load(q + d).fma(v5, s);
            s = load(q + 2 * d).fma(v6, s);
            s = load(q + d3).fma(v7, s);
            store(t, s);
            p = bounded(p + WIDTH);
            q = bounded(q + WIDTH);
            t = bounded(t + WIDTH);
        }
        for (long end = y + m * SIZE; t < end; ) {
            double s = Math.fma(f64(p), x0, f64(t));
            s = Math.fma(f64(p + d), x1, s);
            s = Math.fma(f64(p + 2 * d), x2, s);
            s = Math.fma(f64(p + d3), x3, s);
            s = Math.fma(f64(q), x4, s);
            s = Math.fma(f64(q + d), x5, s);
            s = Math.fma(f64(q + 2 * d), x6, s);
            s = Math.fma(f64(q + d3), x7, s);
            f64(t, s);
            p = bounded(p + SIZE);
            q = bounded(q + SIZE);
            t = bounded(t + SIZE);
        }
    }

    private static void add4(long m, double alpha, long a, long da, long x, long dx, long y) {
        double x0 = alpha * f64(x);
        double x1 = alpha * f64(x + dx);
        double x2 = alpha * f64(x + 2 * dx);
        double x3 = alpha * f64(x + 3 * dx);
        long d = bounded(da);
        long d3 = bounded(3 * d);
        long p = bounded(a);
        long t = bounded(y);
        DoubleVector v0 = splat(x0);
        DoubleVector v1 = splat(x1);
        DoubleVector v2 = splat(x2);
        DoubleVector v3 = splat(x3);
        for (long end = y + m / LANES * WIDTH; t < end; ) {
            DoubleVector s = load(p).fma(v0, load(t));
            s = load(p + d).fma(v1, s);
            s = load(p + 2 * d).fma(v2, s);
            store(t, load(p + d3).fma(v3, s));
            p = bounded(p + WIDTH);
            t = bounded(t + WIDTH);
        }
        for (long end = y + m * SIZE; t < end; ) {
            double s = Math.fma(f64(p), x0, f64(t));
            s = Math.fma(f64(p + d), x1, s);
            s = Math.fma(f64(p + 2 * d), x2, s);
            f64(t, Math.fma(f64(p + d3), x3, s));
            p = bounded(p + SIZE);
            t = bounded(t + SIZE);
        }
    }

    /** y := alpha·Aᵀ·x + y, where A has n columns of m elements; strides in bytes, x contiguous. */
    static void addRows(long m, long n, double alpha, long a, long da, long x, long y, long dy) {
        long j = 0;
        for (; j + 4 <= n; j += 4) {
            dot4(m, alpha, a, da, x, y, dy);
            a += 4 * da;
            y += 4 * dy;
        }
        for (; j < n; j++) {
            f64(y, Math.fma(alpha, VectorDLevel1.dot(m, a, x), f64(y)));
            a += da;
            y += dy;
        }
    }

    private static void dot4(long m, double alpha, long a, long da, long x, long y, long dy) {
        long d = bounded(da);
        long d3 = bounded(3 * d);
        long p = bounded(a);
        long q = bounded(x);
        DoubleVector s0 = zero();
        DoubleVector s1 = zero();
        DoubleVector s2 = zero();
        DoubleVector s3 = zero();
        DoubleVector u0 = zero();
        DoubleVector u1 = zero();
        DoubleVector u2 = zero();
        DoubleVector u3 = zero();
        for (long end = x + m / (2 * LANES) * (2 * WIDTH); q < end; ) {
            DoubleVector v = load(q);
            s0 = load(p).fma(v, s0);
            s1 = load(p + d).fma(v, s1);
            s2 = load(p + 2 * d).fma(v, s2);
            s3 = load(p + d3).fma(v, s3);
            DoubleVector w = load(q + WIDTH);
            u0 = load(p + WIDTH).fma(w, u0);
            u1 = load(p + d + WIDTH).fma(w, u1);
            u2 = load(p + 2 * d + WIDTH).fma(w, u2);
            u3 = load(p + d3 + WIDTH).fma(w, u3);
            p = bounded(p + 2 * WIDTH);
            q = bounded(q + 2 * WIDTH);
        }
        double r0 = sum(s0.add(u0));
        double r1 = sum(s1.add(u1));
        double r2 = sum(s2.add(u2));
        double r3 = sum(s3.add(u3));
        for (long end = x + m * SIZE; q < end; ) {
            double v = f64(q);
            r0 = Math.fma(f64(p), v, r0);
            r1 = Math.fma(f64(p + d), v, r1);
            r2 = Math.fma(f64(p + 2 * d), v, r2);
            r3 = Math.fma(f64(p + d3), v, r3);
            p = bounded(p + SIZE);
            q = bounded(q + SIZE);
        }
        f64(y, Math.fma(alpha, r0, f64(y)));
        f64(y + dy, Math.fma(alpha, r1, f64(y + dy)));
        f64(y + 2 * dy, Math.fma(alpha, r2, f64(y + 2 * dy)));
        f64(y + 3 * dy, Math.fma(alpha, r3, f64(y + 3 * dy)));
    }

    /** y := alpha·A·x + y, A symmetric of which the lower or the upper triangle is read, x and y contiguous. */
    static void addSymmetric(boolean lower, long n, double alpha, long a, long da, long x, long y) {
        long j = 0;
        for (; j + 4 <= n; j += 4) {
            long aj = a + j * da;
            long first = lower ? j + 4 : 0;
            long count = lower ? n - first : j;
            long xj = x + j * SIZE;
            long yj = y + j * SIZE;
            addAndDot4(count, alpha, aj + first * SIZE, da, x + first * SIZE, y + first * SIZE, xj, yj);
            addCorner(lower, 4, alpha, aj + j * SIZE, da, xj, yj);
        }
        long rest = n - j;
        if (rest > 0) {
            long aj = a + j * da;
            if (!lower) {
                addColumns(j, rest, alpha, aj, da, x + j * SIZE, SIZE, y);
                addRows(j, rest, alpha, aj, da, x, y + j * SIZE, SIZE);
            }
            addCorner(lower, rest, alpha, aj + j * SIZE, da, x + j * SIZE, y + j * SIZE);
        }
    }

    /** As {@link #addSymmetric} by element, for a few. */
    private static void addCorner(boolean lower, long n, double alpha, long a, long da, long x, long y) {
        long down = lower ? SIZE : da;
        long across = lower ? da : SIZE;
        for (long i = 0; i < n; i++) {
            double s = 0;
            for (long j = 0; j < n; j++) {
                double v = f64(a + Math.max(i, j) * down + Math.min(i, j) * across);
                s = Math.fma(v, f64(x + j * SIZE), s);
            }
            f64(y + i * SIZE, Math.fma(alpha, s, f64(y + i * SIZE)));
        }
    }

    /** y := alpha·A·xj + y and yj := alpha·Aᵀ·x + yj for 4 columns of m elements, reading them once. */
    private static void addAndDot4(long m, double alpha, long a, long da, long x, long y, long xj, long yj) {
        double x0 = alpha * f64(xj);
        double x1 = alpha * f64(xj + SIZE);
        double x2 = alpha * f64(xj + 2 * SIZE);
        double x3 = alpha * f64(xj + 3 * SIZE);
        long d = bounded(da);
        long d3 = bounded(3 * d);
        long p = bounded(a);
        long q = bounded(x);
        long t = bounded(y);
        DoubleVector v0 = splat(x0);
        DoubleVector v1 = splat(x1);
        DoubleVector v2 = splat(x2);
        DoubleVector v3 = splat(x3);
        DoubleVector s0 = zero();
        DoubleVector s1 = zero();
        DoubleVector s2 = zero();
        DoubleVector s3 = zero();
        for (long end = x + m / LANES * WIDTH; q < end; ) {
            DoubleVector v = load(q);
            DoubleVector a0 = load(p);
            DoubleVector a1 = load(p + d);
            DoubleVector a2 = load(p + 2 * d);
            DoubleVector a3 = load(p + d3);
            s0 = a0.fma(v, s0);
            s1 = a1.fma(v, s1);
            s2 = a2.fma(v, s2);
            s3 = a3.fma(v, s3);
            store(t, a3.fma(v3, a2.fma(v2, a1.fma(v1, a0.fma(v0, load(t))))));
            p = bounded(p + WIDTH);
            q = bounded(q + WIDTH);
            t = bounded(t + WIDTH);
        }
        double r0 = sum(s0);
        double r1 = sum(s1);
        double r2 = sum(s2);
        double r3 = sum(s3);
        for (long end = x + m * SIZE; q < end; ) {
            double v = f64(q);
            double a0 = f64(p);
            double a1 = f64(p + d);
            double a2 = f64(p + 2 * d);
            double a3 = f64(p + d3);
            r0 = Math.fma(a0, v, r0);
            r1 = Math.fma(a1, v, r1);
            r2 = Math.fma(a2, v, r2);
            r3 = Math.fma(a3, v, r3);
            f64(t, Math.fma(a3, x3, Math.fma(a2, x2, Math.fma(a1, x1, Math.fma(a0, x0, f64(t))))));
            p = bounded(p + SIZE);
            q = bounded(q + SIZE);
            t = bounded(t + SIZE);
        }
        f64(yj, Math.fma(alpha, r0, f64(yj)));
        f64(yj + SIZE, Math.fma(alpha, r1, f64(yj + SIZE)));
        f64(yj + 2 * SIZE, Math.fma(alpha, r2, f64(yj + 2 * SIZE)));
        f64(yj + 3 * SIZE, Math.fma(alpha, r3, f64(yj + 3 * SIZE)));
    }
}
