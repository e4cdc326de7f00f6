package dev.basalt;

import dev.basalt.internal.workspace.Faults;

/** Makes a handle's allocations fail on purpose, so that users' tests reach the paths that a full device would. */
public final class FaultInjection {
    private final Faults faults;

    FaultInjection(Faults faults) {
        this.faults = faults;
    }

    /**
     * Makes one allocation fail.
     *
     * @param k 1 for the next attempt, 2 for the one after it…; 0 for none
     * @return this
     */
    public FaultInjection failAllocation(long k) {
        faults.failAllocation(k);
        return this;
    }

    /**
     * Makes all large allocations fail.
     *
     * @param bytes the largest size that still succeeds
     * @return this
     */
    public FaultInjection failAbove(long bytes) {
        faults.failAbove(bytes);
        return this;
    }

    /**
     * Makes frees wait until that many later allocations have been attempted.
     *
     * @param allocations 0 for no delay
     * @return this
     */
    public FaultInjection delayFrees(int allocations) {
        faults.delayFrees(allocations);
        return this;
    }

    /**
     * Removes all faults.
     *
     * @return this
     */
    public FaultInjection clear() {
        faults.clear();
        return this;
    }

    /**
     * How many allocations this handle's workspace has attempted.
     *
     * @return attempts since the handle was created
     */
    public long attempts() {
        return faults.attempts();
    }
}
