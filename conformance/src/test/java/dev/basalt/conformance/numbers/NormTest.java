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
import dev.basalt.type.Region;
import dev.basalt.type.Uplo;
import java.util.List;
import java.util.Random;

/** Norms at the ends of the range, of what no one may read, and of NaN; and scaling by quotients that no number is. */
class NormTest {
    private static double modulus(Mat a, int i, int j) {
        return Math.hypot(a.re(i, j), a.im(i, j));
    }

    private static double norm(Norm norm, Mat a) {
        double largest = 0;
        double squares = 0;
        double[] rows = new double[a.m];
        for (int j = 0; j < a.n; j++) {
            double column = 0;
            for (int i = 0; i < a.m; i++) {
                double v = modulus(a, i, j);
                column += v;
                rows[i] += v;
                squares += v * v;
                largest = Math.max(largest, norm == Norm.MAX ? v : norm == Norm.INF ? rows[i] : 0);
            }
            largest = Math.max(largest, norm == Norm.ONE ? column : 0);
        }
        return norm == Norm.FRO ? Math.sqrt(squares) : largest;
    }

    /** The first shape is one launch, the others go line by line. */
    @EveryTarget
    void normsOfSmallAndLargeMatrices(Target target) {
        ElementType type = target.type();
        Random random = new Random(3);
        Problems.on(target, (h, arena) -> {
            for (int[] shape : List.of(new int[] {7, 5}, new int[] {300, 90}, new int[] {60, 350})) {
                Mat a = Problems.random(random, type, shape[0], shape[1]);
                MatrixView view = Problems.matrix(arena, type, a);
                for (Norm norm : Norm.values()) {
                    double expected = norm(norm, a);
                    assertThat(Lapack.lange(h, norm, view)).as("%s of %d×%d", norm, a.m, a.n)
                            .isCloseTo(expected, within(expected * a.m * a.n * Problems.eps(type)));
                }
            }
        });
    }

    /** Where the norm is a number, no square on the way to it leaves the range. */
    @EveryTarget
    void neitherOverflowsNorUnderflows(Target target) {
        ElementType type = target.type();
        Problems.on(target, (h, arena) -> {
            for (double size : Problems.single(type)
                    ? new double[] {0x1p120, 0x1p-120, 1}
                    : new double[] {0x1p1010, 0x1p-1010, 1}) {
                for (int n : new int[] {6, 100}) {
                    Mat a = Mat.of(n, n, (i, j) -> i == j ? size : 0, (i, j) -> 0);
                    assertThat(Lapack.lange(h, Norm.FRO, Problems.matrix(arena, type, a)) / size)
                            .isCloseTo(Math.sqrt(n), within(4 * n * Problems.eps(type)));
                }
            }
        });
    }

    @EveryTarget
    void numbersThatAreNoneWin(Target target) {
        ElementType type = target.type();
        Problems.on(target, (h, arena) -> {
            for (int n : new int[] {5, 80}) {
                Mat a = Mat.of(n, n,
                        (i, j) -> i == 2 && j == 3 ? Double.NaN : i == 4 && j == 1 ? Double.POSITIVE_INFINITY : 1,
                        (i, j) -> 0);
                Mat b = Mat.of(n, n, (i, j) -> i == 4 && j == 1 ? Double.POSITIVE_INFINITY : 1, (i, j) -> 0);
                for (Norm norm : Norm.values()) {
                    assertThat(Lapack.lange(h, norm, Problems.matrix(arena, type, a))).as("%s", norm).isNaN();
                    assertThat(Lapack.lange(h, norm, Problems.matrix(arena, type, b))).as("%s", norm).isInfinite();
                }
            }
        });
    }

    /** What lies in the other triangle is NaN, and so is the diagonal where it counts as ones. */
    @EveryTarget
    void onlyWhatIsStoredIsRead(Target target) {
        ElementType type = target.type();
        Random random = new Random(4);
        Problems.on(target, (h, arena) -> {
            for (int n : new int[] {6, 90}) {
                for (Uplo uplo : Uplo.values()) {
                    for (Norm norm : Norm.values()) {
                        structures(h, arena, type, Problems.random(random, type, n, n), uplo, norm);
                    }
                }
            }
        });
    }

    private static void structures(Handle h, DeviceArena arena, ElementType type, Mat a, Uplo uplo, Norm norm) {
        boolean upper = uplo == Uplo.UPPER;
        double tolerance = 4 * a.n * a.n * Problems.eps(type);
        Mat half = Mat.of(a.n, a.n, (i, j) -> i == j || i < j == upper ? a.re(i, j) : Double.NaN,
                (i, j) -> i == j || i < j == upper ? a.im(i, j) : Double.NaN);
        Mat full = Mat.of(a.n, a.n, (i, j) -> i < j == upper ? a.re(i, j) : a.re(j, i),
                (i, j) -> i < j == upper ? a.im(i, j) : a.im(j, i));
        MatrixView view = Problems.matrix(arena, type, half);
        assertThat(Lapack.lansy(h, norm, uplo, view)).isCloseTo(norm(norm, full), within(tolerance));
        if (type.isComplex()) {
            Mat hermitian = Mat.of(a.n, a.n, full::re, (i, j) -> i == j ? 0 : full.im(i, j));
            assertThat(Lapack.lanhe(h, norm, uplo, view)).isCloseTo(norm(norm, hermitian), within(tolerance));
        }
        Mat unit = Mat.of(a.n, a.n, (i, j) -> i == j ? 1 : i < j == upper ? a.re(i, j) : 0,
                (i, j) -> i != j && i < j == upper ? a.im(i, j) : 0);
        Mat strict = Mat.of(a.n, a.n, (i, j) -> i == j ? Double.NaN : half.re(i, j), half::im);
        assertThat(Lapack.lantr(h, norm, uplo, Diag.UNIT, Problems.matrix(arena, type, strict)))
                .isCloseTo(norm(norm, unit), within(tolerance));
        Mat hessenberg = Mat.of(a.n, a.n, (i, j) -> i > j + 1 ? Double.NaN : a.re(i, j), a::im);
        Mat zeros = Mat.of(a.n, a.n, (i, j) -> i > j + 1 ? 0 : a.re(i, j), (i, j) -> i > j + 1 ? 0 : a.im(i, j));
        assertThat(Lapack.lanhs(h, norm, Problems.matrix(arena, type, hessenberg))).isCloseTo(norm(norm, zeros),
                within(tolerance));
    }

    /** The quotient is no number of the type, but what it makes is. */
    @EveryTarget
    void scalesByWhatIsBeyondTheRange(Target target) {
        ElementType type = target.type();
        boolean single = Problems.single(type);
        double large = single ? 0x1p100 : 0x1p900;
        Problems.on(target, (h, arena) -> {
            Mat a = Mat.of(3, 4, (i, j) -> (1 + i + j) / large, (i, j) -> type.isComplex() ? i / large : 0);
            MatrixView view = Problems.matrix(arena, type, a);
            VectorView info = arena.vector(ElementType.I32, 1);
            Lapack.lascl(h, Region.UPPER, 1 / large, large, view, info);
            Mat found = Orthogonal.download(view, 3, 4);
            for (int j = 0; j < 4; j++) {
                for (int i = 0; i < 3; i++) {
                    double by = i <= j ? large : 1 / large;
                    assertThat(found.re(i, j)).isEqualTo((1 + i + j) * by);
                    assertThat(found.im(i, j)).isEqualTo(type.isComplex() ? i * by : 0);
                }
            }
            assertThat(Problems.info(info)).isZero();
            Lapack.lascl(h, Region.GENERAL, Double.NaN, 1, view, info);
            assertThat(Problems.info(info)).isEqualTo(-4);
            Lapack.lascl(h, Region.GENERAL, 1, Double.NaN, view, info);
            assertThat(Problems.info(info)).isEqualTo(-5);
            assertThat(Orthogonal.download(view, 3, 4).re(0, 0)).isEqualTo(large);
        });
    }
}
