package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Condition numbers: known ones, those of matrices at the ends of the range, and what becomes of singular matrices and of NaN. */
class ConditionTest {
    /** A reciprocal condition number, and its info. */
    private record Found(double rcond, int info) {}

    private static Found gecon(Handle h, DeviceArena arena, Norm norm, MatrixView factors, double anorm) {
        VectorView rcond = Problems.reals(arena, factors.type(), 99);
        VectorView info = arena.vector(ElementType.I32, 1);
        Lapack.gecon(h, norm, factors, Problems.reals(arena, factors.type(), anorm), rcond, info);
        return new Found(Problems.real(rcond), Problems.info(info));
    }

    private static Found pocon(Handle h, DeviceArena arena, Uplo uplo, MatrixView factor, double anorm) {
        VectorView rcond = Problems.reals(arena, factor.type(), 99);
        VectorView info = arena.vector(ElementType.I32, 1);
        Lapack.pocon(h, uplo, factor, Problems.reals(arena, factor.type(), anorm), rcond, info);
        return new Found(Problems.real(rcond), Problems.info(info));
    }

    private static Found trcon(Handle h, DeviceArena arena, Norm norm, Uplo uplo, MatrixView a) {
        VectorView rcond = Problems.reals(arena, a.type(), 99);
        VectorView info = arena.vector(ElementType.I32, 1);
        Lapack.trcon(h, norm, uplo, Diag.NON_UNIT, a, rcond, info);
        return new Found(Problems.real(rcond), Problems.info(info));
    }

    /** Of a diagonal matrix, graded over most of what the precision can tell, at any size. */
    @EveryTarget
    void diagonalMatricesHaveKnownConditionNumbers(Target target) {
        ElementType type = target.type();
        boolean single = Problems.single(type);
        int n = 21;
        Problems.on(target, (h, arena) -> {
            for (double size : new double[] {1, single ? 0x1p100 : 0x1p900, single ? 0x1p-100 : 0x1p-900}) {
                double ratio = 0.5;
                double least = Math.pow(ratio, n - 1);
                Mat a = Mat.of(n, n, (i, j) -> i == j ? size * Math.pow(ratio, i) : 0, (i, j) -> 0);
                MatrixView view = Problems.matrix(arena, type, a);
                for (Norm norm : new Norm[] {Norm.ONE, Norm.INF}) {
                    Found found = gecon(h, arena, norm, view, size);
                    assertThat(found.info()).isZero();
                    assertThat(found.rcond()).isCloseTo(least, within(least * 100 * Problems.eps(type)));
                    found = trcon(h, arena, norm, Uplo.LOWER, view);
                    assertThat(found.info()).isZero();
                    assertThat(found.rcond()).isCloseTo(least, within(least * 100 * Problems.eps(type)));
                }
                // The factor is the root of the matrix.
                Mat root = Mat.of(n, n, (i, j) -> i == j ? Math.sqrt(size) * Math.pow(ratio, 0.5 * i) : 0, (i, j) -> 0);
                Found found = pocon(h, arena, Uplo.UPPER, Problems.matrix(arena, type, root), size);
                assertThat(found.info()).isZero();
                assertThat(found.rcond()).isCloseTo(least, within(least * 1000 * Problems.eps(type)));
            }
        });
    }

    /** The estimate is a lower bound of the norm of the inverse, and not a bad one. */
    @EveryTarget
    void randomMatricesAreEstimatedFromBelow(Target target) {
        ElementType type = target.type();
        Random random = new Random(11);
        Problems.on(target, (h, arena) -> {
            for (int n : new int[] {1, 2, 9, 40}) {
                Mat a = Problems.random(random, type, n, n);
                MatrixView factors = Problems.matrix(arena, type, a);
                MatrixView inverse = Problems.matrix(arena, type, Mat.identity(n));
                VectorView ipiv = arena.vector(ElementType.I64, n);
                VectorView info = arena.vector(ElementType.I32, 1);
                double anorm = Lapack.lange(h, Norm.ONE, factors);
                double infinity = Lapack.lange(h, Norm.INF, factors);
                Lapack.getrf(h, factors, ipiv, info);
                Lapack.getrs(h, Op.NONE, factors, ipiv, inverse);
                double one = 1 / (anorm * Lapack.lange(h, Norm.ONE, inverse));
                double inf = 1 / (infinity * Lapack.lange(h, Norm.INF, inverse));
                assertThat(gecon(h, arena, Norm.ONE, factors, anorm).rcond()).isBetween(one * 0.999, one * 10);
                assertThat(gecon(h, arena, Norm.INF, factors, infinity).rcond()).isBetween(inf * 0.999, inf * 10);
            }
        });
    }

    @EveryTarget
    void singularMatricesAndNumbersThatAreNone(Target target) {
        ElementType type = target.type();
        int n = 12;
        Problems.on(target, (h, arena) -> {
            MatrixView singular = Problems.matrix(arena, type,
                    Mat.of(n, n, (i, j) -> i == 5 && j == 5 ? 0 : i <= j ? 1 : 0.5, (i, j) -> 0));
            assertThat(gecon(h, arena, Norm.ONE, singular, 3).rcond()).isZero();
            assertThat(pocon(h, arena, Uplo.LOWER, singular, 3).rcond()).isZero();
            assertThat(trcon(h, arena, Norm.INF, Uplo.UPPER, singular).rcond()).isZero();
            MatrixView none = Problems.matrix(arena, type,
                    Mat.of(n, n, (i, j) -> i == 5 && j == 7 ? Double.NaN : i == j ? 2 : 0, (i, j) -> 0));
            assertThat(gecon(h, arena, Norm.ONE, none, 3)).isEqualTo(new Found(0, 1));
            assertThat(trcon(h, arena, Norm.ONE, Uplo.UPPER, none)).isEqualTo(new Found(Double.NaN, 1));
            MatrixView identity = Problems.matrix(arena, type, Mat.identity(n));
            assertThat(gecon(h, arena, Norm.ONE, identity, Double.NaN)).isEqualTo(new Found(Double.NaN, -5));
            assertThat(gecon(h, arena, Norm.ONE, identity, Double.POSITIVE_INFINITY)).isEqualTo(new Found(0, -5));
            assertThat(gecon(h, arena, Norm.ONE, identity, -1)).isEqualTo(new Found(0, -5));
            assertThat(gecon(h, arena, Norm.ONE, identity, 0)).isEqualTo(new Found(0, 0));
            assertThat(gecon(h, arena, Norm.ONE, identity, 1).rcond()).isCloseTo(1, within(1e-5));
        });
    }

    /** A problem that is done early, or comes to nothing, leaves the others of its batch alone. */
    @EveryTarget
    void problemsOfABatchAreApart(Target target) {
        ElementType type = target.type();
        int n = 17;
        Random random = new Random(12);
        Problems.on(target, (h, arena) -> {
            Mat usual = Problems.random(random, type, n, n);
            Mat[] problems = {
                    Mat.identity(n),
                    Mat.of(n, n, (i, j) -> i == j && i == 3 ? 0 : usual.re(i, j), usual::im),
                    usual,
                    Mat.of(n, n, (i, j) -> i == 2 ? Double.NaN : usual.re(i, j), usual::im)};
            double[] norms = {1, 2, 3, 4};
            MatrixView[] views = new MatrixView[problems.length];
            for (int p = 0; p < views.length; p++) {
                views[p] = Problems.matrix(arena, type, problems[p]);
            }
            VectorView rcond = arena.vector(type.real(), 1, views.length);
            VectorView anorm = arena.vector(type.real(), 1, views.length);
            VectorView info = arena.vector(ElementType.I32, 1, views.length);
            if (Problems.single(type)) {
                anorm.upload(new float[] {1, 2, 3, 4});
            } else {
                anorm.upload(norms);
            }
            Lapack.gecon(h, Norm.ONE, arena.pointers(views), anorm, rcond, info);
            double[] found = Problems.reals(rcond, views.length);
            int[] infos = new int[views.length];
            info.download(infos);
            for (int p = 0; p < views.length; p++) {
                Found alone = gecon(h, arena, Norm.ONE, views[p], norms[p]);
                assertThat(new Found(found[p], infos[p])).as("problem %d", p).isEqualTo(alone);
            }
        });
    }
}
