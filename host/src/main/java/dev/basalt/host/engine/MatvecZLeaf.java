package dev.basalt.host.engine;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.matvec.Gathered;
import dev.basalt.host.assembled.matvec.Maps;
import dev.basalt.host.assembled.matvec.Matvec;
import dev.basalt.host.assembled.matvec.Stored;
import dev.basalt.host.assembled.matvec.StoredLeaf;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** The part of {@link AssembledZLeaf} for matrices with vectors: room {@code matvec} of machine code. */
public abstract class MatvecZLeaf extends StreamZLeaf {
    /** Elements of a matrix up to which an update goes by element. */
    private static final long FEW = 2;

    /** The same beside vectors with gaps, which would have to be brought together. */
    private static final long FEW_APART = COMPLEX ? 15 : 24;

    /**
     * Elements of a matrix up to which a product with a vector goes by element, gaps or not: bits do not depend on them. No part of a larger product has as few, see {@link Matvec#FEW_ROWS}. gemv of
     * 3x4 in d with gaps takes 31 ns so and 69 brought together.
     */
    private static final long FEW_PRODUCTS = COMPLEX ? 9 : 20;

    /** A symmetric matrix of lower order than this goes by element, too. */
    private static final long FEW_DENSE = COMPLEX ? 6 : 4;

    /** Elements of a row from which on it is a vector beside x. */
    private static final long ROW = 12;

    /** Products with stored triangles of lower order than this go by element. */
    private static final long FEW_COLUMNS = 4;

    /** The same of bands: of complex ones each column would wait for the one before. */
    private static final long FEW_BAND_COLUMNS = COMPLEX ? 9 : 4;

    /** As much of products with symmetric ones. */
    private static final long FEW_SYMMETRIC = COMPLEX ? 8 : 4;

    /** As much of equations. */
    private static final long FEW_UNKNOWNS = 7;

    private static final long FEW_BAND_UNKNOWNS = COMPLEX ? 12 : 7;

    /** As much of updates of any triangle. */
    private static final long FEW_UPDATED = 4;

    private final Matvec level2;
    private final Stored stored;
    private final StoredLeaf owner;
    private final Maps maps;
    private final Gathered gathered;

    MatvecZLeaf(AssembledKernels kernels) {
        super(kernels);
        this.level2 = kernels.level2();
        this.stored = kernels.stored();
        this.owner = new StoredLeaf(this, byElement);
        this.maps = kernels.maps();
        this.gathered = new Gathered(element);
    }

    /** Whether one of two vectors has gaps: one element has none, whatever the increment. */
    private static boolean apart(long xs, long incx, long ys, long incy) {
        return incx != 1 && xs != 1 || incy != 1 && ys != 1;
    }

    @Override
    public void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long incx,
            double betaRe, double betaIm, long y, long incy) {
        boolean nothing = (alphaRe == 0 && alphaIm == 0) || m <= 0 || n <= 0;
        if (nothing) {
            super.gemv(op, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        if (m * n <= FEW_PRODUCTS && m <= FEW_PRODUCTS && (a | x | y) >= 0) {
            byElement.gemv(op, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        if (op == Op.NONE ? apart(n, incx, m, incy) : apart(m, incx, n, incy)) {
            gathered.gemv(this, op, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        if (op == Op.NONE && m == 1 && n >= ROW) {
            // A row is as good as x, which lies as a column.
            gemv(Op.TRANS, n, 1, alphaRe, alphaIm, x, n, a, lda, betaRe, betaIm, y, 1);
            return;
        }
        boolean set = betaRe == 0 && betaIm == 0;
        if (!set) {
            scalMatrix(op == Op.NONE ? m : n, 1, betaRe, betaIm, y, 1);
        }
        level2.gemv(op, set, m, n, alphaRe, alphaIm, a, lda, x, y);
    }

    @Override
    public void ger(long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy, boolean conj,
            long a, long lda) {
        boolean nothing = (alphaRe == 0 && alphaIm == 0) || m <= 0 || n <= 0;
        if (nothing) {
            super.ger(m, n, alphaRe, alphaIm, x, incx, y, incy, conj, a, lda);
        } else if (m * n <= (apart(m, incx, n, incy) ? FEW_APART : FEW)) {
            byElement.ger(m, n, alphaRe, alphaIm, x, incx, y, incy, conj, a, lda);
        } else if (apart(m, incx, n, incy)) {
            gathered.ger(this, m, n, alphaRe, alphaIm, x, incx, y, incy, conj, a, lda);
        } else {
            level2.ger(conj, m, n, alphaRe, alphaIm, x, y, a, lda);
        }
    }

    @Override
    public void symv(Uplo uplo, boolean hermitian, long n, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy) {
        boolean nothing = (alphaRe == 0 && alphaIm == 0) || n <= 0;
        if (nothing) {
            super.symv(uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        if (n < FEW_DENSE && (a | x | y) >= 0) {
            byElement.symv(uplo == Uplo.UPPER, hermitian, (int) n, (int) n, alphaRe, alphaIm, a, lda, 0, x, incx,
                    betaRe, betaIm, y, incy);
            return;
        }
        if (apart(n, incx, n, incy)) {
            gathered.symv(this, uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        scalMatrix(n, 1, betaRe, betaIm, y, 1);
        level2.symv(uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, y);
    }

    @Override
    public void gbmv(Op op, long m, long n, long kl, long ku, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy) {
        if ((alphaRe == 0 && alphaIm == 0)
                || !stored.gbmv(this, op, m, n, kl, ku, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy)) {
            super.gbmv(op, m, n, kl, ku, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
        }
    }

    @Override
    public void symvStored(Uplo uplo, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long step, long growth, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        boolean nothing = alphaRe == 0 && alphaIm == 0;
        if (!nothing && isWhole(n, k, growth)) {
            symv(uplo, hermitian, n, alphaRe, alphaIm, a, step, x, incx, betaRe, betaIm, y, incy);
        } else if (!nothing && n < FEW_SYMMETRIC && n > 0) {
            byElement.symv(uplo == Uplo.UPPER, hermitian, (int) n, (int) Math.min(k, n), alphaRe, alphaIm, a, step,
                    growth, x, incx, betaRe, betaIm, y, incy);
        } else if (nothing || !stored.symv(owner, uplo, hermitian, n, k, alphaRe, alphaIm, a, step, growth, x, incx,
                betaRe, betaIm, y, incy)) {
            super.symvStored(uplo, hermitian, n, k, alphaRe, alphaIm, a, step, growth, x, incx, betaRe, betaIm, y,
                    incy);
        }
    }

    /** Whether a band has all diagonals: it is a dense triangle then. */
    private static boolean isWhole(long n, long k, long growth) {
        return growth == 0 && n > 0 && k >= n - 1;
    }

    @Override
    public void trmvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx) {
        if (isWhole(n, k, growth) && n <= level2.largestTriangle()) {
            trmv(uplo, op, diag, n, a, step, x, incx);
        } else if (n < (growth == 0 ? FEW_BAND_COLUMNS : FEW_COLUMNS) && n > 0) {
            byElement.trmv(uplo == Uplo.UPPER, op, diag == Diag.UNIT, (int) n, (int) Math.min(k, n), a, step, growth, x,
                    incx);
        } else if (!stored.trmv(owner, uplo, op, diag, n, k, a, step, growth, x, incx)) {
            super.trmvStored(uplo, op, diag, n, k, a, step, growth, x, incx);
        }
    }

    @Override
    public void trsvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx) {
        if (isWhole(n, k, growth) && n <= level2.largestTriangle()) {
            trsv(uplo, op, diag, n, a, step, x, incx);
        } else if (n < (growth == 0 ? FEW_BAND_UNKNOWNS : FEW_UNKNOWNS) && n > 0) {
            byElement.trsv(uplo == Uplo.UPPER, op, diag == Diag.UNIT, (int) n, (int) Math.min(k, n), a, step, growth, x,
                    incx);
        } else if (!stored.trsv(owner, uplo, op, diag, n, k, a, step, growth, x, incx)) {
            super.trsvStored(uplo, op, diag, n, k, a, step, growth, x, incx);
        }
    }

    @Override
    public void syr(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm, long x,
            long incx, long a, long step, long growth) {
        boolean nothing = alphaRe == 0 && (hermitian || alphaIm == 0);
        if (!nothing && n < FEW_UPDATED && (a | x) >= 0) {
            byElement.syr(uplo == Uplo.UPPER, hermitian, (int) n, (int) from, (int) to, alphaRe,
                    hermitian ? 0 : alphaIm, x, incx, a, step, growth);
        } else if (nothing || !stored.syr(this, uplo, hermitian, n, from, to, alphaRe, hermitian ? 0 : alphaIm, x, incx,
                a, step, growth)) {
            super.syr(uplo, hermitian, n, from, to, alphaRe, alphaIm, x, incx, a, step, growth);
        }
    }

    @Override
    public void syr2(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm, long x,
            long incx, long y, long incy, long a, long step, long growth) {
        boolean nothing = alphaRe == 0 && alphaIm == 0;
        if (!nothing && n < FEW_UPDATED && (a | x | y) >= 0) {
            byElement.syr2(uplo == Uplo.UPPER, hermitian, (int) n, (int) from, (int) to, alphaRe, alphaIm, x, incx, y,
                    incy, a, step, growth);
        } else if (nothing || !stored.syr2(this, uplo, hermitian, n, from, to, alphaRe, alphaIm, x, incx, y, incy, a,
                step, growth)) {
            super.syr2(uplo, hermitian, n, from, to, alphaRe, alphaIm, x, incx, y, incy, a, step, growth);
        }
    }

    @Override
    public void trmv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        if (incx == 1 && n > 0 && n <= level2.largestTriangle()) {
            level2.trmv(uplo, op, diag, n, a, lda, x);
        } else if (incx == 1 || !gathered.triangle(this, false, uplo, op, diag, n, a, lda, x, incx)) {
            super.trmv(uplo, op, diag, n, a, lda, x, incx);
        }
    }

    @Override
    public void trsv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        if (incx != 1 && n > 0 && gathered.triangle(this, true, uplo, op, diag, n, a, lda, x, incx)) {
            return;
        }
        if (incx != 1 || n <= 0 || n > level2.largestTriangle()) {
            super.trsv(uplo, op, diag, n, a, lda, x, incx);
            return;
        }
        long left = level2.trsv(uplo, op, diag, n, a, lda, x);
        if (left > 0) {
            finish(uplo, op, diag, n, left, a, lda, x);
        }
    }

    /** The unknowns that are left, with divisions where the others were multiplied by reciprocals. */
    private void finish(Uplo uplo, Op op, Diag diag, long n, long left, long a, long lda, long x) {
        boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
        long done = n - left;
        long from = lower ? done : 0;
        if (op != Op.NONE && done > 0) {
            long rows = lower ? 0 : left;
            gemv(op, done, left, -1, 0, a + (rows + from * lda) * element, lda, x + rows * element, 1, 1, 0,
                    x + from * element, 1);
        }
        // By element if it is small; else by halves, which come here again and are smaller then.
        super.trsv(uplo, op, diag, left, a + from * (lda + 1) * element, lda, x + from * element, 1);
    }

    @Override
    public void dgmm(Side side, long m, long n, long a, long lda, long x, long incx, long c, long ldc) {
        maps.dgmm(this, side, m, n, a, lda, x, incx, c, ldc);
    }

    @Override
    public void geam(Op opA, Op opB, long m, long n, double alphaRe, double alphaIm, long a, long lda, double betaRe,
            double betaIm, long b, long ldb, long c, long ldc) {
        maps.geam(this, opA, opB, m, n, alphaRe, alphaIm, a, lda, betaRe, betaIm, b, ldb, c, ldc);
    }
}
