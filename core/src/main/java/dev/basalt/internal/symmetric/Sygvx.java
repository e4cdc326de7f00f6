package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.cholesky.Potrf;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.HegvdxSignature;
import dev.basalt.internal.signature.HegvxSignature;
import dev.basalt.internal.signature.SygvdxSignature;
import dev.basalt.internal.signature.SygvxSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Side;

/** Some eigenvalues and eigenvectors of a generalised symmetric eigenproblem: Cholesky of B, the standard problem as syevx or syevdx solves it, and eigenvectors of the problem that was given. */
public final class Sygvx extends Routine {
    /** Real elements, bisection. */
    public static final Sygvx SYGVX = new Sygvx(new SygvxSignature(), true);

    /** Complex elements, bisection. */
    public static final Sygvx HEGVX = new Sygvx(new HegvxSignature(), true);

    /** Real elements, divide and conquer. */
    public static final Sygvx SYGVDX = new Sygvx(new SygvdxSignature(), false);

    /** Complex elements, divide and conquer. */
    public static final Sygvx HEGVDX = new Sygvx(new HegvdxSignature(), false);

    private static final int Z = 5;
    private static final int IFAIL = 6;
    private static final long INFO = 4;

    private final boolean bisects;

    private Sygvx(Signature signature, boolean bisects) {
        super(signature);
        this.bisects = bisects;
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return operand != Z && operand != IFAIL || c.args.evect != Evect.NONE;
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return !uses(c, operand);
    }

    @Override
    protected void quickRun(Call c) {
        Syevdx.none(c);
    }

    @Override
    protected void need(Call c, Need need) {
        if (bisects) {
            Syevx.need(c, need, Chunks.times(INFO, c.args.count), Sygst::lay);
        } else {
            Syev.need(c, need, Syev.Method.DIVIDES_APART, Sygst::lay);
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        Reflectors.begin(c);
        Block a = s.of(g.c, g.n, g.n);
        Block b = s.of(g.d, g.n, g.n);
        Potrf.factorInPlace(c, b, g.e, g.n);
        Sygst.reduce(c, a, b, c.slot(bisects ? Syev.own(c, true) : Syev.own(c)));
        if (bisects) {
            // A vector that does not converge is told in info, and the others go on.
            s.guard = guard(c, Syevx.integers(c) + Bisection.integerBytes(c));
            Syevx.solve(c);
        } else {
            Syev.solve(c, Syev.Method.DIVIDES_APART, g.c);
            Syevdx.select(c);
        }
        long most = Erange.most(g.erange, g.n, g.p, g.q);
        if (g.evect == Evect.NONE || most == 0) {
            return;
        }
        Block l = Sygst.lower(c, b);
        Block z = s.of(g.f, g.n, most);
        if (g.itype == Eform.BAX) {
            Sygst.multiply(s, Side.LEFT, l, z);
        } else {
            Trsm.solve(s, Side.LEFT, l.h(), z);
        }
    }

    /** A copy of info as Cholesky left it. */
    private static Operand guard(Call c, long at) {
        Operand copy = c.scope.part().vector(ElementType.I32, at, 1, 1, 1);
        Launch l = c.scope.kernel(Kernel.COPY);
        l.type = ElementType.I32;
        l.guarded = false;
        l.e.clear();
        l.n = 1;
        l.a.set(c.args.e);
        l.c.set(copy);
        c.scope.launch();
        return copy;
    }
}
