package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** LDLᵀ without blocks, and the choice of pivots. */
abstract class SymmetricFactors extends BunchKaufman {
    /** Makes two steps with one column each let elements grow no more than one step with two. */
    static final double ALPHA = (1 + Math.sqrt(17)) / 8;

    SymmetricFactors(Leaf leaf, long bytes) {
        super(leaf, bytes);
    }

    /** Place of the largest of n elements, from 0, as they are read. The first in memory wins. */
    final long largest(boolean upper, long n, long x) {
        long found = leaf.iamax(n, low(upper, n, x), 1) - 1;
        return upper ? n - 1 - found : found;
    }

    /** Which of two elements is the larger one; NaN is larger than all. */
    static boolean larger(double size, double than) {
        return size > than || Double.isNaN(size) && !Double.isNaN(than);
    }

    /** Sets the pivots of step k: {@code top} and {@code row} change places with the rows of a block, or with its only one. Gives the 1-based column. */
    static long pivots(boolean upper, long n, long k, long size, long top, long row, long ipiv) {
        long first = upper ? n - top : top + 1;
        long last = upper ? n - row : row + 1;
        long at = ipiv + (upper ? n - 1 - k : k) * 8;
        i64(at, size == 1 ? last : -first);
        if (size == 2) {
            i64(upper ? at - 8 : at + 8, -last);
        }
        return upper ? n - k : k + 1;
    }

    /** Whether the first row is the pivot although its column has a larger element. */
    static boolean stays(double first, double column, double row) {
        return first >= ALPHA * column * (column / row);
    }

    /**
     * LDLᵀ of a triangle in place, without blocks; n pivots at {@code ipiv}.
     *
     * @return 1-based column of the first pivot that is zero or not a number, 0 if none
     */
    final long sytf2(boolean upper, boolean hermitian, boolean rook, long n, long a, long step, long growth,
            long ipiv) {
        long info = 0;
        for (long k = 0, size = 1; k < n; k += Math.max(1, size)) {
            size = choose(upper, hermitian, rook, n, k, a, step, growth, ipiv);
            long akk = at(upper, a, step, growth, k, k);
            diagonal(hermitian, akk);
            if (size == 0) {
                info = info == 0 ? upper ? n - k : k + 1 : info;
                continue;
            }
            long rest = n - k - 1;
            if (size == 2 && rook) {
                interchange(upper, hermitian, n, a, step, growth, k, k, named(upper, n, k, ipiv));
            }
            long last = k + size - 1;
            interchange(upper, hermitian, n, a, step, growth, k, last, named(upper, n, last, ipiv));
            if (size == 1) {
                long x = at(upper, a, step, growth, k + 1, k);
                long trailing = at(upper, a, step, growth, upper ? n - 1 : k + 1, upper ? n - 1 : k + 1);
                update(upper ? Uplo.UPPER : Uplo.LOWER, hermitian, rest, akk, low(upper, rest, x), trailing,
                        storedStep(upper, step, growth, k + 1), upper ? -growth : growth);
            } else {
                diagonal(hermitian, at(upper, a, step, growth, k + 1, k + 1));
                updateByPair(upper, hermitian, n, a, step, growth, k);
            }
        }
        return info;
    }

    /**
     * Chooses the pivots of step k and sets them.
     *
     * @return rows of the block of D, or 0 where the pivot is zero or not a number
     */
    private long choose(boolean upper, boolean hermitian, boolean rook, long n, long k, long a, long step, long growth,
            long ipiv) {
        double first = pivotSize(hermitian, at(upper, a, step, growth, k, k));
        long rest = n - k - 1;
        long most = rest == 0 ? k : k + 1 + largest(upper, rest, at(upper, a, step, growth, k + 1, k));
        double column = rest == 0 ? 0 : size(at(upper, a, step, growth, most, k));
        boolean failed = Math.max(first, column) == 0 || Double.isNaN(first);
        long top = k;
        long row = k;
        long size = failed ? 0 : 1;
        for (boolean searching = !failed && !(first >= ALPHA * column); searching;) {
            long next = besideDiagonal(upper, n, k, most, a, step, growth);
            double across = size(at(upper, a, step, growth, Math.max(most, next), Math.min(most, next)));
            searching = false;
            if (!rook && stays(first, column, across)) {
                continue;
            }
            if (pivotSize(hermitian, at(upper, a, step, growth, most, most)) >= ALPHA * across) {
                row = most;
            } else if (!rook || ends(k, top, next, column, across)) {
                size = 2;
                row = most;
            } else {
                searching = true;
                top = most;
                column = across;
                most = next;
            }
        }
        pivots(upper, n, k, Math.max(1, size), rook ? top : row, row, ipiv);
        return size;
    }

    /** Whether rook pivoting has come to two rows that have the largest element of each other, as far as rounding tells. */
    static boolean ends(long k, long top, long next, double column, double across) {
        return next == top || next == k || !(across > column);
    }

    /** Where the largest element of a row is, its diagonal element left out. */
    private long besideDiagonal(boolean upper, long n, long k, long row, long a, long step, long growth) {
        long most = k;
        double best = -1;
        for (long j = k; j < row; j++) {
            double size = size(at(upper, a, step, growth, row, j));
            if (larger(size, best)) {
                best = size;
                most = j;
            }
        }
        if (row + 1 < n) {
            long below = row + 1 + largest(upper, n - row - 1, at(upper, a, step, growth, row + 1, row));
            most = larger(size(at(upper, a, step, growth, below, row)), best) ? below : most;
        }
        return most;
    }

    /** Rows and columns {@code from} and {@code to} of what begins at row k change places; {@code from} is k or k + 1. */
    final void interchange(boolean upper, boolean hermitian, long n, long a, long step, long growth, long k, long from,
            long to) {
        diagonal(hermitian, at(upper, a, step, growth, to, to));
        if (from == to) {
            return;
        }
        long below = n - to - 1;
        leaf.swap(below, low(upper, below, at(upper, a, step, growth, to + 1, from)), 1,
                low(upper, below, at(upper, a, step, growth, to + 1, to)), 1);
        for (long j = from + 1; j < to; j++) {
            exchange(hermitian, at(upper, a, step, growth, j, from), at(upper, a, step, growth, to, j));
        }
        long corner = at(upper, a, step, growth, to, from);
        if (hermitian) {
            conjugate(1, corner, 1);
        }
        exchange(false, at(upper, a, step, growth, from, from), at(upper, a, step, growth, to, to));
        if (from != k) {
            exchange(false, at(upper, a, step, growth, from, k), at(upper, a, step, growth, to, k));
        }
    }

    /** Columns k and k + 1 become those of L, and what is right of them is brought up to date, column by column. */
    private void updateByPair(boolean upper, boolean hermitian, long n, long a, long step, long growth, long k) {
        long d11 = at(upper, a, step, growth, k, k);
        long d21 = at(upper, a, step, growth, k + 1, k);
        long d22 = at(upper, a, step, growth, k + 1, k + 1);
        long ld = (d22 - d21) / bytes;
        for (long j = k + 2; j < n; j++) {
            long x1 = at(upper, a, step, growth, j, k);
            long x2 = at(upper, a, step, growth, j, k + 1);
            long ajj = at(upper, a, step, growth, j, j);
            row(hermitian, d11, d21, d22, x1, x2, ajj);
            long rest = n - j - 1;
            if (rest > 0) {
                long below = low(upper, rest, at(upper, a, step, growth, j + 1, upper ? k + 1 : k));
                long column = low(upper, rest, at(upper, a, step, growth, j + 1, j));
                leaf.gemv(Op.NONE, rest, 2, -1, 0, below, Math.abs(ld), upper ? x2 : x1, Math.abs(ld), 1, 0, column, 1);
            }
            if (hermitian) {
                conjugate(2, upper ? x2 : x1, Math.abs(ld));
            }
        }
    }
}
