package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.host.vector.VectorDLanes.magnitude;
import static dev.basalt.host.vector.VectorDLanes.sum;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

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
        DoubleVector s0 = zero(SPECIES);
        DoubleVector s1 = zero(SPECIES);
        DoubleVector s2 = zero(SPECIES);
        DoubleVector s3 = zero(SPECIES);
        long p = x & ADDRESSES;
        long q = y & ADDRESSES;
        for (long end = x + n / (4 * LANES) * (4 * WIDTH); p < end;) {
            s0 = fromMemorySegment(SPECIES, ALL, p, ORDER).fma(fromMemorySegment(SPECIES, ALL, q, ORDER), s0);
            s1 = fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER)
                    .fma(fromMemorySegment(SPECIES, ALL, q + WIDTH, ORDER), s1);
            s2 = fromMemorySegment(SPECIES, ALL, p + 2 * WIDTH, ORDER)
                    .fma(fromMemorySegment(SPECIES, ALL, q + 2 * WIDTH, ORDER), s2);
            s3 = fromMemorySegment(SPECIES, ALL, p + 3 * WIDTH, ORDER)
                    .fma(fromMemorySegment(SPECIES, ALL, q + 3 * WIDTH, ORDER), s3);
            p = (p + 4 * WIDTH) & ADDRESSES;
            q = (q + 4 * WIDTH) & ADDRESSES;
        }
        for (long end = x + n / LANES * WIDTH; p < end;) {
            s0 = fromMemorySegment(SPECIES, ALL, p, ORDER).fma(fromMemorySegment(SPECIES, ALL, q, ORDER), s0);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
        }
        double s = sum(s0.add(s1).add(s2.add(s3)));
        for (long end = x + n * SIZE; p < end;) {
            s = Math.fma(f64(p), f64(q), s);
            p = (p + SIZE) & ADDRESSES;
            q = (q + SIZE) & ADDRESSES;
        }
        return s;
    }

    /** Four accumulators: with more, C2 runs out of nodes on {@link VectorDLanes#magnitude}. */
    static double asum(long n, long x) {
        DoubleVector s0 = zero(SPECIES);
        DoubleVector s1 = zero(SPECIES);
        DoubleVector s2 = zero(SPECIES);
        DoubleVector s3 = zero(SPECIES);
        long p = x & ADDRESSES;
        for (long end = x + n / (4 * LANES) * (4 * WIDTH); p < end;) {
            s0 = s0.add(magnitude(fromMemorySegment(SPECIES, ALL, p, ORDER)));
            s1 = s1.add(magnitude(fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER)));
            s2 = s2.add(magnitude(fromMemorySegment(SPECIES, ALL, p + 2 * WIDTH, ORDER)));
            s3 = s3.add(magnitude(fromMemorySegment(SPECIES, ALL, p + 3 * WIDTH, ORDER)));
            p = (p + 4 * WIDTH) & ADDRESSES;
        }
        for (long end = x + n / LANES * WIDTH; p < end;) {
            s0 = s0.add(fromMemorySegment(SPECIES, ALL, p, ORDER).abs());
            p = (p + WIDTH) & ADDRESSES;
        }
        double s = sum(s0.add(s1).add(s2.add(s3)));
        for (long end = x + n * SIZE; p < end;) {
            s += Math.abs(f64(p));
            p = (p + SIZE) & ADDRESSES;
        }
        return s;
    }

    static double sumOfSquares(long n, long x) {
        DoubleVector s0 = zero(SPECIES);
        DoubleVector s1 = zero(SPECIES);
        DoubleVector s2 = zero(SPECIES);
        DoubleVector s3 = zero(SPECIES);
        DoubleVector s4 = zero(SPECIES);
        DoubleVector s5 = zero(SPECIES);
        DoubleVector s6 = zero(SPECIES);
        DoubleVector s7 = zero(SPECIES);
        long p = x & ADDRESSES;
        for (long end = x + n / (8 * LANES) * (8 * WIDTH); p < end;) {
            DoubleVector v0 = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector v1 = fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER);
            DoubleVector v2 = fromMemorySegment(SPECIES, ALL, p + 2 * WIDTH, ORDER);
            DoubleVector v3 = fromMemorySegment(SPECIES, ALL, p + 3 * WIDTH, ORDER);
            DoubleVector v4 = fromMemorySegment(SPECIES, ALL, p + 4 * WIDTH, ORDER);
            DoubleVector v5 = fromMemorySegment(SPECIES, ALL, p + 5 * WIDTH, ORDER);
            DoubleVector v6 = fromMemorySegment(SPECIES, ALL, p + 6 * WIDTH, ORDER);
            DoubleVector v7 = fromMemorySegment(SPECIES, ALL, p + 7 * WIDTH, ORDER);
            s0 = v0.fma(v0, s0);
            s1 = v1.fma(v1, s1);
            s2 = v2.fma(v2, s2);
            s3 = v3.fma(v3, s3);
            s4 = v4.fma(v4, s4);
            s5 = v5.fma(v5, s5);
            s6 = v6.fma(v6, s6);
            s7 = v7.fma(v7, s7);
            p = (p + 8 * WIDTH) & ADDRESSES;
        }
        for (long end = x + n / LANES * WIDTH; p < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER);
            s0 = v.fma(v, s0);
            p = (p + WIDTH) & ADDRESSES;
        }
        double s = sum(s0.add(s1).add(s2.add(s3)).add(s4.add(s5).add(s6.add(s7))));
        for (long end = x + n * SIZE; p < end;) {
            double v = f64(p);
            s = Math.fma(v, v, s);
            p = (p + SIZE) & ADDRESSES;
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
        DoubleVector wanted = broadcast(SPECIES, max);
        while (found + WIDTH <= end
                && !fromMemorySegment(SPECIES, ALL, found, ORDER).abs().compare(VectorOperators.EQ, wanted).anyTrue()) {
            found += WIDTH;
        }
        while (Math.abs(f64(found)) != max) {
            found += SIZE;
        }
        return (found - x) / SIZE + 1;
    }

    /** Largest |element|; NaN if there is a NaN or an infinity, for v·0 is not 0 then. */
    private static double maximum(long x, long end) {
        DoubleVector m0 = zero(SPECIES);
        DoubleVector m1 = zero(SPECIES);
        DoubleVector m2 = zero(SPECIES);
        DoubleVector m3 = zero(SPECIES);
        DoubleVector zero = zero(SPECIES);
        DoubleVector n0 = zero(SPECIES);
        DoubleVector n1 = zero(SPECIES);
        DoubleVector n2 = zero(SPECIES);
        DoubleVector n3 = zero(SPECIES);
        long p = x & ADDRESSES;
        for (; p + 3 * WIDTH < end;) {
            DoubleVector v0 = fromMemorySegment(SPECIES, ALL, p, ORDER).abs();
            DoubleVector v1 = fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER).abs();
            DoubleVector v2 = fromMemorySegment(SPECIES, ALL, p + 2 * WIDTH, ORDER).abs();
            DoubleVector v3 = fromMemorySegment(SPECIES, ALL, p + 3 * WIDTH, ORDER).abs();
            m0 = m0.blend(v0, v0.compare(VectorOperators.GT, m0));
            m1 = m1.blend(v1, v1.compare(VectorOperators.GT, m1));
            m2 = m2.blend(v2, v2.compare(VectorOperators.GT, m2));
            m3 = m3.blend(v3, v3.compare(VectorOperators.GT, m3));
            n0 = v0.fma(zero, n0);
            n1 = v1.fma(zero, n1);
            n2 = v2.fma(zero, n2);
            n3 = v3.fma(zero, n3);
            p = (p + 4 * WIDTH) & ADDRESSES;
        }
        for (; p < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER).abs();
            m0 = m0.blend(v, v.compare(VectorOperators.GT, m0));
            n0 = v.fma(zero, n0);
            p = (p + WIDTH) & ADDRESSES;
        }
        return m0.max(m1).max(m2.max(m3)).add(n0.add(n1).add(n2.add(n3))).reduceLanes(VectorOperators.MAX);
    }

    static void axpy(long n, double alpha, long x, long y) {
        DoubleVector a = broadcast(SPECIES, alpha);
        long p = x & ADDRESSES;
        long q = y & ADDRESSES;
        for (long end = x + n / (4 * LANES) * (4 * WIDTH); p < end;) {
            DoubleVector v0 =
                    fromMemorySegment(SPECIES, ALL, p, ORDER).fma(a, fromMemorySegment(SPECIES, ALL, q, ORDER));
            DoubleVector v1 = fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER).fma(a,
                    fromMemorySegment(SPECIES, ALL, q + WIDTH, ORDER));
            DoubleVector v2 = fromMemorySegment(SPECIES, ALL, p + 2 * WIDTH, ORDER).fma(a,
                    fromMemorySegment(SPECIES, ALL, q + 2 * WIDTH, ORDER));
            DoubleVector v3 = fromMemorySegment(SPECIES, ALL, p + 3 * WIDTH, ORDER).fma(a,
                    fromMemorySegment(SPECIES, ALL, q + 3 * WIDTH, ORDER));
            v0.intoMemorySegment(ALL, q, ORDER);
            v1.intoMemorySegment(ALL, q + WIDTH, ORDER);
            v2.intoMemorySegment(ALL, q + 2 * WIDTH, ORDER);
            v3.intoMemorySegment(ALL, q + 3 * WIDTH, ORDER);
            p = (p + 4 * WIDTH) & ADDRESSES;
            q = (q + 4 * WIDTH) & ADDRESSES;
        }
        for (long end = x + n / LANES * WIDTH; p < end;) {
            fromMemorySegment(SPECIES, ALL, p, ORDER).fma(a, fromMemorySegment(SPECIES, ALL, q, ORDER))
                    .intoMemorySegment(ALL, q, ORDER);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
        }
        for (long end = x + n * SIZE; p < end;) {
            f64(q, Math.fma(alpha, f64(p), f64(q)));
            p = (p + SIZE) & ADDRESSES;
            q = (q + SIZE) & ADDRESSES;
        }
    }

    static void scal(long n, double alpha, long x) {
        DoubleVector a = broadcast(SPECIES, alpha);
        long p = x & ADDRESSES;
        for (long end = x + n / (4 * LANES) * (4 * WIDTH); p < end;) {
            fromMemorySegment(SPECIES, ALL, p, ORDER).mul(a).intoMemorySegment(ALL, p, ORDER);
            fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER).mul(a).intoMemorySegment(ALL, p + WIDTH, ORDER);
            fromMemorySegment(SPECIES, ALL, p + 2 * WIDTH, ORDER).mul(a).intoMemorySegment(ALL, p + 2 * WIDTH, ORDER);
            fromMemorySegment(SPECIES, ALL, p + 3 * WIDTH, ORDER).mul(a).intoMemorySegment(ALL, p + 3 * WIDTH, ORDER);
            p = (p + 4 * WIDTH) & ADDRESSES;
        }
        for (long end = x + n / LANES * WIDTH; p < end;) {
            fromMemorySegment(SPECIES, ALL, p, ORDER).mul(a).intoMemorySegment(ALL, p, ORDER);
            p = (p + WIDTH) & ADDRESSES;
        }
        for (long end = x + n * SIZE; p < end;) {
            f64(p, alpha * f64(p));
            p = (p + SIZE) & ADDRESSES;
        }
    }

    static void fill(long n, double alpha, long x) {
        DoubleVector a = broadcast(SPECIES, alpha);
        long p = x & ADDRESSES;
        for (long end = x + n / LANES * WIDTH; p < end;) {
            a.intoMemorySegment(ALL, p, ORDER);
            p = (p + WIDTH) & ADDRESSES;
        }
        for (long end = x + n * SIZE; p < end;) {
            f64(p, alpha);
            p = (p + SIZE) & ADDRESSES;
        }
    }

    static void swap(long n, long x, long y) {
        long p = x & ADDRESSES;
        long q = y & ADDRESSES;
        for (long end = x + n / (2 * LANES) * (2 * WIDTH); p < end;) {
            DoubleVector v0 = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector v1 = fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER);
            DoubleVector w0 = fromMemorySegment(SPECIES, ALL, q, ORDER);
            DoubleVector w1 = fromMemorySegment(SPECIES, ALL, q + WIDTH, ORDER);
            v0.intoMemorySegment(ALL, q, ORDER);
            v1.intoMemorySegment(ALL, q + WIDTH, ORDER);
            w0.intoMemorySegment(ALL, p, ORDER);
            w1.intoMemorySegment(ALL, p + WIDTH, ORDER);
            p = (p + 2 * WIDTH) & ADDRESSES;
            q = (q + 2 * WIDTH) & ADDRESSES;
        }
        for (long end = x + n * SIZE; p < end;) {
            double t = f64(p);
            f64(p, f64(q));
            f64(q, t);
            p = (p + SIZE) & ADDRESSES;
            q = (q + SIZE) & ADDRESSES;
        }
    }

    static void rot(long n, double c, double s, long x, long y) {
        DoubleVector a = broadcast(SPECIES, c);
        DoubleVector b = broadcast(SPECIES, s);
        DoubleVector minus = broadcast(SPECIES, -s);
        long p = x & ADDRESSES;
        long q = y & ADDRESSES;
        for (long end = x + n / LANES * WIDTH; p < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector w = fromMemorySegment(SPECIES, ALL, q, ORDER);
            w.fma(b, v.mul(a)).intoMemorySegment(ALL, p, ORDER);
            v.fma(minus, w.mul(a)).intoMemorySegment(ALL, q, ORDER);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
        }
        for (long end = x + n * SIZE; p < end;) {
            double v = f64(p);
            double w = f64(q);
            f64(p, Math.fma(w, s, v * c));
            f64(q, Math.fma(v, -s, w * c));
            p = (p + SIZE) & ADDRESSES;
            q = (q + SIZE) & ADDRESSES;
        }
    }

    /** The column that the next rotation begins with stays in registers. */
    static void sweep(long count, long cosines, long sines, long step, boolean turned, long rows, long x, long next) {
        long i = 0;
        for (; i + 4 * LANES <= rows; i += 4 * LANES) {
            four(count, cosines, sines, step, turned, x + i * SIZE, next);
        }
        for (; i + LANES <= rows; i += LANES) {
            one(count, cosines, sines, step, turned, x + i * SIZE, next);
        }
        for (; i < rows; i++) {
            long p = x + i * SIZE;
            double a = f64(p);
            for (long k = 0; k < count; k++, p += next) {
                double c = f64(cosines + k * step * SIZE);
                double s = turned ? -f64(sines + k * step * SIZE) : f64(sines + k * step * SIZE);
                double b = f64(p + next);
                f64(p, Math.fma(b, s, a * c));
                a = Math.fma(a, -s, b * c);
            }
            f64(p, a);
        }
    }

    private static void four(long count, long cosines, long sines, long step, boolean turned, long x, long next) {
        long p = x & ADDRESSES;
        long q = (x + next) & ADDRESSES;
        DoubleVector a0 = fromMemorySegment(SPECIES, ALL, p, ORDER);
        DoubleVector a1 = fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER);
        DoubleVector a2 = fromMemorySegment(SPECIES, ALL, p + 2 * WIDTH, ORDER);
        DoubleVector a3 = fromMemorySegment(SPECIES, ALL, p + 3 * WIDTH, ORDER);
        for (long k = 0; k < count; k++) {
            double sine = turned ? -f64(sines + k * step * SIZE) : f64(sines + k * step * SIZE);
            DoubleVector c = broadcast(SPECIES, f64(cosines + k * step * SIZE));
            DoubleVector s = broadcast(SPECIES, sine);
            DoubleVector minus = broadcast(SPECIES, -sine);
            DoubleVector b0 = fromMemorySegment(SPECIES, ALL, q, ORDER);
            DoubleVector b1 = fromMemorySegment(SPECIES, ALL, q + WIDTH, ORDER);
            DoubleVector b2 = fromMemorySegment(SPECIES, ALL, q + 2 * WIDTH, ORDER);
            DoubleVector b3 = fromMemorySegment(SPECIES, ALL, q + 3 * WIDTH, ORDER);
            b0.fma(s, a0.mul(c)).intoMemorySegment(ALL, p, ORDER);
            b1.fma(s, a1.mul(c)).intoMemorySegment(ALL, p + WIDTH, ORDER);
            b2.fma(s, a2.mul(c)).intoMemorySegment(ALL, p + 2 * WIDTH, ORDER);
            b3.fma(s, a3.mul(c)).intoMemorySegment(ALL, p + 3 * WIDTH, ORDER);
            a0 = a0.fma(minus, b0.mul(c));
            a1 = a1.fma(minus, b1.mul(c));
            a2 = a2.fma(minus, b2.mul(c));
            a3 = a3.fma(minus, b3.mul(c));
            p = q;
            q = (q + next) & ADDRESSES;
        }
        a0.intoMemorySegment(ALL, p, ORDER);
        a1.intoMemorySegment(ALL, p + WIDTH, ORDER);
        a2.intoMemorySegment(ALL, p + 2 * WIDTH, ORDER);
        a3.intoMemorySegment(ALL, p + 3 * WIDTH, ORDER);
    }

    private static void one(long count, long cosines, long sines, long step, boolean turned, long x, long next) {
        long p = x & ADDRESSES;
        long q = (x + next) & ADDRESSES;
        DoubleVector a = fromMemorySegment(SPECIES, ALL, p, ORDER);
        for (long k = 0; k < count; k++) {
            double sine = turned ? -f64(sines + k * step * SIZE) : f64(sines + k * step * SIZE);
            DoubleVector c = broadcast(SPECIES, f64(cosines + k * step * SIZE));
            DoubleVector b = fromMemorySegment(SPECIES, ALL, q, ORDER);
            b.fma(broadcast(SPECIES, sine), a.mul(c)).intoMemorySegment(ALL, p, ORDER);
            a = a.fma(broadcast(SPECIES, -sine), b.mul(c));
            p = q;
            q = (q + next) & ADDRESSES;
        }
        a.intoMemorySegment(ALL, p, ORDER);
    }
}
