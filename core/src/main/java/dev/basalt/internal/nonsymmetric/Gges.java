package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GgesComplexSignature;
import dev.basalt.internal.signature.GgesSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Selection;

/** The Schur forms of a pair of matrices, with the eigenvalues of a rule first. */
public final class Gges extends Routine {
    /** Real elements. */
    public static final Gges GGES = new Gges(new GgesSignature());

    /** Complex elements. */
    public static final Gges GGES_COMPLEX = new Gges(new GgesComplexSignature());

    private static final int VSL = 5;
    private static final int VSR = 6;
    private static final int SDIM = 8;

    private Gges(Signature signature) {
        super(signature);
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return switch (operand) {
            case VSL -> c.args.leftEvect != Evect.NONE;
            case VSR -> c.args.rightEvect != Evect.NONE;
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return (operand == VSL || operand == VSR) && !uses(c, operand);
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(SDIM);
            Forms.none(c, c.args.operand(SDIM));
        }
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier("one launch").slot("norms", Chunks.times(2, Range.bytes(c))).slot("places", Isolation.bytes(c));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        Forms.none(c, c.args.operand(SDIM));
        Block a = s.of(g.c, g.n, g.n);
        Block b = s.of(g.d, g.n, g.n);
        Operand normA = Range.enter(c, a, c.slot(0));
        Operand normB = Range.enter(c, b, c.slot(0) + Range.bytes(c));
        Isolation.permute(c, a, b, c.slot(1));
        Ggev.schur(c, a, b);
        if (g.select != Selection.NONE) {
            s.guard = g.e;
            Launch order = Ggev.pair(c, Kernel.TGSEN, a, b);
            order.select = g.select;
            order.a.set(g.operand(SDIM));
            // Both norms, one for all problems behind the other.
            ElementType real = g.type.real();
            order.b.vector(real, c.slot(0), 2, Range.bytes(c) / real.bytes(), 1);
            s.launch();
            s.guard = null;
        }
        Isolation.undo(c, c.slot(1));
        Ggev.values(c, a, b);
        Ggev.leave(c, normA, normB);
        Range.leave(c, normA, a);
        Range.leave(c, normB, b);
    }
}
