package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.BY_2;
import static dev.basalt.host.vector.VectorDLanes.BY_4;
import static dev.basalt.host.vector.VectorDLanes.BY_8;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.SWAP;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.host.vector.VectorDLanes.pairs;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

import jdk.incubator.vector.DoubleVector;

/** Complex matrix-vector products with contiguous vectors on the side of the columns, four columns at a time. */
final class VectorZLevel2 {
    /** Bytes of an element. */
    private static final int BYTES = 2 * SIZE;
    /** Rows that are done for all columns before the next: their part of y stays in the L1 cache. */
    private static final long ROWS = 1024;

    private VectorZLevel2() {}

    /** y := alpha·A·x + y for n columns of m elements; strides in bytes, y contiguous. */
    static void addColumns(long m, long n, double re, double im, long a, long da, long x, long dx, long y) {
        for (long i = 0; i < m; i += ROWS) {
            long rows = Math.min(ROWS, m - i);
            long aj = a + i * BYTES;
            long xj = x;
            long j = 0;
            for (; j + 4 <= n; j += 4) {
                add4(rows, re, im, aj, da, xj, dx, y + i * BYTES);
                aj += 4 * da;
                xj += 4 * dx;
            }
            for (; j < n; j++) {
                double xr = f64(xj);
                double xi = f64(xj + SIZE);
                VectorZLevel1.axpy(rows, re * xr - im * xi, re * xi + im * xr, aj, y + i * BYTES);
                aj += da;
                xj += dx;
            }
        }
    }

    private static void add4(long m, double re, double im, long a, long da, long x, long dx, long y) {
        long x1 = x + dx;
        long x2 = x1 + dx;
        long x3 = x2 + dx;
        double r0 = re * f64(x) - im * f64(x + SIZE);
        double r1 = re * f64(x1) - im * f64(x1 + SIZE);
        double r2 = re * f64(x2) - im * f64(x2 + SIZE);
        double r3 = re * f64(x3) - im * f64(x3 + SIZE);
        double i0 = re * f64(x + SIZE) + im * f64(x);
        double i1 = re * f64(x1 + SIZE) + im * f64(x1);
        double i2 = re * f64(x2 + SIZE) + im * f64(x2);
        double i3 = re * f64(x3 + SIZE) + im * f64(x3);
        long full = m * BYTES / WIDTH * WIDTH;
        add4(full, r0, r1, r2, r3, i0, i1, i2, i3, a, da, y);
        for (long i = full; i < m * BYTES; i += BYTES) {
            add4Elements(re, im, a + i, da, x, dx, y + i);
        }
    }

    private static void add4(long size, double r0, double r1, double r2, double r3, double i0, double i1, double i2,
            double i3, long a, long da, long y) {
        DoubleVector u0 = broadcast(SPECIES, r0);
        DoubleVector u1 = broadcast(SPECIES, r1);
        DoubleVector u2 = broadcast(SPECIES, r2);
        DoubleVector u3 = broadcast(SPECIES, r3);
        DoubleVector v0 = broadcast(SPECIES, i0);
        DoubleVector v1 = broadcast(SPECIES, i1);
        DoubleVector v2 = broadcast(SPECIES, i2);
        DoubleVector v3 = broadcast(SPECIES, i3);
        DoubleVector sign = pairs(-1, 1);
        long d = da & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        long p = a & ADDRESSES;
        long t = y & ADDRESSES;
        for (long end = y + size; t < end;) {
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, p + d, ORDER);
            DoubleVector a2 = fromMemorySegment(SPECIES, ALL, p + 2 * d, ORDER);
            DoubleVector a3 = fromMemorySegment(SPECIES, ALL, p + d3, ORDER);
            DoubleVector u = a3.fma(u3, a2.fma(u2, a1.fma(u1, a0.fma(u0, fromMemorySegment(SPECIES, ALL, t, ORDER)))));
            DoubleVector v = a3.fma(v3, a2.fma(v2, a1.fma(v1, a0.mul(v0))));
            v.rearrange(SWAP).fma(sign, u).intoMemorySegment(ALL, t, ORDER);
            p = (p + WIDTH) & ADDRESSES;
            t = (t + WIDTH) & ADDRESSES;
        }
    }

    /** The rounding of {@link #add4} for one row. */
    private static void add4Elements(double re, double im, long a, long da, long x, long dx, long y) {
        double ur = f64(y);
        double ui = f64(y + SIZE);
        double vr = 0;
        double vi = 0;
        for (int j = 0; j < 4; j++) {
            double xr = re * f64(x) - im * f64(x + SIZE);
            double xi = re * f64(x + SIZE) + im * f64(x);
            ur = Math.fma(f64(a), xr, ur);
            ui = Math.fma(f64(a + SIZE), xr, ui);
            vr = j == 0 ? f64(a) * xi : Math.fma(f64(a), xi, vr);
            vi = j == 0 ? f64(a + SIZE) * xi : Math.fma(f64(a + SIZE), xi, vi);
            a += da;
            x += dx;
        }
        f64(y, ur - vi);
        f64(y + SIZE, ui + vr);
    }

    /** y := alpha·Aᵀ·x + y, or alpha·Aᴴ·x + y, where A has n columns of m elements; strides in bytes, x contiguous. */
    static void addRows(long m, long n, double re, double im, long a, long da, boolean conj, long x, long y, long dy) {
        long j = 0;
        for (; j + 4 <= n; j += 4) {
            dot4(m, re, im, a, da, conj, x, y, dy);
            a += 4 * da;
            y += 4 * dy;
        }
        for (; j < n; j++) {
            dot1(m, re, im, a, conj, x, y);
            a += da;
            y += dy;
        }
    }

    private static void dot4(long m, double re, double im, long a, long da, boolean conj, long x, long y, long dy) {
        long d = da & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        long p = a & ADDRESSES;
        long q = x & ADDRESSES;
        DoubleVector s0 = zero(SPECIES);
        DoubleVector s1 = zero(SPECIES);
        DoubleVector s2 = zero(SPECIES);
        DoubleVector s3 = zero(SPECIES);
        DoubleVector t0 = zero(SPECIES);
        DoubleVector t1 = zero(SPECIES);
        DoubleVector t2 = zero(SPECIES);
        DoubleVector t3 = zero(SPECIES);
        for (long end = x + m * BYTES / WIDTH * WIDTH; q < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, q, ORDER);
            DoubleVector w = v.rearrange(SWAP);
            DoubleVector a0 = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector a1 = fromMemorySegment(SPECIES, ALL, p + d, ORDER);
            DoubleVector a2 = fromMemorySegment(SPECIES, ALL, p + 2 * d, ORDER);
            DoubleVector a3 = fromMemorySegment(SPECIES, ALL, p + d3, ORDER);
            s0 = a0.fma(v, s0);
            s1 = a1.fma(v, s1);
            s2 = a2.fma(v, s2);
            s3 = a3.fma(v, s3);
            t0 = a0.fma(w, t0);
            t1 = a1.fma(w, t1);
            t2 = a2.fma(w, t2);
            t3 = a3.fma(w, t3);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
        }
        // Two lanes are left of each: the sums of the real and of the imaginary parts of A times something.
        if (LANES > 8) {
            s0 = s0.add(s0.rearrange(BY_8));
            s1 = s1.add(s1.rearrange(BY_8));
            s2 = s2.add(s2.rearrange(BY_8));
            s3 = s3.add(s3.rearrange(BY_8));
            t0 = t0.add(t0.rearrange(BY_8));
            t1 = t1.add(t1.rearrange(BY_8));
            t2 = t2.add(t2.rearrange(BY_8));
            t3 = t3.add(t3.rearrange(BY_8));
        }
        if (LANES > 4) {
            s0 = s0.add(s0.rearrange(BY_4));
            s1 = s1.add(s1.rearrange(BY_4));
            s2 = s2.add(s2.rearrange(BY_4));
            s3 = s3.add(s3.rearrange(BY_4));
            t0 = t0.add(t0.rearrange(BY_4));
            t1 = t1.add(t1.rearrange(BY_4));
            t2 = t2.add(t2.rearrange(BY_4));
            t3 = t3.add(t3.rearrange(BY_4));
        }
        if (LANES > 2) {
            s0 = s0.add(s0.rearrange(BY_2));
            s1 = s1.add(s1.rearrange(BY_2));
            s2 = s2.add(s2.rearrange(BY_2));
            s3 = s3.add(s3.rearrange(BY_2));
            t0 = t0.add(t0.rearrange(BY_2));
            t1 = t1.add(t1.rearrange(BY_2));
            t2 = t2.add(t2.rearrange(BY_2));
            t3 = t3.add(t3.rearrange(BY_2));
        }
        long rest = (x + m * BYTES - q) / BYTES;
        finish(rest, s0.lane(0), s0.lane(1), t0.lane(0), t0.lane(1), re, im, p, conj, q, y);
        finish(rest, s1.lane(0), s1.lane(1), t1.lane(0), t1.lane(1), re, im, p + d, conj, q, y + dy);
        finish(rest, s2.lane(0), s2.lane(1), t2.lane(0), t2.lane(1), re, im, p + 2 * d, conj, q, y + 2 * dy);
        finish(rest, s3.lane(0), s3.lane(1), t3.lane(0), t3.lane(1), re, im, p + d3, conj, q, y + 3 * dy);
    }

    private static void dot1(long m, double re, double im, long a, boolean conj, long x, long y) {
        long p = a & ADDRESSES;
        long q = x & ADDRESSES;
        DoubleVector s = zero(SPECIES);
        DoubleVector t = zero(SPECIES);
        for (long end = x + m * BYTES / WIDTH * WIDTH; q < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, q, ORDER);
            DoubleVector w = fromMemorySegment(SPECIES, ALL, p, ORDER);
            s = w.fma(v, s);
            t = w.fma(v.rearrange(SWAP), t);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
        }
        if (LANES > 8) {
            s = s.add(s.rearrange(BY_8));
            t = t.add(t.rearrange(BY_8));
        }
        if (LANES > 4) {
            s = s.add(s.rearrange(BY_4));
            t = t.add(t.rearrange(BY_4));
        }
        if (LANES > 2) {
            s = s.add(s.rearrange(BY_2));
            t = t.add(t.rearrange(BY_2));
        }
        long rest = (x + m * BYTES - q) / BYTES;
        finish(rest, s.lane(0), s.lane(1), t.lane(0), t.lane(1), re, im, p, conj, q, y);
    }

    /** Adds alpha times a dot product to y, from the sums of re·re, im·im, re·im and im·re, and n elements that are left. */
    private static void finish(long n, double rr, double ii, double ri, double ir, double re, double im, long a,
            boolean conj, long x, long y) {
        for (long i = 0; i < n; i++) {
            double ar = f64(a);
            double ai = f64(a + SIZE);
            double xr = f64(x);
            double xi = f64(x + SIZE);
            rr += ar * xr;
            ii += ai * xi;
            ri += ar * xi;
            ir += ai * xr;
            a += BYTES;
            x += BYTES;
        }
        double sumR = conj ? rr + ii : rr - ii;
        double sumI = conj ? ri - ir : ri + ir;
        f64(y, f64(y) + (re * sumR - im * sumI));
        f64(y + SIZE, f64(y + SIZE) + (re * sumI + im * sumR));
    }
}
