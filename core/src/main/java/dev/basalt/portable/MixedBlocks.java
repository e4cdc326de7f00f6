package dev.basalt.portable;

import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.MixedWork;
import dev.basalt.type.ElementType;

/**
 * The workspace of launches of mixed types on the CPU: a block of scratch for each thread that takes part, or, for products, packed panels of
 * converted numbers. Products run with a block of scratch too, to the same bits.
 *
 * @param threads how many may take part
 * @param packing blocks of products, in single precision; {@link GemmBlocking#NONE} if products are not packed
 */
public record MixedBlocks(int threads, GemmBlocking packing) implements MixedWork {
    /** Bytes of a number of single precision. */
    private static final int SINGLE = 4;

    @Override
    public long bytes(Launch l) {
        long scratch = least(l) * Math.clamp(l.count, 1, threads);
        return l.kernel == Kernel.GEMM ? Math.max(scratch, panels(l)) : scratch;
    }

    @Override
    public long least(Launch l) {
        return l.type == ElementType.I32 ? 0 : Mixed.WORK;
    }

    /** Converted blocks of A and B for every thread and, where C is narrower than single precision, the sums of a block of C. */
    private long panels(Launch l) {
        long panels = packing.bytes(0, l.m, l.n, l.k, SINGLE, threads);
        return panels == 0 || l.type.bytes() >= SINGLE ? panels : panels + threads * sums(l.m, l.n);
    }

    private long sums(long m, long n) {
        return packing.mc(0, m) * packing.nc(0, n) * SINGLE + 63 & -64;
    }
}
