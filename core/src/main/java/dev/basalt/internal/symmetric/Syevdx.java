package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HeevdxSignature;
import dev.basalt.internal.signature.HeevrSignature;
import dev.basalt.internal.signature.SyevdxSignature;
import dev.basalt.internal.signature.SyevrSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;

/** Some eigenvalues and eigenvectors of a symmetric or Hermitian matrix, from all of them by divide and conquer. */
public final class Syevdx extends Routine {
    /** Real elements. */
    public static final Syevdx SYEVDX = new Syevdx(new SyevdxSignature(), false);

    /** Complex elements. */
    public static final Syevdx HEEVDX = new Syevdx(new HeevdxSignature(), false);

    /** Real elements, with the rows that vectors reach over. */
    public static final Syevdx SYEVR = new Syevdx(new SyevrSignature(), true);

    /** Complex elements, with the rows that vectors reach over. */
    public static final Syevdx HEEVR = new Syevdx(new HeevrSignature(), true);

    private static final int Z = 5;
    private static final int ROWS = 6;

    private final boolean reaches;

    private Syevdx(Signature signature, boolean reaches) {
        super(signature);
        this.reaches = reaches;
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return operand != Z && operand != ROWS || c.args.evect != Evect.NONE;
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return !uses(c, operand);
    }

    /** Of nothing there are no eigenvalues. */
    static void none(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(1);
            fill(c, 0, 1, c.args.b);
        }
    }

    @Override
    protected void quickRun(Call c) {
        none(c);
    }

    @Override
    protected void need(Call c, Need need) {
        TwoStages.need(c, need);
        Syev.need(c, need, Syev.Method.DIVIDES_APART, Syev.NOTHING);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        InfoArray.clear(c);
        Syev.either(c, Syev.Method.DIVIDES_APART, g.c);
        select(c);
        if (!reaches || g.evect == Evect.NONE) {
            return;
        }
        for (int side = 0; side < 2; side++) {
            Operand rows = c.scope.part().slice(g.g, side, 1);
            rows.rows = g.n;
            rows.ld = 2;
            fill(c, side == 0 ? 1 : g.n, g.n, rows);
        }
    }

    private static void fill(Call c, long value, long n, Operand into) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = ElementType.I64;
        l.n = n;
        l.alpha.set(value, 0);
        l.c.set(into);
        c.scope.launch();
    }

    /** Of all eigenvalues (operand a) and vectors (c): a := those that the call asks for, b := how many, f := their vectors. */
    static void select(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        long most = Erange.most(g.erange, g.n, g.p, g.q);
        for (int step = 0; step < 2; step++) {
            Launch l = s.kernel(Kernel.EIGEN_RANGE);
            l.n = g.n;
            l.m = g.erange.ordinal();
            l.k = step;
            l.p = g.p;
            l.q = g.q;
            l.alpha.set(g.alpha);
            l.beta.set(g.beta);
            l.a.set(g.a);
            l.g.set(g.b);
            if (step == 0 && g.evect != Evect.NONE && most > 0) {
                Block all = s.of(g.c, g.n, g.n);
                all.into(l.b);
                s.of(g.f, g.n, most).into(l.c);
            }
            s.launch();
        }
    }
}
