package dev.basalt.host.assembled.code;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.portable.HeapOperands;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Calls of machine code on arrays of Java ({@link HeapOperands}). Every kernel can be called so: a piece of code before it gets the addresses of the
 * arrays, which hold for the time of a critical call, and puts them in the place of the numbers that stand for them.
 */
final class HeapCall {
    /** Kernels of six integers, which are in registers: most. */
    private static final class Registers {
        static final MethodHandle HANDLE = bind(6);
        static final MemorySegment RESOLVE = CodeMemory.install(NativeCall.addresses(6));
    }

    /** Kernels of ten. */
    private static final class Stack {
        static final MethodHandle HANDLE = bind(10);
        static final MemorySegment RESOLVE = CodeMemory.install(NativeCall.addresses(10));
    }

    private static MethodHandle bind(int integers) {
        MemoryLayout[] layouts = new MemoryLayout[integers + 2 + HeapOperands.MOST + 1];
        Arrays.fill(layouts, JAVA_LONG);
        Arrays.fill(layouts, integers, integers + 2, JAVA_DOUBLE);
        Arrays.fill(layouts, integers + 2, integers + 2 + HeapOperands.MOST, ADDRESS);
        return NativeAccess.downcall(FunctionDescriptor.of(JAVA_LONG, layouts), Linker.Option.critical(true));
    }

    private HeapCall() {}

    /** Calls a kernel; if this thread has no arrays, as it is. */
    static long call(MemorySegment code, long a, long b, long c, long d, long e, long f, double alpha, double beta) {
        HeapOperands o = HeapOperands.own();
        o.called();
        long at = code.address();
        try {
            // The segments of each case are made where they are used, so that the JIT makes none.
            if (o.isSingle()) {
                return (long) Registers.HANDLE.invokeExact(Registers.RESOLVE, a, b, c, d, e, f, alpha, beta,
                        MemorySegment.ofArray(o.floats(0)), MemorySegment.ofArray(o.floats(1)),
                        MemorySegment.ofArray(o.floats(2)), MemorySegment.ofArray(o.floats(3)), at);
            }
            if (o.isEmpty()) {
                return (long) Registers.HANDLE.invokeExact(code, a, b, c, d, e, f, alpha, beta, MemorySegment.NULL,
                        MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL, at);
            }
            return (long) Registers.HANDLE.invokeExact(Registers.RESOLVE, a, b, c, d, e, f, alpha, beta,
                    MemorySegment.ofArray(o.doubles(0)), MemorySegment.ofArray(o.doubles(1)),
                    MemorySegment.ofArray(o.doubles(2)), MemorySegment.ofArray(o.doubles(3)), at);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    /** The same with ten integers. */
    static long call(MemorySegment code, long a, long b, long c, long d, long e, long f, long g, long h, long i, long j,
            double alpha, double beta) {
        HeapOperands o = HeapOperands.own();
        o.called();
        long at = code.address();
        try {
            // The segments of each case are made where they are used, so that the JIT makes none.
            if (o.isSingle()) {
                return (long) Stack.HANDLE.invokeExact(Stack.RESOLVE, a, b, c, d, e, f, g, h, i, j, alpha, beta,
                        MemorySegment.ofArray(o.floats(0)), MemorySegment.ofArray(o.floats(1)),
                        MemorySegment.ofArray(o.floats(2)), MemorySegment.ofArray(o.floats(3)), at);
            }
            if (o.isEmpty()) {
                return (long) Stack.HANDLE.invokeExact(code, a, b, c, d, e, f, g, h, i, j, alpha, beta,
                        MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL, at);
            }
            return (long) Stack.HANDLE.invokeExact(Stack.RESOLVE, a, b, c, d, e, f, g, h, i, j, alpha, beta,
                    MemorySegment.ofArray(o.doubles(0)), MemorySegment.ofArray(o.doubles(1)),
                    MemorySegment.ofArray(o.doubles(2)), MemorySegment.ofArray(o.doubles(3)), at);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }
}
