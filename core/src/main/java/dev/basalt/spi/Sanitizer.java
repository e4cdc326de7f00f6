package dev.basalt.spi;

/**
 * A tool of the device's vendor that watches the memory accesses of kernels. In guard mode it is told of which parts of a workspace a
 * call may use, so that it names the kernel and the line that leaves them; without being told it knows only whole allocations.
 */
public interface Sanitizer {
    /**
     * From now on kernels may touch nothing of some memory but what is {@linkplain #allow allowed}.
     *
     * @param address where memory that was allocated begins
     * @param bytes how long it is
     * @return what to name it by, not 0
     */
    long watch(long address, long bytes);

    /**
     * Allows a part of it.
     *
     * @param watched what {@link #watch} returned
     * @param address where the part begins
     * @param bytes how long it is
     */
    void allow(long watched, long address, long bytes);

    /**
     * Takes back what was {@linkplain #allow allowed}.
     *
     * @param address where the part begins
     */
    void forbid(long address);

    /**
     * Ends the watch, before the memory is freed: a tool forgets the allocation with it.
     *
     * @param watched what {@link #watch} returned
     */
    void unwatch(long watched);
}
