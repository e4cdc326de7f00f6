package dev.basalt.internal.product;

import dev.basalt.Status;
import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TrmmSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

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
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long order = g.side == Side.LEFT ? g.m : g.n;
        long other = g.side == Side.LEFT ? g.n : g.m;
        if (c.traits.reach().packs(Kernel.TRMM)) {
            Packing.need(c, need, g.m, g.n, order, Kernel.TRMM, order);
            return;
        }
        for (int t = 0; t < 2; t++) {
            long nb = Math.min(order, t == 0 ? Blocks.outer(c) : c.traits.block());
            need.tier(t == 0 ? "large blocks" : "small blocks")
                    .slot("diagonal", Blocks.squareBytes(g.type, nb, g.count))
                    .slot("strip", Chunks.times(Chunks.times(nb, other), g.type.bytes(), g.count))
                    .slot("packing", Gemm.bytes(c.traits, g.type, t, g.m, g.n, order));
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
        if (g.alpha.is(0)) {
            Blocks.scale(c, Blocks.ZERO, g.m, g.n, g.c, 0, 0);
            return;
        }
        if (!same && c.traits.reach().whole(Kernel.TRMM_APART, g.type)) {
            c.launchArgs(Kernel.TRMM_APART, 0, 0);
            return;
        }
        if (!same) {
            Blocks.copy(c, g.m, g.n, g.b, 0, 0, g.c, 0, 0);
        }
        boolean left = g.side == Side.LEFT;
        long order = left ? g.m : g.n;
        boolean packs = c.traits.reach().packs(Kernel.TRMM);
        boolean workspace = c.tier() < 2 && !packs;
        long large = packs ? c.traits.reach().of(Kernel.TRMM, g.type) : Blocks.outer(c);
        long nb = Math.min(order, packs || c.tier() == 0 ? large : c.traits.block());
        if (packs || workspace) {
            Packing.use(c, packs ? 0 : 2);
        }
        boolean lower = (g.uplo == Uplo.LOWER) == (g.opA == Op.NONE);
        // A block of C needs the blocks of B behind it (upper on the left) or before it: go so that those are still B.
        boolean ascending = lower != left;
        long blocks = Chunks.ceilDiv(order, nb);
        for (long s = 0; s < blocks; s++) {
            long i = (ascending ? s : blocks - 1 - s) * nb;
            block(c, left, i, Math.min(nb, order - i), ascending, order, workspace);
        }
    }

    private static void block(Call c, boolean left, long i, long ib, boolean ascending, long order, boolean workspace) {
        Launch g = c.args;
        long other = left ? g.n : g.m;
        long from = ascending ? i + ib : 0;
        long size = ascending ? order - from : i;
        long m = left ? ib : other;
        long n = left ? other : ib;
        long ci = left ? i : 0;
        long cj = left ? 0 : i;
        if (workspace) {
            Operand full = Blocks.dense(c, c.t0, c.slot(0), ib, ib);
            Blocks.expand(c, g.uplo, g.diag, Structure.TRIANGULAR, ib, g.a, i, full);
            Operand strip = Blocks.dense(c, c.t1, c.slot(1), m, n);
            Blocks.copy(c, m, n, g.c, ci, cj, strip, 0, 0);
            if (left) {
                Blocks.gemm(c, g.opA, Op.NONE, m, n, ib, g.alpha, full, 0, 0, strip, 0, 0, Blocks.ZERO, g.c, ci, cj);
            } else {
                Blocks.gemm(c, Op.NONE, g.opA, m, n, ib, g.alpha, strip, 0, 0, full, 0, 0, Blocks.ZERO, g.c, ci, cj);
            }
        } else {
            Blocks.triangle(c, Kernel.TRMM, g.side, g.uplo, g.opA, g.diag, m, n, g.alpha, g.a, i, g.c, ci, cj);
        }
        if (size == 0) {
            return;
        }
        boolean stored = g.opA == Op.NONE;
        long row = left ? i : from;
        long col = left ? from : i;
        long ai = stored ? row : col;
        long aj = stored ? col : row;
        if (left) {
            Blocks.gemm(c, g.opA, Op.NONE, m, n, size, g.alpha, g.a, ai, aj, g.c, from, 0, Blocks.ONE, g.c, ci, cj);
        } else {
            Blocks.gemm(c, Op.NONE, g.opA, m, n, size, g.alpha, g.c, 0, from, g.a, ai, aj, Blocks.ONE, g.c, ci, cj);
        }
    }
}
