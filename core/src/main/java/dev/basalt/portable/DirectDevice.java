package dev.basalt.portable;

import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;

/**
 * A device whose work is done at once on the caller's thread, so that a small call can go to the kernels of one problem
 * without a {@link dev.basalt.spi.Launch} in between. A launch of one problem would call the same kernel.
 */
public interface DirectDevice {
    /** Vectors of a batch that a small call takes one after the other. A launch of as many has the bits of single calls, too. */
    long VECTORS = 24;

    /**
     * Elements of real vectors without gaps up to which a device may have a kernel for batches of dots, with other bits than those of a
     * single call. Longer vectors, and those with gaps, have the bits of single calls.
     */
    long DOTS = 32;

    /** Elements of a vector up to which what {@link #small} says of one on the default stream holds for all. */
    long SHORT = 1024;

    /** Right-hand sides that a packed triangle is solved with for one by one: more pay for writing it out. */
    long FEW_SIDES = 4;

    /** The largest order of LDLᵀ that is one launch without workspace. */
    long INDEFINITE = 32;

    /** What a small call does, as far as it decides what is small. */
    enum Small {
        /** Vectors of n elements. */
        VECTOR,
        /** A matrix of m×n elements and vectors. */
        MATVEC,
        /** A band of m×n elements, of which k diagonals are stored, and vectors. */
        BAND,
        /** A product of m×k and k×n. */
        PRODUCT,
        /** A triangular or symmetric matrix of order k, and m×n elements beside it. */
        TRIANGLE,
        /** A triangle of n×n that n×k elements are added to. */
        UPDATE,
        /** A factorisation or inverse of m×n elements. */
        FACTOR,
        /** Reflectors of m×n elements, or k of them applied to so many, one by one. */
        REFLECTOR,
        /** A triangle of order n that is written out in workspace, and k right-hand sides. */
        PACKED,
        /** A packed triangle of order n that is solved with for k right-hand sides, one by one. */
        SIDES,
        /** LDLᵀ of order n without blocks, and its solution for k right-hand sides pivot by pivot. */
        INDEFINITE,
        /** Eigenvalues, and vectors, of a matrix of order n, step by step. */
        EIGEN,
        /** LU of a band of m×n elements with k diagonals below the main one, column by column, or n right-hand sides of one of order m. */
        BAND_LU
    }

    /**
     * The kernels of a type for a small call.
     *
     * @param kind what the call does
     * @param type element type
     * @param m rows
     * @param n columns, or elements of vectors
     * @param k inner dimension, the order of a matrix that is a factor, or the diagonals of a band
     * @param stream the stream that the call is on
     * @return kernels; null if there are none for the type, if a launch would cut the work, share it out to threads, or pack operands into
     *     workspace, or if there is no such stream
     */
    Leaf small(Small kind, ElementType type, long m, long n, long k, long stream);

    /**
     * How long a launch takes on one thread, to within a factor of some.
     *
     * @param launch the launch
     * @return nanoseconds
     */
    double nanos(Launch launch);

    /**
     * Whether calls run on one thread, in kernels that take {@link HeapOperands}.
     *
     * @return false if operands must be in native memory
     */
    default boolean reachesHeap() {
        return false;
    }
}
