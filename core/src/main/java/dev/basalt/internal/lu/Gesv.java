package dev.basalt.internal.lu;

import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GesvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/**
 * Solves A·X = B by LU. Problems whose U is exactly singular (info > 0) keep their B, as in LAPACK: the solves skip them on the
 * device, without asking the host.
 */
public final class Gesv extends Routine {
    /** The family. */
    public static final Gesv ROUTINE = new Gesv();

    private Gesv() {
        super(new GesvSignature());
    }

    @Override
    protected void quickRun(Call c) {
        Blocks.quickInfo(c);
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        Packing.need(c, need, n, Math.max(n, c.args.k), n, Kernel.TRSM, n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Blocks.clearInfo(c);
        Getrf.factor(c, c.args.n, c.args.n, c.args.a);
        c.guard = c.args.e;
        if (c.args.k > 0) {
            Getrs.solve(c, Op.NONE, c.args.n, c.args.k, c.args.a, c.args.c, null);
        }
    }
}
