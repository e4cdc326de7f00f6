package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.OrmbrSignature;
import dev.basalt.internal.signature.UnmbrSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Storev;

/** Products with Q (COLUMNS) or P (ROWS) of a bidiagonal reduction, from its reflectors. */
public final class Ormbr extends Routine {
    /** Real elements. */
    public static final Ormbr ORMBR = new Ormbr(new OrmbrSignature());

    /** Complex elements. */
    public static final Ormbr UNMBR = new Ormbr(new UnmbrSignature());

    private Ormbr(Signature signature) {
        super(signature);
    }

    private static boolean columns(Call c) {
        return c.args.storev == Storev.COLUMNS;
    }

    private static long order(Call c) {
        return c.args.side == Side.LEFT ? c.args.m : c.args.n;
    }

    private static boolean moved(Call c) {
        return columns(c) ? order(c) < c.args.k : order(c) <= c.args.k;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        // A side that is one longer may have a reflector less; the need does not fall there.
        long k = Math.min(order(c), g.k);
        if (k > 0) {
            Reflectors.needApply(c, need, order(c), g.side == Side.LEFT ? g.n : g.m, k);
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        long order = order(c);
        long k = moved(c) ? order - 1 : g.k;
        if (k == 0) {
            return;
        }
        long less = moved(c) ? 1 : 0;
        Reflectors.begin(c);
        long vectors = Math.min(order, g.k);
        Block v = columns(c) ? c.scope.of(g.a, order, vectors) : c.scope.of(g.a, vectors, order).h();
        v = v.block(less, 0, order - less, k);
        Block b = c.scope.of(g.c, g.m, g.n);
        b = g.side == Side.LEFT ? b.rows(less, g.m - less) : b.cols(less, g.n - less);
        Reflectors.apply(c, g.side, g.opA == Op.NONE ? Op.NONE : Op.CONJ_TRANS, v, g.d, b);
    }
}
