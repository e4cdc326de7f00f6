package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * Matrix-vector kernels (BLAS level 2).
 *
 * <p>Products take four columns at a time, so that the vector passes through the registers a quarter as often.
 * {@link Recursive} halves triangles and leaves small ones. Strides {@code di} and {@code dj} in bytes are those between the rows and the columns of op(A): with them
 * and the triangle that op(A) has, transposed and plain matrices are the same to the small cases.
 */
abstract class DLevel2 extends DRotation {
    @Override
    public void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long incx,
            double betaRe, double betaIm, long y, long incy) {
        scale(op == Op.NONE ? m : n, betaRe, y, incy);
        double alpha = alphaRe;
        if (alpha == 0 || m <= 0 || n <= 0) {
            return;
        }
        if (op == Op.NONE) {
            addColumns(m, n, alpha, a, lda * 8L, x, incx * 8L, y, incy * 8L);
        } else {
            addRows(n, m, alpha, a, lda * 8L, x, incx * 8L, y, incy * 8L);
        }
    }

    /** y := beta·y, without reading y if beta = 0. */
    final void scale(long n, double betaRe, long y, long incy) {
        if (betaRe == 0) {
            fill(n, 0, 0, y, incy);
        } else if (betaRe != 1) {
            scal(n, betaRe, 0, true, y, incy);
        }
    }

    /** y := alpha·A·x + y for n columns of m elements. Strides are in bytes. */
    static void addColumns(long m, long n, double alpha, long a, long da, long x, long dx, long y, long dy) {
        long j = 0;
        for (; j + 4 <= n; j += 4, a += 4 * da, x += 4 * dx) {
            double x0 = alpha * f64(x);
            double x1 = alpha * f64(x + dx);
            double x2 = alpha * f64(x + 2 * dx);
            double x3 = alpha * f64(x + 3 * dx);
            if (dy == 8L) {
                add4Columns(m, x0, x1, x2, x3, a, da, y);
            } else {
                add4Columns(m, x0, x1, x2, x3, a, da, y, dy);
            }
        }
        for (; j < n; j++, a += da, x += dx) {
            add1Column(m, alpha * f64(x), a, y, dy);
        }
    }

    private static void add4Columns(long m, double x0, double x1, double x2, double x3, long a0, long da, long y) {
        long a1 = a0 + da;
        long a2 = a1 + da;
        long a3 = a2 + da;
        for (long end = y + m * 8L; y < end; y += 8L, a0 += 8L, a1 += 8L, a2 += 8L, a3 += 8L) {
            f64(y, f64(y) + ((x0 * f64(a0) + x1 * f64(a1)) + (x2 * f64(a2) + x3 * f64(a3))));
        }
    }

    private static void add4Columns(long m, double x0, double x1, double x2, double x3, long a0, long da, long y,
            long dy) {
        long a1 = a0 + da;
        long a2 = a1 + da;
        long a3 = a2 + da;
        for (long end = a0 + m * 8L; a0 < end; y += dy, a0 += 8L, a1 += 8L, a2 += 8L, a3 += 8L) {
            f64(y, f64(y) + ((x0 * f64(a0) + x1 * f64(a1)) + (x2 * f64(a2) + x3 * f64(a3))));
        }
    }

    private static void add1Column(long m, double x, long a, long y, long dy) {
        for (long end = a + m * 8L; a < end; a += 8L, y += dy) {
            f64(y, f64(y) + x * f64(a));
        }
    }

    /** y := alpha·Aᵀ·x + y, where Aᵀ has n rows of k elements, one after another each; strides are in bytes. */
    static void addRows(long n, long k, double alpha, long a, long da, long x, long dx, long y, long dy) {
        long i = 0;
        for (; i + 4 <= n; i += 4, a += 4 * da, y += 4 * dy) {
            double s0 = 0;
            double s1 = 0;
            double s2 = 0;
            double s3 = 0;
            long a0 = a;
            long a1 = a0 + da;
            long a2 = a1 + da;
            long a3 = a2 + da;
            long xl = x;
            for (long end = a + k * 8L; a0 < end; a0 += 8L, a1 += 8L, a2 += 8L, a3 += 8L, xl += dx) {
                double v = f64(xl);
                s0 += f64(a0) * v;
                s1 += f64(a1) * v;
                s2 += f64(a2) * v;
                s3 += f64(a3) * v;
            }
            f64(y, f64(y) + alpha * s0);
            f64(y + dy, f64(y + dy) + alpha * s1);
            f64(y + 2 * dy, f64(y + 2 * dy) + alpha * s2);
            f64(y + 3 * dy, f64(y + 3 * dy) + alpha * s3);
        }
        for (; i < n; i++, a += da, y += dy) {
            f64(y, f64(y) + alpha * dot(k, a, 8L, x, dx));
        }
    }

    @Override
    public void ger(long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy, boolean conj,
            long a, long lda) {
        double alpha = alphaRe;
        if (alpha == 0) {
            return;
        }
        for (long j = 0; j < n; j++, y += incy * 8L, a += lda * 8L) {
            axpy(m, alpha * f64(y), 0, x, incx, a, 1);
        }
    }

    @Override
    public void symvStored(Uplo uplo, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long step, long growth, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        scale(n, betaRe, y, incy);
        double alpha = alphaRe;
        if (alpha == 0) {
            return;
        }
        long dx = incx * 8L;
        long dy = incy * 8L;
        // Each element beside the diagonal is read once and serves the product and the transposed product.
        for (long j = 0; j < n; j++) {
            long first = uplo == Uplo.UPPER ? Math.max(0, j - k) : j + 1;
            long count = (uplo == Uplo.UPPER ? j : Math.min(n, j + k + 1)) - first;
            long column = column(a, j, step, growth);
            double xj = alpha * f64(x + j * dx);
            double sum = addAndDot(count, xj, column + first * 8L, x + first * dx, dx, y + first * dy, dy);
            long yj = y + j * dy;
            f64(yj, f64(yj) + (xj * f64(column + j * 8L) + alpha * sum));
        }
    }

    /** Where element (0, j) of a matrix lies, or would if it were stored. */
    static long column(long a, long j, long step, long growth) {
        return a + (j * step + growth * (j * (j - 1) / 2)) * 8L;
    }

    /** y := s·a + y, and the result is aᵀ·x. */
    private static double addAndDot(long n, double s, long a, long x, long dx, long y, long dy) {
        double s0 = 0;
        double s1 = 0;
        long i = 0;
        for (; i + 2 <= n; i += 2, a += 16L, x += 2 * dx, y += 2 * dy) {
            double a0 = f64(a);
            double a1 = f64(a + 8L);
            s0 += a0 * f64(x);
            s1 += a1 * f64(x + dx);
            f64(y, f64(y) + s * a0);
            f64(y + dy, f64(y + dy) + s * a1);
        }
        if (i < n) {
            s0 += f64(a) * f64(x);
            f64(y, f64(y) + s * f64(a));
        }
        return s0 + s1;
    }

    @Override
    final void smallTrmv(boolean lower, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        long di = op == Op.NONE ? 8L : lda * 8L;
        long dj = op == Op.NONE ? lda * 8L : 8L;
        multiply(lower, diag == Diag.UNIT, n, a, di, dj, x, incx * 8L);
    }

    @Override
    final void smallTrsv(boolean lower, Op op, Diag diag, long n, long a, long lda, long x, long incx) {
        long di = op == Op.NONE ? 8L : lda * 8L;
        long dj = op == Op.NONE ? lda * 8L : 8L;
        solve(lower, diag == Diag.UNIT, n, a, di, dj, x, incx * 8L);
    }

    /** x := op(A)·x by element for a small triangle; {@code lower} is the triangle of op(A). */
    static void multiply(boolean lower, boolean unit, long n, long a, long di, long dj, long x, long dx) {
        for (long r = 0; r < n; r++) {
            // Each row needs elements that are not overwritten yet.
            long i = lower ? n - 1 - r : r;
            long first = lower ? 0 : i + 1;
            long xi = x + i * dx;
            double s = unit ? f64(xi) : f64(a + i * (di + dj)) * f64(xi);
            f64(xi, s + product(n - 1 - r, a + i * di + first * dj, dj, x + first * dx, dx));
        }
    }

    /** Solves op(A)·x = b by element for a small triangle; {@code lower} is the triangle of op(A). */
    static void solve(boolean lower, boolean unit, long n, long a, long di, long dj, long x, long dx) {
        for (long r = 0; r < n; r++) {
            long i = lower ? r : n - 1 - r;
            long first = lower ? 0 : i + 1;
            long xi = x + i * dx;
            double s = f64(xi) - product(r, a + i * di + first * dj, dj, x + first * dx, dx);
            f64(xi, unit ? s : s / f64(a + i * (di + dj)));
        }
    }

    /** Σ aₗ·xₗ for a few elements. */
    private static double product(long n, long a, long da, long x, long dx) {
        double s = 0;
        for (long l = 0; l < n; l++, a += da, x += dx) {
            s += f64(a) * f64(x);
        }
        return s;
    }
}
