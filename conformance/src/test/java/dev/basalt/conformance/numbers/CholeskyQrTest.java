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
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.Random;

/** QR by Cholesky factors of matrices whose condition number is anything up to the inverse of the precision, by LAPACK's measures. */
class CholeskyQrTest {
    private static final double THRESHOLD = 30;

    /** Singular values from 1 down to the inverse of a condition number, between two reflections. */
    private static Mat conditioned(Random random, ElementType type, int m, int n, double condition) {
        Mat sigma = Mat.of(m, n, (i, j) -> i == j ? Math.pow(condition, -j / Math.max(1.0, n - 1)) : 0, (i, j) -> 0);
        return reflected(random, type, reflected(random, type, sigma).op(Op.CONJ_TRANS)).op(Op.CONJ_TRANS);
    }

    private static Mat reflected(Random random, ElementType type, Mat a) {
        Mat v = Problems.random(random, type, a.m, 1);
        double square = 0;
        for (int i = 0; i < a.m; i++) {
            square += v.re(i, 0) * v.re(i, 0) + v.im(i, 0) * v.im(i, 0);
        }
        return a.minus(v.times(v.op(Op.CONJ_TRANS).times(a)).times(new Complex(2 / square, 0)));
    }

    /** Whether there is a factorisation; then it is one. */
    private static int factor(Handle h, DeviceArena arena, ElementType type, Mat a, String what) {
        MatrixView q = Problems.matrix(arena, type, a);
        // What is stored may be less precise than what was made.
        Mat stored = Orthogonal.download(q, a.m, a.n);
        MatrixView r = Problems.matrix(arena, type, Mat.of(a.n, a.n, (i, j) -> 9, (i, j) -> 0));
        VectorView info = arena.vector(ElementType.I32, 1);
        Lapack.cholqr(h, q, r, info);
        if (Problems.info(info) != 0) {
            return Problems.info(info);
        }
        Mat found = Orthogonal.download(q, a.m, a.n);
        Mat triangle = Orthogonal.download(r, a.n, a.n);
        Mat upper = Mat.of(a.n, a.n, (i, j) -> i > j ? 0 : triangle.re(i, j), (i, j) -> i > j ? 0 : triangle.im(i, j));
        double bound = THRESHOLD * a.m * Problems.eps(type);
        assertThat(found.op(Op.CONJ_TRANS).times(found).minus(Mat.identity(a.n)).norm1()).as("QᴴQ - I, %s", what)
                .isLessThanOrEqualTo(bound);
        assertThat(stored.minus(found.times(upper)).norm1()).as("A - QR, %s", what)
                .isLessThanOrEqualTo(bound * stored.norm1());
        for (int j = 0; j < a.n; j++) {
            assertThat(upper.re(j, j)).isPositive();
            assertThat(j + 1 < a.n ? triangle.re(j + 1, j) : 9).isEqualTo(9);
        }
        return 0;
    }

    @EveryTarget
    void factorsWhateverTheConditionNumberIs(Target target) {
        ElementType type = target.type();
        boolean single = Problems.single(type);
        Random random = new Random(51);
        Problems.on(target, (h, arena) -> {
            for (int[] shape : new int[][] {{150, 12}, {30, 30}, {9, 1}}) {
                for (double digits : new double[] {0, 6, single ? 7 : 12, single ? 4 : 15}) {
                    String what = type + " " + shape[0] + "x" + shape[1] + ", condition 1e" + digits;
                    Mat a = conditioned(random, type, shape[0], shape[1], shape[1] == 1 ? 1 : Math.pow(10, digits));
                    assertThat(factor(h, arena, type, a, what)).as(what).isZero();
                }
            }
        });
    }

    @EveryTarget
    void tellsWhereThereIsNoFullRank(Target target) {
        ElementType type = target.type();
        Random random = new Random(52);
        Problems.on(target, (h, arena) -> {
            Mat a = Problems.random(random, type, 20, 6);
            assertThat(factor(h, arena, type,
                    Mat.of(20, 6, (i, j) -> j == 3 ? 0 : a.re(i, j), (i, j) -> j == 3 ? 0 : a.im(i, j)), "zero"))
                    .isEqualTo(4);
            assertThat(
                    factor(h, arena, type, Mat.of(20, 6, (i, j) -> i + j == 2 ? Double.NaN : a.re(i, j), a::im), "NaN"))
                    .isPositive();
        });
    }
}
