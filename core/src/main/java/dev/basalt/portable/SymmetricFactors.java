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

    final double largestSize(boolean upper, long n, long x) {
        return n <= 0 ? 0 : size(low(upper, n, x) + (leaf.iamax(n, low(upper, n, x), 1) - 1) * bytes);
    }

    /** Sets the pivots of step k, and gives the row of the whole matrix, from 1, that is row i as it is read. */
    static long pivots(boolean upper, long n, long k, long size, long row, long ipiv) {
        long stored = upper ? n - row : row + 1;
        for (long i = k; i < k + size; i++) {
            i64(ipiv + (upper ? n - 1 - i : i) * 8, size == 1 ? stored : -stored);
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
    final long sytf2(boolean upper, boolean hermitian, long n, long a, long step, long growth, long ipiv) {
        long info = 0;
        for (long k = 0, size = 1; k < n; k += size) {
            size = 1;
            long row = k;
            long akk = at(upper, a, step, growth, k, k);
            long rest = n - k - 1;
            double first = pivotSize(hermitian, akk);
            long most = k;
            double column = 0;
            if (rest > 0) {
                most = k + 1 + largest(upper, rest, at(upper, a, step, growth, k + 1, k));
                column = size(at(upper, a, step, growth, most, k));
            }
            boolean failed = Math.max(first, column) == 0 || Double.isNaN(first);
            if (!failed && !(first >= ALPHA * column)) {
                double across = largestSize(upper, n - most - 1, at(upper, a, step, growth, most + 1, most));
                for (long j = k; j < most; j++) {
                    across = Math.max(across, size(at(upper, a, step, growth, most, j)));
                }
                if (!stays(first, column, across)) {
                    row = most;
                    boolean one = pivotSize(hermitian, at(upper, a, step, growth, most, most)) >= ALPHA * across;
                    size = one ? 1 : 2;
                }
            }
            long number = pivots(upper, n, k, size, row, ipiv);
            diagonal(hermitian, akk);
            if (failed) {
                info = info == 0 ? number : info;
                continue;
            }
            interchange(upper, hermitian, n, a, step, growth, k, k + size - 1, row);
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
