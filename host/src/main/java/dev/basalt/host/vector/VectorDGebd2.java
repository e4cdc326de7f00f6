package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.zero;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.SideBySide;
import dev.basalt.spi.Launch;
import dev.basalt.type.Op;
import java.util.Arrays;
import jdk.incubator.vector.DoubleVector;

/**
 * Small matrices to bidiagonal form, one in each lane. The matrix is read twice a column: when a reflector is taken off it, the product with the next one is made of what is left. Loops over lanes with the same bits do
 * the work until those of vectors are compiled.
 */
final class VectorDGebd2 {
    private static final int MOST = 32;
    private static final int MOST_ROWS = 2 * MOST;

    private static final Warmth WARMTH = new Warmth();

    /** What an element takes in a step, about. */
    private static final long WORK = 20;

    /** Element (i, j) at (i·n + j)·lanes. */
    private final double[] a = new double[MOST_ROWS * MOST * LANES];

    private final double[] d = new double[MOST * LANES];
    private final double[] e = new double[MOST * LANES];
    private final double[] tauq = new double[MOST * LANES];
    private final double[] taup = new double[MOST * LANES];
    /** Reflectors of the column and of the row, and the products with each: of rows and of columns. */
    private final double[] v = new double[MOST_ROWS * LANES];

    private final double[] u = new double[MOST * LANES];
    private final double[] y = new double[MOST * LANES];
    private final double[] x = new double[MOST_ROWS * LANES];
    private final double[] factors = new double[LANES];
    private final long[] problems = new long[LANES];

    private int m;
    private int n;

    /** Kernels that share what they work in. */
    static SideBySide lanes() {
        VectorPool<VectorDGebd2> pool = new VectorPool<>(VectorDGebd2::new);
        return new SideBySide() {
            @Override
            public boolean takes(Launch l) {
                return l.extent == 0 && Math.min(l.m, l.n) > 1 && Math.min(l.m, l.n) <= MOST
                        && Math.max(l.m, l.n) <= MOST_ROWS;
            }

            @Override
            public void run(Launch l, long from, long to, Alone alone) {
                VectorDGebd2 one = pool.take();
                one.batch(l, from, to);
                pool.give(one);
            }
        };
    }

    private void batch(Launch l, long from, long to) {
        boolean turned = l.opB != Op.NONE;
        m = (int) (turned ? l.n : l.m);
        n = (int) (turned ? l.m : l.n);
        int count = 0;
        for (long i = from; i < to; i++) {
            if (!BatchedKernels.skips(l, i)) {
                problems[count] = i;
                enter(l.c.at(i), turned, l.c.ld, count);
                count++;
            }
            if (count == LANES || i == to - 1 && count > 0) {
                solve();
                for (int lane = 0; lane < count; lane++) {
                    leave(l, turned, lane);
                }
                count = 0;
            }
        }
    }

    private void enter(long c, boolean turned, long ld, int lane) {
        for (int j = 0; j < (turned ? m : n); j++) {
            long p = c + j * ld * 8L;
            int at = (turned ? j * n : j) * LANES + lane;
            int step = (turned ? 1 : n) * LANES;
            for (int i = 0; i < (turned ? n : m); i++) {
                a[at] = f64(p + i * 8L);
                at += step;
            }
        }
    }

    private void leave(Launch l, boolean turned, int lane) {
        long problem = problems[lane];
        long c = l.c.at(problem);
        for (int j = 0; j < (turned ? m : n); j++) {
            long p = c + j * l.c.ld * 8L;
            int at = (turned ? j * n : j) * LANES + lane;
            int step = (turned ? 1 : n) * LANES;
            for (int i = 0; i < (turned ? n : m); i++) {
                f64(p + i * 8L, a[at]);
                at += step;
            }
        }
        put(l.a.at(problem), n, d, lane);
        put(l.b.at(problem), n - 1, e, lane);
        // Of a wide matrix the rows have the first reflectors.
        put(l.d.at(problem), n, turned ? taup : tauq, lane);
        put(l.f.at(problem), n, turned ? tauq : taup, lane);
    }

    private static void put(long to, int count, double[] from, int lane) {
        for (int i = 0; i < count; i++) {
            f64(to + i * 8L, from[i * LANES + lane]);
        }
    }

    private void solve() {
        if (WARMTH.isWarm()) {
            reduce(true);
        } else if (WARMTH.hasTurn()) {
            long start = System.nanoTime();
            reduce(true);
            WARMTH.took(System.nanoTime() - start, WORK * m * n * n);
        } else {
            reduce(false);
        }
    }

    private void reduce(boolean vectors) {
        Arrays.fill(x, 0, m * LANES, 0);
        Arrays.fill(u, 0, n * LANES, 0);
        Arrays.fill(factors, 0);
        VectorDMirrors.reflect(vectors, a, 0, n, m, v, 0, tauq, 0);
        columns(vectors, 0, 1);
        for (int i = 0; i < n; i++) {
            take(d, i * LANES, (i * n + i) * LANES);
            if (i == n - 1) {
                Arrays.fill(taup, i * LANES, (i + 1) * LANES, 0);
                return;
            }
            take(tauq, i);
            row(vectors, i);
            VectorDMirrors.reflect(vectors, a, i * n + i + 1, 1, n - i - 1, u, i + 1, taup, i);
            take(e, i * LANES, (i * n + i + 1) * LANES);
            rows(vectors, i + 1, i + 1);
            take(taup, i);
            column(vectors, i + 1);
            VectorDMirrors.reflect(vectors, a, (i + 1) * n + i + 1, n, m - i - 1, v, i + 1, tauq, i + 1);
            columns(vectors, i + 1, i + 2);
        }
    }

    private void take(double[] to, int at, int from) {
        System.arraycopy(a, from, to, at, LANES);
    }

    /** The factor that vectors of a reflector are multiplied by. */
    private void take(double[] tau, int i) {
        for (int lane = 0; lane < LANES; lane++) {
            factors[lane] = -tau[i * LANES + lane];
        }
    }

    /** What the column's reflector leaves of row i. */
    private void row(boolean vectors, int i) {
        int at = (i * n + i + 1) * LANES;
        if (!vectors) {
            less(at, LANES, y, (i + 1) * LANES, n - i - 1);
            return;
        }
        DoubleVector factor = fromArray(SPECIES, factors, 0);
        for (int j = i + 1; j < n; j++, at += LANES) {
            factor.fma(fromArray(SPECIES, y, j * LANES), fromArray(SPECIES, a, at)).intoArray(a, at);
        }
    }

    /** What the row's reflector leaves of column i. */
    private void column(boolean vectors, int i) {
        int at = (i * n + i) * LANES;
        if (!vectors) {
            less(at, n * LANES, x, i * LANES, m - i);
            return;
        }
        DoubleVector factor = fromArray(SPECIES, factors, 0);
        for (int r = i; r < m; r++, at += n * LANES) {
            factor.fma(fromArray(SPECIES, x, r * LANES), fromArray(SPECIES, a, at)).intoArray(a, at);
        }
    }

    private void less(int at, int step, double[] z, int from, int count) {
        for (int k = 0; k < count; k++) {
            for (int lane = 0; lane < LANES; lane++) {
                int p = at + k * step + lane;
                a[p] = Math.fma(factors[lane], z[from + k * LANES + lane], a[p]);
            }
        }
    }

    /** Takes the column's reflector off the rows from r on and the columns from j on; x := the products of what is left with u. */
    private void rows(boolean vectors, int r, int j) {
        int i = r;
        if (!vectors) {
            for (; i < m; i++) {
                rowOfLanes(i, j);
            }
            return;
        }
        for (; i + 4 <= m; i += 4) {
            fourRows(i, j);
        }
        for (; i < m; i++) {
            oneRow(i, j);
        }
    }

    private void fourRows(int i, int from) {
        DoubleVector factor = fromArray(SPECIES, factors, 0);
        DoubleVector t0 = fromArray(SPECIES, v, i * LANES).mul(factor);
        DoubleVector t1 = fromArray(SPECIES, v, (i + 1) * LANES).mul(factor);
        DoubleVector t2 = fromArray(SPECIES, v, (i + 2) * LANES).mul(factor);
        DoubleVector t3 = fromArray(SPECIES, v, (i + 3) * LANES).mul(factor);
        DoubleVector x0 = zero(SPECIES);
        DoubleVector x1 = x0;
        DoubleVector x2 = x0;
        DoubleVector x3 = x0;
        int step = n * LANES;
        int p = (i * n + from) * LANES;
        for (int j = from; j < n; j++, p += LANES) {
            DoubleVector w = fromArray(SPECIES, y, j * LANES);
            DoubleVector z = fromArray(SPECIES, u, j * LANES);
            DoubleVector a0 = t0.fma(w, fromArray(SPECIES, a, p));
            DoubleVector a1 = t1.fma(w, fromArray(SPECIES, a, p + step));
            DoubleVector a2 = t2.fma(w, fromArray(SPECIES, a, p + 2 * step));
            DoubleVector a3 = t3.fma(w, fromArray(SPECIES, a, p + 3 * step));
            a0.intoArray(a, p);
            a1.intoArray(a, p + step);
            a2.intoArray(a, p + 2 * step);
            a3.intoArray(a, p + 3 * step);
            x0 = a0.fma(z, x0);
            x1 = a1.fma(z, x1);
            x2 = a2.fma(z, x2);
            x3 = a3.fma(z, x3);
        }
        x0.intoArray(x, i * LANES);
        x1.intoArray(x, (i + 1) * LANES);
        x2.intoArray(x, (i + 2) * LANES);
        x3.intoArray(x, (i + 3) * LANES);
    }

    private void oneRow(int i, int from) {
        DoubleVector t = fromArray(SPECIES, v, i * LANES).mul(fromArray(SPECIES, factors, 0));
        DoubleVector sum = zero(SPECIES);
        int p = (i * n + from) * LANES;
        for (int j = from; j < n; j++, p += LANES) {
            DoubleVector z = t.fma(fromArray(SPECIES, y, j * LANES), fromArray(SPECIES, a, p));
            z.intoArray(a, p);
            sum = z.fma(fromArray(SPECIES, u, j * LANES), sum);
        }
        sum.intoArray(x, i * LANES);
    }

    private void rowOfLanes(int i, int from) {
        for (int lane = 0; lane < LANES; lane++) {
            double t = v[i * LANES + lane] * factors[lane];
            double sum = 0;
            for (int j = from; j < n; j++) {
                int p = (i * n + j) * LANES + lane;
                double z = Math.fma(t, y[j * LANES + lane], a[p]);
                a[p] = z;
                sum = Math.fma(z, u[j * LANES + lane], sum);
            }
            x[i * LANES + lane] = sum;
        }
    }

    /** Takes the row's reflector off the rows from i on and the columns from j on; y := the products of what is left with v. */
    private void columns(boolean vectors, int i, int j) {
        int k = j;
        if (!vectors) {
            for (; k < n; k++) {
                columnOfLanes(i, k);
            }
            return;
        }
        for (; k + 4 <= n; k += 4) {
            fourColumns(i, k);
        }
        for (; k < n; k++) {
            oneColumn(i, k);
        }
    }

    private void fourColumns(int from, int j) {
        DoubleVector factor = fromArray(SPECIES, factors, 0);
        DoubleVector t0 = fromArray(SPECIES, u, j * LANES).mul(factor);
        DoubleVector t1 = fromArray(SPECIES, u, (j + 1) * LANES).mul(factor);
        DoubleVector t2 = fromArray(SPECIES, u, (j + 2) * LANES).mul(factor);
        DoubleVector t3 = fromArray(SPECIES, u, (j + 3) * LANES).mul(factor);
        DoubleVector y0 = zero(SPECIES);
        DoubleVector y1 = y0;
        DoubleVector y2 = y0;
        DoubleVector y3 = y0;
        int p = (from * n + j) * LANES;
        for (int i = from; i < m; i++, p += n * LANES) {
            DoubleVector w = fromArray(SPECIES, x, i * LANES);
            DoubleVector z = fromArray(SPECIES, v, i * LANES);
            DoubleVector a0 = t0.fma(w, fromArray(SPECIES, a, p));
            DoubleVector a1 = t1.fma(w, fromArray(SPECIES, a, p + LANES));
            DoubleVector a2 = t2.fma(w, fromArray(SPECIES, a, p + 2 * LANES));
            DoubleVector a3 = t3.fma(w, fromArray(SPECIES, a, p + 3 * LANES));
            a0.intoArray(a, p);
            a1.intoArray(a, p + LANES);
            a2.intoArray(a, p + 2 * LANES);
            a3.intoArray(a, p + 3 * LANES);
            y0 = a0.fma(z, y0);
            y1 = a1.fma(z, y1);
            y2 = a2.fma(z, y2);
            y3 = a3.fma(z, y3);
        }
        y0.intoArray(y, j * LANES);
        y1.intoArray(y, (j + 1) * LANES);
        y2.intoArray(y, (j + 2) * LANES);
        y3.intoArray(y, (j + 3) * LANES);
    }

    private void oneColumn(int from, int j) {
        DoubleVector t = fromArray(SPECIES, u, j * LANES).mul(fromArray(SPECIES, factors, 0));
        DoubleVector sum = zero(SPECIES);
        int p = (from * n + j) * LANES;
        for (int i = from; i < m; i++, p += n * LANES) {
            DoubleVector z = t.fma(fromArray(SPECIES, x, i * LANES), fromArray(SPECIES, a, p));
            z.intoArray(a, p);
            sum = z.fma(fromArray(SPECIES, v, i * LANES), sum);
        }
        sum.intoArray(y, j * LANES);
    }

    private void columnOfLanes(int from, int j) {
        for (int lane = 0; lane < LANES; lane++) {
            double t = u[j * LANES + lane] * factors[lane];
            double sum = 0;
            for (int i = from; i < m; i++) {
                int p = (i * n + j) * LANES + lane;
                double z = Math.fma(t, x[i * LANES + lane], a[p]);
                a[p] = z;
                sum = Math.fma(z, v[i * LANES + lane], sum);
            }
            y[j * LANES + lane] = sum;
        }
    }
}
