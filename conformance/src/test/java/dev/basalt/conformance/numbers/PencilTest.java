package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.BlasException;
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
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import java.util.Random;

/** Generalised eigenvalues of known pairs: infinite ones, singular pencils, the ends of the range, numbers that are none. */
class PencilTest {
    private static final double THRESHOLD = 100;
    private static final int MEMBERS = 3;

    private record Pairs(Mat alphas, Mat betas, Mat left, Mat right, int info) {
        double size(int i) {
            return Math.hypot(alphas.re[i], alphas.im[i]);
        }
    }

    private interface Body {
        void run(Handle h, DeviceArena arena, double unit);
    }

    /** Real pairs are refused, and the message says what to do. */
    private static void on(Target target, Body body) {
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            if (target.type().isComplex()) {
                body.run(h, arena, ColumnPivotingTest.unit(target.type()));
            } else {
                assertThatThrownBy(() -> ggev(h, arena, target.type(), Mat.identity(2), Mat.identity(2)))
                        .isInstanceOf(BlasException.class)
                        .hasMessageContaining("imaginary parts of 0");
            }
        }
    }

    private static Pairs ggev(Handle h, DeviceArena arena, ElementType type, Mat a, Mat b) {
        int n = a.n;
        MatrixView va = arena.matrix(type, n, n);
        MatrixView vb = arena.matrix(type, n, n);
        MatrixView vl = arena.matrix(type, n, n);
        MatrixView vr = arena.matrix(type, n, n);
        VectorView alphas = arena.vector(type, n);
        VectorView betas = arena.vector(type, n);
        VectorView info = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(va, a);
        Orthogonal.upload(vb, b);
        Lapack.ggev(h, Evect.ORIGINAL, Evect.ORIGINAL, va, vb, alphas, betas, vl, vr, info);
        int[] outcome = new int[1];
        info.download(outcome);
        return new Pairs(Orthogonal.download(alphas, n), Orthogonal.download(betas, n), Orthogonal.download(vl, n, n),
                Orthogonal.download(vr, n, n), outcome[0]);
    }

    private static Mat random(Random random, int n) {
        double[] re = random.doubles((long) n * n, -1, 1).toArray();
        double[] im = random.doubles((long) n * n, -1, 1).toArray();
        return Mat.of(n, n, (i, j) -> re[i + j * n], (i, j) -> im[i + j * n]);
    }

    private static Mat times(double s, Mat a) {
        return Mat.of(a.m, a.n, (i, j) -> s * a.re(i, j), (i, j) -> s * a.im(i, j));
    }

    /** Residuals of both kinds of vectors. */
    private static void measure(String what, Mat a, Mat b, Pairs p, double unit) {
        int n = a.n;
        double normA = Math.max(a.norm1(), Double.MIN_NORMAL);
        double normB = Math.max(b.norm1(), Double.MIN_NORMAL);
        for (int j = 0; j < n; j++) {
            int k = j;
            double large = Math.max(p.size(j) / normA, p.betas.re[j] / normB);
            // Numbers of about 1, whatever the range of the matrices is.
            double ar = p.alphas.re[j] / normA / large;
            double ai = p.alphas.im[j] / normA / large;
            double beta = p.betas.re[j] / normB / large;
            Mat pencil = Mat.of(n, n,
                    (r, c) -> beta * (a.re(r, c) / normA) - (ar * (b.re(r, c) / normB) - ai * (b.im(r, c) / normB)),
                    (r, c) -> beta * (a.im(r, c) / normA) - (ar * (b.im(r, c) / normB) + ai * (b.re(r, c) / normB)));
            Mat x = Mat.of(n, 1, (i, c) -> p.right.re(i, k), (i, c) -> p.right.im(i, k));
            Mat y = Mat.of(n, 1, (i, c) -> p.left.re(i, k), (i, c) -> p.left.im(i, k));
            assertThat(pencil.times(x).norm1()).as("%s: right %d", what, j).isLessThan(THRESHOLD * n * n * unit);
            assertThat(pencil.op(Op.CONJ_TRANS).times(y).norm1()).as("%s: left %d", what, j)
                    .isLessThan(THRESHOLD * n * n * unit);
        }
    }

    /** Values 1, 2i, one that is infinite and so on, behind two transformations. */
    @EveryTarget
    void knownValues(Target target) {
        on(target, (h, arena, unit) -> {
            for (int n : new int[] {1, 2, 5, 24}) {
                Random random = new Random(n);
                Mat x = random(random, n).minus(times(-2 * n, Mat.identity(n)));
                Mat y = random(random, n).minus(times(-2 * n, Mat.identity(n)));
                Mat a = Mat.of(n, n, (i, j) -> i == j && i % 3 != 1 ? i + 1 : 0,
                        (i, j) -> i == j && i % 3 == 1 ? i + 1 : 0);
                Mat b = Mat.of(n, n, (i, j) -> i == j && i % 4 != 2 ? 1 : 0, (i, j) -> 0);
                Mat left = x.times(a).times(y);
                Mat right = x.times(b).times(y);
                Pairs p = ggev(h, arena, target.type(), left, right);
                assertThat(p.info).isZero();
                measure("n=" + n, left, right, p, unit);
                double tolerance = THRESHOLD * n * n * unit;
                for (int i = 0; i < n; i++) {
                    double best = Double.MAX_VALUE;
                    for (int j = 0; j < n; j++) {
                        double beta = p.betas.re[j];
                        double size = Math.max(p.size(j), beta);
                        double distance = i % 4 == 2
                                ? beta / size
                                : Math.hypot(p.alphas.re[j] - a.re(i, i) * beta, p.alphas.im[j] - a.im(i, i) * beta)
                                        / size;
                        best = Math.min(best, distance);
                    }
                    assertThat(best).as("value %d of n=%d", i, n).isLessThan(tolerance * (i + 1));
                }
            }
        });
    }

    /** Of either sign. */
    private static void zeros(Mat numbers) {
        for (int i = 0; i < numbers.re.length; i++) {
            assertThat(Math.abs(numbers.re[i]) + Math.abs(numbers.im[i])).isZero();
        }
    }

    @EveryTarget
    void infiniteAndSingularAndExtreme(Target target) {
        double far = target.type().real() == ElementType.F32 ? 0x1p110 : 0x1p1000;
        on(target, (h, arena, unit) -> {
            int n = 9;
            Mat a = random(new Random(5), n);
            Mat b = random(new Random(6), n);
            Mat zero = times(0, a);
            Pairs infinite = ggev(h, arena, target.type(), a, zero);
            assertThat(infinite.info).isZero();
            zeros(infinite.betas);
            measure("B = 0", a, zero, infinite, unit);
            Pairs nothing = ggev(h, arena, target.type(), zero, b);
            zeros(nothing.alphas);
            measure("A = 0", zero, b, nothing, unit);
            // A column that both lack makes every number an eigenvalue.
            Mat c = Mat.of(n, n, (i, j) -> j == 4 ? 0 : a.re(i, j), (i, j) -> j == 4 ? 0 : a.im(i, j));
            Mat d = Mat.of(n, n, (i, j) -> j == 4 ? 0 : b.re(i, j), (i, j) -> j == 4 ? 0 : b.im(i, j));
            Pairs singular = ggev(h, arena, target.type(), c, d);
            assertThat(singular.info).isZero();
            double least = Double.MAX_VALUE;
            for (int j = 0; j < n; j++) {
                least = Math.min(least, Math.max(singular.size(j), singular.betas.re[j]));
            }
            assertThat(least).isLessThan(THRESHOLD * n * unit);
            Pairs extreme = ggev(h, arena, target.type(), times(far, a), times(1 / far, b));
            assertThat(extreme.info).isZero();
            measure("range", times(far, a), times(1 / far, b), extreme, unit);
        });
    }

    /** A member of a batch that is no number ends in an info, and leaves the others alone. */
    @EveryTarget
    void notNumbers(Target target) {
        on(target, (h, arena, unit) -> {
            int n = 7;
            ElementType type = target.type();
            MatrixView a = arena.matrix(type, n, n, MEMBERS);
            MatrixView b = arena.matrix(type, n, n, MEMBERS);
            VectorView alphas = arena.vector(type, n, MEMBERS);
            VectorView betas = arena.vector(type, n, MEMBERS);
            VectorView info = arena.vector(ElementType.I32, MEMBERS);
            for (int k = 0; k < MEMBERS; k++) {
                Mat one = random(new Random(k), n);
                Mat other = random(new Random(k + 10), n);
                if (k == 1) {
                    other.set(2, 3, Double.NaN, 0);
                }
                Orthogonal.upload(a.problem(k), one);
                Orthogonal.upload(b.problem(k), other);
            }
            Lapack.ggev(h, Evect.NONE, Evect.NONE, a, b, alphas, betas, null, null, info);
            int[] infos = new int[MEMBERS];
            info.download(infos);
            assertThat(infos).containsExactly(0, n, 0);
            assertThat(Orthogonal.download(alphas.problem(1), n).re[0]).isNaN();
            Mat last = Orthogonal.download(alphas.problem(2), n);
            Pairs alone = ggev(h, arena, type, random(new Random(2), n), random(new Random(12), n));
            assertThat(last.re).isEqualTo(alone.alphas.re);
        });
    }
}
