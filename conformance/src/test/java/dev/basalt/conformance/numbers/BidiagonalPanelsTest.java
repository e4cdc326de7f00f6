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
    private static final int[][] LARGE = {{1990, 1900}, {2301, 2101}, {4500, 1500}};

    /** The same elsewhere: a simulated device that works in waves keeps up to order 48. */
    private static final int[][] SMALL = {{72, 64}, {131, 99}};

    @EveryTarget
    void aIsTheProduct(Target target) {
        ElementType type = target.type();
        boolean gpu = target.device().startsWith("cuda");
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int[] shape : gpu ? LARGE : SMALL) {
                reduce(h, type, shape[0], shape[1], 1);
            }
            // Norms whose squares leave the range.
            int[] last = gpu ? LARGE[0] : SMALL[1];
            double most = type.real() == ElementType.F64 ? 1e200 : 1e25;
            reduce(h, type, last[0], last[1], most);
            reduce(h, type, last[0], last[1], 1 / most);
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
            VectorView d = arena.vector(type.real(), n);
            VectorView e = arena.vector(type.real(), n - 1);
            VectorView tauq = arena.vector(type, n);
            VectorView taup = arena.vector(type, n);
            Lapack.gebrd(h, view, d, e, tauq, taup);
            MatrixView right = arena.matrix(type, n, COMBINATIONS);
            Orthogonal.upload(right, x);
            Mat exact = Orthogonal.download(right, n, COMBINATIONS);
            Lapack.ormbr(h, Storev.ROWS, Side.LEFT, Op.CONJ_TRANS, m, view.block(0, 0, n, n), taup, right);
            Mat px = Orthogonal.download(right, n, COMBINATIONS);
            double[] diagonal = SymmetricTest.reals(d, n);
            double[] beside = SymmetricTest.reals(e, n - 1);
            MatrixView left = arena.matrix(type, m, COMBINATIONS);
            Orthogonal.upload(left, Mat.of(m, COMBINATIONS, (i, j) -> entry(diagonal, beside, px.re, i, j, n),
                    (i, j) -> entry(diagonal, beside, px.im, i, j, n)));
            Lapack.ormbr(h, Storev.COLUMNS, Side.LEFT, Op.NONE, n, view, tauq, left);
            double unit = ColumnPivotingTest.unit(type);
            double error = Decomposed.max(Orthogonal.download(left, m, COMBINATIONS).minus(given.times(exact)));
            assertThat(error / scale).as(what).isLessThan(THRESHOLD * unit * m * Math.sqrt(n));
        }
    }

    /** An element of B·y, y in columns of n. */
    private static double entry(double[] diagonal, double[] beside, double[] y, int i, int j, int n) {
        return i >= n ? 0 : diagonal[i] * y[i + j * n] + (i + 1 < n ? beside[i] * y[i + 1 + j * n] : 0);
    }
}
