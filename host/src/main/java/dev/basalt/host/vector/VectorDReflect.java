package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** A reflector of three elements, I - tau·v·vᵀ with v = (1, second, third), on three columns or three rows of a matrix. */
final class VectorDReflect {
    private static final VectorSpecies<Double> FOUR =
            VectorSpecies.of(double.class, VectorShape.forBitSize(4 * Byte.SIZE * SIZE));
    private static final VectorMask<Double> THREE = VectorMask.fromLong(FOUR, 7);

    private VectorDReflect() {}

    static void columns(long rows, long x, long next, double tau, double second, double third) {
        DoubleVector v = broadcast(SPECIES, second);
        DoubleVector w = broadcast(SPECIES, third);
        DoubleVector first = broadcast(SPECIES, -tau);
        DoubleVector middle = broadcast(SPECIES, -(tau * second));
        DoubleVector last = broadcast(SPECIES, -(tau * third));
        long p = x & ADDRESSES;
        long q = x + next & ADDRESSES;
        long r = x + 2 * next & ADDRESSES;
        for (long end = x + rows / LANES * WIDTH; p < end;) {
            DoubleVector a = fromMemorySegment(SPECIES, ALL, p, ORDER);
            DoubleVector b = fromMemorySegment(SPECIES, ALL, q, ORDER);
            DoubleVector c = fromMemorySegment(SPECIES, ALL, r, ORDER);
            DoubleVector sum = c.fma(w, b.fma(v, a));
            sum.fma(first, a).intoMemorySegment(ALL, p, ORDER);
            sum.fma(middle, b).intoMemorySegment(ALL, q, ORDER);
            sum.fma(last, c).intoMemorySegment(ALL, r, ORDER);
            p = p + WIDTH & ADDRESSES;
            q = q + WIDTH & ADDRESSES;
            r = r + WIDTH & ADDRESSES;
        }
        for (long end = x + rows * SIZE; p < end;) {
            double b = f64(q);
            double c = f64(r);
            double sum = Math.fma(c, third, Math.fma(b, second, f64(p)));
            f64(p, Math.fma(sum, -tau, f64(p)));
            f64(q, Math.fma(sum, -(tau * second), b));
            f64(r, Math.fma(sum, -(tau * third), c));
            p = p + SIZE & ADDRESSES;
            q = q + SIZE & ADDRESSES;
            r = r + SIZE & ADDRESSES;
        }
    }

    /** A column of the reflector for each of the three elements. */
    static void rows(long cols, long x, long next, double tau, double second, double third) {
        double t2 = tau * second;
        double t3 = tau * third;
        DoubleVector one = column(1 - tau, -t2, -t3);
        DoubleVector two = column(-t2, 1 - t2 * second, -t2 * third);
        DoubleVector three = column(-t3, -t2 * third, 1 - t3 * third);
        long p = x & ADDRESSES;
        for (long j = 0; j < cols; j++) {
            DoubleVector sum = one.mul(broadcast(FOUR, f64(p)));
            sum = two.fma(broadcast(FOUR, f64(p + SIZE)), sum);
            three.fma(broadcast(FOUR, f64(p + 2 * SIZE)), sum).intoMemorySegment(ALL, p, ORDER, THREE);
            p = p + next & ADDRESSES;
        }
    }

    private static DoubleVector column(double a, double b, double c) {
        return broadcast(FOUR, c).withLane(0, a).withLane(1, b);
    }
}
