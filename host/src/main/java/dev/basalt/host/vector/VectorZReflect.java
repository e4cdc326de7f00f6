package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
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

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** A reflector of two complex elements, H = I - tau·v·vᴴ with v = (1, second): two columns times H, or Hᴴ times two rows. */
public final class VectorZReflect {
    private static final VectorSpecies<Double> FOUR =
            VectorSpecies.of(double.class, VectorShape.forBitSize(4 * Byte.SIZE * SIZE));
    private static final VectorShuffle<Double> PARTS = VectorShuffle.fromOp(FOUR, lane -> lane ^ 1);
    private static final VectorShuffle<Double> ELEMENTS = VectorShuffle.fromOp(FOUR, lane -> lane ^ 2);
    private static final VectorShuffle<Double> BOTH = VectorShuffle.fromOp(FOUR, lane -> lane ^ 3);
    private static final VectorMask<Double> LOWER = VectorMask.fromLong(FOUR, 0b1100);
    private static final VectorMask<Double> REAL = VectorMask.fromLong(FOUR, 0b0101);

    private VectorZReflect() {}

    /**
     * Two columns times H.
     *
     * @param rows elements of a column
     * @param x address of the first column
     * @param next bytes from one column to the next
     * @param tr tau
     * @param ti its imaginary part
     * @param vr second
     * @param vi its imaginary part
     */
    public static void columns(long rows, long x, long next, double tr, double ti, double vr, double vi) {
        DoubleVector re = broadcast(SPECIES, vr);
        DoubleVector im = pairs(-vi, vi);
        DoubleVector minusRe = broadcast(SPECIES, -vr);
        DoubleVector factor = broadcast(SPECIES, tr);
        DoubleVector turned = pairs(-ti, ti);
        long p = x & ADDRESSES;
        long q = x + next & ADDRESSES;
        for (long end = x + 2 * rows / LANES * WIDTH; p < end;) {
            DoubleVector a = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector c = fromMemorySegment(SPECIES, ALL, q, ORDER);
            DoubleVector sum = c.rearrange(SWAP).fma(im, c.fma(re, a));
            DoubleVector part = sum.rearrange(SWAP).fma(turned, sum.mul(factor));
            a.sub(part).intoMemorySegment(ALL, p, ORDER);
            part.rearrange(SWAP).fma(im, part.fma(minusRe, c)).intoMemorySegment(ALL, q, ORDER);
            p = p + WIDTH & ADDRESSES;
            q = q + WIDTH & ADDRESSES;
        }
        for (long end = x + 2 * rows * SIZE; p < end;) {
            double a = f64(p);
            double b = f64(p + SIZE);
            double c = f64(q);
            double d = f64(q + SIZE);
            double sr = Math.fma(d, -vi, Math.fma(c, vr, a));
            double si = Math.fma(c, vi, Math.fma(d, vr, b));
            double pr = Math.fma(si, -ti, sr * tr);
            double pi = Math.fma(sr, ti, si * tr);
            f64(p, a - pr);
            f64(p + SIZE, b - pi);
            f64(q, Math.fma(pi, -vi, Math.fma(pr, -vr, c)));
            f64(q + SIZE, Math.fma(pr, vi, Math.fma(pi, -vr, d)));
            p = p + 2 * SIZE & ADDRESSES;
            q = q + 2 * SIZE & ADDRESSES;
        }
    }

    /**
     * Hᴴ times two rows. Both elements of a column are one vector, which the matrix meets as it is, with elements, parts and both exchanged.
     *
     * @param cols elements of a row
     * @param x address of the first element of the upper row
     * @param next bytes from one column to the next
     * @param tr tau
     * @param ti its imaginary part
     * @param vr second
     * @param vi its imaginary part
     */
    public static void rows(long cols, long x, long next, double tr, double ti, double vr, double vi) {
        double size = vr * vr + vi * vi;
        // conj(tau)·conj(second) and conj(tau)·second
        double upperRe = tr * vr - ti * vi;
        double upperIm = -(tr * vi + ti * vr);
        double lowerRe = tr * vr + ti * vi;
        double lowerIm = tr * vi - ti * vr;
        DoubleVector own = two(1 - tr, 1 - tr * size);
        DoubleVector ownTurned = turned(ti, ti * size);
        DoubleVector other = two(-upperRe, -lowerRe);
        DoubleVector otherTurned = turned(-upperIm, -lowerIm);
        long p = x & ADDRESSES;
        for (long j = 0; j < cols; j++) {
            DoubleVector a = fromMemorySegment(FOUR, ALL, p, ORDER);
            DoubleVector sum = a.rearrange(PARTS).fma(ownTurned, a.mul(own));
            DoubleVector more = a.rearrange(BOTH).fma(otherTurned, a.rearrange(ELEMENTS).mul(other));
            sum.add(more).intoMemorySegment(ALL, p, ORDER);
            p = p + next & ADDRESSES;
        }
    }

    /** The first for the upper element, the second for the lower one. */
    private static DoubleVector two(double upper, double lower) {
        return broadcast(FOUR, upper).blend(lower, LOWER);
    }

    /** The same of imaginary parts, which real ones meet with the other sign. */
    private static DoubleVector turned(double upper, double lower) {
        DoubleVector v = two(upper, lower);
        return v.blend(v.neg(), REAL);
    }
}
