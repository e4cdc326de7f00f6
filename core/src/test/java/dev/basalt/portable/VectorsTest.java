package dev.basalt.portable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Level 1 against definitions. */
class VectorsTest {
    // The reduction block of the tests is 16: up to three blocks, and copies longer than a block copy.
    private static final int[] LENGTHS = {0, 1, 2, 3, 5, 8, 16, 17, 33, 70};
    private static final long[][] INCREMENTS = {{1, 1}, {2, 1}, {1, -1}, {-3, 2}, {-1, -2}};
    private static final double[][] ALPHAS = {{0, 0}, {1, 0}, {-2, 3}};

    private interface Case {
        void run(long seed, int n, long[] inc, double[] alpha);
    }

    private static void all(long seed, Case test) {
        for (int n : LENGTHS) {
            for (long[] inc : INCREMENTS) {
                for (double[] alpha : ALPHAS) {
                    test.run(seed++, n, inc, alpha);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void maps(ElementType type) {
        for (Kernel kernel : new Kernel[] {
                Kernel.COPY,
                Kernel.SWAP,
                Kernel.ROT,
                Kernel.AXPY,
                Kernel.SCAL,
                Kernel.FILL}) {
            for (boolean real : new boolean[] {false, true}) {
                all(0, (seed, n, inc, alpha) -> map(kernel, type, real, seed, n, inc, alpha));
            }
        }
    }

    private static void map(Kernel kernel, ElementType type, boolean real, long seed, int n, long[] inc,
            double[] alpha) {
        try (KernelRun r = new KernelRun(kernel, type, seed)) {
            r.l.n = n;
            r.l.real = real;
            double ai = r.complex && !real ? alpha[1] : 0;
            r.l.alpha.set(alpha[0], r.complex ? ai : alpha[1]);
            if (kernel == Kernel.ROT) {
                r.l.beta.set(r.l.alpha);
                r.l.alpha.set(0.5, 0);
            }
            boolean reads = kernel.reads(0) && !(kernel == Kernel.AXPY && alpha[0] == 0);
            Batch a = r.vector(r.l.a, n, inc[0]);
            Batch c = r.vector(r.l.c, n, inc[1]);
            Mat[] as = reads ? r.fill(a, n, 1) : new Mat[] {new Mat(n, 1), new Mat(n, 1)};
            Mat[] cs = kernel.reads(2) ? r.fill(c, n, 1) : null;
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat x = as[i];
                switch (kernel) {
                    case COPY -> r.check(c, i, x);
                    case SWAP -> {
                        r.check(c, i, x);
                        r.check(a, i, cs[i]);
                    }
                    case ROT -> {
                        r.check(a, i, x.times(0.5, 0).plus(cs[i].times(alpha[0], ai)));
                        r.check(c, i, cs[i].times(0.5, 0).plus(x.times(-alpha[0], ai)));
                    }
                    case AXPY -> r.check(c, i, x.times(alpha[0], ai).plus(cs[i]));
                    case SCAL -> r.check(c, i, cs[i].times(alpha[0], ai));
                    default -> r.check(c, i, Mat.of(n, 1, (k, j) -> alpha[0], (k, j) -> ai));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void scalKeepsNaN(ElementType type) {
        try (KernelRun r = new KernelRun(Kernel.SCAL, type, 1)) {
            r.l.n = 3;
            r.l.alpha.set(0, 0);
            Batch c = r.vector(r.l.c, 3, 1);
            r.run();
            r.check(c, 0, Mat.of(3, 1, (i, j) -> Double.NaN, (i, j) -> r.complex ? Double.NaN : 0));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void incrementZero(ElementType type) {
        Leaf leaf = KernelRun.KERNELS.leaf(type);
        try (Arena arena = Arena.ofConfined()) {
            Batch x = Batch.vector(arena, type, 1, false, 0, 1, 1);
            Batch y = Batch.vector(arena, type, 1, false, 0, 5, 1);
            Batch z = Batch.vector(arena, type, 1, false, 0, 1, 1);
            Launch l = new Launch();
            x.into(l.a);
            y.into(l.b);
            z.into(l.c);
            x.put(0, Mat.of(1, 1, (i, j) -> 3, (i, j) -> 0));
            y.put(0, Mat.of(5, 1, (i, j) -> i + 1, (i, j) -> 0));
            leaf.dot(5, l.a.base, 0, l.b.base, 1, false, l.c.base);
            assertThat(z.get(0).re(0, 0)).isEqualTo(45);
            assertThat(leaf.asum(5, l.a.base, 0)).isEqualTo(15);
            assertThat(leaf.nrm2(4, l.a.base, 0)).isEqualTo(6);
            assertThat(leaf.iamax(5, l.a.base, 0)).isEqualTo(1);
            leaf.axpy(5, 2, 0, l.b.base, 1, l.c.base, 0);
            assertThat(z.get(0).re(0, 0)).isEqualTo(75);
            leaf.axpy(5, 1, 0, l.a.base, 0, l.b.base, 1);
            assertThat(y.get(0).re(4, 0)).isEqualTo(8);
            leaf.copy(5, l.b.base, 1, l.c.base, 0);
            assertThat(z.get(0).re(0, 0)).isEqualTo(8);
            leaf.scal(3, 2, 0, true, l.a.base, 0);
            assertThat(x.get(0).re(0, 0)).isEqualTo(24);
            // 24 and 8 become 16 and -48, -96 and -32, -64 and 192.
            leaf.rot(3, 0, 2, 0, false, l.a.base, 0, l.c.base, 0);
            assertThat(x.get(0).re(0, 0)).isEqualTo(-64);
            assertThat(z.get(0).re(0, 0)).isEqualTo(192);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void sums(ElementType type) {
        for (boolean conj : new boolean[] {false, true}) {
            all(5000, (seed, n, inc, alpha) -> dot(type, conj, seed, n, inc));
        }
        all(6000, (seed, n, inc, alpha) -> real(Kernel.ASUM, type, seed, n, inc[0]));
        all(7000, (seed, n, inc, alpha) -> real(Kernel.NRM2, type, seed, n, inc[0]));
    }

    private static void dot(ElementType type, boolean conj, long seed, int n, long[] inc) {
        try (KernelRun r = new KernelRun(Kernel.DOT, type, seed)) {
            r.l.n = n;
            r.l.conjugated = conj;
            Mat[] as = r.fill(r.vector(r.l.a, n, inc[0]), n, 1);
            Mat[] bs = r.fill(r.vector(r.l.b, n, inc[1]), n, 1);
            Batch d = r.vector(r.l.d, type, 1);
            r.run();
            Mat first = null;
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat expected = as[i].op(conj ? Op.CONJ_TRANS : Op.TRANS).times(bs[i]);
                r.check(d, i, expected);
                first = i == 0 ? expected : first;
            }
            inWorkspace(r);
            r.check(d, 0, first);
        }
    }

    private static void real(Kernel kernel, ElementType type, long seed, int n, long inc) {
        try (KernelRun r = new KernelRun(kernel, type, seed)) {
            r.l.n = n;
            Mat[] as = r.fill(r.vector(r.l.a, n, inc), n, 1);
            Batch d = r.vector(r.l.d, type.real(), 1);
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                    double re = as[i].re(k, 0);
                    double im = as[i].im(k, 0);
                    sum += kernel == Kernel.ASUM ? Math.abs(re) + Math.abs(im) : re * re + im * im;
                }
                double expected = kernel == Kernel.ASUM ? sum : Math.sqrt(sum);
                r.check(d, i, Mat.of(1, 1, (k, j) -> expected, (k, j) -> 0), 4 * r.unit() * expected);
            }
            Mat before = d.get(0);
            inWorkspace(r);
            r.check(d, 0, before);
        }
    }

    /** Problem 0 once more, by partial results in memory, blocks in the wrong order: the same bits. */
    private static void inWorkspace(KernelRun r) {
        Reductions reductions = KernelRun.KERNELS.reductions();
        long blocks = reductions.blocks(r.l.n);
        try (Arena arena = Arena.ofConfined()) {
            long work = arena.allocate(reductions.bytes(r.l), 8).address();
            reductions.partials(r.l, 0, blocks / 2, blocks, work);
            reductions.partials(r.l, 0, 0, blocks / 2, work);
            reductions.combine(r.l, 0, work);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void largestAndSmallest(ElementType type) {
        double nan = Double.NaN;
        double inf = Double.POSITIVE_INFINITY;
        extremes(type, new double[] {}, 0, 0);
        extremes(type, new double[] {0, 0}, 1, 1);
        extremes(type, new double[] {1, -3, 3, -1, 0.5, 0.5}, 2, 5);
        extremes(type, new double[] {-inf, inf, 2}, 1, 3);
        extremes(type, new double[] {1, inf, nan, nan, 0}, 3, 5);
        extremes(type, new double[] {nan, 5, 4}, 1, 3);
        extremes(type, new double[] {nan, nan}, 1, 1);
    }

    private static void extremes(ElementType type, double[] values, int largest, int smallest) {
        for (Kernel kernel : new Kernel[] {Kernel.IAMAX, Kernel.IAMIN}) {
            for (long inc : new long[] {1, 3, -2}) {
                try (KernelRun r = new KernelRun(kernel, type, 2)) {
                    int n = values.length;
                    r.l.n = n;
                    Batch a = r.vector(r.l.a, n, inc);
                    Batch d = r.vector(r.l.d, ElementType.I64, 1);
                    for (int i = 0; i < KernelRun.COUNT; i++) {
                        a.put(i, Mat.of(n, 1, (k, j) -> values[k], (k, j) -> 0));
                    }
                    r.run();
                    assertThat(d.get(1).re(0, 0)).as(() -> r + Arrays.toString(values))
                            .isEqualTo(kernel == Kernel.IAMAX ? largest : smallest);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void normIsSafe(ElementType type) {
        boolean single = type.real() == ElementType.F32;
        double inf = Double.POSITIVE_INFINITY;
        double tiny = single ? Float.MIN_VALUE : Double.MIN_VALUE;
        double huge = single ? 0x1p126 : 0x1p1022;
        double unit = single ? 0x1p-23 : 0x1p-52;
        for (int zeros : new int[] {0, 5, 40}) {
            norm(type, new double[] {0, -0.0}, zeros, 0, 0);
            norm(type, new double[] {3 * tiny, -4 * tiny}, zeros, 5 * tiny, 0);
            norm(type, new double[] {3e5 * tiny, -4e5 * tiny}, zeros, 5e5 * tiny, unit);
            norm(type, new double[] {huge, -huge, huge, huge}, zeros, 2 * huge, unit);
            norm(type, new double[] {huge, 1, tiny}, zeros, huge, unit);
            norm(type, new double[] {3, 4, tiny}, zeros, 5, unit);
            norm(type, DoubleStream.generate(() -> huge).limit(18).toArray(), zeros, inf, 0);
            norm(type, new double[] {1, -inf, huge}, zeros, inf, 0);
            norm(type, new double[] {inf, Double.NaN, tiny}, zeros, Double.NaN, 0);
            norm(type, new double[] {Double.NaN, tiny}, zeros, Double.NaN, 0);
        }
    }

    private static void norm(ElementType type, double[] values, int zeros, double expected, double relative) {
        // Zeros between the values put them into different blocks.
        int step = zeros + 1;
        int n = values.length * step;
        try (KernelRun r = new KernelRun(Kernel.NRM2, type, 4)) {
            r.l.n = n;
            Batch a = r.vector(r.l.a, n, 1);
            Batch d = r.vector(r.l.d, type.real(), 1);
            boolean imaginary = r.complex;
            a.put(0, Mat.of(n, 1, (i, j) -> i % step == 0 && !(imaginary && i / step % 2 == 1) ? values[i / step] : 0,
                    (i, j) -> i % step == 0 && imaginary && i / step % 2 == 1 ? values[i / step] : 0));
            a.put(1, new Mat(n, 1));
            r.run();
            double tolerance = relative == 0 ? 0 : relative * expected;
            r.check(d, 0, Mat.of(1, 1, (i, j) -> expected, (i, j) -> 0), tolerance);
            inWorkspace(r);
            r.check(d, 0, Mat.of(1, 1, (i, j) -> expected, (i, j) -> 0), tolerance);
        }
    }

    @Test
    void integersAreCopiedAndFilled() {
        for (ElementType type : new ElementType[] {ElementType.I32, ElementType.I64}) {
            try (KernelRun r = new KernelRun(Kernel.COPY, type, 6)) {
                r.l.n = 5;
                Batch a = r.vector(r.l.a, 5, 2);
                Batch c = r.vector(r.l.c, 5, -1);
                Mat[] as = r.fill(a, 5, 1);
                r.run();
                r.check(c, 1, as[1]);
                r.l.kernel = Kernel.FILL;
                r.l.alpha.set(-7, 0);
                r.run();
                r.check(c, 1, Mat.of(5, 1, (i, j) -> -7, (i, j) -> 0));
            }
        }
    }

    @Test
    void guardedProblemsAreSkipped() {
        try (KernelRun r = new KernelRun(Kernel.SCAL, ElementType.F64, 8)) {
            r.l.n = 3;
            r.l.guarded = true;
            r.l.alpha.set(2, 0);
            Batch c = r.vector(r.l.c, 3, 1);
            Mat[] cs = r.fill(c, 3, 1);
            Batch e = r.vector(r.l.e, ElementType.I32, 1);
            e.put(0, Mat.of(1, 1, (i, j) -> 4, (i, j) -> 0));
            r.run();
            r.check(c, 0, cs[0]);
            r.check(c, 1, cs[1].times(2, 0));
        }
    }

    @Test
    void scalarsMayLieInMemory() {
        try (KernelRun r = new KernelRun(Kernel.SCAL, ElementType.F32, 10); Arena arena = Arena.ofConfined()) {
            r.l.n = 3;
            long alpha = arena.allocate(4, 4).address();
            Memory.f32(alpha, 3);
            r.l.alpha.device(alpha, ElementType.F32);
            Batch c = r.vector(r.l.c, 3, 1);
            Mat[] cs = r.fill(c, 3, 1);
            r.run();
            r.check(c, 1, cs[1].times(3, 0));
        }
    }
}
