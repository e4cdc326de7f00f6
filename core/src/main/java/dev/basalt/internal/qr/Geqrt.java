package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GeqrtSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** QR that keeps the triangles T of its blocks, whose width the caller chooses. */
public final class Geqrt extends Routine {
    /** The family. */
    public static final Geqrt ROUTINE = new Geqrt();

    /** The slot of the factors tau, which T has on its diagonals. */
    private static final int TAU = 4;

    private Geqrt() {
        super(new GeqrtSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        Tpqrt.requireBlocks(c, 3);
        long nb = Math.min(g.q, Math.min(g.m, g.n));
        need.part();
        BlockReflector.strips(c, need, g.m, g.n, nb);
        need.part();
        for (int t = 0; t < 3; t++) {
            need.tier("with T")
                    .slot("T", Scope.squareBytes(g.type, nb, g.count))
                    .slot("tau", Pentagon.elements(c, nb, 1));
        }
        need.together();
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        Packing.use(c, BlockReflector.PACKING);
        Block a = s.of(g.c, g.m, g.n);
        Block all = s.of(g.b, g.q, Math.min(g.m, g.n));
        long k = Math.min(g.m, g.n);
        Operand tau = c.k.d.vector(g.type, c.slot(TAU), g.q, 1, g.q);
        for (long i = 0; i < k; i += g.q) {
            int mark = s.mark();
            long ib = Math.min(g.q, k - i);
            Block v = a.block(i, i, g.m - i, ib);
            Block t = BlockReflector.factors(c, ib, false);
            Launch l = s.kernel(Kernel.GEQR2);
            l.m = v.rows;
            l.n = ib;
            v.into(l.c);
            t.into(l.b);
            l.d.set(tau);
            s.launch();
            keep(s, t, all.block(0, i, ib, ib));
            Block x = BlockReflector.triangle(c, v);
            for (long j = i + ib; j < g.n;) {
                int inner = s.mark();
                long lines = Math.min(BlockReflector.strip(c, g.n), g.n - j);
                BlockReflector.apply(c, Side.LEFT, Op.CONJ_TRANS, v, x, t, a.block(i, j, v.rows, lines));
                s.release(inner);
                j += lines;
            }
            s.release(mark);
        }
    }

    /** The upper triangle of c := t. Below it the caller's numbers stay. */
    private static void keep(Scope s, Block t, Block c) {
        Launch l = s.kernel(Kernel.COPY_TRIANGLE);
        l.uplo = Uplo.UPPER;
        l.diag = Diag.NON_UNIT;
        l.n = t.rows;
        t.into(l.a);
        c.into(l.c);
        s.launch();
    }
}
