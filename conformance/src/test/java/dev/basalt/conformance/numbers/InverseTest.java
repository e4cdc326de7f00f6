package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.ClassicLapack;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Status;
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
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Inverses by LAPACK's measure, LU without interchanges, triangles that may be singular, and what becomes of matrices that are. */
class InverseTest {
    private static final double THRESHOLD = 30;
    private static final int[] ORDERS = {1, 2, 5, 8, 17, 32, 33, 64, 65, 130, 300};
    private static final int SMALL = 40;

    private enum Kind {
        RANDOM,
        /** Rows and columns of ever smaller numbers. */
        GRADED,
        /** Near the largest number. */
        HUGE,
        /** Near the smallest. */
        TINY
    }

    private interface Check {
        void run(Handle handle, DeviceArena arena, int n, Random random);
    }

    private static void orders(Target target, Check check) {
        boolean slow = target.device().startsWith("sim");
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int n : ORDERS) {
                if (!slow || n <= SMALL) {
                    try (DeviceArena arena = device.arena()) {
                        check.run(handle, arena, n, new Random(n));
                    }
                }
            }
        }
    }

    private static Mat random(Random random, ElementType type, int m, int n) {
        boolean complex = type.isComplex();
        return Mat.of(m, n, (i, j) -> (float) (2 * random.nextDouble() - 1),
                (i, j) -> complex ? (float) (2 * random.nextDouble() - 1) : 0);
    }

    private static Mat matrix(Kind kind, Random random, ElementType type, int n) {
        boolean single = type.real() == ElementType.F32;
        Mat a = random(random, type, n, n);
        return switch (kind) {
            case RANDOM -> a;
            case GRADED -> Mat.of(n, n, (i, j) -> a.re(i, j) * Math.pow(0.9, Math.min(40, (i + j) / 2)),
                    (i, j) -> a.im(i, j) * Math.pow(0.9, Math.min(40, (i + j) / 2)));
            case HUGE -> a.times(new Complex(single ? 0x1p100 : 0x1p900, 0));
            case TINY -> a.times(new Complex(single ? 0x1p-100 : 0x1p-900, 0));
        };
    }

    private static Mat dominant(Random random, ElementType type, int m, int n) {
        Mat a = random(random, type, m, n);
        double most = Math.max(m, n);
        return Mat.of(m, n, (i, j) -> (float) (i == j ? 2 + a.re(i, j) : a.re(i, j) / most),
                (i, j) -> (float) (a.im(i, j) / most));
    }

    private static double unit(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    private static int info(VectorView info) {
        int[] found = new int[1];
        info.download(found);
        return found[0];
    }

    private static MatrixView upload(DeviceArena arena, ElementType type, Mat a) {
        MatrixView view = arena.matrix(type, a.m, a.n);
        Orthogonal.upload(view, a);
        return view;
    }

    /** ‖I - A·X‖ and ‖I - X·A‖ in units of n·‖A‖·‖X‖·ε; sizes that would overflow are taken back first. */
    private static void isInverse(String what, ElementType type, Mat a, Mat x) {
        Complex by = new Complex(1 / a.norm1(), 0);
        Complex back = new Complex(a.norm1(), 0);
        Mat scaled = a.times(by);
        Mat inverse = x.times(back);
        double bound = THRESHOLD * a.n * unit(type) * scaled.norm1() * inverse.norm1();
        assertThat(Mat.identity(a.n).minus(scaled.times(inverse)).norm1()).as("I - AX, %s", what)
                .isLessThanOrEqualTo(bound);
        assertThat(Mat.identity(a.n).minus(inverse.times(scaled)).norm1()).as("I - XA, %s", what)
                .isLessThanOrEqualTo(bound);
    }

    @EveryTarget
    void inversesAreInverses(Target target) {
        ElementType type = target.type();
        orders(target, (h, arena, n, random) -> {
            for (Kind kind : Kind.values()) {
                Mat a = matrix(kind, random, type, n);
                String what = type + " " + kind + " " + n;
                MatrixView view = upload(arena, type, a);
                VectorView ipiv = arena.vector(ElementType.I64, n);
                VectorView info = arena.vector(ElementType.I32, 1);
                MatrixView beside = arena.matrix(type, n, n);
                Lapack.matinv(h, view, beside, info);
                isInverse("matinv of " + what, type, a, Orthogonal.download(beside, n, n));
                Lapack.getrf(h, view, ipiv, info);
                Lapack.getriOutofplace(h, view, ipiv, beside, info);
                isInverse("getriOutofplace of " + what, type, a, Orthogonal.download(beside, n, n));
                Lapack.getri(h, view, ipiv, info);
                assertThat(info(info)).isZero();
                isInverse("getri of " + what, type, a, Orthogonal.download(view, n, n));
            }
        });
    }

    /** In every tier, down to the one that needs least. */
    @EveryTarget
    void inversesNeedLittleMemory(Target target) {
        ElementType type = target.type();
        int n = 150;
        Random random = new Random(1);
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            Mat a = random(random, type, n, n);
            VectorView ipiv = arena.vector(ElementType.I64, n);
            VectorView info = arena.vector(ElementType.I32, 1);
            long columns = 8L * n * type.bytes();
            for (long bytes : new long[] {1L << 22, 2L * 64 * n * type.bytes(), columns + 64}) {
                h.setDeviceMemorySize(bytes / 64 * 64);
                MatrixView view = upload(arena, type, a);
                Lapack.getf2(h, view, ipiv, info);
                assertThat(h.lastCall().bytesUsed()).isZero();
                Lapack.getri(h, view, ipiv, info);
                assertThat(h.lastCall().bytesUsed()).isLessThanOrEqualTo(bytes);
                isInverse("getri in " + bytes + " bytes", type, a, Orthogonal.download(view, n, n));
            }
        }
    }

    @EveryTarget
    void withoutInterchanges(Target target) {
        ElementType type = target.type();
        orders(target, (h, arena, n, random) -> {
            VectorView info = arena.vector(ElementType.I32, 1);
            for (int[] shape : new int[][] {{n, n}, {n, n / 2 + 1}, {n / 2 + 1, n}, {n, 1}}) {
                int m = shape[0];
                int cols = shape[1];
                int k = Math.min(m, cols);
                Mat a = dominant(random, type, m, cols);
                MatrixView view = upload(arena, type, a);
                Lapack.getrfNpvt(h, view, info);
                assertThat(info(info)).isZero();
                Mat f = Orthogonal.download(view, m, cols);
                Mat l = Mat.of(m, k, (i, j) -> i == j ? 1 : i > j ? f.re(i, j) : 0, (i, j) -> i > j ? f.im(i, j) : 0);
                Mat u = Mat.of(k, cols, (i, j) -> i <= j ? f.re(i, j) : 0, (i, j) -> i <= j ? f.im(i, j) : 0);
                assertThat(a.minus(l.times(u)).norm1()).as("A - LU, %s %dx%d", type, m, cols)
                        .isLessThanOrEqualTo(THRESHOLD * Math.max(m, cols) * unit(type) * a.norm1());
            }
            Mat a = dominant(random, type, n, n);
            Mat b = random(random, type, n, 3);
            for (Op op : Op.values()) {
                MatrixView view = upload(arena, type, a);
                MatrixView x = upload(arena, type, b);
                Lapack.getf2Npvt(h, view, info);
                Lapack.getrsNpvt(h, op, view, x);
                Mat found = Orthogonal.download(x, n, 3);
                assertThat(b.minus(a.op(op).times(found)).norm1()).as("b - Ax, %s %s %d", type, op, n)
                        .isLessThanOrEqualTo(THRESHOLD * n * unit(type) * a.op(op).norm1() * found.norm1());
            }
            MatrixView view = upload(arena, type, a);
            MatrixView beside = arena.matrix(type, n, n);
            Lapack.getrfNpvt(h, view, info);
            Lapack.getriNpvtOutofplace(h, view, beside, info);
            isInverse("getriNpvtOutofplace of " + n, type, a, Orthogonal.download(beside, n, n));
            Lapack.getriNpvt(h, view, info);
            isInverse("getriNpvt of " + n, type, a, Orthogonal.download(view, n, n));
        });
    }

    @EveryTarget
    void aZeroOnTheDiagonalIsToldAndLeavesThingsAlone(Target target) {
        ElementType type = target.type();
        orders(target, (h, arena, n, random) -> {
            int zero = random.nextInt(n);
            Mat full = dominant(random, type, n, n);
            Mat a = Mat.of(n, n, (i, j) -> i == zero && j == zero ? 0 : full.re(i, j),
                    (i, j) -> i == zero && j == zero ? 0 : full.im(i, j));
            Mat b = random(random, type, n, 2);
            VectorView info = arena.vector(ElementType.I32, 1);
            VectorView ipiv = arena.vector(ElementType.I64, n);
            MatrixView view = upload(arena, type, a);
            MatrixView sides = upload(arena, type, b);
            for (Uplo uplo : Uplo.values()) {
                Lapack.trtrs(h, uplo, Op.NONE, Diag.NON_UNIT, view, sides, info);
                assertThat(info(info)).isEqualTo(zero + 1);
                assertThat(Orthogonal.download(sides, n, 2).re).isEqualTo(b.re);
            }
            Lapack.getriNpvt(h, view, info);
            assertThat(info(info)).isEqualTo(zero + 1);
            Lapack.getri(h, view, ipiv, info);
            assertThat(info(info)).isEqualTo(zero + 1);
            assertThat(Orthogonal.download(view, n, n).re).isEqualTo(a.re);
            MatrixView beside = upload(arena, type, full);
            Lapack.getriNpvtOutofplace(h, view, beside, info);
            assertThat(info(info)).isEqualTo(zero + 1);
            assertThat(Orthogonal.download(beside, n, n).re).isEqualTo(full.re);
            Lapack.trtrs(h, Uplo.LOWER, Op.NONE, Diag.UNIT, view, sides, info);
            assertThat(info(info)).as("a unit diagonal is not looked at").isZero();
        });
    }

    /** Row and column {@code zero} are zero up to the diagonal, so elimination leaves the pivot alone. */
    @EveryTarget
    void aZeroPivotEndsLuWithoutInterchanges(Target target) {
        ElementType type = target.type();
        orders(target, (h, arena, n, random) -> {
            int zero = random.nextInt(n);
            Mat full = dominant(random, type, n, n);
            Mat a = Mat.of(n, n, (i, j) -> Math.max(i, j) == zero ? 0 : full.re(i, j),
                    (i, j) -> Math.max(i, j) == zero ? 0 : full.im(i, j));
            Mat b = random(random, type, n, 2);
            VectorView info = arena.vector(ElementType.I32, 1);
            MatrixView sides = upload(arena, type, b);
            Lapack.gesvNpvt(h, upload(arena, type, a), sides, info);
            assertThat(info(info)).as("order %d", n).isEqualTo(zero + 1);
            assertThat(Orthogonal.download(sides, n, 2).re).isEqualTo(b.re);
        });
    }

    @EveryTarget
    void whatIsNoNumberStaysSoAndWrongPivotsGiveNone(Target target) {
        ElementType type = target.type();
        orders(target, (h, arena, n, random) -> {
            Mat full = dominant(random, type, n, n);
            Mat a = Mat.of(n, n, (i, j) -> i == n / 2 && j == i ? Double.NaN : full.re(i, j), (i, j) -> full.im(i, j));
            VectorView info = arena.vector(ElementType.I32, 1);
            MatrixView beside = arena.matrix(type, n, n);
            Lapack.matinv(h, upload(arena, type, a), beside, info);
            assertThat(Orthogonal.download(beside, n, n).re(n / 2, n / 2)).isNaN();
            VectorView ipiv = arena.vector(ElementType.I64, n);
            long[] pivots = new long[n];
            for (int i = 0; i < n; i++) {
                pivots[i] = i + 1;
            }
            pivots[n / 3] = n + 1L;
            ipiv.upload(pivots);
            MatrixView view = upload(arena, type, full);
            Lapack.getri(h, view, ipiv, info);
            assertThat(Orthogonal.download(view, n, n).re).containsOnly(Double.NaN);
        });
    }

    /** What a user of LAPACK types: the inverse of ((4, 3), (6, 3)) is ((-1/2, 1/2), (1, -2/3)). */
    @Test
    void getriAfterGetrfByTheirClassicNames() {
        try (Device device = Device.open("host");
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView a = arena.vector(ElementType.F64, 4);
            VectorView ipiv = arena.vector(ElementType.I64, 2);
            VectorView info = arena.vector(ElementType.I32, 1);
            a.upload(new double[] {4, 6, 3, 3});
            assertThat(ClassicLapack.dgetrf(h, 2, 2, a.pointer(), 2, ipiv.pointer(), info.pointer()))
                    .isEqualTo(Status.SUCCESS);
            assertThat(ClassicLapack.dgetri(h, 2, a.pointer(), 2, ipiv.pointer(), info.pointer()))
                    .isEqualTo(Status.SUCCESS);
            assertThat(info(info)).isZero();
            double[] x = new double[4];
            a.download(x);
            assertThat(x).containsExactly(new double[] {-0.5, 1, 0.5, -2.0 / 3}, within(1e-15));
        }
    }

    /** One of nine is singular; the others are inverted, in lanes where the device has them. */
    @EveryTarget
    void othersOfABatchAreInverted(Target target) {
        ElementType type = target.type();
        orders(target, (h, arena, n, random) -> {
            int count = 9;
            if (n > SMALL) {
                return;
            }
            MatrixView a = arena.matrix(type, n, n, count);
            MatrixView x = arena.matrix(type, n, n, count);
            VectorView info = arena.vector(ElementType.I32, 1, count);
            Mat[] problems = new Mat[count];
            for (int p = 0; p < count; p++) {
                problems[p] = p == 4 ? new Mat(n, n) : random(random, type, n, n);
                Orthogonal.upload(a.problem(p), problems[p]);
            }
            Lapack.matinv(h, a, x, info);
            for (int p = 0; p < count; p++) {
                assertThat(info(info.problem(p))).isEqualTo(p == 4 ? 1 : 0);
                if (p != 4) {
                    isInverse("problem " + p + " of order " + n, type, problems[p],
                            Orthogonal.download(x.problem(p), n, n));
                }
            }
        });
    }
}
