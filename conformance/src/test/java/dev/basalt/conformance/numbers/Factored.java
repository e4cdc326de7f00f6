package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Trial;
import dev.basalt.type.Diag;
import dev.basalt.type.Uplo;

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
        return random(t, m, n, t.exact);
    }

    /** As {@link #random(Trial, int, int)}, of integers or not as the caller likes. */
    static Factored random(Trial t, int m, int n, boolean integers) {
        int min = Math.min(m, n);
        Mat u = integers ? integers(t, Math.max(m, n)) : t.randomTriangle(Math.max(m, n), Uplo.UPPER, Diag.NON_UNIT);
        double scale = integers ? 1 : 1.0 / Math.max(1, min / 8);
        Mat f = Mat.of(m, n, u::re, u::im);
        for (int j = 0; j < min; j++) {
            for (int i = j + 1; i < m; i++) {
                double l = integers ? t.pick(0.0, 0.5, -0.5, 0.0) : t.round((t.random.nextDouble() - 0.5) * scale);
                boolean imaginary = t.type.isComplex() && t.random.nextBoolean();
                f.set(i, j, imaginary ? 0 : l, imaginary ? l : 0);
            }
        }
        return new Factored(f, rows(t, m, min));
    }

    private static Mat integers(Trial t, int n) {
        boolean complex = t.type.isComplex();
        return Mat.of(n, n, (i, j) -> i == j ? t.pick(1.0, -1.0, 2.0, -2.0) : i < j ? t.random.nextInt(7) - 3 : 0,
                (i, j) -> complex && i < j ? t.random.nextInt(7) - 3 : 0);
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
