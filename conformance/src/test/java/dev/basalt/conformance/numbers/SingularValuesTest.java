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
import dev.basalt.conformance.support.Share;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Storev;
import dev.basalt.type.Svect;
import java.util.List;
import java.util.Random;

/** Singular value decompositions by LAPACK's measures: residual, orthogonality, order, and values beside those of OpenBLAS. */
class SingularValuesTest {
    private static final double THRESHOLD = 30;

    private static final List<int[]> SHAPES = List.of(new int[] {1, 1}, new int[] {1, 6}, new int[] {7, 1},
            new int[] {2, 2}, new int[] {9, 9}, new int[] {17, 40}, new int[] {40, 31}, new int[] {33, 33},
            new int[] {70, 66}, new int[] {66, 70}, new int[] {90, 35}, new int[] {35, 90}, new int[] {100, 97},
            new int[] {300, 5}, new int[] {5, 300}, new int[] {420, 150});

    /** So many shapes are tried on devices behind the first. */
    private static final int FEW = 6;

    private static final int SMALL = 41;
    private static final int LARGE = 5000;

    private static void shapes(Target target, Check check) {
        boolean slow = target.device().startsWith("sim");
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            boolean first = target.device().equals(Devices.NAMES.get(0));
            for (int i : Share.draw(target, SHAPES.size(), first ? SHAPES.size() : FEW)) {
                int[] shape = SHAPES.get(i);
                if (slow && shape[0] * shape[1] > SMALL * SMALL) {
                    continue;
                }
                try (DeviceArena arena = device.arena()) {
                    check.run(handle, arena, shape[0], shape[1], new Random(31L * shape[0] + shape[1]));
                } catch (RuntimeException | AssertionError e) {
                    throw new AssertionError(target + " of " + shape[0] + "×" + shape[1] + ": " + e, e);
                }
            }
        }
    }

    private interface Check {
        void run(Handle handle, DeviceArena arena, int m, int n, Random random);
    }

    private static final Svect[][] JOBS = {
            {Svect.SINGULAR, Svect.SINGULAR},
            {Svect.ALL, Svect.ALL},
            {Svect.OVERWRITE, Svect.SINGULAR},
            {Svect.ALL, Svect.OVERWRITE}};

    /** Every kind of matrix, with the vectors of both sides in a job that goes round. */
    @EveryTarget
    void gesvd(Target target) {
        int[] turn = {0};
        shapes(target, (h, arena, m, n, random) -> {
            for (Spectrum kind : Spectrum.some(target + " gesvd", m, n)) {
                Mat a = kind.matrix(random, target.type(), m, n);
                Svect[] jobs = JOBS[turn[0]++ % JOBS.length];
                Decomposed.gesvd(h, arena, target.type(), a, jobs[0], jobs[1])
                        .check(kind + " " + jobs[0] + " " + jobs[1], a, target.type());
            }
        });
    }

    /** The same by divide and conquer. */
    @EveryTarget
    void gesdd(Target target) {
        int[] turn = {0};
        shapes(target, (h, arena, m, n, random) -> {
            for (Spectrum kind : Spectrum.some(target + " gesdd", m, n)) {
                Mat a = kind.matrix(random, target.type(), m, n);
                Svect[] jobs = JOBS[turn[0]++ % JOBS.length];
                Decomposed.gesdd(h, arena, target.type(), a, jobs[0], jobs[1])
                        .check(kind + " " + jobs[0] + " " + jobs[1], a, target.type());
            }
        });
    }

    /** The same by Jacobi's method, which leaves nothing in the place of A. */
    @EveryTarget
    void gesvdj(Target target) {
        shapes(target, (h, arena, m, n, random) -> {
            for (Spectrum kind : Spectrum.some(target + " gesvdj", m, n)) {
                Mat a = kind.matrix(random, target.type(), m, n);
                Svect job = kind.ordinal() % 4 == 0 ? Svect.SINGULAR : Svect.ALL;
                Decomposed.gesvdj(h, arena, target.type(), a, job, job, 60).check(kind + " " + job, a, target.type());
            }
        });
    }

    /** Too few sweeps are told, and so is what is not finite. */
    @EveryTarget
    void gesvdjThatDoesNotConverge(Target target) {
        shapes(target, (h, arena, m, n, random) -> {
            Mat a = Spectrum.RANDOM.matrix(random, target.type(), m, n);
            boolean several = Math.min(m, n) > 1;
            assertThat(Decomposed.gesvdj(h, arena, target.type(), a, Svect.NONE, Svect.NONE, 1).info())
                    .isEqualTo(several ? 1 : 0);
            a.set(0, 0, Double.NaN, 0);
            Decomposed d = Decomposed.gesvdj(h, arena, target.type(), a, Svect.NONE, Svect.NONE, 60);
            assertThat(d.info()).isEqualTo(1);
            assertThat(d.values().re[0]).isNaN();
        });
    }

    /** The values of B·D have their digits, B well conditioned and D over many powers of ten: beside values with 50 digits. */
    @EveryTarget(realOnly = true)
    void gesvdjIsAccurate(Target target) {
        ElementType type = target.type();
        boolean single = type == ElementType.F32;
        shapes(target, (h, arena, m, n, random) -> {
            if (m < n || n > 9) {
                return;
            }
            Mat b = Spectrum.RANDOM.matrix(random, type, m, n);
            Mat a = Mat.of(m, n, (i, j) -> {
                double x = Math.scalb((i == j ? 2 * n : 0) + b.re(i, j), -(single ? 5 : 20) * j);
                return single ? (float) x : x;
            }, (i, j) -> 0);
            double[] expected = FiftyDigits.singularValues(a);
            Decomposed d = Decomposed.gesvdj(h, arena, type, a, Svect.SINGULAR, Svect.SINGULAR, 60);
            for (int i = 0; i < n; i++) {
                assertThat(Math.abs(d.values().re[i] - expected[i]) / expected[i]).as("value %d of %d×%d", i, m, n)
                        .isLessThan(THRESHOLD * n * ColumnPivotingTest.unit(type));
            }
        });
    }

    /** Fewer vectors change nothing else. */
    @EveryTarget
    void oneSideOrNone(Target target) {
        shapes(target, (h, arena, m, n, random) -> {
            Mat a = Spectrum.RANDOM.matrix(random, target.type(), m, n);
            if (m * n > LARGE) {
                return;
            }
            Decomposed both = Decomposed.gesvd(h, arena, target.type(), a, Svect.SINGULAR, Svect.SINGULAR);
            for (Svect left : Svect.values()) {
                for (Svect right : Svect.values()) {
                    if (left == Svect.OVERWRITE && right == Svect.OVERWRITE) {
                        continue;
                    }
                    Decomposed one = Decomposed.gesvd(h, arena, target.type(), a, left, right);
                    double error = Decomposed.max(one.values().minus(both.values()));
                    assertThat(error).as("%s %s of %d×%d", left, right, m, n)
                            .isLessThan(THRESHOLD * Math.max(m, n) * ColumnPivotingTest.unit(target.type())
                                    * Decomposed.max(both.values()));
                    one.checkVectors(a, target.type());
                }
            }
        });
    }

    /** NaN ends, and is told. */
    @EveryTarget
    void notANumber(Target target) {
        shapes(target, (h, arena, m, n, random) -> {
            Mat a = Spectrum.RANDOM.matrix(random, target.type(), m, n);
            a.set(m / 2, n / 2, Double.NaN, 0);
            for (Decomposed d : List.of(Decomposed.gesvd(h, arena, target.type(), a, Svect.SINGULAR, Svect.SINGULAR),
                    Decomposed.gesdd(h, arena, target.type(), a, Svect.SINGULAR, Svect.SINGULAR))) {
                assertThat(d.info()).isEqualTo(Math.min(m, n));
                assertThat(d.values().re[0]).isNaN();
            }
        });
    }

    /** The bidiagonal matrix is that of A, and both orthogonal matrices can be formed and applied. */
    @EveryTarget
    void gebrd(Target target) {
        ElementType type = target.type();
        shapes(target, (h, arena, m, n, random) -> {
            int k = Math.min(m, n);
            Mat a = Spectrum.RANDOM.matrix(random, type, m, n);
            MatrixView view = arena.matrix(type, m, n);
            Orthogonal.upload(view, a);
            VectorView d = arena.vector(type.real(), k);
            VectorView e = arena.vector(type.real(), Math.max(1, k - 1));
            VectorView tauq = arena.vector(type, k);
            VectorView taup = arena.vector(type, k);
            Lapack.gebrd(h, view, d, e.slice(0, k - 1), tauq, taup);
            Mat stored = Orthogonal.download(view, m, n);
            Mat b = bidiagonal(Orthogonal.download(d, k), Orthogonal.download(e, Math.max(1, k - 1)), m, n);
            Mat q = product(h, arena, type, stored, tauq, Storev.COLUMNS, m, n);
            Mat p = product(h, arena, type, stored, taup, Storev.ROWS, n, m);
            Decomposed.orthogonal("Q", q, type);
            Decomposed.orthogonal("P", p, type);
            double error = Decomposed.max(q.times(b).times(p.op(Op.CONJ_TRANS)).minus(a));
            assertThat(error)
                    .isLessThan(THRESHOLD * Math.max(m, n) * ColumnPivotingTest.unit(type) * Decomposed.max(a));
            Mat formed = form(h, arena, type, stored, tauq, Storev.COLUMNS, m, k, n);
            assertThat(Decomposed.max(formed.minus(Mat.of(m, k, q::re, q::im))))
                    .isLessThan(THRESHOLD * m * ColumnPivotingTest.unit(type));
            Mat rows = form(h, arena, type, stored, taup, Storev.ROWS, k, n, m);
            Mat ph = p.op(Op.CONJ_TRANS);
            assertThat(Decomposed.max(rows.minus(Mat.of(k, n, ph::re, ph::im))))
                    .isLessThan(THRESHOLD * n * ColumnPivotingTest.unit(type));
        });
    }

    /** Q or P, by a product with the identity. */
    static Mat product(Handle h, DeviceArena arena, ElementType type, Mat stored, VectorView tau, Storev side,
            int order, int other) {
        int k = Math.min(order, other);
        MatrixView a = arena.matrix(type, side.ordinal() == 0 ? order : k, side.ordinal() == 0 ? k : order);
        Orthogonal.upload(a, Mat.of((int) a.rows(), (int) a.cols(), stored::re, stored::im));
        MatrixView c = arena.matrix(type, order, order);
        Orthogonal.upload(c, Mat.identity(order));
        Lapack.ormbr(h, side, Side.LEFT, Op.NONE, other, a, tau, c);
        return Orthogonal.download(c, order, order);
    }

    private static Mat form(Handle h, DeviceArena arena, ElementType type, Mat stored, VectorView tau, Storev side,
            int rows, int cols, int k) {
        MatrixView a = arena.matrix(type, rows, cols);
        Orthogonal.upload(a, Mat.of(rows, cols, stored::re, stored::im));
        Lapack.orgbr(h, side, k, a, tau);
        return Orthogonal.download(a, rows, cols);
    }

    static Mat bidiagonal(Mat d, Mat e, int m, int n) {
        Mat b = new Mat(m, n);
        for (int i = 0; i < d.m; i++) {
            b.set(i, i, d.re[i], 0);
            if (i + 1 < d.m) {
                b.set(m >= n ? i : i + 1, m >= n ? i + 1 : i, e.re[i], 0);
            }
        }
        return b;
    }
}
