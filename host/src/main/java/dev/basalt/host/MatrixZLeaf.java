package dev.basalt.host;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.factor.Factor;
import dev.basalt.host.assembled.matvec.Matvec;
import dev.basalt.portable.ZLeaf;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Which work on matrices goes to assembled kernels: products, to which the recursive kernels of the parent come, and vectors without
 * gaps. The parent does the rest. This is written once, for complex scalars: the classes of real elements, over the portable kernels
 * and over the Vector API's, are generated from it, and imaginary parts are 0 there.
 */
abstract class MatrixZLeaf extends ZLeaf {
    final AssembledKernels kernels;
    private final Matvec level2;
    /** Bytes of an element. */
    private final long element;

    MatrixZLeaf(AssembledKernels kernels) {
        this.kernels = kernels;
        this.level2 = kernels.level2();
        this.element = kernels.elementBytes();
    }

    @Override
    public void gemv(
            Op op,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long x,
            long incx,
            double betaRe,
            double betaIm,
            long y,
            long incy) {
        boolean nothing = (alphaRe == 0 && alphaIm == 0) || m <= 0 || n <= 0;
        if (nothing || incx != 1 || incy != 1) {
            super.gemv(op, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        boolean set = betaRe == 0 && betaIm == 0;
        if (!set) {
            scalMatrix(op == Op.NONE ? m : n, 1, betaRe, betaIm, y, 1);
        }
        level2.gemv(op, set, m, n, alphaRe, alphaIm, a, lda, x, y);
    }

    @Override
    public void ger(
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long x,
            long incx,
            long y,
            long incy,
            boolean conj,
            long a,
            long lda) {
        boolean nothing = (alphaRe == 0 && alphaIm == 0) || m <= 0 || n <= 0;
        if (nothing || incx != 1 || incy != 1) {
            super.ger(m, n, alphaRe, alphaIm, x, incx, y, incy, conj, a, lda);
        } else {
            level2.ger(conj, m, n, alphaRe, alphaIm, x, y, a, lda);
        }
    }

    @Override
    public void symv(
            Uplo uplo,
            boolean hermitian,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long x,
            long incx,
            double betaRe,
            double betaIm,
            long y,
            long incy) {
        boolean nothing = (alphaRe == 0 && alphaIm == 0) || n <= 0;
        if (nothing || incx != 1 || incy != 1) {
            super.symv(uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y, incy);
            return;
        }
        scalMatrix(n, 1, betaRe, betaIm, y, 1);
        level2.symv(uplo, hermitian, n, alphaRe, alphaIm, a, lda, x, y);
    }

    @Override
    public void trmv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        if (incx == 1 && n > 0 && n <= level2.largestTriangle()) {
            level2.trmv(uplo, op, diag, n, a, lda, x);
        } else {
            super.trmv(uplo, op, diag, n, a, lda, x, incx);
        }
    }

    @Override
    public void trsv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
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
            gemv(
                    op,
                    done,
                    left,
                    -1,
                    0,
                    a + (rows + from * lda) * element,
                    lda,
                    x + rows * element,
                    1,
                    1,
                    0,
                    x + from * element,
                    1);
        }
        // By element if it is small; else by halves, which come here again and are smaller then.
        super.trsv(uplo, op, diag, left, a + from * (lda + 1) * element, lda, x + from * element, 1);
    }

    @Override
    public void gemm(
            Op opA,
            Op opB,
            long m,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            double betaRe,
            double betaIm,
            long c,
            long ldc,
            long work,
            long workBytes) {
        if (m <= 0 || n <= 0) {
            return;
        }
        if ((alphaRe == 0 && alphaIm == 0) || k <= 0) {
            scalMatrix(m, n, betaRe, betaIm, c, ldc);
            return;
        }
        kernels.gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
    }

    @Override
    public long getf2(long m, long n, long a, long lda, long ipiv, long offset) {
        long k = Math.min(m, n);
        if (k > Factor.widest()) {
            return super.getf2(m, n, a, lda, ipiv, offset);
        }
        long info = kernels.factor().lu(m, k, a, lda, ipiv, offset);
        if (n > k) {
            long right = a + k * lda * element;
            laswp(m, n - k, right, lda, 0, k, ipiv, offset, false);
            trsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, k, n - k, 1, 0, a, lda, right, lda);
        }
        return info;
    }

    @Override
    public boolean laswp(
            long m, long n, long a, long lda, long from, long to, long ipiv, long offset, boolean backward) {
        return kernels.factor().interchange(m, n, a, lda, from, to, ipiv, offset, backward);
    }

    @Override
    public void trsm(
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb) {
        trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, 0, 0);
    }

    @Override
    public void trsm(
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            long work,
            long workBytes) {
        boolean left = side == Side.LEFT;
        long order = left ? m : n;
        boolean assembled = (alphaRe != 0 || alphaIm != 0) && m > 0 && n > 0 && order <= kernels.triangle();
        boolean lower = uplo == Uplo.LOWER;
        boolean unit = diag == Diag.UNIT;
        if (assembled && alphaIm != 0) {
            scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
            trsm(side, uplo, op, diag, m, n, 1, 0, a, lda, b, ldb, work, workBytes);
            return;
        }
        if (!assembled || !kernels.trsm(left, lower, op, unit, m, n, alphaRe, a, lda, b, ldb, work, workBytes)) {
            super.trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
        }
    }

    @Override
    public void trmm(
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb) {
        trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, 0, 0);
    }

    @Override
    public void trmm(
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            long work,
            long workBytes) {
        boolean left = side == Side.LEFT;
        boolean lower = uplo == Uplo.LOWER;
        boolean unit = diag == Diag.UNIT;
        if ((alphaRe == 0 && alphaIm == 0) || m <= 0 || n <= 0 || (left ? m : n) > kernels.triangle()) {
            super.trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
        } else {
            kernels.trmm(left, lower, op, unit, m, n, alphaRe, alphaIm, a, lda, b, ldb, work, workBytes);
        }
    }

    @Override
    public void symm(
            Side side,
            Uplo uplo,
            boolean hermitian,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            double betaRe,
            double betaIm,
            long c,
            long ldc) {
        symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, 0, 0);
    }

    @Override
    public void symm(
            Side side,
            Uplo uplo,
            boolean hermitian,
            long m,
            long n,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            double betaRe,
            double betaIm,
            long c,
            long ldc,
            long work,
            long workBytes) {
        boolean left = side == Side.LEFT;
        boolean lower = uplo == Uplo.LOWER;
        if ((alphaRe == 0 && alphaIm == 0) || m <= 0 || n <= 0 || (left ? m : n) > kernels.triangle()) {
            super.symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc);
        } else {
            kernels.symm(
                    left, lower, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                    workBytes);
        }
    }

    @Override
    public void syrk(
            Uplo uplo,
            Op op,
            boolean hermitian,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            double betaRe,
            double betaIm,
            long c,
            long ldc) {
        syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc, 0, 0);
    }

    @Override
    public void syrk(
            Uplo uplo,
            Op op,
            boolean hermitian,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            double betaRe,
            double betaIm,
            long c,
            long ldc,
            long work,
            long workBytes) {
        boolean lower = uplo == Uplo.LOWER;
        if ((alphaRe == 0 && alphaIm == 0) || n <= 0 || k <= 0 || n > kernels.triangle()) {
            super.syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc);
        } else if (betaIm != 0 && !hermitian) {
            scalTriangle(uplo, false, n, betaRe, betaIm, c, ldc);
            kernels.syrk(lower, op, false, n, k, alphaRe, alphaIm, a, lda, 1, c, ldc, work, workBytes);
        } else {
            kernels.syrk(lower, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, c, ldc, work, workBytes);
        }
    }
}
