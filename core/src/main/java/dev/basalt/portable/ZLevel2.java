package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Complex matrix-vector kernels (BLAS level 2); see {@link DLevel2}. */
abstract class ZLevel2 extends ZRotation {
    @Override
    public void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long incx,
            double betaRe, double betaIm, long y, long incy) {
        scale(op == Op.NONE ? m : n, betaRe, betaIm, y, incy);
        if ((alphaRe == 0 && alphaIm == 0) || m <= 0 || n <= 0) {
            return;
        }
        if (op == Op.NONE) {
            addColumns(m, n, alphaRe, alphaIm, a, lda * 16L, x, incx * 16L, false, y, incy * 16L);
        } else {
            boolean conj = op == Op.CONJ_TRANS;
            addRows(n, m, alphaRe, alphaIm, a, lda * 16L, conj, x, incx * 16L, false, y, incy * 16L);
        }
    }

    /** y := beta·y, without reading y if beta = 0. */
    final void scale(long n, double betaRe, double betaIm, long y, long incy) {
        if (betaRe == 0 && betaIm == 0) {
            fill(n, 0, 0, y, incy);
        } else if (betaRe != 1 || betaIm != 0) {
            scal(n, betaRe, betaIm, false, y, incy);
        }
    }

    /** y := alpha·A·x + y (or of conj(x)) for n columns of m elements. Strides are in bytes. */
    static void addColumns(long m, long n, double alphaRe, double alphaIm, long a, long da, long x, long dx,
            boolean conj, long y, long dy) {
        double re = alphaRe;
        double im = alphaIm;
        double sign = conj ? -1 : 1;
        long j = 0;
        for (; j + 4 <= n; j += 4, a += 4 * da, x += 4 * dx) {
            double x0 = f64(x);
            double x1 = f64(x + dx);
            double x2 = f64(x + 2 * dx);
            double x3 = f64(x + 3 * dx);
            double y0 = sign * f64(x + 8L);
            double y1 = sign * f64(x + dx + 8L);
            double y2 = sign * f64(x + 2 * dx + 8L);
            double y3 = sign * f64(x + 3 * dx + 8L);
            add4Columns(m, re * x0 - im * y0, re * y0 + im * x0, re * x1 - im * y1, re * y1 + im * x1,
                    re * x2 - im * y2, re * y2 + im * x2, re * x3 - im * y3, re * y3 + im * x3, a, da, y, dy);
        }
        for (; j < n; j++, a += da, x += dx) {
            double xr = f64(x);
            double xi = sign * f64(x + 8L);
            add1Column(m, re * xr - im * xi, re * xi + im * xr, a, y, dy);
        }
    }

    private static void add4Columns(long m, double r0, double i0, double r1, double i1, double r2, double i2, double r3,
            double i3, long a0, long da, long y, long dy) {
        long a1 = a0 + da;
        long a2 = a1 + da;
        long a3 = a2 + da;
        for (long end = a0 + m * 16L; a0 < end; y += dy, a0 += 16L, a1 += 16L, a2 += 16L, a3 += 16L) {
            double x0 = f64(a0);
            double y0 = f64(a0 + 8L);
            double x1 = f64(a1);
            double y1 = f64(a1 + 8L);
            double x2 = f64(a2);
            double y2 = f64(a2 + 8L);
            double x3 = f64(a3);
            double y3 = f64(a3 + 8L);
            double re = (r0 * x0 - i0 * y0) + (r1 * x1 - i1 * y1) + (r2 * x2 - i2 * y2) + (r3 * x3 - i3 * y3);
            double im = (r0 * y0 + i0 * x0) + (r1 * y1 + i1 * x1) + (r2 * y2 + i2 * x2) + (r3 * y3 + i3 * x3);
            f64(y, f64(y) + re);
            f64(y + 8L, f64(y + 8L) + im);
        }
    }

    private static void add1Column(long m, double re, double im, long a, long y, long dy) {
        for (long end = a + m * 16L; a < end; a += 16L, y += dy) {
            double ar = f64(a);
            double ai = f64(a + 8L);
            f64(y, f64(y) + (re * ar - im * ai));
            f64(y + 8L, f64(y + 8L) + (re * ai + im * ar));
        }
    }

    /**
     * y := alpha·Aᵀ·x + y, where Aᵀ has n rows of k elements, one after another each; either factor may be conjugated. Strides
     * are in bytes. Real products are summed apart as in {@link #dot}.
     */
    static void addRows(long n, long k, double alphaRe, double alphaIm, long a, long da, boolean conjA, long x, long dx,
            boolean conjX, long y, long dy) {
        long i = 0;
        for (; i + 2 <= n; i += 2, a += 2 * da, y += 2 * dy) {
            double rr0 = 0;
            double ii0 = 0;
            double ri0 = 0;
            double ir0 = 0;
            double rr1 = 0;
            double ii1 = 0;
            double ri1 = 0;
            double ir1 = 0;
            long a0 = a;
            long a1 = a0 + da;
            long xl = x;
            for (long end = a + k * 16L; a0 < end; a0 += 16L, a1 += 16L, xl += dx) {
                double xr = f64(xl);
                double xi = f64(xl + 8L);
                double ar = f64(a0);
                double ai = f64(a0 + 8L);
                rr0 += ar * xr;
                ii0 += ai * xi;
                ri0 += ar * xi;
                ir0 += ai * xr;
                ar = f64(a1);
                ai = f64(a1 + 8L);
                rr1 += ar * xr;
                ii1 += ai * xi;
                ri1 += ar * xi;
                ir1 += ai * xr;
            }
            addSum(alphaRe, alphaIm, rr0, ii0, ri0, ir0, conjA, conjX, y);
            addSum(alphaRe, alphaIm, rr1, ii1, ri1, ir1, conjA, conjX, y + dy);
        }
        if (i < n) {
            addDot(k, alphaRe, alphaIm, a, 16L, conjA, x, dx, conjX, y);
        }
    }

    /** The element at y := alpha·Σ aₗ·xₗ + y; either factor may be conjugated. Strides are in bytes. */
    static void addDot(long n, double alphaRe, double alphaIm, long a, long da, boolean conjA, long x, long dx,
            boolean conjX, long y) {
        double rr = 0;
        double ii = 0;
        double ri = 0;
        double ir = 0;
        for (long l = 0; l < n; l++, a += da, x += dx) {
            double ar = f64(a);
            double ai = f64(a + 8L);
            double xr = f64(x);
            double xi = f64(x + 8L);
            rr += ar * xr;
            ii += ai * xi;
            ri += ar * xi;
            ir += ai * xr;
        }
        addSum(alphaRe, alphaIm, rr, ii, ri, ir, conjA, conjX, y);
    }

    /** The element at y := alpha·s + y, where s is made of sums of products of the parts of two factors. */
    private static void addSum(double alphaRe, double alphaIm, double rr, double ii, double ri, double ir,
            boolean conjA, boolean conjX, long y) {
        double alphaR = alphaRe;
        double alphaI = alphaIm;
        double re = conjA == conjX ? rr - ii : rr + ii;
        double im = (conjX ? -ri : ri) + (conjA ? -ir : ir);
        f64(y, f64(y) + (alphaR * re - alphaI * im));
        f64(y + 8L, f64(y + 8L) + (alphaR * im + alphaI * re));
    }

    @Override
    public void ger(long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy, boolean conj,
            long a, long lda) {
        double re = alphaRe;
        double im = alphaIm;
        if (re == 0 && im == 0) {
            return;
        }
        for (long j = 0; j < n; j++, y += incy * 16L, a += lda * 16L) {
            double yr = f64(y);
            double yi = conj ? -f64(y + 8L) : f64(y + 8L);
            axpy(m, re * yr - im * yi, re * yi + im * yr, x, incx, a, 1);
        }
    }

    @Override
    public void symvStored(Uplo uplo, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long step, long growth, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        scale(n, betaRe, betaIm, y, incy);
        double re = alphaRe;
        double im = alphaIm;
        if (re == 0 && im == 0) {
            return;
        }
        long dx = incx * 16L;
        long dy = incy * 16L;
        // Each element beside the diagonal is read once and serves the product and the (conjugate) transposed product.
        for (long j = 0; j < n; j++) {
            long i = uplo == Uplo.UPPER ? Math.max(0, j - k) : j + 1;
            long last = uplo == Uplo.UPPER ? j : Math.min(n, j + k + 1);
            long column = column(a, j, step, growth);
            double xr = f64(x + j * dx);
            double xi = f64(x + j * dx + 8L);
            double tr = re * xr - im * xi;
            double ti = re * xi + im * xr;
            double rr = 0;
            double ii = 0;
            double ri = 0;
            double ir = 0;
            long aij = column + i * 16L;
            long x1 = x + i * dx;
            long y1 = y + i * dy;
            for (; i < last; i++, aij += 16L, x1 += dx, y1 += dy) {
                double ar = f64(aij);
                double ai = f64(aij + 8L);
                double br = f64(x1);
                double bi = f64(x1 + 8L);
                rr += ar * br;
                ii += ai * bi;
                ri += ar * bi;
                ir += ai * br;
                f64(y1, f64(y1) + (tr * ar - ti * ai));
                f64(y1 + 8L, f64(y1 + 8L) + (tr * ai + ti * ar));
            }
            long yj = y + j * dy;
            double dr = f64(column + j * 16L);
            double di = hermitian ? 0 : f64(column + j * 16L + 8L);
            addSum(alphaRe, alphaIm, rr, ii, ri, ir, hermitian, false, yj);
            f64(yj, f64(yj) + (hermitian ? tr * dr : tr * dr - ti * di));
            f64(yj + 8L, f64(yj + 8L) + (hermitian ? ti * dr : tr * di + ti * dr));
        }
    }

    /** Where element (0, j) of a matrix lies, or would if it were stored. */
    static long column(long a, long j, long step, long growth) {
        return a + (j * step + growth * (j * (j - 1) / 2)) * 16L;
    }

    @Override
    final void smallTrmv(boolean lower, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        long di = op == Op.NONE ? 16L : lda * 16L;
        long dj = op == Op.NONE ? lda * 16L : 16L;
        multiply(lower, op == Op.CONJ_TRANS, diag == Diag.UNIT, n, a, di, dj, x, incx * 16L);
    }

    @Override
    final void smallTrsv(boolean lower, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        long di = op == Op.NONE ? 16L : lda * 16L;
        long dj = op == Op.NONE ? lda * 16L : 16L;
        solve(lower, op == Op.CONJ_TRANS, diag == Diag.UNIT, n, a, di, dj, x, incx * 16L);
    }

    /** x := op(A)·x by element for a small triangle; {@code lower} is the triangle of op(A). */
    static void multiply(boolean lower, boolean conj, boolean unit, long n, long a, long di, long dj, long x, long dx) {
        for (long r = 0; r < n; r++) {
            // Each row needs elements that are not overwritten yet.
            long i = lower ? n - 1 - r : r;
            long first = lower ? 0 : i + 1;
            long xi = x + i * dx;
            if (!unit) {
                double xr = f64(xi);
                double xm = f64(xi + 8L);
                double dr = f64(a + i * (di + dj));
                double dm = conj ? -f64(a + i * (di + dj) + 8L) : f64(a + i * (di + dj) + 8L);
                f64(xi, dr * xr - dm * xm);
                f64(xi + 8L, dr * xm + dm * xr);
            }
            addDot(n - 1 - r, 1, 0, a + i * di + first * dj, dj, conj, x + first * dx, dx, false, xi);
        }
    }

    /** Solves op(A)·x = b by element for a small triangle; {@code lower} is the triangle of op(A). */
    static void solve(boolean lower, boolean conj, boolean unit, long n, long a, long di, long dj, long x, long dx) {
        for (long r = 0; r < n; r++) {
            long i = lower ? r : n - 1 - r;
            long first = lower ? 0 : i + 1;
            long xi = x + i * dx;
            addDot(r, -1, 0, a + i * di + first * dj, dj, conj, x + first * dx, dx, false, xi);
            if (!unit) {
                divide(1, xi, a + i * (di + dj), conj);
            }
        }
    }

    /** n contiguous elements divided by the one at {@code d} or its conjugate, after Smith, "Algorithm 116", 1962. */
    static void divide(long n, long x, long d, boolean conj) {
        double re = f64(d);
        double im = conj ? -f64(d + 8L) : f64(d + 8L);
        boolean swap = Math.abs(re) < Math.abs(im);
        double ratio = swap ? re / im : im / re;
        double whole = swap ? re * ratio + im : re + im * ratio;
        for (long end = x + n * 16L; x < end; x += 16L) {
            double xr = f64(x);
            double xi = f64(x + 8L);
            f64(x, (swap ? xr * ratio + xi : xr + xi * ratio) / whole);
            f64(x + 8L, (swap ? xi * ratio - xr : xi - xr * ratio) / whole);
        }
    }
}
