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
import java.util.List;

/**
 * Least squares, or the solution of least norm, by QR of the tall one of A and Aᴴ. With F = Q·R that is F·X = B, X = R⁻¹·Qᴴ·B, or Fᴴ·X = B, X = Q·R⁻ᴴ·B. Problems
 * whose triangle has a zero on its diagonal (info > 0) keep their B: what follows the factorisation skips them on the device. Numbers near the ends of the range are scaled, as in LAPACK.
 */
public final class Gels extends Routine {
    /** The family. */
    public static final Gels ROUTINE = new Gels();

    /** The slot of the factors tau in the tiers with blocks; without blocks it is the only one. */
    private static final int TAU = 5;

    /** Right-hand sides that one launch solves for where launches take the time of waves. */
    private static final long SIDES = 16;

    /** Problems that are done one by one where they do not. */
    private static final long FEW = 3;

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

    /**
     * Whether one launch does all: problems of the size of GELS's reach with few right-hand sides. Where a launch does not take the time of waves that is for a few small problems alone, since many go
     * through each step together.
     */
    private static boolean once(Call c) {
        Launch g = c.args;
        long tall = Math.max(g.m, g.n);
        long most = c.traits.reach().of(Kernel.GELS, g.type);
        if (c.traits.reach().waves()) {
            return Math.min(g.m, g.n) <= most && g.k <= SIDES && BlockReflector.whole(c, tall, Math.min(g.m, g.n));
        }
        return g.count <= FEW && tall <= most && g.k <= most;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        if (once(c)) {
            need.tier("one launch").slot("tau", Chunks.times(Math.min(g.m, g.n), g.type.bytes(), g.count));
            return;
        }
        need(c, need, 0);
        need.together();
    }

    /** What tiers are called. */
    public static List<String> tiers() {
        return BlockReflector.TIERS;
    }

    /** The slot of what a caller asks for besides, in the tier that runs. */
    public static int further(Call c) {
        return own(c) + NORMS + 1;
    }

    private static int own(Call c) {
        return c.tier() < 2 ? TAU : 0;
    }

    /** The need of a factorisation and a solution, and of a slot of a caller's that has some bytes. */
    public static void need(Call c, Need need, long further) {
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
            if (further > 0) {
                need.slot("refinement", further);
            }
        }
        need.part();
        Trsm.need(c, need, k, g.k, k);
    }

    @Override
    protected void run(Call c) {
        if (once(c)) {
            small(c);
            return;
        }
        InfoArray.clear(c);
        pack(c);
        solve(c);
    }

    /** Gives products their packing memory. */
    public static void pack(Call c) {
        if (c.tier() < 2) {
            Packing.use(c, BlockReflector.PACKING);
        }
    }

    /** Factors f, which is read tall, in the tier that runs and in the precision of the scope: R is its upper triangle. info tells of a zero on its diagonal. */
    public static Block factor(Call c, Block f) {
        Launch g = c.args;
        Scope s = c.scope;
        long k = f.cols;
        Operand tau = c.k.d.vector(g.type, c.slot(own(c)), k, 1, k);
        Geqrf.factor(c, f, tau, c.tier() < 2);
        Block r = f.rows(0, k).triangle(f.op == Op.NONE ? Uplo.UPPER : Uplo.LOWER, Diag.NON_UNIT);
        Launch l = s.kernel(Kernel.ZERO_DIAGONAL);
        l.n = k;
        r.into(l.c);
        l.e.set(g.e);
        s.launch();
        return r;
    }

    /** No problem's norm of A asks for scales, whatever a guard leaves out. */
    public static void unscaled(Call c) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = c.args.type.real();
        l.guarded = false;
        l.e.clear();
        l.n = 1;
        l.alpha.set(0, 0);
        l.c.vector(l.type, c.slot(own(c) + NORMS), 1, 1, 1);
        c.scope.launch();
    }

    /** Solves for the right-hand sides in operand c with operand a; problems that the scope's guard leaves out keep both. */
    public static void solve(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean large = c.tier() < 2;
        boolean wide = g.m < g.n;
        long k = Math.min(g.m, g.n);
        int own = own(c);
        Operand tau = c.k.d.vector(g.type, c.slot(own), k, 1, k);
        Operand norm = InRange.enter(c, s.of(g.a, g.m, g.n), c.slot(own + NORMS), false);
        Block f = (wide ? Shape.LQ : Shape.QR).read(s, g.a, g.m, g.n);
        Block r = factor(c, f);
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

    private static void small(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean wide = g.m < g.n;
        long k = Math.min(g.m, g.n);
        Launch l = s.kernel(Kernel.GELS);
        l.m = Math.max(g.m, g.n);
        l.n = k;
        l.k = g.k;
        l.opA = (g.opA == Op.NONE) != wide ? Op.NONE : Op.CONJ_TRANS;
        l.opB = wide ? Op.CONJ_TRANS : Op.NONE;
        s.of(g.a, g.m, g.n).into(l.a);
        s.of(g.c, l.m, g.k).into(l.c);
        l.d.vector(g.type, c.slot(0), k, 1, k);
        l.e.set(g.e);
        s.launch();
    }
}
