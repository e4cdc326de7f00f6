package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Selection;
import dev.basalt.type.Sense;
import dev.basalt.type.Sign;
import java.util.Random;

/** Condition numbers of geevx and geesx where they are known, and Sylvester's equation at the ends of the range. */
class SensitivityTest {
    private static final double LOOSE = 1e-4;

    private interface Body {
        void run(Handle h, DeviceArena arena);
    }

    private static void on(Target target, Body body) {
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            body.run(h, arena);
        }
    }

    private static Mat matrix(double[]... rows) {
        return Mat.of(rows.length, rows[0].length, (i, j) -> rows[i][j], (i, j) -> 0);
    }

    private static MatrixView put(DeviceArena arena, ElementType type, Mat a) {
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, a);
        return view;
    }

    /** Condition numbers and the norm. */
    private record Each(double[] re, double[] im, double[] values, double[] vectors, double norm, int info) {
        /** The place of an eigenvalue. */
        int of(double real, double imaginary) {
            int at = 0;
            for (int i = 1; i < re.length; i++) {
                at = distance(i, real, imaginary) < distance(at, real, imaginary) ? i : at;
            }
            assertThat(distance(at, real, imaginary)).isLessThan(LOOSE);
            return at;
        }

        private double distance(int i, double real, double imaginary) {
            return Math.hypot(re[i] - real, im[i] - imaginary);
        }
    }

    private static Each geevx(Handle h, DeviceArena arena, ElementType type, Balance balance, Mat a) {
        int n = a.n;
        MatrixView view = put(arena, type, a);
        VectorView w = arena.vector(type, n);
        VectorView wi = arena.vector(type, n);
        VectorView ilo = arena.vector(ElementType.I64, 1);
        VectorView ihi = arena.vector(ElementType.I64, 1);
        VectorView scale = arena.vector(type.real(), n);
        VectorView norm = arena.vector(type.real(), 1);
        VectorView values = arena.vector(type.real(), n);
        VectorView vectors = arena.vector(type.real(), n);
        VectorView info = arena.vector(ElementType.I32, 1);
        if (type.isComplex()) {
            Lapack.geevx(h, balance, Evect.NONE, Evect.NONE, Sense.BOTH, view, w, null, null, ilo, ihi, scale, norm,
                    values, vectors, info);
        } else {
            Lapack.geevx(h, balance, Evect.NONE, Evect.NONE, Sense.BOTH, view, w, wi, null, null, ilo, ihi, scale, norm,
                    values, vectors, info);
        }
        Mat found = Orthogonal.download(w, n);
        double[] im = type.isComplex() ? found.im : Orthogonal.download(wi, n).re;
        int[] outcome = new int[1];
        info.download(outcome);
        return new Each(found.re, im, Orthogonal.download(values, n).re, Orthogonal.download(vectors, n).re,
                Orthogonal.download(norm, 1).re[0], outcome[0]);
    }

    private static void near(double found, double expected) {
        assertThat(found).isBetween(expected * (1 - LOOSE) - LOOSE, expected * (1 + LOOSE) + LOOSE);
    }

    @EveryTarget
    void knownConditions(Target target) {
        ElementType type = target.type();
        on(target, (h, arena) -> {
            // One angle for both: 1 / √(1 + 8²), and they are 2 apart.
            Each two = geevx(h, arena, type, Balance.NONE, matrix(new double[] {1, 16}, new double[] {0, 3}));
            assertThat(two.info).isZero();
            for (int i = 0; i < 2; i++) {
                near(two.values[i], 1 / Math.sqrt(65));
                near(two.vectors[i], 2);
            }
            near(two.norm, 19);
            // A pair ±2i beside 5: orthogonal vectors, and distances of numbers.
            Mat pair = matrix(new double[] {0, 2, 0}, new double[] {-2, 0, 0}, new double[] {0, 0, 5});
            Each three = geevx(h, arena, type, Balance.NONE, pair);
            near(three.values[three.of(0, 2)], 1);
            near(three.values[three.of(5, 0)], 1);
            near(three.vectors[three.of(0, -2)], 4);
            near(three.vectors[three.of(0, 2)], 4);
            near(three.vectors[three.of(5, 0)], Math.sqrt(29));
            // A Jordan block has no condition.
            Each jordan = geevx(h, arena, type, Balance.NONE,
                    matrix(new double[] {2, 1, 0}, new double[] {0, 2, 1}, new double[] {0, 0, 2}));
            for (int i = 0; i < 3; i++) {
                assertThat(jordan.values[i]).isBetween(0.0, 1e-5);
                assertThat(jordan.vectors[i]).isBetween(0.0, 1e-5);
            }
            Each one = geevx(h, arena, type, Balance.BOTH, matrix(new double[] {-7}));
            near(one.values[0], 1);
            near(one.vectors[0], 7);
        });
    }

    /** Scales that differ by 2¹² are taken away by balancing, and conditions are then those of a good matrix. */
    @EveryTarget
    void balancingImprovesConditions(Target target) {
        on(target, (h, arena) -> {
            int n = 6;
            Random random = new Random(11);
            double[][] good = new double[n][n];
            for (double[] row : good) {
                for (int j = 0; j < n; j++) {
                    row[j] = random.nextGaussian();
                }
            }
            Mat bad = Mat.of(n, n, (i, j) -> Math.scalb(good[i][j], 4 * (i - j)), (i, j) -> 0);
            Each without = geevx(h, arena, target.type(), Balance.NONE, bad);
            Each with = geevx(h, arena, target.type(), Balance.BOTH, bad);
            double least = 1;
            double better = 1;
            for (int i = 0; i < n; i++) {
                least = Math.min(least, without.values[i]);
                better = Math.min(better, with.values[i]);
            }
            assertThat(better).isGreaterThan(20 * least).isGreaterThan(1e-3);
            assertThat(with.norm).isLessThan(without.norm / 100);
        });
    }

    @EveryTarget
    void conditionsOfASpace(Target target) {
        ElementType type = target.type();
        on(target, (h, arena) -> {
            MatrixView a = put(arena, type, matrix(new double[] {2, 12}, new double[] {0, -1}));
            MatrixView vs = arena.matrix(type, 2, 2);
            VectorView w = arena.vector(type, 2);
            VectorView wi = arena.vector(type, 2);
            VectorView sdim = arena.vector(ElementType.I64, 1);
            VectorView value = arena.vector(type.real(), 1);
            VectorView space = arena.vector(type.real(), 1);
            VectorView info = arena.vector(ElementType.I32, 1);
            if (type.isComplex()) {
                Lapack.geesx(h, Evect.NONE, Selection.LEFT_HALF, Sense.BOTH, a, sdim, w, vs, value, space, info);
            } else {
                Lapack.geesx(h, Evect.NONE, Selection.LEFT_HALF, Sense.BOTH, a, sdim, w, wi, vs, value, space, info);
            }
            long[] chosen = new long[1];
            sdim.download(chosen);
            assertThat(chosen[0]).isOne();
            near(Orthogonal.download(value, 1).re[0], 1 / Math.sqrt(17));
            near(Orthogonal.download(space, 1).re[0], 3);
        });
    }

    /** Numbers that are none come back as such or with an info, and nothing waits for them. */
    @EveryTarget
    void notNumbers(Target target) {
        on(target, (h, arena) -> {
            Mat a = GeneralMatrices.RANDOM.matrix(new Random(3), target.type(), 9);
            a.set(4, 2, Double.NaN, 0);
            assertThat(geevx(h, arena, target.type(), Balance.BOTH, a).info).isPositive();
            Mat triangle = Mat.of(9, 9, (i, j) -> i > j ? 0 : i == j ? 1 + i : 1, (i, j) -> 0);
            triangle.set(2, 3, Double.NaN, 0);
            Solution s = trsyl(h, arena, target.type(), Op.NONE, Sign.PLUS, triangle, triangle,
                    Mat.of(9, 9, (i, j) -> 1, (i, j) -> 0));
            assertThat(s.x.re[0]).isNaN();
        });
    }

    private record Solution(Mat x, double scale, int info) {}

    private static Solution trsyl(Handle h, DeviceArena arena, ElementType type, Op op, Sign sign, Mat a, Mat b,
            Mat c) {
        MatrixView x = put(arena, type, c);
        VectorView scale = arena.vector(type.real(), 1);
        VectorView info = arena.vector(ElementType.I32, 1);
        Lapack.trsyl(h, op, op, sign, put(arena, type, a), put(arena, type, b), x, scale, info);
        int[] outcome = new int[1];
        info.download(outcome);
        return new Solution(Orthogonal.download(x, c.m, c.n), Orthogonal.download(scale, 1).re[0], outcome[0]);
    }

    /** A and B that share an eigenvalue have no solution; it is moved, and the solution is large but finite. */
    @EveryTarget
    void sharedEigenvaluesAreMovedApart(Target target) {
        on(target, (h, arena) -> {
            Mat a = matrix(new double[] {1, 2}, new double[] {0, 3});
            Mat ones = matrix(new double[] {1, 1}, new double[] {1, 1});
            Solution shared = trsyl(h, arena, target.type(), Op.NONE, Sign.MINUS, a, a, ones);
            assertThat(shared.info).isOne();
            for (double element : shared.x.re) {
                assertThat(element).isFinite();
            }
            Solution apart = trsyl(h, arena, target.type(), Op.NONE, Sign.PLUS, a, a, ones);
            assertThat(apart.info).isZero();
            assertThat(apart.scale).isEqualTo(1);
            near(apart.x.re(1, 0), 1 / 4.0);
        });
    }

    /** A right-hand side at the end of the range over small eigenvalues would overflow: it is scaled, and the equation holds with the scale. */
    @EveryTarget
    void whatWouldOverflowIsScaled(Target target) {
        boolean single = target.type().real() == ElementType.F32;
        double tiny = single ? 0x1p-60 : 0x1p-600;
        double huge = single ? 0x1p100 : 0x1p900;
        on(target, (h, arena) -> {
            for (Op op : new Op[] {Op.NONE, Op.CONJ_TRANS}) {
                Mat a = matrix(new double[] {tiny, tiny}, new double[] {0, 2 * tiny});
                Solution s = trsyl(h, arena, target.type(), op, Sign.PLUS, a, matrix(new double[] {tiny}),
                        matrix(new double[] {huge}, new double[] {huge}));
                assertThat(s.scale).isGreaterThan(0).isLessThan(1);
                assertThat(s.x.re(0, 0)).isFinite();
                double left = op == Op.NONE ? 2 * s.x.re(0, 0) + s.x.re(1, 0) : 2 * s.x.re(0, 0);
                near(left * tiny / (s.scale * huge), 1);
                double last = op == Op.NONE ? 3 * s.x.re(1, 0) : 3 * s.x.re(1, 0) + s.x.re(0, 0);
                near(last * tiny / (s.scale * huge), 1);
            }
        });
    }
}
