package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.MatinvSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;

/** The inverse of a matrix beside it: factors and inverse in its place, the pivots in the workspace. Meant for many small matrices, right for any. */
public final class Matinv extends Routine {
    /** The family. */
    public static final Matinv ROUTINE = new Matinv();

    private static final int PIVOTS = 1;
    private static final int L = 2;

    private Matinv() {
        super(new MatinvSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        need.part();
        Getrf.need(c, need, g.n, g.n);
        need.part();
        for (String tier : Packing.TIERS) {
            need.tier(tier).slot("pivots", Chunks.times(g.n, ElementType.I64.bytes(), g.count));
        }
        need.part();
        Getri.need(c, need, g.n);
        need.together();
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        InfoArray.clear(c);
        Launch g = c.args;
        Scope s = c.scope;
        Block x = s.of(g.c, g.n, g.n);
        s.copy(s.of(g.a, g.n, g.n), x);
        g.d.vector(ElementType.I64, c.slot(PIVOTS), g.n, 1, g.n);
        Getrf.factor(c, x);
        s.guard = g.e;
        Getri.invert(c, x, g.d, L);
    }
}
