package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Singular values without vectors, which GPUs find by bisection: small ones have as many digits as large ones. */
class SingularValuesTest {
    private static final long SEED = Seed.OF_RUN;
    private static final int THREADS = 64;

    private final Random r = new Random(SEED);
    private ElementType type;
    private ElementType real;
    private double unit;

    @BeforeEach
    void kernels() {
        if (Shim.ABSENT != null) {
            System.out.println("skipped: " + Shim.ABSENT);
        }
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
    }

    private void of(ElementType some) {
        type = some;
        real = some.real();
        unit = real == ElementType.F64 ? 0x1p-52 : 0x1p-23;
    }

    private double[] bidiagonal(int n, IntToDoubleFunction size) {
        double[] x = new double[2 * n - 1];
        for (int i = 0; i < x.length; i++) {
            x[i] = (r.nextBoolean() ? 1 : -1) * (0.5 + r.nextDouble()) * size.applyAsDouble(i % n);
        }
        return x;
    }

    /** By GPU kernels on so many multiprocessors, or by the portable ones where there is none. */
    private double[] values(double[] given, int multiprocessors) {
        int n = (given.length + 1) / 2;
        Launch l = new Launch().reset(Kernel.BDSQR, type, 1);
        try (Arena arena = Arena.ofConfined()) {
            l.n = n;
            l.e.vector(ElementType.I32, arena.allocate(4, 64).address(), 1, 1, 1);
            l.f.vector(real, arena.allocate(16L * n, 64).address(), 2L * n, 1, 2L * n);
            l.g.vector(real, arena.allocate(48L * n, 64).address(), 6L * n, 1, 6L * n);
            Memory.i32(l.e.at(0), 77);
            for (int i = 0; i < given.length; i++) {
                Trial.set(real, l.f.at(0), i, given[i]);
            }
            if (multiprocessors == 0) {
                new BatchedKernels(new SLeaf(), new DLeaf(), new CLeaf(), new ZLeaf(), ReductionRules.BLOCK).run(l);
            } else {
                MemorySegment arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5);
                MemorySegment sync = arena.allocate(Launcher.SYNC_BYTES, 64);
                Shim shim = new Shim();
                new Launcher<Boolean>((f, x, y, z, threads, shared, at, channel) -> shim.launch(f, x, y, z,
                        Math.min(THREADS, threads), shared, at, channel), multiprocessors)
                        .run(l, arguments.address(), sync.address(), r.nextBoolean());
            }
            assertThat(Memory.i32(l.e.at(0))).as("info, seed %d", SEED).isZero();
            double[] values = new double[n];
            for (int i = 0; i < n; i++) {
                values[i] = Trial.get(real, l.g.at(0), i);
                assertThat(Trial.get(real, l.g.at(0), n + i)).as("beside the diagonal").isZero();
                assertThat(i == 0 || values[i] <= values[i - 1]).as("order at %d, seed %d", i, SEED).isTrue();
            }
            return values;
        }
    }

    private void sameDigits(double[] given, int multiprocessors, double units) {
        double[] found = values(given, multiprocessors);
        double[] right = values(given, 0);
        for (int i = 0; i < found.length; i++) {
            assertThat(Math.abs(found[i] - right[i])).as("value %d: %s for %s, seed %d", i, found[i], right[i], SEED)
                    .isLessThanOrEqualTo(units * unit * right[i]);
        }
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void smallValuesHaveAllDigits(ElementType some) {
        of(some);
        int most = real == ElementType.F64 ? 900 : 90;
        for (int n : new int[] {1, 2, 7, 40}) {
            double step = (double) most / n;
            // What QR takes for zero is some units of rounding.
            sameDigits(bidiagonal(n, i -> Math.pow(2, -step * i)), 8, 60 + 8 * n);
            sameDigits(bidiagonal(n, i -> Math.pow(2, step * (i - n))), 1, 60 + 8 * n);
            sameDigits(bidiagonal(n, i -> i % 3 == 0 ? 1 : Math.pow(2, -step / 2)), 8, 60 + 8 * n);
        }
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64"})
    void theEndsOfTheRangeAreNoEnds(ElementType some) {
        of(some);
        boolean wide = real == ElementType.F64;
        double large = wide ? 0x1p1021 : 0x1p125;
        double small = wide ? 0x1p-960 : 0x1p-90;
        double[] given = bidiagonal(20, i -> 1);
        for (int i = 0; i < given.length; i++) {
            given[i] = (float) given[i];
        }
        double[] right = values(given, 8);
        for (double by : new double[] {large / 4, small}) {
            double[] found = values(DoubleStream.of(given).map(x -> x * by).toArray(), 8);
            assertThat(found).as("times %s, seed %d", by, SEED)
                    .containsExactly(DoubleStream.of(right).map(x -> x * by).toArray());
        }
        // The largest number itself.
        double[] one = {real == ElementType.F64 ? Double.MAX_VALUE : Float.MAX_VALUE};
        assertThat(values(one, 8)).containsExactly(one);
        assertThat(values(new double[] {wide ? Double.MIN_VALUE : Float.MIN_VALUE}, 8)[0]).isPositive();
    }

    /** More than a block keeps in its shared memory. */
    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F64"})
    void manyValues(ElementType some) {
        of(some);
        double[] given = bidiagonal(530, i -> 1);
        double[] found = values(given, 3);
        double[] right = values(given, 0);
        for (int i = 0; i < found.length; i++) {
            assertThat(Math.abs(found[i] - right[i])).as("value %d, seed %d", i, SEED)
                    .isLessThanOrEqualTo(1e-12 * right[i] + 1e-300);
        }
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64"})
    void zerosAreFound(ElementType some) {
        of(some);
        assertThat(values(new double[5], 8)).containsOnly(0);
        double[] one = values(new double[] {0, 3, 0, 4, 0}, 8);
        assertThat(one[0]).isCloseTo(5, within(10 * unit));
        assertThat(one).endsWith(0, 0);
        // A zero on the diagonal makes one value zero, and one in each of two blocks make two.
        for (int zeros = 1; zeros <= 2; zeros++) {
            double[] given = bidiagonal(12, i -> 1);
            for (int i = 0; i < zeros; i++) {
                given[3 + 5 * i] = 0;
            }
            given[12 + 5] = 0;
            double[] found = values(given, 8);
            for (int i = 0; i < 12; i++) {
                assertThat(found[i] == 0).as("value %d: %s, seed %d", i, found[i], SEED).isEqualTo(i >= 12 - zeros);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64"})
    void diagonalsAreExact(ElementType some) {
        of(some);
        double[] given = bidiagonal(9, i -> 1);
        double[] sizes = new double[9];
        for (int i = 0; i < given.length; i++) {
            given[i] = i < 9 ? (float) given[i] : 0;
            sizes[Math.min(i, 8)] = i < 9 ? Math.abs(given[i]) : sizes[8];
        }
        double[] found = values(given, 8);
        Arrays.sort(sizes);
        for (int i = 0; i < 9; i++) {
            assertThat(Math.abs(found[i] - sizes[8 - i])).as("value %d", i).isLessThanOrEqualTo(2 * unit * found[i]);
        }
    }
}
