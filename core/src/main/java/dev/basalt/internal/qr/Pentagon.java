package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * A block reflector I - U·T·Uᴴ whose ones lie apart from what is behind them: U is an identity, then V, then perhaps a trapezoid X that is written out in the
 * workspace. So everything is products but T.
 */
final class Pentagon {
    static final int PACKING = 0;
    static final int T = 1;
    static final int X = 2;
    static final int W = 3;
    static final int TAU = 4;

    /** Lines of a strip in the tiers, which are named after that. */
    private static final long[] STRIPS = {Long.MAX_VALUE, 128, 8};

    private static final String[] NAMES = {"at once", "strips", "narrow strips"};

    private Pentagon() {}

    /** The tiers of blocks of k reflectors of m elements and trapezoids of l rows, applied to so many other lines. */
    static void need(Call c, Need need, long m, long other, long k, long l) {
        for (int t = 0; t < STRIPS.length; t++) {
            long lines = Math.min(other, STRIPS[t]);
            need.tier(NAMES[t])
                    .slot("packing", t == 2 ? 0 : packing(c, t, m, lines, k))
                    .slot("T", 0)
                    .slot("X", elements(c, l, k))
                    .slot("W", elements(c, k, lines))
                    .slot("tau", elements(c, k, 1));
        }
    }

    static long elements(Call c, long rows, long cols) {
        return Chunks.times(Chunks.times(rows, cols), c.args.type.bytes(), c.args.count);
    }

    /** Packing for products of blocks of k reflectors of m elements with so many lines. */
    static long packing(Call c, int tier, long m, long lines, long k) {
        long wide = Math.max(lines, k);
        return Math.max(Gemm.bytes(c, c.args.type, tier, k, wide, m),
                Math.max(Gemm.bytes(c, c.args.type, tier, m, wide, k),
                        Gemm.bytes(c, c.args.type, tier, wide, Math.max(m, k), Math.max(m, k))));
    }

    /** Lines of a strip in the call's tier. */
    static long strip(Call c) {
        return STRIPS[c.tier()];
    }

    /** The trapezoid in the last rows of v written out, or null if it has none. */
    static Block trapezoid(Call c, Block v, long rows) {
        if (rows == 0) {
            return null;
        }
        Scope s = c.scope;
        Block x = s.dense(c.slot(X), rows, v.cols);
        Block last = v.rows(v.rows - rows, rows);
        s.expand(Structure.TRIANGULAR, last.cols(0, rows).triangle(Uplo.UPPER, Diag.NON_UNIT), x.cols(0, rows));
        s.copy(last.cols(rows, v.cols - rows), x.cols(rows, v.cols - rows));
        return x;
    }

    /** The upper triangle t := T, from v and x and the factors. */
    static void form(Scope s, Block v, Block x, Operand tau, Block t) {
        if (v.rows > 0) {
            s.syrk(true, Scope.ONE, v.h(), Scope.ZERO, t);
        }
        if (x != null) {
            s.syrk(true, Scope.ONE, x.h(), v.rows > 0 ? Scope.ONE : Scope.ZERO, t);
        }
        if (v.rows == 0 && x == null) {
            s.scale(Scope.ZERO, t);
        }
        Launch l = s.kernel(Kernel.LARFT);
        l.m = v.rows;
        l.n = t.cols;
        t.into(l.c);
        l.d.set(tau);
        s.launch();
    }

    /** (first; then) := op(I - U·T·Uᴴ)·(first; then) (LEFT), or from the right; the rows of x are the last of {@code then}. */
    static void apply(Call c, Side side, Op op, Block v, Block x, Block t, Block first, Block then) {
        boolean left = side == Side.LEFT;
        if (first.rows == 0 || first.cols == 0) {
            return;
        }
        Scope s = c.scope;
        int mark = s.mark();
        Block w = s.dense(c.slot(W), first.rows, first.cols);
        s.copy(first, w);
        Block main = left ? then.rows(0, v.rows) : then.cols(0, v.rows);
        if (v.rows > 0) {
            s.gemm(1, left ? v.h() : main, left ? main : v, 1, w);
        }
        Block last = null;
        if (x != null) {
            last = left ? then.rows(v.rows, x.rows) : then.cols(v.rows, x.rows);
            s.gemm(1, left ? x.h() : last, left ? last : x, 1, w);
        }
        s.triangle(Kernel.TRMM, side, Scope.ONE, t.op(op), w);
        subtract(s, w, first);
        if (v.rows > 0) {
            s.gemm(-1, left ? v : w, left ? w : v.h(), 1, main);
        }
        if (x != null) {
            s.gemm(-1, left ? x : w, left ? w : x.h(), 1, last);
        }
        s.release(mark);
    }

    /** c := c - w. */
    static void subtract(Scope s, Block w, Block c) {
        Launch l = s.kernel(Kernel.GEAM);
        l.m = c.rows;
        l.n = c.cols;
        l.beta.set(Scope.MINUS_ONE);
        c.into(l.a);
        w.into(l.b);
        c.into(l.c);
        s.launch();
    }
}
