package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/** Real ones. */
final class DBidiagonal implements BidiagonalLeaf {
    private final Leaf leaf;

    DBidiagonal(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public void gebd2(boolean turned, long m, long n, long a, long lda, long d, long e, long tauq, long taup,
            long work) {
        long rows = turned ? n : m;
        long cols = turned ? m : n;
        long di = turned ? lda : 1;
        long dj = turned ? 1 : lda;
        long product = work + rows * 8L;
        long scaled = product + rows * 8L;
        // Of a wide matrix the rows have the first reflectors.
        long first = turned ? taup : tauq;
        long second = turned ? tauq : taup;
        for (long i = 0; i < cols; i++) {
            long x = a + i * (lda + 1) * 8L;
            leaf.copy(rows - i, x, di, work, 1);
            reflector(rows - i, false, work, x, di, first + i * 8L, d + i * 8L, scaled);
            if (i == cols - 1) {
                f64(second + i * 8L, 0);
                return;
            }
            long right = x + dj * 8L;
            left(turned, rows - i, cols - i - 1, work, scaled, right, lda, product);
            leaf.copy(cols - i - 1, right, dj, work, 1);
            reflector(cols - i - 1, false, work, right, dj, second + i * 8L, e + i * 8L, scaled);
            left(!turned, cols - i - 1, rows - i - 1, work, scaled, right + di * 8L, lda, product);
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

    @Override
    public void reflector(long n, boolean conjugated, long v, long line, long step, long tau, long beta, long scaled) {
        leaf.larfg(false, n, v, v + 8L, 1, tau);
        leaf.copy(n, v, 1, line, step);
        f64(beta, f64(v));
        f64(v, 1);
        double factor = f64(tau);
        for (long i = 0; i < n; i++) {
            f64(scaled + i * 8L, factor * f64(v + i * 8L));
        }
    }
}
