package dev.basalt.host.vector;

import static jdk.incubator.vector.DoubleVector.broadcast;

import dev.basalt.spi.Memory;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * Vectors of doubles at absolute addresses.
 *
 * <p>Kernels call the methods of {@link DoubleVector} themselves, however long the lines get. C2 inlines those without limit but stops at
 * 18,000 nodes with everything else, and a vector operation is some 400: a helper that is not inlined any more allocates its vectors,
 * fifty times slower. For the same reason ends of vectors and single elements (600 nodes each) are handled in methods of their own.
 */
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

    /** The lanes rotated by 1, 2, 4 and 8: what a sum over the lanes adds in turn. */
    static final VectorShuffle<Double> BY_1 = rotation(1);

    static final VectorShuffle<Double> BY_2 = rotation(2);
    static final VectorShuffle<Double> BY_4 = rotation(4);
    static final VectorShuffle<Double> BY_8 = rotation(8);

    private static final List<VectorMask<Double>> FIRST =
            IntStream.rangeClosed(0, LANES).mapToObj(lanes -> SPECIES.indexInRange(0, lanes)).toList();

    static final ByteOrder ORDER = ByteOrder.nativeOrder();

    static final long ADDRESSES = Memory.ADDRESSES;

    private VectorDLanes() {}

    /** (re, im, re, im, …). */
    static DoubleVector pairs(double re, double im) {
        return broadcast(SPECIES, re).blend(im, IMAGINARY);
    }

    /** The first lanes. From a table, since a mask that is made and handed on may end up on the heap. */
    static VectorMask<Double> first(int lanes) {
        return FIRST.get(lanes);
    }

    /** |v| with the mask in a register, where {@link DoubleVector#abs} would load it each time. */
    static DoubleVector magnitude(DoubleVector v) {
        var bits = v.reinterpretAsLongs(); // float: var bits = v.reinterpretAsInts();
        var positive = bits.and(Long.MAX_VALUE); // float: var positive = bits.and(Integer.MAX_VALUE);
        return positive.reinterpretAsDoubles(); // float: return positive.reinterpretAsFloats();
    }

    private static VectorShuffle<Double> rotation(int by) {
        return VectorShuffle.fromOp(SPECIES, lane -> (lane + by) % LANES);
    }

    /**
     * The sum of the lanes in one fixed order. The API's own reduction leaves the order open, and it does change when the JIT
     * compiles a method: the same call would give other bits after some time. Kernels with several sums write this out.
     */
    static double sum(DoubleVector v) {
        DoubleVector t = v;
        if (LANES > 8) {
            t = t.add(t.rearrange(BY_8));
        }
        if (LANES > 4) {
            t = t.add(t.rearrange(BY_4));
        }
        if (LANES > 2) {
            t = t.add(t.rearrange(BY_2));
        }
        if (LANES > 1) {
            t = t.add(t.rearrange(BY_1));
        }
        return t.lane(0);
    }
}
