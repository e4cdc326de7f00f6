package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.signature.TrsylSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;

/** Sylvester's equation of two matrices in Schur form: blocks are solved for one after the other, and products take each off the others. */
public final class Trsyl extends Routine {
    /** The family. */
    public static final Trsyl ROUTINE = new Trsyl();

    private static final int SCALE = 3;

    private Trsyl() {
        super(new TrsylSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(SCALE);
            Launch l = c.scope.kernel(Kernel.FILL);
            l.type = c.args.type.real();
            l.n = 1;
            l.alpha.set(1, 0);
            l.c.set(c.args.d);
            c.scope.launch();
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        need.tier("packed products").slot("packing", Gemm.bytes(c, g.type, 0, g.m, g.n, Math.max(g.m, g.n)));
        need.tier("products in place").slot("packing", 0);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Packing.use(c, 0);
        Launch l = c.scope.packing(Kernel.TRSYL);
        l.opA = g.opA;
        l.opB = g.opB;
        l.isgn = g.isgn;
        l.m = g.m;
        l.n = g.n;
        l.a.set(g.a);
        l.b.set(g.b);
        l.c.set(g.c);
        l.d.set(g.d);
        l.e.set(g.e);
        c.scope.launch();
    }
}
