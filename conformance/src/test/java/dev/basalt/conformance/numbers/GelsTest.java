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

    /** What gels or gelsy leaves of A = a·2^i and B = b·2^j, times the powers that make it that of a and b. */
    private static Mat[] scaled(Handle h, DeviceArena arena, ElementType type, Op op, Mat a, Mat b, int i, int j) {
        MatrixView matrix = Problems.matrix(arena, type, times(a, i));
        MatrixView sides = Problems.matrix(arena, type, times(b, j));
        VectorView info = arena.vector(ElementType.I32, 1);
        if (op != null) {
            Lapack.gels(h, op, matrix, sides, info);
        } else {
            VectorView jpvt = arena.vector(ElementType.I64, a.n);
            jpvt.upload(new long[a.n]);
            Lapack.gelsy(h, matrix, sides, jpvt, 1e-3, arena.vector(ElementType.I64, 1), info);
        }
        assertThat(Problems.info(info)).isZero();
        Mat x = Orthogonal.download(sides, b.m, b.n);
        Mat factors = Orthogonal.download(matrix, a.m, a.n);
        int solutions = op == null || (op == Op.NONE) == (a.m >= a.n) ? a.n : b.m;
        int unknowns = op == Op.CONJ_TRANS ? a.m : solutions;
        int k = Math.min(a.m, a.n);
        boolean lower = op != null && a.m < a.n;
        Mat solution = times(x.corner(unknowns, b.n), i - j);
        Mat rest = times(
                Mat.of(b.m, b.n, (r, c) -> r < unknowns ? 0 : x.re(r, c), (r, c) -> r < unknowns ? 0 : x.im(r, c)), -j);
        Mat triangle = times(Mat.of(k, k, (r, c) -> r == c || r < c != lower ? factors.re(r, c) : 0,
                (r, c) -> r == c || r < c != lower ? factors.im(r, c) : 0), -i);
        return new Mat[] {solution, triangle, op == null ? new Mat(1, 1) : rest};
    }

    private static Mat times(Mat a, int power) {
        return Mat.of(a.m, a.n, (i, j) -> Math.scalb(a.re(i, j), power), (i, j) -> Math.scalb(a.im(i, j), power));
    }

    /** Without scales squares overflow or vanish, and so do solutions on their way. */
    @EveryTarget
    void numbersNearTheEndsOfTheRangeAreAsGoodAsOthers(Target target) {
        ElementType type = target.type();
        Random random = new Random(7);
        int end = Problems.single(type) ? 115 : 1005;
        int[][] powers = {{-end, -end}, {end, end}, {-end, 0}, {0, end}};
        Problems.on(target, (h, arena) -> {
            for (int[] shape : List.of(new int[] {14, 5}, new int[] {6, 11})) {
                for (Op op : new Op[] {Op.NONE, Op.CONJ_TRANS, null}) {
                    // Of few digits, which a power of two keeps.
                    Mat a = Mat.of(shape[0], shape[1], (i, j) -> random.nextInt(63) - 31 + (i == j ? 80 : 0),
                            (i, j) -> type.isComplex() ? random.nextInt(63) - 31 : 0);
                    Mat b = Mat.of(14, SIDES, (i, j) -> random.nextInt(63) - 31, (i, j) -> 0)
                            .corner(Math.max(a.m, a.n), SIDES);
                    Mat[] usual = scaled(h, arena, type, op, a, b, 0, 0);
                    for (int[] power : powers) {
                        Mat[] found = scaled(h, arena, type, op, a, b, power[0], power[1]);
                        for (int part = 0; part < usual.length; part++) {
                            assertThat(found[part].minus(usual[part]).norm1())
                                    .as("part %d of %s %s, 2^%d and 2^%d", part, type, op, power[0], power[1])
                                    .isLessThanOrEqualTo(THRESHOLD * unit(type) * usual[part].norm1());
                        }
                    }
                }
            }
        });
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
