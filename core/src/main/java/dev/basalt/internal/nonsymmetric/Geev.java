package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GeevComplexSignature;
import dev.basalt.internal.signature.GeevSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
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
        Forms.need(c, need, vectors(c), vectors(c));
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
        Operand norm = Forms.schur(c, Balance.BOTH, vectors ? Schur.SCHUR : Schur.EIGENVALUES, a, z);
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

    private static void finish(Call c, Block v, Side side) {
        if (v == null) {
            return;
        }
        Forms.unbalance(c, Balance.BOTH, side, v);
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
