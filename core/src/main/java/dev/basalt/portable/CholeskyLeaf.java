package dev.basalt.portable;

import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The Cholesky kernels for one problem of one element type that are not in {@link Leaf}, over the kernels of a leaf: an engine with faster ones is faster here
 * too. Element (i, j) of a stored triangle lies {@code i + step·j + growth·j·(j-1)/2} behind its address, as in {@link Leaf#symvStored}.
 */
public abstract class CholeskyLeaf {
    /** Columns of so many bytes are copied word by word: a call takes longer. */
    private static final long SHORT = 128;

    /** Diagonals beside the main one up to which a band is gone through by element: kernels of vectors cost more a column. */
    private static final long NARROW = 4;

    private final Leaf leaf;
    private final long bytes;

    CholeskyLeaf(Leaf leaf, long bytes) {
        this.leaf = leaf;
        this.bytes = bytes;
    }

    /** The lower triangle of n×n := LᴴL by element; rows lie {@code di} bytes apart, columns {@code dj}. */
    abstract void smallLauum(long n, long a, long di, long dj);

    /**
     * Cholesky of a narrow band by element, from what is left of each element: the same for both triangles.
     *
     * @param k diagonals beside the main one
     * @param di bytes from a row to the next of the triangle as a lower one
     * @param dj the same of columns
     * @return 1-based order of the first leading minor that is not positive definite, 0 if all are
     */
    abstract long narrow(long n, long k, long a, long di, long dj);

    /** Whether an element is 0. */
    abstract boolean isZero(long a);

    /** The real part of an element. */
    abstract double real(long a);

    /** The element := a real number. */
    abstract void real(long a, double value);

    /** The sum of the squares of the absolute values of n elements in a row. */
    abstract double squares(long n, long x);

    /** A triangle in place := LᴴL, or UUᴴ of an upper one. */
    public final void lauum(Uplo uplo, long n, long a, long lda) {
        boolean lower = uplo == Uplo.LOWER;
        if (n <= Recursive.BASE) {
            smallLauum(n, a, lower ? bytes : lda * bytes, lower ? lda * bytes : bytes);
            return;
        }
        long n1 = Recursive.half(n);
        long n2 = n - n1;
        long a22 = a + (n1 + n1 * lda) * bytes;
        lauum(uplo, n1, a, lda);
        if (lower) {
            long a21 = a + n1 * bytes;
            leaf.syrk(uplo, Op.CONJ_TRANS, true, n1, n2, 1, 0, a21, lda, 1, 0, a, lda);
            leaf.trmm(Side.LEFT, uplo, Op.CONJ_TRANS, Diag.NON_UNIT, n2, n1, 1, 0, a22, lda, a21, lda);
        } else {
            long a12 = a + n1 * lda * bytes;
            leaf.syrk(uplo, Op.NONE, true, n1, n2, 1, 0, a12, lda, 1, 0, a, lda);
            leaf.trmm(Side.RIGHT, uplo, Op.CONJ_TRANS, Diag.NON_UNIT, n1, n2, 1, 0, a22, lda, a12, lda);
        }
        lauum(uplo, n2, a22, lda);
    }

    /** The triangle of c := that of a, each stored in its way. */
    final void copyStored(Uplo uplo, long n, long a, long stepA, long growthA, long c, long stepC, long growthC) {
        boolean lower = uplo == Uplo.LOWER;
        for (long j = 0; j < n; j++) {
            long from = at(a, lower ? j : 0, j, stepA, growthA);
            long to = at(c, lower ? j : 0, j, stepC, growthC);
            long size = (lower ? n - j : j + 1) * bytes;
            if (size > SHORT) {
                Memory.copy(from, to, size);
                continue;
            }
            long at = 0;
            for (; at + 8 <= size; at += 8) {
                Memory.i64(to + at, Memory.i64(from + at));
            }
            if (at < size) {
                Memory.i32(to + at, Memory.i32(from + at));
            }
        }
    }

    /** Whether a packed triangle is written out in scratch of some bytes. */
    private boolean unpacks(long n, long growth, long workBytes) {
        return growth != 0 && workBytes >= n * n * bytes;
    }

    /**
     * Cholesky factorisation of a stored triangle with k diagonals beside the main one, in place.
     *
     * @param work scratch, in which a packed triangle is factored faster if it has room for n×n elements
     * @return 1-based order of the first leading minor that is not positive definite (NaN counts as not), 0 if all are
     */
    public final long potf2(Uplo uplo, long n, long k, long a, long step, long growth, long work, long workBytes) {
        if (unpacks(n, growth, workBytes)) {
            copyStored(uplo, n, a, step, growth, work, n, 0);
            long info = leaf.potf2(uplo, n, work, n);
            copyStored(uplo, n, work, n, 0, a, step, growth);
            return info;
        }
        return byColumns(uplo, n, k, a, step, growth);
    }

    /**
     * The same for a packed triangle.
     *
     * @return as above
     */
    public final long potf2(Uplo uplo, long n, long a, long work, long workBytes) {
        boolean lower = uplo == Uplo.LOWER;
        return potf2(uplo, n, n, a, lower ? n - 1 : 1, lower ? -1 : 1, work, workBytes);
    }

    /**
     * An upper triangle looks back from each column, a lower one updates what is behind it, so that all run along columns.
     */
    private long byColumns(Uplo uplo, long n, long k, long a, long step, long growth) {
        if (k <= NARROW && growth == 0) {
            boolean lower = uplo == Uplo.LOWER;
            return narrow(n, k, a, lower ? bytes : step * bytes, lower ? step * bytes : bytes);
        }
        for (long j = 0; j < n; j++) {
            long ajj = at(a, j, j, step, growth);
            double pivot = real(ajj);
            if (uplo == Uplo.UPPER) {
                long before = Math.min(k, j);
                long p = j - before;
                long column = at(a, p, j, step, growth);
                leaf.trsvStored(uplo, Op.CONJ_TRANS, Diag.NON_UNIT, before, k, at(a, p, p, step, growth),
                        step + growth * p, growth, column, 1);
                pivot -= squares(before, column);
            }
            if (!(pivot > 0)) {
                real(ajj, pivot);
                return j + 1;
            }
            double root = Math.sqrt(pivot);
            real(ajj, root);
            long behind = Math.min(k, n - 1 - j);
            if (uplo == Uplo.LOWER && behind > 0) {
                leaf.scal(behind, 1 / root, 0, true, ajj + bytes, 1);
                long p = j + 1;
                leaf.syr(uplo, true, behind, 0, behind, -1, 0, ajj + bytes, 1, at(a, p, p, step, growth),
                        step + growth * p, growth);
            }
        }
        return 0;
    }

    /**
     * Cholesky of a packed triangle and solution for the n×sides right-hand sides b.
     *
     * @param work scratch as for {@link #potf2}
     * @return as {@link #potf2}; where that is not 0, b is left alone
     */
    public final long posv(Uplo uplo, long n, long sides, long a, long step, long growth, long b, long ldb, long work,
            long workBytes) {
        boolean lower = uplo == Uplo.LOWER;
        long info = potf2(uplo, n, n, a, step, growth, work, workBytes);
        if (info != 0) {
            return info;
        }
        Op first = lower ? Op.NONE : Op.CONJ_TRANS;
        Op second = lower ? Op.CONJ_TRANS : Op.NONE;
        if (!unpacks(n, growth, workBytes)) {
            for (long j = 0; j < sides; j++) {
                long x = b + j * ldb * bytes;
                leaf.trsvStored(uplo, first, Diag.NON_UNIT, n, n, a, step, growth, x, 1);
                leaf.trsvStored(uplo, second, Diag.NON_UNIT, n, n, a, step, growth, x, 1);
            }
        } else if (sides == 1) {
            leaf.trsv(uplo, first, Diag.NON_UNIT, n, work, n, b, 1);
            leaf.trsv(uplo, second, Diag.NON_UNIT, n, work, n, b, 1);
        } else {
            leaf.trsm(Side.LEFT, uplo, first, Diag.NON_UNIT, n, sides, 1, 0, work, n, b, ldb);
            leaf.trsm(Side.LEFT, uplo, second, Diag.NON_UNIT, n, sides, 1, 0, work, n, b, ldb);
        }
        return 0;
    }

    /**
     * The packed triangle of a symmetric matrix := that of its inverse, from its factor, in place: LAPACK's pptri.
     *
     * @param work scratch as for {@link #potf2}
     * @return 1-based place of the first element of the diagonal that is zero, 0 if none is
     */
    public final long potri(Uplo uplo, long n, long a, long step, long growth, long work, long workBytes) {
        for (long j = 0; j < n; j++) {
            if (isZero(at(a, j, j, step, growth))) {
                return j + 1;
            }
        }
        if (unpacks(n, growth, workBytes)) {
            copyStored(uplo, n, a, step, growth, work, n, 0);
            leaf.trtri(uplo, Diag.NON_UNIT, n, work, n);
            lauum(uplo, n, work, n);
            copyStored(uplo, n, work, n, 0, a, step, growth);
            return 0;
        }
        invertByColumns(uplo, n, a, step, growth);
        multiplyByColumns(uplo, n, a, step, growth);
        return 0;
    }

    /** A packed factor := its inverse. */
    private void invertByColumns(Uplo uplo, long n, long a, long step, long growth) {
        boolean lower = uplo == Uplo.LOWER;
        for (long r = 0; r < n; r++) {
            long j = lower ? n - 1 - r : r;
            long ajj = at(a, j, j, step, growth);
            long p = lower ? j + 1 : 0;
            long column = at(a, p, j, step, growth);
            double inverse = 1 / real(ajj);
            real(ajj, inverse);
            leaf.trmvStored(uplo, Op.NONE, Diag.NON_UNIT, r, n, at(a, p, p, step, growth), step + growth * p, growth,
                    column, 1);
            leaf.scal(r, -inverse, 0, true, column, 1);
        }
    }

    /** A packed triangle := LᴴL or UUᴴ. */
    private void multiplyByColumns(Uplo uplo, long n, long a, long step, long growth) {
        boolean lower = uplo == Uplo.LOWER;
        for (long j = 0; j < n; j++) {
            long ajj = at(a, j, j, step, growth);
            double diagonal = real(ajj);
            if (lower) {
                long p = j + 1;
                real(ajj, squares(n - j, ajj));
                leaf.trmvStored(uplo, Op.CONJ_TRANS, Diag.NON_UNIT, n - p, n, at(a, p, p, step, growth),
                        step + growth * p, growth, ajj + bytes, 1);
            } else {
                long column = at(a, 0, j, step, growth);
                leaf.syr(uplo, true, j, 0, j, 1, 0, column, 1, a, step, growth);
                leaf.scal(j + 1, diagonal, 0, true, column, 1);
            }
        }
    }

    private long at(long a, long i, long j, long step, long growth) {
        return a + (i + step * j + growth * (j * (j - 1) / 2)) * bytes;
    }
}
