package dev.basalt.internal.product;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TrsvExSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Side;

/**
 * trsv with the inverses of A's diagonal blocks of order {@value TrsmEx#ORDER} supplied, as {@link TrsmEx} takes them: the solution is made in
 * the workspace by products, and then copied over x. Where too few inverses are supplied, or the workspace is short, they are not read, and the
 * call is trsv.
 */
public final class TrsvEx extends Routine {
    /** The family. */
    public static final TrsvEx ROUTINE = new TrsvEx();

    private static final String INVERSES = "products with inverses";

    private TrsvEx() {
        super(new TrsvExSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        if (!TrsmEx.supplied(g.k, g.n)) {
            return;
        }
        long column = Chunks.times(g.n, g.type.bytes(), g.count);
        long strip = TrsmEx.apart(c) ? Chunks.times(Math.min(g.n, TrsmEx.ORDER), g.type.bytes(), g.count) : 0;
        need.tier(INVERSES).slot("strip", strip).slot("x", column);
        need.tier("substitution").slot("strip", 0).slot("x", 0);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (c.slot(1) == 0) {
            c.launchArgs(Kernel.TRSV, 0, 0);
            return;
        }
        Scope s = c.scope;
        Block x = s.dense(c.slot(1), g.n, 1);
        move(c, x, true);
        Block a = s.of(g.a, g.n, g.n).triangle(g.uplo, g.diag).op(g.opA);
        TrsmEx.solve(s, Side.LEFT, c.slot(0), Scope.ONE, Scope.MINUS_ONE, a, TrsmEx.inverses(c, g.n), x);
        move(c, x, false);
    }

    /** The right-hand side into the workspace, or the solution out of it. */
    private static void move(Call c, Block x, boolean in) {
        Launch l = c.scope.kernel(Kernel.COPY);
        l.n = c.args.n;
        (in ? l.a : l.c).set(c.args.c);
        x.into(in ? l.c : l.a);
        (in ? l.c : l.a).vector = true;
        (in ? l.c : l.a).ld = 1;
        c.scope.launch();
    }
}
