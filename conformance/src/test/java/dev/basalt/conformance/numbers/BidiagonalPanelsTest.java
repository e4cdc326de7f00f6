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
import dev.basalt.type.Storev;
import java.util.Random;

/**
 * Reductions to bidiagonal form of matrices that a GPU cannot keep in its shared memory, so that blocks share panels. Random combinations of columns tell, as the orders are large there:
 * A·x is Q·(B·(Pᴴ·x)).
 */
class BidiagonalPanelsTest {
    private static final double THRESHOLD = 30;

    /** Vectors x. */
    private static final int COMBINATIONS = 3;

    /** Rows and columns on a GPU: whole lines and odd ones, of 8 and of 16 rows a thread, and more rows than threads have. */
    private static final int[][] LARGE = {{1990, 1900}, {2301, 2101}, {4500, 1500}, {1000, 3000}};

    /** The same elsewhere: a simulated device that works in waves keeps up to order 48. */
    private static final int[][] SMALL = {{72, 64}, {131, 99}, {99, 131}, {70, 200}, {130, 131}};

    @EveryTarget
    void aIsTheProduct(Target target) {
        ElementType type = target.type();
        boolean gpu = target.device().startsWith("cuda");
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int[] shape : gpu ? LARGE : SMALL) {
                reduce(h, type, shape[0], shape[1], 1);
            }
            // Norms whose squares leave the range.
            for (int[] shape : gpu ? new int[][] {LARGE[3]} : SMALL) {
                double most = type.real() == ElementType.F64 ? 1e200 : 1e25;
                reduce(h, type, shape[0], shape[1], most);
                reduce(h, type, shape[0], shape[1], 1 / most);
            }
        }
    }

    private static void reduce(Handle h, ElementType type, int m, int n, double scale) {
        String what = m + " x " + n + " times " + scale;
        Random random = new Random(31L * m + n);
        Mat a = Mat.of(m, n, (i, j) -> scale * random.nextGaussian(),
                (i, j) -> type.isComplex() ? scale * random.nextGaussian() : 0);
        Mat x = Mat.of(n, COMBINATIONS, (i, j) -> random.nextGaussian(),
                (i, j) -> type.isComplex() ? random.nextGaussian() : 0);
        try (DeviceArena arena = h.device().arena()) {
            MatrixView view = arena.matrix(type, m, n);
            Orthogonal.upload(view, a);
            // What the device has, whose numbers may be shorter.
            Mat given = Orthogonal.download(view, m, n);
            int k = Math.min(m, n);
            VectorView d = arena.vector(type.real(), k);
            VectorView e = arena.vector(type.real(), k - 1);
            MatrixView factors = arena.matrix(type, k, 2);
            Orthogonal.upload(factors, Mat.of(k, 2, (i, j) -> 7, (i, j) -> 0));
            VectorView tauq = factors.column(0);
            VectorView taup = factors.column(1);
            Lapack.gebrd(h, view, d, e, tauq, taup);
            MatrixView right = arena.matrix(type, n, COMBINATIONS);
            Orthogonal.upload(right, x);
            Mat exact = Orthogonal.download(right, n, COMBINATIONS);
            Lapack.ormbr(h, Storev.ROWS, Side.LEFT, Op.CONJ_TRANS, m, view.block(0, 0, k, n), taup, right);
            Mat px = Orthogonal.download(right, n, COMBINATIONS);
            double[] diagonal = SymmetricTest.reals(d, k);
            double[] beside = SymmetricTest.reals(e, k - 1);
            MatrixView left = arena.matrix(type, m, COMBINATIONS);
            Orthogonal.upload(left, Mat.of(m, COMBINATIONS, (i, j) -> entry(diagonal, beside, px.re, i, j, m, n),
                    (i, j) -> entry(diagonal, beside, px.im, i, j, m, n)));
            Lapack.ormbr(h, Storev.COLUMNS, Side.LEFT, Op.NONE, n, view.block(0, 0, m, k), tauq, left);
            // The last line has no reflector beside it.
            assertThat(Orthogonal.download(m >= n ? taup : tauq, k).re[k - 1]).as(what).isZero();
            double unit = ColumnPivotingTest.unit(type);
            double error = Decomposed.max(Orthogonal.download(left, m, COMBINATIONS).minus(given.times(exact)));
            assertThat(error / scale).as(what).isLessThan(THRESHOLD * unit * Math.max(m, n) * Math.sqrt(n));
        }
    }

    /** An element of B·y, y in columns of n: B is upper bidiagonal, lower where it is wide. */
    private static double entry(double[] diagonal, double[] beside, double[] y, int i, int j, int m, int n) {
        int next = m >= n ? i + 1 : i - 1;
        double sum = i < diagonal.length ? diagonal[i] * y[i + j * n] : 0;
        boolean has = next >= 0 && Math.max(i, next) < diagonal.length;
        return has ? sum + beside[Math.min(i, next)] * y[next + j * n] : sum;
    }
}
