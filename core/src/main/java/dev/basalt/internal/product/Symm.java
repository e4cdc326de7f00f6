package dev.basalt.internal.product;

import dev.basalt.Status;
import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HemmSignature;
import dev.basalt.internal.signature.SymmSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

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
            throw c.failure(
                    Status.INVALID_VALUE, null, 0, "Hermitian routines take complex elements; use the symmetric one");
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        ElementType type = g.type;
        long order = g.side == Side.LEFT ? g.m : g.n;
        if (c.traits.reach().packs(Kernel.SYMM)) {
            long whole = c.traits.reach().of(Kernel.SYMM, type);
            Packing.need(c, need, g.m, g.n, Math.min(order, whole), Kernel.SYMM, order);
            return;
        }
        if (c.traits.reach().whole(Kernel.EXPAND, type)) {
            need.tier("whole matrix")
                    .slot("diagonal", Chunks.times(wholeElements(c, order, g.count), type.bytes()))
                    .slot("packing", Gemm.bytes(c.traits, type, 0, g.m, g.n, order));
        }
        for (int t = 0; t < 2; t++) {
            long nb = Math.min(order, t == 0 ? Blocks.outer(c) : c.traits.block());
            need.tier(t == 0 ? "large blocks" : "small blocks")
                    .slot("diagonal", Blocks.squareBytes(type, nb, g.count))
                    .slot("packing", Gemm.bytes(c.traits, type, t, g.m, g.n, nb));
        }
        need.tier("in place");
    }

    /** How many elements of A are written out at a time: all, or as many as {@link #WHOLE} allows. Monotone in both. */
    private static long wholeElements(Call c, long order, long count) {
        long most = Math.max(WHOLE * WHOLE, Chunks.times(Blocks.outer(c) * Blocks.outer(c), count));
        return Math.min(Chunks.times(Chunks.times(order, order), count), most);
    }

    /** The order of the blocks that are written out in the tier that is in use. */
    private static long blockOrder(Call c, long order) {
        if (c.traits.reach().packs(Kernel.SYMM)) {
            return Math.min(order, c.traits.reach().of(Kernel.SYMM, c.args.type));
        }
        int tier = tier(c);
        if (tier >= 0) {
            return Math.min(order, tier == 0 ? Blocks.outer(c) : c.traits.block());
        }
        long fits = (long) Math.sqrt((double) (wholeElements(c, order, c.args.count) / Math.max(1, c.args.count)));
        return fits >= order ? order : Math.max(Blocks.outer(c), fits / c.traits.block() * c.traits.block());
    }

    /** 0 large blocks, 1 small blocks, 2 in place; -1 the whole matrix, which only some devices offer. */
    private static int tier(Call c) {
        return c.traits.reach().whole(Kernel.EXPAND, c.args.type) ? c.tier() - 1 : c.tier();
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (g.alpha.is(0)) {
            Blocks.scale(c, g.beta, g.m, g.n, g.c, 0, 0);
            return;
        }
        boolean left = g.side == Side.LEFT;
        long order = left ? g.m : g.n;
        boolean packs = c.traits.reach().packs(Kernel.SYMM);
        boolean workspace = tier(c) < 2 && !packs;
        long nb = blockOrder(c, order);
        if (packs || workspace) {
            Packing.use(c, packs ? 0 : 1);
        }
        for (long j = 0; j < order; j += nb) {
            long jb = Math.min(nb, order - j);
            Scalar beta = j == 0 ? g.beta : Blocks.ONE;
            diagonal(c, left, j, jb, beta, workspace);
            rectangle(c, left, j, jb, 0, j, beta);
            rectangle(c, left, j, jb, j + jb, order - j - jb, beta);
        }
    }

    /** The part of C that meets the diagonal block of the strip. */
    private void diagonal(Call c, boolean left, long j, long jb, Scalar beta, boolean workspace) {
        Launch g = c.args;
        long m = left ? jb : g.m;
        long n = left ? g.n : jb;
        long i0 = left ? j : 0;
        long j0 = left ? 0 : j;
        if (workspace) {
            Operand full = Blocks.dense(c, c.t0, c.slot(0), jb, jb);
            Blocks.expand(
                    c, g.uplo, Diag.NON_UNIT, hermitian ? Structure.HERMITIAN : Structure.SYMMETRIC, jb, g.a, j, full);
            if (left) {
                Blocks.gemm(c, Op.NONE, Op.NONE, m, n, jb, g.alpha, full, 0, 0, g.b, i0, j0, beta, g.c, i0, j0);
            } else {
                Blocks.gemm(c, Op.NONE, Op.NONE, m, n, jb, g.alpha, g.b, i0, j0, full, 0, 0, beta, g.c, i0, j0);
            }
            return;
        }
        Launch l = c.kernel(Kernel.SYMM);
        l.side = g.side;
        l.uplo = g.uplo;
        l.hermitian = hermitian;
        l.m = m;
        l.n = n;
        l.alpha.set(g.alpha);
        l.beta.set(beta);
        l.a.block(g.a, j, j, jb, jb);
        l.b.block(g.b, i0, j0, m, n);
        l.c.block(g.c, i0, j0, m, n);
        l.work = c.packing;
        l.workBytes = c.packingBytes;
        c.launch();
    }

    /** The part of C in rows (columns) from…from+size-1, which meets an off-diagonal rectangle of the strip. */
    private void rectangle(Call c, boolean left, long j, long jb, long from, long size, Scalar beta) {
        if (size == 0) {
            return;
        }
        Launch g = c.args;
        // Left: A(from.., j..) is wanted; right: A(j.., from..). It is stored as such, or mirrored.
        long row = left ? from : j;
        long col = left ? j : from;
        boolean stored = (g.uplo == Uplo.LOWER) == (row > col);
        Op op = stored ? Op.NONE : hermitian ? Op.CONJ_TRANS : Op.TRANS;
        long ai = stored ? row : col;
        long aj = stored ? col : row;
        if (left) {
            Blocks.gemm(c, op, Op.NONE, size, g.n, jb, g.alpha, g.a, ai, aj, g.b, j, 0, beta, g.c, from, 0);
        } else {
            Blocks.gemm(c, Op.NONE, op, g.m, size, jb, g.alpha, g.b, 0, j, g.a, ai, aj, beta, g.c, 0, from);
        }
    }
}
