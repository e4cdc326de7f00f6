package dev.basalt.sim;

import java.util.Arrays;

/**
 * How often each driver call was made until some moment; calls that failed count too. Take one before and one after, and
 * assert on {@link #since}.
 */
public final class SpyCounts {
    private final long[] counts;

    SpyCounts(long[] counts) {
        this.counts = counts;
    }

    /**
     * How often some calls were made.
     *
     * @param first a call
     * @param more more calls
     * @return the sum of their counts
     */
    public long of(DriverCall first, DriverCall... more) {
        long sum = counts[first.ordinal()];
        for (DriverCall call : more) {
            sum += counts[call.ordinal()];
        }
        return sum;
    }

    /**
     * Calls that ask the device for memory, whether or not the pool had some.
     *
     * @return allocations of every kind
     */
    public long allocations() {
        return of(DriverCall.ALLOCATE, DriverCall.ALLOCATE_ASYNC, DriverCall.COMMIT);
    }

    /**
     * Calls that give memory back.
     *
     * @return frees of every kind
     */
    public long frees() {
        return of(DriverCall.FREE, DriverCall.FREE_ASYNC, DriverCall.RELEASE);
    }

    /**
     * Calls in which the host waits for the device. {@link DriverCall#FREE} is one of them, as on a real GPU.
     *
     * @return synchronisations of every kind
     */
    public long synchronizations() {
        return of(
                DriverCall.SYNCHRONIZE,
                DriverCall.SYNCHRONIZE_STREAM,
                DriverCall.SYNCHRONIZE_EVENT,
                DriverCall.FREE);
    }

    /**
     * Calls that submit work: kernels, copies, fills and graphs.
     *
     * @return submissions
     */
    public long submissions() {
        return of(
                DriverCall.LAUNCH, DriverCall.UPLOAD, DriverCall.DOWNLOAD, DriverCall.FILL, DriverCall.LAUNCH_GRAPH);
    }

    /**
     * All calls.
     *
     * @return the sum over every kind of call
     */
    public long total() {
        return Arrays.stream(counts).sum() - of(DriverCall.POOL_GROWTH);
    }

    /**
     * What was called between two moments.
     *
     * @param earlier counts taken before
     * @return these counts less the earlier ones
     */
    public SpyCounts since(SpyCounts earlier) {
        long[] difference = counts.clone();
        for (int i = 0; i < difference.length; i++) {
            difference[i] -= earlier.counts[i];
        }
        return new SpyCounts(difference);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SpyCounts && Arrays.equals(counts, ((SpyCounts) other).counts);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(counts);
    }

    /** The calls that were made at all, such as {@code {LAUNCH=3, SYNCHRONIZE=1}}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (DriverCall call : DriverCall.values()) {
            if (of(call) != 0) {
                text.append(text.length() > 1 ? ", " : "").append(call).append('=').append(of(call));
            }
        }
        return text.append('}').toString();
    }
}
