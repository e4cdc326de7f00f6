package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.Lahr2Signature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;

/** A panel of a reduction to Hessenberg form, as a routine. */
public final class Lahr2 extends Routine {
    /** The family. */
    public static final Lahr2 ROUTINE = new Lahr2();

    private Lahr2() {
        super(new Lahr2Signature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long elements = Math.addExact(Chunks.times(g.n, 2 * g.q), Chunks.times(g.q, g.q + 1));
        need.tier("one panel").slot("panel", Chunks.times(elements, g.type.bytes(), g.count));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        long nb = g.q;
        long top = Math.max(1, g.k);
        long m = g.n - top;
        Block y = s.of(g.g, g.n, nb);
        Block triangle = s.of(g.f, nb, nb);
        s.scale(Scope.ZERO, y);
        s.scale(Scope.ZERO, triangle);
        Hessenberg.clear(c, g.d, 0, nb);
        long done = Math.min(nb, m);
        if (done <= 0) {
            return;
        }
        Block a = s.of(g.c, g.n, g.n - g.k + 1);
        long each = g.type.bytes() * g.count;
        Block v = s.dense(c.slot(0), m, done);
        Block above = s.dense(c.slot(0) + g.n * nb * each, top, done);
        Block t = s.dense(c.slot(0) + 2 * g.n * nb * each, done, done + 1);
        Hessenberg.columns(c, a.block(top, 0, m, m + 1), y.block(top, 0, m, done), v, t, g.d, 0, done);
        s.copy(t.cols(0, done), triangle.block(0, 0, done, done));
        s.gemm(1, a.block(0, 1, top, m), v, 0, above);
        s.gemm(1, above, t.cols(0, done), 0, y.block(0, 0, top, done));
    }
}
