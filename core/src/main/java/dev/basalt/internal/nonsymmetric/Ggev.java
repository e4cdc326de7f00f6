package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GgevComplexSignature;
import dev.basalt.internal.signature.GgevSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Evect;

/** Eigenvalues and eigenvectors of a pair of matrices by the QZ algorithm. Both are brought into the range by powers of two, each by its own. */
public final class Ggev extends Routine {
    /** Real elements. */
    public static final Ggev GGEV = new Ggev(new GgevSignature());

    /** Complex elements. */
    public static final Ggev GGEV_COMPLEX = new Ggev(new GgevComplexSignature());

    private static final int VL = 5;
    private static final int VR = 6;
    private static final int BETAS = 7;

    private Ggev(Signature signature) {
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

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        boolean vectors = g.leftEvect != Evect.NONE || g.rightEvect != Evect.NONE;
        need.tier("one launch")
                .slot("norms", Chunks.times(2, Range.bytes(c)))
                .slot("places", Isolation.bytes(c))
                .slot("vector", vectors ? Chunks.times(scratch(c), g.type.bytes(), g.count) : 0);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        Block a = s.of(g.c, g.n, g.n);
        Block b = s.of(g.d, g.n, g.n);
        Operand normA = Range.enter(c, a, c.slot(0));
        Operand normB = Range.enter(c, b, c.slot(0) + Range.bytes(c));
        Isolation.permute(c, a, b, c.slot(1));
        schur(c, a, b);
        values(c, a, b);
        if (g.leftEvect != Evect.NONE || g.rightEvect != Evect.NONE) {
            s.guard = g.e;
            Launch v = pair(c, Kernel.TGEVC, a, b);
            v.a.vector(g.type, c.slot(2), scratch(c), 1, scratch(c));
            s.launch();
            s.guard = null;
            Isolation.undo(c, c.slot(1));
        }
        leave(c, normA, normB);
    }

    /** Eigenvalues of the scaled pair become those of the given one. */
    static void leave(Call c, Operand normA, Operand normB) {
        Launch g = c.args;
        Range.leave(c, normA, g.a);
        if (!g.type.isComplex()) {
            Range.leave(c, normA, g.b);
        }
        Range.leave(c, normB, g.operand(BETAS));
    }

    /** Elements for an eigenvector and its product: of a real pair they may be complex, too. */
    private static long scratch(Call c) {
        return Chunks.times(c.args.type.isComplex() ? 2 : 4, c.args.n);
    }

    /** Brings a pair to Schur form; eigenvalues' memory is scratch for that. */
    static void schur(Call c, Block a, Block b) {
        Launch g = c.args;
        Launch l = pair(c, Kernel.QZ, a, b);
        l.a.set(g.a);
        l.b.set(g.type.isComplex() ? g.operand(BETAS) : g.b);
        l.e.set(g.e);
        c.scope.launch();
    }

    /** The eigenvalues of a pair in Schur form. */
    static void values(Call c, Block a, Block b) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.PAIR_VALUES);
        l.n = g.n;
        a.into(l.c);
        b.into(l.d);
        l.a.set(g.a);
        if (!g.type.isComplex()) {
            l.b.set(g.b);
        }
        l.e.set(g.e);
        l.f.set(g.operand(BETAS));
        c.scope.launch();
    }

    /** A launch for a pair and its vectors. */
    static Launch pair(Call c, Kernel kernel, Block a, Block b) {
        Launch g = c.args;
        Launch l = c.scope.kernel(kernel);
        l.leftEvect = g.leftEvect;
        l.rightEvect = g.rightEvect;
        l.n = g.n;
        a.into(l.c);
        b.into(l.d);
        if (g.leftEvect != Evect.NONE) {
            l.f.set(g.f);
        }
        if (g.rightEvect != Evect.NONE) {
            l.g.set(g.g);
        }
        return l;
    }
}
