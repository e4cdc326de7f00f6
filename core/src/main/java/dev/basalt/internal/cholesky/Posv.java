package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PosvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;

/** Solves A·X = B by Cholesky. Problems that are not positive definite (info > 0) keep their B, as in LAPACK. */
public final class Posv extends Routine {
    /** The family. */
    public static final Posv ROUTINE = new Posv();

    private Posv() {
        super(new PosvSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        need.part();
        Potrf.needReal(c, need, n);
        if (c.args.k > 0) {
            need.part();
            Potrs.need(c, need, n, Math.max(n, c.args.k));
        }
        need.together();
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        if (c.tier() < 2) {
            Packing.use(c, 1);
        }
        Launch g = c.args;
        Block a = c.scope.of(g.a, g.n, g.n);
        Potrf.factorOnly(c, a, g.e, RealForm.room(c));
        Potrs.solve(c, a, c.scope.of(g.c, g.n, g.k));
    }
}
