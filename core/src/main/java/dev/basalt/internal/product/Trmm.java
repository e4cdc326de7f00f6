package dev.basalt.internal.product;

import dev.basalt.Status;
import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TrmmSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Structure;
import dev.basalt.type.Side;

/**
 * C := alpha·op(A)·B or alpha·B·op(A) with a triangular A; C may be B. Block rows (columns) of C are computed in the order in which
 * none is needed once it is overwritten; diagonal blocks are written out in full in the workspace, so that everything is a matrix
 * product. Without workspace the diagonal blocks are small and multiplied in place. A device that packs triangles itself multiplies
 * large diagonal blocks in place and needs packing memory alone; one that takes any order in one launch does so where C is not B.
 */
public final class Trmm extends Routine {
    /** The family. */
    public static final Trmm ROUTINE = new Trmm();

    private Trmm() {
        super(new TrmmSignature());
    }

    public static void triangularOptions(Call c) {
        c.option(c.args.side, "side", 1);
        c.option(c.args.uplo, "uplo", 2);
        c.option(c.args.opA, "transA", 3);
        c.option(c.args.diag, "diag", 4);
    }

    @Override
    protected boolean isComposed() {
        return true;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long order = g.side == Side.LEFT ? g.m : g.n;
        long other = g.side == Side.LEFT ? g.n : g.m;
        if (c.traits.reach().alone(Kernel.TRMM, g)) {
            need.tier("in place");
            return;
        }
        if (c.traits.reach().packs(Kernel.TRMM)) {
            Packing.need(c, need, g.m, g.n, order, Kernel.TRMM, order);
            return;
        }
        for (int t = 0; t < 2; t++) {
            long nb = Math.min(order, t == 0 ? Scope.outer(c.traits) : c.traits.block());
            need.tier(t == 0 ? "large blocks" : "small blocks")
                    .slot("diagonal", Scope.squareBytes(g.type, nb, g.count))
                    .slot("strip", Chunks.times(Chunks.times(nb, other), g.type.bytes(), g.count))
                    .slot("packing", Gemm.bytes(c, g.type, t, g.m, g.n, order));
        }
        need.tier("in place");
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        boolean same = g.c.coincides(g.b, g.count);
        if (same && g.b.ld != g.c.ld) {
            throw c.failure(Status.INVALID_VALUE, "ldc", 13, "C is B, so ldc = ldb is required");
        }
        Scope s = c.scope;
        Block out = s.of(g.c, g.m, g.n);
        if (g.alpha.is(0)) {
            s.scale(Scope.ZERO, out);
            return;
        }
        if (!same && s.reach().whole(Kernel.TRMM_APART, g.type)) {
            c.launchArgs(Kernel.TRMM_APART, 0, 0);
            return;
        }
        if (!same) {
            s.copy(s.of(g.b, g.m, g.n), out);
        }
        boolean left = g.side == Side.LEFT;
        long order = left ? g.m : g.n;
        if (s.reach().alone(Kernel.TRMM, g)) {
            s.triangle(Kernel.TRMM, g.side, g.alpha, s.of(g.a, order, order).triangle(g.uplo, g.diag).op(g.opA), out);
            return;
        }
        boolean packs = s.reach().packs(Kernel.TRMM);
        boolean workspace = c.tier() < 2 && !packs;
        long large = packs ? s.reach(Kernel.TRMM) : Scope.outer(s.traits);
        long nb = Math.min(order, packs || c.tier() == 0 ? large : s.traits.block());
        if (packs || workspace) {
            Packing.use(c, packs ? 0 : 2);
        }
        Block a = s.of(g.a, order, order).triangle(g.uplo, g.diag).op(g.opA);
        // A block of C needs the blocks of B behind it (upper on the left) or before it: go so that those are still B.
        boolean ascending = a.lower() != left;
        long blocks = Chunks.ceilDiv(order, nb);
        for (long block = 0; block < blocks; block++) {
            int mark = s.mark();
            long i = (ascending ? block : blocks - 1 - block) * nb;
            long ib = Math.min(nb, order - i);
            Block x = left ? out.rows(i, ib) : out.cols(i, ib);
            if (workspace) {
                expanded(c, left, a.diagonal(i, ib), x);
            } else {
                s.triangle(Kernel.TRMM, g.side, g.alpha, a.diagonal(i, ib), x);
            }
            long from = ascending ? i + ib : 0;
            long size = ascending ? order - from : i;
            if (size > 0 && left) {
                s.gemm(g.alpha, a.block(i, from, ib, size), out.rows(from, size), Scope.ONE, x);
            } else if (size > 0) {
                s.gemm(g.alpha, out.cols(from, size), a.block(from, i, size, ib), Scope.ONE, x);
            }
            s.release(mark);
        }
    }

    /** x := alpha·a·x or alpha·x·a as a product of a written out and a copy of x, both in the workspace. */
    private static void expanded(Call c, boolean left, Block a, Block x) {
        Scope s = c.scope;
        Block full = s.dense(c.slot(0), a.rows, a.rows);
        s.expand(Structure.TRIANGULAR, a, full);
        Block strip = s.dense(c.slot(1), x.rows, x.cols);
        s.copy(x, strip);
        Block factor = full.op(a.op);
        s.gemm(c.args.alpha, left ? factor : strip, left ? strip : factor, Scope.ZERO, x);
    }
}
