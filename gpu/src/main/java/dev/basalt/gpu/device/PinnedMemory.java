package dev.basalt.gpu.device;

import java.util.HashMap;
import java.util.Map;

/** Pinned host memory. Pinning pages takes milliseconds, so a few blocks that were given back are kept for the next one who asks. */
final class PinnedMemory {
    private static final int MOST_IDLE = 4;

    /** Size of every block in use, and of those that are kept. */
    private final Map<Long, Long> used = new HashMap<>();

    private final Map<Long, Long> idle = new HashMap<>();

    private final GpuApi api;

    PinnedMemory(GpuApi api) {
        this.api = api;
    }

    /** A block; the GPU's context is current. */
    synchronized long allocate(long bytes) {
        for (Map.Entry<Long, Long> kept : idle.entrySet()) {
            if (kept.getValue() == bytes) {
                long address = kept.getKey();
                idle.remove(address);
                used.put(address, bytes);
                return address;
            }
        }
        long address = api.relaxed(() -> api.allocateHost(bytes));
        used.put(address, bytes);
        return address;
    }

    /** Takes a block back that no copy uses any more. */
    synchronized void free(long address) {
        long bytes = used.remove(address);
        if (idle.size() < MOST_IDLE) {
            idle.put(address, bytes);
        } else {
            api.freeHost(address);
        }
    }

    /** Gives back what is kept. */
    synchronized void close() {
        idle.keySet().forEach(api::freeHost);
        idle.clear();
    }
}
