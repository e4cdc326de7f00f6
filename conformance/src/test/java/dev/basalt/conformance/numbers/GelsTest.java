package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

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

/** Least squares: what solutions are, and what becomes of problems that have none. */
class GelsTest {
    private static final double THRESHOLD = 30;
    private static final int SIDES = 3;

    private static Mat random(Random random, ElementType type, int m, int n) {
        boolean complex = type.isComplex();
        return Mat.of(m, n, (i, j) -> (float) (2 * random.nextDouble() - 1),
                (i, j) -> complex ? (float) (2 * random.nextDouble() - 1) : 0);
    }

    private static double unit(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    /** Solves, in place in the first rows of b. */
    private static Mat solve(Handle h, DeviceArena arena, ElementType type, Op op, Mat a, Mat b, int info) {
        int rows = Math.max(a.m, a.n);
        MatrixView matrix = arena.matrix(type, a.m, a.n);
        MatrixView sides = arena.matrix(type, rows, b.n);
        VectorView failed = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(matrix, a);
        Orthogonal.upload(sides,
                Mat.of(rows, b.n, (i, j) -> i < b.m ? b.re(i, j) : 99, (i, j) -> i < b.m ? b.im(i, j) : 0));
        Lapack.gels(h, op, matrix, sides, failed);
        int[] found = new int[1];
        failed.download(found);
        assertThat(found[0]).isEqualTo(info);
        return Orthogonal.download(sides, rows, b.n);
    }

    /** The residual is orthogonal to the columns of op(A); where there is none, the solution is a combination of its rows. */
    @EveryTarget
    void residualsAreOrthogonalAndSolutionsShort(Target target) {
        ElementType type = target.type();
        Random random = new Random(5);
        boolean slow = target.device().startsWith("sim");
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int[] shape : List.of(new int[] {1, 1}, new int[] {20, 7}, new int[] {7, 20}, new int[] {33, 33},
                    new int[] {150, 70}, new int[] {80, 170})) {
                if (slow && shape[0] > 33) {
                    continue;
                }
                for (Op op : List.of(Op.NONE, Op.CONJ_TRANS)) {
                    try (DeviceArena arena = device.arena()) {
                        check(h, arena, type, op, random(random, type, shape[0], shape[1]), random);
                    }
                }
            }
        }
    }

    private static void check(Handle h, DeviceArena arena, ElementType type, Op op, Mat a, Random random) {
        Mat f = a.op(op);
        Mat b = random(random, type, f.m, SIDES);
        Mat x = solve(h, arena, type, op, a, b, 0).corner(f.n, SIDES);
        Mat rest = b.minus(f.times(x));
        double scale = f.norm1() * x.norm1() + b.norm1();
        double bound = THRESHOLD * Math.max(f.m, f.n) * unit(type) * scale;
        if (f.m >= f.n) {
            assertThat(f.op(Op.CONJ_TRANS).times(rest).norm1()).as("Aᴴ(b - Ax), %s %dx%d", type, f.m, f.n)
                    .isLessThanOrEqualTo(bound * f.op(Op.CONJ_TRANS).norm1());
        } else {
            assertThat(rest.norm1()).as("b - Ax, %s %dx%d", type, f.m, f.n).isLessThanOrEqualTo(bound);
            // The normal equations of the second kind: x = Aᴴy with the y of least squares.
            Mat y = solve(h, arena, type, Op.NONE, f.op(Op.CONJ_TRANS), x, 0).corner(f.m, SIDES);
            Mat apart = x.minus(f.op(Op.CONJ_TRANS).times(y));
            assertThat(apart.norm1()).as("x - Aᴴy, %s %dx%d", type, f.m, f.n)
                    .isLessThanOrEqualTo(bound + THRESHOLD * f.n * unit(type) * f.norm1() * y.norm1());
        }
    }

    @EveryTarget
    void aMatrixWithoutFullRankKeepsItsRightHandSides(Target target) {
        ElementType type = target.type();
        Random random = new Random(6);
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int[] shape : List.of(new int[] {12, 5}, new int[] {5, 12}, new int[] {40, 37})) {
                boolean wide = shape[0] < shape[1];
                for (Op op : List.of(Op.NONE, Op.CONJ_TRANS)) {
                    try (DeviceArena arena = device.arena()) {
                        Mat full = random(random, type, shape[0], shape[1]);
                        Mat a = Mat.of(full.m, full.n, (i, j) -> (wide ? i : j) == 3 ? 0 : full.re(i, j),
                                (i, j) -> (wide ? i : j) == 3 ? 0 : full.im(i, j));
                        Mat b = random(random, type, Math.max(a.m, a.n), SIDES);
                        Mat after = solve(h, arena, type, op, a, b, 4);
                        assertThat(after.re).isEqualTo(b.re);
                        assertThat(after.im).isEqualTo(b.im);
                    }
                }
            }
        }
    }

    /** The others of a batch go on: three problems of one unknown, x·(3, 4) = (3, 4), x·(0, 0) = (1, 2), x·(0, 2) = (5, 4). */
    @Test
    void othersOfABatchAreSolved() {
        try (Device device = Device.open("host");
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView a = arena.vector(ElementType.F64, 6);
            VectorView b = arena.vector(ElementType.F64, 6);
            VectorView info = arena.vector(ElementType.I32, 3);
            a.upload(new double[] {3, 4, 0, 0, 0, 2});
            b.upload(new double[] {3, 4, 1, 2, 5, 4});
            ClassicLapack.dgelsStridedBatched(h, Op.NONE, 2, 1, 1, a.pointer(), 2, 2, b.pointer(), 2, 2, info.pointer(),
                    3);
            int[] failed = new int[3];
            double[] x = new double[6];
            info.download(failed);
            b.download(x);
            assertThat(failed).containsExactly(0, 1, 0);
            assertThat(x[0]).isCloseTo(1, within(1e-15));
            assertThat(x[2]).isEqualTo(1);
            assertThat(x[3]).isEqualTo(2);
            assertThat(x[4]).isCloseTo(2, within(2e-15));
        }
    }
}
