package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;

/**
 * Reduction to Hessenberg form, Qᴴ·A·Q (Dongarra, Hammarling and Sorensen, "Block reduction of matrices to condensed forms for eigenvalue computations", 1989). A panel reads the
 * matrix that is left once a column, Y = A·V·T, and its reflectors are then applied by products; V is written out in the workspace.
 */
final class Hessenberg {
    /** Columns of a panel in the first tiers. */
    private static final long[] WIDTHS = {32, 8};

    /** Panels of real matrices from this order on are wider: what products behind them gain is then more than what a column loses. */
    private static final long LARGE = 900;

    private static final long WIDE = 48;

    /** So many columns at the end are done in one launch. */
    private static final long LAST = 32;

    private Hessenberg() {}

    /** Columns of a panel, 0 where one launch does it all. */
    static long width(ElementType type, int tier, long n) {
        return tier >= WIDTHS.length || n <= LAST ? 0
                : tier == 0 && n >= LARGE && !type.isComplex() ? WIDE
                : WIDTHS[tier];
    }

    /** Bytes for a panel: Y, V, two products of its width, a triangle and one vector. */
    static long bytes(Call c, int tier, long n) {
        long nb = width(c.args.type, tier, n);
        long elements = Math.addExact(Chunks.times(n, 4 * nb + 1), nb * (nb + 1));
        return Chunks.times(elements, c.args.type.bytes(), c.args.count);
    }

    /** Bytes for packing in the products behind a panel. */
    static long packing(Call c, int tier, long n) {
        long nb = width(c.args.type, tier, n);
        return nb == 0 ? 0 : Gemm.bytes(c, c.args.type, tier, n, n, nb);
    }

    /** Reduces columns and rows lo to hi - 1 of a, in panels of nb columns; tau := n - 1 factors, 0 outside of the range. */
    static void reduce(Call c, Block a, Operand tau, long lo, long hi, long nb, long work) {
        Scope s = c.scope;
        long n = a.rows;
        long j = lo;
        clear(c, tau, 0, Math.min(lo, n - 1));
        long end = Math.max(0, hi - 1);
        clear(c, tau, end, n - 1 - end);
        if (nb > 0) {
            for (; hi - j > LAST; j += nb) {
                int mark = s.mark();
                panel(c, a, tau, j, hi, nb, work);
                s.release(mark);
            }
        }
        Launch l = s.kernel(Kernel.GEHD2);
        l.n = n;
        l.p = j;
        l.q = hi;
        a.into(l.c);
        if (n > 1) {
            l.d.set(tau);
        }
        l.g.vector(s.type(), work, n, 1, n);
        s.launch();
    }

    /** Factors from…from + count - 1 := 0. */
    static void clear(Call c, Operand tau, long from, long count) {
        if (count > 0) {
            Launch l = c.scope.kernel(Kernel.FILL);
            l.n = count;
            l.alpha.set(0, 0);
            l.c.slice(tau, from, count);
            c.scope.launch();
        }
    }

    /** Columns j to j + nb - 1, and what their reflectors make of the others. */
    private static void panel(Call c, Block a, Operand tau, long j, long hi, long nb, long work) {
        Scope s = c.scope;
        long each = s.type().bytes() * s.count();
        long n = a.rows;
        long m = hi - j - 1;
        long top = j + 1;
        Block y = s.dense(work, n, nb);
        Block v = s.dense(work + n * nb * each, m, nb);
        long products = work + 2 * n * nb * each;
        long after = products + n * nb * each;
        Block t = s.dense(after + n * nb * each, nb, nb + 1);
        Block own = a.block(top, j, m, m + 1);
        Block below = y.rows(top, m);
        columns(c, own, below, v, t, tau, j, nb);
        Block triangle = t.cols(0, nb);
        Block rows = a.block(0, top, top, m);
        Block above = s.dense(products, top, nb);
        s.gemm(1, rows, v, 0, above);
        s.gemm(1, above, triangle, 0, y.rows(0, top));
        s.gemm(-1, y.rows(0, top), v.h(), 1, rows);
        s.gemm(-1, below, v.rows(nb - 1, m - nb + 1).h(), 1, own.cols(nb, m - nb + 1));
        Block right = a.block(top, j + nb, m, n - j - nb);
        Block w = s.dense(products, nb, right.cols);
        Block x = s.dense(after, nb, right.cols);
        s.gemm(1, v.h(), right, 0, w);
        s.gemm(1, triangle.h(), w, 0, x);
        s.gemm(-1, v, x, 1, right);
    }

    /** The first nb columns of own, which begins one row below their diagonal: their reflectors, also to v, the products to below, the triangle to t, and factors to tau from j on. */
    static void columns(Call c, Block own, Block below, Block v, Block t, Operand tau, long j, long nb) {
        Scope s = c.scope;
        long m = own.rows;
        for (long i = 0; i < nb; i++) {
            int mark = s.mark();
            column(c, Kernel.LAHR2_COLUMN, own, below, v, t, i, c.k.a.slice(tau, j + i, 1));
            Launch l = s.kernel(Kernel.GEMV);
            l.m = m;
            l.n = m - i;
            own.cols(i + 1, m - i).into(l.a);
            vector(v.block(i, i, m - i, 1), l.b);
            vector(below.cols(i, 1), l.c);
            s.launch();
            column(c, Kernel.LAHR2_ROW, own, below, v, t, i, c.k.a.slice(tau, j + i, 1));
            s.release(mark);
        }
    }

    private static void column(Call c, Kernel kernel, Block own, Block y, Block v, Block t, long p, Operand tau) {
        Launch l = c.scope.kernel(kernel);
        l.m = own.rows;
        l.n = own.rows;
        l.k = v.cols;
        l.p = p;
        y.into(l.b);
        if (kernel == Kernel.LAHR2_COLUMN) {
            own.into(l.c);
        }
        l.d.set(tau);
        v.into(l.f);
        t.into(l.g);
        c.scope.launch();
    }

    private static void vector(Block column, Operand into) {
        column.into(into);
        into.vector = true;
        into.ld = 1;
    }
}
