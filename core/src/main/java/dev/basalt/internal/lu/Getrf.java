package dev.basalt.internal.lu;

import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.GetrfSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * A = P·L·U with partial pivoting, LAPACK's pivots. The columns are halved recursively (Toledo, 1997) down to the device's
 * panel width, so that the trailing updates have a large inner dimension. {@code info} of each problem is the 1-based column
 * of the first exactly zero pivot, 0 if none; the factorisation goes on behind it.
 */
public final class Getrf extends Routine {
    /** The family. */
    public static final Getrf ROUTINE = new Getrf();

    private Getrf() {
        super(new GetrfSignature());
    }

    @Override
    protected void quickRun(Call c) {
        Blocks.quickInfo(c);
    }

    @Override
    protected void need(Call c, Need need) {
        long min = Math.min(c.args.m, c.args.n);
        Packing.need(c, need, c.args.m, c.args.n, min, Kernel.TRSM, min);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Blocks.clearInfo(c);
        factor(c, c.args.m, c.args.n, c.args.c);
    }

    /** Factors the m×n matrix; pivots and info are operands d and e of the call. */
    public static void factor(Call c, long m, long n, Operand a) {
        long min = Math.min(m, n);
        columns(c, m, min, a, 0);
        if (n > min) {
            right(c, m, a, 0, min, n - min);
        }
    }

    /** Factors columns j…j+n-1 from row j down. */
    private static void columns(Call c, long m, long n, Operand a, long j) {
        long panel = c.traits.reach().of(Kernel.GETF2, c.args.type);
        if (n <= panel) {
            Launch l = c.kernel(Kernel.GETF2);
            l.m = m - j;
            l.n = n;
            l.p = j;
            l.c.block(a, j, j, m - j, n);
            l.d.slice(c.args.d, j, Math.min(m - j, n));
            l.e.set(c.args.e);
            c.launch();
            return;
        }
        long first = Trsm.half(n, panel);
        columns(c, m, first, a, j);
        right(c, m, a, j, first, n - first);
        columns(c, m, n - first, a, j + first);
        swap(c, first, a, j, j + first, j + n, false);
    }

    /** Brings the columns right of a factored panel (columns j…j+jb-1) up to date: interchanges, solve, update. */
    private static void right(Call c, long m, Operand a, long j, long jb, long cols) {
        long next = j + jb;
        swap(c, cols, a, next, j, next, false);
        Trsm.solve(c, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, jb, cols, a, j, a, j, next);
        Blocks.gemm(
                c,
                Op.NONE,
                Op.NONE,
                m - next,
                cols,
                jb,
                Blocks.MINUS_ONE,
                a,
                next,
                j,
                a,
                j,
                next,
                Blocks.ONE,
                a,
                next,
                next);
    }

    /** Interchanges rows from…to-1 with their pivots in the given columns. */
    public static void swap(Call c, long cols, Operand a, long col, long from, long to, boolean backward) {
        if (cols > 0) {
            interchanges(c, cols, a, col, from, to, backward);
            c.launch();
        }
    }

    /** What {@link #swap} launches. */
    public static Launch interchanges(Call c, long cols, Operand a, long col, long from, long to, boolean backward) {
        Launch l = c.kernel(Kernel.LASWP);
        l.m = a.rows;
        l.n = cols;
        l.p = from;
        l.q = to;
        l.backward = backward;
        l.c.block(a, 0, col, a.rows, cols);
        l.d.set(c.args.d);
        return l;
    }
}
