package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.GeevComplexSignature;
import dev.basalt.internal.signature.GeevSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Schur;
import dev.basalt.type.Side;

/** Eigenvalues and eigenvectors of a general matrix: balancing, Hessenberg form, Schur form, vectors of that. Where the iteration fails, no vectors are made. */
public final class Geev extends Routine {
    /** Real elements. */
    public static final Geev GEEV = new Geev(new GeevSignature());

    /** Complex elements. */
    public static final Geev GEEV_COMPLEX = new Geev(new GeevComplexSignature());

    private static final int VL = 3;
    private static final int VR = 5;

    /** Slots of reflectors. */
    private static final int REFLECTORS = 5;

    private static final int TAU = 1;
    private static final int SCALE = 2;
    private static final int NORM = 3;

    /** Bytes of ilo and ihi. */
    private static final long BOUNDS = 16;

    private Geev(Signature signature) {
        super(signature);
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return switch (operand) {
            case VL -> c.args.leftEvect != Evect.NONE;
            case VR -> c.args.rightEvect != Evect.NONE;
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return (operand == VL || operand == VR) && !uses(c, operand);
    }

    private static boolean vectors(Call c) {
        return c.args.leftEvect != Evect.NONE || c.args.rightEvect != Evect.NONE;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long n = g.n;
        boolean vectors = vectors(c);
        need.part();
        if (vectors) {
            Reflectors.needForm(c, need, Math.max(0, n - 1), Math.max(0, n - 1), Math.max(0, n - 1));
        } else {
            for (int t = 0; t < 3; t++) {
                need.tier(Reflectors.TIERS.get(t)).slot("packing", packing(c, t, n));
            }
        }
        need.part();
        for (int t = 0; t < 3; t++) {
            need.tier(Reflectors.TIERS.get(t));
            if (t < 2) {
                need.slot("packing", packing(c, t, n));
            }
            long work = Math.max(Hessenberg.bytes(c, t, n), Hseqr.bytes(c, t, n));
            need.slot("work", vectors ? Math.max(work, Trevc3.bytes(c, t, n)) : work);
            need.slot("tau", Chunks.times(n, g.type.bytes(), g.count));
            need.slot("scale", Chunks.times(Math.addExact(Chunks.times(n, g.type.real().bytes()), BOUNDS), g.count));
            need.slot("norm", Range.bytes(c));
        }
        need.together();
    }

    private static long packing(Call c, int t, long n) {
        if (t > 1) {
            return 0;
        }
        long most = Math.max(Hessenberg.packing(c, t, n), Hseqr.packing(c, t, n));
        return vectors(c) ? Math.max(most, Trevc3.packing(c, t, n)) : most;
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        boolean vectors = vectors(c);
        boolean left = g.leftEvect != Evect.NONE;
        Reflectors.begin(c);
        int own = c.tier() < 2 && vectors ? REFLECTORS : 1;
        own = c.tier() >= 2 && vectors ? 0 : own;
        long n = g.n;
        long work = c.slot(own);
        ElementType real = g.type.real();
        Operand tau = s.part().vector(g.type, c.slot(own + TAU), n, 1, n);
        Operand ilo = s.part().vector(ElementType.I64, c.slot(own + SCALE), 1, 1, 1);
        Operand ihi = s.part().vector(ElementType.I64, c.slot(own + SCALE) + BOUNDS / 2 * g.count, 1, 1, 1);
        Operand scale = s.part().vector(real, c.slot(own + SCALE) + BOUNDS * g.count, n, 1, n);
        Block a = s.of(g.c, n, n);
        Operand norm = Range.enter(c, a, c.slot(own + NORM));
        Gebal.balance(s, Balance.BOTH, n, g.c, ilo, ihi, scale);
        Hessenberg.reduce(c, a, s.part().slice(tau, 0, Math.max(1, n - 1)), 0, n, Hessenberg.width(c.tier(), n), work);
        Block z = null;
        if (vectors) {
            z = s.of(left ? g.d : g.f, n, n);
            Orghr.form(c, a, tau, z);
        }
        Hseqr.iterate(c, vectors ? Schur.SCHUR : Schur.EIGENVALUES, a, z, 0, n, work, c.slotBytes(own));
        if (vectors) {
            s.guard = g.e;
            Block vl = left ? z : null;
            Block vr = g.rightEvect == Evect.NONE ? null : left ? s.of(g.f, n, n) : z;
            if (left && vr != null) {
                s.copy(z, vr);
            }
            Trevc3.vectors(c, g.leftEvect, g.rightEvect, a, vl, vr, work, c.slotBytes(own));
            finish(c, vl, Side.LEFT, ilo, ihi, scale);
            finish(c, vr, Side.RIGHT, ilo, ihi, scale);
            s.guard = null;
        }
        Range.leave(c, norm, g.a);
        if (!g.type.isComplex()) {
            Range.leave(c, norm, g.b);
        }
    }

    private static void finish(Call c, Block v, Side side, Operand ilo, Operand ihi, Operand scale) {
        if (v == null) {
            return;
        }
        Gebak.undo(c.scope, Balance.BOTH, side, v, ilo, ihi, scale);
        Launch l = c.scope.kernel(Kernel.UNIT_COLUMNS);
        l.m = v.rows;
        l.n = v.cols;
        v.into(l.c);
        if (!c.args.type.isComplex()) {
            l.b.set(c.args.b);
        }
        c.scope.launch();
    }
}
