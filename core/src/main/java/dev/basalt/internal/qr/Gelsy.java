package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GelsySignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Dim;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The least squares solution of least norm where A may be rank deficient: QR with column pivoting, the rank by incremental condition estimation, the rows that
 * count made a triangle. The rank stays on the device: what follows it reads it there.
 */
public final class Gelsy extends Routine {
    /** The family. */
    public static final Gelsy ROUTINE = new Gelsy();

    private Gelsy() {
        super(new GelsySignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(3);
            Launch l = c.scope.kernel(Kernel.FILL);
            l.type = ElementType.I64;
            l.n = 1;
            l.alpha.set(0, 0);
            l.c.set(c.args.d);
            c.scope.launch();
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long k = Math.min(g.m, g.n);
        need.part();
        BlockReflector.need(c, need, g.m, g.k, k, 0);
        need.part();
        for (int t = 0; t < BlockReflector.TIERS.size(); t++) {
            need.tier(BlockReflector.TIERS.get(t))
                    .slot("F", Geqp3.products(c, t, g.n))
                    .slot("norms", Geqp3.norms(c, g.n))
                    .slot("vectors", Math.addExact(Pentagon.elements(c, k, 4), InRange.bytes(c, Math.max(g.m, g.n))));
        }
        need.together();
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        Scope s = c.scope;
        boolean large = c.tier() < 2;
        int own = large ? BlockReflector.PANEL + 1 : 0;
        if (large) {
            Packing.use(c, BlockReflector.PACKING);
        }
        long k = Math.min(g.m, g.n);
        long each = Pentagon.elements(c, k, 1);
        Operand tau = c.k.d.vector(g.type, c.slot(own + 2), k, 1, k);
        Operand tauZ = c.k.f.vector(g.type, c.slot(own + 2) + each, k, 1, k);
        Operand vectors = c.k.b.vector(g.type, c.slot(own + 2) + 2 * each, 2 * k, 1, 2 * k);
        // Elements of workspace end at a multiple of eight bytes: there are four of each.
        long norms = c.slot(own + 2) + 4 * each;
        Operand norm = InRange.enter(c, s.of(g.a, g.m, g.n), norms, false);
        Operand sides = InRange.enter(c, s.of(g.c, g.m, g.k), norms, true);
        Geqp3.factor(c, s.of(g.a, g.m, g.n), g.b, tau, c.slot(own), c.slot(own + 1));
        Block a = s.of(g.a, g.m, g.n);
        Block b = s.of(g.c, Math.max(g.m, g.n), g.k);
        rank(s, g, a.rows(0, k), vectors);
        Ormqr.apply(c, Side.LEFT, Op.CONJ_TRANS, a.cols(0, k), tau, b.rows(0, g.m), large);
        triangle(s, g, a.rows(0, k), tauZ);
        solve(s, g, a.diagonal(0, k), b.rows(0, k));
        Launch l = Ormrz.oneByOne(s, Side.LEFT, Op.CONJ_TRANS, a.rows(0, k), tauZ, b.rows(0, g.n));
        l.q = b.rows;
        l.f.set(g.d);
        s.launch();
        permute(c, b, c.slot(own));
        InRange.leave(c, b, norm, sides, g.n);
        InRange.restore(c, a.diagonal(0, k), norm, Region.UPPER, g.d);
    }

    private static void rank(Scope s, Launch g, Block r, Operand vectors) {
        Launch l = s.kernel(Kernel.RANK);
        l.n = r.rows;
        l.alpha.set(g.alpha);
        l.a.set(vectors);
        r.into(l.c);
        l.d.set(g.d);
        s.launch();
    }

    /** The rows that count become a triangle; nothing changes where all columns do. */
    private static void triangle(Scope s, Launch g, Block r, Operand tau) {
        Launch l = s.kernel(Kernel.TPQRT2);
        l.m = r.cols;
        l.n = r.rows;
        l.opB = Op.TRANS;
        l.backward = true;
        l.conjugated = true;
        r.into(l.c);
        l.d.set(tau);
        l.f.set(g.d);
        s.launch();
    }

    /** Solves with as much of the triangle as counts. */
    private static void solve(Scope s, Launch g, Block r, Block b) {
        Launch l = s.kernel(Kernel.TRSM);
        l.side = Side.LEFT;
        l.m = b.rows;
        l.n = b.cols;
        r.triangle(Uplo.UPPER, Diag.NON_UNIT).triangleOf(l);
        b.into(l.c);
        l.extent = g.d.base;
        l.extentStride = g.d.stride;
        l.extentOf = Dim.M;
        s.launch();
    }

    /** Unknowns go back to the places of their columns, a few right-hand sides at a time. */
    private static void permute(Call c, Block b, long copies) {
        Scope s = c.scope;
        long n = c.args.n;
        long strip = Geqp3.width(c.tier());
        for (long j = 0; j < b.cols; j += strip) {
            int mark = s.mark();
            long lines = Math.min(strip, b.cols - j);
            Block x = b.block(0, j, n, lines);
            Block copy = s.dense(copies, n, lines);
            s.copy(x, copy);
            Launch l = s.kernel(Kernel.PERMUTE_ROWS);
            l.m = n;
            l.n = lines;
            copy.into(l.a);
            x.into(l.c);
            l.d.set(c.args.b);
            s.launch();
            s.release(mark);
        }
    }
}
