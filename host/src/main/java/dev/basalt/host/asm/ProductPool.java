package dev.basalt.host.asm;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Products for threads that multiply at once: each takes one and gives it back. A slot is chosen by the thread's id, so a thread
 * mostly finds the one that it used last, its scratch memory warm in the cache.
 */
final class ProductPool {
    /** Slots lie apart, so that two threads do not write the same cache line. */
    private static final int STRIDE = 16;

    private final KernelTable kernels;
    private final boolean complex;
    private final int mask;
    private final AtomicReferenceArray<Product> slots;

    ProductPool(KernelTable kernels, boolean complex) {
        int processors = Runtime.getRuntime().availableProcessors();
        this.kernels = kernels;
        this.complex = complex;
        this.mask = Integer.highestOneBit(Math.max(4, processors)) * 2 - 1;
        this.slots = new AtomicReferenceArray<>((mask + 1) * STRIDE);
    }

    /** A product that nobody else uses until it is given back. */
    Product take() {
        int start = (int) Thread.currentThread().threadId();
        for (int i = 0; i <= mask; i++) {
            int slot = ((start + i) & mask) * STRIDE;
            if (slots.getPlain(slot) != null) {
                Product found = slots.getAndSet(slot, null);
                if (found != null) {
                    return found;
                }
            }
        }
        return new Product(kernels, complex);
    }

    /** Gives a product back; it is dropped if all slots are full. */
    void give(Product product) {
        int start = (int) Thread.currentThread().threadId();
        for (int i = 0; i <= mask; i++) {
            int slot = ((start + i) & mask) * STRIDE;
            if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, product)) {
                return;
            }
        }
    }
}
