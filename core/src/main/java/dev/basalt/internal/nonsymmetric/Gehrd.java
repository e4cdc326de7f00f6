package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.Gehd2Signature;
import dev.basalt.internal.signature.GehrdSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;

/** Reduction to Hessenberg form: by panels and products, or column by column. */
public final class Gehrd extends Routine {
    /** By panels. */
    public static final Gehrd GEHRD = new Gehrd(new GehrdSignature(), true);

    /** Without blocks. */
    public static final Gehrd GEHD2 = new Gehrd(new Gehd2Signature(), false);

    private final boolean blocks;

    private Gehrd(Signature signature, boolean blocks) {
        super(signature);
        this.blocks = blocks;
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        for (int t = blocks ? 0 : 2; t < 3; t++) {
            need.tier(t == 0 ? "panels" : t == 1 ? "narrow panels" : "no blocks")
                    .slot("packing", Hessenberg.packing(c, t, n))
                    .slot("panel", Hessenberg.bytes(c, t, n));
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Packing.use(c, 0);
        long nb = blocks ? Hessenberg.width(g.type, c.tier(), g.n) : 0;
        if (nb == 0 && g.p == 1 && g.q == g.n) {
            c.alone();
        }
        Hessenberg.reduce(c, c.scope.of(g.c, g.n, g.n), g.d, Math.max(0, g.p - 1), g.q, nb, c.slot(1));
    }
}
