package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.GelsSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Least squares, or the solution of least norm, by QR of the tall one of A and Aᴴ. With F = Q·R that is F·X = B, X = R⁻¹·Qᴴ·B, or Fᴴ·X = B, X = Q·R⁻ᴴ·B. Problems
 * whose triangle has a zero on its diagonal (info > 0) keep their B: what follows the factorisation skips them on the device. Numbers near the ends of the range are scaled, as in LAPACK.
 */
public final class Gels extends Routine {
    /** The family. */
    public static final Gels ROUTINE = new Gels();

    /** The slot of the factors tau in the tiers with blocks; without blocks it is the only one. */
    private static final int TAU = 5;

    /** The slot of the norms, behind that. */
    private static final int NORMS = 1;

    private Gels() {
        super(new GelsSignature());
    }

    /** An empty matrix has the solution 0. */
    @Override
    protected void quickRun(Call c) {
        Launch g = c.args;
        InfoArray.quick(c);
        if (g.count > 0 && g.k > 0 && Math.max(g.m, g.n) > 0) {
            c.requireOperand(2);
            c.scope.scale(Scope.ZERO, c.scope.of(g.c, Math.max(g.m, g.n), g.k));
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long tall = Math.max(g.m, g.n);
        long k = Math.min(g.m, g.n);
        need.part();
        // A panel's place is asked for whichever side is longer, so that no need falls where a side grows.
        Geqrf.need(c, need, tall, k, g.n);
        need.part();
        Ormqr.need(c, need, tall, g.k, k);
        need.part();
        for (String tier : BlockReflector.TIERS) {
            need.tier(tier).slot("tau", Chunks.times(k, g.type.bytes(), g.count)).slot("norms", InRange.bytes(c, tall));
        }
        need.part();
        Trsm.need(c, need, k, g.k, k);
        need.together();
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        Scope s = c.scope;
        boolean large = c.tier() < 2;
        if (large) {
            Packing.use(c, BlockReflector.PACKING);
        }
        boolean wide = g.m < g.n;
        long k = Math.min(g.m, g.n);
        int own = large ? TAU : 0;
        Operand tau = c.k.d.vector(g.type, c.slot(own), k, 1, k);
        Operand norm = InRange.enter(c, s.of(g.a, g.m, g.n), c.slot(own + NORMS), false);
        Block f = (wide ? Shape.LQ : Shape.QR).read(s, g.a, g.m, g.n);
        Geqrf.factor(c, f, tau, large);
        Block r = f.rows(0, k).triangle(wide ? Uplo.LOWER : Uplo.UPPER, Diag.NON_UNIT);
        Launch l = s.kernel(Kernel.ZERO_DIAGONAL);
        l.n = k;
        r.into(l.c);
        l.e.set(g.e);
        s.launch();
        s.guard = g.e;
        Block b = s.of(g.c, f.rows, g.k);
        Block first = b.rows(0, k);
        boolean overdetermined = (g.opA == Op.NONE) != wide;
        Operand sides = InRange.enter(c, overdetermined ? b : first, c.slot(own + NORMS), true);
        if (overdetermined) {
            Ormqr.apply(c, Side.LEFT, Op.CONJ_TRANS, f, tau, b, large);
            Trsm.solve(s, Side.LEFT, r, first);
        } else {
            Trsm.solve(s, Side.LEFT, r.h(), first);
            s.scale(Scope.ZERO, b.rows(k, f.rows - k));
            Ormqr.apply(c, Side.LEFT, Op.NONE, f, tau, b, large);
        }
        InRange.leave(c, b, norm, sides, overdetermined ? k : b.rows);
        s.guard = null;
        InRange.restore(c, s.of(g.a, k, k), norm, wide ? Region.LOWER : Region.UPPER, null);
    }
}
