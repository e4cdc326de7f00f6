package dev.basalt.sim;

import dev.basalt.spi.DriverException;

/**
 * Failures that a test injects into a {@link SimDriver}. Each can be set again, and {@link #clear} ends them all. Safe for
 * use from several threads.
 */
public final class SimFaults {
    private long allocationsUntilFailure;
    private long launchesUntilFailure;
    private long largestAllocation = Long.MAX_VALUE;
    private long freeDelay;

    SimFaults() {}

    /**
     * Makes one allocation fail with {@link DriverException.Code#OUT_OF_MEMORY}. Every call counts that asks for memory or
     * addresses: {@code allocate}, {@code allocateAsync}, {@code commit} and {@code reserve}.
     *
     * @param k which allocation from now on, 1 for the next; 0 for none
     */
    public synchronized void failAllocation(long k) {
        allocationsUntilFailure = k;
    }

    /**
     * Makes every allocation of more than some bytes fail; a commit counts with the bytes it adds, a reservation not at all.
     *
     * @param bytes the largest allocation that succeeds; 0 makes all fail
     */
    public synchronized void failAllocationsAbove(long bytes) {
        largestAllocation = bytes;
    }

    /**
     * Keeps freed memory out of the budget for a while, as a device does that frees behind running work.
     *
     * @param calls how many later driver calls the memory of each free stays taken; 0 for none
     */
    public synchronized void delayFrees(long calls) {
        freeDelay = calls;
    }

    /**
     * Makes one kernel launch fail with {@link DriverException.Code#FAILED}; nothing is submitted and the device stays
     * usable.
     *
     * @param k which launch from now on, 1 for the next; 0 for none
     */
    public synchronized void failLaunch(long k) {
        launchesUntilFailure = k;
    }

    /** Ends all injected failures. */
    public synchronized void clear() {
        allocationsUntilFailure = 0;
        launchesUntilFailure = 0;
        largestAllocation = Long.MAX_VALUE;
        freeDelay = 0;
    }

    /** Called for every allocation; {@code bytes} is 0 for a reservation of addresses. */
    synchronized void allocation(String what, long bytes) {
        boolean chosen = allocationsUntilFailure > 0 && --allocationsUntilFailure == 0;
        if (chosen || bytes > largestAllocation) {
            throw new DriverException(DriverException.Code.OUT_OF_MEMORY, "injected failure: " + what + " of " + bytes
                    + " bytes" + (chosen ? " was chosen to fail" : " is above the limit of " + largestAllocation));
        }
    }

    /** Called for every launch. */
    synchronized void launch(String what) {
        if (launchesUntilFailure > 0 && --launchesUntilFailure == 0) {
            throw new DriverException(DriverException.Code.FAILED,
                    "injected failure: launch of " + what + " was chosen to fail");
        }
    }

    synchronized long freeDelay() {
        return freeDelay;
    }
}
