package dev.basalt.host.asm;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * Calls of machine code, one handle a signature: binding a handle takes milliseconds, a new kernel then takes none. Each handle is
 * bound at its first use. All calls are critical, that is without a change of the thread's state: a garbage collection
 * waits for a kernel's end, so no kernel runs long.
 */
final class Call {
    private Call() {}

    @SuppressWarnings("restricted")
    private static MethodHandle bind(FunctionDescriptor signature) {
        return Linker.nativeLinker().downcallHandle(signature, Linker.Option.critical(false));
    }

    private static MemoryLayout[] longs(int count, MemoryLayout... rest) {
        MemoryLayout[] layouts = new MemoryLayout[count + rest.length];
        Arrays.fill(layouts, 0, count, JAVA_LONG);
        System.arraycopy(rest, 0, layouts, count, rest.length);
        return layouts;
    }

    private static AssertionError impossible(Throwable e) {
        return new AssertionError("machine code throws nothing", e);
    }

    /** Holds one handle, so that only the ones in use are bound. */
    private static final class Six {
        static final MethodHandle HANDLE = bind(FunctionDescriptor.of(JAVA_LONG, longs(6)));
    }

    private static final class Tile {
        static final MethodHandle HANDLE = bind(FunctionDescriptor.ofVoid(longs(6, JAVA_DOUBLE, JAVA_DOUBLE)));
    }

    private static final class Direct {
        static final MethodHandle HANDLE = bind(FunctionDescriptor.ofVoid(longs(9, JAVA_DOUBLE, JAVA_DOUBLE)));
    }

    private static final class Stream {
        static final MethodHandle HANDLE = bind(FunctionDescriptor.of(JAVA_DOUBLE, longs(3, JAVA_DOUBLE)));
    }

    /** Code that takes up to six integers. */
    static long six(MemorySegment code, long a, long b, long c, long d, long e, long f) {
        try {
            return (long) Six.HANDLE.invokeExact(code, a, b, c, d, e, f);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    /** A kernel of {@link TileCode}. */
    static void tile(
            MemorySegment code, long kc, long a, long b, long c, long ldc, long extra, double alpha, double beta) {
        try {
            Tile.HANDLE.invokeExact(code, kc, a, b, c, ldc, extra, alpha, beta);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    /** A kernel of {@link DirectCode}. */
    static void direct(
            MemorySegment code,
            long k,
            long a,
            long lda,
            long b,
            long step,
            long next,
            long c,
            long ldc,
            long mask,
            double alpha,
            double beta) {
        try {
            Direct.HANDLE.invokeExact(code, k, a, lda, b, step, next, c, ldc, mask, alpha, beta);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    /** A kernel of {@link StreamCode}. */
    static double stream(MemorySegment code, long n, long x, long y, double alpha) {
        try {
            return (double) Stream.HANDLE.invokeExact(code, n, x, y, alpha);
        } catch (Throwable t) {
            throw impossible(t);
        }
    }
}
