package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GeevComplexSignature;
import dev.basalt.internal.signature.GeevSignature;
import dev.basalt.internal.signature.GeevxComplexSignature;
import dev.basalt.internal.signature.GeevxSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Schur;
import dev.basalt.type.Sense;
import dev.basalt.type.Side;

/** Eigenvalues and eigenvectors of a general matrix: balancing, Hessenberg form, Schur form, vectors of that. Where the iteration fails, no vectors are made. Experts choose how it is balanced, and get condition numbers. */
public final class Geev extends Routine {
    /** Real elements. */
    public static final Geev GEEV = new Geev(new GeevSignature(), false);

    /** Complex elements. */
    public static final Geev GEEV_COMPLEX = new Geev(new GeevComplexSignature(), false);

    /** Real elements, with balancing by choice and condition numbers. */
    public static final Geev GEEVX = new Geev(new GeevxSignature(), true);

    /** Complex elements, with balancing by choice and condition numbers. */
    public static final Geev GEEVX_COMPLEX = new Geev(new GeevxComplexSignature(), true);

    private static final int VL = 3;
    private static final int VR = 5;
    private static final int ILO = 6;
    private static final int IHI = 7;
    private static final int SCALE = 8;
    private static final int ABNRM = 9;
    private static final int RCONDE = 10;
    private static final int RCONDV = 11;

    private final boolean expert;

    private Geev(Signature signature, boolean expert) {
        super(signature);
        this.expert = expert;
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return switch (operand) {
            case VL -> c.args.leftEvect != Evect.NONE;
            case VR -> c.args.rightEvect != Evect.NONE;
            case RCONDE -> Senses.values(c);
            case RCONDV -> Senses.vectors(c);
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected boolean optional(Call c, int operand) {
        boolean chosen = operand == VL || operand == VR || operand == RCONDE || operand == RCONDV;
        return chosen && !uses(c, operand);
    }

    private static boolean vectors(Call c) {
        return c.args.leftEvect != Evect.NONE || c.args.rightEvect != Evect.NONE;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        if (expert && c.args.count > 0) {
            c.requireOperand(ILO);
            c.requireOperand(IHI);
            c.requireOperand(ABNRM);
            fill(c, ElementType.I64, ILO, 1);
            fill(c, ElementType.I64, IHI, 0);
            fill(c, c.args.type.real(), ABNRM, 0);
        }
    }

    private static void fill(Call c, ElementType type, int operand, double value) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = type;
        l.n = 1;
        l.alpha.set(value, 0);
        l.c.set(c.args.operand(operand));
        c.scope.launch();
    }

    @Override
    protected void need(Call c, Need need) {
        Forms.need(c, need, vectors(c), vectors(c), Senses.bytes(c));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        boolean vectors = vectors(c);
        boolean left = g.leftEvect != Evect.NONE;
        boolean right = g.rightEvect != Evect.NONE;
        long n = g.n;
        Block a = s.of(g.c, n, n);
        Block z = vectors ? s.of(left ? g.d : g.f, n, n) : null;
        Schur job = vectors || g.sense != Sense.NONE ? Schur.SCHUR : Schur.EIGENVALUES;
        Operand norm = expert
                ? Forms.schur(c, g.balance, job, a, z, g.operand(ILO), g.operand(IHI), g.operand(SCALE),
                        g.operand(ABNRM))
                : Forms.schur(c, Balance.BOTH, job, a, z);
        if (g.sense != Sense.NONE) {
            s.guard = g.e;
            Senses.each(c, a, RCONDE, RCONDV, c.slot(Forms.work(c, vectors)));
            if (Senses.vectors(c)) {
                Range.leave(c, norm, g.operand(RCONDV));
            }
            s.guard = null;
        }
        if (vectors) {
            s.guard = g.e;
            Block vl = left ? z : null;
            Block vr = !right ? null : left ? s.of(g.f, n, n) : z;
            if (left && right) {
                s.copy(z, vr);
            }
            int work = Forms.work(c, true);
            Trevc3.vectors(c, g.leftEvect, g.rightEvect, a, vl, vr, c.slot(work), c.slotBytes(work));
            finish(c, vl, Side.LEFT);
            finish(c, vr, Side.RIGHT);
            s.guard = null;
        }
        Range.leave(c, norm, g.a);
        if (!g.type.isComplex()) {
            Range.leave(c, norm, g.b);
        }
    }

    private void finish(Call c, Block v, Side side) {
        if (v == null) {
            return;
        }
        Launch g = c.args;
        if (expert) {
            Forms.unbalance(c, g.balance, side, v, g.operand(ILO), g.operand(IHI), g.operand(SCALE));
        } else {
            Forms.unbalance(c, Balance.BOTH, side, v);
        }
        Launch l = c.scope.kernel(Kernel.UNIT_COLUMNS);
        l.m = v.rows;
        l.n = v.cols;
        v.into(l.c);
        if (!g.type.isComplex()) {
            l.b.set(g.b);
        }
        c.scope.launch();
    }
}
