package dev.basalt.internal.workspace;

/** Injected failures of one workspace's allocations; the state behind {@code dev.basalt.FaultInjection}. */
public final class Faults {
    private long failAt;
    private long attempts;
    private long above = Long.MAX_VALUE;
    private int delayedFrees;

    /** No faults. */
    public Faults() {}

    /**
     * Makes one allocation fail.
     *
     * @param k 1 for the next attempt, 2 for the one after it…; 0 for none
     */
    public void failAllocation(long k) {
        failAt = k == 0 ? 0 : attempts + k;
    }

    /**
     * Makes all large allocations fail.
     *
     * @param bytes the largest size that still succeeds
     */
    public void failAbove(long bytes) {
        above = bytes;
    }

    /**
     * Makes frees wait until that many later allocations have been attempted.
     *
     * @param allocations 0 for no delay
     */
    public void delayFrees(int allocations) {
        delayedFrees = allocations;
    }

    /** Removes all faults. */
    public void clear() {
        failAt = 0;
        above = Long.MAX_VALUE;
        delayedFrees = 0;
    }

    /**
     * How many allocations have been attempted.
     *
     * @return attempts since the handle was created
     */
    public long attempts() {
        return attempts;
    }

    int delayedFrees() {
        return delayedFrees;
    }

    /** Counts an attempt; true if it shall fail. */
    boolean next(long bytes) {
        attempts++;
        return attempts == failAt || bytes > above;
    }
}
