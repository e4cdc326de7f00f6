package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.RoundedFactors;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Products of floats that are rounded to ten bits of fraction, on the CPU: held against exact products of floats rounded beforehand. */
class RoundedProductsTest {
    private static final int ROUNDS =
            Integer.getInteger("basalt.rounds", Boolean.getBoolean("basalt.test.long") ? 24 : 8);
    private static final long SEED = Seed.OF_RUN;

    /** Multiprocessors that small products keep busy, so that the largest tiles are taken. */
    private static final int FEW = 1;

    private static final BatchedKernels PORTABLE =
            new BatchedKernels(new SLeaf(), new DLeaf(), new CLeaf(), new ZLeaf(), ReductionRules.BLOCK);

    @BeforeEach
    void hasCompiler() {
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
    }

    @Test
    void factorsAreRoundedToTheNearest() {
        for (int round = 0; round < ROUNDS; round++) {
            Random random = new Random(SEED + round);
            try (Arena arena = Arena.ofConfined()) {
                trial(random, arena, round % 2 == 0 ? Cores.HALVES : Cores.WARPGROUPS,
                        "round " + round + " seed " + SEED);
            }
        }
    }

    private static void trial(Random r, Arena arena, Cores cores, String label) {
        Launch l = random(r, arena);
        if (r.nextBoolean()) {
            boolean all = r.nextBoolean();
            lend(l, all ? l.m + l.n : Math.min(l.m, 256) + Math.min(l.n, 128), RoundedFactors.whole(l), arena);
        }
        float[] before = floats(l.c, l.count);
        run(l, arena, cores, r.nextBoolean() ? FEW : 8, r.nextBoolean());
        float[] actual = floats(l.c, l.count);
        float[] exact = afterwards(l, before);
        round(l.a, l.count, l.math);
        round(l.b, l.count, l.math);
        float[] expected = afterwards(l, before);
        double terms = l.k;
        for (int i = 0; i < actual.length; i++) {
            // Numbers are below 1, so is alpha, and beta below 2.
            assertThat((double) actual[i]).as("%s element %d", label, i)
                    .isCloseTo(expected[i], offset(8 * (terms + 2) * 0x1p-24))
                    .isCloseTo(exact[i],
                            offset(terms * (l.math == MathMode.BF16 ? 0x1p-7 : 0x1p-10) + 8 * terms * 0x1p-24));
        }
    }

    /** Elements in two parts: as exact as sums of floats, by all inner indices at once or in blocks. What is not finite is as by default. */
    @Test
    void twoPartsAreAsGoodAsFloats() {
        for (int round = 0; round < ROUNDS; round++) {
            Random r = new Random(SEED - round);
            try (Arena arena = Arena.ofConfined()) {
                Launch l = random(r, arena);
                l.math = MathMode.EMULATED;
                if (l.count > 1) {
                    continue;
                }
                boolean blocks = r.nextInt(4) == 0;
                lend(l, l.m + l.n, blocks ? 64 : RoundedFactors.whole(l), arena);
                boolean odd = r.nextInt(3) == 0;
                if (odd) {
                    float[] special = {Float.POSITIVE_INFINITY, Float.NaN, 0x1.abcdefp120f, -0x1.fedcbap120f, 0};
                    for (int i = 0; i < 4; i++) {
                        Operand o = r.nextBoolean() ? l.a : l.b;
                        Memory.f32(o.at(0) + 4 * (r.nextInt((int) Math.min(o.ld, 32)) + o.ld * r.nextInt(32)),
                                special[r.nextInt(special.length)]);
                    }
                }
                float[] before = floats(l.c, 1);
                Shim shim = run(l, arena, Cores.WARPGROUPS, 8, r.nextBoolean());
                float[] actual = floats(l.c, 1);
                float[] expected = afterwards(l, before);
                assertThat(shim.launches[KernelFunction.one("round_factors", 's').id()]).isPositive();
                for (int i = 0; i < actual.length; i++) {
                    String label = "round " + round + " seed " + SEED + " element " + i;
                    if (Math.abs(expected[i]) < 1e4) {
                        // Numbers are below 1 then, so is alpha, and beta below 2.
                        assertThat((double) actual[i]).as(label)
                                .isCloseTo(expected[i], offset(8 * (l.k + 4) * 0x1p-24));
                    } else if (Math.abs(expected[i]) < Float.POSITIVE_INFINITY) {
                        assertThat((double) actual[i]).as(label)
                                .isCloseTo(expected[i], offset(8 * (l.k + 4) * 0x1p-24 * 0x1p123));
                    } else {
                        assertThat(actual[i]).as(label).isEqualTo(Float.valueOf(expected[i]));
                    }
                }
            }
        }
    }

    /** Room for so many rows and columns of factors by so many inner indices. What lies there before is no number. */
    private static void lend(Launch l, long lines, long depth, Arena arena) {
        l.workBytes = lines * depth * RoundedFactors.size(l);
        l.work = arena.allocate(l.workBytes, 64).fill((byte) 0xFF).address();
    }

    /** Integers, whose products and sums are exact: by blocks of the inner dimension, and of rows and columns. */
    @Test
    void whatDoesNotFitGoesInBlocks() {
        long[][] shapes = {{33, 40, 2100, 73}, {300, 140, 90, 384}, {70, 150, 130, 198}};
        for (long[] shape : shapes) {
            Random r = new Random(SEED);
            try (Arena arena = Arena.ofConfined()) {
                Launch l = launch((int) shape[0], (int) shape[1], (int) shape[2], Op.values()[r.nextInt(3)],
                        Op.values()[r.nextInt(3)], 1, arena);
                l.alpha.set(-1, 0);
                l.beta.set(2, 0);
                for (Operand o : new Operand[] {l.a, l.b, l.c}) {
                    for (long i = 0; i < o.span(); i++) {
                        Memory.f32(o.at(0) + 4 * i, r.nextInt(17) - 8);
                    }
                }
                float[] before = floats(l.c, 1);
                float[] expected = afterwards(l, before);
                put(l.c, before);
                lend(l, shape[3], Math.min(RoundedFactors.whole(l), 1024), arena);
                Shim shim = run(l, arena, Cores.WARPGROUPS, 8, r.nextBoolean());
                assertThat(floats(l.c, 1)).as("seed %d, %s", SEED, Arrays.toString(shape)).isEqualTo(expected);
                int blocks = shim.launches[KernelFunction.one("round_factors", 's').id()];
                assertThat(blocks).as(Arrays.toString(shape)).isGreaterThan(1);
            }
        }
    }

    /** C as the portable kernel leaves it, which takes factors as they are. */
    private static float[] afterwards(Launch l, float[] before) {
        put(l.c, before);
        PORTABLE.run(l);
        return floats(l.c, l.count);
    }

    /** Half of the last place that stays is rounded up, and what is no number stays none. */
    @Test
    void tiesGoAwayFromZero() {
        becomes(MathMode.TF32,
                new float[][] {
                        {1 + 0x1p-11f, 1 + 0x1p-10f},
                        {-1 - 0x1p-11f, -1 - 0x1p-10f},
                        {1 + 0x1.fp-12f, 1},
                        {1 + 0x3p-11f, 1 + 0x1p-9f},
                        {Float.NaN, Float.NaN},
                        {Float.POSITIVE_INFINITY, Float.POSITIVE_INFINITY},
                        {Float.MAX_VALUE, Float.POSITIVE_INFINITY},
                        {0x1.ff8p126f, 0x1.ff8p126f}});
    }

    /** In two parts 21 bits of fraction stay, and the largest number stays finite. */
    @Test
    void twoPartsKeepWhatIsStored() {
        becomes(MathMode.EMULATED,
                new float[][] {
                        {1 + 0x1p-20f, 1 + 0x1p-20f},
                        {-1 - 0x3p-21f, -1 - 0x3p-21f},
                        {Float.NEGATIVE_INFINITY, Float.NEGATIVE_INFINITY},
                        {Float.NaN, Float.NaN}});
        try (Arena arena = Arena.ofConfined()) {
            Launch l = launch(32, 32, 32, Op.NONE, Op.NONE, 1, arena);
            l.math = MathMode.EMULATED;
            l.alpha.set(1, 0);
            l.beta.set(0, 0);
            Memory.f32(l.a.at(0), Float.MAX_VALUE);
            Memory.f32(l.b.at(0), -1);
            lend(l, l.m + l.n, RoundedFactors.whole(l), arena);
            run(l, arena, Cores.WARPGROUPS, FEW, false);
            assertThat(Memory.f32(l.c.at(0))).isEqualTo(-0x1.fffff8p127f);
        }
    }

    /** Of halves and bfloat16 it goes to the even neighbour; halves have an end, and numbers of fewer bits before zero. */
    @Test
    void tiesOfShortNumbersGoToEven() {
        becomes(MathMode.F16,
                new float[][] {
                        {1 + 0x1p-11f, 1},
                        {-1 - 0x3p-11f, -1 - 0x1p-9f},
                        {65504, 65504},
                        {65520, Float.POSITIVE_INFINITY},
                        {0x1p-24f, 0x1p-24f},
                        {0x1p-25f, 0},
                        {Float.NaN, Float.NaN}});
        becomes(MathMode.BF16,
                new float[][] {
                        {1 + 0x1p-8f, 1},
                        {-1 - 0x3p-8f, -1 - 0x1p-6f},
                        {0x1.fep127f, 0x1.fep127f},
                        {Float.MAX_VALUE, Float.POSITIVE_INFINITY},
                        {Float.NaN, Float.NaN}});
    }

    private static void becomes(MathMode math, float[][] pairs) {
        try (Arena arena = Arena.ofConfined()) {
            for (float[] pair : pairs) {
                for (Op op : Op.values()) {
                    Launch l = launch(32, 32, 32, op, op, 1, arena);
                    l.math = math;
                    l.alpha.set(1, 0);
                    l.beta.set(0, 0);
                    // B is the unit matrix, and A has one number in its first row, so nothing else is added to it.
                    for (int i = 0; i < 32; i++) {
                        Memory.f32(l.b.at(0) + 4 * (i + i * l.b.ld), 1);
                    }
                    Memory.f32(l.a.at(0), pair[0]);
                    for (Cores cores : List.of(Cores.HALVES, Cores.WARPGROUPS, Cores.WARPGROUPS)) {
                        run(l, arena, cores, FEW, false);
                        assertThat(Memory.f32(l.c.at(0)))
                                .as("%s %s %s %s, %d bytes", math, pair[0], op, cores, l.workBytes)
                                .isEqualTo(Float.valueOf(pair[1]));
                        if (cores == Cores.WARPGROUPS) {
                            lend(l, l.m + l.n, RoundedFactors.whole(l), arena);
                        }
                    }
                }
            }
        }
    }

    /** Without such tensor cores, below their least size, and in other types nothing is rounded. */
    @Test
    void othersAreAsByDefault() {
        Random r = new Random(SEED);
        try (Arena arena = Arena.ofConfined()) {
            for (Cores cores : Cores.values()) {
                for (int k : new int[] {31, 64}) {
                    Launch l = launch(40, 50, k, Op.NONE, Op.NONE, 1, arena);
                    fill(l.a, r);
                    fill(l.b, r);
                    run(l, arena, cores, 8, false);
                    float[] rounded = floats(l.c, 1);
                    l.math = MathMode.DEFAULT;
                    run(l, arena, cores, 8, false);
                    boolean same = Arrays.equals(rounded, floats(l.c, 1));
                    assertThat(same).as("%s k=%d", cores, k).isEqualTo(k < 32 || cores == Cores.NONE);
                }
            }
        }
    }

    private static Launch random(Random r, Arena arena) {
        int largest = r.nextInt(8) == 0 ? 300 : 100;
        Launch l = launch(32 + r.nextInt(largest), 32 + r.nextInt(largest), 32 + r.nextInt(70),
                Op.values()[r.nextInt(3)], Op.values()[r.nextInt(3)], 1 + r.nextInt(2), arena);
        l.math = MathMode.values()[1 + r.nextInt(3)];
        l.alpha.set(r.nextInt(5) == 0 ? 0 : 0.75, 0);
        l.beta.set(r.nextInt(3) == 0 ? 0 : 1.5, 0);
        fill(l.a, r);
        fill(l.b, r);
        fill(l.c, r);
        if (r.nextBoolean()) {
            pointers(l.a, l.count, arena);
            pointers(l.b, l.count, arena);
        }
        return l;
    }

    private static Launch launch(int m, int n, int k, Op opA, Op opB, int count, Arena arena) {
        Launch l = new Launch().reset(Kernel.GEMM, ElementType.F32, count);
        l.math = MathMode.TF32;
        l.m = m;
        l.n = n;
        l.k = k;
        l.opA = opA;
        l.opB = opB;
        operand(l.a, opA == Op.NONE ? m : k, opA == Op.NONE ? k : m, count, arena);
        operand(l.b, opB == Op.NONE ? k : n, opB == Op.NONE ? n : k, count, arena);
        operand(l.c, m, n, count, arena);
        return l;
    }

    /** Leading dimensions such that copies of 16 bytes are possible for every other size. */
    private static void operand(Operand o, long rows, long cols, int count, Arena arena) {
        long ld = rows % 2 == 0 ? (rows + 3) / 4 * 4 : rows + 2;
        o.matrix(ElementType.F32, arena.allocate(ld * cols * count * 4, 16).address(), rows, cols, ld, ld * cols);
    }

    private static void pointers(Operand o, long count, Arena arena) {
        long table = arena.allocate(8 * count, 8).address();
        for (long i = 0; i < count; i++) {
            Memory.i64(table + 8 * i, o.at(i));
        }
        o.base = table;
        o.pointers = true;
    }

    private static void fill(Operand o, Random r) {
        for (long i = 0; i < o.span(); i++) {
            Memory.f32(o.at(0) + 4 * i, 2 * r.nextFloat() - 1);
        }
    }

    private static void round(Operand o, long count, MathMode math) {
        float[] all = floats(o, count);
        for (int i = 0; i < all.length; i++) {
            all[i] = round(all[i], math);
        }
        put(o, all);
    }

    private static float round(float x, MathMode math) {
        int bits = Float.floatToRawIntBits(x);
        return switch (math) {
            case TF32 -> Float.intBitsToFloat(bits + 0x1000 & ~0x1fff);
            case F16 -> Float.float16ToFloat(Float.floatToFloat16(x));
            case BF16 -> Float.intBitsToFloat(bits + 0x7fff + (bits >> 16 & 1) & ~0xffff);
            case DEFAULT, EMULATED -> x;
        };
    }

    private static float[] floats(Operand o, long count) {
        int span = (int) o.span();
        float[] all = new float[(int) (span * count)];
        for (int i = 0; i < all.length; i++) {
            all[i] = Memory.f32(o.at(i / span) + 4L * (i % span));
        }
        return all;
    }

    private static void put(Operand o, float[] all) {
        int span = (int) o.span();
        for (int i = 0; i < all.length; i++) {
            Memory.f32(o.at(i / span) + 4L * (i % span), all[i]);
        }
    }

    private static Shim run(Launch l, Arena arena, Cores cores, int multiprocessors, boolean backwards) {
        long arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5).address();
        long sync = arena.allocate(Launcher.SYNC_BYTES, 64).address();
        Shim shim = new Shim();
        new Launcher<>(shim, multiprocessors, cores, 1).run(l, arguments, sync, backwards);
        return shim;
    }
}
