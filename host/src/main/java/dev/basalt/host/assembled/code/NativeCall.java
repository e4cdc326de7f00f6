package dev.basalt.host.assembled.code;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Calls of machine code, one handle a signature: binding a handle takes milliseconds, a new kernel then takes none. So nearly
 * all code shares one signature, and a handle is bound at its first use. All calls are critical, that is without a change of
 * the thread's state: a garbage collection waits for a kernel's end, so no kernel runs long.
 */
public final class NativeCall {
    private static IntFunction<byte[]> addresses;
    private static Supplier<byte[]> jump;

    private NativeCall() {}

    /**
     * Sets the code before a kernel; who writes machine code gives it before any kernel runs.
     *
     * @param arrays makes that before one which is called on arrays, for kernels of so many integers
     * @param fourth makes that which jumps to the fourth integer
     */
    public static void before(IntFunction<byte[]> arrays, Supplier<byte[]> fourth) {
        addresses = arrays;
        jump = fourth;
    }

    static byte[] addresses(int integers) {
        return addresses.apply(integers);
    }

    static byte[] jump() {
        return jump.get();
    }

    static MethodHandle bind(FunctionDescriptor signature) {
        return NativeAccess.downcall(signature, Linker.Option.critical(false));
    }

    static MemoryLayout[] longs(int count, MemoryLayout... rest) {
        MemoryLayout[] layouts = new MemoryLayout[count + rest.length];
        Arrays.fill(layouts, 0, count, JAVA_LONG);
        System.arraycopy(rest, 0, layouts, count, rest.length);
        return layouts;
    }

    /** Holds one handle, so that only those in use are bound. */
    static final class Registers {
        static final MethodHandle HANDLE = bind(FunctionDescriptor.of(JAVA_LONG, longs(6, JAVA_DOUBLE, JAVA_DOUBLE)));
    }

    private static final class Stack {
        static final MethodHandle HANDLE = bind(FunctionDescriptor.of(JAVA_LONG, longs(10, JAVA_DOUBLE, JAVA_DOUBLE)));
    }

    /** Added to a number that stands for a place in an array of Java this gives a negative one, as to no address and no small number. */
    static final long HEAP = 1L << 62;

    /** Whether one of these may stand for a place in an array; what else looks so, the bits of a negative number, goes the same way. */
    static boolean onHeap(long a, long b, long c, long d) {
        return (a + HEAP | b + HEAP | c + HEAP | d + HEAP) < 0;
    }

    /** Code that takes up to six integers. Functions of C that take fewer, or of 32 bits, do not see the rest. */
    public static long code(MemorySegment code, long a, long b, long c, long d, long e, long f) {
        if (onHeap(a, b, c, d) || onHeap(e, f, 0, 0)) {
            return HeapCall.call(code, a, b, c, d, e, f, 0, 0);
        }
        try {
            return (long) Registers.HANDLE.invokeExact(code, a, b, c, d, e, f, 0.0, 0.0);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    /** A kernel of {@code TileCode}; what it returns means nothing. */
    public static void tile(MemorySegment code, long kc, long a, long b, long c, long ldc, long extra, double alpha,
            double beta) {
        if (onHeap(a, b, c, ldc) || extra + HEAP < 0) {
            HeapCall.call(code, kc, a, b, c, ldc, extra, alpha, beta);
            return;
        }
        try {
            long unused = (long) Registers.HANDLE.invokeExact(code, kc, a, b, c, ldc, extra, alpha, beta);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    /** A kernel of {@code SwapCode}: its last two integers travel as bits. */
    public static long swap(MemorySegment code, long n, long a, long lda, long pivots, long count, long row, long rows,
            long firstRow) {
        double rowBits = Double.longBitsToDouble(rows);
        double firstBits = Double.longBitsToDouble(firstRow);
        if (onHeap(a, pivots, 0, 0)) {
            return HeapCall.call(code, n, a, lda, pivots, count, row, rowBits, firstBits);
        }
        try {
            return (long) Registers.HANDLE.invokeExact(code, n, a, lda, pivots, count, row, rowBits, firstBits);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    /** A kernel of {@code DirectCode}, or another of ten integers; what most of them return means nothing. */
    public static long direct(MemorySegment code, long k, long a, long lda, long b, long step, long next, long c,
            long ldc, long mask, long panels, double alpha, double beta) {
        if (onHeap(a, lda, b, step) || onHeap(next, c, mask, panels)) {
            return HeapCall.call(code, k, a, lda, b, step, next, c, ldc, mask, panels, alpha, beta);
        }
        try {
            return (long) Stack.HANDLE.invokeExact(code, k, a, lda, b, step, next, c, ldc, mask, panels, alpha, beta);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    /** A kernel that {@link VectorCall#stream} calls. */
    public static double stream(MemorySegment code, long n, long x, long y, double alpha, double beta) {
        return VectorCall.stream(code, n, x, y, alpha, beta);
    }

    /** The same with one factor. */
    public static double stream(MemorySegment code, long n, long x, long y, double alpha) {
        return stream(code, n, x, y, alpha, 0);
    }

    /** A kernel of {@code PanelCode} with a seventh integer. */
    public static void panels(MemorySegment code, long m, long n, long a, long lda, long rows, long columns, long extra,
            double alpha, double alphaIm) {
        direct(code, m, n, a, lda, rows, columns, extra, 0, 0, 0, alpha, alphaIm);
    }
}
