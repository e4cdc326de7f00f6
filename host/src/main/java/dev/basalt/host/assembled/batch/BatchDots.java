package dev.basalt.host.assembled.batch;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.Spares;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.portable.Leaf;

/**
 * Real dot products of a few problems by {@link BatchDotCode}, without a launch: bits are those that {@link BatchKernels} gives any number of
 * them. Any number of threads may use one object.
 */
public final class BatchDots {
    private final BatchTable table;
    private final int lanes;

    private final Spares<BatchFrame> frames = new Frames();

    private static final class Frames extends Spares<BatchFrame> {
        @Override
        protected BatchFrame make() {
            BatchFrame frame = new BatchFrame(0);
            frame.set(0, BatchDotCode.X, frame.table(0));
            frame.set(0, BatchDotCode.Y, frame.table(1));
            frame.set(0, BatchDotCode.RESULTS, frame.table(2));
            return frame;
        }
    }

    /**
     * Kernels of one type.
     *
     * @param shape registers
     */
    public BatchDots(Shape shape) {
        this.table = new BatchTable(shape, false);
        this.lanes = shape.lanes();
    }

    /**
     * As {@link Leaf#dots}.
     *
     * @param n elements, up to {@link BatchFrame#ORDER}
     * @param count problems, up to {@link BatchFrame#PIECE}
     * @param x address of the first x, or of the table of addresses
     * @param stepX bytes to the next, or {@link Leaf#POINTERS}
     * @param y as x
     * @param stepY as stepX
     * @param result where the first result goes
     * @param step bytes to the next
     */
    public void run(long n, int count, long x, long stepX, long y, long stepY, long result, long step) {
        BatchFrame frame = frames.take();
        int groups = (count + lanes - 1) / lanes;
        int places = groups * lanes;
        addresses(frame.table(0), count, places, x, stepX);
        addresses(frame.table(1), count, places, y, stepY);
        addresses(frame.table(2), count, places, result, step);
        frame.set(0, BatchDotCode.GROUPS, groups);
        frame.set(0, BatchDotCode.MASK, table.mask(n));
        NativeCall.code(table.dot(n), frame.arguments(0), 0, 0, 0, 0, 0);
        frames.give(frame);
    }

    /** The table of a batch's addresses; lanes beyond it repeat its last problem, as {@link AddressCode} has them. */
    private static void addresses(long out, int count, int places, long from, long step) {
        long last = from;
        if (step == Leaf.POINTERS) {
            for (int i = 0; i < count; i++) {
                last = i64(from + 8L * i);
                i64(out + 8L * i, last);
            }
        } else {
            for (int i = 0; i < count; i++) {
                i64(out + 8L * i, from + i * step);
            }
            last = from + (count - 1) * step;
        }
        for (int i = count; i < places; i++) {
            i64(out + 8L * i, last);
        }
    }
}
