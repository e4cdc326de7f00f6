package dev.basalt.internal.banded;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GttrfSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/** LU of a tridiagonal matrix with partial pivoting, as LAPACK's gttrf. */
public final class Gttrf extends Routine {
    /** The family. */
    public static final Gttrf ROUTINE = new Gttrf();

    private Gttrf() {
        super(new GttrfSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier(Need.NO_WORKSPACE);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.GTTRF);
        l.n = g.n;
        l.a.set(g.a);
        l.b.set(g.b);
        l.c.set(g.c);
        l.d.set(g.d);
        l.e.set(g.e);
        l.f.set(g.f);
        c.scope.launch();
    }
}
