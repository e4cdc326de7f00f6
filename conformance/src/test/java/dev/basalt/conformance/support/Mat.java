package dev.basalt.conformance.support;

import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * A complex matrix by the book, column-major: the reference for every routine. Small products are summed in twice the
 * working precision (Ogita, Rump and Oishi, 2005), large ones by OpenBLAS. A vector is a matrix of one column.
 */
public final class Mat {
    /** Products of more multiplications than this go to OpenBLAS. */
    private static final long BY_HAND = 20_000;

    /** Rows. */
    public final int m;
    /** Columns. */
    public final int n;
    /** Real parts. */
    public final double[] re;
    /** Imaginary parts. */
    public final double[] im;

    /** An element as a function of its row and column. */
    public interface Element {
        /** The value at (i, j). */
        double at(int i, int j);
    }

    /** Zeros. */
    public Mat(int m, int n) {
        this.m = m;
        this.n = n;
        this.re = new double[m * n];
        this.im = new double[m * n];
    }

    /** A matrix from its elements. */
    public static Mat of(int m, int n, Element re, Element im) {
        Mat r = new Mat(m, n);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) {
                r.set(i, j, re.at(i, j), im.at(i, j));
            }
        }
        return r;
    }

    /** Ones on the diagonal. */
    public static Mat identity(int n) {
        return of(n, n, (i, j) -> i == j ? 1 : 0, (i, j) -> 0);
    }

    /** Real part at (i, j). */
    public double re(int i, int j) {
        return re[i + j * m];
    }

    /** Imaginary part at (i, j). */
    public double im(int i, int j) {
        return im[i + j * m];
    }

    /** Sets the element at (i, j). */
    public void set(int i, int j, double real, double imaginary) {
        re[i + j * m] = real;
        im[i + j * m] = imaginary;
    }

    /** A copy to change. */
    public Mat copy() {
        return of(m, n, this::re, this::im);
    }

    /** op of this. */
    public Mat op(Op op) {
        switch (op) {
            case TRANS:
                return of(n, m, (i, j) -> re(j, i), (i, j) -> im(j, i));
            case CONJ_TRANS:
                return of(n, m, (i, j) -> re(j, i), (i, j) -> -im(j, i));
            default:
                return this;
        }
    }

    /** The conjugate. */
    public Mat conj() {
        return of(m, n, this::re, (i, j) -> -im(i, j));
    }

    /** Whether every imaginary part is zero. */
    boolean isReal() {
        for (double v : im) {
            if (v != 0) {
                return false;
            }
        }
        return true;
    }

    /** this·b. */
    public Mat times(Mat b) {
        if ((long) m * n * b.n > BY_HAND) {
            return Oracle.product(this, b);
        }
        Mat r = new Mat(m, b.n);
        for (int j = 0; j < b.n; j++) {
            for (int i = 0; i < m; i++) {
                r.re[i + j * m] = sum(i, j, re, b.re, 1, im, b.im, -1, b.m);
                r.im[i + j * m] = sum(i, j, re, b.im, 1, im, b.re, 1, b.m);
            }
        }
        return r;
    }

    /** Σ x(i, l)·y(l, j) ± Σ u(i, l)·v(l, j) with the rounding errors of all steps added up beside it. */
    private double sum(int i, int j, double[] x, double[] y, int plus, double[] u, double[] v, int sign, int rows) {
        double high = 0;
        double low = 0;
        for (int l = 0; l < 2 * n; l++) {
            int column = l >> 1;
            int at = i + column * m;
            int bt = column + j * rows;
            double f = (l & 1) == 0 ? plus * x[at] : sign * u[at];
            double g = (l & 1) == 0 ? y[bt] : v[bt];
            double p = f * g;
            double s = high + p;
            double z = s - high;
            low += (high - (s - z)) + (p - z) + Math.fma(f, g, -p);
            high = s;
        }
        return high + low;
    }

    /** s·this. */
    public Mat times(Complex s) {
        return of(m, n, (i, j) -> s.re() * re(i, j) - s.im() * im(i, j),
                (i, j) -> s.re() * im(i, j) + s.im() * re(i, j));
    }

    /** this + b. */
    public Mat plus(Mat b) {
        return of(m, n, (i, j) -> re(i, j) + b.re(i, j), (i, j) -> im(i, j) + b.im(i, j));
    }

    /** this - b. */
    public Mat minus(Mat b) {
        return of(m, n, (i, j) -> re(i, j) - b.re(i, j), (i, j) -> im(i, j) - b.im(i, j));
    }

    /** |re| + |im|, element by element. */
    public Mat abs() {
        return of(m, n, (i, j) -> abs(i, j), (i, j) -> 0);
    }

    /** |re| + |im| at (i, j). */
    public double abs(int i, int j) {
        return Math.abs(re(i, j)) + Math.abs(im(i, j));
    }

    /** The largest column sum of |re| + |im|. */
    public double norm1() {
        double max = 0;
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < m; i++) {
                sum += abs(i, j);
            }
            max = Math.max(max, sum);
        }
        return max;
    }

    /** Whether (i, j) is in a triangle, its diagonal included. */
    public static boolean in(Uplo uplo, int i, int j) {
        return uplo == Uplo.LOWER ? i >= j : i <= j;
    }

    /** The triangular (or trapezoidal) matrix that a triangle stands for. */
    public Mat triangular(Uplo uplo, Diag diag) {
        return of(m, n, (i, j) -> i == j && diag == Diag.UNIT ? 1 : in(uplo, i, j) ? re(i, j) : 0,
                (i, j) -> i == j && diag == Diag.UNIT ? 0 : in(uplo, i, j) ? im(i, j) : 0);
    }

    /** The symmetric or Hermitian matrix that a triangle stands for. */
    public Mat symmetric(Uplo uplo, boolean hermitian) {
        return of(m, n, (i, j) -> in(uplo, i, j) ? re(i, j) : re(j, i),
                (i, j) -> i == j && hermitian ? 0 : in(uplo, i, j) ? im(i, j) : hermitian ? -im(j, i) : im(j, i));
    }

    /** The block of rows×cols from the top left corner. */
    public Mat corner(int rows, int cols) {
        return of(rows, cols, this::re, this::im);
    }

    /** Exchanges two rows. */
    public void swapRows(int a, int b) {
        for (int j = 0; j < n; j++) {
            double r = re(a, j);
            double i = im(a, j);
            set(a, j, re(b, j), im(b, j));
            set(b, j, r, i);
        }
    }

    @Override
    public String toString() {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < Math.min(m, 12); i++) {
            for (int j = 0; j < Math.min(n, 12); j++) {
                s.append(re(i, j)).append(im(i, j) == 0 ? " " : "+" + im(i, j) + "i ");
            }
            s.append('\n');
        }
        return s.toString();
    }
}
