package dev.basalt.internal.banded;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GbtrsSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;

/** Solves op(A)·X = B from the factors of gbtrf: one launch, whose right-hand sides are independent. */
public final class Gbtrs extends Routine {
    /** The family. */
    public static final Gbtrs ROUTINE = new Gbtrs();

    private Gbtrs() {
        super(new GbtrsSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier(Need.NO_WORKSPACE);
    }

    @Override
    protected void run(Call c) {
        solve(c, c.args.opA, c.args.a);
    }

    /** Solves for the call's B with a factored band; the pivots are operand d of the call. */
    static void solve(Call c, Op op, Operand band) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.GBTRS);
        l.opA = op;
        l.n = g.n;
        l.m = g.k;
        l.a.set(band);
        l.c.set(g.c);
        l.d.set(g.d);
        c.scope.launch();
    }
}
