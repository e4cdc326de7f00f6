package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** LU of a band for one problem of one element type, over the kernels of a leaf: an engine with faster ones is faster here too. */
public final class BandLeaf {
    /** Diagonals below the main one up to which columns are gone through by element: a vector kernel a column costs more. */
    private static final long NARROW = 16;

    /** The same for columns that are taken off right-hand sides. */
    private static final long NARROWEST = 4;

    private final Leaf leaf;
    private final long bytes;
    private final BandColumns narrow;
    private final BandColumns wide;

    /**
     * Kernels of bands.
     *
     * @param leaf the kernels of their type
     * @param bytes of an element
     * @param narrow what is done with the columns of a narrow band
     */
    BandLeaf(Leaf leaf, long bytes, BandColumns narrow) {
        this.leaf = leaf;
        this.bytes = bytes;
        this.narrow = narrow;
        this.wide = new LeafColumns(leaf, bytes);
    }

    /** By the kernels of a type. */
    private record LeafColumns(Leaf leaf, long bytes) implements BandColumns {
        @Override
        public long pivot(long below, long at) {
            long p = leaf.iamax(below + 1, at, 1) - 1;
            if (leaf.zeroDiagonal(1, at + p * bytes, 1) != 0) {
                return -1;
            }
            if (p > 0) {
                leaf.swap(1, at, 1, at + p * bytes, 1);
            }
            if (below > 0) {
                // With alpha = 1 a solve on the right divides what is below by the pivot.
                leaf.trsm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, below, 1, 1, 0, at, 1, at + bytes, below);
            }
            return p;
        }

        @Override
        public void eliminate(long below, long p, long cols, long at, long step) {
            long row = at + step * bytes;
            if (p != 0) {
                leaf.swap(cols, row, step, row + p * bytes, step);
            }
            if (below > 0) {
                leaf.ger(below, cols, -1, 0, at + bytes, 1, row, step, false, row + bytes, step);
            }
        }

        @Override
        public void below(long below, long sides, long column, long row, long ld) {
            leaf.ger(below, sides, -1, 0, column, 1, row, ld, false, row + bytes, ld);
        }

        @Override
        public void above(Op op, long below, long sides, long column, long row, long ld) {
            long y = row;
            for (long r = 0; r < sides; r++, y += ld * bytes) {
                leaf.gemv(op, below, 1, -1, 0, column, below, y + bytes, 1, 1, 0, y, 1);
            }
        }
    }

    /**
     * As LAPACK's gbtf2: a pivot's column below it, its row as far right as interchanges have filled it, and the rectangle between them.
     *
     * @param ku diagonals above the main one, beside the kl that are filled
     * @param a the band as it is stored, the element (0, 0) kl + ku elements behind it
     * @param offset what is added to the pivots
     * @return 1-based column of the first pivot that is exactly zero, 0 if there is none
     */
    public long gbtf2(long m, long n, long kl, long ku, long a, long lda, long ipiv, long offset) {
        BandColumns columns = kl <= NARROW ? narrow : wide;
        long kv = kl + ku;
        long first = a + kv * bytes;
        long step = lda - 1;
        for (long j = ku + 1; j < Math.min(kv, n); j++) {
            clear(first, step, 0, Math.min(j - ku, m), j);
        }
        long info = 0;
        long last = 0;
        for (long j = 0; j < Math.min(m, n); j++) {
            if (j + kv < n) {
                clear(first, step, j, Math.min(j + kl, m), j + kv);
            }
            long below = Math.min(kl, m - 1 - j);
            long at = first + (j + j * step) * bytes;
            long p = columns.pivot(below, at);
            i64(ipiv + 8 * j, offset + j + 1 + Math.max(p, 0));
            last = Math.max(last, Math.min(j + ku + Math.max(p, 0), n - 1));
            if (p < 0) {
                info = info == 0 ? j + 1 : info;
            } else if (last > j) {
                columns.eliminate(below, p, last - j, at, step);
            }
        }
        return info;
    }

    /** Rows from…to-1 of column j := 0. */
    private void clear(long first, long step, long from, long to, long j) {
        if (to > from) {
            Memory.fill(first + (from + j * step) * bytes, (to - from) * bytes, (byte) 0);
        }
    }

    /**
     * Solves op(A)·X = B in place from the factors and pivots of {@link #gbtf2}: L is a product of interchanges and columns, U a triangular band.
     *
     * @param ku diagonals above the main one, beside the kl that are filled
     * @param a the band as it is stored
     */
    public void gbtrs(Op op, long n, long kl, long ku, long nrhs, long a, long lda, long ipiv, long b, long ldb) {
        boolean plain = op == Op.NONE;
        if (plain && !lower(op, n, kl, ku, nrhs, a, lda, ipiv, b, ldb)) {
            return;
        }
        long kv = kl + ku;
        for (long r = 0; r < nrhs; r++) {
            leaf.trsvStored(Uplo.UPPER, op, Diag.NON_UNIT, n, kv, a + kv * bytes, lda - 1, 0, b + r * ldb * bytes, 1);
        }
        if (!plain) {
            lower(op, n, kl, ku, nrhs, a, lda, ipiv, b, ldb);
        }
    }

    /** Solves with L, from the first column on, or with op(L) from the last; false, and NaN, where a pivot is no row. Without diagonals below there are no pivots. */
    private boolean lower(Op op, long order, long kl, long ku, long nrhs, long a, long lda, long ipiv, long b,
            long ldb) {
        boolean plain = op == Op.NONE;
        BandColumns columns = kl <= (plain ? NARROWEST : NARROW) ? narrow : wide;
        long n = kl > 0 ? order : 0;
        for (long i = 0; i < n; i++) {
            long j = plain ? i : n - 1 - i;
            long p = i64(ipiv + 8 * j) - 1;
            if (p < j || p >= n) {
                leaf.scalMatrix(n, nrhs, Double.NaN, Double.NaN, b, ldb);
                return false;
            }
            long below = Math.min(kl, n - 1 - j);
            long column = a + (kl + ku + 1 + j * lda) * bytes;
            long row = b + j * bytes;
            if (!plain && below > 0) {
                columns.above(op, below, nrhs, column, row, ldb);
            }
            if (p != j) {
                leaf.swap(nrhs, row, ldb, b + p * bytes, ldb);
            }
            if (plain && below > 0) {
                columns.below(below, nrhs, column, row, ldb);
            }
        }
        return true;
    }
}
