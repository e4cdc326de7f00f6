package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.portable.HeapOperands;
import dev.basalt.portable.Leaf;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * Products of real numbers whose result has few rows or columns, or is a small triangle: what would be blocks of whole vectors of rows is mostly empty then. Which path a product takes must not
 * depend on its longer side, which threads share out. Any number of threads may use one object.
 */
public final class FewLines {
    /** Rows or columns that are few. */
    public static final long MOST = 12;

    /** Inner dimension from which on one line of a small product is a vector beside a matrix. */
    public static final long LINE = 16;

    /** Smaller inner dimensions are never worth it. */
    private static final long LEAST_DEPTH = 16;

    /** Inner dimensions that are worth it for any number of lines. */
    private static final long DEEP = 64;

    /** More rows than these fill blocks of vectors well enough beside a plain B, which is read where it is, up to an inner dimension. */
    private static final long THIN_ROWS = 6;

    private static final long DEEP_ROWS = 160;

    /** Rows and columns of a small result. */
    private static final long SQUARE = 24;

    /** Inner dimension from which on its factors are long, and where fewer rows or columns than two vectors of doubles leave more of a block empty. */
    private static final long LONG = 256;

    private static final long LONG_BESIDE_FEW = 160;

    private static final long WHOLE = 16;

    /** Columns of the first factor that kernels take together. */
    private static final long PANEL = 4;

    /** As much for each line where the lines have to be copied. */
    private static final long LEAST_COPIED = 6;

    /** Lines of a triangle's factor that are worth copying. */
    private static final long MOST_COPIED = 4;

    /** Bytes of a column of C from which on, if both sides are few, blocks of narrow vectors are sooner done than rows of A are brought together. */
    private static final long FILLED = 32;

    /** Inner dimension of a pass. */
    private static final long DEPTH = 1024;

    /** Bytes of the long factor's part that stays in the cache for a pass. */
    private static final long PART_BYTES = 256 << 10;

    private static final long WIDEST_PART = 256;

    /** Shorter vectors are for loops in Java, which see no array of Java: they go by way of the scratch. */
    private static final long LEAST_PART = 32;

    private final MatvecTable kernels;
    private final long size;
    private final ScratchPool scratch;

    /** For numbers of so many bytes. */
    FewLines(MatvecTable kernels, long size) {
        this.kernels = kernels;
        this.size = size;
        this.scratch = new ScratchPool((MOST * (DEPTH + WIDEST_PART) + LEAST_PART) * size);
    }

    /**
     * See {@link Leaf#gemm}, with alpha not 0.
     *
     * @param leaf copies, and multiplies where few rows become few columns
     * @return false, with nothing done, where it has no use for it
     */
    public boolean gemm(Leaf leaf, Op opA, Op opB, long m, long n, long k, double alpha, long a, long lda, long b,
            long ldb, double beta, long c, long ldc) {
        return k >= LEAST_DEPTH && few(leaf, opA, opB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
    }

    private boolean few(Leaf leaf, Op opA, Op opB, long m, long n, long k, double alpha, long a, long lda, long b,
            long ldb, double beta, long c, long ldc) {
        // Both are few only in whole products.
        if (m <= MOST && n <= MOST && opA == Op.NONE && m * size >= FILLED) {
            return false;
        }
        boolean plainA = opA == Op.NONE;
        boolean plainB = opB == Op.NONE;
        if (!plainA && plainB && square(m, n, k)) {
            dots(leaf, false, n, m, k, alpha, a, lda, b, 1, ldb, beta, c, ldc);
            return true;
        }
        boolean rows = m <= MOST && (n > MOST || m <= n);
        boolean columns = !rows && n <= MOST && opA != Op.NONE;
        boolean apart = rows ? plainA || !plainB : !plainB;
        if (rows && plainB && m > THIN_ROWS && k < DEEP_ROWS) {
            return false;
        }
        if (!rows && !columns || k < depth(rows ? m : n) || apart && k < LEAST_COPIED * (rows ? m : n)) {
            return false;
        }
        // A small result is sooner written as it lies; the bits are the same.
        if (columns || plainB && !plainA && m >= PANEL && n <= SQUARE) {
            dots(leaf, false, n, m, k, alpha, a, lda, b, plainB ? 1 : ldb, plainB ? ldb : 1, beta, c, ldc);
        } else if (plainB) {
            dots(leaf, true, m, n, k, alpha, b, ldb, a, plainA ? lda : 1, plainA ? 1 : lda, beta, c, ldc);
        } else {
            turned(leaf, plainA ? Op.TRANS : Op.NONE, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
        }
        return true;
    }

    /**
     * Whether a product of so many lines with an inner dimension may come here.
     *
     * @param lines rows or columns
     * @param k inner dimension
     * @return false if it never does
     */
    public static boolean few(long lines, long k) {
        return lines <= MOST && k >= depth(lines);
    }

    /**
     * Whether a single product of real numbers may take a path of its own for few lines, so that those of a batch take it, too.
     *
     * @param m rows
     * @param n columns
     * @param k inner dimension
     * @return false if it never does
     */
    public static boolean apart(long m, long n, long k) {
        long lines = Math.min(m, n);
        return lines == 1 && k >= LINE || few(lines, k);
    }

    /** Whether a small result is made of long columns, so that dots take less time than to transpose one factor. Nobody cuts it. */
    private static boolean square(long m, long n, long k) {
        long few = Math.min(m, n);
        return Math.max(m, n) <= SQUARE && few > MOST && k >= (few < WHOLE ? LONG_BESIDE_FEW : LONG);
    }

    /** Two or three lines leave most of a block empty, so that less depth is worth it. */
    private static long depth(long lines) {
        return lines == 2 || lines == 3 ? LEAST_DEPTH * (lines - 1) : DEEP;
    }

    /**
     * See {@link Leaf#syrk}, with alpha not 0.
     *
     * @param leaf copies and adds
     * @return false, with nothing done, where it has no use for it
     */
    public boolean syrk(Leaf leaf, Uplo uplo, Op op, long n, long k, double alpha, long a, long lda, double beta,
            long c, long ldc) {
        return k >= DEEP && deep(leaf, uplo, op, n, k, alpha, a, lda, beta, c, ldc);
    }

    private boolean deep(Leaf leaf, Uplo uplo, Op op, long n, long k, double alpha, long a, long lda, double beta,
            long c, long ldc) {
        boolean apart = op == Op.NONE;
        if (n > (apart ? MOST_COPIED : MOST) || k < (apart ? DEEP * n : DEEP)) {
            return false;
        }
        MemorySegment memory = scratch.take();
        long result = memory.address();
        long vectors = result + MOST * WIDEST_PART * size;
        for (long p = 0; p < k; p += DEPTH) {
            long depth = Math.min(DEPTH, k - p);
            long lines = apart ? vectors : a + p * size;
            long ld = apart ? DEPTH : lda;
            for (long j = 0; j < n && apart; j++) {
                bring(leaf, depth, a + (j + p * lda) * size, lda, vectors + j * DEPTH * size);
            }
            leaf.fill(n * n, 0, 0, result, 1);
            multiply(n, n, depth, lines, ld, lines, ld, result);
            scale(leaf, n * n, alpha, p == 0 ? beta : 1, result);
            for (long j = 0; j < n; j++) {
                long first = uplo == Uplo.UPPER ? 0 : j;
                add(leaf, uplo == Uplo.UPPER ? j + 1 : n - j, alpha, result + (first + j * n) * size, p == 0 ? beta : 1,
                        c + (first + j * ldc) * size, 1, spare(result));
            }
        }
        scratch.give(memory);
        return true;
    }

    /**
     * Columns of a matrix times few vectors.
     *
     * @param turned whether the result is transposed: few rows
     * @param few vectors
     * @param count columns
     * @param a the matrix, k rows of it
     * @param b the vectors
     * @param down elements from one element of a vector to the next
     * @param across elements from one vector to the next
     */
    private void dots(Leaf leaf, boolean turned, long few, long count, long k, double alpha, long a, long lda, long b,
            long down, long across, double beta, long c, long ldc) {
        MemorySegment memory = scratch.take();
        long result = memory.address();
        long vectors = result + MOST * WIDEST_PART * size;
        for (long p = 0; p < k; p += DEPTH) {
            long depth = Math.min(DEPTH, k - p);
            long right = b + p * down * size;
            long ldr = across;
            if (down != 1) {
                for (long j = 0; j < few; j++) {
                    bring(leaf, depth, right + j * across * size, down, vectors + j * DEPTH * size);
                }
                right = vectors;
                ldr = DEPTH;
            }
            long part = Math.min(WIDEST_PART, PART_BYTES / (depth * size) & -4);
            for (long i = 0; i < count; i += part) {
                long some = Math.min(part, count - i);
                leaf.fill(few * some, 0, 0, result, 1);
                multiply(few, some, depth, a + (p + i * lda) * size, lda, right, ldr, result);
                add(leaf, turned, few, some, alpha, result, p == 0 ? beta : 1, c + i * (turned ? ldc : 1) * size, ldc);
            }
        }
        scratch.give(memory);
    }

    /** Adds columns times few vectors to a result in columns. */
    private void multiply(long few, long count, long depth, long a, long lda, long b, long ldb, long result) {
        int most = kernels.mostDots();
        for (long j = 0; j < few; j += most) {
            NativeCall.direct(kernels.dots((int) Math.min(most, few - j)), depth, count, a, lda * size,
                    b + j * ldb * size, result + j * count * size, ldb * size, count * size, 0, 0, 0, 0);
        }
    }

    /** Few rows as the columns of the transposed product, whose left factor lies as it is wanted. */
    private void turned(Leaf leaf, Op op, long m, long n, long k, double alpha, long a, long lda, long b, long ldb,
            double beta, long c, long ldc) {
        MemorySegment memory = scratch.take();
        long result = memory.address();
        for (long i = 0; i < n; i += WIDEST_PART) {
            long some = Math.min(WIDEST_PART, n - i);
            leaf.gemm(Op.NONE, op, some, m, k, 1, 0, b + i * size, ldb, a, lda, 0, 0, result, some, 0, 0);
            add(leaf, true, m, some, alpha, result, beta, c + i * ldc * size, ldc);
        }
        scratch.give(memory);
    }

    /** Adds a result, which lies in columns. */
    private void add(Leaf leaf, boolean turned, long few, long count, double alpha, long result, double beta, long c,
            long ldc) {
        scale(leaf, few * count, alpha, beta, result);
        if (beta == 0 && !turned && c >= 0) {
            leaf.copyMatrix(count, few, result, count, c, ldc);
            return;
        }
        for (long j = 0; j < few; j++) {
            add(leaf, count, alpha, result + j * count * size, beta, c + j * (turned ? 1 : ldc) * size,
                    turned ? ldc : 1, spare(result));
        }
    }

    /** What is not added to anything is multiplied first. */
    private static void scale(Leaf leaf, long count, double alpha, double beta, long result) {
        if (beta == 0 && alpha != 1) {
            leaf.scal(count, alpha, 0, true, result, 1);
        }
    }

    /** Where the scratch has room for a short vector, behind results and vectors. */
    private long spare(long result) {
        return result + MOST * (DEPTH + WIDEST_PART) * size;
    }

    /** A vector to the scratch. */
    private void bring(Leaf leaf, long count, long from, long inc, long to) {
        if (from < 0 && count < LEAST_PART) {
            HeapOperands.move((int) count, from, inc * size, to, size);
        } else {
            leaf.copy(count, from, inc, to, 1);
        }
    }

    /** Short vectors lie together when they are added to, in an array of Java or not, so that the bits are the same. */
    private void add(Leaf leaf, long count, double alpha, long from, double beta, long to, long inc, long spare) {
        if (count >= LEAST_PART || to >= 0 && inc == 1) {
            sum(leaf, count, alpha, from, beta, to, inc);
        } else {
            if (beta != 0) {
                bring(leaf, count, to, inc, spare);
            }
            sum(leaf, count, alpha, from, beta, spare, 1);
            if (to < 0) {
                HeapOperands.move((int) count, spare, size, to, inc * size);
            } else {
                leaf.copy(count, spare, 1, to, inc);
            }
        }
    }

    private static void sum(Leaf leaf, long count, double alpha, long from, double beta, long to, long inc) {
        if (beta == 0) {
            leaf.copy(count, from, 1, to, inc);
            return;
        }
        if (beta != 1) {
            leaf.scal(count, beta, 0, true, to, inc);
        }
        leaf.axpy(count, alpha, 0, from, 1, to, inc);
    }
}
