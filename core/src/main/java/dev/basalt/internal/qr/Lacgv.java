package dev.basalt.internal.qr;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LacgvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/** The conjugate of a vector, which is a matrix of one row. */
public final class Lacgv extends Routine {
    /** The family. */
    public static final Lacgv ROUTINE = new Lacgv();

    private Lacgv() {
        super(new LacgvSignature());
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        Launch l = c.scope.kernel(Kernel.CONJUGATE);
        l.m = 1;
        l.n = c.args.n;
        l.c.set(c.args.c);
        l.c.vector = false;
        l.c.rows = 1;
        l.c.cols = c.args.n;
        l.c.ld = Math.abs(c.args.c.ld);
        c.scope.launch();
    }
}
