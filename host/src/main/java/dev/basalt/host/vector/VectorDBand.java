package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDTranspose.EIGHT;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;

import dev.basalt.portable.BandColumns;
import java.util.stream.IntStream;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;

/**
 * Columns of a band with up to 16 diagonals below the main one: the multipliers stay in one vector or two, and a row is exchanged in the registers that its
 * column passes through anyway.
 */
public final class VectorDBand implements BandColumns {
    private static final int LANES = 8;

    /** Up to here a quotient is a product with a reciprocal. */
    private static final double MOST = 0x1p1000; // float: private static final float MOST = 0x1p120f;

    private static final double LEAST = 0x1p-1000; // float: private static final float LEAST = 0x1p-120f;

    /** The first lanes, by their number; from a table, since a mask that is made and handed on may end up on the heap. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final VectorMask<Double>[] FIRST = IntStream.rangeClosed(0, LANES)
            .mapToObj(lanes -> VectorMask.fromLong(EIGHT, (1 << lanes) - 1))
            .toArray(VectorMask[]::new);

    /** One lane, by its number from 1 on; none for 0 and behind the last. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final VectorMask<Double>[] LANE = IntStream.rangeClosed(-LANES, 2 * LANES)
            .mapToObj(lane -> VectorMask.fromLong(EIGHT, lane < 1 || lane > LANES ? 0 : 1 << (lane - 1)))
            .toArray(VectorMask[]::new);

    private VectorDBand() {}

    /** The kernels, or null where eight elements are no vector. */
    public static BandColumns columns() {
        return VectorDTranspose.SUPPORTED ? new VectorDBand() : null;
    }

    @Override
    public long pivot(long below, long at) {
        double best = Math.abs(f64(at));
        long p = 0;
        for (long i = 1; i <= below; i++) {
            double size = Math.abs(f64(at + i * 8L));
            // The first number that is none is larger than all.
            if (size > best || Double.isNaN(size) && !Double.isNaN(best)) {
                best = size;
                p = i;
            }
        }
        if (best == 0) {
            return -1;
        }
        double pivot = f64(at + p * 8L);
        f64(at + p * 8L, f64(at));
        f64(at, pivot);
        double inverse = 1 / pivot;
        double size = Math.abs(inverse);
        boolean fits = size < MOST && size > LEAST;
        for (long i = 1; i <= below; i++) {
            double x = f64(at + i * 8L);
            f64(at + i * 8L, fits ? x * inverse : x / pivot);
        }
        return p;
    }

    @Override
    public void eliminate(long below, long p, long cols, long at, long step) {
        if (below <= LANES) {
            one((int) below, p, cols, at, step * 8L);
        } else {
            two((int) below - LANES, p, cols, at, step * 8L);
        }
    }

    private static void one(int below, long p, long cols, long at, long step) {
        VectorMask<Double> rows = FIRST[below];
        VectorMask<Double> moved = LANE[(int) p + LANES];
        DoubleVector l = fromMemorySegment(EIGHT, ALL, (at + 8L) & ADDRESSES, ORDER, rows);
        long column = at + step;
        for (long c = 0; c < cols; c++, column += step) {
            double first = f64(column);
            double u = f64(column + p * 8L);
            f64(column, u);
            l.fma(broadcast(EIGHT, -u),
                    fromMemorySegment(EIGHT, ALL, (column + 8L) & ADDRESSES, ORDER, rows).blend(first, moved))
                    .intoMemorySegment(ALL, (column + 8L) & ADDRESSES, ORDER, rows);
        }
    }

    private static void two(int below, long p, long cols, long at, long step) {
        VectorMask<Double> rows = FIRST[below];
        VectorMask<Double> moved = LANE[(int) p + LANES];
        VectorMask<Double> movedBelow = LANE[(int) p];
        DoubleVector l = fromMemorySegment(EIGHT, ALL, (at + 8L) & ADDRESSES, ORDER);
        DoubleVector lower = fromMemorySegment(EIGHT, ALL, (at + 72L) & ADDRESSES, ORDER, rows);
        long column = at + step;
        for (long c = 0; c < cols; c++, column += step) {
            double first = f64(column);
            double u = f64(column + p * 8L);
            f64(column, u);
            DoubleVector minus = broadcast(EIGHT, -u);
            l.fma(minus, fromMemorySegment(EIGHT, ALL, (column + 8L) & ADDRESSES, ORDER).blend(first, moved))
                    .intoMemorySegment(ALL, (column + 8L) & ADDRESSES, ORDER);
            lower.fma(minus,
                    fromMemorySegment(EIGHT, ALL, (column + 72L) & ADDRESSES, ORDER, rows).blend(first, movedBelow))
                    .intoMemorySegment(ALL, (column + 72L) & ADDRESSES, ORDER, rows);
        }
    }
}
