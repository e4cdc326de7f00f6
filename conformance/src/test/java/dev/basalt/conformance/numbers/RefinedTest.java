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
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Solutions from factors in single precision: as good as those in double precision, and where that cannot be, those themselves. */
class RefinedTest {
    private static final double THRESHOLD = 30;
    private static final double EPSILON = 0x1p-53;

    /** What a call leaves. */
    private record Outcome(Mat a, Mat x, long iter, int info) {}

    private static Mat random(Random random, ElementType type, int m, int n) {
        boolean complex = type.isComplex();
        return Mat.of(m, n, (i, j) -> 2 * random.nextDouble() - 1, (i, j) -> complex ? 2 * random.nextDouble() - 1 : 0);
    }

    /** A symmetric or Hermitian positive definite matrix. */
    private static Mat positive(Random random, ElementType type, int n) {
        Mat a = random(random, type, n, n);
        Mat square = a.times(a.conj().op(Op.TRANS));
        return Mat.of(n, n, (i, j) -> square.re(i, j) + (i == j ? 1 : 0), (i, j) -> i == j ? 0 : square.im(i, j));
    }

    private static Outcome solve(Handle h, DeviceArena arena, ElementType type, Uplo uplo, Mat a, Mat b,
            boolean refined) {
        MatrixView matrix = arena.matrix(type, a.m, a.n);
        MatrixView sides = arena.matrix(type, b.m, b.n);
        MatrixView x = arena.matrix(type, b.m, b.n);
        VectorView pivots = arena.vector(ElementType.I64, a.n);
        VectorView iter = arena.vector(ElementType.I64, 1);
        VectorView info = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(matrix, a);
        Orthogonal.upload(refined ? sides : x, b);
        if (uplo == null && refined) {
            Lapack.gesvMixed(h, matrix, pivots, sides, x, iter, info);
        } else if (uplo == null) {
            Lapack.gesv(h, matrix, pivots, x, info);
        } else if (refined) {
            Lapack.posvMixed(h, uplo, matrix, sides, x, iter, info);
        } else {
            Lapack.posv(h, uplo, matrix, x, info);
        }
        long[] steps = new long[1];
        int[] failed = new int[1];
        iter.download(steps);
        info.download(failed);
        return new Outcome(Orthogonal.download(matrix, a.m, a.n), Orthogonal.download(x, b.m, b.n), steps[0],
                failed[0]);
    }

    /** Whether the last call was one in double precision alone, as devices are that gain nothing by single precision. */
    private static boolean isDouble(Handle h) {
        return h.lastCall().tierName().startsWith("double precision");
    }

    private interface Check {
        void run(Handle handle, DeviceArena arena, ElementType type, boolean slow);
    }

    /** In double precision, on every device and engine. */
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

    private static void residual(Mat a, Mat x, Mat b, int n) {
        double rest = b.minus(a.times(x)).norm1();
        assertThat(rest / (a.norm1() * x.norm1() * n * EPSILON)).isLessThan(THRESHOLD);
    }

    private static void same(Mat found, Mat expected) {
        assertThat(found.re).isEqualTo(expected.re);
        assertThat(found.im).isEqualTo(expected.im);
    }

    @EveryTarget
    void solutionsHaveTheErrorOfDoublePrecision(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(1);
            for (int n : slow ? List.of(1, 7, 33) : List.of(1, 2, 7, 33, 150, 300)) {
                for (int sides : List.of(0, 1, 5)) {
                    Mat b = random(random, type, n, sides);
                    Mat a = random(random, type, n, n);
                    Outcome general = solve(h, arena, type, null, a, b, true);
                    assertThat(general.info).isZero();
                    iterates(h, general, n, a);
                    Mat p = positive(random, type, n);
                    Uplo uplo = random.nextBoolean() ? Uplo.UPPER : Uplo.LOWER;
                    Mat half = p.triangular(uplo, Diag.NON_UNIT);
                    Outcome definite = solve(h, arena, type, uplo, half, b, true);
                    assertThat(definite.info).isZero();
                    iterates(h, definite, n, half);
                    if (sides > 0) {
                        residual(a, general.x, b, n);
                        residual(p, definite.x, b, n);
                    }
                }
            }
        });
    }

    /** Refinement leaves the matrix as it was. */
    private static void iterates(Handle h, Outcome outcome, int n, Mat matrix) {
        if (isDouble(h)) {
            assertThat(outcome.iter).as("n=%d", n).isEqualTo(-1);
        } else {
            assertThat(outcome.iter).as("n=%d", n).isBetween(0L, 30L);
            same(outcome.a, matrix);
        }
    }

    /** What single precision cannot do is done in double precision, and the results are those of gesv, bit for bit. */
    @EveryTarget
    void whatFailsIsSolvedInDoublePrecision(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(2);
            int n = 12;
            Mat b = random(random, type, n, 2);
            Mat hilbert = Mat.of(n, n, (i, j) -> 1.0 / (i + j + 1), (i, j) -> 0);
            Mat large = random(random, type, n, n);
            large.set(3, 4, 1e300, 0);
            // In single precision the last two rows are the same.
            Mat close = random(random, type, n, n);
            for (int j = 0; j < n; j++) {
                double re = (float) close.re(n - 2, j);
                double im = (float) close.im(n - 2, j);
                close.set(n - 2, j, re, im);
                close.set(n - 1, j, j == 0 ? re * (1 + 0x1p-40) : re, im);
            }
            Mat sides = b.copy();
            sides.set(1, 1, -1e200, 0);
            Mat ordinary = random(random, type, n, n);
            falls(h, arena, type, hilbert, b, -31, -3);
            falls(h, arena, type, large, b, -2, -2);
            falls(h, arena, type, close, b, -31, -3);
            falls(h, arena, type, ordinary, sides, -2, -2);
        });
    }

    private static void falls(Handle h, DeviceArena arena, ElementType type, Mat a, Mat b, long one, long other) {
        Outcome found = solve(h, arena, type, null, a, b, true);
        boolean isDouble = isDouble(h);
        Outcome expected = solve(h, arena, type, null, a, b, false);
        assertThat(found.iter).isIn(isDouble ? List.of(-1L) : List.of(one, other));
        assertThat(found.info).isEqualTo(expected.info);
        same(found.x, expected.x);
        same(found.a, expected.a);
    }

    @EveryTarget
    void singularAndIndefiniteMatricesAreReported(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(3);
            int n = 9;
            Mat b = random(random, type, n, 3);
            Mat full = random(random, type, n, n);
            Mat singular = Mat.of(n, n, (i, j) -> j == 4 ? 0 : full.re(i, j), (i, j) -> j == 4 ? 0 : full.im(i, j));
            Outcome lu = solve(h, arena, type, null, singular, b, true);
            assertThat(lu.iter).isEqualTo(isDouble(h) ? -1 : -3);
            assertThat(lu.info).isEqualTo(5);
            same(lu.x, b);
            Mat indefinite = positive(random, type, n);
            indefinite.set(5, 5, -1, 0);
            Outcome cholesky = solve(h, arena, type, Uplo.LOWER, indefinite, b, true);
            assertThat(cholesky.iter).isEqualTo(isDouble(h) ? -1 : -3);
            assertThat(cholesky.info).isEqualTo(6);
            same(cholesky.x, b);
        });
    }

    @EveryTarget
    void aMatrixOfNaNHasNoSolution(Target target) {
        on(target, (h, arena, type, slow) -> {
            Random random = new Random(4);
            Mat a = random(random, type, 8, 8);
            a.set(2, 2, Double.NaN, 0);
            Mat b = random(random, type, 8, 1);
            Outcome found = solve(h, arena, type, null, a, b, true);
            assertThat(found.iter).isNegative();
            assertThat(found.info != 0 || Double.isNaN(found.x.re(0, 0))).isTrue();
        });
    }

    /** Each problem takes as many steps as it needs, and falls back by itself. */
    @Test
    void problemsOfABatchDecideForThemselves() {
        int n = 10;
        Random random = new Random(5);
        ElementType type = ElementType.F64;
        try (Device device = Device.open("host");
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            Mat b = random(random, type, n, 1);
            Mat good = random(random, type, n, n);
            Mat large = good.copy();
            large.set(0, 0, 1e60, 0);
            Mat singular = Mat.of(n, n, (i, j) -> 1, (i, j) -> 0);
            List<Mat> problems = List.of(good, large, singular, good);
            MatrixView a = arena.matrix(type, n, n, problems.size());
            MatrixView sides = arena.matrix(type, n, 1, problems.size());
            MatrixView x = arena.matrix(type, n, 1, problems.size());
            VectorView pivots = arena.vector(ElementType.I64, n, problems.size());
            VectorView iter = arena.vector(ElementType.I64, 1, problems.size());
            VectorView info = arena.vector(ElementType.I32, problems.size());
            for (int p = 0; p < problems.size(); p++) {
                Orthogonal.upload(a.problem(p), problems.get(p));
                Orthogonal.upload(sides.problem(p), b);
            }
            Lapack.gesvMixed(h, a, pivots, sides, x, iter, info);
            long[] steps = new long[problems.size()];
            int[] failed = new int[problems.size()];
            iter.download(steps);
            info.download(failed);
            assertThat(steps[0]).isBetween(0L, 30L);
            assertThat(steps[3]).isEqualTo(steps[0]);
            assertThat(steps[1]).isEqualTo(-2);
            assertThat(steps[2]).isEqualTo(-3);
            assertThat(failed).containsExactly(0, 0, 2, 0);
            residual(good, Orthogonal.download(x.problem(0), n, 1), b, n);
            residual(large, Orthogonal.download(x.problem(1), n, 1), b, n);
        }
    }

    @Test
    void withoutWorkspaceItIsDoublePrecision() {
        Random random = new Random(6);
        ElementType type = ElementType.F64;
        try (Device device = Device.open("host");
                Handle h = device.handleBuilder().maxManagedBytes(0).create();
                DeviceArena arena = device.arena()) {
            Mat a = random(random, type, 50, 50);
            Mat b = random(random, type, 50, 2);
            Outcome found = solve(h, arena, type, null, a, b, true);
            assertThat(found.iter).isEqualTo(-1);
            same(found.x, solve(h, arena, type, null, a, b, false).x);
        }
    }
}
