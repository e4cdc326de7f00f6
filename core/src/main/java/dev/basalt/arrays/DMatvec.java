package dev.basalt.arrays;

import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * Real matrices of few rows and columns times a vector without gaps, where a call of a kernel takes longer than the work: loops on the heap. Each element of
 * y is one sum, in the order of x; kernels add in another order, and may round a product and a sum once. Symmetric ones go by two columns, whose products are added to y one after the other.
 */
final class DMatvec {
    /** Up to so many rows and columns. */
    private static final int ORDER = 12;

    /** The same of loops by the Vector API; kernels read the third cache as fast. */
    private static final int FASTER_ORDER = 512;

    /** A transposed matrix has either so few columns, or so many of both, or rows for them: short sums side by side are what kernels do well. */
    private static final int COLUMNS = 32;

    private static final int BOTH = 81;

    /** Symmetric ones and packed ones of up to this order. */
    private static final int SYMMETRIC = 14;

    private static final int PACKED = 16;

    private DMatvec() {}

    /** Whether so many elements are there, behind an offset. */
    private static boolean has(double[] array, int offset, long elements) {
        return array != null && offset >= 0 && offset <= array.length - elements;
    }

    /** Whether sizes are some for loops. */
    private static boolean few(Op trans, int m, int n) {
        int most = Sums.FASTER != null ? FASTER_ORDER : ORDER;
        boolean tall = trans == Op.NONE || n <= COLUMNS || n <= 2 * m || m >= BOTH;
        return tall && m > 0 && n > 0 && m <= most && n <= most && (long) m * n <= DShort.ELEMENTS;
    }

    /** Whether operands are plain; else others do the work, or say what is wrong. */
    static boolean fitsGemv(Op trans, int m, int n, double[] a, int aOffset, int lda, double[] x, int xOffset, int incx,
            double[] y, int yOffset, int incy) {
        if (trans == null || !few(trans, m, n) || lda < m || incx != 1 || incy != 1 || x == y) {
            return false;
        }
        boolean plain = trans == Op.NONE;
        return a != y && has(a, aOffset, (long) (n - 1) * lda + m) && has(x, xOffset, plain ? n : m)
                && has(y, yOffset, plain ? m : n);
    }

    /** y := alpha·op(A)·x + beta·y; where beta is 0, y is not read. */
    static void gemv(Op trans, int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset,
            double beta, double[] y, int yOffset) {
        if (Sums.FASTER != null
                && Sums.FASTER.gemv(trans != Op.NONE, m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset)) {
            return;
        }
        if (trans == Op.NONE) {
            rows(m, n, lda, 1, alpha, a, aOffset, x, xOffset, beta, y, yOffset);
        } else {
            rows(n, m, 1, lda, alpha, a, aOffset, x, xOffset, beta, y, yOffset);
        }
    }

    /** The same by the distances from one element of a sum to the next, and from one sum to the next; four sums side by side. */
    private static void rows(int m, int n, int along, int down, double alpha, double[] a, int aOffset, double[] x,
            int xOffset, double beta, double[] y, int yOffset) {
        int i = 0;
        for (; i < m - 3; i += 4) {
            int at = aOffset + i * down;
            double s = 0;
            double t = 0;
            double u = 0;
            double v = 0;
            for (int j = 0; j < n; j++, at += along) {
                double factor = x[xOffset + j];
                s += a[at] * factor;
                t += a[at + down] * factor;
                u += a[at + 2 * down] * factor;
                v += a[at + 3 * down] * factor;
            }
            put(y, yOffset + i, alpha * s, beta);
            put(y, yOffset + i + 1, alpha * t, beta);
            put(y, yOffset + i + 2, alpha * u, beta);
            put(y, yOffset + i + 3, alpha * v, beta);
        }
        for (; i < m; i++) {
            int at = aOffset + i * down;
            double s = 0;
            for (int j = 0; j < n; j++, at += along) {
                s += a[at] * x[xOffset + j];
            }
            put(y, yOffset + i, alpha * s, beta);
        }
    }

    private static void put(double[] y, int at, double value, double beta) {
        y[at] = beta == 0 ? value : value + beta * y[at];
    }

    /** The same of a symmetric matrix, of which a triangle is there. */
    static boolean fitsSymv(Uplo uplo, int n, double[] a, int aOffset, int lda, double[] x, int xOffset, int incx,
            double[] y, int yOffset, int incy) {
        return uplo != null && n > 0 && n <= SYMMETRIC && lda >= n && incx == 1 && incy == 1 && x != y && a != y
                && has(a, aOffset, (long) (n - 1) * lda + n) && has(x, xOffset, n) && has(y, yOffset, n);
    }

    /** y := alpha·A·x + beta·y; where beta is 0, y is not read. */
    static void symv(Uplo uplo, int n, double alpha, double[] a, int aOffset, int lda, double[] x, int xOffset,
            double beta, double[] y, int yOffset) {
        triangle(uplo == Uplo.UPPER, n, alpha, a, aOffset, lda, 0, x, xOffset, beta, y, yOffset);
    }

    /** The same of a packed one. */
    static boolean fitsSpmv(Uplo uplo, int n, double[] ap, int apOffset, double[] x, int xOffset, int incx, double[] y,
            int yOffset, int incy) {
        return uplo != null && n > 0 && n <= PACKED && incx == 1 && incy == 1 && x != y && ap != y
                && has(ap, apOffset, (long) n * (n + 1) / 2) && has(x, xOffset, n) && has(y, yOffset, n);
    }

    /** y := alpha·A·x + beta·y; where beta is 0, y is not read. */
    static void spmv(Uplo uplo, int n, double alpha, double[] ap, int apOffset, double[] x, int xOffset, double beta,
            double[] y, int yOffset) {
        boolean upper = uplo == Uplo.UPPER;
        triangle(upper, n, alpha, ap, apOffset, upper ? 1 : n - 1, upper ? 1 : -1, x, xOffset, beta, y, yOffset);
    }

    /** By two columns: elements from row 0 of one to row 0 of the next, and by how much that grows. */
    private static void triangle(boolean upper, int n, double alpha, double[] a, int aOffset, int step, int growth,
            double[] x, int xOffset, double beta, double[] y, int yOffset) {
        for (int i = yOffset; i < yOffset + n; i++) {
            y[i] = beta == 0 ? 0 : beta * y[i];
        }
        int column = aOffset;
        int next = step;
        int j = 0;
        for (; j < n - 1; j += 2) {
            int other = column + next;
            double factor = alpha * x[xOffset + j];
            double second = alpha * x[xOffset + j + 1];
            double s = 0;
            double t = 0;
            int end = upper ? j : n;
            for (int i = upper ? 0 : j + 2; i < end; i++) {
                double here = a[column + i];
                double beside = a[other + i];
                double known = x[xOffset + i];
                y[yOffset + i] += factor * here + second * beside;
                s += here * known;
                t += beside * known;
            }
            double between = upper ? a[other + j] : a[column + j + 1];
            y[yOffset + j] += factor * a[column + j] + second * between + alpha * s;
            y[yOffset + j + 1] += factor * between + second * a[other + j + 1] + alpha * t;
            column = other + next + growth;
            next += 2 * growth;
        }
        if (j < n) {
            double s = 0;
            for (int i = 0; upper && i < j; i++) {
                y[yOffset + i] += alpha * x[xOffset + j] * a[column + i];
                s += a[column + i] * x[xOffset + i];
            }
            y[yOffset + j] += alpha * (s + a[column + j] * x[xOffset + j]);
        }
    }
}
