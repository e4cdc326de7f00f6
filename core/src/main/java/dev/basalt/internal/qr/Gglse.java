package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.GglseSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Least squares under equations, by the generalised RQ factorisation: B = (0 T)·Q, A = Z·R·Q. The equations give the last unknowns of Q·x, the least squares the
 * others. Problems without a unique solution (info 1: B, info 2: A below B) are skipped on the device from there on.
 */
public final class Gglse extends Routine {
    /** The family. */
    public static final Gglse ROUTINE = new Gglse();

    private Gglse() {
        super(new GglseSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        need(c, need, Math.max(g.m, g.n), g.n, Math.max(g.m, Math.max(g.n, g.k)), g.n);
        need.part();
        Trsm.need(c, need, g.n, 1, g.n);
        need.together();
    }

    /** The need of two factorisations with up to k reflectors of m elements, applied to so many other lines, panels of so many rows turned. */
    static void need(Call c, Need need, long m, long k, long other, long turned) {
        need.part();
        BlockReflector.need(c, need, m, other, k, turned);
        need.part();
        for (String tier : BlockReflector.TIERS) {
            need.tier(tier).slot("tau of A", Pentagon.elements(c, k, 1)).slot("tau of B", Pentagon.elements(c, k, 1));
        }
    }

    /** The factors of the first or second factorisation, as many as the call has of reflectors. */
    static Operand factors(Call c, Operand into, int which, long k) {
        return into.vector(c.args.type, c.slot((c.tier() < 2 ? BlockReflector.PANEL + 1 : 0) + which), k, 1, k);
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
        long free = g.n - g.k;
        Operand tauA = factors(c, c.k.d, 0, Math.min(g.m, g.n));
        Operand tauB = factors(c, c.k.f, 1, g.k);
        Block a = s.of(g.a, g.m, g.n);
        Block q = Shape.RQ.read(s, g.b, g.k, g.n);
        Geqrf.factor(c, q, tauB, large);
        Block v = q.cols(0, g.k);
        Ormqr.apply(c, Side.RIGHT, Op.NONE, v, tauB, a.mirror(), large);
        Geqrf.factor(c, a, tauA, large);
        Block r = s.of(g.c, g.m, 1);
        Block d = s.of(g.d, g.k, 1);
        Block x = s.of(g.f, g.n, 1);
        Ormqr.apply(c, Side.LEFT, Op.CONJ_TRANS, a.cols(0, Math.min(g.m, g.n)), tauA, r, large);
        Block t = upper(s.of(g.b, g.k, g.n).cols(free, g.k));
        solve(c, t, d, 1);
        s.copy(d, x.rows(free, g.k));
        s.gemm(-1, a.block(0, free, free, g.k), d, 1, r.rows(0, free));
        solve(c, upper(a.block(0, 0, free, free)), r.rows(0, free), 2);
        s.copy(r.rows(0, free), x.rows(0, free));
        residual(s, a, free, d, r);
        Ormqr.apply(c, Side.LEFT, Op.NONE, v, tauB, x.mirror(), large);
    }

    /** What is left of the right-hand side: its last elements less the triangle of A behind the free unknowns times d. */
    private static void residual(Scope s, Block a, long free, Block d, Block r) {
        long rows = Math.min(a.rows - free, d.rows);
        long more = d.rows - rows;
        if (rows <= 0) {
            return;
        }
        Block rest = r.rows(free, rows);
        if (more > 0) {
            s.gemm(-1, a.block(free, free + rows, rows, more), d.rows(rows, more), 1, rest);
        }
        Block first = d.rows(0, rows);
        s.triangle(Kernel.TRMM, Side.LEFT, Scope.ONE, upper(a.block(free, free, rows, rows)), first);
        Pentagon.subtract(s, first, rest);
    }

    static Block upper(Block square) {
        return square.triangle(Uplo.UPPER, Diag.NON_UNIT);
    }

    /** Solves with a triangle; problems where its diagonal has a zero get an info and are skipped from here on. */
    static void solve(Call c, Block triangle, Block b, int info) {
        Scope s = c.scope;
        if (triangle.rows == 0) {
            return;
        }
        Launch l = s.kernel(Kernel.ZERO_DIAGONAL);
        l.n = triangle.rows;
        l.q = info;
        triangle.into(l.c);
        l.e.set(c.args.e);
        s.launch();
        s.guard = c.args.e;
        Trsm.solve(s, Side.LEFT, triangle, b);
    }
}
