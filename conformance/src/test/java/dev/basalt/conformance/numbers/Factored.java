package dev.basalt.conformance.numbers;

import dev.basalt.Diag;
import dev.basalt.Uplo;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Trial;

/**
 * A = P·L·U as getrf leaves it.
 *
 * @param factors L below the diagonal, U on and above
 * @param pivots 1-based row that each row was exchanged with
 */
record Factored(Mat factors, long[] pivots) {
    static Factored of(Mat factors, long[] pivots) {
        return new Factored(factors, pivots);
    }

    /**
     * Random factors whose product has just these pivots, since each is at least twice as large as the others in its column. On
     * integers they are multiples of 1/2, and every step of the factorisation is exact.
     */
    static Factored random(Trial t, int m, int n) {
        int min = Math.min(m, n);
        Mat u = t.randomTriangle(Math.max(m, n), Uplo.UPPER, Diag.NON_UNIT);
        double scale = t.exact ? 1 : 1.0 / Math.max(1, min / 8);
        Mat f = Mat.of(m, n, u::re, u::im);
        for (int j = 0; j < min; j++) {
            for (int i = j + 1; i < m; i++) {
                double l = t.exact ? t.pick(0.0, 0.5, -0.5, 0.0) : t.round((t.random.nextDouble() - 0.5) * scale);
                boolean imaginary = t.type.isComplex() && t.random.nextBoolean();
                f.set(i, j, imaginary ? 0 : l, imaginary ? l : 0);
            }
        }
        return new Factored(f, rows(t, m, min));
    }

    /** The same factors with other pivots. */
    Factored permuted(Trial t) {
        return new Factored(factors, rows(t, factors.m, pivots.length));
    }

    private static long[] rows(Trial t, int m, int min) {
        long[] rows = new long[min];
        for (int j = 0; j < min; j++) {
            rows[j] = j + 1 + t.random.nextInt(m - j);
        }
        return rows;
    }

    private Mat lower() {
        return factors.corner(factors.m, pivots.length).triangular(Uplo.LOWER, Diag.UNIT);
    }

    private Mat upper() {
        return factors.corner(pivots.length, factors.n).triangular(Uplo.UPPER, Diag.NON_UNIT);
    }

    /** P·L·U. */
    Mat product() {
        return interchanged(lower().times(upper()));
    }

    /** P·|L|·|U|. */
    Mat bound() {
        return interchanged(lower().abs().times(upper().abs()));
    }

    private Mat interchanged(Mat a) {
        Mat r = a.copy();
        for (int j = pivots.length - 1; j >= 0; j--) {
            r.swapRows(j, (int) pivots[j] - 1);
        }
        return r;
    }
}
