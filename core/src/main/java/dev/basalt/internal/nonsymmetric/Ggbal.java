package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GgbalSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/** Balancing of a pair of matrices: permutations that isolate eigenvalues, and scales that bring rows and columns of both together to norms of about 1. */
public final class Ggbal extends Routine {
    /** The family. */
    public static final Ggbal ROUTINE = new Ggbal();

    private Ggbal() {
        super(new GgbalSignature());
    }

    @Override
    protected void quickRun(Call c) {
        Gebal.nothing(c);
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.GGBAL);
        l.balance = g.balance;
        l.n = g.n;
        l.a.set(g.a);
        l.b.set(g.b);
        l.c.set(g.c);
        l.d.set(g.d);
        l.f.set(g.f);
        l.g.set(g.g);
        c.scope.launch();
    }
}
