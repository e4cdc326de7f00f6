package dev.basalt.internal.block;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Kernel;
import java.util.List;

/** The tiers of every composite routine whose workspace is the packing memory of its matrix products. */
public final class Packing {
    public static final List<String> TIERS = List.of("packed", "packed, small blocks", "in place");

    private Packing() {}

    /** Three tiers for products of up to m×n with inner dimension k. */
    public static void need(Call c, Need need, long m, long n, long k) {
        for (int t = 0; t < TIERS.size(); t++) {
            need.tier(TIERS.get(t)).slot("packing", Gemm.bytes(c, c.args.type, t, m, n, k));
        }
    }

    /** As above for a routine with a triangle or symmetric matrix of some order, of which a kernel takes what it reaches. */
    public static void need(Call c, Need need, long m, long n, long k, Kernel kernel, long order) {
        long block = Math.min(order, c.traits.reach().of(kernel, c.args.type));
        for (int t = 0; t < TIERS.size(); t++) {
            long bytes = Gemm.bytes(c, c.args.type, t, m, n, k);
            need.tier(TIERS.get(t)).slot("packing", t == 0 ? Math.max(bytes, block(c, kernel, block, block)) : bytes);
        }
    }

    /**
     * Bytes for blocks of so many rows and such a depth where the kernel packs them, 0 elsewhere. What has no more rows than a
     * block of the traits, and no more depth than a product that is not packed, fits in the kernels' own memory, so that small calls lend nothing.
     */
    public static long block(Call c, Kernel kernel, long rows, long depth) {
        GemmBlocking blocking = c.traits.gemm(c.args.type);
        boolean small = rows <= c.traits.block() && depth <= Math.max(c.traits.block(), blocking.small());
        if (small || !c.traits.reach().packs(kernel) || rows <= 0 || depth <= 0) {
            return 0;
        }
        return blocking.blockBytes(rows, blocking.kc(depth), c.args.type.bytes(), c.traits.workers());
    }

    /** Gives the slot to the products of this call. */
    public static void use(Call c, int slot) {
        c.scope.pack(c.slot(slot), c.slotBytes(slot));
    }
}
