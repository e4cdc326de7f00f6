package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Doubling;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.LauumSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * Lᴴ·L or U·Uᴴ in place of the triangle. Halved recursively: the leading half of LᴴL is L₁₁ᴴL₁₁ + L₂₁ᴴL₂₁, the block below it L₂₂ᴴL₂₁, so that all but small
 * triangles is rank-k updates and triangular products. A device that works in waves writes L out beside it where it may: a few products then make LᴴL
 * in the place of the triangle, none of which waits for a small one.
 */
public final class Lauum extends Routine {
    /** The family. */
    public static final Lauum ROUTINE = new Lauum();

    /** The slot of the triangle that is written out. */
    static final int WORK = 2;

    /** Rows that are made at a time of triangles larger than that: the rows above them in the factor are not multiplied. */
    private static final long ROWS = 1024;

    private Lauum() {
        super(new LauumSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        needInPlace(c, need, c.args.n);
        needBeside(c, need);
    }

    /** Adds the triangle that is written out where that is worth it. */
    static void needBeside(Call c, Need need) {
        if (beside(c)) {
            need.part();
            need.tier(Packing.TIERS.get(0)).slot(Doubling.SLOT, Scope.squareBytes(c.args.type, c.args.n, c.args.count));
            need.together();
        }
    }

    private static boolean beside(Call c) {
        return c.traits.reach().waves() && c.args.n > c.traits.reach().of(Kernel.LAUUM, c.args.type);
    }

    /** The need of its updates and products, or none where one launch does all. */
    static void needInPlace(Call c, Need need, long n) {
        need.part();
        for (int t = 0; t < 2; t++) {
            need.tier(Packing.TIERS.get(t)).slot("diagonal", 0).slot("packing", 0);
        }
        need.tier(Packing.TIERS.get(2));
        if (n > c.traits.reach().of(Kernel.LAUUM, c.args.type)) {
            need.part();
            Syrk.need(c, need, n, n);
            need.part();
            Packing.need(c, need, n, n, n, Kernel.TRMM, n);
        }
        need.together();
    }

    @Override
    protected void run(Call c) {
        if (c.tier() < 2) {
            Packing.use(c, 1);
        }
        form(c, c.scope.of(c.args.c, c.args.n, c.args.n));
    }

    /** The triangle of a := LᴴL or UUᴴ. */
    static void form(Call c, Block a) {
        Block stored = a.triangle(c.args.uplo, Diag.NON_UNIT);
        // UUᴴ is LᴴL of the lower triangle L = Uᴴ.
        if (c.tier() == 0 && beside(c)) {
            Block written = c.scope.dense(c.slot(WORK), a.rows, a.rows);
            c.scope.expand(Structure.TRIANGULAR, stored, written);
            products(c, stored.lower() ? written : written.h(), stored.lower() ? stored : stored.h());
        } else {
            formInPlace(c, stored);
        }
    }

    /** The same without a triangle beside it; a is stored as the call's. */
    static void formInPlace(Call c, Block a) {
        halves(c, a.lower() ? a : a.h());
    }

    /** The triangle of a := lᴴ·l with the lower triangle l, which is zero above its diagonal. */
    private static void products(Call c, Block l, Block a) {
        Scope s = c.scope;
        long n = a.rows;
        for (long i = 0; i < n; i += ROWS) {
            int mark = s.mark();
            long ib = Math.min(ROWS, n - i);
            Block now = l.block(i, i, n - i, ib);
            Block before = l.block(i, 0, n - i, i);
            Syrk.update(c, true, c.slot(0), Scope.ONE, now.h(), Scope.ZERO, a.diagonal(i, ib));
            Block left = a.block(i, 0, ib, i);
            if (a.op == Op.NONE) {
                s.gemm(Scope.ONE, now.h(), before, Scope.ZERO, left);
            } else {
                s.gemm(Scope.ONE, before.h(), now, Scope.ZERO, left.h());
            }
            s.release(mark);
        }
    }

    private static void halves(Call c, Block a) {
        Scope s = c.scope;
        long whole = s.reach(Kernel.LAUUM);
        if (a.rows <= whole) {
            Launch l = s.kernel(Kernel.LAUUM);
            l.uplo = a.uplo;
            l.n = a.rows;
            a.into(l.c);
            s.launch();
            return;
        }
        int mark = s.mark();
        long first = Trsm.half(a.rows, whole);
        long second = a.rows - first;
        Block a11 = a.diagonal(0, first);
        Block a21 = a.block(first, 0, second, first);
        Block a22 = a.diagonal(first, second);
        halves(c, a11);
        Syrk.update(c, true, c.slot(0), Scope.ONE, a21.h(), Scope.ONE, a11);
        multiply(s, a22, a21);
        halves(c, a22);
        s.release(mark);
    }

    /** b := aᴴ·b with the lower triangle a, block row by block row from the first on: each needs those behind it. */
    private static void multiply(Scope s, Block a, Block b) {
        long nb = s.reach(Kernel.TRMM);
        long blocks = Chunks.ceilDiv(a.rows, nb);
        for (long block = 0; block < blocks; block++) {
            int mark = s.mark();
            long i = block * nb;
            long ib = Math.min(nb, a.rows - i);
            long from = i + ib;
            long behind = a.rows - from;
            Block x = b.rows(i, ib);
            if (b.op == Op.NONE) {
                s.triangle(Kernel.TRMM, Side.LEFT, Scope.ONE, a.diagonal(i, ib).h(), x);
                if (behind > 0) {
                    s.gemm(Scope.ONE, a.block(from, i, behind, ib).h(), b.rows(from, behind), Scope.ONE, x);
                }
            } else {
                s.triangle(Kernel.TRMM, Side.RIGHT, Scope.ONE, a.diagonal(i, ib), x.h());
                if (behind > 0) {
                    s.gemm(Scope.ONE, b.rows(from, behind).h(), a.block(from, i, behind, ib), Scope.ONE, x.h());
                }
            }
            s.release(mark);
        }
    }
}
