package dev.basalt.host.vector;

import static dev.basalt.spi.Memory.f64;

/** As {@link FusedDTriangle} for complex elements. */
final class FusedZTriangle {
    private FusedZTriangle() {}

    /** y := alpha·A·x + beta·y; the imaginary part of a Hermitian diagonal is not read. */
    static void symv(boolean upper, boolean hermitian, int n, int k, double alphaRe, double alphaIm, long a, long step,
            long growth, long x, long incx, double betaRe, double betaIm, long y, long incy) {
        double re = alphaRe;
        double im = alphaIm;
        double sign = hermitian ? -1 : 1;
        long dx = incx * 16L;
        long dy = incy * 16L;
        scale(n, betaRe, betaIm, y, dy);
        long column = a;
        long next = step * 16L;
        long xj = x;
        long yj = y;
        for (int j = 0; j < n; j++) {
            int first = upper ? Math.max(0, j - k) : j + 1;
            int end = upper ? j : Math.min(n, j + k + 1);
            double xr = f64(xj);
            double xi = f64(xj + 8L);
            double fr = Math.fma(-im, xi, re * xr);
            double fi = Math.fma(re, xi, im * xr);
            double sr = 0;
            double si = 0;
            long p = column + first * 16L;
            long stop = p + (end - first) * 16L;
            long u = x + first * dx;
            long v = y + first * dy;
            for (; p != stop; p += 16L, u += dx, v += dy) {
                double ar = f64(p);
                double ai = f64(p + 8L);
                f64(v, Math.fma(-ai, fi, Math.fma(ar, fr, f64(v))));
                f64(v + 8L, Math.fma(ar, fi, Math.fma(ai, fr, f64(v + 8L))));
                double bi = sign * ai;
                double ur = f64(u);
                double ui = f64(u + 8L);
                sr = Math.fma(-bi, ui, Math.fma(ar, ur, sr));
                si = Math.fma(bi, ur, Math.fma(ar, ui, si));
            }
            double vr = Math.fma(-im, si, Math.fma(re, sr, f64(yj)));
            double vi = Math.fma(im, sr, Math.fma(re, si, f64(yj + 8L)));
            double dr = f64(column + j * 16L);
            vr = Math.fma(dr, fr, vr);
            vi = Math.fma(dr, fi, vi);
            if (!hermitian) {
                double di = f64(column + j * 16L + 8L);
                vr = Math.fma(-di, fi, vr);
                vi = Math.fma(di, fr, vi);
            }
            f64(yj, vr);
            f64(yj + 8L, vi);
            column += next;
            next += growth * 16L;
            xj += dx;
            yj += dy;
        }
    }

    /** y := beta·y, without reading y where beta is 0. */
    static void scale(int n, double betaRe, double betaIm, long y, long dy) {
        if (betaRe == 1 && betaIm == 0) {
            return;
        }
        double re = betaRe;
        double im = betaIm;
        long v = y;
        for (int i = 0; i < n; i++, v += dy) {
            double vr = 0;
            double vi = 0;
            if (re != 0 || im != 0) {
                vr = Math.fma(-im, f64(v + 8L), re * f64(v));
                vi = Math.fma(im, f64(v), re * f64(v + 8L));
            }
            f64(v, vr);
            f64(v + 8L, vi);
        }
    }

    /** x := op(A)·x, or the solution of op(A)·x = b in place, with division after Smith, "Algorithm 116", 1962. */
    static void triangle(boolean solves, boolean upper, boolean plain, boolean conj, boolean unit, int n, int k, long a,
            long step, long growth, long x, long incx) {
        boolean ascending = solves != (upper == plain);
        double sign = solves ? -1 : 1;
        double turn = conj ? -1 : 1;
        long dx = incx * 16L;
        for (int c = 0; c < n; c++) {
            int j = ascending ? c : n - 1 - c;
            int first = upper ? Math.max(0, j - k) : j + 1;
            int end = upper ? j : Math.min(n, j + k + 1);
            long column = a + column(j, step, growth);
            long xj = x + j * dx;
            double xr = f64(xj);
            double xi = f64(xj + 8L);
            double dr = unit ? 1 : f64(column + j * 16L);
            double di = unit ? 0 : turn * f64(column + j * 16L + 8L);
            double sr = xr;
            double si = xi;
            if (!solves && !unit) {
                sr = Math.fma(-di, xi, dr * xr);
                si = Math.fma(di, xr, dr * xi);
            }
            long p = column + first * 16L;
            long stop = p + (end - first) * 16L;
            long u = x + first * dx;
            if (!plain) {
                for (; p != stop; p += 16L, u += dx) {
                    double ar = sign * f64(p);
                    double ai = sign * turn * f64(p + 8L);
                    double ur = f64(u);
                    double ui = f64(u + 8L);
                    sr = Math.fma(-ai, ui, Math.fma(ar, ur, sr));
                    si = Math.fma(ai, ur, Math.fma(ar, ui, si));
                }
            }
            if (solves && !unit) {
                boolean swap = Math.abs(dr) < Math.abs(di);
                double ratio = swap ? dr / di : di / dr;
                double whole = swap ? dr * ratio + di : dr + di * ratio;
                double real = (swap ? sr * ratio + si : sr + si * ratio) / whole;
                si = (swap ? si * ratio - sr : si - sr * ratio) / whole;
                sr = real;
            }
            f64(xj, sr);
            f64(xj + 8L, si);
            if (plain) {
                double fr = solves ? -sr : xr;
                double fi = solves ? -si : xi;
                for (; p != stop; p += 16L, u += dx) {
                    add(u, f64(p), f64(p + 8L), fr, fi);
                }
            }
        }
    }

    /** Columns {@code from} to {@code to} of A := alpha·x·xᵀ + A, or of alpha·x·xᴴ + A, whose diagonal becomes real. */
    static void syr(boolean upper, boolean hermitian, int n, int from, int to, double alphaRe, double alphaIm, long x,
            long incx, long a, long step, long growth) {
        double re = alphaRe;
        double im = alphaIm;
        long dx = incx * 16L;
        for (int j = from; j < to; j++) {
            int first = upper ? 0 : j;
            int end = upper ? j + 1 : n;
            double xr = f64(x + j * dx);
            double xi = hermitian ? -f64(x + j * dx + 8L) : f64(x + j * dx + 8L);
            double fr = Math.fma(-im, xi, re * xr);
            double fi = Math.fma(re, xi, im * xr);
            long column = a + column(j, step, growth);
            long p = column + first * 16L;
            long stop = p + (end - first) * 16L;
            long u = x + first * dx;
            for (; p != stop; p += 16L, u += dx) {
                add(p, f64(u), f64(u + 8L), fr, fi);
            }
            if (hermitian) {
                f64(column + j * 16L + 8L, 0);
            }
        }
    }

    /** Columns {@code from} to {@code to} of A := alpha·x·yᵀ + alpha·y·xᵀ + A, or of alpha·x·yᴴ + conj(alpha)·y·xᴴ + A, whose diagonal becomes real. */
    static void syr2(boolean upper, boolean hermitian, int n, int from, int to, double alphaRe, double alphaIm, long x,
            long incx, long y, long incy, long a, long step, long growth) {
        double re = alphaRe;
        double im = alphaIm;
        double other = hermitian ? -im : im;
        double sign = hermitian ? -1 : 1;
        long dx = incx * 16L;
        long dy = incy * 16L;
        for (int j = from; j < to; j++) {
            int first = upper ? 0 : j;
            int end = upper ? j + 1 : n;
            double yr = f64(y + j * dy);
            double yi = sign * f64(y + j * dy + 8L);
            double lr = Math.fma(-im, yi, re * yr);
            double li = Math.fma(re, yi, im * yr);
            double xr = f64(x + j * dx);
            double xi = sign * f64(x + j * dx + 8L);
            double rr = Math.fma(-other, xi, re * xr);
            double ri = Math.fma(re, xi, other * xr);
            long column = a + column(j, step, growth);
            long p = column + first * 16L;
            long stop = p + (end - first) * 16L;
            long u = x + first * dx;
            long v = y + first * dy;
            for (; p != stop; p += 16L, u += dx, v += dy) {
                double ur = f64(u);
                double ui = f64(u + 8L);
                double vr = f64(v);
                double vi = f64(v + 8L);
                double ar = Math.fma(-ui, li, Math.fma(ur, lr, f64(p)));
                double ai = Math.fma(ur, li, Math.fma(ui, lr, f64(p + 8L)));
                f64(p, Math.fma(-vi, ri, Math.fma(vr, rr, ar)));
                f64(p + 8L, Math.fma(vr, ri, Math.fma(vi, rr, ai)));
            }
            if (hermitian) {
                f64(column + j * 16L + 8L, 0);
            }
        }
    }

    /** The element at v += (ar + i·ai)·(fr + i·fi). */
    private static void add(long v, double ar, double ai, double fr, double fi) {
        f64(v, Math.fma(-ai, fi, Math.fma(ar, fr, f64(v))));
        f64(v + 8L, Math.fma(ar, fi, Math.fma(ai, fr, f64(v + 8L))));
    }

    /** Bytes to where row 0 of a column would lie. */
    private static long column(int j, long step, long growth) {
        return (j * step + growth * ((long) j * (j - 1) / 2)) * 16L;
    }
}
