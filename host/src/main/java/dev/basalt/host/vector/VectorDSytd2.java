package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.zero;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.SideBySide;
import dev.basalt.spi.Launch;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;

/**
 * Small symmetric matrices to tridiagonal form, one in each lane, with both triangles. The matrix is read once a column: when a reflector is taken off it, the product with the next one is made of what is left. An upper
 * triangle lies mirrored, so that columns go from the first on. Loops over lanes with the same bits do the work until those of vectors are compiled.
 */
final class VectorDSytd2 {
    private static final int MOST = 32;

    private static final Warmth WARMTH = new Warmth();

    /** What an element takes in a step, about. */
    private static final long WORK = 20;

    /** Element (i, j) at (i·n + j)·lanes. */
    private final double[] a = new double[MOST * MOST * LANES];

    private final double[] e = new double[MOST * LANES];
    private final double[] tau = new double[MOST * LANES];
    /** The reflector that goes off the matrix, and what goes off with it; the next one, and its product. */
    private final double[] v = new double[MOST * LANES];

    private final double[] w = new double[MOST * LANES];
    private final double[] next = new double[MOST * LANES];
    private final double[] product = new double[MOST * LANES];
    private final long[] problems = new long[LANES];

    private int n;

    /** Kernels that share what they work in. */
    static SideBySide lanes() {
        VectorPool<VectorDSytd2> pool = new VectorPool<>(VectorDSytd2::new);
        return new SideBySide() {
            @Override
            public boolean takes(Launch l) {
                return l.n > 1 && l.n <= MOST;
            }

            @Override
            public void run(Launch l, long from, long to, Alone alone) {
                VectorDSytd2 one = pool.take();
                one.batch(l, from, to);
                pool.give(one);
            }
        };
    }

    private void batch(Launch l, long from, long to) {
        n = (int) l.n;
        boolean lower = l.uplo == Uplo.LOWER;
        int count = 0;
        for (long i = from; i < to; i++) {
            if (!BatchedKernels.skips(l, i)) {
                problems[count] = i;
                enter(l.c.at(i), lower, l.c.ld, count);
                count++;
            }
            if (count == LANES || i == to - 1 && count > 0) {
                solve();
                for (int lane = 0; lane < count; lane++) {
                    leave(l, lower, lane);
                }
                count = 0;
            }
        }
    }

    private void enter(long c, boolean lower, long ld, int lane) {
        for (int j = 0; j < n; j++) {
            long p = lower ? c + j * (ld + 1) * 8L : c + (n - 1 - j) * (ld + 1) * 8L;
            long step = lower ? 8L : -8L;
            for (int i = j; i < n; i++, p += step) {
                double x = f64(p);
                a[(i * n + j) * LANES + lane] = x;
                a[(j * n + i) * LANES + lane] = x;
            }
        }
    }

    private void leave(Launch l, boolean lower, int lane) {
        long problem = problems[lane];
        long c = l.c.at(problem);
        long ld = l.c.ld;
        for (int j = 0; j < n; j++) {
            long p = lower ? c + j * (ld + 1) * 8L : c + (n - 1 - j) * (ld + 1) * 8L;
            long step = lower ? 8L : -8L;
            for (int i = j; i < n; i++, p += step) {
                f64(p, a[(i * n + j) * LANES + lane]);
            }
            f64(l.a.at(problem) + (lower ? j : n - 1 - j) * 8L, a[(j * n + j) * LANES + lane]);
            if (j + 1 < n) {
                long at = (lower ? j : n - 2 - j) * 8L;
                f64(l.b.at(problem) + at, e[j * LANES + lane]);
                f64(l.d.at(problem) + at, tau[j * LANES + lane]);
            }
        }
    }

    private void solve() {
        if (WARMTH.isWarm()) {
            reduce(true);
        } else if (WARMTH.hasTurn()) {
            long start = System.nanoTime();
            reduce(true);
            WARMTH.took(System.nanoTime() - start, WORK * n * n * n);
        } else {
            reduce(false);
        }
    }

    private void reduce(boolean vectors) {
        Arrays.fill(v, 0, n * LANES, 0);
        Arrays.fill(w, 0, n * LANES, 0);
        for (int i = 0; i + 1 < n; i++) {
            VectorDMirrors.reflect(vectors, a, (i + 1) * n + i, n, n - i - 1, next, i + 1, tau, i);
            System.arraycopy(a, ((i + 1) * n + i) * LANES, e, i * LANES, LANES);
            if (vectors) {
                rows(i + 1);
                weigh(i);
                column(i + 1);
            } else {
                rowsOfLanes(i + 1);
                weighLanes(i);
                columnOfLanes(i + 1);
            }
        }
    }

    /** Takes v·wᵀ and w·vᵀ off all that is behind column from - 1, and multiplies what is left by the next reflector. */
    private void rows(int from) {
        int i = from;
        for (; i + 2 <= n; i += 2) {
            twoRows(i, from);
        }
        if (i < n) {
            oneRow(i, from);
        }
    }

    private void twoRows(int i, int from) {
        DoubleVector v0 = fromArray(SPECIES, v, i * LANES).neg();
        DoubleVector w0 = fromArray(SPECIES, w, i * LANES).neg();
        DoubleVector v1 = fromArray(SPECIES, v, (i + 1) * LANES).neg();
        DoubleVector w1 = fromArray(SPECIES, w, (i + 1) * LANES).neg();
        DoubleVector sum0 = zero(SPECIES);
        DoubleVector sum1 = sum0;
        int p = (i * n + from) * LANES;
        int q = p + n * LANES;
        for (int j = from; j < n; j++, p += LANES, q += LANES) {
            DoubleVector x = fromArray(SPECIES, v, j * LANES);
            DoubleVector y = fromArray(SPECIES, w, j * LANES);
            DoubleVector z = fromArray(SPECIES, next, j * LANES);
            DoubleVector a0 = w0.fma(x, v0.fma(y, fromArray(SPECIES, a, p)));
            DoubleVector a1 = w1.fma(x, v1.fma(y, fromArray(SPECIES, a, q)));
            a0.intoArray(a, p);
            a1.intoArray(a, q);
            sum0 = a0.fma(z, sum0);
            sum1 = a1.fma(z, sum1);
        }
        sum0.intoArray(product, i * LANES);
        sum1.intoArray(product, (i + 1) * LANES);
    }

    private void oneRow(int i, int from) {
        DoubleVector v0 = fromArray(SPECIES, v, i * LANES).neg();
        DoubleVector w0 = fromArray(SPECIES, w, i * LANES).neg();
        DoubleVector sum = zero(SPECIES);
        int p = (i * n + from) * LANES;
        for (int j = from; j < n; j++, p += LANES) {
            DoubleVector x = fromArray(SPECIES, v, j * LANES);
            DoubleVector y = fromArray(SPECIES, w, j * LANES);
            DoubleVector a0 = w0.fma(x, v0.fma(y, fromArray(SPECIES, a, p)));
            a0.intoArray(a, p);
            sum = a0.fma(fromArray(SPECIES, next, j * LANES), sum);
        }
        sum.intoArray(product, i * LANES);
    }

    private void rowsOfLanes(int from) {
        for (int i = from; i < n; i++) {
            for (int lane = 0; lane < LANES; lane++) {
                double v0 = -v[i * LANES + lane];
                double w0 = -w[i * LANES + lane];
                double sum = 0;
                for (int j = from; j < n; j++) {
                    int p = (i * n + j) * LANES + lane;
                    double x = Math.fma(w0, v[j * LANES + lane], Math.fma(v0, w[j * LANES + lane], a[p]));
                    a[p] = x;
                    sum = Math.fma(x, next[j * LANES + lane], sum);
                }
                product[i * LANES + lane] = sum;
            }
        }
    }

    /** The next reflector is the one to be taken off: w := its factor times its product, less half of what both have in common. */
    private void weigh(int i) {
        DoubleVector sum = zero(SPECIES);
        for (int j = i + 1; j < n; j++) {
            sum = fromArray(SPECIES, product, j * LANES).fma(fromArray(SPECIES, next, j * LANES), sum);
        }
        DoubleVector factor = fromArray(SPECIES, tau, i * LANES);
        DoubleVector half = factor.mul(-0.5).mul(factor).mul(sum);
        for (int j = i + 1; j < n; j++) {
            DoubleVector x = fromArray(SPECIES, next, j * LANES);
            x.intoArray(v, j * LANES);
            x.fma(half, fromArray(SPECIES, product, j * LANES).mul(factor)).intoArray(w, j * LANES);
        }
    }

    private void weighLanes(int i) {
        for (int lane = 0; lane < LANES; lane++) {
            double sum = 0;
            for (int j = i + 1; j < n; j++) {
                sum = Math.fma(product[j * LANES + lane], next[j * LANES + lane], sum);
            }
            double factor = tau[i * LANES + lane];
            double half = factor * -0.5 * factor * sum;
            for (int j = i + 1; j < n; j++) {
                double x = next[j * LANES + lane];
                v[j * LANES + lane] = x;
                w[j * LANES + lane] = Math.fma(x, half, product[j * LANES + lane] * factor);
            }
        }
    }

    /** Brings column j up to date, of which the next reflector is made. */
    private void column(int j) {
        DoubleVector x = fromArray(SPECIES, v, j * LANES);
        DoubleVector y = fromArray(SPECIES, w, j * LANES);
        for (int i = j; i < n; i++) {
            int p = (i * n + j) * LANES;
            DoubleVector v0 = fromArray(SPECIES, v, i * LANES).neg();
            DoubleVector w0 = fromArray(SPECIES, w, i * LANES).neg();
            w0.fma(x, v0.fma(y, fromArray(SPECIES, a, p))).intoArray(a, p);
        }
    }

    private void columnOfLanes(int j) {
        for (int i = j; i < n; i++) {
            for (int lane = 0; lane < LANES; lane++) {
                int p = (i * n + j) * LANES + lane;
                double x = Math.fma(-v[i * LANES + lane], w[j * LANES + lane], a[p]);
                a[p] = Math.fma(-w[i * LANES + lane], v[j * LANES + lane], x);
            }
        }
    }
}
