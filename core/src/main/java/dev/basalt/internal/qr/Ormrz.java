package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.OrmrzSignature;
import dev.basalt.internal.signature.UnmrzSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/** Z·C, Zᴴ·C, C·Z or C·Zᴴ with Z as {@link Tzrzf} left it: block by block, or without workspace reflector by reflector in one launch. */
public final class Ormrz extends Routine {
    /** Real elements. */
    public static final Ormrz ORMRZ = new Ormrz(new OrmrzSignature());

    /** Complex elements. */
    public static final Ormrz UNMRZ = new Ormrz(new UnmrzSignature());

    private Ormrz(Signature signature) {
        super(signature);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        boolean left = g.side == Side.LEFT;
        Tzrzf.need(c, need, left ? g.m : g.n, left ? g.n : g.m, g.k, true);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean left = g.side == Side.LEFT;
        Op op = g.opA == Op.NONE ? Op.NONE : Op.CONJ_TRANS;
        long order = left ? g.m : g.n;
        Block a = s.of(g.a, g.k, order);
        Block b = s.of(g.c, g.m, g.n);
        if (c.tier() == 2) {
            Launch l = oneByOne(s, g.side, op, a, g.d, b);
            l.p = g.p;
            s.launch();
            return;
        }
        Packing.use(c, Pentagon.PACKING);
        long nb = Tzrzf.width(c.tier());
        long blocks = (g.k + nb - 1) / nb;
        long behind = order - g.p;
        for (long step = 0; step < blocks; step++) {
            int mark = s.mark();
            long i = (left == (op == Op.NONE) ? blocks - 1 - step : step) * nb;
            long ib = Math.min(nb, g.k - i);
            Block v = vectors(c, a.block(i, behind, ib, g.p));
            Block t = Tzrzf.triangle(c, ib);
            Operand tau = c.k.d.slice(g.d, i, ib);
            Pentagon.form(s, v, null, tau, t);
            Pentagon.apply(c, g.side, op, v, null, t, left ? b.rows(i, ib) : b.cols(i, ib),
                    left ? b.rows(behind, g.p) : b.cols(behind, g.p));
            s.release(mark);
        }
    }

    /** The reflectors of rows as columns: without conjugation, so complex ones are conjugated in the workspace first. */
    private static Block vectors(Call c, Block rows) {
        if (!c.args.type.isComplex()) {
            return rows.h();
        }
        Block copy = c.scope.dense(c.slot(Pentagon.X), rows.rows, rows.cols);
        c.scope.copy(rows, copy);
        Tzrzf.conjugate(c.scope, copy);
        return copy.h();
    }

    /** A launch that applies all reflectors in the rows of a, one after the other. */
    static Launch oneByOne(Scope s, Side side, Op op, Block a, Operand tau, Block b) {
        Launch l = s.kernel(Kernel.TPMQR2);
        l.side = side;
        l.opA = op;
        l.m = b.rows;
        l.n = b.cols;
        l.k = a.rows;
        a.into(l.a);
        b.into(l.c);
        l.d.set(tau);
        return l;
    }
}
