package dev.basalt.host;

import static dev.basalt.host.VectorDLanes.LANES;
import static dev.basalt.host.VectorDLanes.SIZE;
import static dev.basalt.host.VectorDLanes.WIDTH;
import static dev.basalt.host.VectorDLanes.bounded;
import static dev.basalt.host.VectorDLanes.load;
import static dev.basalt.host.VectorDLanes.magnitude;
import static dev.basalt.host.VectorDLanes.splat;
import static dev.basalt.host.VectorDLanes.store;
import static dev.basalt.host.VectorDLanes.sum;
import static dev.basalt.host.VectorDLanes.zero;
import static dev.basalt.spi.Memory.f64;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Loops over contiguous elements. The ends are done by element: cheaper than a mask for short vectors, and with {@link Math#fma}
 * an element has the same bits in a vector and alone.
 *
 * <p>Sums run in 4 or 8 accumulators, as many as the loads of a cycle can feed while an addition is under way.
 */
final class VectorDLevel1 {
    private VectorDLevel1() {}

    static double dot(long n, long x, long y) {
        DoubleVector s0 = zero();
        DoubleVector s1 = zero();
        DoubleVector s2 = zero();
        DoubleVector s3 = zero();
        long p = bounded(x);
        long q = bounded(y);
        for (long end = x + n / (4 * LANES) * (4 * WIDTH); p < end; ) {
            s0 = load(p).fma(load(q), s0);
            s1 = load(p + WIDTH).fma(load(q + WIDTH), s1);
            s2 = load(p + 2 * WIDTH).fma(load(q + 2 * WIDTH), s2);
            s3 = load(p + 3 * WIDTH).fma(load(q + 3 * WIDTH), s3);
            p = bounded(p + 4 * WIDTH);
            q = bounded(q + 4 * WIDTH);
        }
        for (long end = x + n / LANES * WIDTH; p < end; ) {
            s0 = load(p).fma(load(q), s0);
            p = bounded(p + WIDTH);
            q = bounded(q + WIDTH);
        }
        double s = sum(s0.add(s1).add(s2.add(s3)));
        for (long end = x + n * SIZE; p < end; ) {
            s = Math.fma(f64(p), f64(q), s);
            p = bounded(p + SIZE);
            q = bounded(q + SIZE);
        }
        return s;
    }

    /** Four accumulators: with more, C2 runs out of nodes on {@link VectorDLanes#magnitude}. */
    static double asum(long n, long x) {
        DoubleVector s0 = zero();
        DoubleVector s1 = zero();
        DoubleVector s2 = zero();
        DoubleVector s3 = zero();
        long p = bounded(x);
        for (long end = x + n / (4 * LANES) * (4 * WIDTH); p < end; ) {
            s0 = s0.add(magnitude(load(p)));
            s1 = s1.add(magnitude(load(p + WIDTH)));
            s2 = s2.add(magnitude(load(p + 2 * WIDTH)));
            s3 = s3.add(magnitude(load(p + 3 * WIDTH)));
            p = bounded(p + 4 * WIDTH);
        }
        for (long end = x + n / LANES * WIDTH; p < end; ) {
            s0 = s0.add(load(p).abs());
            p = bounded(p + WIDTH);
        }
        double s = sum(s0.add(s1).add(s2.add(s3)));
        for (long end = x + n * SIZE; p < end; ) {
            s += Math.abs(f64(p));
            p = bounded(p + SIZE);
        }
        return s;
    }

    static double sumOfSquares(long n, long x) {
        DoubleVector s0 = zero();
        DoubleVector s1 = zero();
        DoubleVector s2 = zero();
        DoubleVector s3 = zero();
        DoubleVector s4 = zero();
        DoubleVector s5 = zero();
        DoubleVector s6 = zero();
        DoubleVector s7 = zero();
        long p = bounded(x);
        for (long end = x + n / (8 * LANES) * (8 * WIDTH); p < end; ) {
            DoubleVector v0 = load(p);
            DoubleVector v1 = load(p + WIDTH);
            DoubleVector v2 = load(p + 2 * WIDTH);
            DoubleVector v3 = load(p + 3 * WIDTH);
            DoubleVector v4 = load(p + 4 * WIDTH);
            DoubleVector v5 = load(p + 5 * WIDTH);
            DoubleVector v6 = load(p + 6 * WIDTH);
            DoubleVector v7 = load(p + 7 * WIDTH);
            s0 = v0.fma(v0, s0);
            s1 = v1.fma(v1, s1);
            s2 = v2.fma(v2, s2);
            s3 = v3.fma(v3, s3);
            s4 = v4.fma(v4, s4);
            s5 = v5.fma(v5, s5);
            s6 = v6.fma(v6, s6);
            s7 = v7.fma(v7, s7);
            p = bounded(p + 8 * WIDTH);
        }
        for (long end = x + n / LANES * WIDTH; p < end; ) {
            DoubleVector v = load(p);
            s0 = v.fma(v, s0);
            p = bounded(p + WIDTH);
        }
        double s = sum(s0.add(s1).add(s2.add(s3)).add(s4.add(s5).add(s6.add(s7))));
        for (long end = x + n * SIZE; p < end; ) {
            double v = f64(p);
            s = Math.fma(v, v, s);
            p = bounded(p + SIZE);
        }
        return s;
    }

    /**
     * 1-based index of the first largest |xᵢ|, -1 if there is a NaN or an infinity. Blocks of vectors give a maximum each; only the
     * block that has the largest is searched for the place.
     */
    static long iamax(long n, long x) {
        long block = 64 * WIDTH;
        long end = x + n / LANES * WIDTH;
        double max = -1;
        long found = x;
        for (long p = x; p < end; p += block) {
            double m = maximum(p, Math.min(end, p + block));
            if (!(m <= max)) {
                if (Double.isNaN(m)) {
                    return -1;
                }
                max = m;
                found = p;
            }
        }
        for (long p = end; p < x + n * SIZE; p += SIZE) {
            double v = Math.abs(f64(p));
            if (!(v <= max)) {
                if (!(v <= Double.MAX_VALUE)) {
                    return -1;
                }
                max = v;
                found = p;
            }
        }
        DoubleVector wanted = splat(max);
        while (found + WIDTH <= end && !magnitude(load(found)).compare(VectorOperators.EQ, wanted).anyTrue()) {
            found += WIDTH;
        }
        while (Math.abs(f64(found)) != max) {
            found += SIZE;
        }
        return (found - x) / SIZE + 1;
    }

    /** Largest |element|; NaN if there is a NaN or an infinity, for v·0 is not 0 then. */
    private static double maximum(long x, long end) {
        DoubleVector m0 = zero();
        DoubleVector m1 = zero();
        DoubleVector m2 = zero();
        DoubleVector m3 = zero();
        DoubleVector zero = zero();
        DoubleVector odd = zero();
        long p = bounded(x);
        for (; p + 3 * WIDTH < end; ) {
            DoubleVector v0 = magnitude(load(p));
            DoubleVector v1 = magnitude(load(p + WIDTH));
            DoubleVector v2 = magnitude(load(p + 2 * WIDTH));
            DoubleVector v3 = magnitude(load(p + 3 * WIDTH));
            m0 = m0.blend(v0, v0.compare(VectorOperators.GT, m0));
            m1 = m1.blend(v1, v1.compare(VectorOperators.GT, m1));
            m2 = m2.blend(v2, v2.compare(VectorOperators.GT, m2));
            m3 = m3.blend(v3, v3.compare(VectorOperators.GT, m3));
            odd = v0.fma(zero, v1.fma(zero, v2.fma(zero, v3.fma(zero, odd))));
            p = bounded(p + 4 * WIDTH);
        }
        for (; p < end; ) {
            DoubleVector v = magnitude(load(p));
            m0 = m0.blend(v, v.compare(VectorOperators.GT, m0));
            odd = v.fma(zero, odd);
            p = bounded(p + WIDTH);
        }
        return m0.max(m1).max(m2.max(m3)).add(odd).reduceLanes(VectorOperators.MAX);
    }

    static void axpy(long n, double alpha, long x, long y) {
        DoubleVector a = splat(alpha);
        long p = bounded(x);
        long q = bounded(y);
        for (long end = x + n / (4 * LANES) * (4 * WIDTH); p < end; ) {
            DoubleVector v0 = load(p).fma(a, load(q));
            DoubleVector v1 = load(p + WIDTH).fma(a, load(q + WIDTH));
            DoubleVector v2 = load(p + 2 * WIDTH).fma(a, load(q + 2 * WIDTH));
            DoubleVector v3 = load(p + 3 * WIDTH).fma(a, load(q + 3 * WIDTH));
            store(q, v0);
            store(q + WIDTH, v1);
            store(q + 2 * WIDTH, v2);
            store(q + 3 * WIDTH, v3);
            p = bounded(p + 4 * WIDTH);
            q = bounded(q + 4 * WIDTH);
        }
        for (long end = x + n / LANES * WIDTH; p < end; ) {
            store(q, load(p).fma(a, load(q)));
            p = bounded(p + WIDTH);
            q = bounded(q + WIDTH);
        }
        for (long end = x + n * SIZE; p < end; ) {
            f64(q, Math.fma(alpha, f64(p), f64(q)));
            p = bounded(p + SIZE);
            q = bounded(q + SIZE);
        }
    }

    static void scal(long n, double alpha, long x) {
        DoubleVector a = splat(alpha);
        long p = bounded(x);
        for (long end = x + n / (4 * LANES) * (4 * WIDTH); p < end; ) {
            store(p, load(p).mul(a));
            store(p + WIDTH, load(p + WIDTH).mul(a));
            store(p + 2 * WIDTH, load(p + 2 * WIDTH).mul(a));
            store(p + 3 * WIDTH, load(p + 3 * WIDTH).mul(a));
            p = bounded(p + 4 * WIDTH);
        }
        for (long end = x + n / LANES * WIDTH; p < end; ) {
            store(p, load(p).mul(a));
            p = bounded(p + WIDTH);
        }
        for (long end = x + n * SIZE; p < end; ) {
            f64(p, alpha * f64(p));
            p = bounded(p + SIZE);
        }
    }

    static void fill(long n, double alpha, long x) {
        DoubleVector a = splat(alpha);
        long p = bounded(x);
        for (long end = x + n / LANES * WIDTH; p < end; ) {
            store(p, a);
            p = bounded(p + WIDTH);
        }
        for (long end = x + n * SIZE; p < end; ) {
            f64(p, alpha);
            p = bounded(p + SIZE);
        }
    }

    static void swap(long n, long x, long y) {
        long p = bounded(x);
        long q = bounded(y);
        for (long end = x + n / (2 * LANES) * (2 * WIDTH); p < end; ) {
            DoubleVector v0 = load(p);
            DoubleVector v1 = load(p + WIDTH);
            DoubleVector w0 = load(q);
            DoubleVector w1 = load(q + WIDTH);
            store(q, v0);
            store(q + WIDTH, v1);
            store(p, w0);
            store(p + WIDTH, w1);
            p = bounded(p + 2 * WIDTH);
            q = bounded(q + 2 * WIDTH);
        }
        for (long end = x + n * SIZE; p < end; ) {
            double t = f64(p);
            f64(p, f64(q));
            f64(q, t);
            p = bounded(p + SIZE);
            q = bounded(q + SIZE);
        }
    }
}
