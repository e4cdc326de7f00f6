package dev.basalt.internal.banded;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GttrsSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/** Solves op(A)·X = B from the factors of gttrf, as LAPACK's gttrs. */
public final class Gttrs extends Routine {
    /** The family. */
    public static final Gttrs ROUTINE = new Gttrs();

    private Gttrs() {
        super(new GttrsSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier(Need.NO_WORKSPACE);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.GTTRS);
        l.opA = g.opA;
        l.n = g.n;
        l.m = g.k;
        l.a.set(g.a);
        l.b.set(g.b);
        l.c.set(g.c);
        l.d.set(g.d);
        l.f.set(g.f);
        l.g.set(g.g);
        c.scope.launch();
    }
}
