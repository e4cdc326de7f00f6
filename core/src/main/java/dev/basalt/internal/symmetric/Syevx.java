package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.HeevxSignature;
import dev.basalt.internal.signature.SyevxSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Eorder;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/** Some eigenvalues and eigenvectors of a symmetric or Hermitian matrix: tridiagonal form, bisection, inverse iteration, and Q times its vectors. */
public final class Syevx extends Routine {
    /** Real elements. */
    public static final Syevx SYEVX = new Syevx(new SyevxSignature());

    /** Complex elements. */
    public static final Syevx HEEVX = new Syevx(new HeevxSignature());

    /** Slots behind the columns of a panel. */
    private static final int TAU = 1;

    private static final int NORM = 2;
    private static final int REALS = 3;
    private static final int INTEGERS = 4;

    private static final int Z = 5;
    private static final int IFAIL = 6;

    private Syevx(Signature signature) {
        super(signature);
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
        need(c, need, 0);
        need.together();
    }

    /** The tiers, with so many bytes more behind the integers and what lies beside. */
    static void need(Call c, Need need, long further, Syev.Beside beside) {
        need(c, need, further);
        Syev.lay(c, need, beside);
        need.together();
    }

    private static void need(Call c, Need need, long further) {
        Launch g = c.args;
        long n = g.n;
        Syev.needReflectors(c, need, true);
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            need.tier(Reflectors.TIERS.get(t));
            if (t < 2) {
                need.slot("packing", Tridiagonal.packing(c, t, n));
            }
            long numbers = g.type.bytes() + 2L * g.type.real().bytes();
            need.slot("columns", Tridiagonal.panelBytes(c, t, n))
                    .slot("tau", Chunks.times(n, numbers, g.count))
                    .slot("norm", Range.bytes(c))
                    .slot("reals", Bisection.realBytes(c))
                    .slot("integers", Math.addExact(Bisection.integerBytes(c), further));
        }
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        solve(c);
    }

    /** The slot of integers. */
    static long integers(Call c) {
        return c.slot(Syev.own(c, true) + INTEGERS);
    }

    /** Operand a of the call := eigenvalues, b := how many, f := eigenvectors, g := columns that did not converge; c is overwritten. */
    static void solve(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        long n = g.n;
        Reflectors.begin(c);
        int own = Syev.own(c, true);
        long at = c.slot(own + TAU);
        long diagonals = at + Chunks.times(n, g.type.bytes(), g.count);
        Operand tau = s.part().vector(g.type, at, n, 1, n);
        Operand d = s.part().vector(g.type.real(), diagonals, n, 1, n);
        Operand e =
                s.part().vector(g.type.real(), diagonals + Chunks.times(n, g.type.real().bytes(), g.count), n, 1, n);
        Block a = s.of(g.c, n, n);
        Operand norm = Range.enter(c, a, c.slot(own + NORM));
        Tridiagonal.reduce(c, g.c, d, e, tau, c.tier(), c.slot(own));
        // Bounds are those of the matrix as it was given.
        Range.leave(c, norm, d, n);
        Range.leave(c, norm, e, n - 1);
        long reals = c.slot(own + REALS);
        long integers = integers(c);
        Bisection.values(c, d, e, g.a, Eorder.ENTIRE, reals, integers);
        Bisection.head(c, integers, 0, g.b);
        long most = Erange.most(g.erange, n, g.p, g.q);
        if (g.evect == Evect.NONE || most == 0) {
            return;
        }
        Block z = s.of(g.f, n, most);
        s.scale(Scope.ZERO, z);
        Bisection.vectors(c, d, e, null, z, reals, integers);
        Bisection.list(c, integers, 2, n, g.g);
        Ormtr.apply(c, Side.LEFT, Op.NONE, a, tau, z);
    }
}
