package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDTranspose.EIGHT;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;

import dev.basalt.portable.BandColumns;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.ZBand;
import java.util.stream.IntStream;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/**
 * Columns of a band of complex numbers with up to 16 diagonals below the main one: the multipliers stay in one vector or two, as they are and times i, and a row is exchanged in the
 * registers that its column passes through anyway. The bits are those of {@link ZBand}.
 */
public final class VectorZBand extends ZBand {
    /** Rows of a vector. */
    private static final int ROWS = 4;

    private static final int ELEMENT = 2 * SIZE;

    private static final VectorShuffle<Double> SWAPPED = VectorShuffle.fromOp(EIGHT, lane -> lane ^ 1);
    private static final VectorMask<Double> IMAGINARY = VectorMask.fromLong(EIGHT, 0xaa);
    private static final DoubleVector TURN = broadcast(EIGHT, -1).blend(1, IMAGINARY);

    /** The first rows, by their number; from a table, since a mask that is made and handed on may end up on the heap. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final VectorMask<Double>[] FIRST = IntStream.rangeClosed(0, ROWS)
            .mapToObj(rows -> VectorMask.fromLong(EIGHT, (1 << 2 * rows) - 1))
            .toArray(VectorMask[]::new);

    /** One row, by its number from 1 on; none for 0 and behind the last. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private static final VectorMask<Double>[] ROW = IntStream.rangeClosed(-ROWS, 2 * ROWS)
            .mapToObj(row -> VectorMask.fromLong(EIGHT, row < 1 || row > ROWS ? 0 : 3 << 2 * (row - 1)))
            .toArray(VectorMask[]::new);

    private static final Warmth ONE = new Warmth();
    private static final Warmth TWO = new Warmth();

    private VectorZBand(Leaf leaf) {
        super(leaf);
    }

    /**
     * Columns of one type.
     *
     * @param leaf the kernels of the type, which divide by pivots that have no good reciprocal
     * @return by vectors where four elements are one
     */
    public static BandColumns of(Leaf leaf) {
        return VectorDTranspose.SUPPORTED ? new VectorZBand(leaf) : new ZBand(leaf);
    }

    @Override
    public void eliminate(long below, long p, long cols, long at, long step) {
        Warmth warmth = below <= ROWS ? ONE : TWO;
        if (warmth.isWarm()) {
            vectors((int) below, p, cols, at, step * ELEMENT);
        } else if (warmth.hasTurn()) {
            long start = System.nanoTime();
            vectors((int) below, p, cols, at, step * ELEMENT);
            warmth.took(System.nanoTime() - start, 2 * below * cols);
        } else {
            super.eliminate(below, p, cols, at, step);
        }
    }

    private static void vectors(int rows, long p, long cols, long at, long next) {
        if (rows <= ROWS) {
            one(rows, p, cols, at, at + ELEMENT, next);
        } else if (rows <= 2 * ROWS) {
            two(rows - ROWS, p, cols, at, at + ELEMENT, next);
        } else {
            // What is exchanged may lie in the other half.
            exchange(p, cols, at, next);
            two(ROWS, 0, cols, at, at + ELEMENT, next);
            if (rows <= 3 * ROWS) {
                one(rows - 2 * ROWS, 0, cols, at, at + (1 + 2 * ROWS) * ELEMENT, next);
            } else {
                two(rows - 3 * ROWS, 0, cols, at, at + (1 + 2 * ROWS) * ELEMENT, next);
            }
        }
    }

    private static void exchange(long p, long cols, long at, long next) {
        long first = at + next;
        for (long c = 0; p > 0 && c < cols; c++, first += next) {
            long other = first + p * ELEMENT;
            double re = f64(first);
            double im = f64(first + SIZE);
            f64(first, f64(other));
            f64(first + SIZE, f64(other + SIZE));
            f64(other, re);
            f64(other + SIZE, im);
        }
    }

    /** Puts the pivot's element of a column in the place of its first one, which comes back for all rows. */
    private static DoubleVector raise(long column, long pivot) {
        DoubleVector first = broadcast(EIGHT, f64(column)).blend(f64(column + SIZE), IMAGINARY);
        f64(column, f64(pivot));
        f64(column + SIZE, f64(pivot + SIZE));
        return first;
    }

    /** Rows that begin at an address in the pivot's column. */
    private static void one(int below, long p, long cols, long at, long from, long next) {
        VectorMask<Double> rows = FIRST[below];
        VectorMask<Double> moved = ROW[(int) p + ROWS];
        DoubleVector l = fromMemorySegment(EIGHT, ALL, from & ADDRESSES, ORDER, rows);
        DoubleVector turned = l.rearrange(SWAPPED).mul(TURN);
        long column = at + next;
        long x = from + next;
        for (long c = 0; c < cols; c++, column += next, x += next) {
            DoubleVector first = raise(column, column + p * ELEMENT);
            double ur = f64(column);
            double ui = f64(column + SIZE);
            DoubleVector y = fromMemorySegment(EIGHT, ALL, x & ADDRESSES, ORDER, rows).blend(first, moved);
            turned.fma(broadcast(EIGHT, -ui), l.fma(broadcast(EIGHT, -ur), y))
                    .intoMemorySegment(ALL, x & ADDRESSES, ORDER, rows);
        }
    }

    /** The same with a vector more. */
    private static void two(int below, long p, long cols, long at, long from, long next) {
        VectorMask<Double> rows = FIRST[below];
        VectorMask<Double> moved = ROW[(int) p + ROWS];
        VectorMask<Double> movedBelow = ROW[(int) p];
        long behind = (long) ROWS * ELEMENT;
        DoubleVector l = fromMemorySegment(EIGHT, ALL, from & ADDRESSES, ORDER);
        DoubleVector lower = fromMemorySegment(EIGHT, ALL, (from + behind) & ADDRESSES, ORDER, rows);
        DoubleVector turned = l.rearrange(SWAPPED).mul(TURN);
        DoubleVector lowerTurned = lower.rearrange(SWAPPED).mul(TURN);
        long column = at + next;
        long x = from + next;
        for (long c = 0; c < cols; c++, column += next, x += next) {
            DoubleVector first = raise(column, column + p * ELEMENT);
            double ur = f64(column);
            double ui = f64(column + SIZE);
            DoubleVector minusRe = broadcast(EIGHT, -ur);
            DoubleVector minusIm = broadcast(EIGHT, -ui);
            DoubleVector y = fromMemorySegment(EIGHT, ALL, x & ADDRESSES, ORDER).blend(first, moved);
            DoubleVector z =
                    fromMemorySegment(EIGHT, ALL, (x + behind) & ADDRESSES, ORDER, rows).blend(first, movedBelow);
            turned.fma(minusIm, l.fma(minusRe, y)).intoMemorySegment(ALL, x & ADDRESSES, ORDER);
            lowerTurned.fma(minusIm, lower.fma(minusRe, z))
                    .intoMemorySegment(ALL, (x + behind) & ADDRESSES, ORDER, rows);
        }
    }
}
