package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;

/** Solves A·X = B by Cholesky. Problems that are not positive definite (info > 0) keep their B, as in LAPACK. */
public final class Posv extends Routine {
    /** The family. */
    public static final Posv ROUTINE = new Posv();

    private Posv() {
        super("posv", "nk", "A - B - info");
    }

    @Override
    protected int position(int operand) {
        return operand == 0 ? 4 : operand == 2 ? 6 : 8;
    }

    @Override
    protected boolean writes(int operand) {
        return true;
    }

    @Override
    protected ElementType operandType(int operand, ElementType type) {
        return operand == 4 ? ElementType.I32 : type;
    }

    @Override
    protected void options(Call c) {
        c.option(c.args.uplo, "uplo", 1);
    }

    @Override
    protected void sizes(Call c) {
        Potrs.solveSizes(c, 2, 5, 7);
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
        long n = c.args.n;
        need.part();
        Potrf.need(c, need, n);
        if (c.args.k > 0) {
            need.part();
            Potrs.need(c, need, n, Math.max(n, c.args.k));
        }
        need.together();
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        if (c.tier() < 2) {
            Packing.use(c, 1);
        }
        Launch g = c.args;
        Block a = c.scope.of(g.a, g.n, g.n);
        Potrf.factor(c, a);
        Potrs.solve(c, a, c.scope.of(g.c, g.n, g.k));
    }
}
