package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.OrmhrSignature;
import dev.basalt.internal.signature.UnmhrSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/** Q·C, Qᴴ·C, C·Q or C·Qᴴ with Q of a reduction to Hessenberg form, which is the identity outside of the range that was reduced. */
public final class Ormhr extends Routine {
    /** Real elements. */
    public static final Ormhr ORMHR = new Ormhr(new OrmhrSignature());

    /** Complex elements. */
    public static final Ormhr UNMHR = new Ormhr(new UnmhrSignature());

    private Ormhr(Signature signature) {
        super(signature);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long order = Math.max(0, (g.side == Side.LEFT ? g.m : g.n) - 1);
        Reflectors.needApply(c, need, order, g.side == Side.LEFT ? g.n : g.m, order);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        Reflectors.begin(c);
        boolean left = g.side == Side.LEFT;
        long order = left ? g.m : g.n;
        long lo = Math.min(Math.max(0, g.p - 1), g.q);
        long k = g.q - lo - 1;
        if (k > 0) {
            Block b = s.of(g.c, g.m, g.n);
            Block v = s.of(g.a, order, order).block(lo + 1, lo, k, k);
            Operand tau = s.part().slice(g.d, lo, k);
            Block moved = left ? b.rows(lo + 1, k) : b.cols(lo + 1, k);
            Reflectors.apply(c, g.side, g.opA == Op.NONE ? Op.NONE : Op.CONJ_TRANS, v, tau, moved);
            if (k == order - 1 && Reflectors.appliesFew(c, g.m, g.n, k)) {
                c.alone();
            }
        }
    }
}
