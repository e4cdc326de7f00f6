package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.type.ElementType;

/**
 * The one structure that every kernel takes by value, written at an address: {@code struct Args} of {@code basalt.h}. All
 * offsets are in bytes; the header has the same numbers as static assertions.
 */
public final class Arguments {
    /** Size of the structure. */
    public static final int BYTES = 400;

    /** Size of an operand, a to e, and of a scalar, alpha and beta. */
    static final int OPERAND = 40;

    static final int ALPHA = 200;
    static final int BETA = 240;
    static final int SIZES = 280;
    static final int WORK = 328;
    static final int SYNC = 344;
    static final int OPTIONS = 352;
    static final int X = 380;

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
                operand(at + i * OPERAND, l.operand(i));
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
        parameters(at, 0, 0, 0);
    }

    /** Two integers, the first at the lower address: all devices that these kernels are for are little-endian. */
    private static void pair(long at, int first, int second) {
        Memory.i64(at, first & 0xffffffffL | (long) second << 32);
    }

    /** The integers whose meaning each kernel defines. */
    static void parameters(long at, int x, int y, int z) {
        Memory.i32(at + X, x);
        pair(at + X + 4, y, z);
    }

    /** An operand; a vector's offset is moved to its element 0, so that kernels need not know its length. */
    static void operand(long at, Operand o) {
        long bytes = o.type.bytes();
        boolean down = o.vector && o.ld < 0;
        Memory.i64(at, o.base);
        Memory.i64(at + 8, o.offset + (down ? (1 - o.rows) * o.ld * bytes : 0));
        Memory.i64(at + 16, o.stride * bytes);
        Memory.i64(at + 24, o.ld);
        Memory.i64(at + 32, o.pointers ? 1 : 0);
    }

    /** A contiguous vector a problem in the workspace, {@code bytes} long. */
    static void workspace(long at, long address, long bytes) {
        Memory.i64(at, address);
        Memory.i64(at + 8, 0);
        Memory.i64(at + 16, bytes);
        Memory.i64(at + 24, 1);
        Memory.i64(at + 32, 0);
    }

    private static void scalar(long at, Scalar s) {
        boolean host = !s.onDevice();
        Memory.f64(at, host ? s.re() : 0);
        Memory.f64(at + 8, host ? s.im() : 0);
        Memory.i64(at + 16, s.address());
        if (!host) {
            Memory.f64(at + 24, s.gateValue());
            pair(at + 32, letter(s.type()), s.gated() ? 1 : 0);
        } else {
            Memory.i64(at + 32, 0);
        }
    }

    /** 0 to 3 for s d c z. */
    static int letter(ElementType type) {
        return switch (type) {
            case F32 -> 0;
            case F64 -> 1;
            case C32 -> 2;
            case C64 -> 3;
            default -> 1;
        };
    }
}
