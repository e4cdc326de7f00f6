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
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * QR of far more rows than columns: devices make it from AᴴA where A's columns are far from dependent, and column by column elsewhere. Columns here are random, nearly dependent, zero, of all
 * sizes, or have a number that is none.
 */
class TallPanelsTest {
    private static final double THRESHOLD = 30;

    /** Rows and columns: on a GPU, whose grids begin late, and elsewhere. */
    private static final int[][] LARGE = {{33_100, 9}, {17_000, 33}, {20_001, 64}};

    private static final int[][] SMALL = {{1_100, 8}, {4_301, 33}, {8_200, 64}};

    /** More columns are tried with fewer kinds. */
    private static final int FEW = 40;

    private enum Kind {
        RANDOM, NEARLY_DEPENDENT, ZERO, GRADED, TINY, HUGE, NOT_A_NUMBER;

        Mat matrix(Random random, ElementType type, int m, int n) {
            double end = type.real() == ElementType.F32 ? 1e30 : 1e200;
            double[] re = random.doubles((long) m * n, -1, 1).toArray();
            double[] im = new double[m * n];
            if (type.isComplex()) {
                Arrays.setAll(im, i -> random.nextDouble() - 0.5);
            }
            double near = Math.sqrt(ColumnPivotingTest.unit(type));
            for (int j = 0; j < n; j++) {
                double scale = switch (this) {
                    case GRADED -> Math.scalb(1.0, j % 5 * 9 - 18);
                    case TINY -> 1 / end;
                    case HUGE -> end;
                    case ZERO -> j == n / 2 ? 0 : 1;
                    default -> 1;
                };
                boolean dependent = this == NEARLY_DEPENDENT && j % 4 == 3;
                for (int i = 0; i < m; i++) {
                    int at = i + j * m;
                    re[at] = dependent ? re[at - m] + near * re[at] : scale * re[at];
                    im[at] = dependent ? im[at - m] + near * im[at] : scale * im[at];
                }
            }
            if (this == NOT_A_NUMBER) {
                re[m / 2 + (n - 1) * m] = Double.NaN;
            }
            return Mat.of(m, n, (i, j) -> re[i + j * m], (i, j) -> im[i + j * m]);
        }
    }

    @EveryTarget
    void areWhatTheirFactorsMake(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int[] shape : target.device().startsWith("cuda") ? LARGE : SMALL) {
                for (Kind kind : Kind.values()) {
                    if (shape[1] < FEW || kind == Kind.RANDOM || kind == Kind.NEARLY_DEPENDENT) {
                        isProduct(h, device, type, shape[0], shape[1], kind);
                    }
                }
            }
        }
    }

    private static void isProduct(Handle h, Device device, ElementType type, int m, int n, Kind kind) {
        String what = kind + " " + m + " x " + n;
        try (DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(type, m, n);
            VectorView tau = arena.vector(type, n);
            Orthogonal.upload(a, kind.matrix(new Random(m + n), type, m, n));
            Mat given = Orthogonal.download(a, m, n);
            Lapack.geqrf(h, a, tau);
            Mat f = Orthogonal.download(a, m, n);
            if (kind == Kind.NOT_A_NUMBER) {
                assertThat(IntStream.range(0, n).anyMatch(i -> Double.isNaN(f.re(i, n - 1)))).as(what).isTrue();
                return;
            }
            double unit = ColumnPivotingTest.unit(type);
            Mat r = Mat.of(m, n, (i, j) -> i <= j ? f.re(i, j) : 0, (i, j) -> i <= j ? f.im(i, j) : 0);
            Mat error = times(h, arena, a, tau, r).minus(given);
            for (int j = 0; j < n; j++) {
                double most = largest(given, j);
                assertThat(largest(error, j)).as("%s: column %d", what, j)
                        .isLessThanOrEqualTo(THRESHOLD * unit * Math.sqrt((double) m * n) * most);
            }
            Mat q = times(h, arena, a, tau, Mat.of(m, n, (i, j) -> i == j ? 1 : 0, (i, j) -> 0));
            assertThat(q.op(Op.CONJ_TRANS).times(q).minus(Mat.identity(n)).norm1()).as("%s: Q", what)
                    .isLessThan(THRESHOLD * unit * m);
        }
    }

    /** Q·x */
    private static Mat times(Handle h, DeviceArena arena, MatrixView a, VectorView tau, Mat x) {
        MatrixView right = arena.matrix(a.type(), x.m, x.n);
        Orthogonal.upload(right, x);
        Lapack.ormqr(h, Side.LEFT, Op.NONE, a, tau, right);
        return Orthogonal.download(right, x.m, x.n);
    }

    private static double largest(Mat a, int j) {
        return IntStream.range(0, a.m)
                .mapToDouble(i -> Math.max(Math.abs(a.re(i, j)), Math.abs(a.im(i, j))))
                .max()
                .orElse(0);
    }
}
