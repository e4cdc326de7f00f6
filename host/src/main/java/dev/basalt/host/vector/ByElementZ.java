package dev.basalt.host.vector;

import dev.basalt.type.Op;

/** Complex numbers: {@link FusedZ} and {@link TinyZ}. */
final class ByElementZ implements ByElement {
    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        FusedZ.axpy(n, alphaRe, alphaIm, x, incx, y, incy);
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, long x, long incx) {
        FusedZ.scal(n, alphaRe, alphaIm, x, incx);
    }

    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        FusedZ.rot(n, alphaRe, betaRe, betaIm, real, x, incx, y, incy);
    }

    @Override
    public void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long incx,
            double betaRe, double betaIm, long y, long incy) {
        FusedZ.gemv(op == Op.NONE, op == Op.CONJ_TRANS, m, n, alphaRe, alphaIm, a, lda, x, incx, betaRe, betaIm, y,
                incy);
    }

    @Override
    public void ger(long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy, boolean conj,
            long a, long lda) {
        FusedZ.ger(m, n, alphaRe, alphaIm, x, incx, y, incy, conj, a, lda);
    }

    @Override
    public void symv(boolean upper, boolean hermitian, int n, int k, double alphaRe, double alphaIm, long a, long step,
            long growth, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        FusedZTriangle.symv(upper, hermitian, n, k, alphaRe, alphaIm, a, step, growth, x, incx, betaRe, betaIm, y,
                incy);
    }

    @Override
    public void trmv(boolean upper, Op op, boolean unit, int n, int k, long a, long step, long growth, long x,
            long incx) {
        FusedZTriangle.triangle(false, upper, op == Op.NONE, op == Op.CONJ_TRANS, unit, n, k, a, step, growth, x, incx);
    }

    @Override
    public void trsv(boolean upper, Op op, boolean unit, int n, int k, long a, long step, long growth, long x,
            long incx) {
        FusedZTriangle.triangle(true, upper, op == Op.NONE, op == Op.CONJ_TRANS, unit, n, k, a, step, growth, x, incx);
    }

    @Override
    public void syr(boolean upper, boolean hermitian, int n, int from, int to, double alphaRe, double alphaIm, long x,
            long incx, long a, long step, long growth) {
        FusedZTriangle.syr(upper, hermitian, n, from, to, alphaRe, alphaIm, x, incx, a, step, growth);
    }

    @Override
    public void syr2(boolean upper, boolean hermitian, int n, int from, int to, double alphaRe, double alphaIm, long x,
            long incx, long y, long incy, long a, long step, long growth) {
        FusedZTriangle.syr2(upper, hermitian, n, from, to, alphaRe, alphaIm, x, incx, y, incy, a, step, growth);
    }

    @Override
    public long lu(long m, long n, long a, long lda, long ipiv, long offset) {
        return TinyZ.lu(m, n, a, lda, ipiv, offset);
    }

    @Override
    public long cholesky(long n, long a, long di, long dj) {
        return TinyZ.cholesky(n, a, di, dj);
    }

    @Override
    public void invert(long n, boolean unit, long a, long di, long dj) {
        TinyZ.invert(n, unit, a, di, dj);
    }

    @Override
    public boolean solve(long n, boolean unit, boolean conj, long t, long dp, long dq, long sides, long x, long du,
            long dx) {
        return TinyZ.solve(n, unit, conj, t, dp, dq, sides, x, du, dx);
    }
}
