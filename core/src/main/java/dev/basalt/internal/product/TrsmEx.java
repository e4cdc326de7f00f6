package dev.basalt.internal.product;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TrsmExSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Scalar;
import dev.basalt.type.Side;

/**
 * trsm with the inverses of A's diagonal blocks of order {@value #ORDER} supplied: operand b is the {@value #ORDER}×order matrix of
 * them side by side, and k its elements. Everything is then a product. Where too few are supplied they are ignored, as in rocBLAS. The
 * inverses' other triangles are not read.
 */
public final class TrsmEx extends Routine {
    /** Order of the inverted blocks. */
    public static final int ORDER = 128;

    /** The family. */
    public static final TrsmEx ROUTINE = new TrsmEx();

    private TrsmEx() {
        super(new TrsmExSignature());
    }

    private static long order(Launch g) {
        return g.side == Side.LEFT ? g.m : g.n;
    }

    /** Whether enough elements of inverses are given for a triangle of an order. */
    static boolean supplied(long elements, long order) {
        return elements / ORDER >= order;
    }

    /** Whether an inverse is multiplied by a copy beside it. */
    static boolean apart(Call c) {
        return c.traits.reach().whole(Kernel.TRMM_APART, c.args.type);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long order = order(g);
        need.part();
        Trsm.needOfMatrix(c, need, g.m, g.n, order);
        if (supplied(g.k, order(g)) && apart(c)) {
            long other = g.side == Side.LEFT ? g.n : g.m;
            long strip = Chunks.times(Chunks.times(Math.min(order, ORDER), other), g.type.bytes(), g.count);
            need.part();
            need.tier(Packing.TIERS.get(0)).slot("packing", 0).slot("strip", strip);
        }
        need.together();
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (!supplied(g.k, order(g))) {
            Trsm.solve(c);
            return;
        }
        Packing.use(c, 0);
        Scope s = c.scope;
        long order = order(g);
        Block a = s.of(g.a, order, order).triangle(g.uplo, g.diag).op(g.opA);
        Block inverses = inverses(c, order);
        Block b = s.of(g.c, g.m, g.n);
        s.scale(g.alpha, b);
        if (!g.alpha.is(0)) {
            Scalar one = Trsm.gate(s, g.alpha, 1);
            Scalar minusOne = Trsm.gate(s, g.alpha, -1);
            solve(s, g.side, c.slot(1), one, minusOne, a, inverses, b);
        }
    }

    /** The inverses, which the caller gives as so many elements, side by side as a matrix. */
    static Block inverses(Call c, long order) {
        Launch g = c.args;
        g.b.vector = false;
        g.b.ld = ORDER;
        g.b.rows = ORDER;
        g.b.cols = order;
        return c.scope.of(g.b, ORDER, order).triangle(g.uplo, g.diag);
    }

    /** Halves down to the inverted blocks; {@code strip} is memory for a copy of as many rows, or 0. */
    static void solve(Scope s, Side side, long strip, Scalar one, Scalar minusOne, Block a, Block inverses, Block b) {
        boolean left = side == Side.LEFT;
        long order = a.rows;
        if (order <= ORDER) {
            multiply(s, side, strip, one, inverses.diagonal(0, order).op(a.op), b);
            return;
        }
        int mark = s.mark();
        long half = Trsm.half(order, ORDER);
        boolean forward = a.lower() == left;
        long i = forward ? 0 : half;
        long ib = forward ? half : order - half;
        long j = half - i;
        long jb = order - ib;
        Block known = left ? b.rows(i, ib) : b.cols(i, ib);
        Block rest = left ? b.rows(j, jb) : b.cols(j, jb);
        solve(s, side, strip, one, minusOne, a.diagonal(i, ib), inverses.cols(i, ib), known);
        if (left) {
            s.gemm(minusOne, a.block(j, i, jb, ib), known, Scope.ONE, rest);
        } else {
            s.gemm(minusOne, known, a.block(i, j, ib, jb), Scope.ONE, rest);
        }
        solve(s, side, strip, one, minusOne, a.diagonal(j, jb), inverses.cols(j, jb), rest);
        s.release(mark);
    }

    /** x := inverse·x, or x·inverse: beside a copy where one launch takes that at full speed, else in place. */
    private static void multiply(Scope s, Side side, long strip, Scalar one, Block inverse, Block x) {
        if (strip == 0) {
            s.triangle(Kernel.TRMM, side, one, inverse, x);
        } else {
            Block copy = s.dense(strip, x.rows, x.cols);
            s.copy(x, copy);
            s.trmmApart(side, one, inverse, copy, x);
        }
    }
}
