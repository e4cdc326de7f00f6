package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LarfSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** One reflector: a product with its vector, the factor as a triangle of order 1, since each problem has its own, and an update of rank 1. */
public final class Larf extends Routine {
    /** The family. */
    public static final Larf ROUTINE = new Larf();

    private Larf() {
        super(new LarfSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long other = g.side == Side.LEFT ? g.n : g.m;
        need.tier("product and update").slot("W", Chunks.times(other, g.type.bytes(), g.count));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean left = g.side == Side.LEFT;
        long other = left ? g.n : g.m;
        Block w = s.dense(c.slot(0), other, 1);
        Launch l = s.kernel(Kernel.GEMV);
        l.opA = left ? Op.CONJ_TRANS : Op.NONE;
        l.m = g.m;
        l.n = g.n;
        l.a.set(g.c);
        l.b.set(g.a);
        vector(w, l.c);
        s.launch();
        Block tau = s.of(g.d, 1, 1).triangle(Uplo.UPPER, Diag.NON_UNIT);
        s.triangle(Kernel.TRMM, Side.RIGHT, Scope.ONE, left ? tau.h() : tau, w);
        l = s.kernel(Kernel.GER);
        l.m = g.m;
        l.n = g.n;
        l.alpha.set(Scope.MINUS_ONE);
        l.conjugated = g.type.isComplex();
        (left ? l.a : l.b).set(g.a);
        vector(w, left ? l.b : l.a);
        l.c.set(g.c);
        s.launch();
    }

    static void vector(Block w, Operand into) {
        w.into(into);
        into.vector = true;
        into.ld = 1;
    }
}
