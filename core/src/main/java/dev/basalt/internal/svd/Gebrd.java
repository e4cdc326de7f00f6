package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.signature.Gebd2Signature;
import dev.basalt.internal.signature.GebrdSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;

/** A = Q·B·Pᴴ with a bidiagonal B, LAPACK's reflectors and factors: upper where A has at least as many rows as columns; else lower, by the upper one of Aᴴ. */
public final class Gebrd extends Routine {
    /** By panels. */
    public static final Gebrd GEBRD = new Gebrd(new GebrdSignature(), true);

    /** In one launch. */
    public static final Gebrd GEBD2 = new Gebrd(new Gebd2Signature(), false);

    private final boolean blocks;

    private Gebrd(Signature signature, boolean blocks) {
        super(signature);
        this.blocks = blocks;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long rows = Math.max(g.m, g.n);
        long cols = Math.min(g.m, g.n);
        if (!blocks) {
            need.tier("one launch").slot("vectors", Bidiagonal.bytes(c, rows, cols, 2));
            return;
        }
        need.tier("panels").slot("packing", packing(c, 0, cols)).slot("panel", Bidiagonal.bytes(c, rows, cols, 0));
        need.tier("narrow panels")
                .slot("packing", packing(c, 1, cols))
                .slot("panel", Bidiagonal.bytes(c, rows, cols, 1));
        need.tier("one launch").slot("packing", 0).slot("panel", Bidiagonal.bytes(c, rows, cols, 2));
    }

    private static long packing(Call c, int tier, long cols) {
        return Gemm.bytes(c, c.args.type, tier, c.args.m, c.args.n, 2 * Bidiagonal.width(tier, cols));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        Block a = s.of(g.c, g.m, g.n);
        boolean turned = g.m < g.n;
        a = turned ? a.h() : a;
        if (!blocks) {
            Bidiagonal.whole(c, a, 0, g.a, g.b, turned ? g.f : g.d, turned ? g.d : g.f, c.slot(0));
            return;
        }
        Packing.use(c, 0);
        Bidiagonal.reduce(c, a, g.a, g.b, turned ? g.f : g.d, turned ? g.d : g.f, c.slot(1));
    }
}
