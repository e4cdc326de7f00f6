package dev.basalt.portable;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/**
 * The first columns and rows of a bidiagonal reduction (Dongarra, Sorensen and Hammarling, "Block reduction of matrices to condensed forms for eigenvalue computations", 1989): what is left of the matrix is to
 * become A - L·Rᴴ, where the columns of L and R come in pairs, v beside y and x beside u.
 */
final class BidiagonalPanel {
    private final Leaf leaf;
    private final BidiagonalLeaf reflectors;
    private final ElementType type;
    private final long size;

    BidiagonalPanel(Leaf leaf, BidiagonalLeaf reflectors, ElementType type) {
        this.leaf = leaf;
        this.reflectors = reflectors;
        this.type = type;
        this.size = type.bytes();
    }

    /** One problem of {@link dev.basalt.spi.Kernel#LABRD_PANEL}. */
    void run(Launch l, long problem) {
        long m = l.m;
        long n = l.n;
        long a = l.c.at(problem);
        long lda = l.c.ld;
        long left = l.g.at(problem);
        long right = left + 2 * l.k * m * size;
        long scaled = l.work;
        long line = l.work + Math.max(m, n) * size;
        long real = type.real().bytes();
        for (long i = 0; i < l.k; i++) {
            long pairs = 2 * i;
            long v = left + (i + pairs * m) * size;
            long column = a + i * (1 + lda) * size;
            leaf.copy(m - i, column, 1, v, 1);
            copy(pairs, right + i * size, n, line, 1);
            multiply(Op.NONE, m - i, pairs, -1, left + i * size, m, line, 1, v);
            reflectors.reflector(m - i, false, v, column, 1, l.d.at(problem) + i * size, l.a.at(problem) + i * real,
                    scaled);
            long taup = l.f.at(problem) + i * size;
            long cols = n - i - 1;
            if (cols == 0) {
                Memory.fill(taup, size, (byte) 0);
                return;
            }
            long rest = a + (i + (i + 1) * lda) * size;
            long lines = right + (i + 1) * size;
            long y = lines + pairs * n * size;
            multiply(Op.CONJ_TRANS, m - i, cols, 1, rest, lda, scaled, 0, y);
            multiply(Op.CONJ_TRANS, m - i, pairs, 1, left + i * size, m, scaled, 0, line);
            multiply(Op.NONE, cols, pairs, -1, lines, n, line, 1, y);
            long u = y + n * size;
            copy(cols, rest, lda, u, 1);
            copy(pairs + 1, left + i * size, m, line, 1);
            multiply(Op.NONE, cols, pairs + 1, -1, lines, n, line, 1, u);
            reflectors.reflector(cols, true, u, rest, lda, taup, l.b.at(problem) + i * real, scaled);
            long rows = m - i - 1;
            long below = left + (i + 1) * size;
            long x = below + (pairs + 1) * m * size;
            multiply(Op.NONE, rows, cols, 1, rest + size, lda, scaled, 0, x);
            multiply(Op.CONJ_TRANS, cols, pairs + 1, 1, lines, n, scaled, 0, line);
            multiply(Op.NONE, rows, pairs + 1, -1, below, m, line, 1, x);
        }
    }

    private void multiply(Op op, long m, long n, double alpha, long a, long lda, long x, double beta, long y) {
        if (m > 0 && n > 0) {
            leaf.gemv(op, m, n, alpha, 0, a, lda, x, 1, beta, 0, y, 1);
        }
    }

    /** y := the conjugate of x. */
    private void copy(long n, long x, long incx, long y, long incy) {
        if (n == 0) {
            return;
        }
        leaf.copy(n, x, incx, y, incy);
        for (long i = 0; type.isComplex() && i < n; i++) {
            long at = y + i * incy * size + size / 2;
            if (type == ElementType.C32) {
                Memory.f32(at, -Memory.f32(at));
            } else {
                Memory.f64(at, -Memory.f64(at));
            }
        }
    }
}
