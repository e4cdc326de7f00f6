package dev.basalt.internal.banded;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GbsvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Op;

/** Solves A·X = B with a band matrix by LU. Problems whose U is exactly singular (info > 0) keep their B, as in LAPACK. */
public final class Gbsv extends Routine {
    /** The family. */
    public static final Gbsv ROUTINE = new Gbsv();

    private Gbsv() {
        super(new GbsvSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Gbtrf.need(c, need, c.args.a, c.args.n, c.args.n);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        Gbtrf.factor(c, g.a, g.n, g.n, true);
        c.scope.guard = g.e;
        if (g.k > 0) {
            Gbtrs.solve(c, Op.NONE, g.a);
        }
    }
}
