package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.ClassicLapack;
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
import dev.basalt.type.Op;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Least squares of rank-deficient matrices, and those under equations: what solutions are, and what becomes of problems that have none. */
class ConstrainedTest {
    private static final double THRESHOLD = 30;
    private static final int SIDES = 3;

    private static Mat random(Random random, ElementType type, int m, int n) {
        return ColumnPivotingTest.random(random, type, m, n);
    }

    private static double unit(ElementType type) {
        return ColumnPivotingTest.unit(type);
    }

    private interface Check {
        void run(Handle h, DeviceArena arena, Random random);
    }

    private static void with(Target target, Check check) {
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            check.run(h, arena, new Random(7));
        }
    }

    private static MatrixView matrix(DeviceArena arena, ElementType type, Mat a) {
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, a);
        return view;
    }

    private static VectorView vector(DeviceArena arena, ElementType type, Mat a) {
        VectorView view = arena.vector(type, a.m);
        view.upload(Orthogonal.numbers(type, a));
        return view;
    }

    private static int info(VectorView info) {
        int[] found = new int[1];
        info.download(found);
        return found[0];
    }

    /** A = U·V of rank r: the rank is found, the residual is orthogonal to U, and the solution a combination of the rows of V. */
    @EveryTarget
    void theRankIsFoundAndSolutionsAreShort(Target target) {
        ElementType type = target.type();
        with(target, (h, arena, random) -> {
            for (int[] shape : List.of(new int[] {1, 1, 1}, new int[] {20, 7, 4}, new int[] {7, 20, 5},
                    new int[] {16, 16, 1}, new int[] {25, 18, 18}, new int[] {12, 30, 12})) {
                int r = shape[2];
                Mat u = random(random, type, shape[0], r);
                Mat v = random(random, type, r, shape[1]);
                Mat a = u.times(v);
                Mat b = random(random, type, Math.max(a.m, a.n), SIDES);
                MatrixView sides = matrix(arena, type, b);
                VectorView rank = arena.vector(ElementType.I64, 1);
                VectorView jpvt = arena.vector(ElementType.I64, a.n);
                jpvt.upload(new long[a.n]);
                Lapack.gelsy(h, matrix(arena, type, a), sides, jpvt, 1e4 * unit(type), rank,
                        arena.vector(ElementType.I32, 1));
                long[] found = new long[1];
                rank.download(found);
                String what = type + " " + a.m + "x" + a.n + " of rank " + r;
                assertThat(found[0]).as(what).isEqualTo(r);
                Mat x = Orthogonal.download(sides, b.m, SIDES).corner(a.n, SIDES);
                Mat rest = b.corner(a.m, SIDES).minus(a.times(x));
                double bound = 100 * THRESHOLD * Math.max(a.m, a.n) * unit(type);
                assertThat(u.op(Op.CONJ_TRANS).times(rest).norm1()).as("Uᴴ(b - Ax), %s", what)
                        .isLessThanOrEqualTo(bound * (a.norm1() * x.norm1() + b.norm1()) * u.norm1());
                Mat y = solve(h, arena, type, v.op(Op.CONJ_TRANS), x);
                assertThat(x.minus(v.op(Op.CONJ_TRANS).times(y)).norm1()).as("x - Vᴴy, %s", what)
                        .isLessThanOrEqualTo(bound * x.norm1());
            }
        });
    }

    /** Least squares with full rank. */
    private static Mat solve(Handle h, DeviceArena arena, ElementType type, Mat a, Mat b) {
        MatrixView sides = matrix(arena, type, b);
        Lapack.gels(h, Op.NONE, matrix(arena, type, a), sides, arena.vector(ElementType.I32, 1));
        return Orthogonal.download(sides, b.m, b.n).corner(a.n, b.n);
    }

    @EveryTarget
    void aZeroMatrixHasRankZeroAndTheSolutionZero(Target target) {
        ElementType type = target.type();
        with(target, (h, arena, random) -> {
            MatrixView sides = matrix(arena, type, random(random, type, 6, 2));
            VectorView rank = arena.vector(ElementType.I64, 1);
            VectorView jpvt = arena.vector(ElementType.I64, 4);
            jpvt.upload(new long[4]);
            Lapack.gelsy(h, matrix(arena, type, new Mat(6, 4)), sides, jpvt, 0.1, rank,
                    arena.vector(ElementType.I32, 1));
            long[] found = {-1};
            rank.download(found);
            assertThat(found[0]).isZero();
            assertThat(Orthogonal.download(sides, 6, 2).norm1()).isZero();
        });
    }

    @EveryTarget
    void nanInAMatrixOfUnknownRankEnds(Target target) {
        ElementType type = target.type();
        with(target, (h, arena, random) -> {
            Mat a = random(random, type, 9, 5);
            a.set(3, 2, Double.NaN, 0);
            MatrixView sides = matrix(arena, type, random(random, type, 9, 2));
            VectorView rank = arena.vector(ElementType.I64, 1);
            VectorView jpvt = arena.vector(ElementType.I64, 5);
            jpvt.upload(new long[5]);
            Lapack.gelsy(h, matrix(arena, type, a), sides, jpvt, 0.1, rank, arena.vector(ElementType.I32, 1));
            long[] found = {-1};
            rank.download(found);
            assertThat(found[0]).isBetween(0L, 5L);
            assertThat(Orthogonal.download(sides, 9, 2).norm1()).isNaN();
        });
    }

    /** B·x = d, and there is a z with Aᴴ·(c - A·x) = Bᴴ·z. */
    @EveryTarget
    void equationsHoldAndWhatIsLeftIsOrthogonalToTheirSolutions(Target target) {
        ElementType type = target.type();
        with(target, (h, arena, random) -> {
            for (int[] shape : List.of(new int[] {1, 1, 0}, new int[] {20, 9, 4}, new int[] {6, 9, 5},
                    new int[] {12, 12, 12}, new int[] {3, 10, 8})) {
                Mat a = random(random, type, shape[0], shape[1]);
                Mat b = random(random, type, shape[2], shape[1]);
                Mat c = random(random, type, shape[0], 1);
                Mat d = random(random, type, shape[2], 1);
                VectorView solution = arena.vector(type, a.n);
                VectorView failed = arena.vector(ElementType.I32, 1);
                Lapack.gglse(h, matrix(arena, type, a), matrix(arena, type, b), vector(arena, type, c),
                        vector(arena, type, d), solution, failed);
                assertThat(info(failed)).isZero();
                Mat x = Orthogonal.download(solution, a.n);
                String what = type + " " + a.m + "x" + a.n + " p=" + b.m;
                double bound = 100 * THRESHOLD * (a.m + a.n) * unit(type);
                double size = (a.norm1() + b.norm1()) * x.norm1() + c.norm1() + d.norm1();
                assertThat(b.times(x).minus(d).norm1()).as("Bx - d, %s", what).isLessThanOrEqualTo(bound * size);
                Mat left = a.op(Op.CONJ_TRANS).times(c.minus(a.times(x)));
                Mat apart = b.m == 0
                        ? left
                        : left.minus(b.op(Op.CONJ_TRANS).times(solve(h, arena, type, b.op(Op.CONJ_TRANS), left)));
                assertThat(apart.norm1()).as("Aᴴ(c - Ax) - Bᴴz, %s", what)
                        .isLessThanOrEqualTo(bound * size * a.op(Op.CONJ_TRANS).norm1());
            }
        });
    }

    /** d = A·x + B·y, and there is a z with y = Bᴴ·z and Aᴴ·z = 0. */
    @EveryTarget
    void theSmallestDisturbanceExplainsWhatIsSeen(Target target) {
        ElementType type = target.type();
        with(target, (h, arena, random) -> {
            for (int[] shape : List.of(new int[] {1, 1, 1}, new int[] {9, 4, 20}, new int[] {9, 5, 6},
                    new int[] {12, 12, 3}, new int[] {10, 3, 10})) {
                Mat a = random(random, type, shape[0], shape[1]);
                Mat b = random(random, type, shape[0], shape[2]);
                Mat d = random(random, type, shape[0], 1);
                VectorView unknowns = arena.vector(type, a.n);
                VectorView disturbance = arena.vector(type, b.n);
                VectorView failed = arena.vector(ElementType.I32, 1);
                Lapack.ggglm(h, matrix(arena, type, a), matrix(arena, type, b), vector(arena, type, d), unknowns,
                        disturbance, failed);
                assertThat(info(failed)).isZero();
                Mat x = Orthogonal.download(unknowns, a.n);
                Mat y = Orthogonal.download(disturbance, b.n);
                String what = type + " " + a.m + "x" + a.n + " p=" + b.n;
                double bound = 100 * THRESHOLD * (a.m + b.n) * unit(type);
                double size = a.norm1() * x.norm1() + b.norm1() * y.norm1() + d.norm1();
                assertThat(d.minus(a.times(x)).minus(b.times(y)).norm1()).as("d - Ax - By, %s", what)
                        .isLessThanOrEqualTo(bound * size);
                if (b.n >= b.m) {
                    Mat z = solve(h, arena, type, b.op(Op.CONJ_TRANS), y);
                    assertThat(b.op(Op.CONJ_TRANS).times(z).minus(y).norm1()).as("y - Bᴴz, %s", what)
                            .isLessThanOrEqualTo(bound * size);
                    assertThat(a.op(Op.CONJ_TRANS).times(z).norm1()).as("Aᴴz, %s", what)
                            .isLessThanOrEqualTo(bound * size * a.op(Op.CONJ_TRANS).norm1() * (1 + z.norm1()));
                }
            }
        });
    }

    /** The others of a batch go on: x is the equation's, 2·x = 4, then 0·x = 4, then 5·x = 10. */
    @Test
    void othersOfABatchAreSolved() {
        try (Device device = Device.open("host");
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView a = arena.vector(ElementType.F64, 3);
            a.upload(new double[] {1, 1, 1});
            VectorView b = arena.vector(ElementType.F64, 3);
            b.upload(new double[] {2, 0, 5});
            VectorView c = arena.vector(ElementType.F64, 3);
            c.upload(new double[] {7, 8, 9});
            VectorView d = arena.vector(ElementType.F64, 3);
            d.upload(new double[] {4, 4, 10});
            VectorView x = arena.vector(ElementType.F64, 3);
            x.upload(new double[] {99, 99, 99});
            VectorView failed = arena.vector(ElementType.I32, 3);
            ClassicLapack.dgglseStridedBatched(h, 1, 1, 1, a.pointer(), 1, 1, b.pointer(), 1, 1, c.pointer(), 1,
                    d.pointer(), 1, x.pointer(), 1, failed.pointer(), 3);
            int[] info = new int[3];
            failed.download(info);
            assertThat(info).containsExactly(0, 1, 0);
            double[] found = new double[3];
            x.download(found);
            assertThat(found[0]).isEqualTo(2);
            assertThat(found[1]).isEqualTo(99);
            assertThat(found[2]).isEqualTo(2);
        }
    }
}
