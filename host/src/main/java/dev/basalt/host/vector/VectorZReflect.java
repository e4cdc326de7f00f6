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

    /** Whether a vector has room for both elements of a column. */
    static final boolean SUPPORTED = 4 * SIZE <= VectorWidth.BITS / Byte.SIZE;

    private static final Warmth COLUMNS = new Warmth();
    private static final Warmth ROWS = new Warmth();

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
        if (COLUMNS.isWarm()) {
            vectors(rows, x, next, tr, ti, vr, vi);
        } else if (rows >= 2 * LANES && COLUMNS.hasTurn()) {
            long start = System.nanoTime();
            vectors(rows, x, next, tr, ti, vr, vi);
            COLUMNS.took(System.nanoTime() - start, 4 * rows);
        } else {
            elements(rows, x, x + next, tr, ti, vr, vi);
        }
    }

    private static void vectors(long rows, long x, long next, double tr, double ti, double vr, double vi) {
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
        elements((x + 2 * rows * SIZE - p) / (2 * SIZE), p, q, tr, ti, vr, vi);
    }

    private static void elements(long rows, long x, long y, double tr, double ti, double vr, double vi) {
        long p = x & ADDRESSES;
        long q = y & ADDRESSES;
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
        // conj(tau)·conj(second) and conj(tau)·second, which are taken off.
        double upperRe = ti * vi - tr * vr;
        double upperIm = tr * vi + ti * vr;
        double lowerRe = -(tr * vr + ti * vi);
        double lowerIm = ti * vr - tr * vi;
        if (ROWS.isWarm()) {
            vectors(cols, x, next, 1 - tr, 1 - tr * size, ti, ti * size, upperRe, lowerRe, upperIm, lowerIm);
        } else if (cols >= LANES && ROWS.hasTurn()) {
            long start = System.nanoTime();
            vectors(cols, x, next, 1 - tr, 1 - tr * size, ti, ti * size, upperRe, lowerRe, upperIm, lowerIm);
            ROWS.took(System.nanoTime() - start, 4 * cols);
        } else {
            elements(cols, x, next, 1 - tr, 1 - tr * size, ti, ti * size, upperRe, lowerRe, upperIm, lowerIm);
        }
    }

    /** Columns times the matrix with diagonal (a0 + i·b0, a1 + i·b1), and (c0 + i·d0) right of it, (c1 + i·d1) below. */
    private static void vectors(long cols, long x, long next, double a0, double a1, double b0, double b1, double c0,
            double c1, double d0, double d1) {
        DoubleVector own = two(a0, a1);
        DoubleVector ownTurned = turned(b0, b1);
        DoubleVector other = two(c0, c1);
        DoubleVector otherTurned = turned(d0, d1);
        long p = x & ADDRESSES;
        for (long j = 0; j < cols; j++) {
            DoubleVector a = fromMemorySegment(FOUR, ALL, p, ORDER);
            DoubleVector sum = a.rearrange(PARTS).fma(ownTurned, a.mul(own));
            DoubleVector more = a.rearrange(BOTH).fma(otherTurned, a.rearrange(ELEMENTS).mul(other));
            sum.add(more).intoMemorySegment(ALL, p, ORDER);
            p = p + next & ADDRESSES;
        }
    }

    private static void elements(long cols, long x, long next, double a0, double a1, double b0, double b1, double c0,
            double c1, double d0, double d1) {
        long p = x & ADDRESSES;
        for (long j = 0; j < cols; j++) {
            double a = f64(p);
            double b = f64(p + SIZE);
            double c = f64(p + 2 * SIZE);
            double d = f64(p + 3 * SIZE);
            f64(p, Math.fma(b, -b0, a * a0) + Math.fma(d, -d0, c * c0));
            f64(p + SIZE, Math.fma(a, b0, b * a0) + Math.fma(c, d0, d * c0));
            f64(p + 2 * SIZE, Math.fma(d, -b1, c * a1) + Math.fma(b, -d1, a * c1));
            f64(p + 3 * SIZE, Math.fma(c, b1, d * a1) + Math.fma(a, d1, b * c1));
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
