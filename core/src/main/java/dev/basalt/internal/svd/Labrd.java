package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LabrdSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/** The first panel of a bidiagonal reduction, as a routine: the rest of A is to become A - V·Yᴴ - X·Uᴴ. */
public final class Labrd extends Routine {
    /** The family. */
    public static final Labrd ROUTINE = new Labrd();

    private Labrd() {
        super(new LabrdSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long elements = Bidiagonal.panel(c, Math.max(g.m, g.n), Math.min(g.m, g.n), g.k);
        need.tier("one panel").slot("panel", Chunks.times(elements, g.type.bytes(), g.count));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean turned = g.m < g.n;
        Block a = s.of(g.c, g.m, g.n);
        a = turned ? a.h() : a;
        Block left = Bidiagonal.left(s, c.slot(0), a.rows, g.k);
        Block right = Bidiagonal.right(c, c.slot(0), a.rows, a.cols, g.k);
        // What stands above the products is zero.
        s.scale(Scope.ZERO, left);
        s.scale(Scope.ZERO, right);
        Bidiagonal.panel(c, a, 0, g.k, g.a, g.b, turned ? g.f : g.d, turned ? g.d : g.f, c.slot(0), false);
        Block x = s.of(g.g, g.m, g.k);
        Block y = s.of(g.operand(7), g.n, g.k);
        second(s, turned ? right : left, turned ? 0 : 1, x);
        second(s, turned ? left : right, turned ? 1 : 0, y);
    }

    /** c := every second column of pairs, from one on. */
    private static void second(Scope s, Block pairs, long from, Block c) {
        Launch l = s.kernel(Kernel.COPY_MATRIX);
        l.m = c.rows;
        l.n = c.cols;
        pairs.cols(from, pairs.cols - from).into(l.a);
        Operand a = l.a;
        a.ld *= 2;
        a.cols = c.cols;
        c.into(l.c);
        s.launch();
    }
}
