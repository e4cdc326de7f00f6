package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.ClassicLapack;
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
import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;
import org.assertj.core.data.Offset;

/** Generalised symmetric eigenproblems: by residual and by the product that their vectors are orthonormal in, and where B is not positive definite. */
class GeneralisedTest {
    private static final double THRESHOLD = 30;
    private static final int[] ORDERS = {1, 7, 65, 200};
    private static final int SMALL = 70;
    private static final int COUNT = 3;

    private static Mat hermitian(Random random, ElementType type, int n, double diagonal) {
        Mat x = new Mat(n, n);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                x.re[i + j * n] = random.nextDouble(-1, 1);
                x.im[i + j * n] = type.isComplex() ? random.nextDouble(-1, 1) : 0;
            }
        }
        return Mat.of(n, n, (i, j) -> (x.re(i, j) + x.re(j, i)) / 2 + (i == j ? diagonal : 0),
                (i, j) -> (x.im(i, j) - x.im(j, i)) / 2);
    }

    /** Of a matrix only the triangle is there. */
    private static Mat half(Mat a, Uplo uplo) {
        return Mat.of(a.m, a.n, (i, j) -> Mat.in(uplo, i, j) ? a.re(i, j) : Double.NaN, (i, j) -> a.im(i, j));
    }

    private static Mat scaled(Mat z, double[] d) {
        return Mat.of(z.m, z.n, (i, j) -> z.re(i, j) * d[j], (i, j) -> z.im(i, j) * d[j]);
    }

    @EveryTarget
    void problemsAreSolved(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : ORDERS) {
                if (n > SMALL && Devices.isSlow(target.device())) {
                    continue;
                }
                // Large problems are few: each way of solving, each form and each triangle once.
                for (int way = 0; way < 12; way += n > SMALL ? 5 : 1) {
                    Random random = new Random(31L * n + way);
                    Mat a = hermitian(random, type, n, 0);
                    Mat b = hermitian(random, type, n, n);
                    solve(h, device, type, way, a, b);
                }
            }
        }
    }

    private static void solve(Handle h, Device device, ElementType type, int way, Mat a, Mat b) {
        int n = a.n;
        Eform form = Eform.values()[way % 3];
        Uplo uplo = way / 3 % 2 == 0 ? Uplo.LOWER : Uplo.UPPER;
        String what = form + " n=" + n + " " + uplo + " " + type + (way < 6 ? " sygvd" : " sygv");
        try (DeviceArena arena = device.arena()) {
            MatrixView left = arena.matrix(type, n, n);
            MatrixView right = arena.matrix(type, n, n);
            VectorView d = arena.vector(type.real(), n);
            VectorView e = arena.vector(type.real(), n);
            VectorView info = arena.vector(ElementType.I32, 1);
            double[][] values = new double[2][];
            Mat z = null;
            for (Evect evect : new Evect[] {Evect.NONE, Evect.ORIGINAL}) {
                Orthogonal.upload(left, half(a, uplo));
                Orthogonal.upload(right, half(b, uplo));
                if (way < 6) {
                    Lapack.sygvd(h, form, evect, uplo, left, right, d, e, info);
                } else {
                    Lapack.sygv(h, form, evect, uplo, left, right, d, e, info);
                }
                assertThat(info(info, 1)).as(what).containsExactly(0);
                values[evect == Evect.NONE ? 0 : 1] = Orthogonal.download(d, n).re.clone();
                z = Orthogonal.download(left, n, n);
            }
            Mat az = form == Eform.ABX ? a.times(b.times(z)) : a.times(z);
            Mat residual = switch (form) {
                case AX -> az.minus(b.times(scaled(z, values[1])));
                case ABX -> az.minus(scaled(z, values[1]));
                case BAX -> b.times(az).minus(scaled(z, values[1]));
            };
            double unit = ColumnPivotingTest.unit(type) * n;
            double size = a.norm1() * (form == Eform.AX ? 1 : b.norm1()) * z.norm1();
            assertThat(residual.norm1() / (unit * size)).as("%s: residual", what).isLessThan(THRESHOLD);
            Mat zh = z.op(Op.CONJ_TRANS);
            Mat off = form == Eform.BAX ? z.times(zh).minus(b) : zh.times(b.times(z)).minus(Mat.identity(n));
            double of = form == Eform.BAX ? b.norm1() : 1;
            assertThat(off.norm1() / (unit * of)).as("%s: orthogonality", what).isLessThan(THRESHOLD);
            double largest = 0;
            for (double value : values[1]) {
                largest = Math.max(largest, Math.abs(value));
            }
            for (int i = 0; i < n; i++) {
                assertThat(values[0][i]).as("%s: value %d", what, i)
                        .isCloseTo(values[1][i], Offset.offset(THRESHOLD * unit * largest));
                assertThat(i == 0 || values[1][i - 1] <= values[1][i]).as("%s: order at %d", what, i).isTrue();
            }
        }
    }

    private static int[] info(VectorView info, int count) {
        int[] numbers = new int[count];
        info.download(numbers);
        return numbers;
    }

    /** Of three problems the second has no factor: it keeps A, and the others are solved. */
    @EveryTarget(realOnly = true)
    void whatIsNotPositiveDefiniteIsLeft(Target target) {
        if (target.type() != ElementType.F64) {
            return;
        }
        int n = Devices.isSlow(target.device()) ? 20 : 90;
        int bad = n / 2;
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (Evect evect : new Evect[] {Evect.NONE, Evect.ORIGINAL}) {
                Random random = new Random(n);
                double[] a = new double[COUNT * n * n];
                double[] b = new double[COUNT * n * n];
                for (int p = 0; p < COUNT; p++) {
                    System.arraycopy(hermitian(random, ElementType.F64, n, 0).re, 0, a, p * n * n, n * n);
                    System.arraycopy(hermitian(random, ElementType.F64, n, n).re, 0, b, p * n * n, n * n);
                }
                b[n * n + bad * (n + 1)] = -1;
                VectorView left = arena.vector(ElementType.F64, a.length);
                VectorView right = arena.vector(ElementType.F64, b.length);
                VectorView d = arena.vector(ElementType.F64, COUNT * n);
                VectorView e = arena.vector(ElementType.F64, COUNT * n);
                VectorView info = arena.vector(ElementType.I32, COUNT);
                left.upload(a);
                right.upload(b);
                d.upload(new double[COUNT * n]);
                ClassicLapack.dsygvdStridedBatched(h, Eform.AX, evect, Uplo.LOWER, n, left.pointer(), n, (long) n * n,
                        right.pointer(), n, (long) n * n, d.pointer(), n, e.pointer(), n, info.pointer(), COUNT);
                assertThat(info(info, COUNT)).containsExactly(0, n + bad + 1, 0);
                double[] found = new double[a.length];
                left.download(found);
                double[] values = new double[COUNT * n];
                d.download(values);
                for (int i = 0; i < n * n; i++) {
                    assertThat(found[n * n + i]).as("A of the second problem").isEqualTo(a[n * n + i]);
                }
                for (int i = 0; i < n; i++) {
                    assertThat(values[n + i]).as("d of the second problem").isZero();
                    assertThat(values[i]).as("d of the first problem").isNotZero();
                    assertThat(values[2 * n + i]).as("d of the third problem").isNotZero();
                }
            }
        }
    }
}
