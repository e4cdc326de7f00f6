package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.spi.Semiring;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Kernels of level 2 over bands and packed triangles, column by column, and maps of matrices. A band is a dense matrix whose leading dimension is one less: in both, the
 * elements of a column lie one behind the other, and only where a column begins differs.
 */
abstract class DStored extends DLevel2 {
    @Override
    public void gbmv(Op op, long m, long n, long kl, long ku, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy) {
        scale(op == Op.NONE ? m : n, betaRe, y, incy);
        double alpha = alphaRe;
        if (alpha == 0) {
            return;
        }
        long dx = incx * 8L;
        long dy = incy * 8L;
        long end = Math.min(n, m + ku);
        for (long j = Math.max(0, -kl); j < end; j++) {
            long first = Math.max(0, j - ku);
            long count = Math.min(m, j + kl + 1) - first;
            long stored = a + (ku + first - j + j * lda) * 8L;
            if (op == Op.NONE) {
                axpy(count, alpha * f64(x + j * dx), 0, stored, 1, y + first * dy, incy);
            } else {
                long yj = y + j * dy;
                f64(yj, f64(yj) + alpha * dot(count, stored, 8L, x + first * dx, dx));
            }
        }
    }

    @Override
    public void trmvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx) {
        long dx = incx * 8L;
        boolean upper = uplo == Uplo.UPPER;
        // Each column needs elements that are not overwritten yet.
        boolean ascending = upper == (op == Op.NONE);
        for (long r = 0; r < n; r++) {
            long j = ascending ? r : n - 1 - r;
            long first = upper ? Math.max(0, j - k) : j + 1;
            long count = (upper ? j : Math.min(n, j + k + 1)) - first;
            long column = column(a, j, step, growth);
            long others = x + first * dx;
            double v = f64(x + j * dx);
            double own = diag == Diag.UNIT ? v : f64(column + j * 8L) * v;
            if (op == Op.NONE) {
                axpy(count, v, 0, column + first * 8L, 1, others, incx);
                f64(x + j * dx, own);
            } else {
                f64(x + j * dx, own + dot(count, column + first * 8L, 8L, others, dx));
            }
        }
    }

    @Override
    public void trsvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx) {
        long dx = incx * 8L;
        boolean upper = uplo == Uplo.UPPER;
        boolean ascending = upper != (op == Op.NONE);
        for (long r = 0; r < n; r++) {
            long j = ascending ? r : n - 1 - r;
            long first = upper ? Math.max(0, j - k) : j + 1;
            long count = (upper ? j : Math.min(n, j + k + 1)) - first;
            long column = column(a, j, step, growth);
            long others = x + first * dx;
            double v = f64(x + j * dx);
            if (op != Op.NONE) {
                v -= dot(count, column + first * 8L, 8L, others, dx);
            }
            v = diag == Diag.UNIT ? v : v / f64(column + j * 8L);
            f64(x + j * dx, v);
            if (op == Op.NONE) {
                axpy(count, -v, 0, column + first * 8L, 1, others, incx);
            }
        }
    }

    @Override
    public void syr(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm, long x,
            long incx, long a, long step, long growth) {
        double alpha = alphaRe;
        if (alpha == 0) {
            return;
        }
        long dx = incx * 8L;
        for (long j = from; j < to; j++) {
            long first = uplo == Uplo.UPPER ? 0 : j;
            long count = uplo == Uplo.UPPER ? j + 1 : n - j;
            long stored = column(a, j, step, growth) + first * 8L;
            axpy(count, alpha * f64(x + j * dx), 0, x + first * dx, incx, stored, 1);
        }
    }

    @Override
    public void syr2(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm, long x,
            long incx, long y, long incy, long a, long step, long growth) {
        double alpha = alphaRe;
        if (alpha == 0) {
            return;
        }
        long dx = incx * 8L;
        long dy = incy * 8L;
        for (long j = from; j < to; j++) {
            long first = uplo == Uplo.UPPER ? 0 : j;
            long count = uplo == Uplo.UPPER ? j + 1 : n - j;
            long stored = column(a, j, step, growth) + first * 8L;
            axpy(count, alpha * f64(y + j * dy), 0, x + first * dx, incx, stored, 1);
            axpy(count, alpha * f64(x + j * dx), 0, y + first * dy, incy, stored, 1);
        }
    }

    @Override
    public void dgmm(Side side, long m, long n, long a, long lda, long x, long incx, long c, long ldc) {
        long along = side == Side.LEFT ? incx * 8L : 0;
        long across = side == Side.LEFT ? 0 : incx * 8L;
        for (long j = 0; j < n; j++, x += across) {
            long aij = a + j * lda * 8L;
            long cij = c + j * ldc * 8L;
            long xi = x;
            for (long i = 0; i < m; i++, aij += 8L, cij += 8L, xi += along) {
                f64(cij, f64(aij) * f64(xi));
            }
        }
    }

    @Override
    public void geam(Op opA, Op opB, long m, long n, double alphaRe, double alphaIm, long a, long lda, double betaRe,
            double betaIm, long b, long ldb, long c, long ldc) {
        double alpha = alphaRe;
        double beta = betaRe;
        long ai = opA == Op.NONE ? 8L : lda * 8L;
        long aj = opA == Op.NONE ? lda * 8L : 8L;
        long bi = opB == Op.NONE ? 8L : ldb * 8L;
        long bj = opB == Op.NONE ? ldb * 8L : 8L;
        for (long j = 0; j < n; j++) {
            long aij = a + j * aj;
            long bij = b + j * bj;
            long cij = c + j * ldc * 8L;
            for (long i = 0; i < m; i++, aij += ai, bij += bi, cij += 8L) {
                f64(cij, (alpha == 0 ? 0 : alpha * f64(aij)) + (beta == 0 ? 0 : beta * f64(bij)));
            }
        }
    }

    @Override
    public void geamEx(Semiring semiring, Op opA, Op opB, long m, long n, long k, double alphaRe, long a, long lda,
            long b, long ldb, double betaRe, long c, long ldc, long d, long ldd) {
        double alpha = alphaRe;
        double beta = betaRe;
        boolean smallest = semiring == Semiring.MIN_PLUS;
        long ai = opA == Op.NONE ? 8L : lda * 8L;
        long al = opA == Op.NONE ? lda * 8L : 8L;
        long bl = opB == Op.NONE ? 8L : ldb * 8L;
        long bj = opB == Op.NONE ? ldb * 8L : 8L;
        for (long j = 0; j < n; j++) {
            for (long i = 0; i < m; i++) {
                double v = beta == 0 ? 0 : beta * f64(c + (i + j * ldc) * 8L);
                for (long l = 0; l < k; l++) {
                    double x = alpha == 0 ? 0 : f64(a + i * ai + l * al);
                    double y = alpha == 0 ? 0 : f64(b + l * bl + j * bj);
                    v = smallest ? Math.min(v, alpha * (x + y)) : v + Math.min(alpha * x, alpha * y);
                }
                f64(d + (i + j * ldd) * 8L, v);
            }
        }
    }
}
