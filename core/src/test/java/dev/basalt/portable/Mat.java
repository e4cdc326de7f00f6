package dev.basalt.portable;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;

/** A complex matrix by the book, the reference for all kernels: exact as long as the numbers are small integers. */
record Mat(int m, int n, double[] re, double[] im) {
    Mat(int m, int n) {
        this(m, n, new double[m * n], new double[m * n]);
    }

    interface Element {
        double at(int i, int j);
    }

    static Mat of(int m, int n, Element re, Element im) {
        Mat r = new Mat(m, n);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) {
                r.re[i + j * m] = re.at(i, j);
                r.im[i + j * m] = im.at(i, j);
            }
        }
        return r;
    }

    static Mat random(Random random, int m, int n, boolean complex) {
        return of(m, n, (i, j) -> random.nextInt(7) - 3, (i, j) -> complex ? random.nextInt(7) - 3 : 0);
    }

    static Mat nan(int m, int n) {
        return of(m, n, (i, j) -> Double.NaN, (i, j) -> Double.NaN);
    }

    static Mat identity(int n) {
        return of(n, n, (i, j) -> i == j ? 1 : 0, (i, j) -> 0);
    }

    double re(int i, int j) {
        return re[i + j * m];
    }

    double im(int i, int j) {
        return im[i + j * m];
    }

    Mat op(Op op) {
        return switch (op) {
            case NONE -> this;
            case TRANS -> of(n, m, (i, j) -> re(j, i), (i, j) -> im(j, i));
            case CONJ_TRANS -> of(n, m, (i, j) -> re(j, i), (i, j) -> -im(j, i));
        };
    }

    Mat conj() {
        return of(m, n, this::re, (i, j) -> -im(i, j));
    }

    Mat times(Mat b) {
        Mat r = new Mat(m, b.n);
        for (int j = 0; j < b.n; j++) {
            for (int i = 0; i < m; i++) {
                for (int l = 0; l < n; l++) {
                    r.re[i + j * m] += re(i, l) * b.re(l, j) - im(i, l) * b.im(l, j);
                    r.im[i + j * m] += re(i, l) * b.im(l, j) + im(i, l) * b.re(l, j);
                }
            }
        }
        return r;
    }

    Mat times(double sr, double si) {
        return of(m, n, (i, j) -> sr * re(i, j) - si * im(i, j), (i, j) -> sr * im(i, j) + si * re(i, j));
    }

    Mat plus(Mat b) {
        return of(m, n, (i, j) -> re(i, j) + b.re(i, j), (i, j) -> im(i, j) + b.im(i, j));
    }

    static boolean in(Uplo uplo, int i, int j) {
        return uplo == Uplo.LOWER ? i >= j : i <= j;
    }

    /** The triangular matrix that a triangle stands for. */
    Mat triangular(Uplo uplo, Diag diag) {
        return of(m, n, (i, j) -> i == j && diag == Diag.UNIT ? 1 : in(uplo, i, j) ? re(i, j) : 0,
                (i, j) -> i == j && diag == Diag.UNIT ? 0 : in(uplo, i, j) ? im(i, j) : 0);
    }

    /** What a band of this has, zero elsewhere. */
    Mat band(int kl, int ku) {
        return of(m, n, (i, j) -> i - j <= kl && j - i <= ku ? re(i, j) : 0,
                (i, j) -> i - j <= kl && j - i <= ku ? im(i, j) : 0);
    }

    /** The symmetric or Hermitian matrix that a triangle stands for. */
    Mat symmetric(Uplo uplo, boolean hermitian) {
        return of(m, n, (i, j) -> in(uplo, i, j) ? re(i, j) : re(j, i),
                (i, j) -> i == j && hermitian ? 0 : in(uplo, i, j) ? im(i, j) : hermitian ? -im(j, i) : im(j, i));
    }

    /** The triangle of this with what {@code other} has elsewhere. */
    Mat triangleOver(Uplo uplo, Mat other) {
        return of(m, n, (i, j) -> in(uplo, i, j) ? re(i, j) : other.re(i, j),
                (i, j) -> in(uplo, i, j) ? im(i, j) : other.im(i, j));
    }

    /** With a diagonal of ones, twos and units, by which a division of small integers is exact. */
    Mat easyDiagonal(Random random, boolean complex) {
        Mat r = of(m, n, this::re, this::im);
        for (int i = 0; i < Math.min(m, n); i++) {
            boolean imaginary = complex && random.nextBoolean();
            double v = (random.nextBoolean() ? 1 : -1) * (random.nextBoolean() ? 1 : 2);
            r.re[i + i * m] = imaginary ? 0 : v;
            r.im[i + i * m] = imaginary ? v : 0;
        }
        return r;
    }

    /** The largest difference of a part; a NaN equals only a NaN. */
    double distance(Mat b) {
        double max = m == b.m && n == b.n ? 0 : Double.POSITIVE_INFINITY;
        for (int i = 0; i < re.length && max < Double.POSITIVE_INFINITY; i++) {
            max = Math.max(max, Math.max(distance(re[i], b.re[i]), distance(im[i], b.im[i])));
        }
        return max;
    }

    private static double distance(double x, double y) {
        return x == y || x != x && y != y ? 0 : x != x || y != y ? Double.POSITIVE_INFINITY : Math.abs(x - y);
    }

    @Override
    public String toString() {
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                s.append(re(i, j)).append(im(i, j) == 0 ? " " : "+" + im(i, j) + "i ");
            }
            s.append('\n');
        }
        return s.toString();
    }
}
