package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Op;

/**
 * P·A·Pᵀ = L·T·Lᵀ with a tridiagonal T, or Lᴴ (Aasen, "On the reduction of a symmetric matrix to tridiagonal form", 1971). The first column of L is that of the identity. T lies on the
 * diagonal and below it, column j + 1 of L in column j below T: as LAPACK's sytrf_aa leaves them. An upper triangle is read as its transpose, not from the end.
 */
abstract class AasenLeaf extends SymmetricSolves {
    AasenLeaf(Leaf leaf, long bytes) {
        super(leaf, bytes);
    }

    /** A part of an element. */
    abstract double part(boolean imaginary, long x);

    /**
     * Column j of T·Lᴴ from its row {@code from} to that above the diagonal, as far as rows of T from there on go.
     *
     * @param count how many elements
     * @param t address of T's diagonal element of the first row
     * @param below that of the element below it
     * @param step elements from a row of T to the next
     * @param row address of the element of row j of L, of the first column; the last element, a 1, is not there
     * @param apart elements from a column of L to the next
     */
    abstract void column(boolean hermitian, long count, long t, long below, long step, long row, long apart, long h);

    /** The element at x := itself - t·l, or t·conj(l) without its imaginary part. */
    abstract void less(boolean hermitian, long x, long t, long l);

    /**
     * Columns {@code from} to {@code to} - 1 of a dense triangle, of which what is right of the columns before is brought up to date.
     *
     * @param l address of n rows and to - from + 1 columns: the rows from {@code to} on become those of L. Not used if {@code to} is n
     * @param w the same for those of the conjugate of T·Lᴴ, whose product with Lᵀ is to be taken off what is right of the panel. The first to - from elements are
     *     scratch
     */
    final void aasen(boolean upper, boolean hermitian, long n, long from, long to, long a, long ld, long l, long w,
            long ldw, long ipiv) {
        long down = upper ? ld : 1;
        long right = upper ? 1 : ld;
        // Column 0 of L has nothing below its 1.
        long first = Math.max(from, 1);
        if (from == 0) {
            i64(ipiv, 1);
        }
        for (long j = from; j < to; j++) {
            long x = a + j * (down + right) * bytes;
            long rest = n - j - 1;
            long known = j - first;
            diagonal(hermitian, x);
            if (known > 0) {
                long row = a + (j * down + (first - 1) * right) * bytes;
                long t = a + first * (down + right) * bytes;
                column(hermitian, known, t, t + down * bytes, down + right, row, right, w);
                if (upper) {
                    leaf.gemv(Op.TRANS, known, n - j, -1, 0, row, ld, w, 1, 1, 0, x, ld);
                } else {
                    leaf.gemv(Op.NONE, n - j, known, -1, 0, row, ld, w, 1, 1, 0, x, 1);
                }
            }
            if (j > 0) {
                leaf.axpy(rest, -part(false, x), -part(true, x), x + (down - right) * bytes, down, x + down * bytes,
                        down);
            }
            if (known > 0) {
                less(hermitian, x, x - right * bytes, x - 2 * right * bytes);
            }
            diagonal(hermitian, x);
            if (rest > 0) {
                pivot(hermitian, n, j, upper ? 0 : first - 1, a, down, right, ipiv);
            }
        }
        if (!upper) {
            // Columns of L before the panel, all interchanges of one after the other.
            leaf.laswp(n, first - 1, a, ld, from + 1, Math.min(n, to + 1), ipiv, 0, false);
        }
        if (to < n) {
            panel(hermitian, n, from, to, a, down, right, l, w, ldw);
        }
    }

    /** The largest element below the diagonal of column j becomes that of T; the others become a column of L. Columns before {@code begin} are left for later. */
    private void pivot(boolean hermitian, long n, long j, long begin, long a, long down, long right, long ipiv) {
        long rest = n - j - 1;
        long below = a + (j * (down + right) + down) * bytes;
        long one = j + 1;
        long other = j + leaf.iamax(rest, below, down);
        i64(ipiv + one * 8, other + 1);
        if (one != other) {
            long x = a + begin * right * bytes;
            leaf.swap(one - begin, x + one * down * bytes, right, x + other * down * bytes, right);
            exchange(hermitian, n, one, other, a, down, right);
        }
        if (!isZero(below)) {
            divide(false, rest - 1, below, below + down * bytes, down);
        }
    }

    /** Rows and columns {@code one} and {@code other} of what begins there change places. */
    private void exchange(boolean hermitian, long n, long one, long other, long a, long down, long right) {
        long corner = a + one * (down + right) * bytes;
        long apart = other - one;
        long last = corner + apart * (down + right) * bytes;
        leaf.swap(1, corner, 1, last, 1);
        leaf.swap(n - other - 1, corner + (apart + 1) * down * bytes, down, last + down * bytes, down);
        long column = corner + down * bytes;
        long row = corner + (apart * down + right) * bytes;
        leaf.swap(apart - 1, column, down, row, right);
        if (hermitian) {
            conjugate(apart, column, down);
            conjugate(apart - 1, row, right);
        }
    }

    /** The rows behind a panel: of L, and what the product multiplies them by. */
    private void panel(boolean hermitian, long n, long from, long to, long a, long down, long right, long l, long w,
            long ldw) {
        long rest = n - to;
        for (long s = from; s <= to; s++) {
            long x = l + ((s - from) * ldw + to) * bytes;
            if (s == 0) {
                leaf.fill(rest, 0, 0, x, 1);
            } else {
                leaf.copy(rest, a + (to * down + (s - 1) * right) * bytes, down, x, 1);
            }
        }
        leaf.fill(1, 1, 0, l + ((to - from) * ldw + to) * bytes, 1);
        for (long s = from; s <= to; s++) {
            long y = w + ((s - from) * ldw + to) * bytes;
            long x = l + ((s - from) * ldw + to) * bytes;
            long t = a + s * (down + right) * bytes;
            leaf.fill(rest, 0, 0, y, 1);
            if (s > from) {
                long beside = t - right * bytes;
                leaf.axpy(rest, part(false, beside), hermitian ? -part(true, beside) : part(true, beside),
                        x - ldw * bytes, 1, y, 1);
            }
            if (s < to) {
                long beside = t + down * bytes;
                leaf.axpy(rest, part(false, t), part(true, t), x, 1, y, 1);
                leaf.axpy(rest, part(false, beside), part(true, beside), x + ldw * bytes, 1, y, 1);
            }
            if (hermitian) {
                conjugate(rest, y, 1);
            }
        }
    }
}
