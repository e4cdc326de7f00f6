package dev.basalt.host;

import static dev.basalt.host.VectorDLanes.LANES;
import static dev.basalt.host.VectorDLanes.SIZE;
import static dev.basalt.host.VectorDLanes.SWAP;
import static dev.basalt.host.VectorDLanes.WIDTH;
import static dev.basalt.host.VectorDLanes.bounded;
import static dev.basalt.host.VectorDLanes.first;
import static dev.basalt.host.VectorDLanes.load;
import static dev.basalt.host.VectorDLanes.pairs;
import static dev.basalt.host.VectorDLanes.splat;
import static dev.basalt.host.VectorDLanes.store;
import static dev.basalt.host.VectorDLanes.zero;
import static dev.basalt.spi.Memory.f64;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;

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
        DoubleVector r0 = splat(re * f64(x) - im * f64(x + SIZE));
        DoubleVector i0 = splat(re * f64(x + SIZE) + im * f64(x));
        x += dx;
        DoubleVector r1 = splat(re * f64(x) - im * f64(x + SIZE));
        DoubleVector i1 = splat(re * f64(x + SIZE) + im * f64(x));
        x += dx;
        DoubleVector r2 = splat(re * f64(x) - im * f64(x + SIZE));
        DoubleVector i2 = splat(re * f64(x + SIZE) + im * f64(x));
        x += dx;
        DoubleVector r3 = splat(re * f64(x) - im * f64(x + SIZE));
        DoubleVector i3 = splat(re * f64(x + SIZE) + im * f64(x));
        DoubleVector sign = pairs(-1, 1);
        long d = bounded(da);
        long d3 = bounded(3 * d);
        long p = bounded(a);
        long t = bounded(y);
        for (long end = y + m * BYTES / WIDTH * WIDTH; t < end; ) {
            DoubleVector a0 = load(p);
            DoubleVector a1 = load(p + d);
            DoubleVector a2 = load(p + 2 * d);
            DoubleVector a3 = load(p + d3);
            DoubleVector u = a3.fma(r3, a2.fma(r2, a1.fma(r1, a0.fma(r0, load(t)))));
            DoubleVector v = a3.fma(i3, a2.fma(i2, a1.fma(i1, a0.mul(i0))));
            store(t, v.rearrange(SWAP).fma(sign, u));
            p = bounded(p + WIDTH);
            t = bounded(t + WIDTH);
        }
        if (t < y + m * BYTES) {
            VectorMask<Double> rest = first((int) (y + m * BYTES - t) / SIZE);
            DoubleVector a0 = load(p, rest);
            DoubleVector a1 = load(p + d, rest);
            DoubleVector a2 = load(p + 2 * d, rest);
            DoubleVector a3 = load(p + d3, rest);
            DoubleVector u = a3.fma(r3, a2.fma(r2, a1.fma(r1, a0.fma(r0, load(t, rest)))));
            DoubleVector v = a3.fma(i3, a2.fma(i2, a1.fma(i1, a0.mul(i0))));
            store(t, v.rearrange(SWAP).fma(sign, u), rest);
        }
    }

    /** y := alpha·Aᵀ·x + y, or alpha·Aᴴ·x + y, where A has n columns of m elements; strides in bytes, x contiguous. */
    static void addRows(
            long m, long n, double re, double im, long a, long da, boolean conj, long x, long y, long dy) {
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
        long d = bounded(da);
        long d3 = bounded(3 * d);
        long p = bounded(a);
        long q = bounded(x);
        DoubleVector s0 = zero();
        DoubleVector s1 = zero();
        DoubleVector s2 = zero();
        DoubleVector s3 = zero();
        DoubleVector t0 = zero();
        DoubleVector t1 = zero();
        DoubleVector t2 = zero();
        DoubleVector t3 = zero();
        for (long left = m * BYTES; left > 0; left -= WIDTH) {
            VectorMask<Double> mask = first((int) Math.min(LANES, left / SIZE));
            DoubleVector v = load(q, mask);
            DoubleVector w = v.rearrange(SWAP);
            DoubleVector a0 = load(p, mask);
            DoubleVector a1 = load(p + d, mask);
            DoubleVector a2 = load(p + 2 * d, mask);
            DoubleVector a3 = load(p + d3, mask);
            s0 = a0.fma(v, s0);
            s1 = a1.fma(v, s1);
            s2 = a2.fma(v, s2);
            s3 = a3.fma(v, s3);
            t0 = a0.fma(w, t0);
            t1 = a1.fma(w, t1);
            t2 = a2.fma(w, t2);
            t3 = a3.fma(w, t3);
            p = bounded(p + WIDTH);
            q = bounded(q + WIDTH);
        }
        add(re, im, VectorZLevel1.real(s0, conj), VectorZLevel1.imaginary(t0, conj), y);
        add(re, im, VectorZLevel1.real(s1, conj), VectorZLevel1.imaginary(t1, conj), y + dy);
        add(re, im, VectorZLevel1.real(s2, conj), VectorZLevel1.imaginary(t2, conj), y + 2 * dy);
        add(re, im, VectorZLevel1.real(s3, conj), VectorZLevel1.imaginary(t3, conj), y + 3 * dy);
    }

    private static void dot1(long m, double re, double im, long a, boolean conj, long x, long y) {
        DoubleVector s = zero();
        DoubleVector t = zero();
        for (long left = m * BYTES; left > 0; left -= WIDTH) {
            VectorMask<Double> mask = first((int) Math.min(LANES, left / SIZE));
            DoubleVector v = load(x, mask);
            DoubleVector w = load(a, mask);
            s = w.fma(v, s);
            t = w.fma(v.rearrange(SWAP), t);
            a += WIDTH;
            x += WIDTH;
        }
        add(re, im, VectorZLevel1.real(s, conj), VectorZLevel1.imaginary(t, conj), y);
    }

    private static void add(double re, double im, double sumRe, double sumIm, long y) {
        f64(y, f64(y) + (re * sumRe - im * sumIm));
        f64(y + SIZE, f64(y + SIZE) + (re * sumIm + im * sumRe));
    }
}
