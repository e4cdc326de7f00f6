package dev.basalt.conformance.numbers;

import static dev.basalt.conformance.numbers.Reference.require;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Batch;
import dev.basalt.conformance.support.Trial;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** One trial of each transfer: bytes arrive where they belong, and the gaps on both sides stay. */
final class Transfers {
    private static final byte GAP = 0x5a;

    private Transfers() {}

    static void setVector(Trial t) {
        vector(t, true);
    }

    static void getVector(Trial t) {
        vector(t, false);
    }

    private static void vector(Trial t, boolean set) {
        t.problems(2);
        boolean async = t.option("async", true, false);
        int n = t.length("n");
        int incHost = t.note("incHost", t.pick(1, 1, 2, 5));
        Batch x = t.outputVector(n, t.note("inc", t.pick(1, 1, 2, 3))).writesNothing();
        int size = t.type.bytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = host(arena, n == 0 ? 1 : (n - 1L) * incHost * size + size);
            VectorView xv = x.vector().problem(0);
            byte[] bytes = new byte[n * size];
            t.random.nextBytes(bytes);
            if (set) {
                x.writes(0);
                spread(bytes, n, size, incHost, host);
            }
            boolean ran = t.run(h -> {
                if (set) {
                    return async ? Blas.setVectorAsync(h, host, incHost, xv) : Blas.setVector(h, host, incHost, xv);
                }
                return async ? Blas.getVectorAsync(h, xv, host, incHost) : Blas.getVector(h, xv, host, incHost);
            });
            MemorySegment expected = host(arena, host.byteSize());
            spread(set ? bytes : x.bytesBefore(0), n, size, incHost, expected);
            require(!ran || host.mismatch(expected) < 0, "the host memory is right", host.mismatch(expected));
            require(!ran || !set || Arrays.equals(x.bytes(0), bytes), "the device has the bytes of the host", x.get(0));
        }
    }

    static void setMatrix(Trial t) {
        matrix(t, true);
    }

    static void getMatrix(Trial t) {
        matrix(t, false);
    }

    private static void matrix(Trial t, boolean set) {
        t.problems(2);
        boolean async = t.option("async", true, false);
        int m = t.size("m");
        int n = t.size("n");
        int ldHost = t.note("ldHost", Math.max(1, m) + t.pick(0, 0, 3));
        Batch a = t.output(m, n).writesNothing();
        int size = t.type.bytes();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment host = host(arena, m == 0 || n == 0 ? 1 : ((n - 1L) * ldHost + m) * size);
            MatrixView av = a.matrix().problem(0);
            byte[] bytes = new byte[m * n * size];
            t.random.nextBytes(bytes);
            if (set) {
                a.writes(0);
                spread(bytes, n, m * size, host, (long) ldHost * size);
            }
            boolean ran = t.run(h -> {
                if (set) {
                    return async ? Blas.setMatrixAsync(h, host, ldHost, av) : Blas.setMatrix(h, host, ldHost, av);
                }
                return async ? Blas.getMatrixAsync(h, av, host, ldHost) : Blas.getMatrix(h, av, host, ldHost);
            });
            MemorySegment expected = host(arena, host.byteSize());
            spread(set ? bytes : a.bytesBefore(0), n, m * size, expected, (long) ldHost * size);
            require(!ran || host.mismatch(expected) < 0, "the host memory is right", host.mismatch(expected));
            require(!ran || !set || Arrays.equals(a.bytes(0), bytes), "the device has the bytes of the host", a.get(0));
        }
    }

    private static MemorySegment host(Arena arena, long bytes) {
        return arena.allocate(bytes, 64).fill(GAP);
    }

    private static void spread(byte[] bytes, int n, int size, int inc, MemorySegment host) {
        spread(bytes, n, size, host, (long) inc * size);
    }

    /** Puts pieces of equal size at equal distances. */
    private static void spread(byte[] bytes, int pieces, int size, MemorySegment host, long distance) {
        for (int i = 0; i < pieces && size > 0; i++) {
            MemorySegment.copy(bytes, i * size, host, JAVA_BYTE, i * distance, size);
        }
    }
}
