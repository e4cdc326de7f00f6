package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PosvSignature;
import dev.basalt.internal.workspace.Need;

/** Solves A·X = B by Cholesky. Problems that are not positive definite (info > 0) keep their B, as in LAPACK. */
public final class Posv extends Routine {
    /** The family. */
    public static final Posv ROUTINE = new Posv();

    private Posv() {
        super(new PosvSignature());
    }

    @Override
    protected void quickRun(Call c) {
        Blocks.quickInfo(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Potrf.need(c, need, c.args.n, c.args.k);
    }

    @Override
    protected void run(Call c) {
        Blocks.clearInfo(c);
        Potrf.factor(c, c.args.n, c.args.a);
        Potrs.solve(c, c.args.n, c.args.k, c.args.a, c.args.c);
    }
}
