package dev.basalt.internal.product;

import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HerkSignature;
import dev.basalt.internal.signature.SyrkSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

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
        long packing = Gemm.bytes(c.traits, c.args.type, tier, n, nb, k);
        need.slot("diagonal", direct(c) ? 0 : Blocks.squareBytes(c.args.type, nb, c.args.count))
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
        return Math.min(n, tier == 0 ? Blocks.outer(c) : c.traits.block());
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (g.alpha.is(0) || g.k == 0) {
            Launch l = c.kernel(Kernel.SCAL_TRIANGLE);
            l.uplo = g.uplo;
            l.hermitian = hermitian;
            l.n = g.n;
            l.beta.set(g.beta);
            l.c.set(g.c);
            c.launch();
            return;
        }
        if (c.tier() < 2) {
            Packing.use(c, 1);
        }
        update(c, c.tier(), c.slot(0), g.uplo, g.opA, hermitian, g.n, g.k, g.alpha, g.a, 0, 0, g.beta, g.c, 0);
    }

    /** Triangle of C at (ct, ct), order n := alpha·op(A block)·op(A block)ᵀ + beta·C; the diagonal workspace is at {@code diagonal}. */
    public static void update(
            Call c,
            int tier,
            long diagonal,
            Uplo uplo,
            Op op,
            boolean hermitian,
            long n,
            long k,
            Scalar alpha,
            Operand a,
            long ai,
            long aj,
            Scalar beta,
            Operand out,
            long ct) {
        long nb = block(c, tier, n);
        Op other = op != Op.NONE ? Op.NONE : hermitian ? Op.CONJ_TRANS : Op.TRANS;
        boolean lower = uplo == Uplo.LOWER;
        for (long j = 0; j < n; j += nb) {
            long jb = Math.min(nb, n - j);
            long rj = op == Op.NONE ? ai + j : ai;
            long cj = op == Op.NONE ? aj : aj + j;
            if (tier < 2 && !direct(c)) {
                Operand full = Blocks.dense(c, c.t0, diagonal, jb, jb);
                Blocks.gemm(c, op, other, jb, jb, k, alpha, a, rj, cj, a, rj, cj, Blocks.ZERO, full, 0, 0);
                Blocks.addTriangle(c, uplo, hermitian, jb, full, 0, beta, out, ct + j);
            } else {
                direct(c, uplo, op, hermitian, jb, k, alpha, a, rj, cj, beta, out, ct + j);
            }
            // The rectangle below (lower) or above (upper) the diagonal block.
            long from = lower ? j + jb : 0;
            long size = lower ? n - from : j;
            long ri = op == Op.NONE ? ai + from : ai;
            long ci = op == Op.NONE ? aj : aj + from;
            Blocks.gemm(c, op, other, size, jb, k, alpha, a, ri, ci, a, rj, cj, beta, out, ct + from, ct + j);
        }
    }

    private static void direct(
            Call c,
            Uplo uplo,
            Op op,
            boolean hermitian,
            long n,
            long k,
            Scalar alpha,
            Operand a,
            long ai,
            long aj,
            Scalar beta,
            Operand out,
            long ct) {
        Launch l = c.kernel(Kernel.SYRK);
        l.uplo = uplo;
        l.opA = op;
        l.hermitian = hermitian;
        l.n = n;
        l.k = k;
        l.alpha.set(alpha);
        l.beta.set(beta);
        l.a.block(a, ai, aj, op == Op.NONE ? n : k, op == Op.NONE ? k : n);
        l.c.block(out, ct, ct, n, n);
        l.work = c.packing;
        l.workBytes = c.packingBytes;
        c.launch();
    }
}
