package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.signature.LarftSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.Uplo;

/** T of a block reflector: the triangle of VᴴV by a product, then T from that in one launch. Without workspace column by column. */
public final class Larft extends Routine {
    /** The family. */
    public static final Larft ROUTINE = new Larft();

    /** Rows up to which one launch reads V as it is, and products of its elements. */
    private static final long LONG = 512;

    private static final long ALONE = 1 << 15;

    private Larft() {
        super(new LarftSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        need.tier("products")
                .slot("V", Scope.squareBytes(g.type, g.k, g.count))
                .slot("packing", Gemm.bytes(c, g.type, 0, g.k, g.k, g.n));
        need.tier("column by column");
    }

    /** Whether one launch has all products sooner than several launches that share them out. Measured on an H200. */
    private static boolean atOnce(Call c) {
        Launch g = c.args;
        return c.traits.reach().waves() && g.n <= LONG && g.k * g.k * g.n <= ALONE;
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        Shape shape = Shape.of(g.direct, g.storev);
        Block v = shape.read(s, g.a, shape.rows ? g.k : g.n, shape.rows ? g.n : g.k);
        Block t = s.of(g.c, g.k, g.k).triangle(shape.backward ? Uplo.LOWER : Uplo.UPPER, Diag.NON_UNIT);
        boolean products = c.tier() == 0 && !atOnce(c);
        if (products) {
            Packing.use(c, 1);
            Block below = v.rows(g.k, g.n - g.k);
            s.syrk(true, Scope.ONE, BlockReflector.triangle(s, v, c.slot(0)).h(), Scope.ZERO, t);
            if (below.rows > 0) {
                s.syrk(true, Scope.ONE, below.h(), Scope.ONE, t);
            }
        }
        Launch l = s.kernel(Kernel.LARFT);
        l.m = g.n;
        l.n = g.k;
        l.opB = v.op;
        l.backward = shape.backward;
        if (!products) {
            v.into(l.a);
        }
        t.into(l.c);
        l.d.set(g.d);
        s.launch();
    }
}
