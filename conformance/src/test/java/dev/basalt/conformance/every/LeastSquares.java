package dev.basalt.conformance.every;

import dev.basalt.conformance.OpenBlas;
import dev.basalt.conformance.support.Mat;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A least squares solution of least norm by OpenBLAS's zgelss.
 *
 * @param x solutions, in the first rows
 * @param values singular values
 * @param rank how many of them count
 */
record LeastSquares(Mat x, double[] values, int rank) {
    static LeastSquares of(Mat a, Mat b, double tol) {
        int k = Math.min(a.m, a.n);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sides = both(arena, b);
            MemorySegment s = arena.allocate(ValueLayout.JAVA_DOUBLE, k);
            MemorySegment rank = arena.allocate(ValueLayout.JAVA_INT);
            int size = 66 * (a.m + a.n + b.n);
            List<Object> arguments = new ArrayList<>(List.of(number(arena, a.m), number(arena, a.n), number(arena, b.n),
                    both(arena, a), number(arena, a.m), sides, number(arena, b.m), s,
                    arena.allocateFrom(ValueLayout.JAVA_DOUBLE, tol), rank,
                    arena.allocate(ValueLayout.JAVA_DOUBLE, 2L * size), number(arena, size),
                    arena.allocate(ValueLayout.JAVA_DOUBLE, 5L * k), number(arena, 0)));
            MemoryLayout[] layouts = new MemoryLayout[arguments.size()];
            Arrays.fill(layouts, ValueLayout.ADDRESS);
            OpenBlas.handle("zgelss_", FunctionDescriptor.ofVoid(layouts)).invokeWithArguments(arguments);
            double[] x = sides.toArray(ValueLayout.JAVA_DOUBLE);
            return new LeastSquares(
                    Mat.of(b.m, b.n, (i, j) -> x[2 * (i + j * b.m)], (i, j) -> x[2 * (i + j * b.m) + 1]),
                    s.toArray(ValueLayout.JAVA_DOUBLE), rank.get(ValueLayout.JAVA_INT, 0));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MemorySegment both(Arena arena, Mat a) {
        double[] both = new double[Math.max(2, 2 * a.m * a.n)];
        for (int i = 0; i < a.re.length; i++) {
            both[2 * i] = a.re[i];
            both[2 * i + 1] = a.im[i];
        }
        return arena.allocateFrom(ValueLayout.JAVA_DOUBLE, both);
    }

    private static MemorySegment number(Arena arena, int n) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, n);
    }
}
