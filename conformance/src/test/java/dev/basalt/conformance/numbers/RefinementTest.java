package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Solutions that are refined, the bounds of their errors, and matrices that are scaled before they are factored. */
class RefinementTest {
    private static final int SIDES = 3;

    private static double abs(Mat a, int i, int j) {
        return Math.abs(a.re(i, j)) + Math.abs(a.im(i, j));
    }

    /** A solution that was spoiled is as good as it can be, and no error is larger than is told. */
    private static void check(ElementType type, Mat exact, Mat x, double[] ferr, double[] berr) {
        for (int j = 0; j < exact.n; j++) {
            double error = 0;
            double size = 0;
            for (int i = 0; i < exact.m; i++) {
                error = Math.max(error, abs(x.minus(exact), i, j));
                size = Math.max(size, abs(x, i, j));
            }
            assertThat(berr[j]).isBetween(0.0, 2 * (exact.m + 1) * Problems.eps(type));
            assertThat(error / size).isLessThanOrEqualTo(ferr[j]);
            assertThat(ferr[j]).isLessThan(Problems.single(type) ? 0.5 : 1e-9);
        }
    }

    private static Mat spoiled(Mat x) {
        return Mat.of(x.m, x.n, (i, j) -> x.re(i, j) * (1 + 1e-3 * ((i + j) % 3 - 1)), x::im);
    }

    /** A matrix whose products with small integers are exact, its rows of sizes far apart. */
    private static Mat graded(Random random, ElementType type, int n) {
        return Mat.of(n, n, (i, j) -> Math.scalb((double) (random.nextInt(17) - 8 + (i == j ? 40 : 0)), i % 9 - 4),
                (i, j) -> type.isComplex() ? Math.scalb((double) (random.nextInt(9) - 4), i % 9 - 4) : 0);
    }

    private static Mat solution(Random random, int n) {
        return Mat.of(n, SIDES, (i, j) -> 1 + random.nextInt(7), (i, j) -> 0);
    }

    @EveryTarget
    void refinesByLuFactors(Target target) {
        ElementType type = target.type();
        Random random = new Random(21);
        Problems.on(target, (h, arena) -> {
            for (int n : new int[] {1, 8, 50}) {
                for (Op op : Op.values()) {
                    Mat a = graded(random, type, n);
                    Mat exact = solution(random, n);
                    MatrixView factors = Problems.matrix(arena, type, a);
                    VectorView ipiv = arena.vector(ElementType.I64, n);
                    VectorView info = arena.vector(ElementType.I32, 1);
                    Lapack.getrf(h, factors, ipiv, info);
                    MatrixView x = Problems.matrix(arena, type, spoiled(exact));
                    VectorView ferr = arena.vector(type.real(), SIDES);
                    VectorView berr = arena.vector(type.real(), SIDES);
                    Lapack.gerfs(h, op, Problems.matrix(arena, type, a), factors, ipiv,
                            Problems.matrix(arena, type, a.op(op).times(exact)), x, ferr, berr, info);
                    assertThat(Problems.info(info)).isZero();
                    check(type, exact, Orthogonal.download(x, n, SIDES), Problems.reals(ferr, SIDES),
                            Problems.reals(berr, SIDES));
                }
            }
        });
    }

    @EveryTarget
    void refinesByCholeskyFactors(Target target) {
        ElementType type = target.type();
        Random random = new Random(22);
        Problems.on(target, (h, arena) -> {
            for (int n : new int[] {1, 8, 50}) {
                for (Uplo uplo : Uplo.values()) {
                    definite(h, arena, type, n, uplo, random);
                }
            }
        });
    }

    private static void definite(Handle h, DeviceArena arena, ElementType type, int n, Uplo uplo, Random random) {
        Mat g = graded(random, type, n);
        Mat a = Mat.of(n, n, (i, j) -> (i < j ? g.re(i, j) : g.re(j, i)) / 16 + (i == j ? 50 * n : 0),
                (i, j) -> i == j ? 0 : i < j ? g.im(i, j) : -g.im(j, i));
        Mat stored = Mat.of(n, n, (i, j) -> i == j || i < j == (uplo == Uplo.UPPER) ? a.re(i, j) : Double.NaN, a::im);
        Mat exact = solution(random, n);
        MatrixView factor = Problems.matrix(arena, type, stored);
        VectorView info = arena.vector(ElementType.I32, 1);
        Lapack.potrf(h, uplo, factor, info);
        MatrixView x = Problems.matrix(arena, type, spoiled(exact));
        VectorView ferr = arena.vector(type.real(), SIDES);
        VectorView berr = arena.vector(type.real(), SIDES);
        Lapack.porfs(h, uplo, Problems.matrix(arena, type, stored), factor,
                Problems.matrix(arena, type, a.times(exact)), x, ferr, berr, info);
        check(type, exact, Orthogonal.download(x, n, SIDES), Problems.reals(ferr, SIDES), Problems.reals(berr, SIDES));
    }

    /** Rows of sizes far apart are worth scaling; what is left has a largest element of 1 in each. */
    @EveryTarget
    void scalesRowsOfSizesFarApart(Target target) {
        ElementType type = target.type();
        Random random = new Random(23);
        int m = 14;
        int n = 9;
        Problems.on(target, (h, arena) -> {
            Mat a = Mat.of(m, n, (i, j) -> Math.scalb(1 + random.nextDouble(), -2 * i), (i, j) -> 0);
            MatrixView view = Problems.matrix(arena, type, a);
            VectorView r = arena.vector(type.real(), m);
            VectorView c = arena.vector(type.real(), n);
            VectorView rowcnd = arena.vector(type.real(), 1);
            VectorView colcnd = arena.vector(type.real(), 1);
            VectorView amax = arena.vector(type.real(), 1);
            VectorView info = arena.vector(ElementType.I32, 1);
            VectorView equed = arena.vector(ElementType.I64, 1);
            Lapack.geequ(h, view, r, c, rowcnd, colcnd, amax, info);
            assertThat(Problems.info(info)).isZero();
            assertThat(Problems.real(rowcnd)).isLessThan(0.1);
            assertThat(Problems.real(colcnd)).isGreaterThan(0.1);
            Lapack.laqge(h, view, r, c, rowcnd, colcnd, amax, equed);
            long[] scaled = new long[1];
            equed.download(scaled);
            assertThat(scaled[0]).isEqualTo(1);
            Mat found = Orthogonal.download(view, m, n);
            for (int i = 0; i < m; i++) {
                double largest = 0;
                for (int j = 0; j < n; j++) {
                    largest = Math.max(largest, found.re(i, j));
                }
                assertThat(largest).isBetween(1 - 4 * Problems.eps(type), 1 + 4 * Problems.eps(type));
            }
            Mat zero = Mat.of(m, n, (i, j) -> i == 4 ? 0 : a.re(i, j), (i, j) -> 0);
            Lapack.geequ(h, Problems.matrix(arena, type, zero), r, c, rowcnd, colcnd, amax, info);
            assertThat(Problems.info(info)).isEqualTo(5);
            zero = Mat.of(m, n, (i, j) -> j == 4 ? 0 : a.re(i, j), (i, j) -> 0);
            Lapack.geequ(h, Problems.matrix(arena, type, zero), r, c, rowcnd, colcnd, amax, info);
            assertThat(Problems.info(info)).isEqualTo(m + 5);
        });
    }
}
