package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
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

    /** Panels of columns that are factored beside products, at least. */
    private static final long BLOCKS = 12;

    /** Panels of what is large, and of a block of it that is factored beside products with the one before. Measured on an H200, as those below. */
    private static final long LARGE = 64;

    private static final long PANELS = 4;

    /** Panels of what has one panel in a block: there products beside it take as long. */
    private static final long MIDDLE = 24;

    /** Panels of a block of what is smaller, where launches cost more than products gain. */
    private static final long FEW = 2;

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
        products(c, need, m, n);
        if (ahead(c, min)) {
            // Products of a block that is factored beside others have an engine's memory of their own.
            need.part().tier(Packing.TIERS.get(0)).slot(Need.PACKING, 2 * Gemm.bytes(c, c.args.type, 0, m, n, min));
            need.together();
        }
    }

    /** What solves and updates want that come one after the other. */
    static void products(Call c, Need need, long m, long n) {
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
        if (ahead(c, min)) {
            blocks(c, a, min);
        } else {
            columns(c, a, 0, min);
        }
        // To a single row there is nothing to be done.
        if (a.cols > min && a.rows > 1) {
            right(c, a, 0, min, min, a.cols - min);
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
            right(c, a, j, first, j + first, n - first);
            columns(c, a, j + first, n - first);
            swap(c, a.cols(j, first), j + first, j + n, false);
        }
        s.release(mark);
    }

    /** Whether blocks of columns are factored beside the products with those before them, where launches run in waves. */
    private static boolean ahead(Call c, long min) {
        return c.traits.reach().waves() && c.args.count == 1
                && min >= BLOCKS * c.traits.reach().of(Kernel.GETF2, c.args.type);
    }

    /** Columns of the first block of so many: products with a longer inner dimension pay where there is more to do beside a block than in it. */
    private static long block(Call c, long columns) {
        long panel = c.traits.reach().of(Kernel.GETF2, c.args.type);
        return (columns >= LARGE * panel ? PANELS : columns >= MIDDLE * panel ? 1 : FEW) * panel;
    }

    /**
     * Block by block: each is brought up to date first and then factored beside the products with what is right of it (look-ahead: Strazdins, "A comparison of lookahead and algorithmic blocking
     * techniques for parallel matrix factorization", 1998). Rows left of a block are interchanged beside the next one.
     */
    private static void blocks(Call c, Block a, long min) {
        Scope s = c.scope;
        long jb = block(c, min);
        columns(c, a, 0, jb);
        for (long j = 0; j < min;) {
            int mark = s.mark();
            long next = Math.min(block(c, min - j - jb), min - j - jb);
            long rest = min - j - jb - next;
            if (next > 0) {
                right(c, a, j, jb, j + jb, next);
                s.aside(true);
                columns(c, a, j + jb, next);
                s.back();
            }
            if (rest > 0) {
                right(c, a, j, jb, j + jb + next, rest);
            }
            swap(c, a.cols(0, j), j, j + jb, false);
            s.join();
            s.release(mark);
            j += jb;
            jb = next;
        }
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

    /** Brings columns from some on right of a factored panel (columns j…j+jb-1) up to date: interchanges, solve, update. */
    private static void right(Call c, Block a, long j, long jb, long from, long cols) {
        Scope s = c.scope;
        int mark = s.mark();
        long next = j + jb;
        long below = a.rows - next;
        swap(c, a.cols(from, cols), j, next, false);
        Block u = a.block(j, from, jb, cols);
        Trsm.solve(s, Side.LEFT, a.diagonal(j, jb).triangle(Uplo.LOWER, Diag.UNIT), u);
        s.gemm(-1, a.block(next, j, below, jb), u, 1, a.block(next, from, below, cols));
        s.release(mark);
    }

    /** Interchanges rows from…to-1 of a with their pivots. */
    private static void swap(Call c, Block a, long from, long to, boolean backward) {
        if (a.cols > 0) {
            interchanges(c, a, from, to, backward).d.slice(c.args.d, 0, to);
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
