package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/** What {@link RecursiveReflectors} leaves of real reflectors. */
abstract class DReflectors extends DTriangle {
    /** The smallest number whose reciprocal is finite, by the unit of rounding. */
    private static final double SAFE = 0x1p-969; // float: private static final float SAFE = 0x1p-102f;

    /** What is scaled up so often is zero. */
    private static final int TIMES = 20;

    @Override
    public final void larfg(boolean turned, long n, long alpha, long x, long dx, long tau) {
        double norm = nrm2(n - 1, x, dx); // keep double
        if (norm == 0) {
            f64(tau, 0);
            return;
        }
        double a = f64(alpha); // keep double
        double beta = beta(a, norm); // keep double
        int scaled = 0;
        while (Math.abs(beta) < SAFE && scaled < TIMES) {
            scal(n - 1, 1 / SAFE, 0, true, x, dx);
            beta /= SAFE;
            a /= SAFE;
            scaled++;
        }
        if (scaled > 0) {
            beta = beta(a, nrm2(n - 1, x, dx));
        }
        f64(tau, (beta - a) / beta); // float: f32(tau, (float) ((beta - a) / beta));
        scal(n - 1, 1 / (a - beta), 0, true, x, dx);
        while (scaled-- > 0) {
            beta *= SAFE;
        }
        f64(alpha, beta); // float: f32(alpha, (float) beta);
    }

    /** As LAPACK's lapy2, with the sign that avoids cancellation. */
    private static double beta(double a, double norm) { // keep double
        double large = Math.max(Math.abs(a), norm); // keep double
        double ratio = Math.min(Math.abs(a), norm) / large; // keep double
        return -Math.copySign(large * Math.sqrt(1 + ratio * ratio), a); // keep double
    }

    @Override
    protected void reflect(boolean turned, boolean conj, long m, long n, long x, long dx, long tau, long c, long di,
            long dj) {
        double f = f64(tau);
        if (f == 0) {
            return;
        }
        for (long j = 0; j < n; j++, c += dj * 8L) {
            long rest = c + di * 8L;
            double alphaRe = dotReal(m - 1, x, dx, rest, di);
            double s = f * (f64(c) + alphaRe);
            f64(c, f64(c) - s);
            axpy(m - 1, -s, 0, x, dx, rest, di);
        }
    }

    @Override
    final void reflectColumns(long m, long n, long x, long tau, long row, long rest, long ld, long w) {
        double f = f64(tau);
        if (f == 0) {
            return;
        }
        copy(n, row, ld, w, 1);
        gemv(Op.TRANS, m, n, 1, 0, rest, ld, x, 1, 1, 0, w, 1);
        ger(m, n, -f, 0, x, 1, w, 1, false, rest, ld);
        axpy(n, -f, 0, w, 1, row, ld);
    }

    @Override
    final void addDot(long n, long x, long y, long sum) {
        double s = f64(sum);
        for (long end = x + n * 8L; x < end; x += 8L, y += 8L) {
            s += f64(x) * f64(y);
        }
        f64(sum, s);
    }

    @Override
    final void addFirst(boolean turned, long product, long first) {
        f64(product, f64(product) + f64(first));
    }

    @Override
    protected final void scaleByFactor(boolean conj, long n, long tau, long x, long dx) {
        scal(n, -f64(tau), 0, true, x, dx);
    }

    @Override
    final void oneLess(boolean conj, long tau, long a) {
        f64(a, 1 - f64(tau));
    }
}
