package dev.basalt.host.assembled.code;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_BELOW;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RSP;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.portable.HeapOperands;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls of machine code on arrays of Java ({@link HeapOperands}). Every kernel can be called so: a piece of code before it gets the addresses of the
 * arrays, which hold for the time of a critical call, and puts them in the place of the numbers that stand for them.
 */
final class HeapCall {
    /** Integers that a kernel may take. */
    private static final int INTEGERS = 10;
    private static final int IN_REGISTERS = 6;

    private static final MethodHandle HANDLE = NativeAccess.downcall(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG,
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_DOUBLE, JAVA_DOUBLE, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG), Linker.Option.critical(true));

    private static final MemorySegment RESOLVE = CodeMemory.install(resolve());

    private HeapCall() {}

    /** Calls a kernel; if this thread has no arrays, as it is. */
    static long call(MemorySegment code, long a, long b, long c, long d, long e, long f, long g, long h, long i, long j,
            double alpha, double beta) {
        HeapOperands o = HeapOperands.own();
        long at = code.address();
        try {
            // The segments of each case are made where they are used, so that the JIT makes none.
            if (o.isSingle()) {
                return (long) HANDLE.invokeExact(RESOLVE, a, b, c, d, e, f, g, h, i, j, alpha, beta,
                        MemorySegment.ofArray(o.floats(0)), MemorySegment.ofArray(o.floats(1)),
                        MemorySegment.ofArray(o.floats(2)), MemorySegment.ofArray(o.floats(3)), at);
            }
            if (o.isEmpty()) {
                return (long) HANDLE.invokeExact(code, a, b, c, d, e, f, g, h, i, j, alpha, beta, MemorySegment.NULL,
                        MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL, at);
            }
            return (long) HANDLE.invokeExact(RESOLVE, a, b, c, d, e, f, g, h, i, j, alpha, beta,
                    MemorySegment.ofArray(o.doubles(0)), MemorySegment.ofArray(o.doubles(1)),
                    MemorySegment.ofArray(o.doubles(2)), MemorySegment.ofArray(o.doubles(3)), at);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    /** The code before a kernel. */
    private static byte[] resolve() {
        CallingConvention abi = CallingConvention.current();
        Emitter code = new Emitter();
        code.mov(R11, -HeapOperands.BIAS);
        for (int i = 0; i < IN_REGISTERS; i++) {
            resolve(code, abi, abi.integer(i), null);
        }
        for (int i = IN_REGISTERS; i < INTEGERS; i++) {
            code.load(RAX, abi.stacked(i));
            resolve(code, abi, RAX, abi.stacked(i));
        }
        code.load(R10, abi.stacked(INTEGERS + HeapOperands.MOST));
        code.jump(R10);
        return code.code();
    }

    private static void resolve(Emitter code, CallingConvention abi, Gp number, Mem home) {
        Label address = new Label();
        int above = Long.SIZE - HeapOperands.SHIFT;
        code.mov(R10, number);
        code.shr(R10, HeapOperands.SHIFT);
        code.sub(R10, 1 << above - 1);
        code.compare(R10, HeapOperands.MOST);
        code.jump(NOT_BELOW, address);
        code.load(R10, Mem.at(RSP, R10, 8, abi.stacked(INTEGERS).disp()));
        code.shl(number, above);
        code.shr(number, above);
        code.add(number, R11);
        code.add(number, R10);
        if (home != null) {
            code.store(home, number);
        }
        code.bind(address);
    }
}
