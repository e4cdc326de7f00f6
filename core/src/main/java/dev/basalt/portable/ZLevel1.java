package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.spi.Memory;

/** Complex vector kernels (BLAS level 1); see {@link DLevel1}. */
abstract class ZLevel1 extends RecursiveReflectors {
    /** Rows of a strip of columns. */
    private static final long STRIP = 128;

    private static final long BLOCK_COPY = 32;

    /** Elements that an int counts: C2 cuts loops that a long counts into such ones itself, which costs a short vector 3 ns. */
    private static final long RUN = 1 << 30;

    @Override
    final long bytes() {
        return 16L;
    }

    @Override
    final boolean complex() {
        return true;
    }

    @Override
    final void real(long element) {
        f64(element + 8L, 0);
    }

    @Override
    public void copy(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= BLOCK_COPY) {
            Memory.copy(x, y, n * 16L);
            return;
        }
        long dx = incx * 16L;
        long dy = incy * 16L;
        for (long left = n; left > 0; left -= RUN) {
            for (int i = (int) Math.min(left, RUN); i > 0; i--, x += dx, y += dy) {
                double re = f64(x);
                double im = f64(x + 8L);
                f64(y, re);
                f64(y + 8L, im);
            }
        }
    }

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        long dx = incx * 16L;
        long dy = incy * 16L;
        for (long left = n; left > 0; left -= RUN) {
            for (int i = (int) Math.min(left, RUN); i > 0; i--, x += dx, y += dy) {
                double re = f64(x);
                double im = f64(x + 8L);
                f64(x, f64(y));
                f64(x + 8L, f64(y + 8L));
                f64(y, re);
                f64(y + 8L, im);
            }
        }
    }

    /** A real sine is no complex one with an imaginary part of 0, which would make NaN of an infinity. */
    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        double c = alphaRe;
        double re = betaRe;
        double im = betaIm;
        long dx = incx * 16L;
        long dy = incy * 16L;
        for (long i = 0; i < n; i++, x += dx, y += dy) {
            double xr = f64(x);
            double xi = f64(x + 8L);
            double yr = f64(y);
            double yi = f64(y + 8L);
            f64(x, c * xr + (real ? re * yr : re * yr - im * yi));
            f64(x + 8L, c * xi + (real ? re * yi : re * yi + im * yr));
            f64(y, c * yr - (real ? re * xr : re * xr + im * xi));
            f64(y + 8L, c * yi - (real ? re * xi : re * xi - im * xr));
        }
    }

    /** Strips of columns stay in the first cache. */
    @Override
    public void sweep(long count, long cosines, long sines, long step, boolean turned, long rows, long x, long ld) {
        long next = ld * 16L;
        for (long i = 0; i < rows; i += STRIP) {
            long y = x + i * 16L;
            long m = Math.min(STRIP, rows - i);
            for (long k = 0; k < count; k++, y += next) {
                double s = f64(sines + k * step * 8L);
                rot(m, f64(cosines + k * step * 8L), turned ? -s : s, 0, true, y, 1, y + next, 1);
            }
        }
    }

    @Override
    public void chaseRows(long cols, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        double tr = alphaRe;
        double ti = alphaIm;
        double vr = betaRe;
        double vi = betaIm;
        ZSchur.onRows(cols, x, ld, tr, ti, vr, vi);
    }

    @Override
    public void chaseColumns(long rows, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        double tr = alphaRe;
        double ti = alphaIm;
        double vr = betaRe;
        double vi = betaIm;
        ZSchur.onColumns(rows, x, ld, tr, ti, vr, vi);
    }

    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        double re = alphaRe;
        double im = alphaIm;
        long dx = incx * 16L;
        long dy = incy * 16L;
        for (long i = 0; i < n; i++, x += dx, y += dy) {
            double xr = f64(x);
            double xi = f64(x + 8L);
            f64(y, f64(y) + (re * xr - im * xi));
            f64(y + 8L, f64(y + 8L) + (re * xi + im * xr));
        }
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx) {
        double re = alphaRe;
        double im = alphaIm;
        long dx = incx * 16L;
        if (real) {
            for (long i = 0; i < n; i++, x += dx) {
                f64(x, re * f64(x));
                f64(x + 8L, re * f64(x + 8L));
            }
            return;
        }
        for (long i = 0; i < n; i++, x += dx) {
            double xr = f64(x);
            double xi = f64(x + 8L);
            f64(x, re * xr - im * xi);
            f64(x + 8L, re * xi + im * xr);
        }
    }

    @Override
    public void fill(long n, double alphaRe, double alphaIm, long x, long incx) {
        double re = alphaRe;
        double im = alphaIm;
        long dx = incx * 16L;
        for (long i = 0; i < n; i++, x += dx) {
            f64(x, re);
            f64(x + 8L, im);
        }
    }

    /** The four real products are summed apart: that gives four accumulators, and conj only changes how they are combined. */
    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result) {
        long dx = incx * 16L;
        long dy = incy * 16L;
        double rr = 0;
        double ii = 0;
        double ri = 0;
        double ir = 0;
        for (long i = 0; i < n; i++, x += dx, y += dy) {
            double xr = f64(x);
            double xi = f64(x + 8L);
            double yr = f64(y);
            double yi = f64(y + 8L);
            rr += xr * yr;
            ii += xi * yi;
            ri += xr * yi;
            ir += xi * yr;
        }
        f64(result, conj ? rr + ii : rr - ii);
        f64(result + 8L, conj ? ri - ir : ri + ir);
    }

    @Override
    public double asum(long n, long x, long incx) { // keep double
        long dx = incx * 16L;
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        long i = 0;
        for (; i + 2 <= n; i += 2, x += 2 * dx) {
            s0 += Math.abs(f64(x));
            s1 += Math.abs(f64(x + 8L));
            s2 += Math.abs(f64(x + dx));
            s3 += Math.abs(f64(x + dx + 8L));
        }
        if (i < n) {
            s0 += Math.abs(f64(x));
            s1 += Math.abs(f64(x + 8L));
        }
        return (s0 + s1) + (s2 + s3);
    }

    /** As {@link DLevel1#nrm2}. */
    @Override
    public double nrm2(long n, long x, long incx) { // keep double
        double sum = sumOfSquares(n, x, incx * 16L, 1); // keep double
        if ((sum > DLevel1.SAFE_SQUARE && sum <= Double.MAX_VALUE) || Double.isNaN(sum)) { // float: if (!(sum < 0)) {
            return Math.sqrt(sum); // keep double
        }
        double scale = sum > 1 ? 0x1p-600 : 0x1p600; // keep double
        return Math.sqrt(sumOfSquares(n, x, incx * 16L, scale)) / scale; // keep double
    }

    private static double sumOfSquares(long n, long x, long dx, double scale) { // keep double
        double s0 = 0; // keep double
        double s1 = 0; // keep double
        double s2 = 0; // keep double
        double s3 = 0; // keep double
        long i = 0;
        for (; i + 2 <= n; i += 2, x += 2 * dx) {
            double v0 = scale * f64(x); // keep double
            double v1 = scale * f64(x + 8L); // keep double
            double v2 = scale * f64(x + dx); // keep double
            double v3 = scale * f64(x + dx + 8L); // keep double
            s0 += v0 * v0;
            s1 += v1 * v1;
            s2 += v2 * v2;
            s3 += v3 * v3;
        }
        if (i < n) {
            double v0 = scale * f64(x); // keep double
            double v1 = scale * f64(x + 8L); // keep double
            s0 += v0 * v0;
            s1 += v1 * v1;
        }
        return (s0 + s1) + (s2 + s3);
    }

    @Override
    public long iamax(long n, long x, long incx) {
        if (n <= 0) {
            return 0;
        }
        long dx = incx * 16L;
        long at = 1;
        double max = magnitude(x);
        // Ends at a NaN: nothing after it can win.
        if (Double.isNaN(max)) {
            return 1;
        }
        for (long i = 2; i <= n; i++) {
            x += dx;
            double v = magnitude(x);
            if (!(v <= max)) {
                if (Double.isNaN(v)) {
                    return i;
                }
                max = v;
                at = i;
            }
        }
        return at;
    }

    @Override
    public long iamin(long n, long x, long incx) {
        if (n <= 0) {
            return 0;
        }
        long dx = incx * 16L;
        long at = 1;
        double min = magnitude(x);
        long i = 2;
        for (; i <= n && Double.isNaN(min); i++) {
            x += dx;
            double v = magnitude(x);
            if (!Double.isNaN(v)) {
                min = v;
                at = i;
            }
        }
        for (; i <= n; i++) {
            x += dx;
            double v = magnitude(x);
            if (v < min) {
                min = v;
                at = i;
            }
        }
        return at;
    }

    /** |re| + |im| of the element at an address. */
    static double magnitude(long x) {
        return Math.abs(f64(x)) + Math.abs(f64(x + 8L));
    }
}
