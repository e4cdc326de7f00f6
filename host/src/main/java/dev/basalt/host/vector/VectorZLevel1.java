package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.SWAP;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.host.vector.VectorDLanes.first;
import static dev.basalt.host.vector.VectorDLanes.pairs;
import static dev.basalt.host.vector.VectorDLanes.sum;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * Loops over contiguous complex elements, whose parts lie side by side in a vector. A product with a scalar is two real ones, the second
 * with the parts exchanged; sums over products are kept apart in the same way, and combined at the end. What is left
 * of a vector is masked, for the same bits.
 */
final class VectorZLevel1 {
    /** Bytes of an element. */
    private static final int BYTES = 2 * SIZE;

    private VectorZLevel1() {}

    static void axpy(long n, double re, double im, long x, long y) {
        DoubleVector r = broadcast(SPECIES, re);
        DoubleVector i = pairs(0 - im, 0 + im);
        long p = x & ADDRESSES;
        long q = y & ADDRESSES;
        for (long end = x + n * BYTES / WIDTH * WIDTH; p < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER);
            v.rearrange(SWAP)
                    .fma(i, v.fma(r, fromMemorySegment(SPECIES, ALL, q, ORDER)))
                    .intoMemorySegment(ALL, q, ORDER);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
        }
        if (p < x + n * BYTES) {
            VectorMask<Double> rest = first((int) (x + n * BYTES - p) / SIZE);
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER, rest);
            v.rearrange(SWAP)
                    .fma(i, v.fma(r, fromMemorySegment(SPECIES, ALL, q, ORDER, rest)))
                    .intoMemorySegment(ALL, q, ORDER, rest);
        }
    }

    /** s·y has -im·im and im·re where conj(s)·x has im·im and -im·re: one vector of the imaginary part serves both. */
    static void rot(long n, double c, double re, double im, long x, long y) {
        DoubleVector a = broadcast(SPECIES, c);
        DoubleVector r = broadcast(SPECIES, re);
        DoubleVector minus = broadcast(SPECIES, -re);
        DoubleVector i = pairs(0 - im, 0 + im);
        long p = x & ADDRESSES;
        long q = y & ADDRESSES;
        for (long end = x + n * BYTES / WIDTH * WIDTH; p < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector w = fromMemorySegment(SPECIES, ALL, q, ORDER);
            w.rearrange(SWAP).fma(i, w.fma(r, v.mul(a))).intoMemorySegment(ALL, p, ORDER);
            v.rearrange(SWAP).fma(i, v.fma(minus, w.mul(a))).intoMemorySegment(ALL, q, ORDER);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
        }
        if (p < x + n * BYTES) {
            VectorMask<Double> rest = first((int) (x + n * BYTES - p) / SIZE);
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER, rest);
            DoubleVector w = fromMemorySegment(SPECIES, ALL, q, ORDER, rest);
            w.rearrange(SWAP).fma(i, w.fma(r, v.mul(a))).intoMemorySegment(ALL, p, ORDER, rest);
            v.rearrange(SWAP).fma(i, v.fma(minus, w.mul(a))).intoMemorySegment(ALL, q, ORDER, rest);
        }
    }

    static void scal(long n, double re, double im, long x) {
        DoubleVector r = broadcast(SPECIES, re);
        DoubleVector i = pairs(0 - im, 0 + im);
        long p = x & ADDRESSES;
        for (long end = x + n * BYTES / WIDTH * WIDTH; p < end;) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER);
            v.fma(r, v.rearrange(SWAP).mul(i)).intoMemorySegment(ALL, p, ORDER);
            p = (p + WIDTH) & ADDRESSES;
        }
        if (p < x + n * BYTES) {
            VectorMask<Double> rest = first((int) (x + n * BYTES - p) / SIZE);
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER, rest);
            v.fma(r, v.rearrange(SWAP).mul(i)).intoMemorySegment(ALL, p, ORDER, rest);
        }
    }

    /** The element at {@code result} := Σ xᵢ·yᵢ, or Σ conj(xᵢ)·yᵢ. */
    static void dot(long n, long x, long y, boolean conj, long result) {
        DoubleVector s0 = zero(SPECIES);
        DoubleVector s1 = zero(SPECIES);
        DoubleVector t0 = zero(SPECIES);
        DoubleVector t1 = zero(SPECIES);
        long p = x & ADDRESSES;
        long q = y & ADDRESSES;
        for (long end = x + n * BYTES / (2 * WIDTH) * (2 * WIDTH); p < end;) {
            DoubleVector v0 = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector v1 = fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER);
            DoubleVector w0 = fromMemorySegment(SPECIES, ALL, q, ORDER);
            DoubleVector w1 = fromMemorySegment(SPECIES, ALL, q + WIDTH, ORDER);
            s0 = v0.fma(w0, s0);
            s1 = v1.fma(w1, s1);
            t0 = v0.fma(w0.rearrange(SWAP), t0);
            t1 = v1.fma(w1.rearrange(SWAP), t1);
            p = (p + 2 * WIDTH) & ADDRESSES;
            q = (q + 2 * WIDTH) & ADDRESSES;
        }
        for (long left = x + n * BYTES - p; left > 0; left -= WIDTH) {
            VectorMask<Double> rest = first((int) Math.min(LANES, left / SIZE));
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER, rest);
            DoubleVector w = fromMemorySegment(SPECIES, ALL, q, ORDER, rest);
            s0 = v.fma(w, s0);
            t0 = v.fma(w.rearrange(SWAP), t0);
            p = (p + WIDTH) & ADDRESSES;
            q = (q + WIDTH) & ADDRESSES;
        }
        finish(s0.add(s1), t0.add(t1), conj, result);
    }

    /** Combines the sums of (re·re, im·im) and (re·im, im·re): one of the results is a difference. */
    private static void finish(DoubleVector s, DoubleVector t, boolean conj, long result) {
        DoubleVector minus = pairs(1, -1);
        DoubleVector plus = pairs(1, 1);
        f64(result, sum(s.mul(conj ? plus : minus)));
        f64(result + SIZE, sum(t.mul(conj ? minus : plus)));
    }

    /**
     * 1-based index of the first largest |re| + |im|, -1 if that is NaN or infinite somewhere. Blocks of vectors give a maximum each; only
     * the block that has the largest is searched for the place.
     */
    static long iamax(long n, long x) {
        long block = 64 * WIDTH;
        long end = x + n * BYTES / WIDTH * WIDTH;
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
        for (long p = end; p < x + n * BYTES; p += BYTES) {
            double v = absolute(p);
            if (!(v <= max)) {
                if (!(v <= Double.MAX_VALUE)) {
                    return -1;
                }
                max = v;
                found = p;
            }
        }
        DoubleVector wanted = broadcast(SPECIES, max);
        for (; found + WIDTH <= end; found += WIDTH) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, found, ORDER).abs();
            if (v.add(v.rearrange(SWAP)).compare(VectorOperators.EQ, wanted).anyTrue()) {
                break;
            }
        }
        while (absolute(found) != max) {
            found += BYTES;
        }
        return (found - x) / BYTES + 1;
    }

    private static double absolute(long x) {
        return Math.abs(f64(x)) + Math.abs(f64(x + SIZE));
    }

    /** Largest |re| + |im|; NaN if there is a NaN or an infinity, for v·0 is not 0 then. */
    private static double maximum(long x, long end) {
        DoubleVector m0 = zero(SPECIES);
        DoubleVector m1 = zero(SPECIES);
        DoubleVector n0 = zero(SPECIES);
        DoubleVector n1 = zero(SPECIES);
        DoubleVector zero = zero(SPECIES);
        long p = x & ADDRESSES;
        for (; p + WIDTH < end;) {
            DoubleVector v0 = fromMemorySegment(SPECIES, ALL, p, ORDER).abs();
            DoubleVector v1 = fromMemorySegment(SPECIES, ALL, p + WIDTH, ORDER).abs();
            v0 = v0.add(v0.rearrange(SWAP));
            v1 = v1.add(v1.rearrange(SWAP));
            m0 = m0.blend(v0, v0.compare(VectorOperators.GT, m0));
            m1 = m1.blend(v1, v1.compare(VectorOperators.GT, m1));
            n0 = v0.fma(zero, n0);
            n1 = v1.fma(zero, n1);
            p = (p + 2 * WIDTH) & ADDRESSES;
        }
        if (p < end) {
            DoubleVector v = fromMemorySegment(SPECIES, ALL, p, ORDER).abs();
            v = v.add(v.rearrange(SWAP));
            m0 = m0.blend(v, v.compare(VectorOperators.GT, m0));
            n0 = v.fma(zero, n0);
        }
        return m0.max(m1).add(n0.add(n1)).reduceLanes(VectorOperators.MAX);
    }
}
