package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.cholesky.Potrs;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/**
 * Solves A·X = B by LU. Problems whose U is exactly singular (info > 0) keep their B, as in LAPACK: the solves skip them on the
 * device, without asking the host.
 */
public final class Gesv extends Routine {
    /** The family. */
    public static final Gesv ROUTINE = new Gesv();

    private Gesv() {
        super("gesv", "nk", "A - B ipiv info");
    }

    @Override
    protected int position(int operand) {
        return operand == 0 ? 3 : operand == 2 ? 6 : operand == 3 ? 5 : 8;
    }

    @Override
    protected boolean writes(int operand) {
        return true;
    }

    @Override
    protected ElementType operandType(int operand, ElementType type) {
        return operand == 3 ? ElementType.I64 : operand == 4 ? ElementType.I32 : type;
    }

    @Override
    protected void sizes(Call c) {
        Potrs.solveSizes(c, 1, 4, 7);
    }

    /** Without right-hand sides A is still factored, as LAPACK does. */
    @Override
    protected boolean quick(Call c) {
        return c.args.n == 0;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return super.uses(c, operand) && (operand != 2 || c.args.k > 0);
    }

    @Override
    protected void need(Call c, Need need) {
        need.part();
        Getrf.need(c, need, c.args.n, c.args.n);
        need.part();
        Getrs.need(c, need, c.args.n, c.args.k);
        need.together();
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        InfoArray.clear(c);
        Launch g = c.args;
        Scope s = c.scope;
        Block a = s.of(g.a, g.n, g.n);
        Getrf.factor(c, a);
        s.guard = g.e;
        if (g.k > 0) {
            Getrs.solve(c, Op.NONE, a, s.of(g.c, g.n, g.k), null);
        }
    }
}
