package dev.basalt.host.vector;

import static dev.basalt.spi.Memory.f64;

/**
 * As {@link FusedD} for complex elements. Of the imaginary part of a scalar vectors hold {@code 0 - im} and {@code 0 + im}: without the
 * sum zeros would have another sign here.
 */
public final class FusedZ {
    /** Elements that an int counts: C2 cuts loops that a long counts into such ones itself, which costs a short vector 3 ns. */
    private static final long RUN = 1 << 30;

    private FusedZ() {}

    public static void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        double re = alphaRe;
        double im = 0 + alphaIm; // float: float im = 0 + (float) alphaIm;
        double minus = 0 - im;
        long dx = incx * 16L;
        long dy = incy * 16L;
        long p = x;
        long q = y;
        for (long left = n; left > 0; left -= RUN) {
            for (int i = (int) Math.min(left, RUN); i > 0; i--, p += dx, q += dy) {
                double xr = f64(p);
                double xi = f64(p + 8L);
                f64(q, Math.fma(xi, minus, Math.fma(xr, re, f64(q))));
                f64(q + 8L, Math.fma(xr, im, Math.fma(xi, re, f64(q + 8L))));
            }
        }
    }

    public static void ger(long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy,
            boolean conj, long a, long lda) {
        double ar = alphaRe;
        double ai = alphaIm;
        long dx = incx * 16L;
        long dy = incy * 16L;
        long q = y;
        for (long j = 0; j < n; j++, q += dy) {
            double yr = f64(q);
            double yi = conj ? -f64(q + 8L) : f64(q + 8L);
            double re = Math.fma(-ai, yi, ar * yr);
            double im = Math.fma(ar, yi, ai * yr);
            long p = x;
            long r = a + j * lda * 16L;
            long stop = r + m * 16L;
            for (; r != stop; p += dx, r += 16L) {
                double xr = f64(p);
                double xi = f64(p + 8L);
                f64(r, Math.fma(xi, -im, Math.fma(xr, re, f64(r))));
                f64(r + 8L, Math.fma(xr, im, Math.fma(xi, re, f64(r + 8L))));
            }
        }
    }

    /** y := alpha·op(A)·x + beta·y of few elements. */
    public static void gemv(boolean plain, boolean conj, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        double re = alphaRe;
        double im = alphaIm;
        double sign = conj ? -1 : 1;
        long dx = incx * 16L;
        long dy = incy * 16L;
        FusedZTriangle.scale((int) (plain ? m : n), betaRe, betaIm, y, dy);
        long u = x;
        long v = y;
        for (int j = 0; j < (int) n; j++) {
            long p = a + j * lda * 16L;
            long stop = p + m * 16L;
            if (plain) {
                double xr = f64(u);
                double xi = f64(u + 8L);
                double fr = Math.fma(-im, xi, re * xr);
                double fi = Math.fma(re, xi, im * xr);
                long q = y;
                for (; p != stop; p += 16L, q += dy) {
                    double ar = f64(p);
                    double ai = f64(p + 8L);
                    f64(q, Math.fma(-ai, fi, Math.fma(ar, fr, f64(q))));
                    f64(q + 8L, Math.fma(ar, fi, Math.fma(ai, fr, f64(q + 8L))));
                }
                u += dx;
            } else {
                double sr = 0;
                double si = 0;
                long q = x;
                for (; p != stop; p += 16L, q += dx) {
                    double ar = f64(p);
                    double ai = sign * f64(p + 8L);
                    double xr = f64(q);
                    double xi = f64(q + 8L);
                    sr = Math.fma(-ai, xi, Math.fma(ar, xr, sr));
                    si = Math.fma(ai, xr, Math.fma(ar, xi, si));
                }
                f64(v, Math.fma(-im, si, Math.fma(re, sr, f64(v))));
                f64(v + 8L, Math.fma(im, sr, Math.fma(re, si, f64(v + 8L))));
                v += dy;
            }
        }
    }

    public static void scal(long n, double alphaRe, double alphaIm, long x, long incx) {
        double re = alphaRe;
        double im = 0 + alphaIm; // float: float im = 0 + (float) alphaIm;
        double minus = 0 - im;
        long dx = incx * 16L;
        long p = x;
        for (long left = n; left > 0; left -= RUN) {
            for (int i = (int) Math.min(left, RUN); i > 0; i--, p += dx) {
                double xr = f64(p);
                double xi = f64(p + 8L);
                f64(p, Math.fma(xr, re, xi * minus));
                f64(p + 8L, Math.fma(xi, re, xr * im));
            }
        }
    }

    /** A real sine is no complex one with an imaginary part of 0, which would make NaN of an infinity. */
    public static void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx,
            long y, long incy) {
        if (real) {
            FusedD.rot(n, alphaRe, betaRe, x, 2 * incx, y, 2 * incy);
            FusedD.rot(n, alphaRe, betaRe, x + 8L, 2 * incx, y + 8L, 2 * incy);
            return;
        }
        double c = alphaRe;
        double re = betaRe;
        double im = 0 + betaIm; // float: float im = 0 + (float) betaIm;
        double minus = 0 - im;
        long dx = incx * 16L;
        long dy = incy * 16L;
        long p = x;
        long q = y;
        for (long left = n; left > 0; left -= RUN) {
            for (int i = (int) Math.min(left, RUN); i > 0; i--, p += dx, q += dy) {
                double xr = f64(p);
                double xi = f64(p + 8L);
                double yr = f64(q);
                double yi = f64(q + 8L);
                f64(p, Math.fma(yi, minus, Math.fma(yr, re, c * xr)));
                f64(p + 8L, Math.fma(yr, im, Math.fma(yi, re, c * xi)));
                f64(q, Math.fma(xi, minus, Math.fma(xr, -re, c * yr)));
                f64(q + 8L, Math.fma(xr, im, Math.fma(xi, -re, c * yi)));
            }
        }
    }
}
