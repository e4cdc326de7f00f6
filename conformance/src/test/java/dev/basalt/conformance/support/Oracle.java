package dev.basalt.conformance.support;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** OpenBLAS on matrices: products in double precision, and factorisations in the precision of a type. */
public final class Oracle {
    /** Its kernels keep packing buffers on the stack. */
    private static final long STACK = 64L << 20;

    private static final int COLUMN_MAJOR = 102;
    private static final int NO_TRANS = 111;

    private static final ExecutorService THREAD = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(null, task, "openblas", STACK);
        thread.setDaemon(true);
        return thread;
    });

    private static final Map<String, MethodHandle> BOUND = new ConcurrentHashMap<>();
    private static final MethodHandle DGEMM = bind("cblas_dgemm", gemm(JAVA_DOUBLE));
    private static final MethodHandle ZGEMM = bind("cblas_zgemm", gemm(ADDRESS));

    private Oracle() {}

    private interface Work<T> {
        T run(Arena arena) throws Throwable;
    }

    /**
     * What LAPACK's getrf or potrf gave.
     *
     * @param factors the overwritten matrix
     * @param pivots 1-based, or empty
     * @param info as LAPACK says
     */
    public record Factors(Mat factors, long[] pivots, int info) {}

    /** a·b in double precision. */
    static Mat product(Mat a, Mat b) {
        boolean real = a.isReal() && b.isReal();
        ElementType type = real ? ElementType.F64 : ElementType.C64;
        return call(arena -> {
            MemorySegment c = arena.allocate(Math.max(1L, (long) a.m * b.n) * type.bytes(), 64);
            MemorySegment left = store(arena, a, type);
            MemorySegment right = store(arena, b, type);
            if (real) {
                DGEMM.invokeExact(COLUMN_MAJOR, NO_TRANS, NO_TRANS, a.m, b.n, a.n, 1.0, left, Math.max(1, a.m), right,
                        Math.max(1, b.m), 0.0, c, Math.max(1, a.m));
            } else {
                MemorySegment one = arena.allocateFrom(JAVA_DOUBLE, 1, 0);
                MemorySegment zero = arena.allocateFrom(JAVA_DOUBLE, 0, 0);
                ZGEMM.invokeExact(COLUMN_MAJOR, NO_TRANS, NO_TRANS, a.m, b.n, a.n, one, left, Math.max(1, a.m), right,
                        Math.max(1, b.m), zero, c, Math.max(1, a.m));
            }
            return load(c, a.m, b.n, type);
        });
    }

    /** LAPACK's getrf in the precision of a type. */
    public static Factors getrf(Mat a, ElementType type) {
        MethodHandle getrf = bind(type.letter() + "getrf_",
                FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        int min = Math.min(a.m, a.n);
        return call(arena -> {
            MemorySegment matrix = store(arena, a, type);
            MemorySegment pivots = arena.allocate(JAVA_INT, Math.max(1, min));
            MemorySegment info = arena.allocate(JAVA_INT);
            getrf.invokeExact(arena.allocateFrom(JAVA_INT, a.m), arena.allocateFrom(JAVA_INT, a.n), matrix,
                    arena.allocateFrom(JAVA_INT, Math.max(1, a.m)), pivots, info);
            long[] list = new long[min];
            for (int i = 0; i < min; i++) {
                list[i] = pivots.getAtIndex(JAVA_INT, i);
            }
            return new Factors(load(matrix, a.m, a.n, type), list, info.get(JAVA_INT, 0));
        });
    }

    /** LAPACK's potrf in the precision of a type. */
    public static Factors potrf(Uplo uplo, Mat a, ElementType type) {
        MethodHandle potrf =
                bind(type.letter() + "potrf_", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        return call(arena -> {
            MemorySegment matrix = store(arena, a, type);
            MemorySegment info = arena.allocate(JAVA_INT);
            potrf.invokeExact(arena.allocateFrom(JAVA_BYTE, (byte) (uplo == Uplo.LOWER ? 'L' : 'U')),
                    arena.allocateFrom(JAVA_INT, a.n), matrix, arena.allocateFrom(JAVA_INT, Math.max(1, a.m)), info);
            return new Factors(load(matrix, a.m, a.n, type), new long[0], info.get(JAVA_INT, 0));
        });
    }

    private static FunctionDescriptor gemm(MemoryLayout scalar) {
        return FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, scalar, ADDRESS,
                JAVA_INT, ADDRESS, JAVA_INT, scalar, ADDRESS, JAVA_INT);
    }

    private static MethodHandle bind(String name, FunctionDescriptor descriptor) {
        return BOUND.computeIfAbsent(name, key -> find(key, descriptor));
    }

    /** The loader is package-private next door. */
    private static MethodHandle find(String name, FunctionDescriptor descriptor) {
        try {
            Method handle = Class.forName("dev.basalt.conformance.OpenBlas")
                    .getDeclaredMethod("handle", String.class, FunctionDescriptor.class);
            handle.setAccessible(true);
            return (MethodHandle) handle.invoke(null, name, descriptor);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("OpenBLAS cannot be bound: " + name, e);
        }
    }

    private static <T> T call(Work<T> work) {
        Future<T> result = THREAD.submit(() -> {
            try (Arena arena = Arena.ofConfined()) {
                return work.run(arena);
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            return result.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("OpenBLAS failed", e);
        }
    }

    private static MemorySegment store(Arena arena, Mat a, ElementType type) {
        MemorySegment s = arena.allocate(Math.max(1L, a.re.length) * type.bytes(), 64);
        int parts = type.isComplex() ? 2 : 1;
        for (int i = 0; i < a.re.length; i++) {
            put(s, type, (long) parts * i, a.re[i]);
            if (parts == 2) {
                put(s, type, 2L * i + 1, a.im[i]);
            }
        }
        return s;
    }

    private static Mat load(MemorySegment s, int m, int n, ElementType type) {
        Mat r = new Mat(m, n);
        int parts = type.isComplex() ? 2 : 1;
        for (int i = 0; i < r.re.length; i++) {
            r.re[i] = get(s, type, (long) parts * i);
            r.im[i] = parts == 2 ? get(s, type, 2L * i + 1) : 0;
        }
        return r;
    }

    private static void put(MemorySegment s, ElementType type, long part, double value) {
        if (type.real() == ElementType.F32) {
            s.setAtIndex(JAVA_FLOAT, part, (float) value);
        } else {
            s.setAtIndex(JAVA_DOUBLE, part, value);
        }
    }

    private static double get(MemorySegment s, ElementType type, long part) {
        return type.real() == ElementType.F32 ? s.getAtIndex(JAVA_FLOAT, part) : s.getAtIndex(JAVA_DOUBLE, part);
    }
}
