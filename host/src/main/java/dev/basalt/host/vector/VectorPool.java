package dev.basalt.host.vector;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * Scratch objects for threads that call the same kernels at once. A slot is chosen by the thread's id, so a thread mostly finds
 * the object that it used last, warm in its cache; virtual threads share the few that there are.
 */
final class VectorPool<T> {
    /** Slots lie apart, so that two threads do not write the same cache line. */
    private static final int STRIDE = 16;

    private final int mask;
    private final AtomicReferenceArray<T> slots;
    private final Supplier<T> maker;

    VectorPool(Supplier<T> maker) {
        int processors = Runtime.getRuntime().availableProcessors();
        this.mask = Integer.highestOneBit(Math.max(4, processors)) * 2 - 1;
        this.slots = new AtomicReferenceArray<>((mask + 1) * STRIDE);
        this.maker = maker;
    }

    /** An object that nobody else uses until it is given back. */
    T take() {
        int start = (int) Thread.currentThread().threadId();
        for (int i = 0; i <= mask; i++) {
            int slot = ((start + i) & mask) * STRIDE;
            if (slots.getPlain(slot) != null) {
                T found = slots.getAndSet(slot, null);
                if (found != null) {
                    return found;
                }
            }
        }
        return maker.get();
    }

    /** Gives an object back; it is dropped if all slots are full. */
    void give(T object) {
        int start = (int) Thread.currentThread().threadId();
        for (int i = 0; i <= mask; i++) {
            int slot = ((start + i) & mask) * STRIDE;
            if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, object)) {
                return;
            }
        }
    }
}
