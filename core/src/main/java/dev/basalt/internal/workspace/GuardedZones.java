package dev.basalt.internal.workspace;

import java.util.Arrays;

/** The redzones of one loan, and its slots that the vendor's sanitizer was told of. */
final class GuardedZones {
    private long[] zones = new long[8];
    private int count;
    private long[] slots = new long[8];
    private int slotCount;

    /** The block that the sanitizer watches for this loan, null for none. */
    Block watched;

    void clear() {
        count = 0;
        slotCount = 0;
        watched = null;
    }

    void zone(long address) {
        if (count == zones.length) {
            zones = Arrays.copyOf(zones, 2 * count);
        }
        zones[count++] = address;
    }

    int zones() {
        return count;
    }

    long zone(int z) {
        return zones[z];
    }

    void slot(long address) {
        if (slotCount == slots.length) {
            slots = Arrays.copyOf(slots, 2 * slotCount);
        }
        slots[slotCount++] = address;
    }

    int slots() {
        return slotCount;
    }

    long slot(int s) {
        return slots[s];
    }
}
