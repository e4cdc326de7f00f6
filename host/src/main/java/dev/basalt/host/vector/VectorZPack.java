package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.IMAGINARY;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.WIDTH;
import static dev.basalt.host.vector.VectorDTranspose.BY2;
import static dev.basalt.host.vector.VectorDTranspose.BY4;
import static dev.basalt.host.vector.VectorDTranspose.EIGHT;
import static dev.basalt.host.vector.VectorDTranspose.EVEN2;
import static dev.basalt.host.vector.VectorDTranspose.EVEN4;
import static dev.basalt.host.vector.VectorDTranspose.ODD2;
import static dev.basalt.host.vector.VectorDTranspose.ODD4;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;

import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;

/** Packs micro-panels of complex elements, real part beside imaginary part; the counterpart of {@link VectorDPack}. */
final class VectorZPack {
    /** Brings the real parts, or the imaginary parts, of a vector to both its halves. */
    private static final VectorShuffle<Double> REAL = VectorShuffle.fromOp(SPECIES, lane -> 2 * lane % LANES);

    private static final VectorShuffle<Double> IMAG = VectorShuffle.fromOp(SPECIES, lane -> (2 * lane + 1) % LANES);
    private static final VectorMask<Double> UPPER = VectorMask.fromLong(SPECIES, -1 << LANES / 2);
    /** Doubles each lane of the lower half, or of the upper half. */
    private static final VectorShuffle<Double> FIRST = VectorShuffle.fromOp(SPECIES, lane -> lane / 2);

    private static final VectorShuffle<Double> SECOND = VectorShuffle.fromOp(SPECIES, lane -> (lane + LANES) / 2);

    private VectorZPack() {}

    /**
     * Groups whose elements lie {@code stride} bytes apart and whose steps are neighbours in memory: a transposition.
     *
     * @param count complex elements of a group
     * @param to array of kc·width reals from {@code at} on
     * @param width reals of a group
     */
    static void columns(int count, int kc, long from, long stride, double[] to, int at, int width) {
        if (2 * count < width) {
            Arrays.fill(to, at, at + kc * width, 0);
        }
        int i = 0;
        int blocks = VectorDTranspose.SUPPORTED ? kc / 4 : 0;
        int done = 4 * blocks;
        for (; i + 4 <= count && blocks > 0; i += 4) {
            columns4(blocks, from + i * stride, stride, to, at + 2 * i, width);
            for (int j = i; j < i + 4; j += 2) {
                long rest = from + j * stride + (long) done * 2 * SIZE;
                columns2(kc - done, rest, stride, to, at + 2 * j + done * width, width);
            }
        }
        for (; i + 2 <= count; i += 2) {
            columns2(kc, from + i * stride, stride, to, at + 2 * i, width);
        }
        if (i < count) {
            long source = (from + i * stride) & ADDRESSES;
            int target = at + 2 * i;
            for (int p = 0; p < kc; p++) {
                to[target] = f64(source);
                to[target + 1] = f64(source + SIZE);
                source = (source + 2 * SIZE) & ADDRESSES;
                target += width;
            }
        }
    }

    /** Blocks of 4 by 4 elements in registers, as {@link VectorDTranspose} does. */
    private static void columns4(int blocks, long from, long stride, double[] to, int at, int width) {
        long d = stride & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        long p = from & ADDRESSES;
        for (int block = 0; block < blocks; block++) {
            DoubleVector a0 = fromMemorySegment(EIGHT, ALL, p, ORDER);
            DoubleVector a1 = fromMemorySegment(EIGHT, ALL, p + d, ORDER);
            DoubleVector a2 = fromMemorySegment(EIGHT, ALL, p + 2 * d, ORDER);
            DoubleVector a3 = fromMemorySegment(EIGHT, ALL, p + d3, ORDER);
            DoubleVector b0 = a0.blend(a2.rearrange(BY4), ODD4);
            DoubleVector b1 = a1.blend(a3.rearrange(BY4), ODD4);
            DoubleVector b2 = a2.blend(a0.rearrange(BY4), EVEN4);
            DoubleVector b3 = a3.blend(a1.rearrange(BY4), EVEN4);
            b0.blend(b1.rearrange(BY2), ODD2).intoArray(to, at);
            b1.blend(b0.rearrange(BY2), EVEN2).intoArray(to, at + width);
            b2.blend(b3.rearrange(BY2), ODD2).intoArray(to, at + 2 * width);
            b3.blend(b2.rearrange(BY2), EVEN2).intoArray(to, at + 3 * width);
            p = (p + 8 * SIZE) & ADDRESSES;
            at += 4 * width;
        }
    }

    private static void columns2(int kc, long from, long stride, double[] to, int at, int width) {
        long next = (from + stride) & ADDRESSES;
        from &= ADDRESSES;
        for (int p = 0; p < kc; p++) {
            to[at] = f64(from);
            to[at + 1] = f64(from + SIZE);
            to[at + 2] = f64(next);
            to[at + 3] = f64(next + SIZE);
            from = (from + 2 * SIZE) & ADDRESSES;
            next = (next + 2 * SIZE) & ADDRESSES;
            at += width;
        }
    }

    /**
     * Packs with real and imaginary parts apart: a row of the panel is {@code width} real parts, then as many imaginary ones.
     *
     * @param count elements of a row that exist
     * @param rows rows of the panel
     * @param stride bytes between the elements of a row
     * @param step bytes from one row to the next
     */
    static void split(int count, int rows, long from, long stride, long step, double[] to, int width) {
        for (int i = 0; i < count; i++) {
            long source = (from + i * stride) & ADDRESSES;
            int target = i;
            for (int p = 0; p < rows; p++) {
                to[target] = f64(source);
                to[target + width] = f64(source + SIZE);
                source = (source + step) & ADDRESSES;
                target += 2 * width;
            }
        }
    }

    /** The reverse of {@link #split}. */
    static void join(int count, int rows, double[] from, long to, long stride, long step, int width) {
        for (int i = 0; i < count; i++) {
            long target = (to + i * stride) & ADDRESSES;
            int source = i;
            for (int p = 0; p < rows; p++) {
                f64(target, from[source]);
                f64(target + SIZE, from[source + width]);
                source += 2 * width;
                target = (target + step) & ADDRESSES;
            }
        }
    }

    /** As {@link #split} for elements of a row that are neighbours in memory. */
    static void splitRows(int count, int rows, long from, long step, double[] to, int width) {
        int full = count / LANES * LANES;
        for (int i = 0; i < full; i += LANES) {
            long source = (from + (long) i * 2 * SIZE) & ADDRESSES;
            int target = i;
            for (int p = 0; p < rows; p++) {
                DoubleVector v = fromMemorySegment(SPECIES, ALL, source, ORDER);
                DoubleVector w = fromMemorySegment(SPECIES, ALL, source + WIDTH, ORDER);
                v.rearrange(REAL).blend(w.rearrange(REAL), UPPER).intoArray(to, target);
                v.rearrange(IMAG).blend(w.rearrange(IMAG), UPPER).intoArray(to, target + width);
                source = (source + step) & ADDRESSES;
                target += 2 * width;
            }
        }
        for (int i = full; i < count; i++) {
            for (int p = 0; p < rows; p++) {
                long source = from + i * 2 * SIZE + p * step;
                to[2 * p * width + i] = f64(source);
                to[2 * p * width + i + width] = f64(source + SIZE);
            }
        }
    }

    /** The reverse of {@link #splitRows}. */
    static void joinRows(int count, int rows, double[] from, long to, long step, int width) {
        int full = count / LANES * LANES;
        for (int i = 0; i < full; i += LANES) {
            long target = (to + (long) i * 2 * SIZE) & ADDRESSES;
            int source = i;
            for (int p = 0; p < rows; p++) {
                DoubleVector re = fromArray(SPECIES, from, source);
                DoubleVector im = fromArray(SPECIES, from, source + width);
                re.rearrange(FIRST).blend(im.rearrange(FIRST), IMAGINARY).intoMemorySegment(ALL, target, ORDER);
                re.rearrange(SECOND)
                        .blend(im.rearrange(SECOND), IMAGINARY)
                        .intoMemorySegment(ALL, target + WIDTH, ORDER);
                source += 2 * width;
                target = (target + step) & ADDRESSES;
            }
        }
        for (int i = full; i < count; i++) {
            for (int p = 0; p < rows; p++) {
                long target = to + i * 2 * SIZE + p * step;
                f64(target, from[2 * p * width + i]);
                f64(target + SIZE, from[2 * p * width + i + width]);
            }
        }
    }
}
