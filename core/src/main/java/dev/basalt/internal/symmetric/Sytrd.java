package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.Hetd2Signature;
import dev.basalt.internal.signature.HetrdSignature;
import dev.basalt.internal.signature.Sytd2Signature;
import dev.basalt.internal.signature.SytrdSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;

/** Reduction of a symmetric or Hermitian matrix to tridiagonal form: panels and updates of rank 2k, or without workspace column by column. */
public final class Sytrd extends Routine {
    /** Real elements. */
    public static final Sytrd SYTRD = new Sytrd(new SytrdSignature(), true);

    /** Complex elements. */
    public static final Sytrd HETRD = new Sytrd(new HetrdSignature(), true);

    /** Real elements, without blocks. */
    public static final Sytrd SYTD2 = new Sytrd(new Sytd2Signature(), false);

    /** Complex elements, without blocks. */
    public static final Sytrd HETD2 = new Sytrd(new Hetd2Signature(), false);

    private final boolean blocks;

    private Sytrd(Signature signature, boolean blocks) {
        super(signature);
        this.blocks = blocks;
    }

    @Override
    protected void need(Call c, Need need) {
        if (blocks) {
            long n = c.args.n;
            for (int t = 0; t < 2; t++) {
                need.tier(t == 0 ? "panels" : "narrow panels")
                        .slot("packing", Tridiagonal.packing(c, t, n))
                        .slot("panel", Tridiagonal.panelBytes(c, t, n));
            }
        }
        need.tier("no blocks");
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        boolean panels = blocks && c.tier() < 2;
        if (panels) {
            Packing.use(c, 0);
        }
        Tridiagonal.reduce(c, g.c, g.a, g.b, g.d, panels ? c.tier() : 2, panels ? c.slot(1) : 0);
    }
}
