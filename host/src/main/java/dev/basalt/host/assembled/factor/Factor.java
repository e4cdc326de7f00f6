package dev.basalt.host.assembled.factor;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/**
 * LU and Cholesky factorisations of what fits the caches, by block columns from left to right, and interchanges of rows. Any
 * number of threads may use one object.
 */
public final class Factor {
    /** Columns of a factorisation in one go: longer ones are better off with packed products. */
    private static final int WIDEST = CholeskyCode.ORDER;

    /** Elements that one call interchanges: some twenty microseconds of work, since a call holds up the garbage collector. */
    private static final long PIECE = 1 << 15;

    /** The largest order of {@link #choleskyUpper}: what it copies must be little beside what it computes. */
    public static final long WIDEST_UPPER = 64;

    private final FactorTable kernels;
    private final ScratchPool copies;
    private final int block;
    private final int size;
    private final boolean complex;

    public Factor(Shape shape, boolean complex) {
        this.kernels = new FactorTable(shape, complex);
        this.complex = complex;
        this.block = FactorTile.block(shape, complex);
        this.size = shape.precision().bytes * (complex ? 2 : 1);
        this.copies = new ScratchPool(WIDEST_UPPER * WIDEST_UPPER * size);
    }

    /**
     * The most columns that {@link #lu} and {@link #cholesky} take.
     *
     * @return columns
     */
    public static int widest() {
        return WIDEST;
    }

    /**
     * A = P·L·U in place, as {@link dev.basalt.portable.Leaf#getf2}.
     *
     * @param m rows, at least n
     * @param n columns, up to {@link #widest}
     * @param a address
     * @param lda elements between columns
     * @param ipiv address of the pivots
     * @param offset added to them
     * @return 1-based column of the first zero pivot, 0 if none
     */
    public long lu(long m, long n, long a, long lda, long ipiv, long offset) {
        long info = 0;
        long ldb = lda * size;
        for (long j = 0; j < n; j += block) {
            int width = (int) Math.min(block, n - j);
            long column = a + j * ldb;
            if (j > 0) {
                swap(m, width, column, ldb, 0, j, ipiv, offset, false);
                NativeCall.code(kernels.eliminate(width), j, a, ldb, m, column, 0);
            }
            long zero = NativeCall.code(kernels.pivot(width), m - j, column + j * size, ldb, ipiv + j * 8,
                    offset + j + 1, 0);
            info = info == 0 && zero != 0 ? j + zero : info;
            if (j > 0) {
                swap(m, j, a, ldb, j, j + width, ipiv, offset, false);
            }
        }
        return info;
    }

    /**
     * A = L·Lᴴ in the lower triangle, in place, as {@link dev.basalt.portable.Leaf#potf2}.
     *
     * @param n order, up to {@link #widest}
     * @param a address
     * @param lda elements between columns
     * @return order of the first leading minor that is not positive, 0 if all are
     */
    public long cholesky(long n, long a, long lda) {
        long ldb = lda * size;
        for (long j = 0; j < n; j += block) {
            int width = (int) Math.min(block, n - j);
            long failed = NativeCall.code(kernels.cholesky(width), j, a + j * size, ldb, n - j - width, 0, 0);
            if (failed != 0) {
                return j + failed;
            }
        }
        return 0;
    }

    /**
     * A = Uᴴ·U in the upper triangle, in place: the lower triangle of a copy is factored.
     *
     * @param n order, 1 to {@link #WIDEST_UPPER}
     * @param a address
     * @param lda elements between columns
     * @return order of the first leading minor that is not positive, 0 if all are
     */
    public long choleskyUpper(long n, long a, long lda) {
        MemorySegment copy = copies.take();
        long at = copy.address();
        if (complex) {
            long info = turned(n, a, lda, at);
            copies.give(copy);
            return info;
        }
        NativeCall.code(kernels.reflect(true), n, a, lda * size, at, WIDEST_UPPER * size, 0);
        long info = cholesky(n, at, WIDEST_UPPER);
        NativeCall.code(kernels.reflect(false), n, at, WIDEST_UPPER * size, a, lda * size, 0);
        copies.give(copy);
        return info;
    }

    /** The transpose of a Hermitian A is its conjugate, whose lower factor is the transpose of U; so nothing need be conjugated. */
    private long turned(long n, long a, long lda, long copy) {
        boolean two = size == 16;
        turn(two, n, a, lda * size, size, copy, size, n * size);
        long info = cholesky(n, copy, n);
        turn(two, n, copy, size, n * size, a, lda * size, size);
        return info;
    }

    /**
     * Moves the elements of an upper triangle, words of eight bytes or {@code two} of them; dx and ex are bytes from one column and row to the next.
     * Four columns at a time: a loop costs as much as several elements.
     */
    private static void turn(boolean two, long n, long x, long dx, long ex, long y, long dy, long ey) {
        long j = 0;
        for (; j + 4 <= n; j += 4) {
            long from = x + j * dx;
            long to = y + j * dy;
            for (long i = 0; i <= j; i++, from += ex, to += ey) {
                move(two, from, to);
                move(two, from + dx, to + dy);
                move(two, from + 2 * dx, to + 2 * dy);
                move(two, from + 3 * dx, to + 3 * dy);
            }
            move(two, from + dx, to + dy);
            move(two, from + 2 * dx, to + 2 * dy);
            move(two, from + 3 * dx, to + 3 * dy);
            move(two, from + ex + 2 * dx, to + ey + 2 * dy);
            move(two, from + ex + 3 * dx, to + ey + 3 * dy);
            move(two, from + 2 * ex + 3 * dx, to + 2 * ey + 3 * dy);
        }
        for (; j < n; j++) {
            for (long i = 0; i <= j; i++) {
                move(two, x + j * dx + i * ex, y + j * dy + i * ey);
            }
        }
    }

    private static void move(boolean two, long from, long to) {
        i64(to, i64(from));
        if (two) {
            i64(to + 8, i64(from + 8));
        }
    }

    /**
     * Interchanges rows as {@link dev.basalt.portable.Leaf#laswp}.
     *
     * @param m rows
     * @param n columns
     * @param a address
     * @param lda elements between columns
     * @param from first row with a pivot
     * @param to behind the last
     * @param ipiv address of the pivot of row 0
     * @param offset subtracted from pivots
     * @param backward the last pivot first
     * @return whether all pivots named rows; if not, some rows may have been interchanged
     */
    public boolean interchange(long m, long n, long a, long lda, long from, long to, long ipiv, long offset,
            boolean backward) {
        if (from >= to) {
            return true;
        }
        long columns = Math.max(block, PIECE / (to - from) / block * block);
        boolean rows = true;
        for (long j = 0; rows && j < n; j += columns) {
            rows = swap(m, Math.min(columns, n - j), a + j * lda * size, lda * size, from, to, ipiv, offset, backward);
        }
        return rows;
    }

    private boolean swap(long m, long n, long a, long ldb, long from, long to, long ipiv, long offset,
            boolean backward) {
        long first = backward ? to - 1 : from;
        long row = a + first * size;
        return NativeCall.swap(kernels.swap(backward), n, a, ldb, ipiv + first * 8, to - from, row, m, offset + 1) == 0;
    }
}
