package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.OrmtrSignature;
import dev.basalt.internal.signature.UnmtrSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Q·C, Qᴴ·C, C·Q or C·Qᴴ with Q of a reduction to tridiagonal form: of one order less, since the first row and column of Q (the last of an upper triangle's) are those of the identity. */
public final class Ormtr extends Routine {
    /** Real elements. */
    public static final Ormtr ORMTR = new Ormtr(new OrmtrSignature());

    /** Complex elements. */
    public static final Ormtr UNMTR = new Ormtr(new UnmtrSignature());

    private Ormtr(Signature signature) {
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
        Reflectors.begin(c);
        long order = g.side == Side.LEFT ? g.m : g.n;
        apply(c, g.side, g.opA, c.scope.of(g.a, order, order), g.d, c.scope.of(g.c, g.m, g.n));
        if (order > 1 && Reflectors.appliesFew(c, g.m, g.n, order - 1)) {
            c.alone();
        }
    }

    /** The reflectors of a reduced matrix, in columns. */
    static Block reflectors(Call c, Block a) {
        Block read = c.args.uplo == Uplo.LOWER ? a : a.mirror();
        return read.block(1, 0, a.rows - 1, a.rows - 1);
    }

    /** b := op(Q)·b or b·op(Q). */
    static void apply(Call c, Side side, Op op, Block a, Operand tau, Block b) {
        if (a.rows <= 1) {
            return;
        }
        int mark = c.scope.mark();
        Block read = c.args.uplo == Uplo.LOWER ? b : b.mirror();
        Block moved = side == Side.LEFT ? read.rows(1, b.rows - 1) : read.cols(1, b.cols - 1);
        Reflectors.apply(c, side, op == Op.NONE ? Op.NONE : Op.CONJ_TRANS, reflectors(c, a), tau, moved);
        c.scope.release(mark);
    }
}
