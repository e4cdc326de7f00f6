package dev.basalt.internal.product;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TrtrsSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Side;

/** Solves op(A)·X = B with a triangle, and looks at its diagonal before: problems with a zero there keep their B. */
public final class Trtrs extends Routine {
    /** The family. */
    public static final Trtrs ROUTINE = new Trtrs();

    private Trtrs() {
        super(new TrtrsSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Trsm.need(c, need, c.args.n, c.args.k, c.args.n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Launch g = c.args;
        Scope s = c.scope;
        Trtri.singular(c, g.a);
        s.guard = g.e;
        if (g.k > 0) {
            Block a = s.of(g.a, g.n, g.n).triangle(g.uplo, g.diag).op(g.opA);
            Trsm.solve(s, Side.LEFT, a, s.of(g.c, g.n, g.k));
        }
    }
}
