package dev.basalt.host;

import dev.basalt.host.engine.Engine;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;

/**
 * How long a launch takes on one thread, to within a factor of three or so: enough to tell whether waking other threads
 * pays. Derived from shapes alone.
 */
final class Cost {
    /** Bytes a nanosecond of scalar loops. */
    private static final double SCALAR_BYTES = 16;
    /** Bytes a nanosecond of vector loops over data that may lie in the L2 cache. */
    private static final double CACHED_BYTES = 128;
    /** Bytes a nanosecond of vector loops over more. */
    private static final double STREAMED_BYTES = 25;
    /** Where the one ends and the other begins. */
    private static final double CACHE = 1 << 20;
    /** Row interchanges touch a cache line for each element. */
    private static final double SCATTERED_BYTES = 4;
    /** Flops a nanosecond of scalar kernels. */
    private static final double SCALAR_FLOPS = 4;
    /** Flops a nanosecond of vector kernels for small blocks. */
    private static final double BLOCK_FLOPS = 10;
    /** Flops a nanosecond of packed products in double that Java compiles. */
    private static final double PACKED_FLOPS = 48;
    /** Flops a nanosecond of assembled products in double for each bit of a vector: two FMAs of all lanes at 3 GHz. */
    private static final double ASSEMBLED_FLOPS = 96.0 / 512;
    /** How many times faster than small blocks one by one a batch of them is. */
    private static final double BATCHED = 2;
    /** What a problem costs at least. */
    private static final double CALL_NANOS = 4;

    private final boolean vectors;
    private final double blockFlops;
    private final double packedFlops;
    /** Whether triangles and symmetric blocks are as fast as products. */
    private final boolean triangles;

    /**
     * The cost with an engine.
     *
     * @param engine the engine
     */
    Cost(Engine engine) {
        // An engine that packs has something better than scalar loops.
        vectors = engine.gemm(ElementType.F64).mr() > 1;
        triangles = engine.triangle() > 0;
        packedFlops = triangles ? ASSEMBLED_FLOPS * engine.vectorBits() : PACKED_FLOPS;
        blockFlops = vectors ? BLOCK_FLOPS : SCALAR_FLOPS;
    }

    /**
     * The time of a launch.
     *
     * @param l the launch
     * @return nanoseconds
     */
    double nanos(Launch l) {
        return l.count * (CALL_NANOS + problem(l));
    }

    /**
     * The time of a batch of small problems in kernels that loop over the batch.
     *
     * @param l the launch
     * @return nanoseconds
     */
    double batched(Launch l) {
        return l.count * problem(l) / BATCHED;
    }

    private double problem(Launch l) {
        return switch (l.kernel.bound()) {
            case MEMORY -> stream(l.kernel.bytes(l), l.count);
            case SCATTER -> l.kernel.bytes(l) / SCATTERED_BYTES;
            case PRODUCT -> l.kernel.flops(l) / gemmFlops(l.type);
            case SPECIAL -> l.kernel.flops(l) / specialFlops(l.type);
            case BLOCK -> l.kernel.flops(l) / blockFlops;
        };
    }

    /**
     * The time of one matrix product.
     *
     * @param type element type
     * @param mnk the product of its dimensions
     * @return nanoseconds
     */
    double product(ElementType type, double mnk) {
        return (type.isComplex() ? 4 : 1) * mnk * 2 / gemmFlops(type);
    }

    /**
     * The time of applying reflectors one by one.
     *
     * @param type element type
     * @param mnk the product of the dimensions
     * @return nanoseconds
     */
    double reflectors(ElementType type, double mnk) {
        return (type.isComplex() ? 4 : 1) * mnk * 2 / blockFlops;
    }

    private double stream(double bytes, long count) {
        if (!vectors) {
            return bytes / SCALAR_BYTES;
        }
        return bytes / (bytes * count <= CACHE ? CACHED_BYTES : STREAMED_BYTES);
    }

    private double specialFlops(ElementType type) {
        return triangles ? gemmFlops(type) : blockFlops;
    }

    private double gemmFlops(ElementType type) {
        if (!vectors) {
            return SCALAR_FLOPS;
        }
        return type.real() == ElementType.F32 ? 2 * packedFlops : packedFlops;
    }
}
