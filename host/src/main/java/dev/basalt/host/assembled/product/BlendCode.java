package dev.basalt.host.assembled.product;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i8;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Vectors;
import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Kernels that finish a packed block on the diagonal of a triangular, symmetric or Hermitian matrix. Arguments: vectors, x, y,
 * masks (as long as x, all ones where x stays), and one vector with the signs to change.
 */
final class BlendCode {
    /** What a kernel does. */
    public enum Kind {
        /** x is 0 where it does not stay. */
        CLEAR,
        /** x is y where it does not stay. */
        MERGE,
        /** x is y with signs changed where it does not stay. */
        MERGE_CONJ,
        /** x changes signs. */
        CONJ,
        /** y with signs changed is added to x. */
        ADD
    }

    private BlendCode() {}

    static byte[] write(Kind kind, Isa isa, Real precision) {
        CallingConvention abi = CallingConvention.SYSTEM_V;
        Emitter code = new Emitter();
        Vectors v = new Vectors(code, isa, precision);
        Mem x = Mem.at(abi.integer(1), 0);
        Mem y = Mem.at(abi.integer(2), 0);
        Mem masks = Mem.at(abi.integer(3), 0);
        Mem signs = Mem.at(abi.integer(4), 0);
        Label top = new Label();
        code.align(32);
        code.bind(top);
        v.load(0, kind == Kind.CONJ ? x : kind == Kind.ADD ? y : masks);
        if (kind == Kind.CONJ) {
            v.xor(0, 0, signs);
        } else if (kind == Kind.ADD) {
            v.xor(0, 0, signs);
            v.add(0, 0, x);
        } else if (kind == Kind.CLEAR) {
            v.and(0, 0, x);
        } else {
            v.load(1, y);
            if (kind == Kind.MERGE_CONJ) {
                v.xor(1, 1, signs);
            }
            v.andNot(1, 0, 1);
            v.and(0, 0, x);
            v.or(0, 0, 1);
        }
        v.store(x, 0);
        for (int i = 1; i <= 3; i++) {
            code.add(abi.integer(i), isa.bytes);
        }
        code.dec(abi.integer(0));
        code.jump(NOT_ZERO, top);
        code.finish();
        return code.code();
    }

    /** Runs a new kernel once and compares with Java. */
    static boolean good(Kind kind, MemorySegment code, Isa isa, Real precision) {
        return kind == Kind.ADD ? adds(code, isa, precision.bytes) : moves(kind, code, isa);
    }

    private static boolean adds(MemorySegment code, Isa isa, int size) {
        int count = 3 * isa.bytes / size;
        try (Arena arena = Arena.ofConfined()) {
            long x = arena.allocate((long) (count + 1) * size, 64).address();
            long y = arena.allocate((long) count * size, 64).address();
            long signs = arena.allocate(isa.bytes, 64).address();
            for (int i = 0; i < count; i++) {
                set(size, x + (long) i * size, i % 7);
                set(size, y + (long) i * size, i % 5 - 9);
                set(size, signs + (long) i * size % isa.bytes, i % 2 == 0 ? 0.0 : -0.0);
            }
            NativeCall.code(code, 3, x, y, y, signs, 0);
            boolean good = get(size, x + (long) count * size) == 0;
            for (int i = 0; i < count; i++) {
                int other = i % 5 - 9;
                good &= get(size, x + (long) i * size) == i % 7 + (i % 2 == 0 ? other : -other);
            }
            return good;
        }
    }

    private static void set(int size, long at, double value) {
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    private static double get(int size, long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    private static boolean moves(Kind kind, MemorySegment code, Isa isa) {
        int bytes = 3 * isa.bytes;
        try (Arena arena = Arena.ofConfined()) {
            long x = arena.allocate(bytes + 1L, 64).address();
            long y = arena.allocate(bytes, 64).address();
            long masks = arena.allocate(bytes, 64).address();
            long signs = arena.allocate(isa.bytes, 64).address();
            for (int i = 0; i < bytes; i++) {
                Memory.fill(x + i, 1, (byte) (i * 37));
                Memory.fill(y + i, 1, (byte) (i * 59 + 11));
                Memory.fill(masks + i, 1, (byte) (i / 8 % 3 == 0 ? -1 : 0));
                Memory.fill(signs + i % isa.bytes, 1, (byte) (i % isa.bytes % 16 == 15 ? 0x80 : 0));
            }
            NativeCall.code(code, 3, x, y, masks, signs, 0);
            boolean good = i8(x + bytes) == 0;
            for (int i = 0; i < bytes; i++) {
                int mask = i8(masks + i);
                int sign = i8(signs + i % isa.bytes);
                int old = (byte) (i * 37);
                int other = i8(y + i);
                int expected = switch (kind) {
                    case CLEAR -> old & mask;
                    case MERGE -> old & mask | other & ~mask;
                    case MERGE_CONJ -> old & mask | (other ^ sign) & ~mask;
                    case CONJ -> old ^ sign;
                    case ADD -> throw new IllegalArgumentException("no numbers here");
                };
                good &= i8(x + i) == (byte) expected;
            }
            return good;
        }
    }
}
