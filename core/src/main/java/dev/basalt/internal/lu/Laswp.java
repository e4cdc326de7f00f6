package dev.basalt.internal.lu;

import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LaswpSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Direct;

/** Exchanges of rows k1 to k2 with the rows that pivots name, in one launch. */
public final class Laswp extends Routine {
    /** The family. */
    public static final Laswp ROUTINE = new Laswp();

    private Laswp() {
        super(new LaswpSignature());
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        long first = Math.max(1, g.p);
        if (first <= g.q) {
            Getrf.interchanges(c, s.of(g.c, g.m, g.n), first - 1, g.q, g.direct == Direct.BACKWARD);
            s.launch();
        }
    }
}
