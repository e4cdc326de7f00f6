package dev.basalt.internal.banded;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GtsvInterleavedSignature;
import dev.basalt.internal.signature.GtsvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/** Solves A·X = B with a tridiagonal matrix by Gaussian elimination with partial pivoting, as LAPACK's gtsv. */
public final class Gtsv extends Routine {
    /** Diagonals without increments, and any number of right-hand sides. */
    public static final Gtsv GTSV = new Gtsv(new GtsvSignature(), false);

    /** Vectors of any increment, so that problems may lie side by side. */
    public static final Gtsv INTERLEAVED = new Gtsv(new GtsvInterleavedSignature(), true);

    private final boolean vector;

    private Gtsv(Signature signature, boolean vector) {
        super(signature);
        this.vector = vector;
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
        Launch l = c.scope.kernel(Kernel.GTSV);
        l.n = g.n;
        l.m = vector ? 1 : g.k;
        l.a.set(g.a);
        l.b.set(g.b);
        l.c.set(g.c);
        l.e.set(g.e);
        l.f.set(g.f);
        c.scope.launch();
    }
}
