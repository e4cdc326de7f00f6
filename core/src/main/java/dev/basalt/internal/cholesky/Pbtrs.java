package dev.basalt.internal.cholesky;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PbtrsSignature;
import dev.basalt.internal.workspace.Need;

/** Solves A·X = B from the factor of pbtrf: each right-hand side by two solves with a triangular band. */
public final class Pbtrs extends Routine {
    /** The family. */
    public static final Pbtrs ROUTINE = new Pbtrs();

    private Pbtrs() {
        super(new PbtrsSignature());
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        StoredSolve.solve(c, c.args.a, c.args.c);
    }
}
