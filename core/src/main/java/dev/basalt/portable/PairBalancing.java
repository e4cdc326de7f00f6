package dev.basalt.portable;

import dev.basalt.spi.Memory;
import dev.basalt.type.Balance;

/**
 * Balances a pair of matrices: the permutation of Ward ("Balancing the generalized eigenvalue problem", 1981), and scales that bring rows and columns of both together to norms of about 1 (Lemonnier and Van Dooren, "Balancing regular matrix
 * pencils", 2006). The same for all types. It remembers the pair that is worked on.
 */
final class PairBalancing {
    /** Passes over rows and columns, of which each makes their norms more alike. */
    private static final int SWEEPS = 10;

    private final Balancing one;
    private long n;
    private long a;
    private long lda;
    private long b;
    private long ldb;
    private long first;
    private long last;
    private long left;
    private long right;

    PairBalancing(Balancing one) {
        this.one = one;
    }

    /** See {@link dev.basalt.spi.Kernel#GGBAL}. */
    void ggbal(Balance how, long order, long matrixA, long strideA, long matrixB, long strideB, long ilo, long ihi,
            long rows, long columns) {
        n = order;
        a = matrixA;
        lda = strideA;
        b = matrixB;
        ldb = strideB;
        left = rows;
        right = columns;
        first = 0;
        last = n - 1;
        if (how == Balance.PERMUTE || how == Balance.BOTH) {
            while (last > 0 && isolatesRow()) {
                last--;
            }
            while (last > 0 && isolatesColumn()) {
                first++;
            }
        }
        for (long i = first; i <= last; i++) {
            one.real(left + i * one.realBytes(), 1);
            one.real(right + i * one.realBytes(), 1);
        }
        boolean changed = first < last && (how == Balance.SCALE || how == Balance.BOTH);
        for (int sweep = 0; changed && sweep < SWEEPS; sweep++) {
            changed = false;
            for (long i = first; i <= last; i++) {
                changed |= scaleRow(i);
            }
            for (long j = first; j <= last; j++) {
                changed |= scaleColumn(j);
            }
        }
        Memory.i64(ilo, first + 1);
        Memory.i64(ihi, last + 1);
    }

    private boolean nothing(long i, long j) {
        return one.zero(a + (i + j * lda) * one.bytes) && one.zero(b + (i + j * ldb) * one.bytes);
    }

    /** Takes the last row that has elements in one column at most, of those up to the last one, to the end. */
    private boolean isolatesRow() {
        for (long i = last; i >= 0; i--) {
            long column = last;
            int count = 0;
            for (long j = last; j >= 0 && count < 2; j--) {
                if (!nothing(i, j)) {
                    column = j;
                    count++;
                }
            }
            if (count < 2) {
                exchange(i, column, last);
                return true;
            }
        }
        return false;
    }

    /** Takes the first such column to the front. */
    private boolean isolatesColumn() {
        for (long j = first; j <= last; j++) {
            long row = last;
            int count = 0;
            for (long i = last; i >= first && count < 2; i--) {
                if (!nothing(i, j)) {
                    row = i;
                    count++;
                }
            }
            if (count < 2) {
                exchange(row, j, first);
                return true;
            }
        }
        return false;
    }

    /** A row and a column change places with those of a number. */
    private void exchange(long row, long column, long to) {
        long bytes = one.bytes;
        one.real(left + to * one.realBytes(), row + 1.0);
        one.real(right + to * one.realBytes(), column + 1.0);
        if (row != to) {
            long from = n - first;
            one.leaf.swap(from, a + (row + first * lda) * bytes, lda, a + (to + first * lda) * bytes, lda);
            one.leaf.swap(from, b + (row + first * ldb) * bytes, ldb, b + (to + first * ldb) * bytes, ldb);
        }
        if (column != to) {
            one.leaf.swap(last + 1, a + column * lda * bytes, 1, a + to * lda * bytes, 1);
            one.leaf.swap(last + 1, b + column * ldb * bytes, 1, b + to * ldb * bytes, 1);
        }
    }

    private boolean scaleRow(long i) {
        long inA = a + (i + first * lda) * one.bytes;
        long inB = b + (i + first * ldb) * one.bytes;
        double size = Math.hypot(one.norm(last - first + 1, inA, lda), one.norm(last - first + 1, inB, ldb));
        double most = Math.max(one.largest(n - first, inA, lda), one.largest(n - first, inB, ldb));
        double factor = factor(size, most, left + i * one.realBytes());
        if (factor == 1) {
            return false;
        }
        one.leaf.scal(n - first, factor, 0, true, inA, lda);
        one.leaf.scal(n - first, factor, 0, true, inB, ldb);
        return true;
    }

    private boolean scaleColumn(long j) {
        long inA = a + j * lda * one.bytes;
        long inB = b + j * ldb * one.bytes;
        double size = Math.hypot(one.norm(last - first + 1, inA + first * one.bytes, 1),
                one.norm(last - first + 1, inB + first * one.bytes, 1));
        double most = Math.max(one.largest(last + 1, inA, 1), one.largest(last + 1, inB, 1));
        double factor = factor(size, most, right + j * one.realBytes());
        if (factor == 1) {
            return false;
        }
        one.leaf.scal(last + 1, factor, 0, true, inA, 1);
        one.leaf.scal(last + 1, factor, 0, true, inB, 1);
        return true;
    }

    /** The power of two that brings a norm to 1 or more, but below 2, if it is not near that; the scale is multiplied by it. 1 where numbers would leave the range. */
    private double factor(double size, double most, long scale) {
        int exponent = Math.getExponent(size);
        if (!(size >= one.least && most <= one.most) || exponent == 0 || exponent == -1) {
            return 1;
        }
        double factor = Math.scalb(1.0, -exponent);
        double now = one.real(scale) * factor;
        if (!(now >= one.least && now <= one.most && most * factor <= one.most)) {
            return 1;
        }
        one.real(scale, now);
        return factor;
    }
}
