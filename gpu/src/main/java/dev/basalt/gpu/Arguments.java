package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

/**
 * The one structure that every kernel takes by value, written at an address: {@code struct Args} of {@code basalt.h}. All
 * offsets are in bytes; the header has the same numbers as static assertions.
 */
public final class Arguments {
    /** Size of the structure. */
    public static final int BYTES = 528;

    /** Size of an operand, a to g, and of a scalar, alpha and beta. */
    static final int OPERAND = 40;

    static final int SCALAR = 40;

    /** In an operand. */
    static final int BASE = 0;

    static final int OFFSET = 8;
    static final int STRIDE = 16;
    static final int LD = 24;
    static final int POINTERS = 32;

    /** In a scalar. */
    static final int RE = 0;

    static final int IM = 8;
    static final int ADDRESS = 16;
    static final int GATE = 24;
    static final int TYPE = 32;

    static final int ALPHA = 200;
    static final int BETA = 240;
    static final int SIZES = 280;
    static final int WORK = 328;
    static final int SYNC = 344;
    static final int OPTIONS = 352;
    static final int X = 380;

    static final int EXTENT_OF = 392;
    static final int SEMIRING = 396;
    static final int F = 400;
    static final int BAND_A = 480;
    static final int BAND_C = 496;
    static final int EXTENT = 512;

    /** The first operands lie before the scalars, f and g behind all that kernels had before there were these. */
    private static final int FIRST_OPERANDS = 5;

    private Arguments() {}

    /**
     * Writes a launch. What the kernel does not use of the structure stays as it is: every store of a call counts, and there would be
     * 70 of them.
     *
     * @param at where the structure is
     * @param l what to write
     * @param sync address of the stream's synchronisation memory
     */
    public static void write(long at, Launch l, long sync) {
        // The array of problems to be left out is e.
        int used = l.kernel.operands() | (l.guarded ? 1 << 4 : 0);
        for (int i = 0; used != 0; i++, used >>= 1) {
            if ((used & 1) != 0) {
                operand(at + (i < FIRST_OPERANDS ? i * OPERAND : F + (i - FIRST_OPERANDS) * OPERAND), l.operand(i),
                        l.uplo);
            }
        }
        scalar(at + ALPHA, l.alpha);
        scalar(at + BETA, l.beta);
        Memory.i64(at + SIZES, l.m);
        Memory.i64(at + SIZES + 8, l.n);
        Memory.i64(at + SIZES + 16, l.k);
        Memory.i64(at + SIZES + 24, l.kernel == Kernel.EXPAND ? l.structure.ordinal() : l.p);
        Memory.i64(at + SIZES + 32, l.q);
        Memory.i64(at + SIZES + 40, l.count);
        Memory.i64(at + WORK, l.work);
        Memory.i64(at + WORK + 8, l.workBytes);
        Memory.i64(at + SYNC, sync);
        pair(at + OPTIONS, l.opA.ordinal(), l.opB.ordinal());
        pair(at + OPTIONS + 8, l.side.ordinal(), l.uplo.ordinal());
        pair(at + OPTIONS + 16, l.diag.ordinal(), l.conjugated || l.hermitian || l.backward || l.real ? 1 : 0);
        Memory.i32(at + OPTIONS + 24, l.guarded ? 1 : 0);
        pair(at + EXTENT_OF, l.extentOf.ordinal(), l.semiring.ordinal());
        if (l.extent != 0) {
            Memory.i64(at + EXTENT, l.extent);
            Memory.i64(at + EXTENT + 8, l.extentStride);
        }
        if (l.a.storage == Storage.BAND) {
            band(at + BAND_A, l.a);
        }
        if (l.c.storage == Storage.BAND) {
            band(at + BAND_C, l.c);
        }
        parameters(at, 0, 0, 0);
    }

    /** Two integers, the first at the lower address: all devices that these kernels are for are little-endian. */
    private static void pair(long at, int first, int second) {
        Memory.i64(at, first & 0xffffffffL | (long) second << 32);
    }

    /** Another m than that of the launch. */
    static void m(long at, long m) {
        Memory.i64(at + SIZES, m);
    }

    /** Other dimensions than those of the launch. */
    static void sizes(long at, long m, long n, long k) {
        m(at, m);
        Memory.i64(at + SIZES + 8, n);
        Memory.i64(at + SIZES + 16, k);
    }

    /** The integers whose meaning each kernel defines. */
    static void parameters(long at, int x, int y, int z) {
        Memory.i32(at + X, x);
        pair(at + X + 4, y, z);
    }

    private static void band(long at, Operand o) {
        Memory.i64(at, o.kl);
        Memory.i64(at + 8, o.ku);
    }

    /** An operand; a vector's offset is moved to its element 0, so that kernels need not know its length. */
    static void operand(long at, Operand o, Uplo uplo) {
        long bytes = o.type.bytes();
        boolean down = o.vector && o.ld < 0;
        Memory.i64(at + BASE, o.base);
        Memory.i64(at + STRIDE, o.stride * bytes);
        if (o.storage == Storage.DENSE) {
            Memory.i64(at + OFFSET, o.offset + (down ? (1 - o.rows) * o.ld * bytes : 0));
            Memory.i64(at + LD, o.ld);
        } else {
            // To element (0, 0), and from there to column 1, whether or not they are stored.
            Memory.i64(at + OFFSET, o.offset + (o.storage == Storage.BAND ? o.ku * bytes : 0));
            Memory.i64(at + LD, o.step(uplo));
        }
        pair(at + POINTERS, o.pointers && o.present() ? 1 : 0, o.storage.ordinal());
    }

    /** A contiguous vector a problem in the workspace, {@code bytes} long. */
    static void workspace(long at, long address, long bytes) {
        Memory.i64(at + BASE, address);
        Memory.i64(at + OFFSET, 0);
        Memory.i64(at + STRIDE, bytes);
        Memory.i64(at + LD, 1);
        Memory.i64(at + POINTERS, 0);
    }

    /** Moves an operand that is written on by some bytes. */
    static void further(long at, long bytes) {
        Memory.i64(at + OFFSET, Memory.i64(at + OFFSET) + bytes);
    }

    /** A matrix of one problem in the workspace. */
    static void columns(long at, long address, long ld) {
        workspace(at, address, 0);
        Memory.i64(at + LD, ld);
    }

    static void scalar(long at, Scalar s) {
        boolean host = !s.onDevice();
        Memory.f64(at + RE, host ? s.re() : 0);
        Memory.f64(at + IM, host ? s.im() : 0);
        Memory.i64(at + ADDRESS, s.address());
        if (!host) {
            Memory.f64(at + GATE, s.gateValue());
            pair(at + TYPE, letter(s.type()), s.gated() ? 1 : 0);
        } else {
            Memory.i64(at + TYPE, 0);
        }
    }

    /** 0 to 3 for s d c z; the numbers of scalars that kernels of mixed types alone read. */
    static int letter(ElementType type) {
        return switch (type) {
            case F32 -> 0;
            case F64 -> 1;
            case C32 -> 2;
            case C64 -> 3;
            case F16 -> 4;
            case BF16 -> 5;
            case I32 -> 6;
            default -> 1;
        };
    }
}
