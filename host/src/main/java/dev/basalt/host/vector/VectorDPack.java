package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.host.vector.VectorDLanes.first;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;

/**
 * Packs micro-panels: {@code kc} groups of {@code width} elements, one group a step of the inner dimension, zeros where the matrix
 * has ended. Panels that need a transposition go to an array.
 */
final class VectorDPack {
    private VectorDPack() {}

    /**
     * Groups that are contiguous in memory, as a vector panel.
     *
     * @param count elements of a group that exist, up to vectors·LANES
     * @param vectors vectors of a group
     * @param from address of the first group
     * @param stride bytes from one group to the next
     */
    static void rows(int count, int vectors, int kc, long from, long stride, long to) {
        int width = vectors * LANES;
        if (count == 3 * LANES) {
            rows3(kc, from, stride, to);
        } else if (count == width && vectors == 2) {
            rows2(kc, from, stride, to);
        } else {
            rowsMasked(count, vectors, kc, from, stride, to);
        }
    }

    private static void rows3(int kc, long from, long stride, long to) {
        from &= ADDRESSES;
        to &= ADDRESSES;
        for (int p = 0; p < kc; p++) {
            fromMemorySegment(SPECIES, ALL, from, ORDER).intoMemorySegment(ALL, to, ORDER);
            fromMemorySegment(SPECIES, ALL, from + WIDTH, ORDER).intoMemorySegment(ALL, to + WIDTH, ORDER);
            fromMemorySegment(SPECIES, ALL, from + 2 * WIDTH, ORDER).intoMemorySegment(ALL, to + 2 * WIDTH, ORDER);
            from = (from + stride) & ADDRESSES;
            to = (to + 3 * WIDTH) & ADDRESSES;
        }
    }

    private static void rows2(int kc, long from, long stride, long to) {
        from &= ADDRESSES;
        to &= ADDRESSES;
        for (int p = 0; p < kc; p++) {
            fromMemorySegment(SPECIES, ALL, from, ORDER).intoMemorySegment(ALL, to, ORDER);
            fromMemorySegment(SPECIES, ALL, from + WIDTH, ORDER).intoMemorySegment(ALL, to + WIDTH, ORDER);
            from = (from + stride) & ADDRESSES;
            to = (to + 2 * WIDTH) & ADDRESSES;
        }
    }

    private static void rowsMasked(int count, int vectors, int kc, long from, long stride, long to) {
        for (int v = 0; v < vectors; v++) {
            // A mask of no lanes reads nothing, so a panel may end before its last vector.
            VectorMask<Double> mask = first(Math.clamp(count - v * LANES, 0, LANES));
            long source = (from + v * WIDTH) & ADDRESSES;
            long target = (to + v * WIDTH) & ADDRESSES;
            for (int p = 0; p < kc; p++) {
                DoubleVector x = fromMemorySegment(SPECIES, ALL, source, ORDER, mask);
                x.intoMemorySegment(ALL, target, ORDER);
                source = (source + stride) & ADDRESSES;
                target = (target + vectors * WIDTH) & ADDRESSES;
            }
        }
    }

    /**
     * Groups that are contiguous in memory, into an array. Where a group is less than a vector, each store runs into the next group,
     * which is written after it: the array must go on for a vector after the last group.
     */
    static void rows(int count, int kc, long from, long stride, double[] to, int at, int width) {
        for (int v = 0; v < width; v += LANES) {
            // An empty mask reads nothing.
            VectorMask<Double> mask = first(Math.clamp(count - v, 0, LANES));
            long source = (from + (long) v * SIZE) & ADDRESSES;
            int target = at + v;
            for (int p = 0; p < kc; p++) {
                fromMemorySegment(SPECIES, ALL, source, ORDER, mask).intoArray(to, target);
                source = (source + stride) & ADDRESSES;
                target += width;
            }
        }
    }

    /** The reverse of {@link #rows(int, int, long, long, double[], int, int)} from the beginning of an array. */
    static void unpackRows(int count, int kc, double[] from, long to, long stride, int width) {
        for (int v = 0; v < count; v += LANES) {
            int source = v;
            if (v + LANES <= count) {
                long target = (to + (long) v * SIZE) & ADDRESSES;
                for (int p = 0; p < kc; p++) {
                    fromArray(SPECIES, from, source).intoMemorySegment(ALL, target, ORDER);
                    source += width;
                    target = (target + stride) & ADDRESSES;
                }
            } else {
                for (int i = v; i < count; i++) {
                    unpackRow(i, kc, from, to + (long) i * SIZE, stride, width);
                }
            }
        }
    }

    private static void unpackRow(int source, int kc, double[] from, long to, long stride, int width) {
        to &= ADDRESSES;
        for (int p = 0; p < kc; p++) {
            f64(to, from[source]);
            source += width;
            to = (to + stride) & ADDRESSES;
        }
    }

    /**
     * Groups whose elements lie {@code stride} bytes apart, and whose steps {@code step} bytes: a transposition.
     *
     * @param to array of kc·width elements from {@code at} on
     */
    static void columns(int count, int kc, long from, long stride, long step, double[] to, int at, int width) {
        if (count < width) {
            Arrays.fill(to, at, at + kc * width, 0);
        }
        int blocks = VectorDTranspose.SUPPORTED ? kc / 8 : 0;
        int done = 8 * blocks;
        int i = 0;
        for (; i + 8 <= count && blocks > 0; i += 8) {
            long first = from + i * stride;
            if (step > 0) {
                VectorDTranspose.pack(blocks, first, stride, to, at + i, width);
            } else {
                // The elements that come last lie first in memory.
                long lowest = first + (done - 1) * step;
                VectorDTranspose.pack(blocks, lowest, stride, to, at + i + (done - 1) * width, -width);
            }
            for (int j = i; j < i + 8; j += 4) {
                columns4(kc - done, from + j * stride + done * step, stride, step, to, at + j + done * width, width);
            }
        }
        for (; i + 4 <= count; i += 4) {
            columns4(kc, from + i * stride, stride, step, to, at + i, width);
        }
        for (; i < count; i++) {
            long source = (from + i * stride) & ADDRESSES;
            int target = at + i;
            for (int p = 0; p < kc; p++) {
                to[target] = f64(source);
                source = (source + step) & ADDRESSES;
                target += width;
            }
        }
    }

    private static void columns4(int kc, long from, long stride, long step, double[] to, int at, int width) {
        long from1 = (from + stride) & ADDRESSES;
        long from2 = (from1 + stride) & ADDRESSES;
        long from3 = (from2 + stride) & ADDRESSES;
        from &= ADDRESSES;
        for (int p = 0; p < kc; p++) {
            to[at] = f64(from);
            to[at + 1] = f64(from1);
            to[at + 2] = f64(from2);
            to[at + 3] = f64(from3);
            from = (from + step) & ADDRESSES;
            from1 = (from1 + step) & ADDRESSES;
            from2 = (from2 + step) & ADDRESSES;
            from3 = (from3 + step) & ADDRESSES;
            at += width;
        }
    }

    /** The reverse of {@link #columns} from the beginning of an array. */
    static void unpackColumns(int count, int kc, double[] from, long to, long stride, long step, int width) {
        int blocks = VectorDTranspose.SUPPORTED ? kc / 8 : 0;
        int done = 8 * blocks;
        int i = 0;
        for (; i + 8 <= count && blocks > 0; i += 8) {
            long first = to + i * stride;
            if (step > 0) {
                VectorDTranspose.unpack(blocks, from, i, width, first, stride);
            } else {
                long lowest = first + (done - 1) * step;
                VectorDTranspose.unpack(blocks, from, i + (done - 1) * width, -width, lowest, stride);
            }
            for (int j = i; j < i + 8; j += 4) {
                unpackColumns4(j + done * width, kc - done, from, to + j * stride + done * step, stride, step, width);
            }
        }
        for (; i + 4 <= count; i += 4) {
            unpackColumns4(i, kc, from, to + i * stride, stride, step, width);
        }
        for (; i < count; i++) {
            unpackRow(i, kc, from, to + i * stride, step, width);
        }
    }

    private static void unpackColumns4(int at, int kc, double[] from, long to, long stride, long step, int width) {
        long to1 = (to + stride) & ADDRESSES;
        long to2 = (to1 + stride) & ADDRESSES;
        long to3 = (to2 + stride) & ADDRESSES;
        to &= ADDRESSES;
        for (int p = 0; p < kc; p++) {
            f64(to, from[at]);
            f64(to1, from[at + 1]);
            f64(to2, from[at + 2]);
            f64(to3, from[at + 3]);
            at += width;
            to = (to + step) & ADDRESSES;
            to1 = (to1 + step) & ADDRESSES;
            to2 = (to2 + step) & ADDRESSES;
            to3 = (to3 + step) & ADDRESSES;
        }
    }
}
