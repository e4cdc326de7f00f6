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
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Op;
import dev.basalt.type.Svect;
import java.util.List;
import java.util.Random;

/** Some singular values: by a range, and the largest by random combinations. */
class SomeSingularValuesTest {
    private static final double THRESHOLD = 30;

    private static final List<int[]> SHAPES = List.of(new int[] {1, 1}, new int[] {1, 6}, new int[] {7, 1},
            new int[] {9, 9}, new int[] {17, 40}, new int[] {40, 31});

    private interface Check {
        void run(Handle handle, DeviceArena arena, int m, int n, Random random);
    }

    private static void shapes(Target target, Check check) {
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int[] shape : SHAPES) {
                try (DeviceArena arena = device.arena()) {
                    check.run(handle, arena, shape[0], shape[1], new Random(37L * shape[0] + shape[1]));
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(target + " of " + shape[0] + "×" + shape[1] + ": " + e, e);
                }
            }
        }
    }

    private static Decomposed random(Handle h, DeviceArena arena, ElementType type, Mat a, int k, long niters) {
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, a);
        VectorView s = arena.vector(type.real(), k);
        MatrixView u = arena.matrix(type, a.m, k);
        MatrixView vt = arena.matrix(type, k, a.n);
        VectorView info = arena.vector(ElementType.I32, 1);
        Lapack.gesvdr(h, niters, view, s, u, vt, info);
        int[] told = new int[1];
        info.download(told);
        return new Decomposed(Orthogonal.download(s, k), Orthogonal.download(u, a.m, k),
                Orthogonal.download(vt, k, a.n), told[0]);
    }

    /** With as many combinations as the shorter side has elements all values are there, whatever they are like. */
    @EveryTarget
    void gesvdrOfAll(Target target) {
        shapes(target, (h, arena, m, n, random) -> {
            for (Spectrum kind : Spectrum.some(target + " gesvdr", m, n)) {
                Mat a = kind.matrix(random, target.type(), m, n);
                random(h, arena, target.type(), a, Math.min(m, n), random.nextInt(3)).check(kind.toString(), a,
                        target.type());
            }
        });
    }

    /** A matrix of low rank is its largest values and their vectors. */
    @EveryTarget
    void gesvdrOfLowRank(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            if (Math.min(m, n) < 9) {
                return;
            }
            Mat a = Spectrum.DEFICIENT.matrix(random, type, m, n);
            Decomposed d = random(h, arena, type, a, 2, 0);
            assertThat(d.info()).isZero();
            d.checkVectors(a, type);
            double[] expected = Decomposed.openblas(a);
            for (int i = 0; i < 2; i++) {
                assertThat(Math.abs(d.values().re[i] - expected[i]))
                        .isLessThan(THRESHOLD * Math.max(m, n) * ColumnPivotingTest.unit(type) * expected[0]);
            }
        });
    }

    /** Power steps bring the values closer, and none is larger than what it stands for. */
    @EveryTarget
    void gesvdrWithPowerSteps(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            if (Math.min(m, n) < 17) {
                return;
            }
            Mat a = Spectrum.RANDOM.matrix(random, type, m, n);
            double[] expected = Decomposed.openblas(a);
            double rounding = THRESHOLD * Math.max(m, n) * ColumnPivotingTest.unit(type) * expected[0];
            double before = Double.MAX_VALUE;
            for (long niters : new long[] {0, 2, 20}) {
                Decomposed d = random(h, arena, type, a, 3, niters);
                Decomposed.orthogonal("U", d.u(), type);
                Decomposed.orthogonal("V", d.vt().op(Op.CONJ_TRANS), type);
                double worst = 0;
                for (int i = 0; i < 3; i++) {
                    assertThat(d.values().re[i]).isLessThanOrEqualTo(expected[i] + rounding);
                    worst = Math.max(worst, expected[i] - d.values().re[i]);
                }
                assertThat(worst).isLessThanOrEqualTo(before + rounding);
                before = worst;
            }
            assertThat(before).isLessThan(1e-3 * expected[0]);
        });
    }

    /** One member of a batch that is not finite is told, and the others are decomposed. */
    @EveryTarget
    void membersThatAreNotFinite(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            int m = 12;
            int n = 7;
            List<Mat> members = List.of(Spectrum.RANDOM.matrix(new Random(5), type, m, n), new Mat(m, n),
                    Spectrum.RANDOM.matrix(new Random(6), type, m, n),
                    Spectrum.DENORMAL.matrix(new Random(7), type, m, n));
            members.get(2).set(3, 3, Double.NaN, 0);
            for (boolean ranged : new boolean[] {false, true}) {
                int count = members.size();
                MatrixView a = arena.matrix(type, m, n, count);
                for (int b = 0; b < count; b++) {
                    Orthogonal.upload(a.problem(b), members.get(b));
                }
                VectorView s = arena.vector(type.real(), n, count);
                MatrixView u = arena.matrix(type, m, n, count);
                MatrixView vt = arena.matrix(type, n, n, count);
                VectorView info = arena.vector(ElementType.I32, 1, count);
                VectorView nsv = arena.vector(ElementType.I64, 1, count);
                if (ranged) {
                    Lapack.gesvdx(h, Svect.SINGULAR, Svect.SINGULAR, Erange.ALL, a, 0, 0, 0, 0, nsv, s, u, vt, info);
                } else {
                    Lapack.gesvdr(h, 1, a, s, u, vt, info);
                }
                for (int b = 0; b < count; b++) {
                    int[] told = new int[1];
                    info.problem(b).download(told);
                    Mat values = Orthogonal.download(s.problem(b), n);
                    if (b == 2) {
                        assertThat(told[0]).isNotZero();
                        assertThat(values.re[0]).isNaN();
                        continue;
                    }
                    new Decomposed(values, Orthogonal.download(u.problem(b), m, n),
                            Orthogonal.download(vt.problem(b), n, n), told[0])
                            .check("member " + b + " ranged " + ranged, members.get(b), type);
                }
            }
        }
    }

    /** What a range of numbers and a range of values find is what is there. */
    @EveryTarget
    void gesvdx(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            int k = Math.min(m, n);
            for (Spectrum kind : Spectrum.some(target + " gesvdx", m, n)) {
                Mat a = kind.matrix(random, type, m, n);
                double[] expected = Decomposed.openblas(a);
                int il = 1 + random.nextInt(k);
                int iu = il + random.nextInt(k - il + 1);
                Decomposed d = range(h, arena, type, a, Erange.INDEX, 0, 0, il, iu);
                assertThat(d.info()).isZero();
                assertThat(d.values().m).isEqualTo(iu - il + 1);
                near(kind + " by number", a, d, expected, il - 1, type);
                d = range(h, arena, type, a, Erange.VALUE, expected[0] / 2, 2 * expected[0], 0, 0);
                int count = d.values().m;
                assertThat(count).isBetween(expected[0] == 0 ? 0 : 1, k);
                near(kind + " by value", a, d, expected, 0, type);
            }
        });
    }

    private static void near(String what, Mat a, Decomposed d, double[] expected, int first, ElementType type) {
        double least = type.real() == ElementType.F32 ? Float.MIN_VALUE : Double.MIN_VALUE;
        double unit = Math.max(ColumnPivotingTest.unit(type) * expected[0], least);
        for (int i = 0; i < d.values().m; i++) {
            assertThat(Math.abs(d.values().re[i] - expected[first + i])).as("%s: value %d", what, i)
                    .isLessThanOrEqualTo(THRESHOLD * Math.max(a.m, a.n) * unit);
        }
        if (d.values().m > 0) {
            Decomposed.orthogonal(what, d.u(), type);
            Decomposed.orthogonal(what, d.vt().op(Op.CONJ_TRANS), type);
        }
    }

    private static Decomposed range(Handle h, DeviceArena arena, ElementType type, Mat a, Erange range, double vl,
            double vu, int il, int iu) {
        int k = Math.min(a.m, a.n);
        int most = (int) Erange.most(range, k, il, iu);
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, a);
        VectorView s = arena.vector(type.real(), k);
        MatrixView u = arena.matrix(type, a.m, most);
        MatrixView vt = arena.matrix(type, most, a.n);
        VectorView info = arena.vector(ElementType.I32, 1);
        VectorView nsv = arena.vector(ElementType.I64, 1);
        Lapack.gesvdx(h, Svect.SINGULAR, Svect.SINGULAR, range, view, vl, vu, il, iu, nsv, s, u, vt, info);
        int[] told = new int[1];
        info.download(told);
        long[] found = new long[1];
        nsv.download(found);
        int count = (int) found[0];
        return new Decomposed(Orthogonal.download(s, k).corner(count, 1),
                Orthogonal.download(u, a.m, most).corner(a.m, count),
                Orthogonal.download(vt, most, a.n).corner(count, a.n), told[0]);
    }
}
