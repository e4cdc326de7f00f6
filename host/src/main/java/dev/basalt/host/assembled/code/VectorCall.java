package dev.basalt.host.assembled.code;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/** Calls of the kernels of vectors, as {@link NativeCall}: the call is most of what a short vector takes, so those of three integers have a handle of their own. */
public final class VectorCall {
    /**
     * For kernels of three integers: registers that need not be filled show, 1.3 ns for three. The fourth is the address of the kernel, to which the code that is
     * called jumps: so that code is a constant to the JIT, and no segment is asked for what it is (0.5 ns).
     */
    private static final class Few {
        static final MethodHandle HANDLE = MethodHandles.insertArguments(
                NativeCall.bind(FunctionDescriptor.of(JAVA_LONG, NativeCall.longs(4, JAVA_DOUBLE, JAVA_DOUBLE))), 0,
                CodeMemory.install(NativeCall.jump()));
    }

    /**
     * Negative for so many calls, which take the handle of all other code: a program with few of them need not bind one more. They are so few
     * that the JIT keeps their way out of line.
     */
    private static long first = -1024;

    private VectorCall() {}

    /** A kernel of {@code StreamCode}: the bits of its result come back in the integer register. */
    public static double stream(MemorySegment code, long n, long x, long y, double alpha, double beta) {
        return stream(code.address(), n, x, y, alpha, beta);
    }

    /** The same with one factor. */
    public static double stream(MemorySegment code, long n, long x, long y, double alpha) {
        return stream(code.address(), n, x, y, alpha, 0);
    }

    /** The same by the kernel's address. */
    public static double stream(long code, long n, long x, long y, double alpha, double beta) {
        return Double.longBitsToDouble(few(code, n, x, y, alpha, beta));
    }

    /** A kernel of three integers at most, such as one that tells a place; the last two may lie in arrays. */
    public static long integers(MemorySegment code, long a, long b, long c) {
        return few(code.address(), a, b, c, 0, 0);
    }

    /** The same by the kernel's address. */
    public static long integers(long code, long a, long b, long c) {
        return few(code, a, b, c, 0, 0);
    }

    // Methods of at most 35 bytes: the JIT leaves no such one out of line, however seldom a caller of many branches comes there.

    private static long few(long code, long n, long x, long y, double alpha, double beta) {
        return isUsual(x, y) ? jump(n, x, y, code, alpha, beta) : seldom(code, n, x, y, alpha, beta);
    }

    private static boolean isUsual(long x, long y) {
        return (x + NativeCall.HEAP | y + NativeCall.HEAP | first) >= 0;
    }

    private static long jump(long n, long x, long y, long code, double alpha, double beta) {
        try {
            return (long) Few.HANDLE.invokeExact(n, x, y, code, alpha, beta);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    /** On arrays, or one of the first. */
    private static long seldom(long at, long n, long x, long y, double alpha, double beta) {
        MemorySegment code = MemorySegment.ofAddress(at);
        if (first < 0) {
            // Threads may lose a count to each other.
            first++;
        }
        return onHeap(x, y, 0)
                ? HeapCall.call(code, n, x, y, 0, 0, 0, alpha, beta)
                : six(code, n, x, y, 0, 0, 0, alpha, beta);
    }

    /** Distances, masks and lengths lie in no array and are not asked; numbers that look so and are none stay as they are. */
    private static boolean onHeap(long a, long b, long c) {
        return (a + NativeCall.HEAP | b + NativeCall.HEAP | c + NativeCall.HEAP) < 0;
    }

    private static long six(MemorySegment code, long a, long b, long c, long d, long e, long f, double alpha,
            double beta) {
        try {
            return (long) NativeCall.Registers.HANDLE.invokeExact(code, a, b, c, d, e, f, alpha, beta);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    /** {@link #stream} with two more factors as bits, on operands that do not lie in arrays: bits may look like a place in one. */
    public static double rotm(MemorySegment code, long n, long x, long y, long gamma, long delta, double alpha,
            double beta) {
        return Double.longBitsToDouble(six(code, n, x, y, gamma, delta, 0, alpha, beta));
    }

    /** A kernel of {@code PairCode}; {@code result} is where its result goes, or the bits of a cosine. */
    public static void pairs(MemorySegment code, long n, long x, long y, long mask, long result, double alphaRe,
            double alphaIm) {
        long unused = onHeap(x, y, result)
                ? HeapCall.call(code, n, x, y, mask, result, 0, alphaRe, alphaIm)
                : six(code, n, x, y, mask, result, 0, alphaRe, alphaIm);
    }

    /** A kernel of {@code StrideCode}. */
    public static long strides(MemorySegment code, long n, long x, long dx, long y, long dy, double alpha,
            double beta) {
        return onHeap(x, y, 0)
                ? HeapCall.call(code, n, x, dx, y, dy, 0, alpha, beta)
                : six(code, n, x, dx, y, dy, 0, alpha, beta);
    }

    /** A kernel of {@code StridePairCode}; {@code result} as of {@link #pairs}. */
    public static long stridedPairs(MemorySegment code, long n, long x, long dx, long y, long dy, long result,
            double alphaRe, double alphaIm) {
        return onHeap(x, y, result)
                ? HeapCall.call(code, n, x, dx, y, dy, result, alphaRe, alphaIm)
                : six(code, n, x, dx, y, dy, result, alphaRe, alphaIm);
    }
}
