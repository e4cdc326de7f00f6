package dev.basalt.internal.symmetric;

import dev.basalt.Status;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HetrdHe2hbSignature;
import dev.basalt.internal.signature.SytrdSy2sbSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.Uplo;

/** Reduction of a symmetric or Hermitian matrix to a band: panels, and products on both sides. */
public final class Sy2sb extends Routine {
    /** Real elements. */
    public static final Sy2sb SYTRD_SY2SB = new Sy2sb(new SytrdSy2sbSignature());

    /** Complex elements. */
    public static final Sy2sb HETRD_HE2HB = new Sy2sb(new HetrdHe2hbSignature());

    private Sy2sb(Signature signature) {
        super(signature);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        if (g.q == 0 && g.n > 0) {
            throw c.failure(Status.INVALID_SIZE, "kd", 3, "kd >= 1 is required, but it is 0");
        }
        for (int t = 0; t < Packing.TIERS.size(); t++) {
            need.tier(Packing.TIERS.get(t));
            BandReduction.need(c, need, t, g.n, g.q);
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Packing.use(c, 0);
        BandReduction.reduce(c, g.c, g.d, g.q, 0);
        // Diagonal by diagonal: in a band each is a row.
        for (long i = 0; i <= Math.min(g.q, g.n - 1); i++) {
            Launch l = c.scope.kernel(Kernel.COPY);
            l.n = g.n - i;
            diagonal(l.a, g.c, i, g.uplo);
            diagonal(l.c, g.f, i, g.uplo);
            c.scope.launch();
        }
    }

    /** Diagonal i beside the main one. */
    private static void diagonal(Operand into, Operand of, long i, Uplo uplo) {
        long n = of.cols;
        boolean lower = uplo == Uplo.LOWER;
        into.block(of, lower ? i : 0, lower ? 0 : i, n - i, n - i);
        long step = into.step(uplo) + 1;
        if (into.storage == Storage.BAND) {
            into.skewed();
        }
        into.vector = true;
        into.rows = n - i;
        into.cols = 1;
        into.ld = step;
    }
}
