package dev.basalt.portable;

import dev.basalt.type.ElementType;

/**
 * A device whose work is done at once on the caller's thread, so that a small call can go to the kernels of one problem
 * without a {@link dev.basalt.spi.Launch} in between. A launch of one problem would call the same kernel.
 */
public interface DirectDevice {
    /**
     * The kernels of a type.
     *
     * @param type element type
     * @param n elements of the call's vectors
     * @param stream the stream that the call is on
     * @return kernels; null if there are none for the type, if a launch would cut vectors of this length into blocks or share them
     *     out to threads, or if there is no such stream
     */
    Leaf direct(ElementType type, long n, long stream);

    /**
     * The kernels of a type for a matrix product.
     *
     * @param type element type
     * @param m rows
     * @param n columns
     * @param k inner dimension
     * @param stream the stream that the call is on
     * @return kernels; null if there are none for the type, if a launch would pack operands or share out the work, or if there is no
     *     such stream
     */
    Leaf direct(ElementType type, long m, long n, long k, long stream);
}
