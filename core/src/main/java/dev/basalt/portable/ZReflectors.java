package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/** What {@link RecursiveReflectors} leaves of complex reflectors. */
abstract class ZReflectors extends ZTriangle {
    /** The smallest number whose reciprocal is finite, by the unit of rounding. */
    private static final double SAFE = 0x1p-969; // float: private static final float SAFE = 0x1p-102f;

    /** What is scaled up so often is zero. */
    private static final int TIMES = 20;

    @Override
    public final void larfg(boolean turned, long n, long alpha, long x, long dx, long tau) {
        double norm = nrm2(n - 1, x, dx); // keep double
        double re = f64(alpha); // keep double
        double im = turned ? -f64(alpha + 8L) : f64(alpha + 8L); // keep double
        if (norm == 0 && im == 0) {
            f64(tau, 0);
            f64(tau + 8L, 0);
            return;
        }
        double beta = beta(re, im, norm); // keep double
        int scaled = 0;
        while (Math.abs(beta) < SAFE && scaled < TIMES) {
            scal(n - 1, 1 / SAFE, 0, true, x, dx);
            beta /= SAFE;
            re /= SAFE;
            im /= SAFE;
            scaled++;
        }
        if (scaled > 0) {
            beta = beta(re, im, nrm2(n - 1, x, dx));
        }
        f64(tau, (beta - re) / beta); // float: f32(tau, (float) ((beta - re) / beta));
        f64(tau + 8L, -im / beta); // float: f32(tau + 4L, (float) (-im / beta));
        // 1 / (alpha - beta) after Smith.
        double d = re - beta; // keep double
        boolean swap = Math.abs(d) < Math.abs(im);
        double ratio = swap ? d / im : im / d; // keep double
        double whole = swap ? d * ratio + im : d + im * ratio; // keep double
        double inverse = (swap ? -1 : -ratio) / whole; // keep double
        scal(n - 1, (swap ? ratio : 1) / whole, turned ? -inverse : inverse, false, x, dx);
        while (scaled-- > 0) {
            beta *= SAFE;
        }
        f64(alpha, beta); // float: f32(alpha, (float) beta);
        f64(alpha + 8L, 0);
    }

    /** As LAPACK's lapy3, with the sign that avoids cancellation. */
    private static double beta(double re, double im, double norm) { // keep double
        double large = Math.max(Math.max(Math.abs(re), Math.abs(im)), norm); // keep double
        double x = re / large; // keep double
        double y = im / large; // keep double
        double z = norm / large; // keep double
        return -Math.copySign(large * Math.sqrt(x * x + y * y + z * z), re); // keep double
    }

    @Override
    protected void reflect(boolean turned, boolean conj, long m, long n, long x, long dx, long tau, long c, long di,
            long dj) {
        double re = f64(tau);
        double im = conj ? -f64(tau + 8L) : f64(tau + 8L);
        if (re == 0 && im == 0) {
            return;
        }
        for (long j = 0; j < n; j++, c += dj * 16L) {
            line(turned, m - 1, re, im, x, dx * 16L, c, di * 16L);
        }
    }

    @Override
    final void reflectColumns(long m, long n, long x, long tau, long row, long rest, long ld, long w) {
        double re = f64(tau);
        double im = -f64(tau + 8L);
        if (re == 0 && im == 0) {
            return;
        }
        for (long j = 0; j < n; j++) {
            f64(w + j * 16L, f64(row + j * ld * 16L));
            f64(w + j * 16L + 8L, -f64(row + j * ld * 16L + 8L));
        }
        gemv(Op.CONJ_TRANS, m, n, 1, 0, rest, ld, x, 1, 1, 0, w, 1);
        ger(m, n, -re, -im, x, 1, w, 1, true, rest, ld);
        for (long j = 0; j < n; j++) {
            subtract(row + j * ld * 16L, re, im, f64(w + j * 16L), -f64(w + j * 16L + 8L));
        }
    }

    private static void line(boolean turned, long n, double re, double im, long x, long dx, long c, long dc) {
        double sign = turned ? -1 : 1;
        double sr = f64(c);
        double si = f64(c + 8L);
        long xi = x;
        long ci = c + dc;
        for (long i = 0; i < n; i++, xi += dx, ci += dc) {
            double xr = f64(xi);
            double xm = sign * f64(xi + 8L);
            sr += xr * f64(ci) + xm * f64(ci + 8L);
            si += xr * f64(ci + 8L) - xm * f64(ci);
        }
        double fr = re * sr - im * si;
        double fi = re * si + im * sr;
        f64(c, f64(c) - fr);
        f64(c + 8L, f64(c + 8L) - fi);
        xi = x;
        ci = c + dc;
        for (long i = 0; i < n; i++, xi += dx, ci += dc) {
            subtract(ci, fr, fi, f64(xi), sign * f64(xi + 8L));
        }
    }

    /** The element at c := itself - a·b. */
    private static void subtract(long c, double ar, double ai, double br, double bi) {
        f64(c, f64(c) - (ar * br - ai * bi));
        f64(c + 8L, f64(c + 8L) - (ar * bi + ai * br));
    }

    @Override
    final void addDot(long n, long x, long y, long sum) {
        double re = f64(sum);
        double im = f64(sum + 8L);
        for (long end = x + n * 16L; x < end; x += 16L, y += 16L) {
            re += f64(x) * f64(y) + f64(x + 8L) * f64(y + 8L);
            im += f64(x) * f64(y + 8L) - f64(x + 8L) * f64(y);
        }
        f64(sum, re);
        f64(sum + 8L, im);
    }

    @Override
    final void addFirst(boolean turned, long product, long first) {
        double im = f64(product + 8L) - f64(first + 8L);
        f64(product, f64(product) + f64(first));
        f64(product + 8L, turned ? -im : im);
    }

    @Override
    protected final void scaleByFactor(boolean conj, long n, long tau, long x, long dx) {
        scal(n, -f64(tau), conj ? f64(tau + 8L) : -f64(tau + 8L), false, x, dx);
    }

    @Override
    final void oneLess(boolean conj, long tau, long a) {
        f64(a, 1 - f64(tau));
        f64(a + 8L, conj ? f64(tau + 8L) : -f64(tau + 8L));
    }
}
