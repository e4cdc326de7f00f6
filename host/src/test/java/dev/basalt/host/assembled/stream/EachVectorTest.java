package dev.basalt.host.assembled.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.engine.Engine;
import dev.basalt.host.engine.Engines;
import dev.basalt.portable.BatchedKernels;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Batches of short vectors, longer than one call takes, beside the leaf problem by problem: results and vectors have the same bits. */
class EachVectorTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261126);
    private static final int TRIALS = 20;
    private static final long MOST = 200;
    private static final long VECTORS = 1 << 19;
    private static final long TABLES = 3 * VECTORS;
    private static final long RESULTS = TABLES + 3 * 8 * MOST;
    private static final long SIZE = RESULTS + 16 * MOST;
    private static final long[] INCREMENTS = {1, 1, 1, 2, 3, -1, -2};

    static Stream<Arguments> kernelsAndTypes() {
        return Stream
                .of(Kernel.COPY, Kernel.SWAP, Kernel.ROT, Kernel.AXPY, Kernel.SCAL, Kernel.DOT, Kernel.ASUM,
                        Kernel.NRM2, Kernel.IAMAX, Kernel.IAMIN)
                .flatMap(kernel -> Stream.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64)
                        .map(type -> Arguments.of(kernel, type)));
    }

    @ParameterizedTest
    @MethodSource("kernelsAndTypes")
    void batchesHaveTheBitsOfSingleVectors(Kernel kernel, ElementType type) {
        Engine engine = Engines.choose("auto").engine();
        EachVector vectors = engine.vectors(type);
        Assumptions.assumeTrue(vectors != null,
                "the engine " + engine.name() + " has no kernels for batches of vectors");
        BatchedKernels single = new BatchedKernels(engine.leaf(ElementType.F32), engine.leaf(ElementType.F64),
                engine.leaf(ElementType.C32), engine.leaf(ElementType.C64), 1 << 14);
        Random random = new Random(SEED + 31L * kernel.ordinal() + type.ordinal());
        int taken = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment expected = arena.allocate(SIZE, 64);
            MemorySegment actual = arena.allocate(SIZE, 64);
            for (int trial = 0; trial < TRIALS; trial++) {
                long seed = random.nextLong();
                Launch l = launch(kernel, type, seed, expected);
                if (!vectors.takes(l)) {
                    continue;
                }
                taken++;
                single.run(l);
                Launch each = launch(kernel, type, seed, actual);
                long cut = each.count / 3;
                vectors.run(each, 0, cut);
                vectors.run(each, cut, each.count);
                // Tables hold addresses, which differ.
                assertThat(MemorySegment.mismatch(expected, 0, TABLES, actual, 0, TABLES))
                        .as("%s %s trial %d", kernel, type, trial)
                        .isEqualTo(-1);
                assertThat(MemorySegment.mismatch(expected, RESULTS, SIZE, actual, RESULTS, SIZE))
                        .as("results of %s %s trial %d", kernel, type, trial)
                        .isEqualTo(-1);
            }
        }
        assertThat(taken).isGreaterThan(TRIALS / 4);
    }

    /** A random launch over memory that is filled anew; the same one for the same seed. */
    private static Launch launch(Kernel kernel, ElementType type, long seed, MemorySegment memory) {
        Random random = new Random(seed);
        fill(type, random, memory.address());
        Launch l = new Launch();
        l.reset(kernel, type, 1 + random.nextInt((int) MOST));
        l.n = 1 + random.nextInt(40);
        l.real = random.nextBoolean();
        l.conjugated = type.isComplex() && random.nextBoolean();
        l.alpha.set(0.75, type.isComplex() ? -0.5 : 0);
        l.beta.set(0.25, type.isComplex() && !l.real ? 0.5 : 0);
        if (kernel == Kernel.SCAL && l.real) {
            l.alpha.set(0.75, 0);
        }
        boolean tables = random.nextBoolean();
        long stride = 1 + l.n * 3 + random.nextInt(3);
        long incx = INCREMENTS[random.nextInt(INCREMENTS.length)];
        long incy = INCREMENTS[random.nextInt(INCREMENTS.length)];
        boolean extreme = kernel == Kernel.IAMAX || kernel == Kernel.IAMIN;
        operand(l.a, type, memory, 0, l, extreme ? Math.abs(incx) : incx, stride, tables);
        operand(kernel == Kernel.DOT ? l.b : l.c, type, memory, 1, l, incy, stride, tables);
        ElementType result = extreme ? ElementType.I64 : kernel == Kernel.DOT ? type : type.real();
        l.d.vector(result, memory.address() + RESULTS, 1, 1, 1);
        return l;
    }

    private static void operand(Operand x, ElementType type, MemorySegment memory, int which, Launch l, long inc,
            long stride, boolean tables) {
        long first = memory.address() + which * VECTORS;
        x.vector(type, first, l.n, inc, stride);
        if (tables) {
            long table = memory.address() + TABLES + which * 8 * MOST;
            for (long i = 0; i < l.count; i++) {
                Memory.i64(table + 8 * i, first + (l.count - 1 - i) * stride * type.bytes());
            }
            x.base = table;
            x.pointers = true;
        }
    }

    /** Numbers, and now and then what is none, infinite, or so large or small that its square is. */
    private static void fill(ElementType type, Random random, long base) {
        boolean single = type.real() == ElementType.F32;
        double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, single ? 1e30 : 1e200, single ? 1e-30 : 1e-200, -0.0, 0};
        long step = single ? 4 : 8;
        for (long at = 0; at < TABLES; at += step) {
            double value = random.nextInt(500) == 0 ? odd[random.nextInt(odd.length)] : random.nextDouble() - 0.5;
            if (single) {
                Memory.f32(base + at, (float) value);
            } else {
                Memory.f64(base + at, value);
            }
        }
        for (long at = RESULTS; at < SIZE; at += 8) {
            Memory.i64(base + at, -1);
        }
    }
}
