package dev.basalt.internal.qr;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LarfgSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/** One reflector, with LAPACK's scaling where its norm is tiny. */
public final class Larfg extends Routine {
    /** The family. */
    public static final Larfg ROUTINE = new Larfg();

    private Larfg() {
        super(new LarfgSignature());
    }

    /** The reflector of nothing is the identity. */
    @Override
    protected void quickRun(Call c) {
        if (c.args.count > 0) {
            c.requireOperand(3);
            Launch l = c.scope.kernel(Kernel.FILL);
            l.n = 1;
            l.alpha.set(0, 0);
            l.c.set(c.args.d);
            c.scope.launch();
        }
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        Launch l = c.scope.kernel(Kernel.LARFG);
        l.n = c.args.n;
        l.b.set(c.args.b);
        l.c.set(c.args.c);
        l.d.set(c.args.d);
        c.scope.launch();
    }
}
