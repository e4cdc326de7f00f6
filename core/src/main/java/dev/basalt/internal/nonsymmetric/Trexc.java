package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TrexcSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Evect;

/** Moves one block on the diagonal of a Schur form. */
public final class Trexc extends Routine {
    /** The family. */
    public static final Trexc ROUTINE = new Trexc();

    private Trexc() {
        super(new TrexcSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.TREXC);
        l.n = g.n;
        l.p = Math.max(0, g.p - 1);
        l.q = Math.max(0, g.q - 1);
        l.c.set(g.c);
        if (g.evect != Evect.NONE) {
            l.d.set(g.d);
        }
        l.e.set(g.e);
        c.scope.launch();
    }
}
