package dev.basalt.internal.qr;

import dev.basalt.Status;
import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TpqrtSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** QR of a triangle on top of a matrix: the step of a tall QR whose parts are factored apart (Demmel and others, 2012). Keeps the triangles T of its blocks. */
public final class Tpqrt extends Routine {
    /** The family. */
    public static final Tpqrt ROUTINE = new Tpqrt();

    private Tpqrt() {
        super(new TpqrtSignature());
    }

    /** Refuses blocks without columns. */
    static void requireBlocks(Call c, int position) {
        if (c.args.q == 0) {
            throw c.failure(Status.INVALID_SIZE, "nb", position, "nb >= 1 is required, but it is 0");
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        requireBlocks(c, 4);
        Pentagon.need(c, need, g.m, g.n, Math.min(g.n, g.q), Math.min(g.p, g.q));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        Packing.use(c, Pentagon.PACKING);
        Block a = s.of(g.a, g.n, g.n);
        Block b = s.of(g.c, g.m, g.n);
        Block all = s.of(g.b, g.q, g.n);
        Operand tau = c.k.d.vector(g.type, c.slot(Pentagon.TAU), g.q, 1, g.q);
        for (long i = 0; i < g.n; i += g.q) {
            int mark = s.mark();
            long ib = Math.min(g.q, g.n - i);
            Block v = reached(b, g.p, i, ib);
            long trapezoid = trapezoid(g.m, g.p, i, v.rows);
            Launch l = s.kernel(Kernel.TPQRT2);
            l.m = v.rows;
            l.n = ib;
            l.p = trapezoid;
            v.into(l.b);
            a.diagonal(i, ib).into(l.c);
            l.d.set(tau);
            s.launch();
            Block x = Pentagon.trapezoid(c, v, trapezoid);
            Block main = v.rows(0, v.rows - trapezoid);
            Block t = all.block(0, i, ib, ib).triangle(Uplo.UPPER, Diag.NON_UNIT);
            Pentagon.form(s, main, x, tau, t);
            for (long j = i + ib; j < g.n;) {
                int inner = s.mark();
                long lines = Math.min(Pentagon.strip(c), g.n - j);
                Pentagon.apply(c, Side.LEFT, Op.CONJ_TRANS, main, x, t, a.block(i, j, ib, lines),
                        b.block(0, j, v.rows, lines));
                s.release(inner);
                j += lines;
            }
            s.release(mark);
        }
    }

    /** Columns i…i+ib-1 of v, which ends in a trapezoid of l rows, as far down as they reach. */
    static Block reached(Block v, long l, long i, long ib) {
        return v.block(0, i, Math.min(v.rows - l + i + ib, v.rows), ib);
    }

    /** Rows of the trapezoid that columns from i on end in, of which so many rows are reached. */
    static long trapezoid(long m, long l, long i, long reached) {
        return i >= l ? 0 : reached - m + l - i;
    }
}
