package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.LarfbSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** A block reflector with its T, applied by products: to all of C at once, or strip by strip in less workspace. */
public final class Larfb extends Routine {
    /** The family. */
    public static final Larfb ROUTINE = new Larfb();

    private Larfb() {
        super(new LarfbSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        boolean left = g.side == Side.LEFT;
        BlockReflector.strips(c, need, left ? g.m : g.n, left ? g.n : g.m, g.k);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean left = g.side == Side.LEFT;
        long order = left ? g.m : g.n;
        Shape shape = Shape.of(g.direct, g.storev);
        Packing.use(c, BlockReflector.PACKING);
        Block v = shape.read(s, g.a, shape.rows ? g.k : order, shape.rows ? order : g.k);
        Block x = BlockReflector.triangle(c, v);
        Block t = s.of(g.b, g.k, g.k).triangle(shape.backward ? Uplo.LOWER : Uplo.UPPER, Diag.NON_UNIT);
        Block stored = s.of(g.c, g.m, g.n);
        Block b = shape.backward ? stored.mirror() : stored;
        long other = left ? g.n : g.m;
        long strip = BlockReflector.strip(c, other);
        for (long j = 0; j < other; j += strip) {
            int mark = s.mark();
            long lines = Math.min(strip, other - j);
            BlockReflector.apply(c, g.side, g.opA, v, x, t, left ? b.cols(j, lines) : b.rows(j, lines));
            s.release(mark);
        }
    }
}
