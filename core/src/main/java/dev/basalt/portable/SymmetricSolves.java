package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** What is done with the factors of LDLᵀ. Methods that meet pivots which no factorisation leaves say so and do no more. */
abstract class SymmetricSolves extends SymmetricPanels {
    /** Columns whose rows are worked on together. */
    private static final long STRIP = 16;

    SymmetricSolves(Leaf leaf, long bytes) {
        super(leaf, bytes);
    }

    private static Op turned(boolean hermitian) {
        return hermitian ? Op.CONJ_TRANS : Op.TRANS;
    }

    /** B := the solution of A·X = B for nrhs columns from the factors at {@code a}, some columns at a time, which stay in a cache. */
    final boolean sytrs(boolean upper, boolean hermitian, boolean rook, long n, long nrhs, long a, long step,
            long growth, long ipiv, long b, long ldb) {
        for (long j = 0; j < nrhs; j += STRIP) {
            if (!pivotByPivot(upper, hermitian, rook, n, Math.min(STRIP, nrhs - j), a, step, growth, ipiv,
                    b + j * ldb * bytes, ldb)) {
                return false;
            }
        }
        return true;
    }

    private boolean pivotByPivot(boolean upper, boolean hermitian, boolean rook, long n, long nrhs, long a, long step,
            long growth, long ipiv, long b, long ldb) {
        long b0 = upper ? b + (n - 1) * bytes : b;
        for (long k = 0; k < n;) {
            long pivot = pivot(upper, rook, n, k, ipiv);
            if (pivot == Long.MIN_VALUE) {
                return false;
            }
            long size = pivot < 0 ? 2 : 1;
            if (size == 2 && rook) {
                swap(upper, nrhs, k, named(upper, n, k, ipiv), b0, ldb);
            }
            swap(upper, nrhs, k + size - 1, pivot < 0 ? ~pivot : pivot, b0, ldb);
            long rest = n - k - size;
            long x = at(upper, b0, 0, 0, k, 0);
            if (rest > 0) {
                long l = low(upper, rest, at(upper, a, step, growth, k + size, upper ? k + size - 1 : k));
                long y = low(upper, rest, at(upper, b0, 0, 0, k + size, 0));
                forward(rest, size, nrhs, l, apart(upper, a, step, growth, k, size), low(upper, size, x), y, ldb);
            }
            block(upper, hermitian, size, nrhs, k, a, step, growth, x, ldb);
            k += size;
        }
        for (long k = n - 1; k >= 0;) {
            long pivot = pivotBefore(upper, rook, n, k, ipiv);
            if (pivot == Long.MIN_VALUE) {
                return false;
            }
            long size = pivot < 0 ? 2 : 1;
            long top = k + 1 - size;
            long rest = n - k - 1;
            if (rest > 0) {
                long l = low(upper, rest, at(upper, a, step, growth, k + 1, upper ? k : top));
                long y = low(upper, rest, at(upper, b0, 0, 0, k + 1, 0));
                long x = low(upper, size, at(upper, b0, 0, 0, top, 0));
                backward(hermitian, rest, size, nrhs, l, apart(upper, a, step, growth, top, size), x, y, ldb);
            }
            swap(upper, nrhs, k, pivot < 0 ? ~pivot : pivot, b0, ldb);
            if (size == 2 && rook) {
                swap(upper, nrhs, top, named(upper, n, top, ipiv), b0, ldb);
            }
            k = top - 1;
        }
        return true;
    }

    /** Takes the rows at x, times one or two columns of L, off those at y. */
    private void forward(long rest, long size, long nrhs, long l, long ldl, long x, long y, long ldb) {
        if (nrhs == 1) {
            leaf.gemv(Op.NONE, rest, size, -1, 0, l, ldl, x, 1, 1, 0, y, 1);
            return;
        }
        for (long c = 0; c < size; c++) {
            leaf.ger(rest, nrhs, -1, 0, l + c * ldl * bytes, 1, x + c * bytes, ldb, false, y, ldb);
        }
    }

    /** Takes the products of one or two columns of L with the rows at y off those at x. */
    private void backward(boolean hermitian, long rest, long size, long nrhs, long l, long ldl, long x, long y,
            long ldb) {
        if (nrhs == 1) {
            leaf.gemv(turned(hermitian), rest, size, -1, 0, l, ldl, y, 1, 1, 0, x, 1);
            return;
        }
        for (long c = 0; c < size; c++) {
            long row = x + c * bytes;
            if (hermitian) {
                conjugate(nrhs, row, ldb);
            }
            leaf.gemv(turned(hermitian), rest, nrhs, -1, 0, y, ldb, l + c * ldl * bytes, 1, 1, 0, row, ldb);
            if (hermitian) {
                conjugate(nrhs, row, ldb);
            }
        }
    }

    /** Elements from a column of a block to the next; at least as many as it has rows. */
    private long apart(boolean upper, long a, long step, long growth, long k, long size) {
        long one = at(upper, a, step, growth, k + 1, k);
        return size == 1 ? step + 1 : Math.abs(at(upper, a, step, growth, k + 1, k + 1) - one) / bytes;
    }

    private void swap(boolean upper, long nrhs, long one, long other, long b0, long ldb) {
        if (one != other) {
            leaf.swap(nrhs, at(upper, b0, 0, 0, one, 0), ldb, at(upper, b0, 0, 0, other, 0), ldb);
        }
    }

    /** Solves with one block of D. */
    private void block(boolean upper, boolean hermitian, long size, long nrhs, long k, long a, long step, long growth,
            long x, long ldb) {
        long d11 = at(upper, a, step, growth, k, k);
        if (size == 1) {
            solve(hermitian, d11, nrhs, x, ldb);
        } else {
            solve(hermitian, d11, at(upper, a, step, growth, k + 1, k), at(upper, a, step, growth, k + 1, k + 1), nrhs,
                    x, upper ? x - bytes : x + bytes, ldb);
        }
    }

    /** B := D⁻¹·B, some columns at a time: what is brought into a cache for a row is there for the next. */
    final boolean blocks(boolean upper, boolean hermitian, boolean rook, long n, long nrhs, long a, long step,
            long growth, long ipiv, long b, long ldb) {
        for (long j = 0; j < nrhs; j += STRIP) {
            if (!strip(upper, hermitian, rook, n, Math.min(STRIP, nrhs - j), a, step, growth, ipiv, b + j * ldb * bytes,
                    ldb)) {
                return false;
            }
        }
        return true;
    }

    private boolean strip(boolean upper, boolean hermitian, boolean rook, long n, long nrhs, long a, long step,
            long growth, long ipiv, long b, long ldb) {
        long b0 = upper ? b + (n - 1) * bytes : b;
        for (long k = 0; k < n;) {
            long pivot = pivot(upper, rook, n, k, ipiv);
            if (pivot == Long.MIN_VALUE) {
                return false;
            }
            long size = pivot < 0 ? 2 : 1;
            block(upper, hermitian, size, nrhs, k, a, step, growth, at(upper, b0, 0, 0, k, 0), ldb);
            k += size;
        }
        return true;
    }

    /**
     * The triangle of c := L with all interchanges, so that A = Pᵀ·L·D·Lᵀ·P, but for its unit diagonal. At {@code rows} the interchanges of P, one by one: the row from 1 that
     * each row changes places with, from the first to the last as it is read; none there where pivots are wrong.
     */
    final void syconv(boolean upper, boolean rook, long n, long a, long lda, long ipiv, long c, long ldc, long rows) {
        long a0 = first(upper, n, a, lda, 0);
        long c0 = first(upper, n, c, ldc, 0);
        for (long k = 0; k < n;) {
            long pivot = pivot(upper, rook, n, k, ipiv);
            if (pivot == Long.MIN_VALUE) {
                i64(rows + (upper ? n - 1 - k : k) * 8, 0);
                k++;
                continue;
            }
            long size = pivot < 0 ? 2 : 1;
            long last = k + size - 1;
            for (long j = k; j <= last; j++) {
                long to = j == last || rook ? named(upper, n, j, ipiv) : j;
                i64(rows + (upper ? n - 1 - j : j) * 8, upper ? n - to : to + 1);
                long rest = n - 1 - last;
                leaf.copy(rest, low(upper, rest, at(upper, a0, lda, 0, last + 1, j)), 1,
                        low(upper, rest, at(upper, c0, ldc, 0, last + 1, j)), 1);
            }
            if (size == 2) {
                leaf.fill(1, 0, 0, at(upper, c0, ldc, 0, last, k), 1);
            }
            k += size;
        }
        for (long j = 0; j < n; j += STRIP) {
            exchange(upper, rook, n, j, ipiv, c0, ldc);
        }
    }

    /** The rows of L change places in some columns from {@code first} on, each time in those that are done by then. */
    private void exchange(boolean upper, boolean rook, long n, long first, long ipiv, long c0, long ldc) {
        for (long k = 0; k < n;) {
            long pivot = pivot(upper, rook, n, k, ipiv);
            boolean wrong = pivot == Long.MIN_VALUE;
            long last = pivot < 0 && !wrong ? k + 1 : k;
            long count = Math.min(STRIP, k - first);
            for (long j = rook ? k : last; j <= last && count > 0 && !wrong; j++) {
                long row = named(upper, n, j, ipiv);
                if (row != j) {
                    long column = upper ? first + count - 1 : first;
                    leaf.swap(count, at(upper, c0, ldc, 0, j, column), ldc, at(upper, c0, ldc, 0, row, column), ldc);
                }
            }
            k = last + 1;
        }
    }

    /**
     * A⁻¹ in place of the factors of A.
     *
     * @param work address of n elements, 0 to see only whether there is an inverse
     * @return 1-based column of a pivot that is zero, with nothing changed, or 0; {@link Long#MIN_VALUE} where pivots are wrong
     */
    final long sytri(boolean upper, boolean hermitian, boolean rook, long n, long a, long step, long growth, long ipiv,
            long work) {
        for (long k = 0; k < n;) {
            long pivot = pivot(upper, rook, n, k, ipiv);
            if (pivot == Long.MIN_VALUE) {
                return pivot;
            }
            if (pivot >= 0 && isZero(at(upper, a, step, growth, k, k))) {
                return upper ? n - k : k + 1;
            }
            k += pivot < 0 ? 2 : 1;
        }
        if (work == 0) {
            return 0;
        }
        for (long k = n - 1; k >= 0;) {
            long pivot = pivotBefore(upper, rook, n, k, ipiv);
            if (pivot == Long.MIN_VALUE) {
                return pivot;
            }
            long top = pivot < 0 ? k - 1 : k;
            long d22 = at(upper, a, step, growth, k, k);
            if (top == k) {
                invert(hermitian, d22);
                inverseColumn(upper, hermitian, n, k, k, a, step, growth, work);
            } else {
                invert(hermitian, at(upper, a, step, growth, top, top), at(upper, a, step, growth, k, top), d22);
                inverseColumn(upper, hermitian, n, k, k, a, step, growth, work);
                // Beside the diagonal: with the column of the inverse that is there, and the other one still of L.
                long rest = n - 1 - k;
                if (rest > 0) {
                    leaf.gemv(turned(hermitian), rest, 1, -1, 0, low(upper, rest, at(upper, a, step, growth, k + 1, k)),
                            rest, low(upper, rest, at(upper, a, step, growth, k + 1, top)), 1, 1, 0,
                            at(upper, a, step, growth, k, top), 1);
                }
                inverseColumn(upper, hermitian, n, k, top, a, step, growth, work);
            }
            interchange(upper, hermitian, n, a, step, growth, top, k, pivot < 0 ? ~pivot : pivot);
            if (top < k && rook) {
                interchange(upper, hermitian, n, a, step, growth, top, top, named(upper, n, top, ipiv));
            }
            k = top - 1;
        }
        return 0;
    }

    /** Column j below row k := -A⁻¹·column, with the inverse of what is behind row k; its diagonal element follows. */
    private void inverseColumn(boolean upper, boolean hermitian, long n, long k, long j, long a, long step, long growth,
            long work) {
        long rest = n - 1 - k;
        if (rest == 0) {
            return;
        }
        long x = low(upper, rest, at(upper, a, step, growth, k + 1, j));
        long corner = upper ? n - 1 : k + 1;
        long ajj = at(upper, a, step, growth, j, j);
        leaf.copy(rest, x, 1, work, 1);
        Uplo uplo = upper ? Uplo.UPPER : Uplo.LOWER;
        long behind = at(upper, a, step, growth, corner, corner);
        if (growth == 0) {
            leaf.symv(uplo, hermitian, rest, -1, 0, behind, step, work, 1, 0, 0, x, 1);
        } else {
            leaf.symvStored(uplo, hermitian, rest, rest, -1, 0, behind, storedStep(upper, step, growth, k + 1),
                    upper ? -growth : growth, work, 1, 0, 0, x, 1);
        }
        leaf.gemv(turned(hermitian), rest, 1, -1, 0, work, rest, x, 1, 1, 0, ajj, 1);
        diagonal(hermitian, ajj);
    }
}
