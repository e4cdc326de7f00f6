package dev.basalt.kernels;

import dev.basalt.ElementType;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;

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
     * Writes a launch.
     *
     * @param at where the structure is
     * @param l what to write
     * @param sync address of the stream's synchronisation memory
     */
    public static void write(long at, Launch l, long sync) {
        for (int i = 0; i < 5; i++) {
            operand(at + i * OPERAND, l.operand(i));
        }
        scalar(at + ALPHA, l.alpha);
        scalar(at + BETA, l.beta);
        Memory.i64(at + SIZES, l.m);
        Memory.i64(at + SIZES + 8, l.n);
        Memory.i64(at + SIZES + 16, l.k);
        Memory.i64(at + SIZES + 24, l.p);
        Memory.i64(at + SIZES + 32, l.q);
        Memory.i64(at + SIZES + 40, l.count);
        Memory.i64(at + WORK, l.work);
        Memory.i64(at + WORK + 8, l.workBytes);
        Memory.i64(at + SYNC, sync);
        Memory.i32(at + OPTIONS, l.opA.ordinal());
        Memory.i32(at + OPTIONS + 4, l.opB.ordinal());
        Memory.i32(at + OPTIONS + 8, l.side.ordinal());
        Memory.i32(at + OPTIONS + 12, l.uplo.ordinal());
        Memory.i32(at + OPTIONS + 16, l.diag.ordinal());
        Memory.i32(at + OPTIONS + 20, l.flag ? 1 : 0);
        Memory.i32(at + OPTIONS + 24, l.guarded ? 1 : 0);
        parameters(at, 0, 0, 0);
    }

    /** The integers whose meaning each kernel defines. */
    static void parameters(long at, int x, int y, int z) {
        Memory.i32(at + X, x);
        Memory.i32(at + X + 4, y);
        Memory.i32(at + X + 8, z);
    }

    /** An operand; a vector's offset is moved to its element 0, so that kernels need not know its length. */
    static void operand(long at, Operand o) {
        long bytes = o.type.bytes();
        boolean down = o.vector && o.ld < 0;
        Memory.i64(at, o.base);
        Memory.i64(at + 8, o.offset + (down ? (1 - o.rows) * o.ld * bytes : 0));
        Memory.i64(at + 16, o.stride * bytes);
        Memory.i64(at + 24, o.ld);
        Memory.i32(at + 32, o.pointers ? 1 : 0);
        Memory.i32(at + 36, 0);
    }

    /** A contiguous vector a problem in the workspace, {@code bytes} long. */
    static void workspace(long at, long address, long bytes) {
        Memory.i64(at, address);
        Memory.i64(at + 8, 0);
        Memory.i64(at + 16, bytes);
        Memory.i64(at + 24, 1);
        Memory.i32(at + 32, 0);
        Memory.i32(at + 36, 0);
    }

    private static void scalar(long at, Scalar s) {
        Memory.f64(at, s.onDevice() ? 0 : s.re());
        Memory.f64(at + 8, s.onDevice() ? 0 : s.im());
        Memory.i64(at + 16, s.address());
        Memory.f64(at + 24, s.gateValue());
        Memory.i32(at + 32, letter(s.type()));
        Memory.i32(at + 36, s.gated() ? 1 : 0);
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
