package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GeesComplexSignature;
import dev.basalt.internal.signature.GeesSignature;
import dev.basalt.internal.signature.GeesxComplexSignature;
import dev.basalt.internal.signature.GeesxSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
import dev.basalt.type.Evect;
import dev.basalt.type.Schur;
import dev.basalt.type.Selection;
import dev.basalt.type.Sense;
import dev.basalt.type.Side;

/** The Schur form of a general matrix, with the eigenvalues of a rule first, and for experts how sensitive these are. */
public final class Gees extends Routine {
    /** Real elements. */
    public static final Gees GEES = new Gees(new GeesSignature());

    /** Complex elements. */
    public static final Gees GEES_COMPLEX = new Gees(new GeesComplexSignature());

    /** Real elements, with condition numbers. */
    public static final Gees GEESX = new Gees(new GeesxSignature());

    /** Complex elements, with condition numbers. */
    public static final Gees GEESX_COMPLEX = new Gees(new GeesxComplexSignature());

    private static final int SDIM = 5;
    private static final int RCONDE = 6;
    private static final int RCONDV = 7;

    private Gees(Signature signature) {
        super(signature);
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return switch (operand) {
            case RCONDE -> Senses.values(c);
            case RCONDV -> Senses.vectors(c);
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return (operand == RCONDE || operand == RCONDV) && !uses(c, operand);
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(SDIM);
            Forms.none(c, c.args.f);
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Forms.need(c, need, c.args.evect != Evect.NONE, false, Senses.spaceBytes(c));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        Forms.none(c, c.args.f);
        Senses.clear(c, RCONDE, RCONDV);
        boolean vectors = g.evect != Evect.NONE;
        Block a = s.of(g.c, g.n, g.n);
        Block z = vectors ? s.of(g.d, g.n, g.n) : null;
        Operand norm = Forms.schur(c, Balance.PERMUTE, Schur.SCHUR, a, z);
        Range.leave(c, norm, g.a);
        if (!g.type.isComplex()) {
            Range.leave(c, norm, g.b);
        }
        boolean ordered = g.select != Selection.NONE;
        if (ordered) {
            s.guard = g.e;
            Launch l = reorder(c, a);
            l.select = g.select;
            if (vectors) {
                z.into(l.d);
            }
            l.f.set(g.f);
            s.launch();
            s.guard = null;
        }
        if (g.sense != Sense.NONE) {
            s.guard = g.e;
            Senses.space(c, a, g.f, RCONDE, RCONDV, c.slot(Forms.work(c, vectors)));
            if (Senses.vectors(c)) {
                Range.leave(c, norm, g.operand(RCONDV), 1);
            }
            s.guard = null;
        }
        if (vectors) {
            Forms.unbalance(c, Balance.PERMUTE, Side.RIGHT, z);
        }
        Range.leave(c, norm, a);
        if (ordered) {
            reorder(c, a).e.set(g.e);
            s.launch();
        }
    }

    /** Eigenvalues change places, or are read again where they do. */
    private static Launch reorder(Call c, Block a) {
        Launch l = c.scope.kernel(Kernel.TRSEN);
        l.n = a.rows;
        a.into(l.c);
        l.a.set(c.args.a);
        if (!c.args.type.isComplex()) {
            l.b.set(c.args.b);
        }
        return l;
    }
}
