package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.GgglmSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * The smallest y with d = A·x + B·y, by the generalised QR factorisation: A = Q·R, B = Q·T·Z. Problems without a unique solution (info 1: A and B together,
 * info 2: A) are skipped on the device from there on.
 */
public final class Ggglm extends Routine {
    /** The family. */
    public static final Ggglm ROUTINE = new Ggglm();

    private Ggglm() {
        super(new GgglmSignature());
    }

    /** Without equations all that is free is zero. */
    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        Launch g = c.args;
        if (g.count > 0 && g.k > 0) {
            c.requireOperand(5);
            c.scope.scale(Scope.ZERO, c.scope.of(g.f, g.k, 1));
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        Gglse.need(c, need, Math.max(g.n, g.k), g.n, Math.max(g.n, g.k), g.k);
        need.part();
        Trsm.need(c, need, g.n, 1, g.n);
        need.together();
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        Scope s = c.scope;
        boolean large = c.tier() < 2;
        if (large) {
            Packing.use(c, BlockReflector.PACKING);
        }
        long unknowns = g.m;
        long rest = g.n - unknowns;
        long zeros = g.k - rest;
        long reflectors = Math.min(g.n, g.k);
        Operand tauA = Gglse.factors(c, c.k.d, 0, unknowns);
        Operand tauB = Gglse.factors(c, c.k.f, 1, reflectors);
        Block a = s.of(g.a, g.n, unknowns);
        Block b = s.of(g.b, g.n, g.k);
        Geqrf.factor(c, a, tauA, large);
        Ormqr.apply(c, Side.LEFT, Op.CONJ_TRANS, a, tauA, b, large);
        Block z = Shape.RQ.read(s, g.b, g.n, g.k);
        Geqrf.factor(c, z, tauB, large);
        Block d = s.of(g.d, g.n, 1);
        Block x = s.of(g.c, unknowns, 1);
        Block y = s.of(g.f, g.k, 1);
        Ormqr.apply(c, Side.LEFT, Op.CONJ_TRANS, a, tauA, d, large);
        Block behind = d.rows(unknowns, rest);
        Block first = d.rows(0, unknowns);
        Gglse.solve(c, Gglse.upper(b.block(unknowns, zeros, rest, rest)), behind, 1);
        s.copy(behind, y.rows(zeros, rest));
        s.scale(Scope.ZERO, y.rows(0, zeros));
        if (rest > 0) {
            s.gemm(-1, b.block(0, zeros, unknowns, rest), y.rows(zeros, rest), 1, first);
        }
        Gglse.solve(c, Gglse.upper(a.rows(0, unknowns)), first, 2);
        s.copy(first, x);
        Ormqr.apply(c, Side.LEFT, Op.NONE, z.cols(0, reflectors), tauB, y.mirror(), large);
    }
}
