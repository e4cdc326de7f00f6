package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.List;
import java.util.Random;

/** QR, LQ, QL and RQ by LAPACK's measures: the product of the factors, and how orthogonal Q is, in units of rounding. */
class OrthogonalTest {
    /** LAPACK's threshold. */
    private static final double THRESHOLD = 30;

    private static final List<int[]> SHAPES = List.of(new int[] {1, 1}, new int[] {1, 7}, new int[] {7, 1},
            new int[] {9, 9}, new int[] {17, 40}, new int[] {65, 31}, new int[] {33, 33}, new int[] {150, 70},
            new int[] {70, 150}, new int[] {300, 5}, new int[] {129, 129});

    private static final int SMALL = 41;

    /** On a simulated device that works in waves: several wide blocks of reflectors, and some more. */
    private static final int[] WIDE = {150, 133};

    /** What the numbers of a matrix are like. */
    private enum Kind {
        RANDOM,
        /** Columns and rows of ever smaller numbers. */
        GRADED,
        /** Of rank 2 at most. */
        DEFICIENT,
        ZERO,
        /** Squares overflow. */
        HUGE,
        /** Squares vanish, and reciprocals overflow. */
        TINY,
        /** Reflectors that are none. */
        TRIANGULAR
    }

    private static Mat matrix(Kind kind, Random random, ElementType type, int m, int n) {
        boolean single = type.real() == ElementType.F32;
        Mat a = random(random, type, m, n);
        return switch (kind) {
            case RANDOM -> a;
            case GRADED -> {
                double step = single ? 0.8 : 0.5;
                yield Mat.of(m, n, (i, j) -> a.re(i, j) * Math.pow(step, (i + j) / 2),
                        (i, j) -> a.im(i, j) * Math.pow(step, (i + j) / 2));
            }
            case DEFICIENT -> random(random, type, m, 2).times(random(random, type, 2, n));
            case ZERO -> new Mat(m, n);
            case HUGE -> a.times(new Complex(scale(single), 0));
            case TINY -> a.times(new Complex(1 / scale(single) / 64, 0));
            case TRIANGULAR -> Mat.of(m, n, (i, j) -> i <= j ? a.re(i, j) : 0, (i, j) -> i < j ? a.im(i, j) : 0);
        };
    }

    private static Mat random(Random random, ElementType type, int m, int n) {
        boolean complex = type.isComplex();
        return Mat.of(m, n, (i, j) -> (float) (2 * random.nextDouble() - 1),
                (i, j) -> complex ? (float) (2 * random.nextDouble() - 1) : 0);
    }

    private static double scale(boolean single) {
        return single ? 0x1p115 : 0x1p990;
    }

    private static double unit(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    private interface Check {
        void run(Handle handle, DeviceArena arena, int m, int n, Random random);
    }

    private static void run(Handle handle, int[] shape, Check check) {
        try (DeviceArena arena = handle.device().arena()) {
            check.run(handle, arena, shape[0], shape[1], new Random(31L * shape[0] + shape[1]));
        }
    }

    private static void shapes(Target target, Check check) {
        boolean slow = target.device().startsWith("sim");
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int[] shape : SHAPES) {
                if (!slow || shape[0] * shape[1] <= SMALL * SMALL) {
                    run(handle, shape, check);
                }
            }
            if (Devices.worksInWaves(target.device())) {
                run(handle, WIDE, check);
            }
        }
    }

    @EveryTarget
    void theFactorsGiveTheMatrixAndQIsOrthogonal(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            for (Kind kind : Kind.values()) {
                Mat a = matrix(kind, random, type, m, n);
                for (Orthogonal shape : Orthogonal.values()) {
                    String what = shape + " of " + type + " " + kind + " " + m + "x" + n;
                    Orthogonal.Factors f = shape.factor(h, arena, type, a);
                    double back = kind == Kind.HUGE ? 1 / scale(type.real() == ElementType.F32)
                            : kind == Kind.TINY ? scale(type.real() == ElementType.F32)
                            : 1;
                    Complex by = new Complex(back, 0);
                    Mat scaled = a.times(by);
                    Mat rest = scaled.minus(shape.product(f.stored().times(by), f.q()));
                    int order = Math.max(m, n);
                    double bound = THRESHOLD * order * unit(type);
                    assertThat(rest.norm1()).as("A - QR, %s", what).isLessThanOrEqualTo(bound * scaled.norm1());
                    assertThat(distance(f.q(), shape.right)).as("QᴴQ - I, %s", what).isLessThanOrEqualTo(bound);
                    assertThat(distance(f.whole(), false)).as("QᴴQ - I of all of Q, %s", what)
                            .isLessThanOrEqualTo(bound);
                }
            }
        });
    }

    /** ‖QᴴQ - I‖, or ‖QQᴴ - I‖. */
    private static double distance(Mat q, boolean rows) {
        Mat turned = q.op(Op.CONJ_TRANS);
        Mat product = rows ? q.times(turned) : turned.times(q);
        return product.minus(Mat.identity(product.m)).norm1();
    }

    @EveryTarget
    void productsWithQAreThoseWithAllOfIt(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            Mat a = random(random, type, m, n);
            for (Orthogonal shape : Orthogonal.values()) {
                Orthogonal.Factors f = shape.factor(h, arena, type, a);
                int order = f.whole().m;
                for (Side side : Side.values()) {
                    for (Op op : List.of(Op.NONE, Op.CONJ_TRANS)) {
                        boolean left = side == Side.LEFT;
                        Mat c = random(random, type, left ? order : 5, left ? 5 : order);
                        Mat q = f.whole().op(op);
                        Mat expected = left ? q.times(c) : c.times(q);
                        Mat found = shape.times(h, arena, type, side, op, f, c);
                        assertThat(found.minus(expected).norm1()).as("%s %s %s %dx%d", shape, side, op, m, n)
                                .isLessThanOrEqualTo(THRESHOLD * order * unit(type) * c.norm1());
                    }
                }
            }
        });
    }

    /** What is not a number comes out as such, and nothing is touched that comes before it. */
    @EveryTarget
    void nanAndInfinityComeOut(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            for (double odd : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                Mat a = random(random, type, m, n);
                int at = random.nextInt(n);
                a.set(random.nextInt(m), at, odd, 0);
                Mat stored = Orthogonal.QR.factor(h, arena, type, a).stored();
                boolean seen = false;
                for (int j = 0; j <= at; j++) {
                    for (int i = 0; i < m; i++) {
                        boolean finite = Double.isFinite(stored.re(i, j)) && Double.isFinite(stored.im(i, j));
                        assertThat(finite || j == at)
                                .as("element (%d, %d) of %dx%d, %s in column %d", i, j, m, n, odd, at)
                                .isTrue();
                        seen |= !finite;
                    }
                }
                assertThat(seen).as("%s in column %d of %dx%d", odd, at, m, n).isTrue();
            }
        });
    }
}
