package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GesvNpvtSignature;
import dev.basalt.internal.signature.GesvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Op;

/**
 * Solves A·X = B by LU. Problems whose U is exactly singular (info > 0) keep their B, as in LAPACK: the solves skip them on the
 * device, without asking the host.
 */
public final class Gesv extends Routine {
    /** The family. */
    public static final Gesv ROUTINE = new Gesv(new GesvSignature(), true);

    /** Without interchanges. */
    public static final Gesv NPVT = new Gesv(new GesvNpvtSignature(), false);

    private final boolean pivots;

    private Gesv(Signature signature, boolean pivots) {
        super(signature);
        this.pivots = pivots;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need.part();
        Getrf.need(c, need, c.args.n, c.args.n);
        need.part();
        Getrs.need(c, need, c.args.n, c.args.k);
        need.together();
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        InfoArray.clear(c);
        Launch g = c.args;
        Scope s = c.scope;
        Block a = s.of(g.a, g.n, g.n);
        Block b = s.of(g.c, g.n, g.k);
        if (pivots) {
            Getrf.factor(c, a);
        } else {
            GetrfNpvt.factor(c, a);
        }
        s.guard = g.e;
        if (g.k > 0 && pivots) {
            Getrs.solve(c, Op.NONE, a, b, null);
        } else if (g.k > 0) {
            Getrs.solve(s, Op.NONE, a, b);
        }
    }
}
