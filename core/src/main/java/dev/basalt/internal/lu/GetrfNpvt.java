package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.Getf2NpvtSignature;
import dev.basalt.internal.signature.GetrfNpvtSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * A = L·U without interchanges, for matrices that need none: diagonally dominant or totally positive ones, or Schur complements known to be. Split as Cholesky is: factor the leading block, solve for what is
 * below it and right of it, update the rest. {@code info} of each problem is the 1-based column of the first pivot that is exactly zero; such a problem is
 * left where it stands.
 */
public final class GetrfNpvt extends Routine {
    /** The family. */
    public static final GetrfNpvt GETRF_NPVT = new GetrfNpvt(new GetrfNpvtSignature(), true);

    /** The same without workspace. */
    public static final GetrfNpvt GETF2_NPVT = new GetrfNpvt(new Getf2NpvtSignature(), false);

    /** Up to this many blocks are factored one after the other on devices that work in waves. */
    private static final long COLUMNS = 8;

    private final boolean packs;

    private GetrfNpvt(Signature signature, boolean packs) {
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
            Getrf.products(c, need, c.args.m, c.args.n);
        }
    }

    @Override
    protected void run(Call c) {
        if (packs) {
            Packing.use(c, 0);
        }
        InfoArray.clear(c);
        factor(c, c.scope.of(c.args.c, c.args.m, c.args.n));
    }

    /** Factors a; info is operand e of the call, and problems that failed are skipped from then on. */
    static void factor(Call c, Block a) {
        c.scope.guard = c.args.e;
        factor(c.scope, a, 0);
    }

    /** Factors the block that begins at row and column {@code at} of the whole. */
    static void factor(Scope s, Block a, long at) {
        long min = Math.min(a.rows, a.cols);
        long whole = s.reach(Kernel.GETF2_NPVT);
        boolean last = min <= whole;
        // Where small launches all take about as long, a block column at a time makes the fewest of them.
        boolean column = s.reach().waves() && min <= COLUMNS * whole;
        long first = last ? min : column ? whole : Trsm.half(min, whole);
        int mark = s.mark();
        Block a11 = a.diagonal(0, first);
        Block a21 = a.block(first, 0, a.rows - first, first);
        Block a12 = a.block(0, first, first, a.cols - first);
        if (last) {
            launch(s, a11, at);
        } else {
            factor(s, a11, at);
        }
        Trsm.solve(s, Side.RIGHT, a11.triangle(Uplo.UPPER, Diag.NON_UNIT), a21);
        Trsm.solve(s, Side.LEFT, a11.triangle(Uplo.LOWER, Diag.UNIT), a12);
        if (!last) {
            Block a22 = a.block(first, first, a.rows - first, a.cols - first);
            s.gemm(-1, a21, a12, 1, a22);
            factor(s, a22, at + first);
        }
        s.release(mark);
    }

    private static void launch(Scope s, Block a, long at) {
        Launch l = s.kernel(Kernel.GETF2_NPVT);
        l.n = a.rows;
        l.p = at;
        a.into(l.c);
        s.launch();
    }
}
