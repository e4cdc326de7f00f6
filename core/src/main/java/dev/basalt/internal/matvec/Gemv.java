package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.type.Op;

/**
 * y := alpha·op(A)·x + beta·y. Without transposition every element of y is a sum along a row and many run side by side. Transposed,
 * a tall A has few, long columns: blocks of rows are then summed apart, their partial results lie in the workspace and are added
 * in order. Without workspace each column is summed by one worker.
 */
public final class Gemv extends Routine {
    /** The family. */
    public static final Gemv ROUTINE = new Gemv();

    /** The best tier of a transposed A. */
    public static final String ROW_BLOCKS = "row blocks";

    private static final int A = 0;
    private static final int X = 1;

    private Gemv() {
        super("gemv", "mn", "A x y - -");
    }

    @Override
    protected int position(int operand) {
        return operand == A ? 5 : operand == X ? 7 : 10;
    }

    @Override
    protected void options(Call c) {
        c.option(c.args.opA, "trans", 1);
    }

    @Override
    protected void sizes(Call c) {
        long m = c.args.m;
        c.size(m >= 0, "m", 2, "m >= 0", m);
        c.size(c.args.n >= 0, "n", 3, "n >= 0", c.args.n);
        c.size(c.args.a.ld >= Math.max(1, m), "lda", 6, "lda >= max(1, m)", c.args.a.ld);
        c.size(c.args.b.ld != 0, "incx", 8, "incx != 0", 0);
        c.size(c.args.c.ld != 0, "incy", 11, "incy != 0", 0);
    }

    @Override
    protected boolean quick(Call c) {
        return c.args.m == 0 || c.args.n == 0;
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return super.uses(c, operand) && !nothingToDo(c) && (operand > X || !c.args.alpha.is(0));
    }

    @Override
    protected boolean nothingToDo(Call c) {
        return c.args.alpha.is(0) && c.args.beta.is(1);
    }

    @Override
    protected void need(Call c, Need need) {
        if (c.args.opA == Op.NONE) {
            return;
        }
        long m = c.args.m;
        int block = c.traits.gemvBlock();
        long partials = 0;
        // One block and a bit is not worth a second pass.
        if (m >= 2L * block) {
            long column = Chunks.times(c.args.type.bytes(), Chunks.ceilDiv(m, block));
            partials = Chunks.times(column, c.args.n, c.args.count);
        }
        need.tier(ROW_BLOCKS).slot("partials", partials);
        need.tier("columns").slot("partials", 0);
    }

    @Override
    protected void run(Call c) {
        c.launchArgs(Kernel.GEMV, c.slot(0), c.slotBytes(0));
    }
}
