package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TzrzfSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.List;

/**
 * An upper trapezoid to a triangle, (R 0)·Z, from the last block of rows on: the reflectors of its rows, then their product on the rows above. Without
 * workspace row by row in one launch.
 */
public final class Tzrzf extends Routine {
    /** The family. */
    public static final Tzrzf ROUTINE = new Tzrzf();

    /** What it may run, as what applies Z. */
    static final List<String> TIERS = List.of("large blocks", "small blocks", "one by one");

    private Tzrzf() {
        super(new TzrzfSignature());
    }

    /** Reflectors of a block in a tier. */
    static long width(int tier) {
        return tier == 0 ? 32 : 8;
    }

    /** The tiers of k reflectors of l elements beside their ones, applied to so many other lines; copied where they must be conjugated before. */
    static void need(Call c, Need need, long l, long other, long k, boolean copied) {
        for (int t = 0; t < 2; t++) {
            long nb = Math.min(k, width(t));
            need.tier(TIERS.get(t))
                    .slot("packing", Pentagon.packing(c, t, l, other, nb))
                    .slot("T", Scope.squareBytes(c.args.type, nb, c.args.count))
                    .slot("X", copied && c.args.type.isComplex() ? Pentagon.elements(c, nb, l) : 0)
                    .slot("W", Pentagon.elements(c, nb, other));
        }
        need.tier(TIERS.get(2));
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        // As if reflectors reached over all columns, so that no need falls where a side grows.
        need(c, need, g.n, g.m, g.m, false);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        Block a = s.of(g.c, g.m, g.n);
        long behind = g.n - g.m;
        if (c.tier() == 2 || behind == 0) {
            Launch l = rows(s, a.cols(0, g.m), g.d);
            l.m = g.n;
            l.conjugated = true;
            a.into(l.c);
            s.launch();
            return;
        }
        Packing.use(c, Pentagon.PACKING);
        long nb = width(c.tier());
        for (long i = (g.m - 1) / nb * nb; i >= 0; i -= nb) {
            int mark = s.mark();
            long ib = Math.min(nb, g.m - i);
            Block v = a.block(i, g.m, ib, behind);
            Operand tau = c.k.d.slice(g.d, i, ib);
            Launch l = rows(s, a.diagonal(i, ib), tau);
            l.m = behind;
            v.into(l.b);
            s.launch();
            if (i > 0) {
                Block t = triangle(c, ib);
                Pentagon.form(s, v.h(), null, tau, t);
                Pentagon.apply(c, Side.RIGHT, Op.CONJ_TRANS, v.h(), null, t, a.block(0, i, i, ib),
                        a.block(0, g.m, i, behind));
            }
            s.release(mark);
        }
        conjugate(s, a.cols(g.m, behind));
    }

    /** T of a block of reflectors, in the call's slot. */
    static Block triangle(Call c, long k) {
        return c.scope.dense(c.slot(Pentagon.T), k, k).triangle(Uplo.UPPER, Diag.NON_UNIT);
    }

    /** A launch that makes the reflectors of the rows of a triangle, the last one first. */
    private static Launch rows(Scope s, Block triangle, Operand tau) {
        Launch l = s.kernel(Kernel.TPQRT2);
        l.n = triangle.rows;
        l.opB = Op.TRANS;
        l.backward = true;
        triangle.into(l.c);
        l.d.set(tau);
        return l;
    }

    /** c := conj(c). */
    static void conjugate(Scope s, Block c) {
        if (s.type().isComplex()) {
            Launch l = s.kernel(Kernel.CONJUGATE);
            l.m = c.rows;
            l.n = c.cols;
            c.into(l.c);
            s.launch();
        }
    }
}
