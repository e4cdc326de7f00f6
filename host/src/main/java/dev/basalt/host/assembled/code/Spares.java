package dev.basalt.host.assembled.code;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Objects with scratch memory for threads that are at work at once: each takes one and gives it back. A slot is chosen by the
 * thread's id, so a thread mostly finds the one that it used last, its scratch memory warm in the cache.
 */
public abstract class Spares<T> {
    /** Slots lie apart, so that two threads do not write the same cache line. */
    private static final int STRIDE = 16;

    private final int mask;
    private final AtomicReferenceArray<T> slots;

    public Spares() {
        int processors = Runtime.getRuntime().availableProcessors();
        this.mask = Integer.highestOneBit(Math.max(4, processors)) * 2 - 1;
        this.slots = new AtomicReferenceArray<>((mask + 1) * STRIDE);
    }

    /** A new object, where none is to be had. */
    protected abstract T make();

    /** An object that nobody else uses until it is given back. */
    public final T take() {
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
        return make();
    }

    /** Gives an object back; it is dropped if all slots are full. */
    public final void give(T spare) {
        int start = (int) Thread.currentThread().threadId();
        for (int i = 0; i <= mask; i++) {
            int slot = ((start + i) & mask) * STRIDE;
            if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, spare)) {
                return;
            }
        }
    }
}
