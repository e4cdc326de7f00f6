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
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Selection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Generalised eigenvalues of known pairs: infinite ones, singular pencils, the ends of the range, numbers that are none. */
class PencilTest {
    private static final double THRESHOLD = 100;
    private static final int MEMBERS = 3;

    private interface Body {
        void run(Handle h, DeviceArena arena, double unit);
    }

    private static void on(Target target, Body body) {
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            body.run(h, arena, ColumnPivotingTest.unit(target.type()));
        }
    }

    private static Mat random(Target target, Random random, int n) {
        double[] re = random.doubles((long) n * n, -1, 1).toArray();
        double[] im = random.doubles((long) n * n, -1, 1).toArray();
        return Mat.of(n, n, (i, j) -> re[i + j * n], (i, j) -> target.type().isComplex() ? im[i + j * n] : 0);
    }

    /** Values 1, 2i, one that is infinite and so on, behind two transformations. Of real pairs 2i has -2i beside it. */
    @EveryTarget
    void knownValues(Target target) {
        boolean complex = target.type().isComplex();
        on(target, (h, arena, unit) -> {
            for (int n : new int[] {1, 2, 5, 24}) {
                Random random = new Random(n);
                Mat x = random(target, random, n).minus(Pairs.times(-2 * n, Mat.identity(n)));
                Mat y = random(target, random, n).minus(Pairs.times(-2 * n, Mat.identity(n)));
                double[] re = new double[n];
                double[] im = new double[n];
                boolean[] infinite = new boolean[n];
                for (int i = 0; i < n; i++) {
                    boolean pair = i % 3 == 1 && (complex || i + 1 < n);
                    boolean second = !complex && i % 3 == 2;
                    re[i] = pair || second ? 0 : i + 1;
                    im[i] = pair ? i + 1 : second ? -i : 0;
                    infinite[i] = complex ? i % 4 == 2 : i % 12 == 3;
                }
                Mat a = Mat.of(n, n,
                        (i, j) -> i == j ? re[i]
                                : complex ? 0
                                : i == j + 1 && im[j] > 0 ? -im[j]
                                : j == i + 1 && im[i] > 0 ? im[i]
                                : 0,
                        (i, j) -> i == j && complex ? im[i] : 0);
                Mat b = Mat.of(n, n, (i, j) -> i == j && !infinite[i] ? 1 : 0, (i, j) -> 0);
                Mat left = x.times(a).times(y);
                Mat right = x.times(b).times(y);
                Pairs p = Pairs.ggev(h, arena, target.type(), left, right);
                assertThat(p.info()).isZero();
                p.measure("n=" + n, target.type(), left, right);
                for (int i = 0; i < n; i++) {
                    double distance = Pairs.distance(infinite[i] ? 1 : re[i], infinite[i] ? 0 : im[i],
                            infinite[i] ? 0 : 1, p.alphas(), p.betas());
                    assertThat(distance).as("value %d of n=%d", i, n).isLessThan(THRESHOLD * n * n * unit);
                }
            }
        });
    }

    /** Triangular pairs whose rows and columns have changed places: eigenvalues keep all digits, however small they are beside the others, and vectors are those of the given pair. */
    @EveryTarget
    void isolatedValues(Target target) {
        on(target, (h, arena, unit) -> {
            for (int n : new int[] {2, 3, 6, 11}) {
                Random random = new Random(n);
                int[] rows = places(random, n);
                int[] columns = places(random, n);
                Mat x = random(target, random, n);
                Mat y = random(target, random, n);
                double[] values = new double[n];
                Mat a = new Mat(n, n);
                Mat b = new Mat(n, n);
                for (int j = 0; j < n; j++) {
                    for (int i = 0; i <= j; i++) {
                        boolean diagonal = i == j;
                        double small = Math.scalb(1.0, -6 * i);
                        a.set(rows[i], columns[j], (float) (diagonal ? small : x.re(i, j)),
                                diagonal ? 0 : (float) x.im(i, j));
                        b.set(rows[i], columns[j], (float) (diagonal ? 3 + i : y.re(i, j)),
                                diagonal ? 0 : (float) y.im(i, j));
                        values[i] = small / (3 + i);
                    }
                }
                Pairs p = Pairs.ggev(h, arena, target.type(), a, b);
                assertThat(p.info()).isZero();
                p.measure("isolated n=" + n, target.type(), a, b);
                Pairs forms = Pairs.gges(h, arena, target.type(), a, b, Selection.NONE);
                for (int i = 0; i < n; i++) {
                    found(values[i], p, unit);
                    found(values[i], forms, unit);
                }
                Mat back = forms.left().times(forms.s()).times(forms.right().op(Op.CONJ_TRANS));
                assertThat(back.minus(a).norm1()).isLessThan(THRESHOLD * n * unit * a.norm1());
            }
        });
    }

    private static void found(double value, Pairs p, double unit) {
        double nearest = Double.MAX_VALUE;
        for (int j = 0; j < p.betas().m; j++) {
            nearest = Math.min(nearest,
                    Math.hypot(p.alphas().re[j] / p.betas().re[j] - value, p.alphas().im[j] / p.betas().re[j]));
        }
        assertThat(nearest).as("distance to %s", value).isLessThanOrEqualTo(8 * unit * value);
    }

    private static int[] places(Random random, int n) {
        List<Integer> places = new ArrayList<>(IntStream.range(0, n).boxed().toList());
        Collections.shuffle(places, random);
        return places.stream().mapToInt(i -> i).toArray();
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
            Mat a = random(target, new Random(5), n);
            Mat b = random(target, new Random(6), n);
            Mat zero = Pairs.times(0, a);
            Pairs infinite = Pairs.ggev(h, arena, target.type(), a, zero);
            assertThat(infinite.info()).isZero();
            zeros(infinite.betas());
            infinite.measure("B = 0", target.type(), a, zero);
            Pairs nothing = Pairs.ggev(h, arena, target.type(), zero, b);
            zeros(nothing.alphas());
            nothing.measure("A = 0", target.type(), zero, b);
            // A column that both lack makes every number an eigenvalue.
            Mat c = Mat.of(n, n, (i, j) -> j == 4 ? 0 : a.re(i, j), (i, j) -> j == 4 ? 0 : a.im(i, j));
            Mat d = Mat.of(n, n, (i, j) -> j == 4 ? 0 : b.re(i, j), (i, j) -> j == 4 ? 0 : b.im(i, j));
            Pairs singular = Pairs.ggev(h, arena, target.type(), c, d);
            assertThat(singular.info()).isZero();
            double least = Double.MAX_VALUE;
            for (int j = 0; j < n; j++) {
                least = Math.min(least, Math.max(singular.size(j), singular.betas().re[j]));
            }
            assertThat(least).isLessThan(THRESHOLD * n * unit);
            Pairs extreme = Pairs.ggev(h, arena, target.type(), Pairs.times(far, a), Pairs.times(1 / far, b));
            assertThat(extreme.info()).isZero();
            extreme.measure("range", target.type(), Pairs.times(far, a), Pairs.times(1 / far, b));
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
                Mat one = random(target, new Random(k), n);
                Mat other = random(target, new Random(k + 10), n);
                if (k == 1) {
                    other.set(2, 3, Double.NaN, 0);
                }
                Orthogonal.upload(a.problem(k), one);
                Orthogonal.upload(b.problem(k), other);
            }
            if (type.isComplex()) {
                Lapack.ggev(h, Evect.NONE, Evect.NONE, a, b, alphas, betas, null, null, info);
            } else {
                VectorView alphai = arena.vector(type, n, MEMBERS);
                Lapack.ggev(h, Evect.NONE, Evect.NONE, a, b, alphas, alphai, betas, null, null, info);
                assertThat(Orthogonal.download(alphai.problem(1), n).re[n - 1]).isNaN();
            }
            assertThat(Orthogonal.download(betas.problem(1), n).re[n - 1]).isNaN();
            int[] infos = new int[MEMBERS];
            info.download(infos);
            assertThat(infos).containsExactly(0, n, 0);
            assertThat(Orthogonal.download(alphas.problem(1), n).re[0]).isNaN();
            Mat last = Orthogonal.download(alphas.problem(2), n);
            Pairs alone =
                    Pairs.ggev(h, arena, type, random(target, new Random(2), n), random(target, new Random(12), n));
            assertThat(last.re).isEqualTo(alone.alphas().re);
        });
    }
}
