package dev.basalt.internal.product;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HerkSignature;
import dev.basalt.internal.signature.SyrkSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Scalar;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;

/**
 * A triangle of C := alpha·op(A)·op(A)ᵀ + beta·C (herk: ᴴ). Rectangles of C are matrix products; a block on the diagonal is a
 * product into the workspace of which only the triangle is added to C, so that the other triangle is never touched. Without
 * workspace, and on a device that packs triangles itself, diagonal blocks are computed directly.
 */
public final class Syrk extends Routine {
    /** Symmetric. */
    public static final Syrk SYRK = new Syrk(new SyrkSignature(), false);

    /** Hermitian. */
    public static final Syrk HERK = new Syrk(new HerkSignature(), true);

    /** The best tier. */
    public static final String LARGE_BLOCKS = "large blocks";

    private final boolean hermitian;

    private Syrk(Signature signature, boolean hermitian) {
        super(signature);
        this.hermitian = hermitian;
    }

    @Override
    protected void need(Call c, Need need) {
        need(c, need, c.args.n, c.args.k);
    }

    /** The tiers of a rank-k update of order n, also as the last slots of a routine that contains one. */
    public static void need(Call c, Need need, long n, long k) {
        for (int t = 0; t < 2; t++) {
            slots(c, need.tier(t == 0 ? LARGE_BLOCKS : "small blocks"), t, n, k);
        }
        need.tier("in place");
    }

    public static void slots(Call c, Need need, int tier, long n, long k) {
        long nb = block(c, tier, n);
        long packing = Gemm.packed(c, c.args.type, tier, n, nb, k);
        need.slot("diagonal", direct(c) ? 0 : Scope.squareBytes(c.args.type, nb, c.args.count))
                .slot("packing", tier == 0 ? Math.max(packing, Packing.block(c, Kernel.SYRK, nb, k)) : packing);
    }

    /** Whether launches on the triangle itself reach further than a block, so that none is made beside it. */
    public static boolean direct(Call c) {
        return c.traits.reach().of(Kernel.SYRK, c.args.type) > c.traits.block();
    }

    private static long block(Call c, int tier, long n) {
        if (direct(c)) {
            return Math.min(n, c.traits.reach().of(Kernel.SYRK, c.args.type));
        }
        return Math.min(n, tier == 0 ? Scope.outer(c.traits) : c.traits.block());
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        Block out = s.of(g.c, g.n, g.n).triangle(g.uplo, Diag.NON_UNIT);
        if (g.alpha.is(0) || g.k == 0) {
            s.scaleTriangle(hermitian, g.beta, out);
            return;
        }
        if (c.tier() < 2) {
            Packing.use(c, 1);
        }
        boolean plain = g.opA == Op.NONE;
        Block a = s.of(g.a, plain ? g.n : g.k, plain ? g.k : g.n).op(g.opA);
        update(c, hermitian, c.slot(0), g.alpha, a, g.beta, out);
    }

    /**
     * The triangle of a block := alpha·a·aᵀ + beta·itself, or ᴴ; the diagonal workspace is at {@code diagonal}, 0 for none. A triangle that is
     * read transposed is the other one of the same symmetric matrix.
     */
    public static void update(Call c, boolean hermitian, long diagonal, Scalar alpha, Block a, Scalar beta,
            Block triangle) {
        Scope s = c.scope;
        int all = s.mark();
        Block out = triangle.op == Op.NONE ? triangle : triangle.h();
        long n = out.rows;
        long nb = block(c, c.tier(), n);
        boolean lower = out.lower();
        for (long j = 0; j < n; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, n - j);
            Block aj = a.rows(j, jb);
            if (diagonal != 0 && c.tier() < 2 && !direct(c)) {
                Block full = s.dense(diagonal, jb, jb);
                s.gemm(alpha, aj, aj.transposed(hermitian), Scope.ZERO, full);
                s.addTriangle(hermitian, full, beta, out.diagonal(j, jb));
            } else {
                s.syrk(hermitian, alpha, aj, beta, out.diagonal(j, jb));
            }
            // The rectangle below (lower) or above (upper) the diagonal block.
            long from = lower ? j + jb : 0;
            long size = lower ? n - from : j;
            s.gemm(alpha, a.rows(from, size), aj.transposed(hermitian), beta, out.block(from, j, size, jb));
            s.release(mark);
        }
        s.release(all);
    }
}
