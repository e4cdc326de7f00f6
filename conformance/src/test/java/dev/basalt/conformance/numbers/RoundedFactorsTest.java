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
import dev.basalt.type.Op;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Systems and least squares by factors with rounded products and GMRES: as good as in double precision, or that itself. */
class RoundedFactorsTest {
    private static final double THRESHOLD = 30;
    private static final double EPSILON = 0x1p-53;

    /** The most that iter can be, and what it is where that was not enough. */
    private static final long MOST = 60;

    private interface General {
        Object run(Handle h, MatrixView a, VectorView ipiv, MatrixView b, MatrixView x, VectorView iter,
                VectorView info);
    }

    private interface Least {
        Object run(Handle h, Op op, MatrixView a, MatrixView b, MatrixView x, VectorView iter, VectorView info);
    }

    private static final List<General> GENERAL = List.of(Lapack::gesvF16, Lapack::gesvBf16, Lapack::gesvTf32);

    private static final List<Least> LEAST =
            List.of(Lapack::gelsMixed, Lapack::gelsF16, Lapack::gelsBf16, Lapack::gelsTf32);

    /** What a call leaves. */
    private record Outcome(Mat a, Mat x, long iter, int info) {}

    private interface Check {
        void run(Handle handle, DeviceArena arena, ElementType type, boolean slow);
    }

    private static void on(Target target, Check check) {
        if (target.type().real() != ElementType.F64) {
            return;
        }
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            check.run(h, arena, target.type(), target.device().startsWith("sim"));
        }
    }

    private static Mat random(Random random, ElementType type, int m, int n) {
        boolean complex = type.isComplex();
        return Mat.of(m, n, (i, j) -> 2 * random.nextDouble() - 1, (i, j) -> complex ? 2 * random.nextDouble() - 1 : 0);
    }

    /** A matrix of a condition number: reflections on both sides of a graded diagonal. */
    private static Mat conditioned(Random random, ElementType type, int m, int n, double condition) {
        int k = Math.min(m, n);
        Mat d = Mat.of(m, n, (i, j) -> i == j ? Math.pow(condition, -(double) i / Math.max(1, k - 1)) : 0, (i, j) -> 0);
        return reflection(random, type, m).times(d).times(reflection(random, type, n));
    }

    private static Mat reflection(Random random, ElementType type, int n) {
        Mat v = random(random, type, n, 1);
        double square = 0;
        for (int i = 0; i < n; i++) {
            square += v.re(i, 0) * v.re(i, 0) + v.im(i, 0) * v.im(i, 0);
        }
        double by = 2 / square;
        Mat outer = v.times(v.conj().op(Op.TRANS));
        return Mat.of(n, n, (i, j) -> (i == j ? 1 : 0) - by * outer.re(i, j), (i, j) -> -by * outer.im(i, j));
    }

    private static Mat scaled(Mat a, java.util.function.IntToDoubleFunction rows,
            java.util.function.IntToDoubleFunction cols) {
        return Mat.of(a.m, a.n, (i, j) -> a.re(i, j) * rows.applyAsDouble(i) * cols.applyAsDouble(j),
                (i, j) -> a.im(i, j) * rows.applyAsDouble(i) * cols.applyAsDouble(j));
    }

    /** By a routine; with null by gesv. */
    private static Outcome solve(Handle h, DeviceArena arena, ElementType type, General by, Mat a, Mat b) {
        MatrixView matrix = arena.matrix(type, a.m, a.n);
        MatrixView sides = arena.matrix(type, b.m, b.n);
        MatrixView x = arena.matrix(type, b.m, b.n);
        VectorView pivots = arena.vector(ElementType.I64, a.n);
        VectorView iter = arena.vector(ElementType.I64, 1);
        VectorView info = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(matrix, a);
        Orthogonal.upload(by != null ? sides : x, b);
        if (by != null) {
            by.run(h, matrix, pivots, sides, x, iter, info);
        } else {
            Lapack.gesv(h, matrix, pivots, x, info);
        }
        return outcome(matrix, a, x, b, iter, info);
    }

    /** By a routine; with null by gels. */
    private static Outcome least(Handle h, DeviceArena arena, ElementType type, Least by, Op op, Mat a, Mat b) {
        MatrixView matrix = arena.matrix(type, a.m, a.n);
        MatrixView sides = arena.matrix(type, b.m, b.n);
        MatrixView x = arena.matrix(type, b.m, b.n);
        VectorView iter = arena.vector(ElementType.I64, 1);
        VectorView info = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(matrix, a);
        Orthogonal.upload(by != null ? sides : x, b);
        if (by != null) {
            by.run(h, op, matrix, sides, x, iter, info);
        } else {
            Lapack.gels(h, op, matrix, x, info);
        }
        return outcome(matrix, a, x, b, iter, info);
    }

    private static Outcome outcome(MatrixView matrix, Mat a, MatrixView x, Mat b, VectorView iter, VectorView info) {
        long[] steps = new long[1];
        int[] failed = new int[1];
        iter.download(steps);
        info.download(failed);
        return new Outcome(Orthogonal.download(matrix, a.m, a.n), Orthogonal.download(x, b.m, b.n), steps[0],
                failed[0]);
    }

    private static void residual(Mat a, Mat x, Mat b) {
        double rest = b.minus(a.times(x)).norm1();
        assertThat(rest / (a.norm1() * x.norm1() * a.n * EPSILON)).isLessThan(THRESHOLD);
    }

    private static void same(Mat found, Mat expected) {
        assertThat(found.re).isEqualTo(expected.re);
        assertThat(found.im).isEqualTo(expected.im);
    }

    // ---- general systems

    @EveryTarget
    void solutionsHaveTheErrorOfDoublePrecision(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(1);
            for (int n : slow ? List.of(1, 7) : List.of(1, 2, 33)) {
                for (int sides : List.of(0, 1, 18)) {
                    Mat a = conditioned(random, type, n, n, 50);
                    Mat b = random(random, type, n, sides);
                    for (General by : GENERAL) {
                        Outcome found = solve(h, arena, type, by, a, b);
                        assertThat(found.info).isZero();
                        assertThat(found.iter).as("n=%d sides=%d", n, sides).isBetween(sides == 0 ? 0L : 1L, 20L);
                        same(found.a, a);
                        if (sides > 0) {
                            residual(a, found.x, b);
                        }
                    }
                }
            }
        });
    }

    /** Refined or not, the backward error is that of double precision. */
    @EveryTarget
    void anyConditionGivesASmallBackwardError(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(2);
            int n = slow ? 12 : 40;
            for (double condition : new double[] {1e2, 1e4, 1e6, 1e8, 1e10, 1e12}) {
                Mat a = conditioned(random, type, n, n, condition);
                Mat b = random(random, type, n, 2);
                for (General by : GENERAL) {
                    Outcome found = solve(h, arena, type, by, a, b);
                    assertThat(found.info).isZero();
                    residual(a, found.x, b);
                    if (condition <= 1e6) {
                        assertThat(found.iter).as("condition %s", condition).isBetween(1L, MOST);
                    }
                    if (found.iter < 0) {
                        same(found.x, solve(h, arena, type, null, a, b).x);
                    }
                }
            }
        });
    }

    /** Scales of rows and columns cost nothing: neither halves nor floats see them. */
    @EveryTarget
    void badScalesAreTakenOut(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(3);
            int n = 15;
            Mat good = conditioned(random, type, n, n, 10);
            Mat b = random(random, type, n, 1);
            for (int power : new int[] {-600, 600}) {
                for (boolean rows : new boolean[] {false, true}) {
                    Mat a = scaled(good, i -> rows && i % 2 == 0 ? Math.scalb(1.0, power) : 1,
                            j -> !rows && j % 3 == 0 ? Math.scalb(1.0, power) : 1);
                    Mat all = scaled(good, i -> Math.scalb(1.0, power), j -> 1);
                    for (General by : GENERAL) {
                        for (Mat each : List.of(a, all)) {
                            Outcome found = solve(h, arena, type, by, each, b);
                            assertThat(found.info).isZero();
                            assertThat(found.iter).as("2^%d rows=%s", power, rows).isBetween(1L, 20L);
                            Mat plain = scaled(found.x,
                                    j -> each == all || !rows && j % 3 == 0 ? Math.scalb(1.0, power) : 1, j -> 1);
                            // Of the unscaled system, whose sides are scaled where rows were.
                            Mat sides = each == a && rows
                                    ? scaled(b, i -> i % 2 == 0 ? Math.scalb(1.0, -power) : 1, j -> 1)
                                    : b;
                            residual(good, plain, sides);
                        }
                    }
                }
            }
        });
    }

    @EveryTarget
    void whatCannotBeRefinedIsWhatGesvLeaves(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(4);
            int n = 50;
            Mat b = random(random, type, n, 2);
            // Half of its singular values are nothing but noise in single precision.
            Mat ill = conditioned(random, type, n, n, 1e15);
            Mat infinite = random(random, type, n, n);
            infinite.set(3, 4, Double.POSITIVE_INFINITY, 0);
            Mat full = random(random, type, n, n);
            Mat singular = Mat.of(n, n, (i, j) -> j == 4 ? 0 : full.re(i, j), (i, j) -> j == 4 ? 0 : full.im(i, j));
            Mat sides = b.copy();
            sides.set(1, 1, Double.NaN, 0);
            for (General by : GENERAL) {
                Outcome found = solve(h, arena, type, by, ill, b);
                assertThat(found.iter).isIn(-MOST - 1, -3L);
                residual(ill, found.x, b);
                falls(h, arena, type, by, infinite, b, -2, -2);
                assertThat(falls(h, arena, type, by, singular, b, -3, -3).info).isEqualTo(5);
                falls(h, arena, type, by, full, sides, -2, -2);
            }
        });
    }

    private static Outcome falls(Handle h, DeviceArena arena, ElementType type, General by, Mat a, Mat b, long one,
            long other) {
        Outcome found = solve(h, arena, type, by, a, b);
        Outcome expected = solve(h, arena, type, null, a, b);
        assertThat(found.iter).isIn(one, other);
        assertThat(found.info).isEqualTo(expected.info);
        same(found.x, expected.x);
        if (found.info == 0) {
            // Of a singular matrix the factorisation ends at its zero.
            same(found.a, expected.a);
        }
        return found;
    }

    // ---- least squares

    /** LAPACK's measures: the residual is orthogonal to A, or is small itself; a solution of least norm is in the range of Aᴴ, which QR's is. */
    @EveryTarget
    void leastSquaresAreThoseOfGels(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(5);
            int[][] shapes = {{1, 1}, {7, 7}, {9, 4}, {slow ? 20 : 60, 13}, {13, slow ? 20 : 60}};
            for (int[] shape : shapes) {
                for (Op op : List.of(Op.NONE, Op.CONJ_TRANS)) {
                    for (int sides : op == Op.NONE ? List.of(0, 18) : List.of(1)) {
                        Mat a = conditioned(random, type, shape[0], shape[1], 30);
                        Mat b = random(random, type, Math.max(shape[0], shape[1]), sides);
                        for (Least by : LEAST) {
                            Outcome found = least(h, arena, type, by, op, a, b);
                            assertThat(found.info).isZero();
                            assertThat(found.iter).as("%dx%d %s", shape[0], shape[1], op)
                                    .isBetween(sides == 0 ? 0L : 1L, MOST);
                            same(found.a, a);
                            near(h, arena, type, op, a, b, found.x, 1e3);
                        }
                    }
                }
            }
        });
    }

    /** The solution's distance from that of gels, in units of what the condition makes of roundings. */
    private static void near(Handle h, DeviceArena arena, ElementType type, Op op, Mat a, Mat b, Mat x,
            double condition) {
        int rows = op == Op.NONE ? a.n : a.m;
        if (b.n == 0) {
            return;
        }
        Mat expected = least(h, arena, type, null, op, a, b).x;
        Mat found = Mat.of(rows, b.n, x::re, x::im);
        Mat should = Mat.of(rows, b.n, expected::re, expected::im);
        double size = Math.max(should.norm1(), Double.MIN_NORMAL);
        assertThat(found.minus(should).norm1() / size).isLessThan(THRESHOLD * condition * Math.max(a.m, a.n) * EPSILON);
    }

    /** Consistent systems have solutions as exact as their condition allows, not its square. */
    @EveryTarget
    void consistentSystemsKeepTheirDigits(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(6);
            for (double condition : new double[] {1e2, 1e4, 1e11}) {
                Mat a = conditioned(random, type, 30, 8, condition);
                Mat truth = random(random, type, 8, 2);
                Mat b = a.times(truth);
                for (Least by : LEAST) {
                    Outcome found = least(h, arena, type, by, Op.NONE, a, b);
                    assertThat(found.info).isZero();
                    Mat x = Mat.of(8, 2, found.x::re, found.x::im);
                    assertThat(x.minus(truth).norm1() / truth.norm1()).as("condition %s iter %d", condition, found.iter)
                            .isLessThan(THRESHOLD * 30 * condition * EPSILON);
                    if (condition <= 1e4) {
                        assertThat(found.iter).as("condition %s", condition).isBetween(1L, MOST);
                    }
                }
            }
        });
    }

    @EveryTarget
    void leastSquaresOfBadScalesAndBadMatrices(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(7);
            Mat good = conditioned(random, type, 14, 5, 10);
            Mat b = random(random, type, 14, 1);
            Mat columns = scaled(good, i -> 1, j -> Math.scalb(1.0, 300 * (j % 3 - 1)));
            Mat nan = good.copy();
            nan.set(2, 2, Double.NaN, 0);
            Mat singular = Mat.of(14, 5, (i, j) -> j == 3 ? 0 : good.re(i, j), (i, j) -> j == 3 ? 0 : good.im(i, j));
            for (Least by : LEAST) {
                Outcome found = least(h, arena, type, by, Op.NONE, columns, b);
                assertThat(found.iter).isBetween(1L, MOST);
                near(h, arena, type, Op.NONE, good, b,
                        scaled(found.x, i -> i < 5 ? Math.scalb(1.0, 300 * (i % 3 - 1)) : 1, j -> 1), 1e2);
                assertThat(least(h, arena, type, by, Op.NONE, nan, b).iter).isNegative();
                Outcome zero = least(h, arena, type, by, Op.NONE, singular, b);
                assertThat(zero.iter).isEqualTo(-3);
                assertThat(zero.info).isEqualTo(4);
                same(zero.x, b);
            }
        });
    }

    // ---- batches, and no workspace

    @Test
    void problemsOfABatchDecideForThemselves() {
        int n = 10;
        Random random = new Random(8);
        ElementType type = ElementType.F64;
        try (Device device = Device.open("host");
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            Mat b = random(random, type, n, 20);
            Mat good = conditioned(random, type, n, n, 10);
            Mat hilbert = Mat.of(n, n, (i, j) -> 1.0 / (i + j + 1), (i, j) -> 0);
            Mat singular = Mat.of(n, n, (i, j) -> 1, (i, j) -> 0);
            List<Mat> problems = List.of(good, hilbert, singular, good);
            int count = problems.size();
            MatrixView a = arena.matrix(type, n, n, count);
            MatrixView sides = arena.matrix(type, n, b.n, count);
            MatrixView x = arena.matrix(type, n, b.n, count);
            VectorView pivots = arena.vector(ElementType.I64, n, count);
            VectorView iter = arena.vector(ElementType.I64, 1, count);
            VectorView info = arena.vector(ElementType.I32, count);
            for (int p = 0; p < count; p++) {
                Orthogonal.upload(a.problem(p), problems.get(p));
                Orthogonal.upload(sides.problem(p), b);
            }
            Lapack.gesvF16(h, a, pivots, sides, x, iter, info);
            long[] steps = new long[count];
            int[] failed = new int[count];
            iter.download(steps);
            info.download(failed);
            assertThat(steps[0]).isBetween(1L, 20L);
            assertThat(steps[3]).isEqualTo(steps[0]);
            assertThat(steps[2]).isEqualTo(-3);
            assertThat(failed).containsExactly(0, 0, 2, 0);
            residual(good, Orthogonal.download(x.problem(0), n, b.n), b);
            residual(hilbert, Orthogonal.download(x.problem(1), n, b.n), b);
            same(Orthogonal.download(x.problem(3), n, b.n), Orthogonal.download(x.problem(0), n, b.n));
            same(Orthogonal.download(a.problem(0), n, n), good);
        }
    }

    @Test
    void withoutWorkspaceItIsDoublePrecision() {
        Random random = new Random(9);
        ElementType type = ElementType.F64;
        try (Device device = Device.open("host");
                Handle h = device.handleBuilder().maxManagedBytes(0).create();
                DeviceArena arena = device.arena()) {
            Mat a = random(random, type, 30, 30);
            Mat b = random(random, type, 30, 2);
            for (General by : GENERAL) {
                Outcome found = solve(h, arena, type, by, a, b);
                assertThat(found.iter).isEqualTo(-1);
                same(found.x, solve(h, arena, type, null, a, b).x);
            }
            // A little: gels itself wants some.
            try (Handle little = device.handleBuilder().maxManagedBytes(512).create()) {
                for (Least by : LEAST) {
                    Outcome found = least(little, arena, type, by, Op.NONE, a, b);
                    assertThat(found.iter).isEqualTo(-1);
                    same(found.x, least(little, arena, type, null, Op.NONE, a, b).x);
                }
            }
        }
    }
}
