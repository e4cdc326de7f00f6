package dev.basalt.host.assembled.product;

import dev.basalt.host.assembled.batch.BatchFrame;
import dev.basalt.host.assembled.batch.BatchTable;
import dev.basalt.host.assembled.batch.Halves;
import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/**
 * The product of operands that are read where they are, around the micro-kernels of {@link DirectCode}. Holds nothing of a call: a
 * product of order 4 takes 4 ns, and to take and give back a {@link Product} would take 16.
 */
public final class PlainProduct {
    /** Columns of a block of op(B): with {@link Product#KC} rows it stays in an L2 cache of 1 MiB beside a block of A. */
    private static final int COLUMNS = 256;

    /** Kinds of kernels for one size of C: alpha is 1 or not, beta 0 or not. */
    private static final int KINDS = 4;

    private final ProductTable kernels;
    /** Powers of two, as shifts: divisions would take longer than the smallest products. */
    private final int lanes;

    private final int size;
    private final int nr;
    /** Rows of a block of A at most. */
    private final int rows;

    private final long[] masks;
    /** Where the masks of transpositions end. */
    private long ones;

    /** Kernels for one size of C each, those that were asked for; of no length before the first. */
    private MemorySegment[] small = {};

    /** The same of transpositions. */
    private MemorySegment[] turns = {};

    private BatchTable written;

    private final Halves halved;

    public PlainProduct(ProductTable kernels) {
        this.kernels = kernels;
        Shape shape = kernels.shape();
        this.lanes = Integer.numberOfTrailingZeros(shape.lanes());
        this.size = Integer.numberOfTrailingZeros(shape.precision().bytes);
        this.nr = Integer.numberOfTrailingZeros(shape.columns());
        this.rows = Product.small(shape, false);
        this.masks = new long[shape.lanes()];
        for (int i = 0; i < masks.length; i++) {
            masks[i] = kernels.mask(i);
        }
        this.halved = Halves.of(shape);
    }

    private void begin() {
        if (written == null) {
            written = new BatchTable(kernels.shape(), false);
            small = new MemorySegment[2 * KINDS * BatchFrame.ORDER * BatchFrame.ORDER];
            ones = written.narrowOnes();
            turns = new MemorySegment[BatchFrame.ORDER];
        }
    }

    private synchronized MemorySegment turn(int rows) {
        begin();
        MemorySegment code = written.transpose(rows, true);
        turns[rows - 1] = code;
        return code;
    }

    /**
     * Transposes a matrix of few columns in one call, into room for whole vectors, and as many columns as they have numbers at a time.
     *
     * @param rows rows of the result, up to those that products have kernels for
     * @param columns columns of the result
     * @param from address of the matrix
     * @param ld bytes between its columns
     * @param to address of the result
     * @return bytes between its columns
     */
    public long turn(int rows, int columns, long from, long ld, long to) {
        MemorySegment[] table = turns;
        MemorySegment code = rows <= table.length ? table[rows - 1] : null;
        if (code == null) {
            code = turn(rows);
        }
        NativeCall.code(code, from, to, ld, columns, ones, 0);
        return (long) (rows + (1 << lanes) - 1 >> lanes) << lanes + size;
    }

    /** Whether {@link #turn} takes a matrix, and a result of so many bytes has room for it. */
    public boolean turns(long rows, long columns, long bytes) {
        long whole = (1L << lanes) - 1;
        return rows <= BatchFrame.ORDER && (rows + whole & ~whole) * (columns + whole & ~whole) << size <= bytes;
    }

    private synchronized MemorySegment small(int index, int m, int n, boolean scaled, boolean added, boolean halves) {
        begin();
        MemorySegment code =
                halves ? written.halves(m, n, scaled, added, true) : written.product(m, n, scaled, added, true);
        small[index] = code;
        return code;
    }

    /** Whether C has kernels for its very size: with any inner dimension such a product reads its operands in place. */
    static boolean isSmall(long m, long n) {
        return m <= BatchFrame.ORDER && n <= BatchFrame.ORDER;
    }

    /** A block of so few rows and columns that it has a kernel of its own, with an inner dimension of one piece; strides are in bytes. */
    private void small(int m, int n, int k, double alpha, long a, long lda, long b, long step, long next, double beta,
            long c, long ldc) {
        // The kernels tell by the number as they round it.
        boolean scaled = alpha != 1;
        boolean added = (size == 2 ? (float) beta : beta) != 0;
        boolean halves = halved.take(m, k);
        int place = (halves ? BatchFrame.ORDER : 0) + m - 1;
        int index = (place * BatchFrame.ORDER + n - 1) * KINDS + (scaled ? 2 : 0) + (added ? 1 : 0);
        MemorySegment[] table = small;
        MemorySegment code = index < table.length ? table[index] : null;
        if (code == null) {
            code = small(index, m, n, scaled, added, halves);
        }
        long mask = masks[m & (halves ? halved.half() : 1 << lanes) - 1];
        NativeCall.direct(code, k, a, lda, b, step, next, c, ldc, mask, 0, alpha, beta);
    }

    /** Few rows or columns, piece by piece of the inner dimension, which are the same on every path, and of the longer side. */
    private void pieces(int m, int n, int k, double alpha, long a, long lda, long b, long step, long next, double beta,
            long c, long ldc) {
        int kb = Product.depth(k);
        for (int depth = 0; depth < k; depth += kb) {
            int kc = Math.min(kb, k - depth);
            double old = depth == 0 ? beta : 1;
            long ak = a + depth * lda;
            long bk = b + depth * step;
            for (int i = 0; i < m; i += BatchFrame.ORDER) {
                int rows = Math.min(BatchFrame.ORDER, m - i);
                long down = (long) i << size;
                for (int j = 0; j < n; j += BatchFrame.ORDER) {
                    small(rows, Math.min(BatchFrame.ORDER, n - j), kc, alpha, ak + down, lda, bk + j * next, step, next,
                            old, c + down + j * ldc, ldc);
                }
            }
        }
    }

    /** B := alpha·A·B with a square A of one panel, whose rows are those of one tile: so columns of B are read before any of them is written. */
    void inColumns(int m, int n, double alpha, long a, long lda, long b, long ldb) {
        pieces(m, n, m, alpha, a, lda << size, b, 1L << size, ldb << size, 0, b, ldb << size);
    }

    /** C := alpha·A·B + beta·C or alpha·A·Bᵀ + beta·C; leading dimensions count numbers. */
    public void run(boolean plainB, int m, int n, int k, double alpha, long a, long lda, long b, long ldb, double beta,
            long c, long ldc) {
        long one = 1L << size;
        long column = ldb << size;
        long step = plainB ? one : column;
        long next = plainB ? column : one;
        if (m <= BatchFrame.ORDER && n <= BatchFrame.ORDER && k <= Product.KC) {
            small(m, n, k, alpha, a, lda << size, b, step, next, beta, c, ldc << size);
            return;
        }
        if (n <= BatchFrame.ORDER || m <= BatchFrame.ORDER && halved.take(m, k)) {
            pieces(m, n, k, alpha, a, lda << size, b, step, next, beta, c, ldc << size);
            return;
        }
        // The inner dimension in the same pieces as on every path.
        int kb = Product.depth(k);
        int mb = m <= rows ? m : Product.even(m, rows, kernels.shape().rows());
        int nb = n <= rows ? n : COLUMNS;
        for (int depth = 0; depth < k; depth += kb) {
            int kc = Math.min(kb, k - depth);
            double old = depth == 0 ? beta : 1;
            for (int i = 0; i < m; i += mb) {
                long ak = a + ((long) i << size) + depth * (lda << size);
                long ci = c + ((long) i << size);
                int height = Math.min(mb, m - i);
                for (int j = 0; j < n; j += nb) {
                    long bj = b + depth * step + j * next;
                    long to = ci + j * (ldc << size);
                    run(height, Math.min(nb, n - j), kc, alpha, ak, lda << size, bj, step, next, old, to, ldc << size);
                }
            }
        }
    }

    /**
     * C := alpha·A·op(B) + beta·C for real numbers; all strides are in bytes, {@code step} down a column of op(B), {@code next} to the
     * next.
     */
    public void run(int m, int n, int k, double alpha, long a, long lda, long b, long step, long next, double beta,
            long c, long ldc) {
        int last = (1 << lanes) - 1;
        for (int i = 0; i < m;) {
            int vectors = Shape.tile(m - i + last >> lanes);
            int part = m - i < vectors << lanes ? m & last : 0;
            long down = (long) i << size;
            // One call for all tiles of full width, one for the rest.
            for (int j = 0; j < n;) {
                int panels = n - j >> nr;
                int columns = panels > 0 ? 1 << nr : n - j;
                NativeCall.direct(kernels.direct(vectors, columns, part != 0), k, a + down, lda, b + j * next, step,
                        next, c + down + j * ldc, ldc, masks[part], Math.max(1, panels), alpha, beta);
                j += panels > 0 ? panels << nr : columns;
            }
            i += vectors << lanes;
        }
    }
}
