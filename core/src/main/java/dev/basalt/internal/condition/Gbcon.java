package dev.basalt.internal.condition;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.signature.GbconSignature;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Op;

/** The reciprocal condition number of a band matrix from its LU factors. */
public final class Gbcon extends Condition {
    /** The family. */
    public static final Gbcon ROUTINE = new Gbcon();

    private Gbcon() {
        super(new GbconSignature());
    }

    @Override
    protected void run(Call c) {
        Estimator.rcond(c, this, c.args.norm, c.args.n, c.slot(WORK), c.args.b, AFTER_BAND);
    }

    @Override
    public void apply(Call c, Block x, boolean adjoint) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.GBTRS);
        l.opA = adjoint ? Op.CONJ_TRANS : Op.NONE;
        l.n = g.n;
        l.m = 1;
        l.a.set(g.a);
        l.d.set(g.f);
        x.into(l.c);
        c.scope.launch();
    }
}
