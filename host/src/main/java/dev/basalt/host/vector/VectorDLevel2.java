package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.BY_1;
import static dev.basalt.host.vector.VectorDLanes.BY_2;
import static dev.basalt.host.vector.VectorDLanes.BY_4;
import static dev.basalt.host.vector.VectorDLanes.BY_8;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

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
            long rest = rows % LANES;
            long full = rows - rest;
            long aj = a + i * SIZE;
            long xj = x;
            long yi = y + i * SIZE;
            long j = 0;
            for (; j + 8 <= n; j += 8) {
                add8(full, alpha, aj, da, xj, dx, yi);
                addElements(rest, 8, alpha, aj + full * SIZE, da, xj, dx, yi + full * SIZE);
                aj += 8 * da;
                xj += 8 * dx;
            }
            if (j + 4 <= n) {
                double x0 = alpha * f64(xj);
                double x1 = alpha * f64(xj + dx);
                double x2 = alpha * f64(xj + 2 * dx);
                double x3 = alpha * f64(xj + 3 * dx);
                add4(full, x0, x1, x2, x3, aj, da, yi);
                addElements(rest, 4, alpha, aj + full * SIZE, da, xj, dx, yi + full * SIZE);
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
        add8(m, x0, x1, x2, x3, x4, x5, x6, x7, a, da, y);
    }

    private static void add8(long m, double x0, double x1, double x2, double x3, double x4, double x5, double x6,
            double x7, long a, long da, long y) {
        long d = da & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        long p = a & ADDRESSES;
        long q = (a + 4 * d) & ADDRESSES;
        long t = y & ADDRESSES;
        DoubleVector v0 = broadcast(SPECIES, x0);
        DoubleVector v1 = broadcast(SPECIES, x1);
        DoubleVector v2 = broadcast(SPECIES, x2);
        DoubleVector v3 = broadcast(SPECIES, x3);
        DoubleVector v4 = broadcast(SPECIES, x4);
        DoubleVector v5 = broadcast(SPECIES, x5);
        DoubleVector v6 = broadcast(SPECIES, x6);
        DoubleVector v7 = broadcast(SPECIES, x7);
        for (long end = y + m * SIZE; t < end;) {
            DoubleVector s =
                    fromMemorySegment(SPECIES, ALL, p, ORDER).fma(v0, fromMemorySegment(SPECIES, ALL, t, ORDER));
            s = fromMemorySegment(SPECIES, ALL, p + d, ORDER).fma(v1, s);
            s = fromMemorySegment(SPECIES, ALL, p + 2 * d, ORDER).fma(v2, s);
            s = fromMemorySegment(SPECIES, ALL, p + d3, ORDER).fma(v3, s);
            s = fromMemorySegment(SPECIES, ALL, q, ORDER).fma(v4, s);
            s = fromMemorySegment(SPECIES, ALL, q + d, ORDER).fma(v5, s);
            s = fromMemorySegment(SPECIES, ALL, q + 2 * d, ORDER).fma(v6, s);
            s = fromMemorySegment(SPECIES, ALL, q + d3, ORDER).fma(v7, s);
            s.intoMemorySegment(ALL, t, ORDER);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
            t = (t + WIDTH) & ADDRESSES;
        }
    }

    private static void add4(long m, double x0, double x1, double x2, double x3, long a, long da, long y) {
        long d = da & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        long p = a & ADDRESSES;
        long t = y & ADDRESSES;
        DoubleVector v0 = broadcast(SPECIES, x0);
        DoubleVector v1 = broadcast(SPECIES, x1);
        DoubleVector v2 = broadcast(SPECIES, x2);
        DoubleVector v3 = broadcast(SPECIES, x3);
        for (long end = y + m * SIZE; t < end;) {
            DoubleVector s =
                    fromMemorySegment(SPECIES, ALL, p, ORDER).fma(v0, fromMemorySegment(SPECIES, ALL, t, ORDER));
            s = fromMemorySegment(SPECIES, ALL, p + d, ORDER).fma(v1, s);
            s = fromMemorySegment(SPECIES, ALL, p + 2 * d, ORDER).fma(v2, s);
            fromMemorySegment(SPECIES, ALL, p + d3, ORDER).fma(v3, s).intoMemorySegment(ALL, t, ORDER);
            p = (p + WIDTH) & ADDRESSES;
            t = (t + WIDTH) & ADDRESSES;
        }
    }

    /** The rounding of the above for m single rows and n columns. */
    private static void addElements(long m, long n, double alpha, long a, long da, long x, long dx, long y) {
        for (long i = 0; i < m; i++) {
            double s = f64(y);
            for (long j = 0; j < n; j++) {
                s = Math.fma(f64(a + j * da), alpha * f64(x + j * dx), s);
            }
            f64(y, s);
            a += SIZE;
            y += SIZE;
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
        long d = da & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        long p = a & ADDRESSES;
        long q = x & ADDRESSES;
        DoubleVector s0 = zero(SPECIES);
        DoubleVector s1 = zero(SPECIES);
        DoubleVector s2 = zero(SPECIES);
        DoubleVector s3 = zero(SPECIES);
        DoubleVector u0 = zero(SPECIES);
        DoubleVector u1 = zero(SPECIES);
        DoubleVector u2 = zero(SPECIES);
        DoubleVector u3 = zero(SPECIES);
        for (long end = x + m / (2 * LANES) * (2 * WIDTH); q < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, q, ORDER);
            s0 = fromMemorySegment(SPECIES, ALL, p, ORDER).fma(v, s0);
            s1 = fromMemorySegment(SPECIES, ALL, p + d, ORDER).fma(v, s1);
            s2 = fromMemorySegment(SPECIES, ALL, p + 2 * d, ORDER).fma(v, s2);
            s3 = fromMemorySegment(SPECIES, ALL, p + d3, ORDER).fma(v, s3);
            DoubleVector w = fromMemorySegment(SPECIES, ALL, q + WIDTH, ORDER);
            u0 = fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER).fma(w, u0);
            u1 = fromMemorySegment(SPECIES, ALL, p + d + WIDTH, ORDER).fma(w, u1);
            u2 = fromMemorySegment(SPECIES, ALL, p + 2 * d + WIDTH, ORDER).fma(w, u2);
            u3 = fromMemorySegment(SPECIES, ALL, p + d3 + WIDTH, ORDER).fma(w, u3);
            p = (p + 2 * WIDTH) & ADDRESSES;
            q = (q + 2 * WIDTH) & ADDRESSES;
        }
        s0 = s0.add(u0);
        s1 = s1.add(u1);
        s2 = s2.add(u2);
        s3 = s3.add(u3);
        // As VectorDLanes.sum, which would not be inlined any more.
        if (LANES > 8) {
            s0 = s0.add(s0.rearrange(BY_8));
            s1 = s1.add(s1.rearrange(BY_8));
            s2 = s2.add(s2.rearrange(BY_8));
            s3 = s3.add(s3.rearrange(BY_8));
        }
        if (LANES > 4) {
            s0 = s0.add(s0.rearrange(BY_4));
            s1 = s1.add(s1.rearrange(BY_4));
            s2 = s2.add(s2.rearrange(BY_4));
            s3 = s3.add(s3.rearrange(BY_4));
        }
        if (LANES > 2) {
            s0 = s0.add(s0.rearrange(BY_2));
            s1 = s1.add(s1.rearrange(BY_2));
            s2 = s2.add(s2.rearrange(BY_2));
            s3 = s3.add(s3.rearrange(BY_2));
        }
        s0 = s0.add(s0.rearrange(BY_1));
        s1 = s1.add(s1.rearrange(BY_1));
        s2 = s2.add(s2.rearrange(BY_1));
        s3 = s3.add(s3.rearrange(BY_1));
        finish4(x + m * SIZE, alpha, s0.lane(0), s1.lane(0), s2.lane(0), s3.lane(0), p, da, q, y, dy);
    }

    /** Adds four dot products to y, from what is summed up and the elements of x that are left. */
    private static void finish4(long end, double alpha, double r0, double r1, double r2, double r3, long a, long da,
            long x, long y, long dy) {
        for (; x < end; x += SIZE) {
            double v = f64(x);
            r0 = Math.fma(f64(a), v, r0);
            r1 = Math.fma(f64(a + da), v, r1);
            r2 = Math.fma(f64(a + 2 * da), v, r2);
            r3 = Math.fma(f64(a + 3 * da), v, r3);
            a += SIZE;
        }
        f64(y, Math.fma(alpha, r0, f64(y)));
        f64(y + dy, Math.fma(alpha, r1, f64(y + dy)));
        f64(y + 2 * dy, Math.fma(alpha, r2, f64(y + 2 * dy)));
        f64(y + 3 * dy, Math.fma(alpha, r3, f64(y + 3 * dy)));
    }

    private static double dotElements(long n, long a, long x, double s) {
        for (long i = 0; i < n; i++) {
            s = Math.fma(f64(a), f64(x), s);
            a += SIZE;
            x += SIZE;
        }
        return s;
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
        long end = y + n * SIZE;
        for (; y < end; y += SIZE) {
            double xj = f64(x);
            double scaled = alpha * xj;
            double s = f64(a) * xj;
            long aij = a + down;
            long xi = x + SIZE;
            for (long yi = y + SIZE; yi < end; yi += SIZE) {
                double v = f64(aij);
                f64(yi, Math.fma(v, scaled, f64(yi)));
                s = Math.fma(v, f64(xi), s);
                aij += down;
                xi += SIZE;
            }
            f64(y, Math.fma(alpha, s, f64(y)));
            a += down + across;
            x += SIZE;
        }
    }

    /** y := alpha·A·xj + y and yj := alpha·Aᵀ·x + yj for 4 columns of m elements, reading them once. */
    private static void addAndDot4(long m, double alpha, long a, long da, long x, long y, long xj, long yj) {
        double x0 = alpha * f64(xj);
        double x1 = alpha * f64(xj + SIZE);
        double x2 = alpha * f64(xj + 2 * SIZE);
        double x3 = alpha * f64(xj + 3 * SIZE);
        long full = m / LANES * LANES;
        addAndDot4(full, alpha, x0, x1, x2, x3, a, da, x, y, yj);
        long rest = full * SIZE;
        addElements(m - full, 4, alpha, a + rest, da, xj, SIZE, y + rest);
        for (long j = 0; j < 4 && full < m; j++) {
            double s = dotElements(m - full, a + j * da + rest, x + rest, 0);
            f64(yj + j * SIZE, Math.fma(alpha, s, f64(yj + j * SIZE)));
        }
    }

    private static void addAndDot4(long m, double alpha, double x0, double x1, double x2, double x3, long a, long da,
            long x, long y, long yj) {
        long d = da & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        long p = a & ADDRESSES;
        long q = x & ADDRESSES;
        long t = y & ADDRESSES;
        DoubleVector v0 = broadcast(SPECIES, x0);
        DoubleVector v1 = broadcast(SPECIES, x1);
        DoubleVector v2 = broadcast(SPECIES, x2);
        DoubleVector v3 = broadcast(SPECIES, x3);
        DoubleVector s0 = zero(SPECIES);
        DoubleVector s1 = zero(SPECIES);
        DoubleVector s2 = zero(SPECIES);
        DoubleVector s3 = zero(SPECIES);
        for (long end = x + m * SIZE; q < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, q, ORDER);
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, p + d, ORDER);
            DoubleVector a2 = fromMemorySegment(SPECIES, ALL, p + 2 * d, ORDER);
            DoubleVector a3 = fromMemorySegment(SPECIES, ALL, p + d3, ORDER);
            s0 = a0.fma(v, s0);
            s1 = a1.fma(v, s1);
            s2 = a2.fma(v, s2);
            s3 = a3.fma(v, s3);
            a3.fma(v3, a2.fma(v2, a1.fma(v1, a0.fma(v0, fromMemorySegment(SPECIES, ALL, t, ORDER)))))
                    .intoMemorySegment(ALL, t, ORDER);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
            t = (t + WIDTH) & ADDRESSES;
        }
        // As VectorDLanes.sum, which would not be inlined any more.
        if (LANES > 8) {
            s0 = s0.add(s0.rearrange(BY_8));
            s1 = s1.add(s1.rearrange(BY_8));
            s2 = s2.add(s2.rearrange(BY_8));
            s3 = s3.add(s3.rearrange(BY_8));
        }
        if (LANES > 4) {
            s0 = s0.add(s0.rearrange(BY_4));
            s1 = s1.add(s1.rearrange(BY_4));
            s2 = s2.add(s2.rearrange(BY_4));
            s3 = s3.add(s3.rearrange(BY_4));
        }
        if (LANES > 2) {
            s0 = s0.add(s0.rearrange(BY_2));
            s1 = s1.add(s1.rearrange(BY_2));
            s2 = s2.add(s2.rearrange(BY_2));
            s3 = s3.add(s3.rearrange(BY_2));
        }
        s0 = s0.add(s0.rearrange(BY_1));
        s1 = s1.add(s1.rearrange(BY_1));
        s2 = s2.add(s2.rearrange(BY_1));
        s3 = s3.add(s3.rearrange(BY_1));
        finish4(0, alpha, s0.lane(0), s1.lane(0), s2.lane(0), s3.lane(0), 0, 0, 0, yj, SIZE);
    }
}
