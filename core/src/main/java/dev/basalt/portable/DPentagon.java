package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Side;

/** Real ones. */
final class DPentagon implements PentagonLeaf {
    private final Leaf leaf;

    DPentagon(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public void conjugate(long m, long n, long c, long ldc) {
        throw new UnsupportedOperationException("real numbers have no conjugates of their own");
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
            long x = b + j * bj * 8L;
            long factor = tau + j * 8L;
            if (m == 0) {
                f64(factor, 0);
                continue;
            }
            leaf.larfg(false, p + 1, c + j * (ci + cj) * 8L, x, bi, factor);
            double f = f64(factor);
            long last = backward ? j : n;
            for (long q = backward ? 0 : j + 1; q < last && f != 0; q++) {
                line(f, p, x, bi, c + (j * ci + q * cj) * 8L, b + q * bj * 8L, bi);
            }
        }
    }

    /** The line that begins at {@code top} and goes on at y := itself - f·v·(vᵀ·itself). */
    private void line(double f, long n, long x, long dx, long top, long y, long dy) {
        double alphaRe = leaf.dotReal(n, x, dx, y, dy);
        double s = f * (f64(top) + alphaRe);
        f64(top, f64(top) - s);
        leaf.axpy(n, -s, 0, x, dx, y, dy);
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
            double f = f64(tau + i * 8L);
            for (long q = 0; q < lines && f != 0; q++) {
                long line = c + q * cj * 8L;
                line(f, l, v + i * 8L, ldv, line + i * ci * 8L, line + (order - l) * ci * 8L, ci);
            }
        }
    }
}
