package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDTranspose.EIGHT;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;

import dev.basalt.portable.DBand;
import dev.basalt.portable.Leaf;
import java.util.stream.IntStream;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;

/**
 * Columns of a band with up to 16 diagonals below the main one: the multipliers stay in one vector or two, and a row is exchanged in the registers that its
 * column passes through anyway.
 */
final class VectorDBand extends DBand {
    private static final int LANES = 8;

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

    /** Over the kernels of the type, where eight elements are a vector. */
    VectorDBand(Leaf leaf) {
        super(leaf);
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
