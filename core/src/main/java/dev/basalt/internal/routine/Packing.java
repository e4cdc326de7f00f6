package dev.basalt.internal.routine;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Need;

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

    /** Gives the slot to the products of this call. */
    static void use(Call c, int slot) {
        c.packing = c.slot(slot);
        c.packingBytes = c.slotBytes(slot);
    }
}
