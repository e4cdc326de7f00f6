package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.GesvdxSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Op;
import dev.basalt.type.Svect;

/** Some singular values and vectors, from all of them by divide and conquer. */
public final class Gesvdx extends Routine {
    /** The family. */
    public static final Gesvdx ROUTINE = new Gesvdx();

    private static final int U = 1;
    private static final int VT = 3;

    private Gesvdx() {
        super(new GesvdxSignature());
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return switch (operand) {
            case U -> c.args.leftSvect.stored();
            case VT -> c.args.rightSvect.stored();
            default -> super.uses(c, operand);
        };
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return (operand == U || operand == VT) && !uses(c, operand);
    }

    /** An empty matrix has no values. */
    @Override
    protected void quickRun(Call c) {
        none(c);
    }

    static void none(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(6);
            Launch l = c.scope.kernel(Kernel.FILL);
            l.type = ElementType.I64;
            l.n = 1;
            l.alpha.set(0, 0);
            l.c.set(c.args.g);
            c.scope.launch();
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Factors.need(c, need, true, Math.addExact(left(c), right(c)));
    }

    private static long left(Call c) {
        return vectors(c, c.args.leftSvect, c.args.m);
    }

    private static long right(Call c) {
        return vectors(c, c.args.rightSvect, c.args.n);
    }

    /** Bytes for all vectors of a side. */
    private static long vectors(Call c, Svect which, long elements) {
        Launch g = c.args;
        return which == Svect.NONE
                ? 0
                : Chunks.up(Chunks.times(Chunks.times(elements, Math.min(g.m, g.n)), g.type.bytes(), g.count));
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        long n = Math.min(g.m, g.n);
        Operand u = s.part().set(g.b);
        Operand vt = s.part().set(g.d);
        long work = Factors.further(c);
        g.b.matrix(g.type, work, g.m, n, g.m, g.m * n);
        g.d.matrix(g.type, work + left(c), n, g.n, n, n * g.n);
        Operand allU = s.part().set(g.b);
        Operand allVt = s.part().set(g.d);
        Factors.run(c, g.a, Gesvd.absent(c), true);
        g.b.set(u);
        g.d.set(vt);
        long most = Erange.most(g.erange, n, g.p, g.q);
        boolean lefts = g.leftSvect != Svect.NONE && most > 0;
        boolean rights = g.rightSvect != Svect.NONE && most > 0;
        select(c, n, 0, Op.NONE, lefts ? s.of(allU, g.m, n) : null, lefts ? s.of(u, g.m, most) : null);
        if (rights) {
            select(c, n, 0, Op.TRANS, s.of(allVt, n, g.n), s.of(vt, most, g.n));
        }
        select(c, n, 1, Op.NONE, null, null);
    }

    /** Vectors (step 0) or values (step 1) of the range. */
    static void select(Call c, long n, long step, Op op, Block all, Block into) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.EIGEN_RANGE);
        l.backward = true;
        l.n = n;
        l.m = g.erange.ordinal();
        l.k = step;
        l.p = g.p;
        l.q = g.q;
        l.opB = op;
        l.alpha.set(g.alpha);
        l.beta.set(g.beta);
        l.a.set(g.a);
        l.g.set(g.g);
        if (all != null) {
            all.into(l.b);
            into.into(l.c);
        }
        c.scope.launch();
    }
}
