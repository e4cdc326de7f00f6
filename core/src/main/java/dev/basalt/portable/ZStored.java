package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Complex kernels over bands and packed triangles, and maps of matrices; see {@link DStored}. */
abstract class ZStored extends ZLevel2 {
    @Override
    public void gbmv(Op op, long m, long n, long kl, long ku, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy) {
        scale(op == Op.NONE ? m : n, betaRe, betaIm, y, incy);
        double re = alphaRe;
        double im = alphaIm;
        if (re == 0 && im == 0) {
            return;
        }
        long dx = incx * 16L;
        long dy = incy * 16L;
        long end = Math.min(n, m + ku);
        for (long j = Math.max(0, -kl); j < end; j++) {
            long first = Math.max(0, j - ku);
            long count = Math.min(m, j + kl + 1) - first;
            long stored = a + (ku + first - j + j * lda) * 16L;
            if (op == Op.NONE) {
                double xr = f64(x + j * dx);
                double xi = f64(x + j * dx + 8L);
                axpy(count, re * xr - im * xi, re * xi + im * xr, stored, 1, y + first * dy, incy);
            } else {
                boolean conj = op == Op.CONJ_TRANS;
                addDot(count, alphaRe, alphaIm, stored, 16L, conj, x + first * dx, dx, false, y + j * dy);
            }
        }
    }

    @Override
    public void trmvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx) {
        long dx = incx * 16L;
        boolean upper = uplo == Uplo.UPPER;
        boolean conj = op == Op.CONJ_TRANS;
        // Each column needs elements that are not overwritten yet.
        boolean ascending = upper == (op == Op.NONE);
        for (long r = 0; r < n; r++) {
            long j = ascending ? r : n - 1 - r;
            long first = upper ? Math.max(0, j - k) : j + 1;
            long count = (upper ? j : Math.min(n, j + k + 1)) - first;
            long column = column(a, j, step, growth);
            long others = x + first * dx;
            long xj = x + j * dx;
            double re = f64(xj);
            double im = f64(xj + 8L);
            if (op == Op.NONE) {
                axpy(count, re, im, column + first * 16L, 1, others, incx);
            }
            if (diag == Diag.NON_UNIT) {
                double dr = f64(column + j * 16L);
                double di = conj ? -f64(column + j * 16L + 8L) : f64(column + j * 16L + 8L);
                f64(xj, dr * re - di * im);
                f64(xj + 8L, dr * im + di * re);
            }
            if (op != Op.NONE) {
                addDot(count, 1, 0, column + first * 16L, 16L, conj, others, dx, false, xj);
            }
        }
    }

    @Override
    public void trsvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx) {
        long dx = incx * 16L;
        boolean upper = uplo == Uplo.UPPER;
        boolean conj = op == Op.CONJ_TRANS;
        boolean ascending = upper != (op == Op.NONE);
        for (long r = 0; r < n; r++) {
            long j = ascending ? r : n - 1 - r;
            long first = upper ? Math.max(0, j - k) : j + 1;
            long count = (upper ? j : Math.min(n, j + k + 1)) - first;
            long column = column(a, j, step, growth);
            long others = x + first * dx;
            long xj = x + j * dx;
            if (op != Op.NONE) {
                addDot(count, -1, 0, column + first * 16L, 16L, conj, others, dx, false, xj);
            }
            if (diag == Diag.NON_UNIT) {
                divide(1, xj, column + j * 16L, conj);
            }
            if (op == Op.NONE) {
                axpy(count, -f64(xj), -f64(xj + 8L), column + first * 16L, 1, others, incx);
            }
        }
    }

    @Override
    public void syr(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm, long x,
            long incx, long a, long step, long growth) {
        if (alphaRe == 0 && (hermitian || alphaIm == 0)) {
            return;
        }
        long dx = incx * 16L;
        for (long j = from; j < to; j++) {
            long column = column(a, j, step, growth);
            add(uplo, hermitian, n, j, alphaRe, hermitian ? 0 : alphaIm, x + j * dx, x, dx, column);
            real(hermitian, column + j * 16L);
        }
    }

    @Override
    public void syr2(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm, long x,
            long incx, long y, long incy, long a, long step, long growth) {
        if (alphaRe == 0 && alphaIm == 0) {
            return;
        }
        long dx = incx * 16L;
        long dy = incy * 16L;
        for (long j = from; j < to; j++) {
            long column = column(a, j, step, growth);
            add(uplo, hermitian, n, j, alphaRe, alphaIm, y + j * dy, x, dx, column);
            add(uplo, hermitian, n, j, alphaRe, hermitian ? -alphaIm : alphaIm, x + j * dx, y, dy, column);
            real(hermitian, column + j * 16L);
        }
    }

    /** Column j of a triangle += alpha·(the element at {@code at}, conjugated if Hermitian)·x. */
    private void add(Uplo uplo, boolean hermitian, long n, long j, double alphaRe, double alphaIm, long at, long x,
            long dx, long column) {
        double re = alphaRe;
        double im = alphaIm;
        long first = uplo == Uplo.UPPER ? 0 : j;
        long count = uplo == Uplo.UPPER ? j + 1 : n - j;
        double vr = f64(at);
        double vi = hermitian ? -f64(at + 8L) : f64(at + 8L);
        axpy(count, re * vr - im * vi, re * vi + im * vr, x + first * dx, dx / 16L, column + first * 16L, 1);
    }

    private static void real(boolean hermitian, long diagonal) {
        if (hermitian) {
            f64(diagonal + 8L, 0);
        }
    }

    @Override
    public void dgmm(Side side, long m, long n, long a, long lda, long x, long incx, long c, long ldc) {
        long along = side == Side.LEFT ? incx * 16L : 0;
        long across = side == Side.LEFT ? 0 : incx * 16L;
        for (long j = 0; j < n; j++, x += across) {
            long aij = a + j * lda * 16L;
            long cij = c + j * ldc * 16L;
            long xi = x;
            for (long i = 0; i < m; i++, aij += 16L, cij += 16L, xi += along) {
                double ar = f64(aij);
                double ai = f64(aij + 8L);
                double dr = f64(xi);
                double di = f64(xi + 8L);
                f64(cij, ar * dr - ai * di);
                f64(cij + 8L, ar * di + ai * dr);
            }
        }
    }

    @Override
    public void geam(Op opA, Op opB, long m, long n, double alphaRe, double alphaIm, long a, long lda, double betaRe,
            double betaIm, long b, long ldb, long c, long ldc) {
        double alpha = alphaRe;
        double alphaI = alphaIm;
        double beta = betaRe;
        double betaI = betaIm;
        boolean usesA = alphaRe != 0 || alphaIm != 0;
        boolean usesB = betaRe != 0 || betaIm != 0;
        double signA = opA == Op.CONJ_TRANS ? -1 : 1;
        double signB = opB == Op.CONJ_TRANS ? -1 : 1;
        long aRow = opA == Op.NONE ? 16L : lda * 16L;
        long aColumn = opA == Op.NONE ? lda * 16L : 16L;
        long bRow = opB == Op.NONE ? 16L : ldb * 16L;
        long bColumn = opB == Op.NONE ? ldb * 16L : 16L;
        for (long j = 0; j < n; j++) {
            long aij = a + j * aColumn;
            long bij = b + j * bColumn;
            long cij = c + j * ldc * 16L;
            for (long i = 0; i < m; i++, aij += aRow, bij += bRow, cij += 16L) {
                double ar = usesA ? f64(aij) : 0;
                double ai = usesA ? signA * f64(aij + 8L) : 0;
                double br = usesB ? f64(bij) : 0;
                double bi = usesB ? signB * f64(bij + 8L) : 0;
                f64(cij, (alpha * ar - alphaI * ai) + (beta * br - betaI * bi));
                f64(cij + 8L, (alpha * ai + alphaI * ar) + (beta * bi + betaI * br));
            }
        }
    }
}
