package dev.basalt.sim;

/**
 * One piece of simulated device memory that is allocated.
 *
 * @param kind how it was obtained
 * @param address where it begins
 * @param bytes bytes that may be used: what was asked for, or what is committed
 * @param number how many allocations there were before it, for finding it again in a run with the same seed
 */
public record SimAllocation(Kind kind, long address, long bytes, long number) {
    /** How memory was obtained. */
    public enum Kind {
        /** By {@code allocate}. */
        BLOCK,
        /** By {@code allocateAsync}. */
        POOL,
        /** By {@code reserve} and {@code commit}. */
        RESERVED,
        /** By {@code allocateAsync} on a capturing stream: it belongs to the graph. */
        GRAPH,
        /** The host's own memory, which copies read and write. */
        HOST
    }

    @Override
    public String toString() {
        return "allocation #" + number + " (" + kind + ", " + bytes + " bytes at 0x" + Long.toHexString(address) + ")";
    }
}
