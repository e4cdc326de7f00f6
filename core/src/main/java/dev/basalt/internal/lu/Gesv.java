package dev.basalt.internal.lu;

import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.cholesky.Potrs;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
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
        Blocks.quickInfo(c);
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return super.uses(c, operand) && (operand != 2 || c.args.k > 0);
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        Packing.need(c, need, n, Math.max(n, c.args.k), n, Kernel.TRSM, n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Blocks.clearInfo(c);
        Getrf.factor(c, c.args.n, c.args.n, c.args.a);
        c.guard = c.args.e;
        if (c.args.k > 0) {
            Getrs.solve(c, Op.NONE, c.args.n, c.args.k, c.args.a, c.args.c, null);
        }
    }
}
