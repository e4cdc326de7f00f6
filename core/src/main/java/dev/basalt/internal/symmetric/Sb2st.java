package dev.basalt.internal.symmetric;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HetrdHb2stSignature;
import dev.basalt.internal.signature.SytrdSb2stSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;

/** Reduction of a symmetric or Hermitian band to tridiagonal form: one launch. */
public final class Sb2st extends Routine {
    /** Real elements. */
    public static final Sb2st SYTRD_SB2ST = new Sb2st(new SytrdSb2stSignature());

    /** Complex elements. */
    public static final Sb2st HETRD_HB2ST = new Sb2st(new HetrdHb2stSignature());

    private Sb2st(Signature signature) {
        super(signature);
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier("bulge chasing").slot("band", BandReduction.bytes(c, c.args.n, c.args.q));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        BandReduction.chase(c, g.uplo, g.c, g.a, g.b, g.q, c.slot(0), null);
    }
}
