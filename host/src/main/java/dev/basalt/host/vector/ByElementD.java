package dev.basalt.host.vector;

import dev.basalt.portable.TridiagonalLeaf;
import dev.basalt.type.Op;

/** Real numbers: {@link FusedD} and {@link TinyD}. */
final class ByElementD implements ByElement {
    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        FusedD.axpy(n, alphaRe, x, incx, y, incy);
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, long x, long incx) {
        throw new UnsupportedOperationException("a real scalar has no imaginary part");
    }

    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        FusedD.rot(n, alphaRe, betaRe, x, incx, y, incy);
    }

    @Override
    public void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long incx,
            double betaRe, double betaIm, long y, long incy) {
        FusedD.gemv(op == Op.NONE, m, n, alphaRe, a, lda, x, incx, betaRe, y, incy);
    }

    @Override
    public void ger(long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy, boolean conj,
            long a, long lda) {
        FusedD.ger(m, n, alphaRe, x, incx, y, incy, a, lda);
    }

    @Override
    public void symv(boolean upper, boolean hermitian, int n, int k, double alphaRe, double alphaIm, long a, long step,
            long growth, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        FusedDTriangle.symv(upper, n, k, alphaRe, a, step, growth, x, incx, betaRe, y, incy);
    }

    @Override
    public void trmv(boolean upper, Op op, boolean unit, int n, int k, long a, long step, long growth, long x,
            long incx) {
        FusedDTriangle.triangle(false, upper, op == Op.NONE, unit, n, k, a, step, growth, x, incx);
    }

    @Override
    public void trsv(boolean upper, Op op, boolean unit, int n, int k, long a, long step, long growth, long x,
            long incx) {
        FusedDTriangle.triangle(true, upper, op == Op.NONE, unit, n, k, a, step, growth, x, incx);
    }

    @Override
    public void syr(boolean upper, boolean hermitian, int n, int from, int to, double alphaRe, double alphaIm, long x,
            long incx, long a, long step, long growth) {
        FusedDTriangle.syr(upper, n, from, to, alphaRe, x, incx, a, step, growth);
    }

    @Override
    public void syr2(boolean upper, boolean hermitian, int n, int from, int to, double alphaRe, double alphaIm, long x,
            long incx, long y, long incy, long a, long step, long growth) {
        FusedDTriangle.syr2(upper, n, from, to, alphaRe, x, incx, y, incy, a, step, growth);
    }

    @Override
    public long lu(long m, long n, long a, long lda, long ipiv, long offset) {
        return TinyD.lu(m, n, a, lda, ipiv, offset);
    }

    @Override
    public long cholesky(long n, long a, long di, long dj) {
        return TinyD.cholesky(n, a, di, dj);
    }

    @Override
    public void invert(long n, boolean unit, long a, long di, long dj) {
        TinyD.invert(n, unit, a, di, dj);
    }

    @Override
    public boolean solve(long n, boolean unit, boolean conj, long t, long dp, long dq, long sides, long x, long du,
            long dx) {
        return TinyD.solve(n, unit, t, dp, dq, sides, x, du, dx);
    }

    @Override
    public TridiagonalLeaf tridiagonal(TridiagonalLeaf portable) {
        return FusedDTridiagonal.KERNELS;
    }
}
