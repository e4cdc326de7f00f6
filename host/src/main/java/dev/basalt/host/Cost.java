package dev.basalt.host;

import dev.basalt.ElementType;
import dev.basalt.Side;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Launch;

/**
 * How long a launch takes on one thread, to within a factor of three or so: enough to tell whether waking other threads
 * pays. Derived from shapes alone.
 */
final class Cost {
    /** Bytes a nanosecond that a core moves when the data lies in the L2 or L3 cache. */
    private static final double BYTES_PER_NANO = 25;
    /** Row interchanges touch a cache line for each element. */
    private static final double SCATTERED_BYTES_PER_NANO = 4;
    /** Flops a nanosecond of kernels for small blocks, and of products without packing. */
    private static final double SCALAR_FLOPS = 4;
    /** Flops a nanosecond of packed products in double. */
    private static final double PACKED_FLOPS = 24;
    /** What a problem costs at least. */
    private static final double CALL_NANOS = 4;

    private final double gemmS;
    private final double gemmD;
    private final double gemmC;
    private final double gemmZ;

    /**
     * The cost with an engine.
     *
     * @param engine the engine
     */
    Cost(Engine engine) {
        gemmS = rate(engine, ElementType.F32);
        gemmD = rate(engine, ElementType.F64);
        // A complex multiplication is four real ones.
        gemmC = rate(engine, ElementType.C32) / 4;
        gemmZ = rate(engine, ElementType.C64) / 4;
    }

    private static double rate(Engine engine, ElementType type) {
        if (engine.gemm(type).equals(GemmBlocking.NONE)) {
            return SCALAR_FLOPS;
        }
        return type.real() == ElementType.F32 ? 2 * PACKED_FLOPS : PACKED_FLOPS;
    }

    private double rate(ElementType type) {
        return switch (type) {
            case F32 -> gemmS;
            case F64 -> gemmD;
            case C32 -> gemmC;
            default -> gemmZ;
        };
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

    private double problem(Launch l) {
        double m = l.m;
        double n = l.n;
        double element = l.type.bytes() / BYTES_PER_NANO;
        return switch (l.kernel) {
            case FILL, ASUM, NRM2, IAMAX, IAMIN -> n * element;
            case SCAL, COPY, DOT -> 2 * n * element;
            case SWAP, AXPY -> 3 * n * element;
            case GEMV -> m * n * element;
            case GER, COPY_MATRIX, SCAL_MATRIX -> 2 * m * n * element;
            case SYMV, TRMV, TRSV, SCAL_TRIANGLE -> n * n * element;
            case EXPAND, ADD_TRIANGLE -> 2 * n * n * element;
            case GEMM -> 2 * m * n * l.k / rate(l.type);
            case SYMM -> 2 * m * n * (l.side == Side.LEFT ? m : n) / SCALAR_FLOPS;
            case TRMM, TRSM -> m * n * (l.side == Side.LEFT ? m : n) / SCALAR_FLOPS;
            case SYRK -> n * n * l.k / SCALAR_FLOPS;
            case GETF2 -> m * n * n / SCALAR_FLOPS;
            case POTF2, TRTRI -> n * n * n / (3 * SCALAR_FLOPS);
            case LASWP -> 4 * (l.q - l.p) * n * l.type.bytes() / SCATTERED_BYTES_PER_NANO;
        };
    }
}
