package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Side;

/**
 * I - V·T·Vᴴ of several blocks of reflectors at once, for a device that works in waves: a product as deep as one block is bound by memory there, and a launch costs as much as the arithmetic of a small one. V
 * is written out as a whole in the workspace, so that each side of it is one product. T is made of those of its blocks: T₁₂ = -T₁·(V₁ᴴ·V₂)·T₂ (Schreiber and Van Loan, "A storage-efficient WY representation",
 * 1989), all products of vectors at once. Where all vectors are there before the first are applied, the triangles of all blocks are made together: as batches.
 */
final class WideReflector {
    /** So many blocks. */
    private static final long BLOCKS = 4;

    /** Blocks of a factorisation, at least. */
    private static final long MANY = 96;

    private WideReflector() {}

    /** Whether so many reflectors are more than a block, on a device where that tells. */
    static boolean takes(Call c, long k) {
        return c.traits.reach().waves() && k > BlockReflector.width(c, 0);
    }

    /** Whether so many reflectors are made and applied to so much that it pays, though their triangles and vectors are to be put together. */
    static boolean pays(Call c, long k) {
        return c.traits.reach().waves() && k >= MANY * BlockReflector.width(c, 0);
    }

    /** Whether the next reflectors are made beside the products with those before them. */
    static boolean ahead(Call c) {
        return c.args.count == 1;
    }

    /** Reflectors that are applied at once. */
    static long width(Call c, long k) {
        return Math.min(k, BLOCKS * BlockReflector.width(c, 0));
    }

    /** The tiers of {@link BlockReflector#need}, the first of them for reflectors that are applied at once; with panels of so many rows that are turned. */
    static void need(Call c, Need need, long m, long other, long k, long turned) {
        need(c, need, m, other, k, width(c, k), turned, ahead(c) ? 2 : 1);
    }

    /** The same for reflectors of which so many are there at once. */
    static void need(Call c, Need need, long m, long other, long k, long there, long turned) {
        need(c, need, m, other, k, there, turned, 1);
    }

    private static void need(Call c, Need need, long m, long other, long k, long there, long turned, long engines) {
        long nb = width(c, k);
        long bytes = c.args.type.bytes();
        need.tier(BlockReflector.TIERS.get(0))
                .slot("packing", Chunks.times(engines, packing(c, m, Math.max(other, nb), nb)))
                .slot("T", triangleBytes(c, there, nb))
                .slot("V", Chunks.times(Chunks.times(nb, m), bytes, c.args.count))
                .slot("W", productBytes(c, there, other, nb))
                .slot("panel", Chunks.times(Chunks.times(BlockReflector.width(c, 0), turned), bytes, c.args.count));
        BlockReflector.small(c, need, m, other, k, turned);
    }

    /** Whether the call's slots have room for k reflectors of m elements and so many lines, as those of {@link #need} do. */
    static boolean fits(Call c, long m, long other, long k) {
        long nb = width(c, k);
        long each = Chunks.times(c.args.type.bytes(), c.args.count);
        return c.tier() == 0 && c.slotBytes(BlockReflector.T) >= triangleBytes(c, k, nb)
                && c.slotBytes(BlockReflector.V) >= Chunks.times(Chunks.times(nb, m), each)
                && c.slotBytes(BlockReflector.W) >= productBytes(c, k, other, nb);
    }

    /** Room for the triangles of all k reflectors, nb at a time: each begins nb rows and columns behind the one before, with nb as leading dimension of all. */
    private static long triangleBytes(Call c, long k, long nb) {
        long blocks = nb == 0 ? 0 : (k + nb - 1) / nb;
        long elements = blocks == 0 ? 0 : Chunks.times(Chunks.times(blocks, nb), nb + 1) - nb;
        return Chunks.times(elements, c.args.type.bytes(), c.args.count);
    }

    /** Room for the products of vectors and what they are applied to, and for those of the triangles of all blocks. */
    private static long productBytes(Call c, long k, long other, long nb) {
        long elements = Math.max(Chunks.times(2 * nb, Math.max(other, nb)), Chunks.times(nb, k) / 4 + 1);
        return Chunks.times(elements, c.args.type.bytes(), c.args.count);
    }

    private static long packing(Call c, long m, long other, long nb) {
        long tall = Gemm.bytes(c, c.args.type, 0, m, other, nb);
        long deep = Gemm.bytes(c, c.args.type, 0, nb, other, m);
        return Math.max(Math.max(tall, deep), Gemm.bytes(c, c.args.type, 0, other, nb, m));
    }

    /**
     * Room for blocks that are made beside products: T, what a block's triangle stands on, and its products with the others that are applied with it. The products beside leave so much of the slot, since they
     * are with fewer lines.
     */
    static long beside(Call c) {
        long width = BlockReflector.width(c, 0);
        long end = c.slot(BlockReflector.W) + c.slotBytes(BlockReflector.W);
        return end - end % Chunks.CHUNK - Chunks.up((BLOCKS + 1) * width * width * c.args.type.bytes());
    }

    /** V written out with its ones and zeros, read as its columns are. */
    static Block vectors(Call c, Block v) {
        Scope s = c.scope;
        long k = v.cols;
        Block full = upright(s, v, c.slot(BlockReflector.V));
        Launch l = s.kernel(Kernel.LASET);
        l.region = v.mirrored() ? Region.LOWER : Region.UPPER;
        l.m = k;
        l.n = k;
        l.alpha.set(0, 0);
        l.beta.set(1, 0);
        full.rows(0, k).into(l.c);
        s.launch();
        return full;
    }

    /** V at an address, with its columns in columns, and what lies above their ones. */
    static Block upright(Scope s, Block v, long address) {
        Block lying = s.dense(address, v.rows, v.cols);
        Block full = v.mirrored() ? lying.mirror() : lying;
        if (v.op == Op.NONE) {
            s.copy(v, full);
        } else {
            Geqrf.turn(s, v, lying);
        }
        return full;
    }

    /** T of vectors that are written out; the factors of which those from {@code first} on are theirs. */
    static Block triangle(Call c, Block v, Operand tau, long all, long first) {
        return form(c, v, BlockReflector.factors(c, v.cols, v.mirrored()), tau, all, first);
    }

    /** The same, by {@link #triangles} if they have it. */
    static Block triangle(Call c, Block triangles, Block v, Operand tau, long all, long first) {
        if (triangles == null) {
            return triangle(c, v, tau, all, first);
        }
        Block t = triangles.diagonal(first, v.cols);
        return v.cols == triangles.cols ? t : form(c, v, t, tau, all, first);
    }

    private static Block form(Call c, Block v, Block t, Operand tau, long all, long first) {
        c.scope.gemm(1, v.h(), v, 0, t);
        Block counted = v.mirrored() ? t.mirror() : t;
        blocks(c.scope, counted, tau, all, first, BlockReflector.width(c, 0));
        merge(c, counted, v.cols, 1);
        return t;
    }

    /**
     * The triangles of all blocks of reflectors whose vectors are the columns of v, made together, for {@link #triangle(Call, Block, Block, Operand, long, long)}. Null where that is no gain, and
     * for vectors that are counted from the end.
     */
    static Block triangles(Call c, Block v, Operand tau) {
        Scope s = c.scope;
        long k = v.cols;
        long nb = width(c, k);
        long full = k / nb;
        if (full < 2 || v.mirrored() || s.count() > 1 || nb % BlockReflector.width(c, 0) != 0) {
            return null;
        }
        Block all = BlockReflector.factors(c, nb, false);
        for (long j = 0; j < full * nb; j += nb) {
            int mark = s.mark();
            Block vj = v.block(j, j, v.rows - j, nb);
            Block x = BlockReflector.triangle(s, vj, c.slot(BlockReflector.W));
            Block below = vj.rows(nb, vj.rows - nb);
            Block t = all.diagonal(j, nb);
            s.gemm(1, x.h(), x, 0, t);
            if (below.rows > 0) {
                s.gemm(1, below.h(), below, 1, t);
            }
            s.release(mark);
        }
        long width = BlockReflector.width(c, 0);
        s.pieces(full * nb / width);
        block(s, all.diagonal(0, width), tau, k, 0, width);
        s.count(1);
        merge(c, all, nb, full);
        return all;
    }

    /** T of the whole from those of its blocks, for so many T of order k, each k rows and columns behind the one before: pairs of blocks are a batch. */
    private static void merge(Call c, Block t, long k, long number) {
        Scope s = c.scope;
        for (long size = BlockReflector.width(c, 0); size < k; size *= 2) {
            if (number > 1) {
                s.pieces(number * k / (2 * size));
                pair(c, t, 0, size, size, 2 * size);
                s.count(1);
                continue;
            }
            for (long i = 0; i + size < k; i += 2 * size) {
                pair(c, t, i, size, Math.min(size, k - i - size), 0);
            }
        }
    }

    /** The block right of one on the diagonal: T₁₂ = -T₁·(V₁ᴴ·V₂)·T₂; the next pair of a batch is so many rows and columns further on. */
    private static void pair(Call c, Block t, long i, long size, long next, long every) {
        Scope s = c.scope;
        int mark = s.mark();
        Block off = further(t.block(i, i + size, size, next), every);
        Block product = s.dense(c.slot(BlockReflector.W), size, next);
        s.trmmApart(Side.RIGHT, Scope.ONE, further(t.diagonal(i + size, next), every), off, product);
        s.trmmApart(Side.LEFT, Scope.MINUS_ONE, further(t.diagonal(i, size), every), product, off);
        s.release(mark);
    }

    private static Block further(Block t, long every) {
        return every > 0 ? t.every(every) : t;
    }

    /** The triangles of the blocks on the diagonal: those of one matrix are a batch. */
    private static void blocks(Scope s, Block t, Operand tau, long all, long first, long nb) {
        long full = t.rows / nb;
        boolean together = s.count() == 1;
        for (long b = 0; b < full && !together; b++) {
            block(s, t.diagonal(b * nb, nb), tau, all, first + b * nb, 0);
        }
        if (together && full > 0) {
            // In memory the last of those that are counted from the end comes first.
            long lead = t.mirrored() ? (full - 1) * nb : 0;
            s.pieces(full);
            block(s, t.diagonal(lead, nb), tau, all, first + lead, nb);
            s.count(1);
        }
        if (full * nb < t.rows) {
            block(s, t.diagonal(full * nb, t.rows - full * nb), tau, all, first + full * nb, 0);
        }
    }

    private static void block(Scope s, Block t, Operand tau, long all, long first, long every) {
        int mark = s.mark();
        Launch l = s.kernel(Kernel.LARFT);
        l.m = t.rows;
        l.n = t.rows;
        l.backward = t.mirrored();
        further(t, every).into(l.c);
        BlockReflector.tau(l.d, tau, t, all, first, t.rows);
        if (every > 0) {
            l.d.stride = every;
        }
        s.launch();
        s.release(mark);
    }

    /** b := op(I - V·T·Vᴴ)·b (LEFT) or b·op(I - V·T·Vᴴ), of vectors that are written out. */
    static void apply(Call c, Side side, Op op, Block v, Block t, Block b) {
        if (b.rows == 0 || b.cols == 0) {
            return;
        }
        Scope s = c.scope;
        int mark = s.mark();
        long k = v.cols;
        boolean left = side == Side.LEFT;
        long lines = left ? b.cols : b.rows;
        Block w = s.dense(c.slot(BlockReflector.W), left ? k : lines, left ? lines : k);
        long behind = Chunks.times(Chunks.times(k, lines), c.args.type.bytes(), c.args.count);
        Block x = s.dense(c.slot(BlockReflector.W) + behind, w.rows, w.cols);
        s.gemm(1, left ? v.h() : b, left ? b : v, 0, w);
        s.trmmApart(side, Scope.ONE, t.op(op), w, x);
        BlockReflector.product(s, -1, left ? v : x, left ? x : v.h(), b);
        s.release(mark);
    }
}
