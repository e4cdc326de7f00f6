package dev.basalt.internal.product;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Operand;
import dev.basalt.type.Side;

/**
 * The inverse of a triangle from its diagonal on: blocks that one launch takes are inverted, then pairs of them become blocks of twice the order, whose
 * off-diagonal part is −A₂₂⁻¹·A₂₁·A₁₁⁻¹ by two products. The pairs of a level do not depend on each other: those of one matrix are a batch, so a level is two
 * launches where solves would be a chain of them. Errors are those of products with inverses (method 2C of Du Croz and Higham, "Stability of methods for
 * matrix inversion", 1992).
 */
public final class Doubling {
    /** The slot of the first of the two products. */
    public static final String SLOT = "pairs";

    /** In the tier of small blocks, so many times the order that one launch takes. */
    private static final long FEW = 8;

    private Doubling() {}

    /** The largest order that is inverted so in a tier; larger triangles are halved before. */
    static long reach(DeviceTraits traits, int tier, long n) {
        if (!traits.reach().waves()) {
            return 0;
        }
        return tier == 0 ? n : tier == 1 ? Math.min(n, FEW * traits.block()) : 0;
    }

    /** Adds the need of an inverse of order n to the tiers of {@link Packing}; none elsewhere than on a device that works in waves. */
    public static void need(Call c, Need need, long n) {
        long leaf = c.traits.reach().of(Kernel.TRTRI, c.args.type);
        if (!c.traits.reach().waves() || n <= leaf) {
            return;
        }
        need.part();
        for (int t = 0; t < Packing.TIERS.size(); t++) {
            long elements = elements(reach(c.traits, t, n), leaf);
            need.tier(Packing.TIERS.get(t)).slot(SLOT, Chunks.times(elements, c.args.type.bytes(), c.args.count));
        }
        need.together();
    }

    /** Elements of the products of a level, at most: those of the last one, or of the only whole pair of the one before. */
    private static long elements(long n, long leaf) {
        long most = 0;
        for (long b = leaf; b < n; b *= 2) {
            most = Chunks.times(Math.max(b > leaf ? b / 4 : 0, n - b), b);
        }
        return most;
    }

    /** The triangle a := its inverse, with room for the products at {@code work}. */
    static void invert(Scope s, Block a, long work) {
        long n = a.rows;
        long leaf = s.reach(Kernel.TRTRI);
        Operand info = s.guard;
        // Blocks of one matrix are problems of a batch, if one stride leads from each to the next.
        boolean together = s.count() == 1 && !a.inTable() && (info == null || !info.pointers);
        diagonal(s, a, leaf, together, info);
        for (long b = leaf; b < n; b *= 2) {
            long full = n / (2 * b);
            long each = together ? full : 1;
            for (long pair = 0; pair < full; pair += each) {
                batch(s, together ? full : 0, info);
                merge(s, a, 2 * pair * b, b, b, together ? 2 * b : 0, work);
                batch(s, together ? 1 : 0, info);
            }
            long rest = n % (2 * b) - b;
            if (rest > 0) {
                merge(s, a, 2 * full * b, b, rest, 0, work);
            }
        }
    }

    private static void diagonal(Scope s, Block a, long leaf, boolean together, Operand info) {
        long full = a.rows / leaf;
        int mark = s.mark();
        for (long block = 0; block < full && !together; block++) {
            Trtri.launch(s, a.diagonal(block * leaf, leaf));
            s.release(mark);
        }
        if (together && full > 0) {
            batch(s, full, info);
            Trtri.launch(s, a.diagonal(0, leaf).every(leaf));
            batch(s, 1, info);
        }
        if (full * leaf < a.rows) {
            Trtri.launch(s, a.diagonal(full * leaf, a.rows - full * leaf));
        }
        s.release(mark);
    }

    /** From here on launches are for so many blocks of the only problem, whose info guards them all; 0 changes nothing. */
    private static void batch(Scope s, long blocks, Operand info) {
        if (blocks == 0) {
            return;
        }
        s.count(blocks);
        s.guard = info;
        if (info != null && blocks > 1) {
            s.guard = s.sameForAll(info);
        }
    }

    /** The blocks at {@code at} of orders b and next, inverted already, become one; or a batch of them, each {@code every} rows and columns on. */
    private static void merge(Scope s, Block a, long at, long b, long next, long every, long work) {
        int mark = s.mark();
        Block first = a.diagonal(at, b);
        Block second = a.diagonal(at + b, next);
        boolean lower = a.lower();
        Block off = lower ? a.block(at + b, at, next, b) : a.block(at, at + b, b, next);
        if (every > 0) {
            first = first.every(every);
            second = second.every(every);
            off = off.every(every);
        }
        Block product = s.dense(work, off.rows, off.cols);
        s.trmmApart(Side.RIGHT, Scope.ONE, lower ? first : second, off, product);
        s.trmmApart(Side.LEFT, Scope.MINUS_ONE, lower ? second : first, product, off);
        s.release(mark);
    }
}
