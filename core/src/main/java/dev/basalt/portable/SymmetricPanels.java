package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Op;

/** Panels of LDLᵀ. */
abstract class SymmetricPanels extends SymmetricFactors {
    SymmetricPanels(Leaf leaf, long bytes) {
        super(leaf, bytes);
    }

    /**
     * Columns {@code from} to {@code to} of LDLᵀ of a dense triangle, as LAPACK's lasyf: from the left. A 2×2 block may reach beyond the last column. The next panel then begins one
     * column later; the integer at {@code state} says how many columns are done. So the panels of a matrix are known before its pivots are.
     *
     * @param l address of n rows and to - from + 1 columns, which become those of L with all interchanges so far
     * @param w the same for those of L·D, conjugated with {@code hermitian}; what is right of the panel is brought up to date by the product of the rows
     *     from {@code to} on. Columns, and a row, that are none of this panel become zero there
     * @return 1-based column of the first pivot that is zero or not a number, 0 if none
     */
    final long lasyf(boolean upper, boolean hermitian, boolean rook, long n, long from, long to, long a, long ld,
            long l, long w, long ldw, long ipiv, long state) {
        long info = 0;
        long columns = to - from + 1;
        long l0 = firstOfPanel(upper, n, columns, l, ldw);
        long w0 = firstOfPanel(upper, n, columns, w, ldw);
        long begin = from > 0 && i64(state) > from ? 1 : 0;
        clear(upper, n, to, 0, begin, l0, ldw);
        clear(upper, n, to, 0, begin, w0, ldw);
        long k = from + begin;
        for (long size = 1; k < to; k += size) {
            long j = k - from;
            long rest = n - k - 1;
            size = choose(upper, hermitian, rook, n, from + begin, k, a, ld, l0, w0, ldw, j, ipiv);
            boolean failed = size == 0;
            size = Math.max(1, size);
            long wkk = at(upper, w0, ldw, 0, k, j);
            for (long i = rook ? 0 : size - 1; i < size; i++) {
                long row = named(upper, n, k + i, ipiv);
                interchange(upper, hermitian, n, k + i, row, a, ld);
                rows(upper, begin, j, k + i, row, l0, ldw);
                rows(upper, begin, j + size, k + i, row, w0, ldw);
            }
            long lkk = at(upper, l0, ldw, 0, k, j);
            long akk = at(upper, a, ld, 0, k, k);
            if (size == 1) {
                leaf.copy(n - k, low(upper, n - k, wkk), 1, low(upper, n - k, lkk), 1);
                if (failed) {
                    info = info == 0 ? upper ? n - k : k + 1 : info;
                } else {
                    divide(hermitian, rest, wkk, low(upper, rest, at(upper, l0, ldw, 0, k + 1, j)), 1);
                }
                leaf.copy(n - k, low(upper, n - k, lkk), 1, low(upper, n - k, akk), 1);
            } else {
                pair(upper, hermitian, n, k, j, a, ld, l0, w0, ldw);
            }
            for (long i = 0; hermitian && i < size; i++) {
                long behind = n - k - 1 - i;
                conjugate(behind, low(upper, behind, at(upper, w0, ldw, 0, k + 1 + i, j + i)), 1);
            }
        }
        if (to < n) {
            // Either the last column is not of this panel, or the first row behind it is.
            boolean beyond = k > to;
            for (int i = 0; i < 2; i++) {
                long x0 = i == 0 ? l0 : w0;
                if (beyond) {
                    leaf.fill(columns, 0, 0, columnsLow(upper, columns, at(upper, x0, ldw, 0, to, 0), ldw), ldw);
                } else {
                    clear(upper, n, to, columns - 1, columns, x0, ldw);
                }
            }
        }
        i64(state, k);
        return info;
    }

    /** Chooses the pivots of step k and sets them; column j of w, and for a 2×2 block the next one, become those of the pivots. Gives the rows of the block, 0 where the pivot fails. */
    private long choose(boolean upper, boolean hermitian, boolean rook, long n, long begin, long k, long a, long ld,
            long l0, long w0, long ldw, long j, long ipiv) {
        long rest = n - k - 1;
        column(upper, hermitian, n, begin, k, k, a, ld, l0, w0, ldw, j);
        double first = pivotSize(hermitian, at(upper, w0, ldw, 0, k, j));
        long most = rest == 0 ? k : k + 1 + largest(upper, rest, at(upper, w0, ldw, 0, k + 1, j));
        double column = rest == 0 ? 0 : size(at(upper, w0, ldw, 0, most, j));
        boolean failed = Math.max(first, column) == 0 || Double.isNaN(first);
        long top = k;
        long row = k;
        long size = failed ? 0 : 1;
        for (boolean searching = !failed && !(first >= ALPHA * column); searching;) {
            column(upper, hermitian, n, begin, k, most, a, ld, l0, w0, ldw, j + 1);
            long next = besideDiagonal(upper, n, k, most, w0, ldw, j + 1);
            double across = size(at(upper, w0, ldw, 0, next, j + 1));
            searching = false;
            if (!rook && stays(first, column, across)) {
                continue;
            }
            boolean one = pivotSize(hermitian, at(upper, w0, ldw, 0, most, j + 1)) >= ALPHA * across;
            row = most;
            if (!one && (!rook || ends(k, top, next, column, across))) {
                size = 2;
                continue;
            }
            leaf.copy(n - k, low(upper, n - k, at(upper, w0, ldw, 0, k, j + 1)), 1,
                    low(upper, n - k, at(upper, w0, ldw, 0, k, j)), 1);
            if (!one) {
                searching = true;
                top = most;
                column = across;
                most = next;
            }
        }
        pivots(upper, n, k, Math.max(1, size), rook ? top : row, row, ipiv);
        return size;
    }

    /** Where the largest element of a column of w is, from row k on, that of row {@code row} left out. */
    private long besideDiagonal(boolean upper, long n, long k, long row, long w0, long ldw, long j) {
        long most = k + largest(upper, row - k, at(upper, w0, ldw, 0, k, j));
        if (row + 1 < n) {
            long below = row + 1 + largest(upper, n - row - 1, at(upper, w0, ldw, 0, row + 1, j));
            most = larger(size(at(upper, w0, ldw, 0, below, j)), size(at(upper, w0, ldw, 0, most, j))) ? below : most;
        }
        return most;
    }

    private long firstOfPanel(boolean upper, long n, long columns, long x, long ldw) {
        return upper ? x + (n - 1 + (columns - 1) * ldw) * bytes : x;
    }

    private long columnsLow(boolean upper, long columns, long x, long ldw) {
        return upper ? x - (columns - 1) * ldw * bytes : x;
    }

    /** Rows from {@code row} on of some columns := 0. */
    private void clear(boolean upper, long n, long row, long from, long to, long x0, long ldw) {
        for (long j = from; j < to; j++) {
            leaf.fill(n - row, 0, 0, low(upper, n - row, at(upper, x0, ldw, 0, row, j)), 1);
        }
    }

    /** Column j of w, from row k on := column c of the matrix that is left at step k, of which columns from {@code begin} on are not in memory yet. */
    private void column(boolean upper, boolean hermitian, long n, long begin, long k, long c, long a, long ld, long l0,
            long w0, long ldw, long j) {
        long top = at(upper, w0, ldw, 0, k, j);
        long middle = at(upper, w0, ldw, 0, c, j);
        long across = c - k;
        if (across > 0) {
            long row = at(upper, a, ld, 0, c, k);
            leaf.copy(across, upper ? row - (across - 1) * ld * bytes : row, ld, low(upper, across, top), 1);
            if (hermitian) {
                conjugate(across, low(upper, across, top), 1);
            }
        }
        leaf.copy(n - c, low(upper, n - c, at(upper, a, ld, 0, c, c)), 1, low(upper, n - c, middle), 1);
        diagonal(hermitian, middle);
        long done = k - begin;
        if (done > 0) {
            long from = j - (c == k ? done : done + 1);
            long left = at(upper, l0, ldw, 0, k, from);
            long row = at(upper, w0, ldw, 0, c, from);
            leaf.gemv(Op.NONE, n - k, done, -1, 0, columnsLow(upper, done, low(upper, n - k, left), ldw), ldw,
                    columnsLow(upper, done, row, ldw), ldw, 1, 0, low(upper, n - k, top), 1);
            diagonal(hermitian, middle);
        }
    }

    /** Column {@code from} takes the place of column {@code to} in what is not factored; itself it is in the panel. */
    private void interchange(boolean upper, boolean hermitian, long n, long from, long to, long a, long ld) {
        if (from == to) {
            return;
        }
        leaf.copy(1, at(upper, a, ld, 0, from, from), 1, at(upper, a, ld, 0, to, to), 1);
        diagonal(hermitian, at(upper, a, ld, 0, to, to));
        long between = to - from - 1;
        if (between > 0) {
            long row = at(upper, a, ld, 0, to, from + 1);
            long low = upper ? row - (between - 1) * ld * bytes : row;
            leaf.copy(between, low(upper, between, at(upper, a, ld, 0, from + 1, from)), 1, low, ld);
            if (hermitian) {
                conjugate(between, low, ld);
            }
        }
        long below = n - to - 1;
        leaf.copy(below, low(upper, below, at(upper, a, ld, 0, to + 1, from)), 1,
                low(upper, below, at(upper, a, ld, 0, to + 1, to)), 1);
    }

    /** Two rows of columns from…to-1 of a panel change places. */
    private void rows(boolean upper, long from, long to, long one, long other, long x0, long ldw) {
        if (one != other && to > from) {
            leaf.swap(to - from, columnsLow(upper, to - from, at(upper, x0, ldw, 0, one, from), ldw), ldw,
                    columnsLow(upper, to - from, at(upper, x0, ldw, 0, other, from), ldw), ldw);
        }
    }

    /** Columns j and j + 1 of a panel, whose columns of L·D are there, become those of L, and of the matrix. */
    private void pair(boolean upper, boolean hermitian, long n, long k, long j, long a, long ld, long l0, long w0,
            long ldw) {
        long rest = n - k - 2;
        long d11 = at(upper, w0, ldw, 0, k, j);
        long d21 = at(upper, w0, ldw, 0, k + 1, j);
        long d22 = at(upper, w0, ldw, 0, k + 1, j + 1);
        for (long i = 0; i < 2; i++) {
            long behind = 2 - i;
            leaf.copy(behind, low(upper, behind, at(upper, w0, ldw, 0, k + i, j + i)), 1,
                    low(upper, behind, at(upper, a, ld, 0, k + i, k + i)), 1);
        }
        if (rest > 0) {
            long l1 = low(upper, rest, at(upper, l0, ldw, 0, k + 2, j));
            long l2 = low(upper, rest, at(upper, l0, ldw, 0, k + 2, j + 1));
            divide(hermitian, rest, d11, d21, d22, low(upper, rest, at(upper, w0, ldw, 0, k + 2, j)),
                    low(upper, rest, at(upper, w0, ldw, 0, k + 2, j + 1)), l1, l2);
            leaf.copy(rest, l1, 1, low(upper, rest, at(upper, a, ld, 0, k + 2, k)), 1);
            leaf.copy(rest, l2, 1, low(upper, rest, at(upper, a, ld, 0, k + 2, k + 1)), 1);
        }
    }
}
