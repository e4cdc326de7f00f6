package dev.basalt.host.assembled.stream;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.engine.AssembledCLeaf;
import dev.basalt.host.engine.AssembledZLeaf;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.ZLeaf;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Complex vectors with elements apart: assembled kernels agree with the portable ones, and round as those of contiguous vectors. */
class StridedPairsTest {
    private static final int[] SIZES = {0, 1, 5, 6, 7, 8, 9, 10, 11, 40, 101};
    /** More than a call takes. */
    private static final int[] LONG = {37, (1 << 14) + 3};
    private static final int[][] INCREMENTS = {{1, 2}, {2, 1}, {3, -2}, {-1, -1}, {-5, 64}, {1, -1}, {0, 1}};

    private record Case(int n, int incx, int incy) {
        long extent(int inc) {
            return n == 0 ? 1 : (long) (n - 1) * Math.abs(inc) + 1;
        }

        long first(long base, int inc, int size) {
            return inc < 0 ? base + (extent(inc) - 1) * 2 * size : base;
        }
    }

    private interface Run {
        double on(Leaf leaf, long x, long y, long result);
    }

    private static List<Leaf> leaves(int size) {
        try {
            int bits = AssembledKernels.vectorBits();
            AssembledKernels kernels = AssembledKernels.complex(bits, size);
            return size == 8
                    ? List.of(new AssembledZLeaf(kernels), new ZLeaf())
                    : List.of(new AssembledCLeaf(kernels), new CLeaf());
        } catch (UnsupportedOperationException e) {
            Assumptions.abort("skipped: " + e.getMessage());
            return List.of();
        }
    }

    private static double get(int size, long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    /** Everything that is left: x, y, gaps too, the result in memory and the value. */
    private static double[] run(int size, Case c, Leaf leaf, Run run) {
        try (Arena arena = Arena.ofConfined()) {
            SplittableRandom random = new SplittableRandom(1501);
            long[] vectors = new long[3];
            long[] counts = {2 * c.extent(c.incx), 2 * c.extent(c.incy), 2};
            List<Double> left = new ArrayList<>();
            for (int v = 0; v < 3; v++) {
                vectors[v] = arena.allocate(counts[v] * size, 64).address();
                for (long i = 0; i < counts[v]; i++) {
                    double value = random.nextDouble(-1, 1);
                    if (size == 8) {
                        f64(vectors[v] + 8 * i, value);
                    } else {
                        f32(vectors[v] + 4 * i, (float) value);
                    }
                }
            }
            left.add(run.on(leaf, c.first(vectors[0], c.incx, size), c.first(vectors[1], c.incy, size), vectors[2]));
            for (int v = 0; v < 3; v++) {
                for (long i = 0; i < counts[v]; i++) {
                    left.add(get(size, vectors[v] + i * size));
                }
            }
            return left.stream().mapToDouble(d -> d).toArray();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 4})
    void everyRoutine(int size) {
        List<Leaf> leaves = leaves(size);
        new Routines(size, leaves.get(0), leaves.get(1)).all();
    }

    /** The routines of a type, assembled and portable. */
    private record Routines(int size, Leaf leaf, Leaf portable) {
        void all() {
            for (int[] inc : INCREMENTS) {
                long incx = inc[0];
                long incy = inc[1];
                for (int n : incx == 3 ? LONG : SIZES) {
                    Case c = new Case(n, inc[0], inc[1]);
                    check(c, "copy", 0, (l, x, y, r) -> none(() -> l.copy(n, x, incx, y, incy)));
                    check(c, "axpy", 8, (l, x, y, r) -> none(() -> l.axpy(n, 0.75, -0.5, x, incx, y, incy)));
                    check(c, "dotu", 16, (l, x, y, r) -> none(() -> l.dot(n, x, incx, y, incy, false, r)));
                    check(c, "dotc", 16, (l, x, y, r) -> none(() -> l.dot(n, x, incx, y, incy, true, r)));
                    if (incx != 0) {
                        check(c, "swap", 0, (l, x, y, r) -> none(() -> l.swap(n, x, incx, y, incy)));
                        check(c, "rot", 8,
                                (l, x, y, r) -> none(() -> l.rot(n, 0.6, 0.48, 0.64, false, x, incx, y, incy)));
                        check(c, "rot by a real sine", 8,
                                (l, x, y, r) -> none(() -> l.rot(n, 0.6, 0.8, 0, true, x, incx, y, incy)));
                    }
                    if (incx > 1) {
                        check(c, "scal", 8, (l, x, y, r) -> none(() -> l.scal(n, 0.6, -0.8, false, x, incx)));
                        check(c, "scal by a real number", 8,
                                (l, x, y, r) -> none(() -> l.scal(n, 0.6, 0, true, x, incx)));
                        check(c, "asum", 16, (l, x, y, r) -> l.asum(n, x, incx));
                        check(c, "nrm2", 16, (l, x, y, r) -> l.nrm2(n, x, incx));
                    }
                }
            }
        }

        private static double none(Runnable run) {
            run.run();
            return 0;
        }

        private void check(Case c, String what, double tolerance, Run run) {
            double[] ours = StridedPairsTest.run(size, c, leaf, run);
            double[] theirs = StridedPairsTest.run(size, c, portable, run);
            double eps = size == 8 ? 0x1p-53 : 0x1p-24;
            for (int i = 0; i < ours.length; i++) {
                double bound = tolerance * eps * Math.max(1, Math.abs(theirs[i])) * (tolerance > 8 ? c.n + 8 : 1);
                if (!(Math.abs(ours[i] - theirs[i]) <= bound)) {
                    assertThat(ours[i]).as("%s %s, number %s", what, c, i).isEqualTo(theirs[i]);
                }
            }
        }
    }

    /** What lies apart and what does not is rounded alike. */
    @ParameterizedTest
    @ValueSource(ints = {8, 4})
    void roundsAsContiguousVectors(int size) {
        Leaf leaf = leaves(size).get(0);
        int n = 37;
        double[] near = run(size, new Case(n, 1, 1), leaf, (l, x, y, r) -> rounded(l, n, x, 1, y, 1));
        double[] apart = run(size, new Case(n, 1, 1), leaf, (l, x, y, r) -> {
            try (Arena arena = Arena.ofConfined()) {
                long wide = arena.allocate(6L * n * size, 64).address();
                l.copy(n, x, 1, wide, 3);
                rounded(l, n, wide, 3, y, 1);
                l.copy(n, wide, 3, x, 1);
                return 0;
            }
        });
        assertThat(apart).isEqualTo(near);
    }

    private static double rounded(Leaf l, int n, long x, long incx, long y, long incy) {
        l.axpy(n, 0.7, -0.3, x, incx, y, incy);
        l.rot(n, 0.6, 0.48, 0.64, false, x, incx, y, incy);
        l.rot(n, 0.6, 0.8, 0, true, x, incx, y, incy);
        l.scal(n, 0.7, 0.3, false, x, incx);
        l.scal(n, 0.7, 0, true, x, incx);
        return 0;
    }
}
