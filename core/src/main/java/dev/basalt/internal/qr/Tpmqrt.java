package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TpmqrtSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Q of {@link Tpqrt} applied to two matrices that stand one on the other, or side by side. */
public final class Tpmqrt extends Routine {
    /** The family. */
    public static final Tpmqrt ROUTINE = new Tpmqrt();

    private Tpmqrt() {
        super(new TpmqrtSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        Tpqrt.requireBlocks(c, 7);
        boolean left = g.side == Side.LEFT;
        Pentagon.need(c, need, left ? g.m : g.n, left ? g.n : g.m, Math.min(g.k, g.q), Math.min(g.p, g.q));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        Packing.use(c, Pentagon.PACKING);
        boolean left = g.side == Side.LEFT;
        Op op = g.opA == Op.NONE ? Op.NONE : Op.CONJ_TRANS;
        long order = left ? g.m : g.n;
        long other = left ? g.n : g.m;
        Block v = s.of(g.a, order, g.k);
        Block first = s.of(g.d, left ? g.k : g.m, left ? g.n : g.k);
        Block then = s.of(g.c, g.m, g.n);
        long blocks = (g.k + g.q - 1) / g.q;
        for (long step = 0; step < blocks; step++) {
            int mark = s.mark();
            long i = (left == (op == Op.NONE) ? blocks - 1 - step : step) * g.q;
            long ib = Math.min(g.q, g.k - i);
            Block vi = Tpqrt.reached(v, g.p, i, ib);
            long trapezoid = Tpqrt.trapezoid(order, g.p, i, vi.rows);
            Block x = Pentagon.trapezoid(c, vi, trapezoid);
            Block main = vi.rows(0, vi.rows - trapezoid);
            Block t = s.of(g.b, g.q, g.k).block(0, i, ib, ib).triangle(Uplo.UPPER, Diag.NON_UNIT);
            for (long j = 0; j < other;) {
                int inner = s.mark();
                long lines = Math.min(Pentagon.strip(c), other - j);
                Pentagon.apply(c, g.side, op, main, x, t,
                        left ? first.block(i, j, ib, lines) : first.block(j, i, lines, ib),
                        left ? then.block(0, j, vi.rows, lines) : then.block(j, 0, lines, vi.rows));
                s.release(inner);
                j += lines;
            }
            s.release(mark);
        }
    }
}
