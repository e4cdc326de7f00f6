package dev.basalt.internal.product;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Scalar;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;

/**
 * A triangle of C becomes products of matrices plus beta·C: gemmt, syrkx, herkx, syr2k, her2k. Rectangles of C are matrix products. A
 * block on the diagonal is one launch where that reaches further than a block, or without workspace; else it is made in full in the
 * workspace, and its triangle is added to C, so that the other triangle is never touched.
 */
abstract class TriangleUpdate extends Routine {
    private final Kernel kernel;
    final boolean hermitian;

    TriangleUpdate(Signature signature, Kernel kernel, boolean hermitian) {
        super(signature);
        this.kernel = kernel;
        this.hermitian = hermitian;
    }

    @Override
    protected final void need(Call c, Need need) {
        long n = c.args.n;
        for (int t = 0; t < 2; t++) {
            long nb = block(c, t);
            long packing = Gemm.packed(c, c.args.type, t, n, nb, c.args.k);
            need.tier(t == 0 ? Syrk.LARGE_BLOCKS : "small blocks")
                    .slot("diagonal", direct(c) ? 0 : Scope.squareBytes(c.args.type, nb, c.args.count))
                    .slot("packing", t == 0 ? Math.max(packing, Packing.block(c, kernel, nb, c.args.k)) : packing);
        }
        need.tier("in place");
    }

    /** Whether launches on the triangle itself reach further than a block. */
    private boolean direct(Call c) {
        return c.traits.reach().of(kernel, c.args.type) > c.traits.block();
    }

    private long block(Call c, int tier) {
        if (direct(c)) {
            return Math.min(c.args.n, c.traits.reach().of(kernel, c.args.type));
        }
        return Math.min(c.args.n, tier == 0 ? Scope.outer(c.traits) : c.traits.block());
    }

    @Override
    protected final void run(Call c) {
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
        Block a = operand(s, g.opA, true, g);
        Block b = operand(s, g.opB, false, g);
        if (whole(s, g, a)) {
            triangle(s, g.alpha, a, b, g.beta, out);
            return;
        }
        long nb = block(c, c.tier());
        boolean lower = out.lower();
        for (long j = 0; j < g.n; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, g.n - j);
            long from = lower ? j + jb : 0;
            long size = lower ? g.n - from : j;
            Block diagonal = out.diagonal(j, jb);
            if (c.tier() < 2 && !direct(c)) {
                Block full = s.dense(c.slot(0), jb, jb);
                rectangle(s, g.alpha, a, j, jb, b, j, jb, Scope.ZERO, full);
                s.addTriangle(hermitian, full, g.beta, diagonal);
            } else {
                triangle(s, g.alpha, some(a, true, j, jb), some(b, false, j, jb), g.beta, diagonal);
            }
            rectangle(s, g.alpha, a, from, size, b, j, jb, g.beta, out.block(from, j, size, jb));
            s.release(mark);
        }
    }

    /** An operand as the kernel takes it. */
    abstract Block operand(Scope s, Op op, boolean first, Launch g);

    /** What meets some rows (of the first operand) or columns (of the second one) of C. */
    abstract Block some(Block operand, boolean first, long from, long size);

    /** Whether it is not cut into blocks: only one launch can do it, or it is updates by rank. */
    boolean whole(Scope s, Launch g, Block a) {
        return false;
    }

    /** One launch for a triangle. */
    abstract void triangle(Scope s, Scalar alpha, Block a, Block b, Scalar beta, Block out);

    /** Rows i… and columns j… of the sum of products, plus beta·C. */
    abstract void rectangle(Scope s, Scalar alpha, Block a, long i, long ib, Block b, long j, long jb, Scalar beta,
            Block out);
}
