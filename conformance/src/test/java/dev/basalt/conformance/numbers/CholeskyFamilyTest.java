package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BandView;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PackedView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Factors, solutions and inverses of positive definite matrices that are dense, packed, bands or tridiagonal, by LAPACK's measures in units of rounding: batches
 * of ordinary, graded, huge and tiny matrices, and of some that are not positive definite.
 */
class CholeskyFamilyTest {
    /** LAPACK's threshold. */
    private static final double THRESHOLD = 30;

    /** Enough for kernels that take a problem a lane. */
    private static final int COUNT = 11;

    /** Problems that fail: by a diagonal element that is negative, and by NaN. */
    private static final int NEGATIVE = 2;

    private static final int NAN = 5;

    private static final int[] SIDES = {1, 3, 7};

    /** Where element (i, j) of a problem is. */
    private interface Place {
        int at(int i, int j);
    }

    /** A batch in memory, one problem behind the other. */
    private record Batch(ElementType type, int rows, int cols, int length, Place place, VectorView memory) {
        static Batch of(DeviceArena arena, ElementType type, int rows, int cols, int length, Place place) {
            return new Batch(type, rows, cols, length, place, arena.vector(type, (long) COUNT * length));
        }

        void put(List<Mat> mats, Uplo triangle, int reach) {
            int parts = type.isComplex() ? 2 : 1;
            double[] all = new double[COUNT * length * parts];
            for (int p = 0; p < COUNT; p++) {
                for (int j = 0; j < cols; j++) {
                    for (int i = 0; i < rows; i++) {
                        if (triangle == null || Mat.in(triangle, i, j) && Math.abs(i - j) <= reach) {
                            int at = (p * length + place.at(i, j)) * parts;
                            all[at] = mats.get(p).re(i, j);
                            all[at + parts - 1] = parts == 1 ? all[at] : mats.get(p).im(i, j);
                        }
                    }
                }
            }
            upload(memory, type, all);
        }

        Mat get(int problem, Uplo triangle, int reach) {
            int parts = type.isComplex() ? 2 : 1;
            double[] all = download(memory, type, COUNT * length * parts);
            Mat m = new Mat(rows, cols);
            for (int j = 0; j < cols; j++) {
                for (int i = 0; i < rows; i++) {
                    if (triangle == null || Mat.in(triangle, i, j) && Math.abs(i - j) <= reach) {
                        int at = (problem * length + place.at(i, j)) * parts;
                        m.set(i, j, all[at], parts == 1 ? 0 : all[at + 1]);
                    }
                }
            }
            return m;
        }

        MatrixView matrix() {
            return MatrixView.strided(type, memory.pointer(), rows, cols, Math.max(1, rows), COUNT, length);
        }
    }

    private static void upload(VectorView memory, ElementType type, double[] all) {
        if (type.real() == ElementType.F64) {
            memory.upload(all);
            return;
        }
        float[] narrow = new float[all.length];
        for (int i = 0; i < all.length; i++) {
            narrow[i] = (float) all[i];
        }
        memory.upload(narrow);
    }

    private static double[] download(VectorView memory, ElementType type, int parts) {
        double[] all = new double[parts];
        if (type.real() == ElementType.F64) {
            memory.download(all);
            return all;
        }
        float[] narrow = new float[parts];
        memory.download(narrow);
        for (int i = 0; i < parts; i++) {
            all[i] = narrow[i];
        }
        return all;
    }

    private static int[] infos(VectorView info) {
        int[] found = new int[COUNT];
        info.download(found);
        return found;
    }

    private static double unit(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    private static Mat random(Random random, ElementType type, int m, int n) {
        boolean complex = type.isComplex();
        return Mat.of(m, n, (i, j) -> (float) (2 * random.nextDouble() - 1),
                (i, j) -> complex ? (float) (2 * random.nextDouble() - 1) : 0);
    }

    /** A positive definite matrix with so many diagonals beside the main one, of another kind for each problem. */
    private static Mat definite(Random random, ElementType type, int n, int reach, int problem) {
        Mat g = random(random, type, n, n);
        boolean single = type.real() == ElementType.F32;
        double scale =
                problem % 4 == 1 ? single ? 0x1p60 : 0x1p500 : problem % 4 == 3 ? single ? 0x1p-60 : 0x1p-500 : 1;
        boolean graded = problem % 5 == 4;
        Mat a = new Mat(n, n);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i <= j; i++) {
                boolean inside = j - i <= reach;
                double by = scale * (graded ? Math.pow(0.5, (i + j) / 8) : 1);
                double re = i == j ? 2 * Math.min(n, 2 * reach + 1) + 1 : inside ? g.re(i, j) : 0;
                double im = i == j || !inside ? 0 : g.im(i, j);
                a.set(i, j, by * re, by * im);
                a.set(j, i, by * re, -by * im);
            }
        }
        return a;
    }

    private static List<Mat> definite(Random random, ElementType type, int n, int reach) {
        List<Mat> mats = new ArrayList<>();
        for (int p = 0; p < COUNT; p++) {
            mats.add(definite(random, type, n, reach, p));
        }
        return mats;
    }

    /** The same with two that are not positive definite. */
    private static List<Mat> some(List<Mat> definite) {
        List<Mat> mats = new ArrayList<>(definite);
        int n = definite.get(0).n;
        mats.set(NEGATIVE, definite.get(NEGATIVE).copy());
        mats.get(NEGATIVE).set(n / 2, n / 2, -1, 0);
        mats.set(NAN, definite.get(NAN).copy());
        mats.get(NAN).set(0, 0, Double.NaN, 0);
        return mats;
    }

    private static boolean fails(int problem) {
        return problem == NEGATIVE || problem == NAN;
    }

    private static void checkInfos(int[] found, int n, String what) {
        for (int p = 0; p < COUNT; p++) {
            int expected = p == NEGATIVE ? n / 2 + 1 : p == NAN ? 1 : 0;
            assertThat(found[p]).as("info of %d, %s", p, what).isEqualTo(expected);
        }
    }

    /** The measure of A - LLᴴ. */
    private static void checkFactor(Mat a, Mat triangle, Uplo uplo, ElementType type, String what) {
        Mat l = uplo == Uplo.LOWER ? triangle : triangle.op(Op.CONJ_TRANS);
        Mat rest = a.minus(l.times(l.op(Op.CONJ_TRANS)));
        assertThat(rest.norm1()).as("A - LLᴴ, %s", what).isLessThanOrEqualTo(THRESHOLD * a.n * unit(type) * a.norm1());
    }

    private static void checkSolution(Mat a, Mat x, Mat b, ElementType type, String what) {
        // Scaled, so that no product overflows.
        Complex down = new Complex(1 / a.norm1(), 0);
        Mat scaled = a.times(down);
        Mat rest = b.times(down).minus(scaled.times(x));
        assertThat(rest.norm1()).as("B - AX, %s", what)
                .isLessThanOrEqualTo(THRESHOLD * a.n * unit(type) * (x.norm1() + b.norm1() / a.norm1()));
    }

    private static void checkInverse(Mat a, Mat triangle, Uplo uplo, ElementType type, String what) {
        Mat x = triangle.symmetric(uplo, true);
        Mat rest = a.times(x).minus(Mat.identity(a.n));
        assertThat(rest.norm1()).as("AX - I, %s", what)
                .isLessThanOrEqualTo(THRESHOLD * a.n * unit(type) * a.norm1() * x.norm1());
    }

    private interface Check {
        void run(Handle handle, DeviceArena arena, ElementType type, int n, Uplo uplo, Random random);
    }

    private static void each(Target target, int[] orders, Check check) {
        boolean slow = target.device().startsWith("sim");
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int n : orders) {
                for (Uplo uplo : Uplo.values()) {
                    if (slow && n > 40) {
                        continue;
                    }
                    try (DeviceArena arena = device.arena()) {
                        check.run(handle, arena, target.type(), n, uplo, new Random(n));
                    }
                }
            }
        }
    }

    @EveryTarget
    void packedMatrices(Target target) {
        each(target, new int[] {1, 2, 9, 20, 32, 33, 70, 150}, (h, arena, type, n, uplo, random) -> {
            Place place = (i, j) -> uplo == Uplo.UPPER ? i + j * (j + 1) / 2 : i + j * (2 * n - j - 1) / 2;
            Batch ap = Batch.of(arena, type, n, n, n * (n + 1) / 2, place);
            PackedView view = PackedView
                    .of(VectorView.strided(type, ap.memory().pointer(), ap.length(), 1, COUNT, ap.length()), n);
            VectorView info = arena.vector(ElementType.I32, COUNT);
            List<Mat> good = definite(random, type, n, n);
            List<Mat> mats = some(good);
            for (int sides : SIDES) {
                String what = type + " " + uplo + " n=" + n + " nrhs=" + sides;
                Batch b = Batch.of(arena, type, n, sides, n * sides, (i, j) -> i + j * n);
                List<Mat> right = new ArrayList<>();
                for (int p = 0; p < COUNT; p++) {
                    right.add(random(random, type, n, sides));
                }
                ap.put(mats, uplo, n);
                b.put(right, null, 0);
                Lapack.ppsv(h, uplo, view, b.matrix(), info);
                h.stream().synchronize();
                checkInfos(infos(info), n, "ppsv " + what);
                for (int p = 0; p < COUNT; p++) {
                    if (fails(p)) {
                        assertThat(b.get(p, null, 0).minus(right.get(p)).norm1()).as("B of %d", p).isZero();
                    } else {
                        checkFactor(mats.get(p), ap.get(p, uplo, n), uplo, type, "ppsv " + what);
                        checkSolution(mats.get(p), b.get(p, null, 0), right.get(p), type, "ppsv " + what);
                    }
                }
                ap.put(good, uplo, n);
                b.put(right, null, 0);
                Lapack.pptrf(h, uplo, view, info);
                Lapack.pptrs(h, uplo, view, b.matrix());
                h.stream().synchronize();
                assertThat(infos(info)).containsOnly(0);
                for (int p = 0; p < COUNT; p++) {
                    checkFactor(good.get(p), ap.get(p, uplo, n), uplo, type, "pptrf " + what);
                    checkSolution(good.get(p), b.get(p, null, 0), right.get(p), type, "pptrs " + what);
                }
            }
            Lapack.pptri(h, uplo, view, info);
            h.stream().synchronize();
            assertThat(infos(info)).containsOnly(0);
            for (int p = 0; p < COUNT; p++) {
                checkInverse(good.get(p), ap.get(p, uplo, n), uplo, type, "pptri " + type + " " + uplo + " n=" + n);
            }
        });
    }

    @EveryTarget
    void inversesOfDenseMatrices(Target target) {
        each(target, new int[] {1, 2, 9, 33, 70, 150}, (h, arena, type, n, uplo, random) -> {
            String what = type + " " + uplo + " n=" + n;
            Batch a = Batch.of(arena, type, n, n, n * n, (i, j) -> i + j * n);
            VectorView info = arena.vector(ElementType.I32, COUNT);
            List<Mat> good = definite(random, type, n, n);
            a.put(good, uplo, n);
            Lapack.potf2(h, uplo, a.matrix(), info);
            h.stream().synchronize();
            List<Mat> factors = new ArrayList<>();
            for (int p = 0; p < COUNT; p++) {
                factors.add(a.get(p, uplo, n));
                checkFactor(good.get(p), factors.get(p), uplo, type, "potf2 " + what);
            }
            factors.get(NEGATIVE).set(n / 2, n / 2, 0, 0);
            a.put(factors, uplo, n);
            Lapack.potri(h, uplo, a.matrix(), info);
            h.stream().synchronize();
            assertThat(infos(info)[NEGATIVE]).as("info, %s", what).isEqualTo(n / 2 + 1);
            for (int p = 0; p < COUNT; p++) {
                if (p == NEGATIVE) {
                    assertThat(a.get(p, uplo, n).minus(factors.get(p)).norm1()).as("kept, %s", what).isZero();
                } else {
                    checkInverse(good.get(p), a.get(p, uplo, n), uplo, type, "potri " + what);
                }
            }
            a.put(factors, uplo, n);
            Lapack.lauum(h, uplo, a.matrix());
            h.stream().synchronize();
            for (int p = 0; p < COUNT; p++) {
                Mat f = factors.get(p).triangular(uplo, Diag.NON_UNIT);
                Mat l = uplo == Uplo.LOWER ? f : f.op(Op.CONJ_TRANS);
                Mat expected = l.op(Op.CONJ_TRANS).times(l);
                Mat rest = expected.minus(a.get(p, uplo, n).symmetric(uplo, true));
                assertThat(rest.norm1()).as("lauum %s", what)
                        .isLessThanOrEqualTo(THRESHOLD * n * unit(type) * expected.norm1());
            }
        });
    }

    @EveryTarget
    void bands(Target target) {
        // From 64 diagonals on a band is factored by blocks.
        int[] diagonals = {0, 1, 5, 64, 75, 130};
        each(target, new int[] {1, 8, 40, 66, 150}, (h, arena, type, n, uplo, random) -> {
            for (int kd : diagonals) {
                String what = type + " " + uplo + " n=" + n + " kd=" + kd;
                int ld = kd + 1 + kd % 2;
                Place place = (i, j) -> (uplo == Uplo.UPPER ? kd : 0) + i - j + j * ld;
                Batch a = Batch.of(arena, type, n, n, n * ld, place);
                BandView view =
                        BandView.of(MatrixView.strided(type, a.memory().pointer(), kd + 1, n, ld, COUNT, (long) n * ld),
                                n, uplo == Uplo.LOWER ? kd : 0, uplo == Uplo.LOWER ? 0 : kd);
                VectorView info = arena.vector(ElementType.I32, COUNT);
                Batch b = Batch.of(arena, type, n, 3, n * 3, (i, j) -> i + j * n);
                List<Mat> good = definite(random, type, n, kd);
                List<Mat> mats = some(good);
                List<Mat> right = new ArrayList<>();
                for (int p = 0; p < COUNT; p++) {
                    right.add(random(random, type, n, 3));
                }
                a.put(mats, uplo, kd);
                b.put(right, null, 0);
                Lapack.pbsv(h, uplo, view, b.matrix(), info);
                h.stream().synchronize();
                checkInfos(infos(info), n, "pbsv " + what);
                for (int p = 0; p < COUNT; p++) {
                    if (fails(p)) {
                        assertThat(b.get(p, null, 0).minus(right.get(p)).norm1()).as("B of %d", p).isZero();
                    } else {
                        checkFactor(mats.get(p), a.get(p, uplo, kd), uplo, type, "pbsv " + what);
                        checkSolution(mats.get(p), b.get(p, null, 0), right.get(p), type, "pbsv " + what);
                    }
                }
                a.put(good, uplo, kd);
                b.put(right, null, 0);
                Lapack.pbtrf(h, uplo, view, info);
                Lapack.pbtrs(h, uplo, view, b.matrix());
                h.stream().synchronize();
                assertThat(infos(info)).containsOnly(0);
                for (int p = 0; p < COUNT; p++) {
                    checkFactor(good.get(p), a.get(p, uplo, kd), uplo, type, "pbtrf " + what);
                    checkSolution(good.get(p), b.get(p, null, 0), right.get(p), type, "pbtrs " + what);
                }
            }
        });
    }

    @EveryTarget
    void tridiagonalMatrices(Target target) {
        each(target, new int[] {1, 2, 9, 40, 150}, (h, arena, type, n, uplo, random) -> {
            String what = type + " " + uplo + " n=" + n;
            VectorView d = arena.vector(type.real(), (long) COUNT * n);
            VectorView e = arena.vector(type, (long) COUNT * n);
            VectorView ds = VectorView.strided(type.real(), d.pointer(), n, 1, COUNT, n);
            VectorView es = VectorView.strided(type, e.pointer(), n - 1, 1, COUNT, n);
            VectorView info = arena.vector(ElementType.I32, COUNT);
            Batch b = Batch.of(arena, type, n, 3, n * 3, (i, j) -> i + j * n);
            List<Mat> mats = some(definite(random, type, n, 1));
            List<Mat> right = new ArrayList<>();
            for (int p = 0; p < COUNT; p++) {
                right.add(random(random, type, n, 3));
            }
            tridiagonal(mats, type, d, e);
            b.put(right, null, 0);
            Lapack.ptsv(h, ds, es, b.matrix(), info);
            h.stream().synchronize();
            checkInfos(infos(info), n, "ptsv " + what);
            checkSolutions(mats, b, right, type, "ptsv " + what);
            tridiagonal(mats, type, d, e);
            b.put(right, null, 0);
            Lapack.pttrf(h, ds, es, info);
            checkInfos(infos(info), n, "pttrf " + what);
            if (type.isComplex()) {
                Lapack.pttrs(h, Uplo.LOWER, ds, es, b.matrix());
            } else {
                Lapack.pttrs(h, ds, es, b.matrix());
            }
            h.stream().synchronize();
            checkSolutions(mats, b, right, type, "pttrs " + what);
        });
    }

    private static void checkSolutions(List<Mat> mats, Batch b, List<Mat> right, ElementType type, String what) {
        for (int p = 0; p < COUNT; p++) {
            if (!fails(p)) {
                checkSolution(mats.get(p), b.get(p, null, 0), right.get(p), type, what);
            }
        }
    }

    /** Uploads diagonals and subdiagonals. */
    private static void tridiagonal(List<Mat> mats, ElementType type, VectorView d, VectorView e) {
        int n = mats.get(0).n;
        int parts = type.isComplex() ? 2 : 1;
        double[] diagonal = new double[COUNT * n];
        double[] off = new double[COUNT * n * parts];
        for (int p = 0; p < COUNT; p++) {
            for (int i = 0; i < n; i++) {
                diagonal[p * n + i] = mats.get(p).re(i, i);
                if (i + 1 < n) {
                    off[(p * n + i) * parts] = mats.get(p).re(i + 1, i);
                    if (parts == 2) {
                        off[(p * n + i) * parts + 1] = mats.get(p).im(i + 1, i);
                    }
                }
            }
        }
        upload(d, type.real(), diagonal);
        upload(e, type, off);
    }
}
