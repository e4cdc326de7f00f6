package dev.basalt.host.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is done by element where there is little of it, beside machine code. */
class TinyTest {
    private static final int ORDER = 9;
    private static final int SIDES = 150;

    /** Threads are given no fewer sides. */
    private static final int LEAST_PART = (int) AssembledKernels.FEW_LINES + 1;

    /** With these anywhere both must come to the same. */
    private static final double[] SPECIALS =
            {0, -0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e-320, 0x1p-1021, 1e300};

    private static Leaf leaf(ElementType type, int bits) {
        int widest;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            widest = 0;
        }
        Assumptions.assumeTrue(bits <= widest, "there are no vectors of " + bits + " bits");
        return switch (type) {
            case F32 -> new AssembledSLeaf(AssembledKernels.real(bits, 4));
            case F64 -> new AssembledDLeaf(AssembledKernels.real(bits, 8));
            case C32 -> new AssembledCLeaf(AssembledKernels.complex(bits, 4));
            default -> new AssembledZLeaf(AssembledKernels.complex(bits, 8));
        };
    }

    private static void put(ElementType type, long at, double value) {
        if (type.real() == ElementType.F64) {
            Memory.f64(at, value);
        } else {
            Memory.f32(at, (float) value);
        }
    }

    private static void fill(ElementType type, Random random, long at, int order, long elements, boolean special) {
        int size = type.real().bytes();
        long numbers = elements * type.bytes() / size;
        for (long i = 0; i < numbers; i++) {
            put(type, at + i * size, random.nextDouble() - 0.5);
        }
        if (special) {
            put(type, at + random.nextLong(numbers) * size, SPECIALS[random.nextInt(SPECIALS.length)]);
        }
        for (int i = 0; i < order; i++) {
            double large = special && random.nextInt(order) == 0 ? SPECIALS[random.nextInt(SPECIALS.length)] : 1.5 + i;
            put(type, at + (long) i * (ORDER + 1) * type.bytes(), large);
        }
    }

    private static long[] bits(ElementType type, long at, long elements) {
        int size = type.real().bytes();
        long[] bits = new long[(int) (elements * type.bytes() / size)];
        Arrays.setAll(bits,
                i -> Double.doubleToLongBits(size == 8 ? Memory.f64(at + 8L * i) : Memory.f32(at + 4L * i)));
        return bits;
    }

    /** Right-hand sides in parts have the bits of all together, so threads may share them out: no part has as few as are taken as vectors. */
    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void aPartOfTheSidesHasTheBitsOfAll(ElementType type) {
        for (int bits : new int[] {256, 512}) {
            if (bits == 512 && AssembledKernels.vectorBits() < 512) {
                continue;
            }
            Leaf leaf = leaf(type, bits);
            Random random = new Random(bits);
            try (Arena arena = Arena.ofConfined()) {
                long elements = (long) ORDER * SIDES;
                long a = arena.allocate((long) ORDER * ORDER * type.bytes(), 64).address();
                long b = arena.allocate(elements * type.bytes(), 64).address();
                long c = arena.allocate(elements * type.bytes(), 64).address();
                for (int trial = 0; trial < 600; trial++) {
                    int order = 1 + random.nextInt(ORDER);
                    boolean left = random.nextBoolean();
                    Uplo uplo = random.nextBoolean() ? Uplo.LOWER : Uplo.UPPER;
                    Op op = Op.values()[random.nextInt(3)];
                    Diag diag = random.nextBoolean() ? Diag.UNIT : Diag.NON_UNIT;
                    fill(type, random, a, ORDER, (long) ORDER * ORDER, trial % 2 == 0);
                    fill(type, random, b, 0, elements, trial % 3 == 0);
                    Memory.copy(b, c, elements * type.bytes());
                    long ld = left ? ORDER : SIDES;
                    long next = (left ? ld : 1) * type.bytes();
                    Side side = left ? Side.LEFT : Side.RIGHT;
                    int m = left ? order : SIDES;
                    int n = left ? SIDES : order;
                    leaf.trsm(side, uplo, op, diag, m, n, 1, 0, a, ORDER, b, ld);
                    for (int i = 0; i < SIDES;) {
                        int rest = SIDES - i;
                        int part = Math.min(rest, LEAST_PART + random.nextInt(LEAST_PART));
                        part = rest - part < LEAST_PART ? rest : part;
                        leaf.trsm(side, uplo, op, diag, left ? m : part, left ? part : n, 1, 0, a, ORDER, c + i * next,
                                ld);
                        i += part;
                    }
                    assertThat(bits(type, c, elements))
                            .as("%s %d: %s %s %s %s of order %d", type, bits, side, uplo, op, diag, order)
                            .isEqualTo(bits(type, b, elements));
                }
            }
        }
    }

    /** Rows of zeros below, or a border, do not change factors but for rounding: so few columns come to the same as more of them. */
    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void factorsOfFewColumnsAreThoseOfMore(ElementType type) {
        Leaf leaf = leaf(type, 256);
        Random random = new Random(7);
        int many = 200;
        double unit = type.real() == ElementType.F64 ? 0x1p-50 : 0x1p-20;
        try (Arena arena = Arena.ofConfined()) {
            long a = arena.allocate((long) many * ORDER * type.bytes(), 64).address();
            long b = arena.allocate((long) many * ORDER * type.bytes(), 64).address();
            long pivots = arena.allocate(8L * ORDER, 8).address();
            for (int n = 1; n < ORDER; n++) {
                fill(type, random, a, 0, (long) many * n, false);
                for (int j = 0; j < n; j++) {
                    Memory.fill(a + ((long) j * many + n) * type.bytes(), (long) (many - n) * type.bytes(), (byte) 0);
                }
                Memory.copy(a, b, (long) many * n * type.bytes());
                assertThat(leaf.getf2(n, n, a, many, pivots, 3)).isZero();
                long[] few = pivots(pivots, n);
                assertThat(leaf.getf2(many, n, b, many, pivots, 3)).isZero();
                assertThat(few).as("pivots of %s %d", type, n).isEqualTo(pivots(pivots, n));
                near(type, a, b, (long) many * n, unit);
            }
        }
    }

    private static long[] pivots(long at, int n) {
        long[] pivots = new long[n];
        Arrays.setAll(pivots, i -> Memory.i64(at + 8L * i));
        return pivots;
    }

    private static void near(ElementType type, long a, long b, long elements, double error) {
        long[] one = bits(type, a, elements);
        long[] other = bits(type, b, elements);
        for (int i = 0; i < one.length; i++) {
            double x = Double.longBitsToDouble(one[i]);
            assertThat(x).as("%s element %d", type, i)
                    .isCloseTo(Double.longBitsToDouble(other[i]),
                            org.assertj.core.data.Offset.offset(error * (64 + Math.abs(x))));
        }
    }
}
