package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * trsm on small integers, where substitution makes no rounding error at all and inverting a tile would: around the borders of
 * tiles, with every option, and with diagonals whose reciprocals overflow or lose digits.
 */
class ExactTrianglesTest {
    private static final int[] ORDERS = {1, 8, 9, 31, 32, 33, 64, 65, 127, 128, 129, 255, 256, 257, 330};
    private static final int[] SIDES = {1, 7, 8, 9, 16, 17, 33};
    private static final long SEED = Seed.OF_RUN;
    private static final ElementType[] TYPES = {ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64};

    /** How large the numbers of the triangle are: reciprocals are normal, infinite, or denormal. */
    enum Size {
        ORDINARY, DENORMAL, HUGE
    }

    private final Shim shim = Shim.ABSENT == null ? new Shim() : null;
    private final Launcher<Boolean> few = new Launcher<>(shim, 1);
    private final Launcher<Boolean> many = new Launcher<>(shim, 132);
    private final Launcher<Boolean> tensor = new Launcher<>(shim, 8, true);

    @ParameterizedTest
    @EnumSource(Size.class)
    void solves(Size size) {
        if (Shim.ABSENT != null) {
            System.out.println("skipped: " + Shim.ABSENT);
        }
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
        int combination = new Random(SEED).nextInt(24);
        for (ElementType type : TYPES) {
            for (int order : ORDERS) {
                Random r = new Random(SEED + 31L * order + type.ordinal());
                combination += 7;
                try (Arena arena = Arena.ofConfined()) {
                    Trial t = trial(type, order, combination % 24, size, r);
                    double worst =
                            t.run(r.nextBoolean() ? tensor : r.nextBoolean() ? few : many, r.nextBoolean(), arena);
                    assertThat(worst)
                            .as("%s %s order %d, %s %s %s %s, %d×%d, seed %d", size, type, order, t.l.side, t.l.uplo,
                                    t.l.opA, t.l.diag, t.l.m, t.l.n, SEED)
                            .isZero();
                }
            }
        }
    }

    private static Trial trial(ElementType type, int order, int combination, Size size, Random r) {
        Trial t = new Trial(Kernel.TRSM, type, 1 + r.nextInt(3), r);
        Launch l = t.l;
        int sides = SIDES[r.nextInt(SIDES.length)];
        l.side = Side.values()[combination % 2];
        l.uplo = Uplo.values()[combination / 2 % 2];
        l.diag = size == Size.ORDINARY ? Diag.values()[combination / 4 % 2] : Diag.NON_UNIT;
        l.opA = Op.values()[combination / 8];
        boolean left = l.side == Side.LEFT;
        l.m = left ? order : sides;
        l.n = left ? sides : order;
        l.alpha.set(1, 0);
        t.matrix(l.a, type, order, order, r.nextInt(3), r.nextBoolean());
        t.matrix(l.c, type, l.m, l.n, r.nextInt(3), r.nextBoolean());
        boolean wide = type.real() == ElementType.F64;
        double scale = switch (size) {
            case ORDINARY -> 1;
            case DENORMAL -> wide ? 0x1p-1060 : 0x1p-140;
            case HUGE -> wide ? 0x1p1022 : 0x1p126;
        };
        for (long p = 0; p < l.count; p++) {
            fill(l, p, order, sides, scale, size == Size.HUGE ? 0x1p-30 : 1, r);
        }
        return t;
    }

    /** A triangle of integers times {@code scale}, and what it makes of unknowns that are integers times {@code unknown}. */
    private static void fill(Launch l, long p, int order, int sides, double scale, double unknown, Random r) {
        int parts = l.type.isComplex() ? 2 : 1;
        double[][][] a = new double[order][order][2];
        boolean lower = l.uplo == Uplo.LOWER;
        for (int j = 0; j < order; j++) {
            for (int i = 0; i < order; i++) {
                boolean stored = lower ? i > j : i < j;
                double[] v = a[i][j];
                if (i == j) {
                    v[parts == 1 ? 0 : r.nextInt(2)] = (r.nextBoolean() ? 1 : -1) * (1 + r.nextInt(2));
                } else if (stored) {
                    v[0] = r.nextInt(3) - 1;
                    v[1] = parts == 2 ? r.nextInt(3) - 1 : 0;
                }
                for (int q = 0; q < parts; q++) {
                    boolean read = stored || i == j && l.diag == Diag.NON_UNIT;
                    put(l.a, p, parts, i, j, q, read ? v[q] * scale : Double.NaN);
                }
                if (i == j && l.diag == Diag.UNIT) {
                    v[0] = 1;
                    v[1] = 0;
                }
            }
        }
        boolean left = l.side == Side.LEFT;
        for (int s = 0; s < sides; s++) {
            double[][] x = new double[order][2];
            for (double[] v : x) {
                v[0] = r.nextInt(5) - 2;
                v[1] = parts == 2 ? r.nextInt(5) - 2 : 0;
            }
            for (int i = 0; i < order; i++) {
                double re = 0;
                double im = 0;
                for (int j = 0; j < order; j++) {
                    // On the right an unknown is multiplied by the transposed triangle.
                    boolean swap = (l.opA != Op.NONE) == left;
                    double[] e = swap ? a[j][i] : a[i][j];
                    double sign = l.opA == Op.CONJ_TRANS ? -1 : 1;
                    re += e[0] * x[j][0] - sign * e[1] * x[j][1];
                    im += e[0] * x[j][1] + sign * e[1] * x[j][0];
                }
                double times = scale * unknown;
                put(l.c, p, parts, left ? i : s, left ? s : i, 0, re * times);
                if (parts == 2) {
                    put(l.c, p, parts, left ? i : s, left ? s : i, 1, im * times);
                }
            }
        }
    }

    private static void put(Operand o, long p, int parts, long i, long j, int part, double v) {
        Trial.set(o.type, o.at(p), parts * (i + j * o.ld) + part, v);
    }
}
