package dev.basalt.host.vector;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * A matrix of few rows and columns times a vector, in arrays of Java: neither is there a call to pay for, nor is anything copied. Rows that are left over
 * share a vector with those before them, of which only they are kept.
 */
final class VectorDMatvec {
    /** Of one width, so that all machines add in the same order. */
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_256;

    static final int LANES = SPECIES.length();

    /** From here on there are many rows and columns. */
    static final int MANY = 81;

    private static final DoubleVector PLACES = DoubleVector.zero(SPECIES).addIndex(1);

    private static final Warmth ROWS = new Warmth();
    private static final Warmth STREAMS = new Warmth();
    private static final Warmth COLUMNS = new Warmth();

    private VectorDMatvec() {}

    /** y := alpha·op(A)·x + beta·y with at least {@link #LANES} rows. */
    static void gemv(boolean transposed, int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x,
            int xOffset, double beta, double[] y, int yOffset) {
        Warmth warmth = transposed ? COLUMNS : m >= MANY && n >= MANY ? STREAMS : ROWS;
        if (warmth.isWarm()) {
            vectors(true, transposed, m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        } else if (warmth.hasTurn()) {
            long start = System.nanoTime();
            vectors(false, transposed, m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
            warmth.took(System.nanoTime() - start, (long) m * n);
        } else {
            EarlyDMatvec.gemv(transposed, m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        }
    }

    /** The same by loops of vectors, whose columns are done at once or, so that the compiler comes to know them, in several calls. */
    static void vectors(boolean atOnce, boolean transposed, int m, int n, double alpha, double[] a, int aOffset,
            int lda, double[] x, int xOffset, double beta, double[] y, int yOffset) {
        if (transposed) {
            VectorDColumns.gemv(atOnce, m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        } else if (m >= MANY && n >= MANY) {
            streams(false, m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        } else {
            rows(m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        }
    }

    /** y := alpha·A·x + beta·y with at least {@link #LANES} rows: each element of y is one sum, in the order of x. */
    private static void rows(int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset,
            double beta, double[] y, int yOffset) {
        int i = 0;
        for (; i <= m - 8 * LANES; i += 8 * LANES) {
            eight(n, alpha, a, aOffset + i, lda, x, xOffset, beta, y, yOffset + i);
        }
        if (i <= m - 4 * LANES) {
            four(n, alpha, a, aOffset + i, lda, x, xOffset, beta, y, yOffset + i);
            i += 4 * LANES;
        }
        if (i <= m - 2 * LANES) {
            two(n, alpha, a, aOffset + i, lda, x, xOffset, beta, y, yOffset + i);
            i += 2 * LANES;
        }
        if (i <= m - LANES) {
            one(n, alpha, a, aOffset + i, lda, x, xOffset, beta, y, yOffset + i);
            i += LANES;
        }
        if (i < m) {
            int last = m - LANES;
            rest(m - i, n, alpha, a, aOffset + last, lda, x, xOffset, beta, y, yOffset + last);
        }
    }

    private static void eight(int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset,
            double beta, double[] y, int yOffset) {
        DoubleVector s = DoubleVector.zero(SPECIES);
        DoubleVector t = s;
        DoubleVector u = s;
        DoubleVector v = s;
        DoubleVector w = s;
        DoubleVector p = s;
        DoubleVector q = s;
        DoubleVector r = s;
        int at = aOffset;
        for (int j = 0; j < n; j++, at += lda) {
            DoubleVector factor = DoubleVector.broadcast(SPECIES, x[xOffset + j]);
            s = DoubleVector.fromArray(SPECIES, a, at).fma(factor, s);
            t = DoubleVector.fromArray(SPECIES, a, at + LANES).fma(factor, t);
            u = DoubleVector.fromArray(SPECIES, a, at + 2 * LANES).fma(factor, u);
            v = DoubleVector.fromArray(SPECIES, a, at + 3 * LANES).fma(factor, v);
            w = DoubleVector.fromArray(SPECIES, a, at + 4 * LANES).fma(factor, w);
            p = DoubleVector.fromArray(SPECIES, a, at + 5 * LANES).fma(factor, p);
            q = DoubleVector.fromArray(SPECIES, a, at + 6 * LANES).fma(factor, q);
            r = DoubleVector.fromArray(SPECIES, a, at + 7 * LANES).fma(factor, r);
        }
        put(s, alpha, beta, y, yOffset);
        put(t, alpha, beta, y, yOffset + LANES);
        put(u, alpha, beta, y, yOffset + 2 * LANES);
        put(v, alpha, beta, y, yOffset + 3 * LANES);
        put(w, alpha, beta, y, yOffset + 4 * LANES);
        put(p, alpha, beta, y, yOffset + 5 * LANES);
        put(q, alpha, beta, y, yOffset + 6 * LANES);
        put(r, alpha, beta, y, yOffset + 7 * LANES);
    }

    private static void four(int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset,
            double beta, double[] y, int yOffset) {
        DoubleVector s = DoubleVector.zero(SPECIES);
        DoubleVector t = s;
        DoubleVector u = s;
        DoubleVector v = s;
        int at = aOffset;
        for (int j = 0; j < n; j++, at += lda) {
            DoubleVector factor = DoubleVector.broadcast(SPECIES, x[xOffset + j]);
            s = DoubleVector.fromArray(SPECIES, a, at).fma(factor, s);
            t = DoubleVector.fromArray(SPECIES, a, at + LANES).fma(factor, t);
            u = DoubleVector.fromArray(SPECIES, a, at + 2 * LANES).fma(factor, u);
            v = DoubleVector.fromArray(SPECIES, a, at + 3 * LANES).fma(factor, v);
        }
        put(s, alpha, beta, y, yOffset);
        put(t, alpha, beta, y, yOffset + LANES);
        put(u, alpha, beta, y, yOffset + 2 * LANES);
        put(v, alpha, beta, y, yOffset + 3 * LANES);
    }

    private static void two(int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset, double beta,
            double[] y, int yOffset) {
        DoubleVector s = DoubleVector.zero(SPECIES);
        DoubleVector t = s;
        int at = aOffset;
        for (int j = 0; j < n; j++, at += lda) {
            DoubleVector factor = DoubleVector.broadcast(SPECIES, x[xOffset + j]);
            s = DoubleVector.fromArray(SPECIES, a, at).fma(factor, s);
            t = DoubleVector.fromArray(SPECIES, a, at + LANES).fma(factor, t);
        }
        put(s, alpha, beta, y, yOffset);
        put(t, alpha, beta, y, yOffset + LANES);
    }

    private static void one(int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset, double beta,
            double[] y, int yOffset) {
        DoubleVector s = DoubleVector.zero(SPECIES);
        int at = aOffset;
        for (int j = 0; j < n; j++, at += lda) {
            s = DoubleVector.fromArray(SPECIES, a, at).fma(DoubleVector.broadcast(SPECIES, x[xOffset + j]), s);
        }
        put(s, alpha, beta, y, yOffset);
    }

    /** The same, of which only the last rows are kept. */
    private static void rest(int kept, int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset,
            double beta, double[] y, int yOffset) {
        DoubleVector s = DoubleVector.zero(SPECIES);
        int at = aOffset;
        for (int j = 0; j < n; j++, at += lda) {
            s = DoubleVector.fromArray(SPECIES, a, at).fma(DoubleVector.broadcast(SPECIES, x[xOffset + j]), s);
        }
        DoubleVector before = DoubleVector.fromArray(SPECIES, y, yOffset);
        DoubleVector v = s.mul(alpha);
        before.blend(beta == 0 ? v : v.add(before.mul(beta)), PLACES.compare(VectorOperators.GE, LANES - kept))
                .intoArray(y, yOffset);
    }

    private static void put(DoubleVector sums, double alpha, double beta, double[] y, int at) {
        DoubleVector v = sums.mul(alpha);
        (beta == 0 ? v : v.add(DoubleVector.fromArray(SPECIES, y, at).mul(beta))).intoArray(y, at);
    }

    /**
     * The same with many rows and columns: four columns are added to y at a time, a quarter of the matrix apart. So there are four streams through
     * memory, each of which goes on where its last column ended; columns side by side would be four short ones again and again.
     *
     * @param early whether columns are added by plain loops
     */
    static void streams(boolean early, int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x,
            int xOffset, double beta, double[] y, int yOffset) {
        for (int i = yOffset; i < yOffset + m; i++) {
            y[i] = beta == 0 ? 0 : beta * y[i];
        }
        int quarter = n / 4;
        for (int j = 0; j < quarter; j++) {
            int f = xOffset + j;
            int first = aOffset + j * lda;
            double second = alpha * x[f + quarter];
            double third = alpha * x[f + 2 * quarter];
            double fourth = alpha * x[f + 3 * quarter];
            if (early) {
                EarlyDMatvec.add(m, a, first, quarter * lda, alpha * x[f], second, third, fourth, y, yOffset);
            } else {
                add(m, a, first, quarter * lda, alpha * x[f], second, third, fourth, y, yOffset);
            }
        }
        for (int j = 4 * quarter; j < n; j++) {
            double factor = alpha * x[xOffset + j];
            if (early) {
                EarlyDMatvec.addColumn(m, factor, a, aOffset + j * lda, y, yOffset);
            } else {
                VectorDStreams.axpy(m, factor, a, aOffset + j * lda, y, yOffset);
            }
        }
    }

    /** y := y + four columns. */
    private static void add(int m, double[] a, int first, int apart, double s, double t, double u, double v, double[] y,
            int yOffset) {
        int second = first + apart;
        int third = second + apart;
        int fourth = third + apart;
        int i = 0;
        for (; i <= m - LANES; i += LANES) {
            DoubleVector odd = DoubleVector.fromArray(SPECIES, a, second + i).mul(t);
            DoubleVector even = DoubleVector.fromArray(SPECIES, y, yOffset + i);
            even = DoubleVector.fromArray(SPECIES, a, first + i).lanewise(VectorOperators.FMA, s, even);
            odd = DoubleVector.fromArray(SPECIES, a, fourth + i).lanewise(VectorOperators.FMA, v, odd);
            even = DoubleVector.fromArray(SPECIES, a, third + i).lanewise(VectorOperators.FMA, u, even);
            even.add(odd).intoArray(y, yOffset + i);
        }
        for (; i < m; i++) {
            y[yOffset + i] += a[first + i] * s + a[third + i] * u + (a[second + i] * t + a[fourth + i] * v);
        }
    }
}
