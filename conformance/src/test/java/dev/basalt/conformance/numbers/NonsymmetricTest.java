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
import java.util.Arrays;
import java.util.Random;

/** Eigenvalues, eigenvectors and Schur forms of general matrices, by LAPACK's measures. */
class NonsymmetricTest {
    private static final double THRESHOLD = 30;
    private static final int[] ORDERS = {1, 2, 3, 4, 17, 65, 170};
    private static final int SMALL = 20;
    private static final int MEMBERS = 4;

    /** What a call left. */
    private record Result(double[] re, double[] im, Mat left, Mat right, Mat form, int info, long chosen) {}

    private interface Check {
        void run(Handle h, DeviceArena arena, GeneralMatrices kind, Mat a);
    }

    private static void matrices(Target target, Check check) {
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (GeneralMatrices kind : GeneralMatrices.values()) {
                for (int n : ORDERS) {
                    boolean large = n > SMALL && (Devices.isSlow(target.device()) || kind.ordinal() % 3 != n % 3);
                    if (large && !(n > 100 && kind == GeneralMatrices.RANDOM && !Devices.isSlow(target.device()))) {
                        continue;
                    }
                    try (DeviceArena arena = device.arena()) {
                        check.run(h, arena, kind, kind.matrix(new Random(31L * n + kind.ordinal()), target.type(), n));
                    }
                }
            }
        }
    }

    private static Result geev(Handle h, DeviceArena arena, ElementType type, Mat a, Evect left, Evect right) {
        int n = a.n;
        MatrixView view = arena.matrix(type, n, n);
        MatrixView vl = left == Evect.NONE ? null : arena.matrix(type, n, n);
        MatrixView vr = right == Evect.NONE ? null : arena.matrix(type, n, n);
        VectorView w = arena.vector(type, n);
        VectorView wi = arena.vector(type, n);
        VectorView info = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(view, a);
        if (type.isComplex()) {
            Lapack.geev(h, left, right, view, w, vl, vr, info);
        } else {
            Lapack.geev(h, left, right, view, w, wi, vl, vr, info);
        }
        return result(type, n, w, wi, vl, vr, null, info, 0);
    }

    private static Result gees(Handle h, DeviceArena arena, ElementType type, Mat a, Evect evect, Selection select) {
        int n = a.n;
        MatrixView view = arena.matrix(type, n, n);
        MatrixView vs = arena.matrix(type, n, n);
        VectorView w = arena.vector(type, n);
        VectorView wi = arena.vector(type, n);
        VectorView sdim = arena.vector(ElementType.I64, 1);
        VectorView info = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(view, a);
        if (type.isComplex()) {
            Lapack.gees(h, evect, select, view, sdim, w, vs, info);
        } else {
            Lapack.gees(h, evect, select, view, sdim, w, wi, vs, info);
        }
        long[] chosen = new long[1];
        sdim.download(chosen);
        return result(type, n, w, wi, null, vs, view, info, chosen[0]);
    }

    private static Result result(ElementType type, int n, VectorView w, VectorView wi, MatrixView left,
            MatrixView right, MatrixView form, VectorView info, long chosen) {
        Mat values = Orthogonal.download(w, n);
        double[] im = type.isComplex() ? values.im : Orthogonal.download(wi, n).re;
        int[] numbers = new int[1];
        info.download(numbers);
        boolean pairs = !type.isComplex() && form == null;
        return new Result(values.re, im, left == null ? null : vectors(pairs, im, Orthogonal.download(left, n, n)),
                right == null ? null : vectors(pairs, im, Orthogonal.download(right, n, n)),
                form == null ? null : Orthogonal.download(form, n, n), numbers[0], chosen);
    }

    /** Complex vectors of pairs of real columns. */
    private static Mat vectors(boolean pairs, double[] im, Mat v) {
        return !pairs
                ? v
                : Mat.of(v.n, v.n, (i, j) -> im[j] < 0 ? v.re(i, j - 1) : v.re(i, j),
                        (i, j) -> im[j] < 0 ? -v.re(i, j) : im[j] > 0 ? v.re(i, j + 1) : 0);
    }

    /** A factor that brings numbers to size 1. */
    private static double scale(Mat a) {
        double size = 0;
        for (int i = 0; i < a.re.length; i++) {
            size = Math.max(size, Math.max(Math.abs(a.re[i]), Math.abs(a.im[i])));
        }
        return size == 0 ? 1 : Math.scalb(1.0, -Math.max(-1020, Math.min(1020, Math.getExponent(size))));
    }

    private static Mat times(double s, Mat a) {
        return Mat.of(a.m, a.n, (i, j) -> s * a.re(i, j), (i, j) -> s * a.im(i, j));
    }

    /** ‖A·V - V·Λ‖ and the lengths of the columns of V. */
    private static void measures(String what, ElementType type, Mat a, Mat v, Result r, boolean left) {
        int n = a.n;
        double s = scale(a);
        Mat b = times(s, left ? a.op(Op.CONJ_TRANS) : a);
        Mat scaled = Mat.of(n, n, (i, j) -> s * (r.re[j] * v.re(i, j) - (left ? -r.im[j] : r.im[j]) * v.im(i, j)),
                (i, j) -> s * (r.re[j] * v.im(i, j) + (left ? -r.im[j] : r.im[j]) * v.re(i, j)));
        double unit = ColumnPivotingTest.unit(type) * n;
        double lost = type.real() == ElementType.F32 ? 0x1p-149 : 0x1p-1074;
        double allowed = THRESHOLD * unit * Math.max(b.norm1(), Double.MIN_NORMAL) + 4 * n * lost * s;
        assertThat(b.times(v).minus(scaled).norm1()).as("%s: residual", what).isLessThanOrEqualTo(allowed);
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += v.re(i, j) * v.re(i, j) + v.im(i, j) * v.im(i, j);
            }
            assertThat(Math.abs(Math.sqrt(sum) - 1)).as("%s: length of %d", what, j).isLessThan(THRESHOLD * unit);
        }
    }

    @EveryTarget
    void eigenvectors(Target target) {
        ElementType type = target.type();
        matrices(target, (h, arena, kind, a) -> {
            String what = kind + " n=" + a.n;
            Result both = geev(h, arena, type, a, Evect.ORIGINAL, Evect.ORIGINAL);
            assertThat(both.info).as(what).isZero();
            measures(what + " right", type, a, both.right, both, false);
            measures(what + " left", type, a, both.left, both, true);
            Result right = geev(h, arena, type, a, Evect.NONE, Evect.ORIGINAL);
            assertThat(right.re).as(what).isEqualTo(both.re);
            assertThat(right.right.re).as(what).isEqualTo(both.right.re);
            Result none = geev(h, arena, type, a, Evect.NONE, Evect.NONE);
            assertThat(none.info).as(what).isZero();
            double[] known = kind.values(a.n);
            if (known != null) {
                for (Result r : new Result[] {both, none}) {
                    double[] found = r.re.clone();
                    Arrays.sort(found);
                    // The vectors of Clement's matrix are far from orthogonal unless it is small.
                    boolean sensitive = kind == GeneralMatrices.CLEMENT && a.n > SMALL;
                    double allowed = 4 * THRESHOLD * ColumnPivotingTest.unit(type) * a.n * a.norm1();
                    for (int i = 0; i < a.n && !sensitive; i++) {
                        assertThat(Math.abs(found[i] - known[i])).as("%s: value %d", what, i)
                                .isLessThanOrEqualTo(kind == GeneralMatrices.ISOLATED ? 0 : allowed);
                    }
                }
            }
        });
    }

    @EveryTarget
    void schurForms(Target target) {
        ElementType type = target.type();
        matrices(target, (h, arena, kind, a) -> {
            int n = a.n;
            Selection select = Selection.values()[n % Selection.values().length];
            String what = kind + " n=" + n + " " + select;
            Result r = gees(h, arena, type, a, Evect.ORIGINAL, select);
            // Blocks that are too close to be exchanged end in n + 1; the form is right then, too.
            assertThat(r.info).as(what).isIn(0, n + 1);
            double s = scale(a);
            Mat t = times(s, r.form);
            double unit = ColumnPivotingTest.unit(type) * n;
            double lost = type.real() == ElementType.F32 ? 0x1p-149 : 0x1p-1074;
            Mat b = times(s, a);
            assertThat(r.right.times(t).times(r.right.op(Op.CONJ_TRANS)).minus(b).norm1()).as("%s: residual", what)
                    .isLessThanOrEqualTo(
                            THRESHOLD * unit * Math.max(b.norm1(), Double.MIN_NORMAL) + 8 * n * n * lost * s);
            assertThat(r.right.op(Op.CONJ_TRANS).times(r.right).minus(Mat.identity(n)).norm1())
                    .as("%s: orthogonality", what)
                    .isLessThan(THRESHOLD * unit);
            for (int j = 0; j < n; j++) {
                assertThat(t.re(j, j)).as("%s: value %d", what, j).isEqualTo(s * r.re[j]);
                for (int i = j + 1; i < n; i++) {
                    boolean pair = i == j + 1 && r.im[j] > 0 && !type.isComplex();
                    assertThat(pair || t.re(i, j) == 0 && t.im(i, j) == 0).as("%s: (%d, %d)", what, i, j).isTrue();
                }
            }
            assertThat(r.chosen).as(what).isBetween(0L, (long) n);
        });
    }

    /** What is not a number ends in an info, and nothing waits for it. */
    @EveryTarget
    void notNumbers(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : new int[] {1, 2, 7, 40}) {
                for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                    try (DeviceArena arena = device.arena()) {
                        Mat a = GeneralMatrices.RANDOM.matrix(new Random(n), type, n);
                        a.set(n / 2, n / 3, bad, 0);
                        String what = "n=" + n + " " + bad;
                        Result r = geev(h, arena, type, a, Evect.ORIGINAL, Evect.ORIGINAL);
                        assertThat(r.info).as(what).isPositive();
                        assertThat(r.re[0]).as(what).isNaN();
                        assertThat(geev(h, arena, type, a, Evect.NONE, Evect.NONE).info).as(what).isPositive();
                        assertThat(gees(h, arena, type, a, Evect.ORIGINAL, Selection.INSIDE).info).as(what)
                                .isPositive();
                    }
                }
            }
        }
    }

    /** A member of a batch that fails leaves the others alone. */
    @EveryTarget
    void batches(Target target) {
        ElementType type = target.type();
        int n = 11;
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(type, n, n, MEMBERS);
            MatrixView v = arena.matrix(type, n, n, MEMBERS);
            VectorView w = arena.vector(type, n, MEMBERS);
            VectorView wi = arena.vector(type, n, MEMBERS);
            VectorView info = arena.vector(ElementType.I32, MEMBERS);
            Mat[] given = new Mat[MEMBERS];
            for (int b = 0; b < MEMBERS; b++) {
                given[b] = GeneralMatrices.RANDOM.matrix(new Random(b), type, n);
                if (b == 2) {
                    given[b].set(3, 4, Double.NaN, 0);
                }
                Orthogonal.upload(a.problem(b), given[b]);
            }
            if (type.isComplex()) {
                Lapack.geev(h, Evect.NONE, Evect.ORIGINAL, a, w, null, v, info);
            } else {
                Lapack.geev(h, Evect.NONE, Evect.ORIGINAL, a, w, wi, null, v, info);
            }
            int[] infos = new int[MEMBERS];
            info.download(infos);
            assertThat(infos).containsExactly(0, 0, n, 0);
            for (int b = 0; b < MEMBERS; b++) {
                if (b != 2) {
                    Mat values = Orthogonal.download(w.problem(b), n);
                    double[] im = type.isComplex() ? values.im : Orthogonal.download(wi.problem(b), n).re;
                    Mat vectors = vectors(!type.isComplex(), im, Orthogonal.download(v.problem(b), n, n));
                    Result r = new Result(values.re, im, null, vectors, null, 0, 0);
                    measures("member " + b, type, given[b], vectors, r, false);
                }
            }
        }
    }
}
