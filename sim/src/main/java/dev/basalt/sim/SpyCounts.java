package dev.basalt.sim;

import java.util.EnumMap;
import java.util.Map;

/**
 * How often each driver call was made until some moment; calls that failed count too. Take one before and one after, and
 * assert on {@link #since}.
 */
public final class SpyCounts {
    /** Only calls with a count that is not zero. */
    private final Map<DriverCall, Long> counts = new EnumMap<>(DriverCall.class);

    SpyCounts(Map<DriverCall, Long> counts) {
        this.counts.putAll(counts);
    }

    /**
     * How often some calls were made.
     *
     * @param first a call
     * @param more more calls
     * @return the sum of their counts
     */
    public long of(DriverCall first, DriverCall... more) {
        long sum = counts.getOrDefault(first, 0L);
        for (DriverCall call : more) {
            sum += counts.getOrDefault(call, 0L);
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
        return of(DriverCall.SYNCHRONIZE, DriverCall.SYNCHRONIZE_STREAM, DriverCall.SYNCHRONIZE_EVENT, DriverCall.FREE);
    }

    /**
     * Calls that submit work: kernels, copies, fills and graphs.
     *
     * @return submissions
     */
    public long submissions() {
        return of(DriverCall.LAUNCH, DriverCall.UPLOAD, DriverCall.DOWNLOAD, DriverCall.FILL, DriverCall.LAUNCH_GRAPH);
    }

    /**
     * All calls.
     *
     * @return the sum over every kind of call
     */
    public long total() {
        return counts.values().stream().mapToLong(Long::longValue).sum() - of(DriverCall.POOL_GROWTH);
    }

    /**
     * What was called between two moments.
     *
     * @param earlier counts taken before
     * @return these counts less the earlier ones
     */
    public SpyCounts since(SpyCounts earlier) {
        Map<DriverCall, Long> difference = new EnumMap<>(counts);
        earlier.counts.forEach((call, count) -> difference.merge(call, -count, Long::sum));
        difference.values().removeIf(count -> count == 0);
        return new SpyCounts(difference);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SpyCounts that && counts.equals(that.counts);
    }

    @Override
    public int hashCode() {
        return counts.hashCode();
    }

    /** The calls that were made at all, such as {@code {LAUNCH=3, SYNCHRONIZE=1}}. */
    @Override
    public String toString() {
        return counts.toString();
    }
}
