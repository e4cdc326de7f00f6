package dev.basalt.internal.routine;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.GemmBlocking;

/** The tiers of every composite routine whose workspace is the packing memory of its matrix products. */
final class Packing {
    static final String[] TIERS = {"packed", "packed, small blocks", "in place"};

    private Packing() {}

    /** Three tiers for products of up to m×n with inner dimension k. */
    static void need(Call c, Need need, long m, long n, long k) {
        for (int t = 0; t < TIERS.length; t++) {
            need.tier(TIERS[t]).slot("packing", Gemm.bytes(c.traits, c.args.type, t, m, n, k));
        }
    }

    /** As above for a routine with a triangle or symmetric matrix of some order. */
    static void need(Call c, Need need, long m, long n, long k, long order) {
        long block = Math.min(order, c.traits.triangle(c.args.type));
        for (int t = 0; t < TIERS.length; t++) {
            long bytes = Gemm.bytes(c.traits, c.args.type, t, m, n, k);
            need.tier(TIERS[t]).slot("packing", t == 0 ? Math.max(bytes, block(c, block, block)) : bytes);
        }
    }

    /**
     * Bytes for blocks of so many rows and such a depth on a device that packs triangles and symmetric blocks, 0 on others. What is no
     * larger than a block of the traits fits in the kernels' own memory, so that small calls lend nothing.
     */
    static long block(Call c, long rows, long depth) {
        boolean small = rows <= c.traits.block() && depth <= c.traits.block();
        if (small || !c.traits.packsTriangles() || rows <= 0 || depth <= 0) {
            return 0;
        }
        GemmBlocking blocking = c.traits.gemm(c.args.type);
        return blocking.blockBytes(rows, blocking.kc(depth), c.args.type.bytes(), c.traits.workers());
    }

    /** Gives the slot to the products of this call. */
    static void use(Call c, int slot) {
        c.packing = c.slot(slot);
        c.packingBytes = c.slotBytes(slot);
    }
}
