package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.foreign.NativeAccess;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/**
 * A call of a function by the Fortran convention: nothing but addresses. One handle for each number of addresses, in a constant,
 * with the function as its first argument: so the JIT compiler turns every call into the call instruction itself. Critical
 * calls, which save the peer 4 ns; whatever Java does meanwhile waits.
 */
final class FortranCall implements Call {
    /** What a function returns. */
    enum Result {
        NOTHING, DOUBLE, FLOAT, INT
    }

    private static final MethodHandle D3 = handle(JAVA_DOUBLE, 3);
    private static final MethodHandle D5 = handle(JAVA_DOUBLE, 5);
    private static final MethodHandle F3 = handle(JAVA_FLOAT, 3);
    private static final MethodHandle F5 = handle(JAVA_FLOAT, 5);
    private static final MethodHandle I3 = handle(JAVA_INT, 3);
    private static final MethodHandle V4 = handle(null, 4);
    private static final MethodHandle V5 = handle(null, 5);
    private static final MethodHandle V6 = handle(null, 6);
    private static final MethodHandle V7 = handle(null, 7);
    private static final MethodHandle V8 = handle(null, 8);
    private static final MethodHandle V9 = handle(null, 9);
    private static final MethodHandle V10 = handle(null, 10);
    private static final MethodHandle V11 = handle(null, 11);
    private static final MethodHandle V12 = handle(null, 12);
    private static final MethodHandle V13 = handle(null, 13);

    private final MemorySegment function;
    private final Result result;
    private final int count;
    private final long a;
    private final long b;
    private final long c;
    private final long d;
    private final long e;
    private final long f;
    private final long g;
    private final long h;
    private final long i;
    private final long j;
    private final long k;
    private final long l;
    private final long m;

    FortranCall(MemorySegment function, Result result, long... p) {
        this.function = function;
        this.result = result;
        this.count = p.length;
        long[] all = Arrays.copyOf(p, 13);
        a = all[0];
        b = all[1];
        c = all[2];
        d = all[3];
        e = all[4];
        f = all[5];
        g = all[6];
        h = all[7];
        i = all[8];
        j = all[9];
        k = all[10];
        l = all[11];
        m = all[12];
    }

    private static MethodHandle handle(MemoryLayout result, int addresses) {
        MemoryLayout[] layouts = new MemoryLayout[addresses];
        Arrays.fill(layouts, JAVA_LONG);
        FunctionDescriptor descriptor =
                result == null ? FunctionDescriptor.ofVoid(layouts) : FunctionDescriptor.of(result, layouts);
        return NativeAccess.downcall(descriptor, Linker.Option.critical(false));
    }

    @Override
    public double run() {
        try {
            return switch (result) {
                case DOUBLE -> count == 3
                        ? (double) D3.invokeExact(function, a, b, c)
                        : (double) D5.invokeExact(function, a, b, c, d, e);
                case FLOAT -> count == 3
                        ? (float) F3.invokeExact(function, a, b, c)
                        : (float) F5.invokeExact(function, a, b, c, d, e);
                case INT -> (int) I3.invokeExact(function, a, b, c);
                case NOTHING -> nothing();
            };
        } catch (Throwable t) {
            throw failure(t);
        }
    }

    private double nothing() throws Throwable {
        switch (count) {
            case 4 -> V4.invokeExact(function, a, b, c, d);
            case 5 -> V5.invokeExact(function, a, b, c, d, e);
            case 6 -> V6.invokeExact(function, a, b, c, d, e, f);
            case 7 -> V7.invokeExact(function, a, b, c, d, e, f, g);
            case 8 -> V8.invokeExact(function, a, b, c, d, e, f, g, h);
            case 9 -> V9.invokeExact(function, a, b, c, d, e, f, g, h, i);
            case 10 -> V10.invokeExact(function, a, b, c, d, e, f, g, h, i, j);
            case 11 -> V11.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k);
            case 12 -> V12.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l);
            case 13 -> V13.invokeExact(function, a, b, c, d, e, f, g, h, i, j, k, l, m);
            default -> throw new IllegalStateException("no routine has " + count + " arguments");
        }
        return 0;
    }

    static RuntimeException failure(Throwable t) {
        return NativeAccess.failure(t);
    }
}
