package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.Getf2Signature;
import dev.basalt.internal.signature.GetrfSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Reach;
import dev.basalt.type.Diag;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * A = P·L·U with partial pivoting, LAPACK's pivots. The columns are halved recursively (Toledo, 1997) down to the device's
 * panel width, so that the trailing updates have a large inner dimension. {@code info} of each problem is the 1-based column
 * of the first exactly zero pivot, 0 if none; the factorisation goes on behind it.
 */
public final class Getrf extends Routine {
    /** The family. */
    public static final Getrf ROUTINE = new Getrf(new GetrfSignature(), true);

    /** The same without workspace. */
    public static final Getrf GETF2 = new Getrf(new Getf2Signature(), false);

    /** Elements of a matrix with fewer rows than columns that is one panel, where nothing is gained by more launches. */
    private static final long ALONE = 256;

    private final boolean packs;

    private Getrf(Signature signature, boolean packs) {
        super(signature);
        this.packs = packs;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        if (packs) {
            // Beside the square part of a panel there is nothing to be solved or multiplied.
            boolean panel = isPanel(c.traits.reach(), c.args.m, c.args.n);
            need(c, need, c.args.m, panel ? c.args.m : c.args.n);
        }
    }

    /** The need of an m×n factorisation: that of its solves and updates. */
    public static void need(Call c, Need need, long m, long n) {
        long min = Math.min(m, n);
        need.part();
        Trsm.need(c, need, min, n, min);
        need.part();
        Packing.need(c, need, m, n, min);
        need.together();
    }

    /** Whether a matrix with fewer rows than columns is one panel. */
    private static boolean isPanel(Reach reach, long rows, long cols) {
        return !reach.waves() && rows < cols && cols <= ALONE / Math.max(1, rows);
    }

    @Override
    protected void run(Call c) {
        if (packs) {
            Packing.use(c, 0);
        }
        InfoArray.clear(c);
        factor(c, c.scope.of(c.args.c, c.args.m, c.args.n));
    }

    /** Factors a; pivots and info are operands d and e of the call. */
    public static void factor(Call c, Block a) {
        long min = Math.min(a.rows, a.cols);
        if (isPanel(c.scope.reach(), a.rows, a.cols)) {
            panel(c, a, 0, a.cols);
            return;
        }
        columns(c, a, 0, min);
        // To a single row there is nothing to be done.
        if (a.cols > min && a.rows > 1) {
            right(c, a, 0, min, a.cols - min);
        }
    }

    /** Factors columns j…j+n-1 from row j down. */
    private static void columns(Call c, Block a, long j, long n) {
        Scope s = c.scope;
        int mark = s.mark();
        long panel = s.reach(Kernel.GETF2);
        if (n <= panel) {
            panel(c, a, j, n);
        } else {
            long first = Trsm.half(n, panel);
            columns(c, a, j, first);
            right(c, a, j, first, n - first);
            columns(c, a, j + first, n - first);
            swap(c, a.cols(j, first), j + first, j + n, false);
        }
        s.release(mark);
    }

    /** One launch that factors columns j…j+n-1 from row j down. */
    private static void panel(Call c, Block a, long j, long n) {
        Scope s = c.scope;
        Launch l = s.kernel(Kernel.GETF2);
        l.m = a.rows - j;
        l.n = n;
        l.p = j;
        a.block(j, j, a.rows - j, n).into(l.c);
        l.d.slice(c.args.d, j, Math.min(a.rows - j, n));
        l.e.set(c.args.e);
        s.launch();
    }

    /** Brings the columns right of a factored panel (columns j…j+jb-1) up to date: interchanges, solve, update. */
    private static void right(Call c, Block a, long j, long jb, long cols) {
        Scope s = c.scope;
        int mark = s.mark();
        long next = j + jb;
        long below = a.rows - next;
        swap(c, a.cols(next, cols), j, next, false);
        Block u = a.block(j, next, jb, cols);
        Trsm.solve(s, Side.LEFT, a.diagonal(j, jb).triangle(Uplo.LOWER, Diag.UNIT), u);
        s.gemm(-1, a.block(next, j, below, jb), u, 1, a.block(next, next, below, cols));
        s.release(mark);
    }

    /** Interchanges rows from…to-1 of a with their pivots. */
    private static void swap(Call c, Block a, long from, long to, boolean backward) {
        if (a.cols > 0) {
            interchanges(c, a, from, to, backward);
            c.scope.launch();
        }
    }

    /** What an exchange of rows launches. */
    static Launch interchanges(Call c, Block a, long from, long to, boolean backward) {
        Launch l = c.scope.kernel(Kernel.LASWP);
        l.m = a.rows;
        l.n = a.cols;
        l.p = from;
        l.q = to;
        l.backward = backward;
        a.into(l.c);
        l.d.set(c.args.d);
        return l;
    }
}
