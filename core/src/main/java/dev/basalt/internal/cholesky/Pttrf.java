package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.PttrfSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/** L·D·Lᴴ of a positive definite tridiagonal matrix: one step a row, one problem a thread. */
public final class Pttrf extends Routine {
    /** The family. */
    public static final Pttrf ROUTINE = new Pttrf();

    private Pttrf() {
        super(new PttrfSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch l = c.scope.kernel(Kernel.PTTRF);
        l.n = c.args.n;
        l.a.set(c.args.a);
        l.c.set(c.args.c);
        l.e.set(c.args.e);
        c.scope.launch();
    }
}
