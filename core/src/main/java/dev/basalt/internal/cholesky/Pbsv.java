package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PbsvSignature;
import dev.basalt.internal.workspace.Need;

/** Solves A·X = B with a band matrix A by Cholesky. Problems that are not positive definite (info > 0) keep their B, as in LAPACK. */
public final class Pbsv extends Routine {
    /** The family. */
    public static final Pbsv ROUTINE = new Pbsv();

    private Pbsv() {
        super(new PbsvSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Band.need(c, need);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Band.factor(c, c.args.a, c.args.e);
        StoredSolve.solve(c, c.args.a, c.args.c);
    }
}
