package dev.basalt.host;

import static dev.basalt.spi.Memory.ALL;

import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/** Vectors of doubles at absolute addresses. */
final class VectorDLanes {
    static final VectorSpecies<Double> SPECIES =
            VectorSpecies.of(double.class, VectorShape.forBitSize(VectorWidth.BITS));
    static final int LANES = SPECIES.length();
    /** Bytes of an element. */
    static final int SIZE = Double.BYTES;
    /** Bytes of a vector. */
    static final long WIDTH = (long) LANES * SIZE;

    /** The lanes that hold imaginary parts when a vector is filled with complex elements. */
    static final VectorMask<Double> IMAGINARY = VectorMask.fromLong(SPECIES, 0xaaaa_aaaa_aaaa_aaaaL);
    /** Exchanges the real and the imaginary part of each complex element. */
    static final VectorShuffle<Double> SWAP = VectorShuffle.fromOp(SPECIES, lane -> lane ^ 1);

    private static final long MAGNITUDE = Long.MAX_VALUE; // float: private static final int MAGNITUDE = Integer.MAX_VALUE;

    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private VectorDLanes() {}

    /**
     * An address as it is, but the compiler sees that it is neither negative nor near the end of the segment of all
     * memory: one AND in a loop, and all accesses near it need no bounds check.
     */
    static long bounded(long address) {
        return address & 0x00ff_ffff_ffff_ffffL;
    }

    static DoubleVector load(long address) {
        return DoubleVector.fromMemorySegment(SPECIES, ALL, address, ORDER);
    }

    /** Reads only the lanes of the mask; the others are 0. */
    static DoubleVector load(long address, VectorMask<Double> mask) {
        return DoubleVector.fromMemorySegment(SPECIES, ALL, address, ORDER, mask);
    }

    static void store(long address, DoubleVector value) {
        value.intoMemorySegment(ALL, address, ORDER);
    }

    /** Writes only the lanes of the mask. */
    static void store(long address, DoubleVector value, VectorMask<Double> mask) {
        value.intoMemorySegment(ALL, address, ORDER, mask);
    }

    static DoubleVector zero() {
        return DoubleVector.zero(SPECIES);
    }

    static DoubleVector splat(double value) {
        return DoubleVector.broadcast(SPECIES, value);
    }

    /** (re, im, re, im, …). */
    static DoubleVector pairs(double re, double im) {
        return splat(re).blend(im, IMAGINARY);
    }

    /** The first lanes. */
    static VectorMask<Double> first(int lanes) {
        return SPECIES.indexInRange(0, lanes);
    }

    /** |v| with the mask in a register, where {@link DoubleVector#abs} would load it each time. */
    static DoubleVector magnitude(DoubleVector v) {
        return v.reinterpretAsLongs().and(MAGNITUDE).reinterpretAsDoubles(); // float: return v.reinterpretAsInts().and(MAGNITUDE).reinterpretAsFloats();
    }

    static double sum(DoubleVector v) {
        return v.reduceLanes(VectorOperators.ADD);
    }
}
