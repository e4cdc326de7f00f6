package dev.basalt.internal.product;

import dev.basalt.Status;
import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HemmSignature;
import dev.basalt.internal.signature.SymmSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Scalar;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Side;

/**
 * C := alpha·A·B + beta·C or alpha·B·A + beta·C with a symmetric or Hermitian A. A strip of A is three products: its stored part,
 * the mirrored part read transposed, and the diagonal block, which is written out in full in the workspace, unless the device packs
 * symmetric blocks itself.
 */
public final class Symm extends Routine {
    /** Symmetric. */
    public static final Symm SYMM = new Symm(new SymmSignature(), false);

    /** Hermitian. */
    public static final Symm HEMM = new Symm(new HemmSignature(), true);

    /** Order up to which a device that wants few large products has A written out, of all problems of a batch together. */
    private static final long WHOLE = 4096;

    private final boolean hermitian;

    private Symm(Signature signature, boolean hermitian) {
        super(signature);
        this.hermitian = hermitian;
    }

    public static void complexOnly(Call c, boolean hermitian) {
        if (hermitian && !c.args.type.isComplex()) {
            throw c.failure(Status.INVALID_VALUE, null, 0,
                    "Hermitian routines take complex elements; use the symmetric one");
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        ElementType type = g.type;
        long order = g.side == Side.LEFT ? g.m : g.n;
        if (c.traits.reach().alone(Kernel.SYMM, g)) {
            need.tier("in place");
            return;
        }
        if (c.traits.reach().packs(Kernel.SYMM)) {
            long whole = c.traits.reach().of(Kernel.SYMM, type);
            Packing.need(c, need, g.m, g.n, Math.min(order, whole), Kernel.SYMM, order);
            return;
        }
        if (c.traits.reach().whole(Kernel.EXPAND, type)) {
            need.tier("whole matrix")
                    .slot("diagonal", Chunks.times(wholeElements(c, order, g.count), type.bytes()))
                    .slot("packing", Gemm.bytes(c, type, 0, g.m, g.n, order));
        }
        for (int t = 0; t < 2; t++) {
            long nb = Math.min(order, t == 0 ? Scope.outer(c.traits) : c.traits.block());
            need.tier(t == 0 ? "large blocks" : "small blocks")
                    .slot("diagonal", Scope.squareBytes(type, nb, g.count))
                    .slot("packing", Gemm.bytes(c, type, t, g.m, g.n, nb));
        }
        need.tier("in place");
    }

    /** How many elements of A are written out at a time: all, or as many as {@link #WHOLE} allows. Monotone in both. */
    private static long wholeElements(Call c, long order, long count) {
        long most = Math.max(WHOLE * WHOLE, Chunks.times(Scope.outer(c.traits) * Scope.outer(c.traits), count));
        return Math.min(Chunks.times(Chunks.times(order, order), count), most);
    }

    /** The order of the blocks that are written out in the tier that is in use. */
    private static long blockOrder(Call c, long order) {
        if (c.traits.reach().packs(Kernel.SYMM)) {
            return Math.min(order, c.traits.reach().of(Kernel.SYMM, c.args.type));
        }
        int tier = tier(c);
        if (tier >= 0) {
            return Math.min(order, tier == 0 ? Scope.outer(c.traits) : c.traits.block());
        }
        long fits = (long) Math.sqrt((double) (wholeElements(c, order, c.args.count) / Math.max(1, c.args.count)));
        return fits >= order ? order : Math.max(Scope.outer(c.traits), fits / c.traits.block() * c.traits.block());
    }

    /** 0 large blocks, 1 small blocks, 2 in place; -1 the whole matrix, which only some devices offer. */
    private static int tier(Call c) {
        return c.traits.reach().whole(Kernel.EXPAND, c.args.type) ? c.tier() - 1 : c.tier();
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        Block out = s.of(g.c, g.m, g.n);
        if (g.alpha.is(0)) {
            s.scale(g.beta, out);
            return;
        }
        if (Thin.symmetric(c, hermitian)) {
            Thin.launchSymmetric(s, g, hermitian);
            return;
        }
        boolean left = g.side == Side.LEFT;
        long order = left ? g.m : g.n;
        if (s.reach().alone(Kernel.SYMM, g)) {
            Block all = s.of(g.a, order, order).triangle(g.uplo, Diag.NON_UNIT);
            s.symm(g.side, hermitian, g.alpha, all, s.of(g.b, g.m, g.n), g.beta, out);
            return;
        }
        boolean packs = s.reach().packs(Kernel.SYMM);
        boolean workspace = tier(c) < 2 && !packs;
        long nb = blockOrder(c, order);
        if (packs || workspace) {
            Packing.use(c, packs ? 0 : 1);
        }
        Block a = s.of(g.a, order, order).triangle(g.uplo, Diag.NON_UNIT);
        Block b = s.of(g.b, g.m, g.n);
        for (long j = 0; j < order; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, order - j);
            Scalar beta = j == 0 ? g.beta : Scope.ONE;
            Block x = left ? b.rows(j, jb) : b.cols(j, jb);
            Block y = left ? out.rows(j, jb) : out.cols(j, jb);
            if (workspace) {
                Block full = s.dense(c.slot(0), jb, jb);
                s.expand(hermitian ? Structure.HERMITIAN : Structure.SYMMETRIC, a.diagonal(j, jb), full);
                s.gemm(g.alpha, left ? full : x, left ? x : full, beta, y);
            } else {
                s.symm(g.side, hermitian, g.alpha, a.diagonal(j, jb), x, beta, y);
            }
            rectangle(c, a, j, jb, 0, j, x, beta, out);
            rectangle(c, a, j, jb, j + jb, order - j - jb, x, beta, out);
            s.release(mark);
        }
    }

    /** The part of C in rows (columns) from…from+size-1, which meets an off-diagonal rectangle of the strip. */
    private void rectangle(Call c, Block a, long j, long jb, long from, long size, Block x, Scalar beta, Block out) {
        if (size == 0) {
            return;
        }
        boolean left = c.args.side == Side.LEFT;
        // Left: A(from.., j..) is wanted; right: A(j.., from..).
        if (left) {
            Block part = stored(a, from, j, size, jb);
            c.scope.gemm(c.args.alpha, part, x, beta, out.rows(from, size));
        } else {
            Block part = stored(a, j, from, jb, size);
            c.scope.gemm(c.args.alpha, x, part, beta, out.cols(from, size));
        }
    }

    /** An off-diagonal block of A: as it is stored, or mirrored. */
    private Block stored(Block a, long i, long j, long rows, long cols) {
        boolean lower = i > j;
        return lower == a.lower() ? a.block(i, j, rows, cols) : a.block(j, i, cols, rows).transposed(hermitian);
    }
}
