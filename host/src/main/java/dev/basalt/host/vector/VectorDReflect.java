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

    /** Whether a vector has room for a row's elements. */
    static final boolean SUPPORTED = 4 * SIZE <= VectorWidth.BITS / Byte.SIZE;

    private static final Warmth COLUMNS = new Warmth();
    private static final Warmth ROWS = new Warmth();

    private VectorDReflect() {}

    static void columns(long rows, long x, long next, double tau, double second, double third) {
        if (COLUMNS.isWarm()) {
            vectors(rows, x, next, tau, second, third);
        } else if (rows >= 2 * LANES && COLUMNS.hasTurn()) {
            long start = System.nanoTime();
            vectors(rows, x, next, tau, second, third);
            COLUMNS.took(System.nanoTime() - start, 3 * rows);
        } else {
            elements(rows, x, x + next, x + 2 * next, tau, second, third);
        }
    }

    private static void vectors(long rows, long x, long next, double tau, double second, double third) {
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
        elements((x + rows * SIZE - p) / SIZE, p, q, r, tau, second, third);
    }

    private static void elements(long rows, long x, long y, long z, double tau, double second, double third) {
        long p = x & ADDRESSES;
        long q = y & ADDRESSES;
        long r = z & ADDRESSES;
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
        if (ROWS.isWarm()) {
            columnByColumn(cols, x, next, tau, second, third);
        } else if (cols >= LANES && ROWS.hasTurn()) {
            long start = System.nanoTime();
            columnByColumn(cols, x, next, tau, second, third);
            ROWS.took(System.nanoTime() - start, 3 * cols);
        } else {
            rowElements(cols, x, next, tau, second, third);
        }
    }

    private static void rowElements(long cols, long x, long next, double tau, double second, double third) {
        double t2 = tau * second;
        double t3 = tau * third;
        long p = x & ADDRESSES;
        for (long j = 0; j < cols; j++) {
            double a = f64(p);
            double b = f64(p + SIZE);
            double c = f64(p + 2 * SIZE);
            f64(p, Math.fma(-t3, c, Math.fma(-t2, b, (1 - tau) * a)));
            f64(p + SIZE, Math.fma(-t2 * third, c, Math.fma(1 - t2 * second, b, -t2 * a)));
            f64(p + 2 * SIZE, Math.fma(1 - t3 * third, c, Math.fma(-t2 * third, b, -t3 * a)));
            p = p + next & ADDRESSES;
        }
    }

    private static void columnByColumn(long cols, long x, long next, double tau, double second, double third) {
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
