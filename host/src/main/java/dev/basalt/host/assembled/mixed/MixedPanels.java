package dev.basalt.host.assembled.mixed;

import dev.basalt.host.assembled.x86.Format;
import dev.basalt.portable.MixedBlocks;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.MixedWork;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;

/**
 * Which launches of mixed types the assembled kernels take, and the packing memory with which their products are fastest. Panels have the same bytes whatever
 * lies in their lanes, so the need depends on the type of C alone, and not on the processor's products of halves and bytes.
 *
 * @param blocking packing blocks of single precision
 * @param halves whether the processor converts halves
 * @param threads how many threads may take part
 */
public record MixedPanels(GemmBlocking blocking, boolean halves, int threads) implements MixedWork {
    private static final int SINGLE = 4;

    @Override
    public long bytes(Launch l) {
        if (!takes(l, halves)) {
            return new MixedBlocks(threads).bytes(l);
        }
        return l.kernel != Kernel.GEMM ? 0 : threads * bytes(blocking, l.c.type.bytes(), l.m, l.n, l.k);
    }

    @Override
    public long least(Launch l) {
        return takes(l, halves) ? 0 : new MixedBlocks(threads).least(l);
    }

    /** What one thread packs, and for narrow elements of C their sums; 0 for products that convert into memory of the thread's own. */
    static long bytes(GemmBlocking blocking, int elementBytes, long m, long n, long k) {
        long panels = blocking.bytes(0, m, n, k, SINGLE, 1);
        return panels == 0 || elementBytes >= SINGLE ? panels : panels + sums(blocking, m, n);
    }

    private static long sums(GemmBlocking blocking, long m, long n) {
        return (SINGLE * blocking.mc(0, m) * blocking.nc(0, n) + 63) & -64;
    }

    /** Whether kernels know a launch of mixed types: by its types and increments, not by its place or size. */
    static boolean takes(Launch l, boolean halves) {
        if (l.type == ElementType.I32) {
            return l.kernel == Kernel.GEMM && l.a.type == ElementType.I8 && l.b.type == ElementType.I8
                    && l.c.type == ElementType.I32;
        }
        boolean single = l.type == ElementType.F32 || l.type == ElementType.F16 || l.type == ElementType.BF16;
        return single && switch (l.kernel) {
            case GEMM -> knows(l.a, true, halves) && knows(l.b, true, halves) && knows(l.c, false, halves);
            case GEMV -> l.a.storage == Storage.DENSE && knows(l.a, false, halves) && knows(l.b, false, halves)
                    && knows(l.c, false, halves) && l.c.ld != 0;
            case GEAM_EX -> false;
            case DOT -> knows(l.a, false, halves) && knows(l.b, false, halves);
            case NRM2 -> knows(l.a, false, halves);
            case SCAL -> knows(l.c, false, halves) && l.c.ld != 0;
            default -> knows(l.a, false, halves) && knows(l.c, false, halves) && l.c.ld != 0 && l.a.ld != 0;
        };
    }

    /** Whether kernels know a type, of 8 bits only if they load bytes. */
    private static boolean knows(Operand x, boolean bytes, boolean halves) {
        Format format = Format.of(x.type);
        return format != null && (bytes || format.stored()) && (halves || !format.half());
    }
}
