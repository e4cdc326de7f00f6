package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.Potf2Signature;
import dev.basalt.internal.signature.PotrfSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Side;

/**
 * Cholesky: A = L·Lᴴ or Uᴴ·U. Halved recursively (Gustavson, 1997) down to the triangles that the device takes at once:
 * factor, solve, rank-k update, factor. {@code info} of each
 * problem is the order of the first leading minor that is not positive definite, 0 if all are; the matrix of such a problem is undefined, since devices are at different stages when they find it.
 */
public final class Potrf extends Routine {
    /** Up to this many block columns are factored one after the other on devices that work in waves. */
    private static final long COLUMNS = 8;

    /** The family. */
    public static final Potrf ROUTINE = new Potrf(new PotrfSignature(), true);

    /** The same without workspace. */
    public static final Potrf POTF2 = new Potrf(new Potf2Signature(), false);

    /**
     * The longest sum of a first update. A product of the host sums up to 256 columns at once; where those are half of all that an element
     * gets, its error is twice what halving promises. Further updates are small beside what they are added to.
     */
    private static final long SUM = 128;

    private final boolean packs;

    private Potrf(Signature signature, boolean packs) {
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
            needReal(c, need, c.args.n);
        }
    }

    /** As {@link #need} for a call that has no slots of its own in the way: the first tier has room for a real form, where that serves. */
    static void needReal(Call c, Need need, long n) {
        if (RealForm.serves(c)) {
            need.part();
            need.tier(RealForm.TIER).slot("diagonal", 0).slot("packing", 0).slot("real form", RealForm.bytes(c, n));
        }
        need(c, need, n);
    }

    /** The need of a factorisation: that of its solves and updates, or none where one launch factors. */
    public static void need(Call c, Need need, long n) {
        need.part();
        for (int t = 0; t < 2; t++) {
            need.tier(Packing.TIERS.get(t)).slot("diagonal", 0).slot("packing", 0);
        }
        need.tier(Packing.TIERS.get(2));
        if (n > c.traits.reach().of(Kernel.POTF2, c.args.type)) {
            need.part();
            Syrk.need(c, need, n, n);
            need.part();
            Trsm.need(c, need, n, n, n);
        }
        need.together();
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        if (packs && c.tier() < 2) {
            Packing.use(c, 1);
        }
        factorOnly(c, c.scope.of(c.args.c, c.args.n, c.args.n), c.args.e, packs ? RealForm.room(c) : 0);
    }

    /** As {@link #factor} where info is 0 at first, so that a problem that fails does so here; {@code real} has room for a real form, or is 0. */
    static void factorOnly(Call c, Block a, Operand info, long real) {
        c.scope.regardless(true);
        factor(c, a, info, real);
        c.scope.regardless(false);
    }

    /** Factors a in place; problems that fail are told in info and skipped from then on. */
    public static void factor(Call c, Block a, Operand info) {
        factor(c, a, info, 0);
    }

    private static void factor(Call c, Block a, Operand info, long real) {
        c.scope.guard = info;
        Block stored = a.triangle(c.args.uplo, Diag.NON_UNIT);
        // An upper triangle is the conjugate transpose of a lower one.
        factor(c, stored.lower() ? stored : stored.h(), 0, c.slot(0), real);
    }

    /**
     * Factors a, in place and without memory beside it. Problems that fail are skipped from then on, and info tells of them as if so
     * many rows stood above a.
     */
    public static void factorInPlace(Call c, Block a, Operand info, long above) {
        c.scope.guard = info;
        Block stored = a.triangle(c.args.uplo, Diag.NON_UNIT);
        factor(c, stored.lower() ? stored : stored.h(), above, 0, 0);
    }

    /** Factors the lower triangle a, which begins at row and column {@code at} of the whole; diagonal blocks of updates are made beside it, if there is memory for that. */
    private static void factor(Call c, Block a, long at, long diagonal, long real) {
        Scope s = c.scope;
        long kernels = s.reach(Kernel.POTF2);
        long whole = real != 0 ? RealForm.most(c) : kernels;
        long n = a.rows;
        if (n > kernels && n <= whole) {
            RealForm.factor(c, a, at, real);
            return;
        }
        if (n <= whole) {
            Launch l = s.kernel(Kernel.POTF2);
            l.uplo = a.uplo;
            l.n = n;
            l.p = at;
            a.into(l.c);
            s.launch();
            return;
        }
        int mark = s.mark();
        // Where small launches all take about as long, a block column at a time makes the fewest of them.
        boolean column = s.reach().waves() && n <= COLUMNS * whole;
        long first = column ? whole : Trsm.half(n, whole);
        long second = n - first;
        Block l11 = a.diagonal(0, first);
        Block l21 = a.block(first, 0, second, first);
        Block a22 = a.diagonal(first, second);
        factor(c, l11, at, diagonal, real);
        Trsm.solve(s, Side.RIGHT, l11.h(), l21);
        // Two updates in place of one: see SUM.
        boolean halves = s.reach().packs(Kernel.SYRK) && first > SUM && first <= 2 * SUM;
        long piece = halves ? (first + 1) / 2 : first;
        for (long k = 0; k < first; k += piece) {
            Block some = l21.cols(k, Math.min(piece, first - k));
            Syrk.update(c, true, diagonal, Scope.MINUS_ONE, some, Scope.ONE, a22);
        }
        factor(c, a22, at + first, diagonal, real);
        s.release(mark);
    }
}
