package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/** Complex ones: the bidiagonal matrix is real. */
final class ZBidiagonal implements BidiagonalLeaf {
    private final Leaf leaf;

    ZBidiagonal(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public void gebd2(boolean turned, long m, long n, long a, long lda, long d, long e, long tauq, long taup,
            long work) {
        long rows = turned ? n : m;
        long cols = turned ? m : n;
        long di = turned ? lda : 1;
        long dj = turned ? 1 : lda;
        long product = work + rows * 16L;
        long scaled = product + rows * 16L;
        // Of a wide matrix the rows have the first reflectors.
        long first = turned ? taup : tauq;
        long second = turned ? tauq : taup;
        for (long i = 0; i < cols; i++) {
            long x = a + i * (lda + 1) * 16L;
            copy(turned, rows - i, x, di, work, 1);
            reflector(rows - i, turned, work, x, di, first + i * 16L, d + i * 8L, scaled);
            if (i == cols - 1) {
                f64(second + i * 16L, 0);
                f64(second + i * 16L + 8L, 0);
                return;
            }
            long right = x + dj * 16L;
            left(turned, rows - i, cols - i - 1, work, scaled, right, lda, product);
            copy(!turned, cols - i - 1, right, dj, work, 1);
            reflector(cols - i - 1, !turned, work, right, dj, second + i * 16L, e + i * 8L, scaled);
            left(!turned, cols - i - 1, rows - i - 1, work, scaled, right + di * 16L, lda, product);
        }
    }

    /** The reflector on the rows of a block as it is read, m×n: those of what is stored, or its columns. */
    private void left(boolean turned, long m, long n, long v, long scaled, long a, long lda, long product) {
        if (m == 0 || n == 0) {
            return;
        }
        if (turned) {
            leaf.gemv(Op.NONE, n, m, 1, 0, a, lda, scaled, 1, 0, 0, product, 1);
            leaf.ger(n, m, -1, 0, product, 1, v, 1, true, a, lda);
        } else {
            leaf.gemv(Op.CONJ_TRANS, m, n, 1, 0, a, lda, scaled, 1, 0, 0, product, 1);
            leaf.ger(m, n, -1, 0, v, 1, product, 1, true, a, lda);
        }
    }

    /** y := x or its conjugate. */
    private static void copy(boolean conj, long n, long x, long incx, long y, long incy) {
        for (long i = 0; i < n; i++, x += incx * 16L, y += incy * 16L) {
            f64(y, f64(x));
            f64(y + 8L, conj ? -f64(x + 8L) : f64(x + 8L));
        }
    }

    @Override
    public void reflector(long n, boolean conjugated, long v, long line, long step, long tau, long beta, long scaled) {
        leaf.larfg(false, n, v, v + 16L, 1, tau);
        copy(conjugated, n, v, 1, line, step);
        f64(beta, f64(v));
        f64(line, f64(v));
        f64(line + 8L, 0);
        f64(v, 1);
        f64(v + 8L, 0);
        double re = f64(tau);
        double im = f64(tau + 8L);
        for (long i = 0; i < n; i++) {
            double x = f64(v + i * 16L);
            double y = f64(v + i * 16L + 8L);
            f64(scaled + i * 16L, re * x - im * y);
            f64(scaled + i * 16L + 8L, re * y + im * x);
        }
    }
}
