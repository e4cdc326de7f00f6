package dev.basalt.host;

import static dev.basalt.host.VectorDLanes.LANES;
import static dev.basalt.host.VectorDLanes.SIZE;
import static dev.basalt.host.VectorDLanes.SWAP;
import static dev.basalt.host.VectorDLanes.WIDTH;
import static dev.basalt.host.VectorDLanes.bounded;
import static dev.basalt.host.VectorDLanes.first;
import static dev.basalt.host.VectorDLanes.load;
import static dev.basalt.host.VectorDLanes.magnitude;
import static dev.basalt.host.VectorDLanes.pairs;
import static dev.basalt.host.VectorDLanes.splat;
import static dev.basalt.host.VectorDLanes.store;
import static dev.basalt.host.VectorDLanes.sum;
import static dev.basalt.host.VectorDLanes.zero;
import static dev.basalt.spi.Memory.f64;

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
        DoubleVector r = splat(re);
        DoubleVector i = pairs(-im, im);
        long p = bounded(x);
        long q = bounded(y);
        for (long end = x + n * BYTES / WIDTH * WIDTH; p < end; ) {
            DoubleVector v = load(p);
            store(q, v.rearrange(SWAP).fma(i, v.fma(r, load(q))));
            p = bounded(p + WIDTH);
            q = bounded(q + WIDTH);
        }
        if (p < x + n * BYTES) {
            VectorMask<Double> rest = first((int) (x + n * BYTES - p) / SIZE);
            DoubleVector v = load(p, rest);
            store(q, v.rearrange(SWAP).fma(i, v.fma(r, load(q, rest))), rest);
        }
    }

    static void scal(long n, double re, double im, long x) {
        DoubleVector r = splat(re);
        DoubleVector i = pairs(-im, im);
        long p = bounded(x);
        for (long end = x + n * BYTES / WIDTH * WIDTH; p < end; ) {
            DoubleVector v = load(p);
            store(p, v.rearrange(SWAP).fma(i, v.mul(r)));
            p = bounded(p + WIDTH);
        }
        if (p < x + n * BYTES) {
            VectorMask<Double> rest = first((int) (x + n * BYTES - p) / SIZE);
            DoubleVector v = load(p, rest);
            store(p, v.rearrange(SWAP).fma(i, v.mul(r)), rest);
        }
    }

    /** The element at {@code result} := Σ xᵢ·yᵢ, or Σ conj(xᵢ)·yᵢ. */
    static void dot(long n, long x, long y, boolean conj, long result) {
        DoubleVector s0 = zero();
        DoubleVector s1 = zero();
        DoubleVector t0 = zero();
        DoubleVector t1 = zero();
        long p = bounded(x);
        long q = bounded(y);
        for (long end = x + n * BYTES / (2 * WIDTH) * (2 * WIDTH); p < end; ) {
            DoubleVector v0 = load(p);
            DoubleVector v1 = load(p + WIDTH);
            DoubleVector w0 = load(q);
            DoubleVector w1 = load(q + WIDTH);
            s0 = v0.fma(w0, s0);
            s1 = v1.fma(w1, s1);
            t0 = v0.fma(w0.rearrange(SWAP), t0);
            t1 = v1.fma(w1.rearrange(SWAP), t1);
            p = bounded(p + 2 * WIDTH);
            q = bounded(q + 2 * WIDTH);
        }
        for (long left = x + n * BYTES - p; left > 0; left -= WIDTH) {
            VectorMask<Double> rest = first((int) Math.min(LANES, left / SIZE));
            DoubleVector v = load(p, rest);
            DoubleVector w = load(q, rest);
            s0 = v.fma(w, s0);
            t0 = v.fma(w.rearrange(SWAP), t0);
            p = bounded(p + WIDTH);
            q = bounded(q + WIDTH);
        }
        f64(result, real(s0.add(s1), conj));
        f64(result + SIZE, imaginary(t0.add(t1), conj));
    }

    /** The real part of a dot product from the sum of (re·re, im·im). */
    static double real(DoubleVector s, boolean conj) {
        return sum(conj ? s : s.mul(pairs(1, -1)));
    }

    /** The imaginary part of a dot product from the sum of (re·im, im·re). */
    static double imaginary(DoubleVector t, boolean conj) {
        return sum(conj ? t.mul(pairs(1, -1)) : t);
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
        DoubleVector max = zero();
        DoubleVector zero = zero();
        DoubleVector odd = zero();
        long p = bounded(x);
        for (; p < end; ) {
            DoubleVector v = magnitude(load(p));
            v = v.add(v.rearrange(SWAP));
            max = max.blend(v, v.compare(VectorOperators.GT, max));
            odd = v.fma(zero, odd);
            p = bounded(p + WIDTH);
        }
        return max.add(odd).reduceLanes(VectorOperators.MAX);
    }
}
