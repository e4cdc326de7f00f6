package dev.basalt.cuda;

import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/** Pinned host memory. Pinning pages takes milliseconds, so a few blocks that were given back are kept for the next one who asks. */
final class PinnedMemory {
    private static final int MOST_IDLE = 4;

    /** Size of every block in use, and of those that are kept. */
    private final Map<Long, Long> used = new HashMap<>();

    private final Map<Long, Long> idle = new HashMap<>();

    PinnedMemory() {}

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
        long address = RelaxedCapture.during(() -> make(bytes));
        used.put(address, bytes);
        return address;
    }

    private static long make(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(
                    Libcuda.call(Libcuda.MEM_HOST_ALLOC, out, bytes, Structs.HOST_ALLOC_PORTABLE),
                    "cuMemHostAlloc",
                    bytes);
            return Memory.i64(out);
        }
    }

    /** Takes a block back that no copy uses any more. */
    synchronized void free(long address) {
        long bytes = used.remove(address);
        if (idle.size() < MOST_IDLE) {
            idle.put(address, bytes);
        } else {
            release(address);
        }
    }

    private static void release(long address) {
        CudaErrors.check(Libcuda.call(Libcuda.MEM_FREE_HOST, address), "cuMemFreeHost");
    }

    /** Gives back what is kept. */
    synchronized void close() {
        idle.keySet().forEach(PinnedMemory::release);
        idle.clear();
    }
}
