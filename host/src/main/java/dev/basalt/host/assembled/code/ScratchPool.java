package dev.basalt.host.assembled.code;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Small pieces of memory for kernels that need some for the length of a call: a thread mostly finds the one that it used last, and within such a call another one. */
public final class ScratchPool {
    /** Slots lie apart, so that two threads do not write the same cache line. */
    private static final int STRIDE = 16;

    private final long bytes;
    private final int mask;
    private final AtomicReferenceArray<MemorySegment> slots;

    public ScratchPool(long bytes) {
        int processors = Runtime.getRuntime().availableProcessors();
        this.bytes = bytes;
        this.mask = Integer.highestOneBit(Math.max(4, processors)) * 2 - 1;
        this.slots = new AtomicReferenceArray<>((mask + 1) * STRIDE);
    }

    private int slot() {
        return ((int) Thread.currentThread().threadId() & mask) * STRIDE;
    }

    /** Memory that nobody else uses until it is given back: aligned to cache lines, of any content. */
    public MemorySegment take() {
        int slot = slot();
        MemorySegment found = slots.getAndSet(slot, null);
        if (found == null) {
            found = slots.getAndSet(slot + 1, null);
        }
        return found != null ? found : Arena.ofAuto().allocate(bytes, 64);
    }

    /** Gives a piece back, in place of what another thread of the same slot may have left there. */
    public void give(MemorySegment piece) {
        int slot = slot();
        slots.setRelease(slots.getPlain(slot) == null ? slot : slot + 1, piece);
    }
}
