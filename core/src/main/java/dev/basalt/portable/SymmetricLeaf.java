package dev.basalt.portable;

import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * Reduction of one symmetric or Hermitian matrix to tridiagonal form (Dongarra, Hammarling and Sorensen, "Block reduction of matrices to condensed forms for eigenvalue computations", 1989), over the kernels of a
 * leaf. Columns are counted from where the reduction begins: from the first of a lower triangle, from the last of an upper one.
 */
abstract class SymmetricLeaf {
    private final Leaf leaf;
    private final long bytes;

    SymmetricLeaf(Leaf leaf, long bytes) {
        this.leaf = leaf;
        this.bytes = bytes;
    }

    /** The real number at {@code real} := the real part of an element, whose imaginary part becomes 0. */
    abstract void takeReal(long element, long real);

    /** The element := the real number at {@code real}. */
    abstract void putReal(long real, long element);

    /** The imaginary part := 0. */
    abstract void drop(long element);

    /** n elements one after the other at y := the conjugates of those at x. */
    abstract void conjugate(long n, long x, long incx, long y);

    /** The real part of the element less twice that of the sum of n products of elements at x, and conjugates of those at y. */
    abstract void less(long n, long x, long dx, long y, long dy, long element);

    /** w := f·w, f the factor at tau, and then w := w - f/2·(wᴴv)·v for n elements; v one after the other. */
    abstract void weigh(Leaf kernels, long n, long tau, long v, long w);

    /** Bytes of a real number. */
    abstract long realBytes();

    /** One column of a panel of k: up to date, and its reflector. */
    final void column(boolean lower, long n, long k, long p, long a, long lda, long e, long tau, long w, long ldw) {
        long j = lower ? p : n - 1 - p;
        long ajj = a + (j + j * lda) * bytes;
        long first = lower ? ajj : a + j * lda * bytes;
        if (p > 0) {
            long row = lower ? p : j;
            long top = lower ? row : 0;
            long rows = n - p;
            long v = lower ? a : a + (j + 1) * lda * bytes;
            long x = lower ? w : w + (k - p) * ldw * bytes;
            long own = w + (lower ? p : k - 1 - p) * ldw * bytes + (lower ? 0 : (j + 1) * bytes);
            if (rows == 1) {
                // The last column of all has no scratch.
                less(p, v + row * bytes, lda, x + row * bytes, ldw, first);
                drop(ajj);
                return;
            }
            conjugate(p, x + row * bytes, ldw, own);
            leaf.gemv(Op.NONE, rows, p, -1, 0, v + top * bytes, lda, own, 1, 1, 0, first, 1);
            conjugate(p, v + row * bytes, lda, own);
            leaf.gemv(Op.NONE, rows, p, -1, 0, x + top * bytes, ldw, own, 1, 1, 0, first, 1);
        }
        drop(ajj);
        long left = n - 1 - p;
        if (left > 0) {
            long beside = lower ? ajj + bytes : ajj - bytes;
            long index = lower ? p : left - 1;
            leaf.larfg(false, left, beside, lower ? beside + bytes : first, 1, tau + index * bytes);
            takeReal(beside, e + index * realBytes());
            leaf.fill(1, 1, 0, beside, 1);
        }
    }

    /** What that column's reflector makes of the matrix that is left, from the product with what it was before the panel. */
    final void row(boolean lower, long n, long k, long p, long a, long lda, long tau, long w, long ldw) {
        long left = n - 1 - p;
        if (left <= 0) {
            return;
        }
        long j = lower ? p : n - 1 - p;
        long top = lower ? p + 1 : 0;
        long y = w + (lower ? p : k - 1 - p) * ldw * bytes;
        long v = a + (top + j * lda) * bytes;
        long own = y + top * bytes;
        if (p > 0) {
            long scratch = lower ? y : y + (j + 1) * bytes;
            long vs = (lower ? a : a + (j + 1) * lda * bytes) + top * bytes;
            long ws = (lower ? w : w + (k - p) * ldw * bytes) + top * bytes;
            leaf.gemv(Op.CONJ_TRANS, left, p, 1, 0, ws, ldw, v, 1, 0, 0, scratch, 1);
            leaf.gemv(Op.NONE, left, p, -1, 0, vs, lda, scratch, 1, 1, 0, own, 1);
            leaf.gemv(Op.CONJ_TRANS, left, p, 1, 0, vs, lda, v, 1, 0, 0, scratch, 1);
            leaf.gemv(Op.NONE, left, p, -1, 0, ws, ldw, scratch, 1, 1, 0, own, 1);
        }
        weigh(leaf, left, tau + (lower ? p : left - 1) * bytes, v, own);
    }

    /** The first k columns, one after the other; what w has beside the rows that are left becomes 0. */
    final void panel(Uplo uplo, boolean hermitian, long n, long k, long a, long lda, long e, long tau, long w,
            long ldw) {
        boolean lower = uplo == Uplo.LOWER;
        for (long p = 0; p < k; p++) {
            column(lower, n, k, p, a, lda, e, tau, w, ldw);
            long left = n - 1 - p;
            if (left > 0) {
                long first = lower ? p + 1 : 0;
                long v = a + (first + (lower ? p : left) * lda) * bytes;
                long y = w + (first + (lower ? p : k - 1 - p) * ldw) * bytes;
                leaf.symv(uplo, hermitian, left, 1, 0, a + first * (lda + 1) * bytes, lda, v, 1, 0, 0, y, 1);
                row(lower, n, k, p, a, lda, tau, w, ldw);
            }
        }
        for (long p = 0; p < k; p++) {
            long beside = w + (lower ? p * ldw : n - 1 - p + (k - 1 - p) * ldw) * bytes;
            leaf.fill(p + 1, 0, 0, beside, 1);
        }
    }

    /** Diagonal elements of the first p columns, and the elements beside them. */
    final void diagonals(boolean lower, long n, long p, long a, long lda, long d, long e) {
        for (long i = 0; i < p; i++) {
            long j = lower ? i : n - 1 - i;
            long ajj = a + (j + j * lda) * bytes;
            takeReal(ajj, d + j * realBytes());
            if (i < n - 1) {
                putReal(e + (lower ? j : j - 1) * realBytes(), lower ? ajj + bytes : ajj - bytes);
            }
        }
    }

    /** The whole reduction, column by column; tau is where products are kept until its elements are due. */
    final void sytd2(boolean lower, long n, long a, long lda, long d, long e, long tau) {
        Uplo uplo = lower ? Uplo.LOWER : Uplo.UPPER;
        for (long i = 0; i < n; i++) {
            long j = lower ? i : n - 1 - i;
            long left = n - 1 - i;
            long ajj = a + (j + j * lda) * bytes;
            takeReal(ajj, d + j * realBytes());
            if (left == 0) {
                break;
            }
            long beside = lower ? ajj + bytes : ajj - bytes;
            long index = lower ? i : left - 1;
            long v = lower ? beside : a + j * lda * bytes;
            long factor = tau + index * bytes;
            leaf.larfg(false, left, beside, lower ? beside + bytes : v, 1, factor);
            takeReal(beside, e + index * realBytes());
            leaf.fill(1, 1, 0, beside, 1);
            update(uplo, left, lower ? beside + lda * bytes : a, lda, v, factor, lower ? factor : tau);
            putReal(e + index * realBytes(), beside);
        }
    }

    /** A := Hᴴ·A·H with the reflector of v; n elements at w are scratch, of which the first or the last is its factor and stays. */
    abstract void update(Uplo uplo, long n, long a, long lda, long v, long tau, long w);

    /** B := B·H, m×n, with the reflector of v; m elements at w are scratch. */
    abstract void right(long m, long n, long tau, long v, long b, long ldb, long w);

    /** B := Hᴴ·B; n elements at w are scratch. */
    abstract void left(long m, long n, long tau, long v, long b, long ldb, long w);

    /** Bytes of an element. */
    final long bytes() {
        return bytes;
    }

    /** The leaf's kernels. */
    final Leaf kernels() {
        return leaf;
    }
}
