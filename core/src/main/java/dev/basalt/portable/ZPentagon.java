package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Side;

/** Complex ones. */
final class ZPentagon implements PentagonLeaf {
    private final Leaf leaf;

    ZPentagon(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public void conjugate(long m, long n, long c, long ldc) {
        for (long j = 0; j < n; j++) {
            conjugate(m, c + j * ldc * 16L, 1);
        }
    }

    private static void conjugate(long n, long x, long dx) {
        for (long i = 0; i < n; i++, x += dx * 16L) {
            f64(x + 8L, -f64(x + 8L));
        }
    }

    @Override
    public void tpqrt2(boolean rows, boolean backward, boolean conjugated, long m, long n, long l, long c, long ldc,
            long b, long ldb, long tau) {
        long ci = rows ? ldc : 1;
        long cj = rows ? 1 : ldc;
        long bi = rows ? ldb : 1;
        long bj = rows ? 1 : ldb;
        for (long step = 0; step < n; step++) {
            long j = backward ? n - 1 - step : step;
            long p = m - l + Math.min(l, j + 1);
            long x = b + j * bj * 16L;
            long factor = tau + j * 16L;
            if (m == 0) {
                f64(factor, 0);
                f64(factor + 8L, 0);
                continue;
            }
            leaf.larfg(false, p + 1, c + j * (ci + cj) * 16L, x, bi, factor);
            long last = backward ? j : n;
            for (long q = backward ? 0 : j + 1; q < last; q++) {
                line(true, f64(factor), -f64(factor + 8L), p, x, bi * 16L, c + (j * ci + q * cj) * 16L,
                        b + q * bj * 16L, bi * 16L);
            }
            if (conjugated) {
                conjugate(p, x, bi);
            }
        }
    }

    /**
     * The line that begins at {@code top} and goes on at y := itself - f·v·(vᴴ·itself), or without {@code column} itself - (itself·v)·f·vᴴ. Distances are in
     * bytes.
     */
    private static void line(boolean column, double re, double im, long n, long x, long dx, long top, long y, long dy) {
        if (re == 0 && im == 0) {
            return;
        }
        double sign = column ? -1 : 1;
        double sr = f64(top);
        double si = f64(top + 8L);
        long xi = x;
        long yi = y;
        for (long i = 0; i < n; i++, xi += dx, yi += dy) {
            double xm = sign * f64(xi + 8L);
            sr += f64(xi) * f64(yi) - xm * f64(yi + 8L);
            si += f64(xi) * f64(yi + 8L) + xm * f64(yi);
        }
        double fr = re * sr - im * si;
        double fi = re * si + im * sr;
        f64(top, f64(top) - fr);
        f64(top + 8L, f64(top + 8L) - fi);
        xi = x;
        yi = y;
        for (long i = 0; i < n; i++, xi += dx, yi += dy) {
            double xm = -sign * f64(xi + 8L);
            f64(yi, f64(yi) - (fr * f64(xi) - fi * xm));
            f64(yi + 8L, f64(yi + 8L) - (fr * xm + fi * f64(xi)));
        }
    }

    @Override
    public void tpmqr2(Side side, boolean conj, long m, long n, long k, long l, long v, long ldv, long tau, long c,
            long ldc) {
        boolean left = side == Side.LEFT;
        long order = left ? m : n;
        long lines = left ? n : m;
        long ci = left ? 1 : ldc;
        long cj = left ? ldc : 1;
        for (long step = 0; step < k; step++) {
            long i = left != conj ? k - 1 - step : step;
            double re = f64(tau + i * 16L);
            double im = conj ? -f64(tau + i * 16L + 8L) : f64(tau + i * 16L + 8L);
            for (long q = 0; q < lines; q++) {
                long at = c + q * cj * 16L;
                line(left, re, im, l, v + i * 16L, ldv * 16L, at + i * ci * 16L, at + (order - l) * ci * 16L, ci * 16L);
            }
        }
    }
}
