package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.portable.Leaf;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * Matrices and vectors with gaps: elements are brought together in scratch, the kernels for vectors without gaps run there, and results go back. What a
 * matrix costs to read hides it. Vectors are cut where nobody cuts a call among threads, so bits do not depend on their number.
 */
public final class Gathered {
    /** Bytes of a vector in scratch: it stays in the L2 cache beside the other one. */
    private static final long BYTES = 64 << 10;

    private final long element;
    private final long most;
    private final ScratchPool pool = new ScratchPool(2 * BYTES);

    /** Elements that are moved one by one: a call of a kernel takes as long. */
    private static final long SHORT = 16;

    /** For elements of so many bytes. */
    public Gathered(long element) {
        this.element = element;
        this.most = BYTES / element;
    }

    /** See {@link Leaf#gemv}, with alpha, m and n not 0. */
    public void gemv(Leaf leaf, Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy) {
        boolean plain = op == Op.NONE;
        long results = plain ? m : n;
        long terms = plain ? n : m;
        boolean kept = betaRe != 0 || betaIm != 0;
        MemorySegment memory = pool.take();
        long own = memory.address();
        for (long r = 0, rows; r < results; r += rows) {
            // A few rows of their own would have other bits, and where they are depends on who cut the call.
            rows = piece(results - r);
            long sums = incy == 1 ? y + r * element : own;
            if (incy != 1 && kept) {
                move(leaf, rows, y + r * incy * element, incy, own, 1);
            }
            for (long t = 0, count; t < terms; t += count) {
                count = piece(terms - t);
                long factors = x + t * incx * element;
                if (incx != 1) {
                    move(leaf, count, factors, incx, own + BYTES, 1);
                    factors = own + BYTES;
                }
                long part = a + (plain ? r + t * lda : t + r * lda) * element;
                leaf.gemv(op, plain ? rows : count, plain ? count : rows, alphaRe, alphaIm, part, lda, factors, 1,
                        t == 0 ? betaRe : 1, t == 0 ? betaIm : 0, sums, 1);
            }
            if (incy != 1) {
                move(leaf, rows, own, 1, y + r * incy * element, incy);
            }
        }
        pool.give(memory);
    }

    /** The next piece of what is left: one that leaves either nothing or more than a few. */
    private long piece(long left) {
        long rest = left - most;
        return rest <= 0 ? left : rest <= Matvec.FEW_ROWS ? most - Matvec.FEW_ROWS : most;
    }

    /** See {@link Leaf#ger}, with alpha, m and n not 0. */
    public void ger(Leaf leaf, long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy,
            boolean conj, long a, long lda) {
        MemorySegment memory = pool.take();
        long own = memory.address();
        for (long i = 0; i < m; i += most) {
            long rows = Math.min(most, m - i);
            long left = x + i * incx * element;
            if (incx != 1) {
                move(leaf, rows, left, incx, own, 1);
                left = own;
            }
            for (long j = 0; j < n; j += most) {
                long columns = Math.min(most, n - j);
                long right = y + j * incy * element;
                if (incy != 1) {
                    move(leaf, columns, right, incy, own + BYTES, 1);
                    right = own + BYTES;
                }
                leaf.ger(rows, columns, alphaRe, alphaIm, left, 1, right, 1, conj, a + (i + j * lda) * element, lda);
            }
        }
        pool.give(memory);
    }

    /** See {@link Leaf#symv}, with alpha and n not 0. */
    public void symv(Leaf leaf, Uplo uplo, boolean hermitian, long n, double alphaRe, double alphaIm, long a, long lda,
            long x, long incx, double betaRe, double betaIm, long y, long incy) {
        if (n > most) {
            long first = n / 2;
            long rest = n - first;
            long x2 = x + first * incx * element;
            long y2 = y + first * incy * element;
            long a22 = a + first * (lda + 1) * element;
            boolean lower = uplo == Uplo.LOWER;
            Op across = hermitian ? Op.CONJ_TRANS : Op.TRANS;
            long off = a + (lower ? first : first * lda) * element;
            long rows = lower ? rest : first;
            symv(leaf, uplo, hermitian, first, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            symv(leaf, uplo, hermitian, rest, alphaRe, alphaIm, a22, lda, x2, incx, betaRe, betaIm, y2, incy);
            leaf.gemv(lower ? Op.NONE : across, rows, n - rows, alphaRe, alphaIm, off, lda, x, incx, 1, 0, y2, incy);
            leaf.gemv(lower ? across : Op.NONE, rows, n - rows, alphaRe, alphaIm, off, lda, x2, incx, 1, 0, y, incy);
            return;
        }
        MemorySegment memory = pool.take();
        long own = memory.address();
        long factors = x;
        long sums = y;
        if (incx != 1) {
            factors = own;
            move(leaf, n, x, incx, factors, 1);
        }
        if (incy != 1) {
            sums = own + BYTES;
        }
        if (incy != 1 && (betaRe != 0 || betaIm != 0)) {
            move(leaf, n, y, incy, sums, 1);
        }
        leaf.symv(uplo, hermitian, n, alphaRe, alphaIm, a, lda, factors, 1, betaRe, betaIm, sums, 1);
        if (incy != 1) {
            move(leaf, n, sums, 1, y, incy);
        }
        pool.give(memory);
    }

    /** See {@link Leaf#trmv}, and {@link Leaf#trsv}, where it {@code solves}; false, with nothing done, if x is too long. */
    public boolean triangle(Leaf leaf, boolean solves, Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x,
            long incx) {
        if (n > most) {
            return false;
        }
        MemorySegment memory = pool.take();
        long own = memory.address();
        move(leaf, n, x, incx, own, 1);
        if (solves) {
            leaf.trsv(uplo, op, diag, n, a, lda, own, 1);
        } else {
            leaf.trmv(uplo, op, diag, n, a, lda, own, 1);
        }
        move(leaf, n, own, 1, x, incx);
        pool.give(memory);
        return true;
    }

    /** y := x, few elements without a kernel; those in arrays of Java have no addresses. */
    private void move(Leaf leaf, long n, long x, long incx, long y, long incy) {
        if (n > SHORT || (x | y) < 0) {
            leaf.copy(n, x, incx, y, incy);
            return;
        }
        long dx = incx * element;
        long dy = incy * element;
        long from = x;
        long to = y;
        if (element == 4) {
            for (int i = 0; i < (int) n; i++, from += dx, to += dy) {
                i32(to, i32(from));
            }
            return;
        }
        for (int i = 0; i < (int) n; i++, from += dx, to += dy) {
            i64(to, i64(from));
            if (element == 16) {
                i64(to + 8, i64(from + 8));
            }
        }
    }
}
