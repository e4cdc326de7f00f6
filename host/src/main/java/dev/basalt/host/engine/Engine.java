package dev.basalt.host.engine;

import dev.basalt.host.assembled.batch.BatchKernels;
import dev.basalt.host.assembled.mixed.MixedKernels;
import dev.basalt.host.assembled.stream.EachVector;
import dev.basalt.host.vector.Tridiagonal;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.MixedBlocks;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.MixedWork;
import dev.basalt.type.ElementType;

/**
 * One way to run kernels on a CPU: scalar Java, the Vector API, machine code. Stateless, so that all threads share one.
 *
 * <p>A big product or a long vector may be cut into ranges that run on different threads. So that the bits of a result do
 * not depend on the number of threads, an element of a result must come out the same wherever the range begins, as long
 * as it begins at a multiple of the blocking's mr (rows) and nr (columns), of 128 elements of a vector or of 16 columns, and
 * a product must give the same bits in both packed tiers.
 */
public interface Engine {
    /**
     * Whether its kernels take operands in arrays of Java ({@link dev.basalt.portable.HeapOperands}).
     *
     * @return false if they must be in native memory
     */
    default boolean reachesHeap() {
        return false;
    }

    /**
     * The name that {@code basalt.engine} knows it by.
     *
     * @return such as {@code scalar} or {@code vector}
     */
    String name();

    /**
     * What it is, for people.
     *
     * @return a few words
     */
    String description();

    /**
     * Why it can no longer start on another device although it ran before.
     *
     * @return the reason, or null while all is well
     */
    default String refusal() {
        return null;
    }

    /**
     * Its kernels.
     *
     * @param type a floating type
     * @return the kernels of that type
     */
    Leaf leaf(ElementType type);

    /**
     * Its packing blocks.
     *
     * @param type a floating type
     * @return the blocks, {@link GemmBlocking#NONE} if its product does not pack
     */
    GemmBlocking gemm(ElementType type);

    /**
     * The order of the largest triangle or symmetric block that its kernels take in one go at full speed.
     *
     * @return order, 0 if larger products should do most of the work
     */
    default int triangle() {
        return 0;
    }

    /**
     * Whether products give the same bits with and without packing, so that they may be cut as small as one likes.
     *
     * @return whether they do
     */
    default boolean sameBitsUnpacked() {
        return false;
    }

    /** Diagonals below the main one up to which a band is factored column by column in one launch: the columns of a {@link dev.basalt.portable.BandLeaf} are fast up to there. */
    int NARROW = 16;

    /**
     * Its kernels for tridiagonal systems.
     *
     * @param type a floating type
     * @return the kernels of that type, null if it has none but the portable ones
     */
    default Tridiagonal tridiagonal(ElementType type) {
        return null;
    }

    /**
     * Its kernels for batches of small problems. Which of them a launch takes does not depend on where it is cut.
     *
     * @param type a floating type
     * @return the kernels of that type, null if there are none
     */
    default BatchKernels batches(ElementType type) {
        return null;
    }

    /**
     * Its kernels for batches of short vectors, which have the bits of its {@link #leaf}.
     *
     * @param type a floating type
     * @return the kernels of that type, null if there are none
     */
    default EachVector vectors(ElementType type) {
        return null;
    }

    /**
     * Its packing blocks for products of mixed types, of single precision.
     *
     * @return the blocks, {@link GemmBlocking#NONE} if they are left to the portable kernels
     */
    default GemmBlocking mixedBlocking() {
        return GemmBlocking.NONE;
    }

    /**
     * The workspace that launches of mixed types want.
     *
     * @param threads how many threads may take part
     * @return formulas
     */
    default MixedWork mixedWork(int threads) {
        return new MixedBlocks(threads);
    }

    /**
     * Its kernels for launches of mixed types.
     *
     * @return the kernels, null if there are none
     */
    default MixedKernels mixed() {
        return null;
    }

    /**
     * The width of its vector registers. It is part of the device class, since it decides bits and packing.
     *
     * @return bits, 0 if it has none
     */
    default int vectorBits() {
        return 0;
    }

    /**
     * How many reflectors are applied one by one to as many columns no later than as a block.
     *
     * @param type a floating type
     * @return reflectors, 0 if there are no kernels for them
     */
    default int reflectors(ElementType type) {
        return 0;
    }
}
