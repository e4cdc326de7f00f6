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
import dev.basalt.conformance.support.Share;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Svect;
import java.util.List;
import java.util.Random;

/** Singular value decompositions by the polar decomposition, by LAPACK's measures and beside OpenBLAS: above all where the polar factor is not unique. */
class PolarSingularValuesTest {
    private static final List<int[]> SHAPES = List.of(new int[] {1, 1}, new int[] {1, 6}, new int[] {7, 1},
            new int[] {2, 2}, new int[] {9, 9}, new int[] {17, 40}, new int[] {33, 33}, new int[] {40, 31},
            new int[] {66, 70}, new int[] {500, 10}, new int[] {10, 500});

    /** As many elements as a matrix of which all kinds are tried; as many kinds of a larger one. */
    private static final int SMALL = 700;

    private static final int FEW = 2;

    /** What is so much smaller than the largest singular value is a rounding error of it. */
    private static final double ROUNDING = 0x1p-53;

    /** Singular values: number i of k. */
    private enum Values {
        /** From 1 down to a rounding error. */
        GRADED((i, k) -> Math.pow(ROUNDING, i / (double) k)),
        /** From 1 down to the square of a rounding error: below any bound. */
        GRADED_FURTHER((i, k) -> Math.pow(ROUNDING, 2.0 * i / k)),
        /** Values that rounding does not tell apart. */
        CLUSTERED((i, k) -> (2 * i < k ? 1 : 0.25) + i * ROUNDING),
        REPEATED((i, k) -> 4 - 3 * i / k),
        A_THIRD_IS_ZERO((i, k) -> 3 * i < 2 * k ? k - i : 0),
        ONE((i, k) -> i == 0 ? 3 : 0),
        /** Where a polar factor is neither there nor not. */
        HALF_ARE_ROUNDING((i, k) -> 2 * i < k ? 1 + k - i : ROUNDING);

        private interface Value {
            double of(int i, int k);
        }

        private final Value value;

        Values(Value value) {
            this.value = value;
        }

        Mat matrix(Random random, ElementType type, int m, int n) {
            int k = Math.min(m, n);
            Mat middle = Mat.of(k, k, (i, j) -> i == j ? value.of(i, k) : 0, (i, j) -> 0);
            Mat left = Orthogonal.reflector(random, type, m).corner(m, k);
            Mat a = left.times(middle).times(Orthogonal.reflector(random, type, n).corner(k, n));
            return type.real() == ElementType.F64
                    ? a
                    : Mat.of(m, n, (i, j) -> (float) a.re(i, j), (i, j) -> (float) a.im(i, j));
        }
    }

    private interface Check {
        void run(Handle handle, DeviceArena arena, int m, int n, Random random);
    }

    private static void shapes(Target target, Check check) {
        boolean slow = Devices.isSlow(target.device());
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int[] shape : SHAPES) {
                if (slow && shape[0] * shape[1] > SMALL) {
                    continue;
                }
                try (DeviceArena arena = device.arena()) {
                    check.run(handle, arena, shape[0], shape[1], new Random(41L * shape[0] + shape[1]));
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(target + " of " + shape[0] + "×" + shape[1] + ": " + e, e);
                }
            }
        }
    }

    private static int[] some(Target target, int m, int n, int all) {
        return Share.draw(target + " " + m + "×" + n, all, m * n > SMALL ? FEW : all);
    }

    @EveryTarget
    void everyKindOfMatrix(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            for (Spectrum kind : Spectrum.some(target, m, n)) {
                Svect job = kind.ordinal() % 4 == 0 || Math.max(m, n) > 100 ? Svect.SINGULAR : Svect.ALL;
                Mat a = kind.matrix(random, type, m, n);
                Decomposed.gesvdp(h, arena, type, a, job, job).check(kind + " " + job, a, type);
            }
        });
    }

    @EveryTarget
    void everyKindOfValues(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            for (int i : some(target, m, n, Values.values().length)) {
                Values kind = Values.values()[i];
                Mat a = kind.matrix(random, type, m, n);
                Decomposed.gesvdp(h, arena, type, a, Svect.SINGULAR, Svect.SINGULAR).check(kind.toString(), a, type);
            }
        });
    }

    /** All vectors of a side much longer than the other. */
    @EveryTarget
    void allVectors(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (int[] shape : List.of(new int[] {120, 5}, new int[] {5, 120})) {
                Mat a = Values.A_THIRD_IS_ZERO.matrix(new Random(1), type, shape[0], shape[1]);
                Decomposed.gesvdp(h, arena, type, a, Svect.ALL, Svect.ALL).check("all", a, type);
            }
        }
    }

    /** Values are the same whichever vectors are asked for, and so are the vectors, but for rounding: devices may take other kernels where there is less to do, and nothing promises the same bits. */
    @EveryTarget
    void oneSideOrNone(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            if (m * n > SMALL) {
                return;
            }
            Mat a = Spectrum.RANDOM.matrix(random, type, m, n);
            Decomposed both = Decomposed.gesvdp(h, arena, type, a, Svect.SINGULAR, Svect.SINGULAR);
            for (Svect left : List.of(Svect.NONE, Svect.SINGULAR)) {
                for (Svect right : List.of(Svect.NONE, Svect.SINGULAR)) {
                    Decomposed one = Decomposed.gesvdp(h, arena, type, a, left, right);
                    one.near(both, a, type);
                    one.checkVectors(a, type);
                }
            }
        });
    }

    /** One member of a batch that is not finite is told, and the others are decomposed. */
    @EveryTarget
    void membersThatAreNotFinite(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (int[] shape : List.of(new int[] {12, 7}, new int[] {7, 12}, new int[] {6, 6}, new int[] {3, 1})) {
                for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                    members(h, arena, type, shape[0], shape[1], bad);
                }
            }
        }
    }

    private static void members(Handle h, DeviceArena arena, ElementType type, int m, int n, double bad) {
        int k = Math.min(m, n);
        List<Mat> members = List.of(Spectrum.RANDOM.matrix(new Random(5), type, m, n), new Mat(m, n),
                Spectrum.RANDOM.matrix(new Random(6), type, m, n), Spectrum.HUGE.matrix(new Random(7), type, m, n),
                Spectrum.DENORMAL.matrix(new Random(8), type, m, n));
        members.get(2).set(m / 2, n / 2, bad, 0);
        int count = members.size();
        MatrixView a = arena.matrix(type, m, n, count);
        for (int b = 0; b < count; b++) {
            Orthogonal.upload(a.problem(b), members.get(b));
        }
        VectorView s = arena.vector(type.real(), k, count);
        MatrixView u = arena.matrix(type, m, k, count);
        MatrixView vt = arena.matrix(type, k, n, count);
        VectorView info = arena.vector(ElementType.I32, 1, count);
        Lapack.gesvdp(h, Svect.SINGULAR, Svect.SINGULAR, a, s, u, vt, info);
        for (int b = 0; b < count; b++) {
            int[] told = new int[1];
            info.problem(b).download(told);
            Mat values = Orthogonal.download(s.problem(b), k);
            if (b == 2) {
                assertThat(told[0]).as("%s in %d×%d", bad, m, n).isPositive();
                assertThat(values.re).containsOnly(Double.NaN);
                continue;
            }
            new Decomposed(values, Orthogonal.download(u.problem(b), m, k), Orthogonal.download(vt.problem(b), k, n),
                    told[0]).check("member " + b, members.get(b), type);
        }
    }
}
