package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LatrdSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;

/** A panel of a reduction to tridiagonal form. */
public final class Latrd extends Routine {
    /** The family. */
    public static final Latrd ROUTINE = new Latrd();

    private Latrd() {
        super(new LatrdSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        long shared = Tridiagonal.sharedBytes(c, c.args.n, c.args.k);
        if (shared > 0) {
            need.tier("one launch").slot("partials", shared);
            need.tier("three launches a column").slot("partials", 0);
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean shares = Tridiagonal.sharedBytes(c, g.n, g.k) > 0;
        Tridiagonal.columns(c, s.of(g.c, g.n, g.n), s.of(g.f, g.n, g.k), g.b, g.d, g.k, shares ? c.slot(0) : 0,
                shares ? c.slotBytes(0) : 0);
    }
}
