package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.BdsvdxSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Some singular values and vectors of a bidiagonal matrix, from all of them by divide and conquer; with little workspace and without vectors by QR iteration. */
public final class Bdsvdx extends Routine {
    /** The family. */
    public static final Bdsvdx ROUTINE = new Bdsvdx();

    private static final int Z = 2;

    private Bdsvdx() {
        super(new BdsvdxSignature());
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return operand != Z || c.args.evect != Evect.NONE;
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return !uses(c, operand);
    }

    @Override
    protected void quickRun(Call c) {
        Gesvdx.none(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        boolean vectors = g.evect != Evect.NONE;
        for (int t = 0; vectors && t < 2; t++) {
            need.tier(t == 0 ? "divide and conquer" : "divide and conquer, little packing")
                    .slot("packing", Division.packing(c, t, g.n))
                    .slot("work", Division.bytes(c, g.n));
        }
        need.tier("QR iteration")
                .slot("numbers", Iteration.bytes(c, g.n, vectors ? Chunks.times(2, g.n) : 0))
                .slot("vectors", vectors ? Chunks.times(2, square(c)) : 0)
                .slot("norm", Range.bytes(c));
    }

    private static long square(Call c) {
        return Scope.squareBytes(c.args.type, c.args.n, c.args.count);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        boolean vectors = g.evect != Evect.NONE;
        Operand lefts = s.part();
        Operand rights = s.part();
        if (!vectors || c.tier() == 2) {
            iterate(c, vectors, lefts, rights);
        } else {
            Packing.use(c, 0);
            boolean lower = g.uplo == Uplo.LOWER;
            Division.solve(c, g.n, g.b, g.f, c.slot(1), g.a, g.e, lower ? rights : lefts, lower ? lefts : rights);
        }
        long most = Erange.most(g.erange, g.n, g.p, g.q);
        Gesvdx.select(c, g.n, 0, Op.NONE, null, null);
        if (vectors && most > 0) {
            Block z = s.of(g.c, 2 * g.n, most);
            Gesvdx.select(c, g.n, 0, Op.NONE, s.of(lefts, g.n, g.n), z.rows(0, g.n));
            Gesvdx.select(c, g.n, 0, Op.NONE, s.of(rights, g.n, g.n), z.rows(g.n, g.n));
        }
        Gesvdx.select(c, g.n, 1, Op.NONE, null, null);
    }

    private static void iterate(Call c, boolean vectors, Operand lefts, Operand rights) {
        Launch g = c.args;
        Scope s = c.scope;
        long work = c.slot(0);
        Bdsqr.take(c, g.b, Iteration.diagonal(c, c.k.a, work, g.n));
        if (g.n > 1) {
            Bdsqr.take(c, g.f, Iteration.beside(c, c.k.a, work, g.n));
        }
        Operand norm = Range.enterBidiagonal(c, g.n, work, c.slot(2));
        Block u = null;
        Block v = null;
        if (vectors) {
            u = s.dense(c.slot(1), g.n, g.n);
            v = s.dense(c.slot(1) + square(c), g.n, g.n);
            Factors.identity(s, u);
            Factors.identity(s, v);
            u.into(lefts);
            v.into(rights);
        }
        Iteration.run(c, g.uplo, g.n, vectors ? v.h() : null, u, null, work, g.a, Gesvd.absent(c), g.e);
        Range.leave(c, norm, g.a, g.n);
    }
}
