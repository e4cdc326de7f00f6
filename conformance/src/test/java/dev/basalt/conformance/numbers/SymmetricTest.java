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
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Eigenvalues and eigenvectors of symmetric and Hermitian matrices, by LAPACK's measures. */
class SymmetricTest {
    private static final double THRESHOLD = 30;
    private static final int[] ORDERS = {1, 2, 3, 32, 33, 65, 140};
    private static final int SMALL = 40;

    private interface Check {
        void run(Handle h, DeviceArena arena, SymmetricMatrices kind, int n, Uplo uplo, Mat a);
    }

    private static void matrices(Target target, boolean tridiagonal, Check check) {
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (SymmetricMatrices kind : SymmetricMatrices.values()) {
                for (int n : ORDERS) {
                    boolean large = n > SMALL && (Devices.isSlow(target.device()) || kind.ordinal() % 3 != n % 3);
                    if (large || tridiagonal && !kind.tridiagonal()) {
                        continue;
                    }
                    Random random = new Random(31L * n + kind.ordinal());
                    try (DeviceArena arena = device.arena()) {
                        check.run(h, arena, kind, n, random.nextBoolean() ? Uplo.LOWER : Uplo.UPPER,
                                kind.matrix(random, target.type(), n));
                    }
                }
            }
        }
    }

    /** A matrix of which one triangle is NaN. */
    static Mat half(Mat a, Uplo uplo) {
        return Mat.of(a.m, a.n, (i, j) -> Mat.in(uplo, i, j) ? a.re(i, j) : Double.NaN, (i, j) -> a.im(i, j));
    }

    static void measures(String what, ElementType type, Mat a, Mat z, double[] values) {
        int n = a.n;
        // Far from the ends of the range, where a norm may be taken.
        double size = 0;
        for (int i = 0; i < a.re.length; i++) {
            size = Math.max(size, Math.max(Math.abs(a.re[i]), Math.abs(a.im[i])));
        }
        double scale = size == 0 ? 1 : Math.min(1 / size, 0x1p1000);
        double[] d = values.clone();
        for (int i = 0; i < n; i++) {
            assertThat(d[i]).as("%s: value %d", what, i).isFinite();
            assertThat(i == 0 || values[i - 1] <= values[i]).as("%s: order at %d", what, i).isTrue();
            d[i] *= scale;
        }
        Mat b = Mat.of(n, n, (i, j) -> a.re(i, j) * scale, (i, j) -> a.im(i, j) * scale);
        Mat right = Mat.of(n, n, (i, j) -> z.re(i, j) * d[j], (i, j) -> z.im(i, j) * d[j]);
        double unit = ColumnPivotingTest.unit(type) * n;
        // What is below the smallest number has no digits.
        double lost = type.real() == ElementType.F32 ? 0x1p-149 : 0x1p-1074;
        double allowed = THRESHOLD * unit * Math.max(b.norm1(), Double.MIN_NORMAL) + 4 * n * lost * scale;
        assertThat(b.times(z).minus(right).norm1()).as("%s: residual", what).isLessThanOrEqualTo(allowed);
        assertThat(z.op(Op.CONJ_TRANS).times(z).minus(Mat.identity(n)).norm1() / unit).as("%s: orthogonality", what)
                .isLessThan(THRESHOLD);
    }

    static double[] reals(VectorView view, int n) {
        Mat m = Orthogonal.download(view, n);
        return m.re.clone();
    }

    private static int info(VectorView info) {
        int[] numbers = new int[1];
        info.download(numbers);
        return numbers[0];
    }

    @EveryTarget
    void drivers(Target target) {
        ElementType type = target.type();
        matrices(target, false, (h, arena, kind, n, uplo, a) -> {
            double[][] values = new double[4][];
            for (int way = 0; way < 4; way++) {
                String what = kind + " n=" + n + " " + uplo + (way < 2 ? " syevd" : " syev") + " " + way % 2;
                MatrixView view = arena.matrix(type, n, n);
                VectorView d = arena.vector(type.real(), n);
                VectorView e = arena.vector(type.real(), n);
                VectorView info = arena.vector(ElementType.I32, 1);
                Orthogonal.upload(view, half(a, uplo));
                Evect evect = way % 2 == 0 ? Evect.ORIGINAL : Evect.NONE;
                if (way < 2) {
                    Lapack.syevd(h, evect, uplo, view, d, e, info);
                } else {
                    Lapack.syev(h, evect, uplo, view, d, e, info);
                }
                assertThat(info(info)).as(what).isZero();
                values[way] = reals(d, n);
                if (evect == Evect.ORIGINAL) {
                    measures(what, type, a, Orthogonal.download(view, n, n), values[way]);
                }
                near(what, type, values[0], values[way]);
            }
        });
    }

    static void near(String what, ElementType type, double[] x, double[] y) {
        double size = 0;
        for (double v : x) {
            size = Math.max(size, Math.abs(v));
        }
        double lost = type.real() == ElementType.F32 ? 0x1p-149 : 0x1p-1074;
        for (int i = 0; i < x.length; i++) {
            assertThat(Math.abs(x[i] - y[i])).as("%s: value %d", what, i)
                    .isLessThanOrEqualTo(THRESHOLD * x.length * (ColumnPivotingTest.unit(type) * size + lost));
        }
    }

    @EveryTarget
    void tridiagonal(Target target) {
        ElementType type = target.type();
        matrices(target, true, (h, arena, kind, n, uplo, a) -> {
            double[] first = null;
            // Last of all once more the one that nobody tells about vectors.
            for (int turn = 0; turn < 6; turn++) {
                int way = turn % 5;
                String what =
                        kind + " n=" + n + (way == 0 ? " sterf" : way % 2 == 0 ? " steqr" : " stedc") + " " + way / 3;
                if (way == 0 && type.isComplex()) {
                    continue;
                }
                VectorView d = arena.vector(type.real(), n);
                VectorView e = arena.vector(type.real(), n - 1);
                VectorView info = arena.vector(ElementType.I32, 1);
                Orthogonal.load(d, Mat.of(n, 1, (i, j) -> a.re(i, i), (i, j) -> 0));
                Orthogonal.load(e, Mat.of(n - 1, 1, (i, j) -> a.re(i + 1, i), (i, j) -> 0));
                Evect evect = way / 3 == 0 ? Evect.TRIDIAGONAL : Evect.ORIGINAL;
                MatrixView z = arena.matrix(type, n, n);
                Mat q = evect == Evect.ORIGINAL ? reflected(new Random(n), type, n) : Mat.identity(n);
                Orthogonal.upload(z, evect == Evect.ORIGINAL ? q : new Mat(n, n));
                if (way == 0) {
                    Lapack.sterf(h, d, e, info);
                } else if (way % 2 == 0) {
                    Lapack.steqr(h, evect, d, e, z, info);
                } else {
                    Lapack.stedc(h, evect, d, e, z, info);
                }
                assertThat(info(info)).as(what).isZero();
                double[] values = reals(d, n);
                first = first == null ? values : first;
                near(what, type, first, values);
                if (way > 0) {
                    measures(what, type, q.times(a).times(q.op(Op.CONJ_TRANS)), Orthogonal.download(z, n, n), values);
                }
            }
        });
    }

    /** A reflection. */
    private static Mat reflected(Random random, ElementType type, int n) {
        Mat v = ColumnPivotingTest.random(random, type, n, 1);
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += v.re[i] * v.re[i] + v.im[i] * v.im[i];
        }
        double f = 2 / sum;
        Mat q = Mat.identity(n).minus(v.times(v.op(Op.CONJ_TRANS)).times(new dev.basalt.type.Complex(f, 0)));
        boolean single = type.real() == ElementType.F32;
        return Mat.of(n, n, (i, j) -> single ? (float) q.re(i, j) : q.re(i, j),
                (i, j) -> single ? (float) q.im(i, j) : q.im(i, j));
    }

    @EveryTarget
    void reductions(Target target) {
        ElementType type = target.type();
        matrices(target, false, (h, arena, kind, n, uplo, a) -> {
            if (kind.ordinal() > SymmetricMatrices.DIAGONAL.ordinal()) {
                return;
            }
            for (int way = 0; way < 2; way++) {
                String what = kind + " n=" + n + " " + uplo + (way == 0 ? " sytrd" : " sytd2");
                MatrixView view = arena.matrix(type, n, n);
                VectorView d = arena.vector(type.real(), n);
                VectorView e = arena.vector(type.real(), n - 1);
                VectorView tau = arena.vector(type, n - 1);
                Orthogonal.upload(view, half(a, uplo));
                if (way == 0) {
                    Lapack.sytrd(h, uplo, view, d, e, tau);
                } else {
                    Lapack.sytd2(h, uplo, view, d, e, tau);
                }
                reduced(what, h, arena, uplo, way == 0 ? Side.LEFT : Side.RIGHT, a, view, d, e, tau);
            }
        });
    }

    /** A is what its reflectors make of the tridiagonal matrix. */
    static void reduced(String what, Handle h, DeviceArena arena, Uplo uplo, Side side, Mat a, MatrixView view,
            VectorView d, VectorView e, VectorView tau) {
        ElementType type = view.type();
        int n = a.n;
        Mat stored = Orthogonal.download(view, n, n);
        double[] diagonal = reals(d, n);
        double[] beside = reals(e, n - 1);
        for (int i = 0; i < n; i++) {
            assertThat(stored.re(i, i)).as("%s: d %d", what, i).isEqualTo(diagonal[i]);
            if (i + 1 < n) {
                assertThat(uplo == Uplo.LOWER ? stored.re(i + 1, i) : stored.re(i, i + 1)).as("%s: e %d", what, i)
                        .isEqualTo(beside[i]);
            }
        }
        MatrixView product = arena.matrix(type, n, n);
        Orthogonal.upload(product, Mat.identity(n));
        Orthogonal.upload(view, stored.triangular(uplo, Diag.NON_UNIT));
        Lapack.ormtr(h, side, uplo, Op.NONE, view, tau, product);
        Mat q = Orthogonal.download(product, n, n);
        Lapack.orgtr(h, uplo, view, tau);
        double unit = ColumnPivotingTest.unit(type) * n;
        assertThat(Orthogonal.download(view, n, n).minus(q).norm1() / unit).as("%s: Q twice", what)
                .isLessThan(THRESHOLD);
        assertThat(q.op(Op.CONJ_TRANS).times(q).minus(Mat.identity(n)).norm1() / unit).as("%s: Q", what)
                .isLessThan(THRESHOLD);
        Mat t = Mat.of(n, n, (i, j) -> i == j ? diagonal[i] : Math.abs(i - j) == 1 ? beside[Math.min(i, j)] : 0,
                (i, j) -> 0);
        assertThat(q.times(t).times(q.op(Op.CONJ_TRANS)).minus(a).norm1()).as("%s: residual", what)
                .isLessThanOrEqualTo(THRESHOLD * unit * a.norm1());
    }

    /** What is not a number ends in an info, and a batch's other members do not see it. */
    @EveryTarget
    void notNumbers(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : new int[] {1, 2, 7, 40, 80}) {
                for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                    for (int way = 0; way < 4; way++) {
                        try (DeviceArena arena = device.arena()) {
                            Mat a = SymmetricMatrices.RANDOM.matrix(new Random(n), type, n);
                            a.set(n / 2, n / 2, bad, 0);
                            MatrixView view = arena.matrix(type, n, n);
                            VectorView d = arena.vector(type.real(), n);
                            VectorView e = arena.vector(type.real(), n);
                            VectorView info = arena.vector(ElementType.I32, 1);
                            Orthogonal.upload(view, a);
                            Evect evect = way % 2 == 0 ? Evect.ORIGINAL : Evect.NONE;
                            if (way < 2) {
                                Lapack.syevd(h, evect, Uplo.LOWER, view, d, e, info);
                            } else {
                                Lapack.syev(h, evect, Uplo.LOWER, view, d, e, info);
                            }
                            if (n > 1) {
                                assertThat(info(info)).as("n=%d %s way %d", n, bad, way).isPositive();
                            }
                        }
                    }
                }
            }
        }
    }
}
