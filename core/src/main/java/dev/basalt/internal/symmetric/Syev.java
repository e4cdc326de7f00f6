package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.HeevSignature;
import dev.basalt.internal.signature.HeevdSignature;
import dev.basalt.internal.signature.SyevSignature;
import dev.basalt.internal.signature.SyevdSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * Eigenvalues and eigenvectors of a symmetric or Hermitian matrix: tridiagonal form, then QR iteration on Q, or divide and conquer and Q times its vectors. In the last tier, without room for blocks of reflectors, both iterate.
 */
public final class Syev extends Routine {
    /** Real elements, QR iteration. */
    public static final Syev SYEV = new Syev(new SyevSignature(), false);

    /** Complex elements, QR iteration. */
    public static final Syev HEEV = new Syev(new HeevSignature(), false);

    /** Real elements, divide and conquer. */
    public static final Syev SYEVD = new Syev(new SyevdSignature(), true);

    /** Complex elements, divide and conquer. */
    public static final Syev HEEVD = new Syev(new HeevdSignature(), true);

    /** Slots of reflectors, and those behind the first own one. */
    private static final int REFLECTORS = 5;

    private static final int TAU = 1;
    private static final int NORM = 2;
    private static final int WORK = 3;
    private static final int VECTORS = 4;

    private final boolean divides;

    private Syev(Signature signature, boolean divides) {
        super(signature);
        this.divides = divides;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need(c, need, divides);
        need.together();
    }

    /** Bytes for the factors of the reflectors. */
    private static long factors(Call c) {
        return Chunks.times(c.args.n, c.args.type.bytes(), c.args.count);
    }

    static void need(Call c, Need need, boolean divides) {
        Launch g = c.args;
        long n = g.n;
        boolean vectors = g.evect != Evect.NONE;
        need.part();
        if (!vectors) {
            for (int t = 0; t < Reflectors.TIERS.size(); t++) {
                need.tier(t == 0 ? "panels" : t == 1 ? "narrow panels" : "no blocks")
                        .slot("packing", Tridiagonal.packing(c, t, n));
            }
        } else if (divides) {
            Reflectors.needApply(c, need, Math.max(0, n - 1), n, Math.max(0, n - 1));
        } else {
            Orgtr.need(c, need, n);
        }
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            boolean merges = divides && vectors && t < 2;
            need.tier(Reflectors.TIERS.get(t));
            if (t < 2) {
                long packing = Tridiagonal.packing(c, t, n);
                need.slot("packing", merges ? Math.max(packing, DivideAndConquer.packing(c, t, n)) : packing);
            }
            need.slot("columns", Tridiagonal.panelBytes(c, t, n));
            need.slot("tau", factors(c));
            need.slot("norm", Range.bytes(c));
            if (merges) {
                need.slot("work", DivideAndConquer.bytes(c, n));
                need.slot("vectors", g.type.isComplex() ? Scope.squareBytes(g.type, n, g.count) : 0);
            } else if (vectors) {
                need.slot("rotations", Steqr.bytes(c, n));
                if (divides) {
                    need.slot("strip", Chunks.times(n, g.type.bytes(), g.count));
                }
            }
        }
    }

    /** The first slot behind those of reflectors: columns of a panel. */
    static int own(Call c, boolean divides) {
        boolean vectors = c.args.evect != Evect.NONE;
        return !vectors ? 1 : (c.tier() < 2 ? REFLECTORS : 0) + (divides ? 0 : 1);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        solve(c, divides);
    }

    /** Operands a and b of the call := eigenvalues and scratch, c := eigenvectors. */
    static void solve(Call c, boolean divides) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean vectors = g.evect != Evect.NONE;
        Reflectors.begin(c);
        boolean panels = c.tier() < 2;
        int own = own(c, divides);
        Operand tau = s.part().vector(g.type, c.slot(own + TAU), g.n, 1, g.n);
        Block a = s.of(g.c, g.n, g.n);
        Operand norm = Range.enter(c, a, c.slot(own + NORM));
        Operand off = s.part().slice(g.b, 0, Math.max(1, g.n - 1));
        Tridiagonal.reduce(c, g.c, g.a, off, tau, Tridiagonal.width(c.tier(), g.n), c.slot(own));
        if (!vectors) {
            Steqr.values(c, g.a, off);
        } else if (divides && panels) {
            Operand real = DivideAndConquer.solve(c, g.a, off, c.slot(own + WORK));
            Block z = Stedc.elements(c, real, c.slot(own + VECTORS));
            Ormtr.apply(c, Side.LEFT, Op.NONE, a, tau, z);
            s.copy(z, a);
        } else {
            int strip = divides ? own + VECTORS : own - 1;
            Orgtr.form(c, a, tau, c.slot(strip), c.slotBytes(strip));
            Steqr.vectors(c, g.a, off, a, c.slot(own + WORK));
        }
        Range.leave(c, norm, g.a);
    }
}
