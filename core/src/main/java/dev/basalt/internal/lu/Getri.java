package dev.basalt.internal.lu;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Doubling;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.product.Trtri;
import dev.basalt.internal.signature.GetriNpvtOutofplaceSignature;
import dev.basalt.internal.signature.GetriNpvtSignature;
import dev.basalt.internal.signature.GetriOutofplaceSignature;
import dev.basalt.internal.signature.GetriSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The inverse from the factors of getrf, in place or beside them: U⁻¹, then X·L = U⁻¹, then the columns of X exchanged (method B of Du Croz and Higham, "Stability of methods for
 * matrix inversion", 1992). In place L makes room for X, so some of its columns at a time are copied into the workspace. Problems with a zero on the
 * diagonal of U (info > 0) are left alone.
 */
public final class Getri extends Routine {
    /** In place, with pivots. */
    public static final Getri GETRI = new Getri(new GetriSignature(), true, false);

    /** In place, without pivots. */
    public static final Getri NPVT = new Getri(new GetriNpvtSignature(), false, false);

    /** Beside the factors, with pivots. */
    public static final Getri OUTOFPLACE = new Getri(new GetriOutofplaceSignature(), true, true);

    /** Beside the factors, without pivots. */
    public static final Getri NPVT_OUTOFPLACE = new Getri(new GetriNpvtOutofplaceSignature(), false, true);

    /** Columns of L at a time in the least tier. */
    private static final long FEW = 8;

    private final boolean pivots;
    private final boolean apart;

    private Getri(Signature signature, boolean pivots, boolean apart) {
        super(signature);
        this.pivots = pivots;
        this.apart = apart;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        if (apart) {
            Trsm.need(c, need, c.args.n, c.args.n, c.args.n);
            Doubling.need(c, need, c.args.n);
        } else {
            need(c, need, c.args.n);
        }
    }

    /** The need of an inverse in place, if more than one launch makes it: packing memory, columns of L, and room for the inverse of U. */
    static void need(Call c, Need need, long n) {
        need.part();
        Trsm.need(c, need, n, n, n);
        if (n > c.traits.reach().of(Kernel.GETRI, c.args.type)) {
            need.part();
            for (int t = 0; t < Packing.TIERS.size(); t++) {
                long bytes = Chunks.times(Chunks.times(n, columns(c, t, n)), c.args.type.bytes(), c.args.count);
                need.tier(Packing.TIERS.get(t)).slot("L", bytes);
            }
        }
        need.together();
        Doubling.need(c, need, n);
    }

    /** Columns of L at a time. */
    private static long columns(Call c, int tier, long n) {
        return Math.min(n, tier == 0 ? Scope.outer(c.traits) : tier == 1 ? c.traits.block() : FEW);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Launch g = c.args;
        Scope s = c.scope;
        Operand d = pivots ? g.d : null;
        Block factors = s.of(apart ? g.a : g.c, g.n, g.n);
        Trtri.singular(s, factors, g.e);
        s.guard = g.e;
        if (apart) {
            apart(c, factors, d, s.of(g.c, g.n, g.n));
        } else {
            invert(c, factors, d, 1);
        }
    }

    /** The factors a := the inverse; columns of L go into a slot, and what the inverse of U wants into the next. */
    static void invert(Call c, Block a, Operand d, int slot) {
        Scope s = c.scope;
        long n = a.rows;
        if (n <= s.reach(Kernel.GETRI)) {
            small(s, a, d);
            return;
        }
        Trtri.invert(c, a.triangle(Uplo.UPPER, Diag.NON_UNIT), slot + 1);
        long nb = columns(c, c.tier(), n);
        for (long j = (Chunks.ceilDiv(n, nb) - 1) * nb; j >= 0; j -= nb) {
            int mark = s.mark();
            long jb = Math.min(nb, n - j);
            long next = j + jb;
            Block l = s.dense(c.slot(slot), n - j, jb);
            Block x = a.cols(j, jb);
            s.copy(x.rows(j, n - j), l);
            s.expand(Structure.TRIANGULAR, l.diagonal(0, jb).triangle(Uplo.UPPER, Diag.NON_UNIT), a.diagonal(j, jb));
            s.scale(Scope.ZERO, x.rows(next, n - next));
            if (next < n) {
                s.gemm(-1, a.cols(next, n - next), l.rows(jb, n - next), 1, x);
            }
            Trsm.solve(s, Side.RIGHT, l.diagonal(0, jb).triangle(Uplo.LOWER, Diag.UNIT), x);
            s.release(mark);
        }
        exchange(s, a, d);
    }

    /** x := the inverse from the factors a, which stay. */
    private static void apart(Call c, Block a, Operand d, Block x) {
        Scope s = c.scope;
        if (a.rows <= s.reach(Kernel.GETRI)) {
            s.copy(a, x);
            small(s, x, d);
            return;
        }
        s.expand(Structure.TRIANGULAR, a.triangle(Uplo.UPPER, Diag.NON_UNIT), x);
        Trtri.invert(c, x.triangle(Uplo.UPPER, Diag.NON_UNIT), 1);
        Trsm.solve(s, Side.RIGHT, a.triangle(Uplo.LOWER, Diag.UNIT), x);
        exchange(s, x, d);
    }

    private static void small(Scope s, Block a, Operand d) {
        Launch l = s.kernel(Kernel.GETRI);
        l.n = a.rows;
        a.into(l.c);
        if (d != null) {
            l.d.set(d);
        }
        s.launch();
    }

    private static void exchange(Scope s, Block x, Operand d) {
        if (d == null) {
            return;
        }
        Launch l = s.kernel(Kernel.SWAP_COLUMNS);
        l.m = x.rows;
        l.n = x.cols;
        x.into(l.c);
        l.d.set(d);
        s.launch();
    }
}
