package dev.basalt.internal.banded;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.Gbtf2Signature;
import dev.basalt.internal.signature.GbtrfSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.List;

/**
 * LU of a band with partial pivoting, in LAPACK's storage, pivots and factors.
 *
 * <p>A band is a dense matrix whose leading dimension is one less, as far as its blocks lie inside of it. So a block of columns is a panel and a rectangle beside it, for
 * which the products of matrices are what they always are. Two blocks reach out of the band: the panel, whose last rows are an upper triangle, and the last columns
 * that its rows reach, which are a lower one. Both are written out in the workspace, with zeros where the band has nothing, and go back from there.
 *
 * <p>LAPACK leaves multipliers where they are when later pivots move their rows. A panel moves whole rows, so that they fit its solve and products; that is undone on
 * its way back. Du Croz, Mayes and Radicati, "Factorizations of band matrices using level 3 BLAS", 1990.
 */
public final class Gbtrf extends Routine {
    /** In blocks where that pays. */
    public static final Gbtrf GBTRF = new Gbtrf(new GbtrfSignature(), true);

    /** Column by column. */
    public static final Gbtrf GBTF2 = new Gbtrf(new Gbtf2Signature(), false);

    /** The best tier, also of a narrow band, which has no blocks. */
    public static final String BLOCKS = "blocks";

    private static final List<String> TIERS = List.of(BLOCKS, "small blocks", "column by column");

    /** Columns of a block in the first tier, for bands that are wide and for all others. */
    private static final long WIDE = 64;

    private static final long LARGE = 32;

    /** Diagonals below the main one from which on a band is wide. */
    private static final long WIDE_BAND = 160;

    /** Columns of a block in the second tier. */
    private static final long SMALL = 16;

    private static final int PACKING = 0;
    private static final int PANEL = 1;
    private static final int CORNER = 2;

    private final boolean blocked;

    private Gbtrf(Signature signature, boolean blocked) {
        super(signature);
        this.blocked = blocked;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        if (blocked) {
            need(c, need, c.args.c, c.args.m, c.args.n);
        } else {
            need.tier(Need.NO_WORKSPACE);
        }
    }

    /** The need of an m×n factorisation of the call's band: a panel, as many columns again, and the packing of its solves and products. */
    static void need(Call c, Need need, Operand band, long m, long n) {
        Launch g = c.args;
        long kl = Math.min(band.kl, m);
        long kv = Math.min(band.ku, n);
        need.part();
        for (int t = 0; t < 2; t++) {
            long nb = Math.min(Math.min(m, n), width(c, band, t));
            long bytes = Chunks.times(Chunks.times(Math.min(m, rows(band, nb)), nb), g.type.bytes(), g.count);
            need.tier(TIERS.get(t)).slot("packing", 0).slot("panel", bytes).slot("corner", bytes);
        }
        need.tier(TIERS.get(2));
        long nb = Math.min(Math.min(m, n), width(c, band, 0));
        if (nb > 0) {
            need.part();
            Trsm.need(c, need, nb, kv, nb);
            need.part();
            Packing.need(c, need, kl, kv, nb);
        }
        need.together();
    }

    /** Rows of a panel: those of its first column, and one more with each column. */
    private static long rows(Operand band, long nb) {
        return Math.addExact(band.kl, nb);
    }

    /** Columns of a block in a tier: 0 where one launch takes the whole matrix at full speed, and in the last tier. */
    private static long width(Call c, Operand band, int tier) {
        boolean narrow = band.kl <= c.traits.reach().of(Kernel.GBTF2, c.args.type);
        if (narrow || tier == 2) {
            return 0;
        }
        long large = band.kl < WIDE_BAND ? LARGE : WIDE;
        long most = Math.min(tier == 0 ? large : SMALL, c.traits.reach().of(Kernel.GETF2, c.args.type));
        return Math.min(band.kl, most);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        factor(c, g.c, g.m, g.n, blocked);
    }

    /** Factors a band; pivots and info are operands d and e of the call. */
    static void factor(Call c, Operand band, long m, long n, boolean inBlocks) {
        long min = Math.min(m, n);
        long nb = inBlocks ? Math.min(min, width(c, band, c.tier())) : 0;
        if (nb == 0) {
            columns(c, band, m, n);
            return;
        }
        Packing.use(c, PACKING);
        Scope s = c.scope;
        long kl = band.kl;
        Block a = s.of(band, m, n);
        Block inside = s.of(c.k.c.set(band).skewed(), m, n);
        Block entering = s.of(c.k.a.set(band).lowered(kl), m, n);
        long rows = Math.min(m, rows(band, nb));
        Block panel = s.dense(c.slot(PANEL), rows, nb);
        Block corner = s.dense(c.slot(CORNER), rows, nb);
        clearFill(s, inside, kl, band.ku - kl);
        for (long j = 0; j < min; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, min - j);
            rows = Math.min(kl + jb, m - j);
            Block p = panel.block(0, 0, rows, jb);
            copy(s, a.block(j, j, rows, jb), p);
            panel(c, p, j);
            long first = Math.min(n, j + band.ku);
            long end = Math.min(n, first + jb);
            right(c, p, inside.block(j, Math.min(first, j + jb), rows, Math.max(0, first - j - jb)), j);
            if (end > first) {
                Block last = corner.block(0, 0, rows, end - first);
                copy(s, entering.block(j, first, rows, end - first), last);
                right(c, p, last, j);
                copy(s, last, a.block(j, first, rows, end - first));
            }
            unpivot(c, p, a.block(j, j, rows, jb), j);
            s.release(mark);
        }
    }

    /** The whole matrix in one launch. */
    private static void columns(Call c, Operand band, long m, long n) {
        Launch l = c.scope.kernel(Kernel.GBTF2);
        l.m = m;
        l.n = n;
        l.c.set(band);
        l.d.set(c.args.d);
        l.e.set(c.args.e);
        c.scope.launch();
    }

    /** The fill in the columns that the first rows reach := 0; what the others are filled with enters through the corner. */
    private static void clearFill(Scope s, Block a, long kl, long ku) {
        long cols = Math.min(kl - 1, a.cols - ku - 1);
        long rows = Math.min(cols, a.rows);
        if (rows <= 0) {
            return;
        }
        s.scaleTriangle(false, Scope.ZERO, a.block(0, ku + 1, rows, rows).triangle(Uplo.UPPER, Diag.NON_UNIT));
        s.scale(Scope.ZERO, a.block(0, ku + 1 + rows, rows, cols - rows));
    }

    /** One of both is a block of the band. */
    private static void copy(Scope s, Block from, Block to) {
        Launch l = s.kernel(Kernel.COPY_BAND);
        l.m = to.rows;
        l.n = to.cols;
        from.into(l.a);
        to.into(l.c);
        s.launch();
    }

    /** Factors columns j, j + 1… from row j down. */
    private static void panel(Call c, Block p, long j) {
        Launch l = c.scope.kernel(Kernel.GETF2);
        l.m = p.rows;
        l.n = p.cols;
        l.p = j;
        p.into(l.c);
        l.d.slice(c.args.d, j, p.cols);
        l.e.set(c.args.e);
        c.scope.launch();
    }

    /** Brings columns right of a panel up to date: interchanges, solve, update. */
    private static void right(Call c, Block p, Block b, long j) {
        if (b.cols == 0) {
            return;
        }
        Scope s = c.scope;
        long jb = p.cols;
        Launch l = s.kernel(Kernel.LASWP);
        l.m = b.rows;
        l.n = b.cols;
        l.q = jb;
        l.k = j;
        b.into(l.c);
        l.d.slice(c.args.d, j, jb);
        s.launch();
        Block u = b.rows(0, jb);
        Trsm.solve(s, Side.LEFT, p.diagonal(0, jb).triangle(Uplo.LOWER, Diag.UNIT), u);
        s.gemm(-1, p.rows(jb, p.rows - jb), u, 1, b.rows(jb, b.rows - jb));
    }

    private static void unpivot(Call c, Block p, Block band, long j) {
        Launch l = c.scope.kernel(Kernel.UNPIVOT_BAND);
        l.m = p.rows;
        l.n = p.cols;
        l.k = j;
        p.into(l.a);
        band.into(l.c);
        l.d.slice(c.args.d, j, p.cols);
        c.scope.launch();
    }
}
