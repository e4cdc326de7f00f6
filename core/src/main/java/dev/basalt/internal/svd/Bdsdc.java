package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.BdsdcSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Uplo;

/** The singular values and vectors of a bidiagonal matrix by divide and conquer; with little workspace by QR iteration. A lower one is the transpose of an upper one. */
public final class Bdsdc extends Routine {
    /** The family. */
    public static final Bdsdc ROUTINE = new Bdsdc();

    private Bdsdc() {
        super(new BdsdcSignature());
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        for (int t = 0; t < 2; t++) {
            need.tier(t == 0 ? "divide and conquer" : "divide and conquer, little packing")
                    .slot("packing", Division.packing(c, t, n))
                    .slot("work", Division.bytes(c, n));
        }
        need.tier("QR iteration")
                .slot("numbers", Iteration.bytes(c, n, Chunks.times(2, n)))
                .slot("norm", Range.bytes(c));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        Block u = s.of(g.b, g.n, g.n);
        Block vt = s.of(g.d, g.n, g.n);
        if (c.tier() == 2) {
            iterate(c, u, vt);
            return;
        }
        Packing.use(c, 0);
        long work = c.slot(1);
        Operand lefts = s.part();
        Operand rights = s.part();
        Division.solve(c, g.n, g.a, g.f, work, g.a, g.e, lefts, rights);
        boolean lower = g.uplo == Uplo.LOWER;
        Division.bring(c, lower ? rights : lefts, Division.room(c, g.n, work), u);
        Division.bring(c, lower ? lefts : rights, Division.room(c, g.n, work), vt.h());
    }

    private static void iterate(Call c, Block u, Block vt) {
        Launch g = c.args;
        long work = c.slot(0);
        Bdsqr.take(c, g.a, Iteration.diagonal(c, c.k.a, work, g.n));
        if (g.n > 1) {
            Bdsqr.take(c, g.f, Iteration.beside(c, c.k.a, work, g.n));
        }
        Operand norm = Range.enterBidiagonal(c, g.n, work, c.slot(1));
        Factors.identity(c.scope, u);
        Factors.identity(c.scope, vt);
        Iteration.run(c, g.uplo, g.n, vt, u, null, work, g.a, Gesvd.absent(c), g.e);
        Range.leave(c, norm, g.a, g.n);
    }
}
