package dev.basalt.host.assembled.code;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
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
    private static final MethodHandle HANDLE = NativeAccess.downcall(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG,
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
            JAVA_DOUBLE, JAVA_DOUBLE, ADDRESS, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG), Linker.Option.critical(true));

    private static final MemorySegment RESOLVE = CodeMemory.install(NativeCall.addresses());

    private HeapCall() {}

    /** Calls a kernel; if this thread has no arrays, as it is. */
    static long call(MemorySegment code, long a, long b, long c, long d, long e, long f, long g, long h, long i, long j,
            double alpha, double beta) {
        HeapOperands o = HeapOperands.own();
        o.called();
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
}
