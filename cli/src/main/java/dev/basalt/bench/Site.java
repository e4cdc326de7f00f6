package dev.basalt.bench;

import dev.basalt.DevicePointer;

/** Where calls are timed: the clock that sees them, and the limits of what they run on. */
public interface Site extends AutoCloseable {
    /**
     * The time that issued calls take to be done.
     *
     * @param calls issues them, in the order of the handle's stream
     * @return nanoseconds
     */
    double nanos(Runnable calls);

    /**
     * The clock by which calls are warmed up and a case ends.
     *
     * @return nanoseconds since some time
     */
    default long clock() {
        return System.nanoTime();
    }

    /**
     * How long a sample of short calls should be.
     *
     * @return nanoseconds, many times what reading the clock costs
     */
    double sampleNanos();

    /**
     * Whether calls return before they are done, so that reductions should leave their results on the device.
     *
     * @return false if a call is done when it returns
     */
    boolean isAsynchronous();

    /**
     * Copies on the device in the order of the handle's stream; only where {@link #isAsynchronous}.
     *
     * @param from source
     * @param to target
     * @param bytes how many
     */
    void copy(DevicePointer from, DevicePointer to, long bytes);

    /**
     * The same, bound: to be called again and again.
     *
     * @param from address of the source
     * @param to address of the target
     * @param bytes how many
     * @return the copy
     * @throws UnsupportedOperationException where calls are done when they return
     */
    default Call copyCall(long from, long to, long bytes) {
        throw new UnsupportedOperationException("nothing is copied in the order of a stream here");
    }

    /**
     * The limit that a workload could reach.
     *
     * @param workload the workload
     * @return limit
     */
    Limit limit(Workload workload);

    @Override
    void close();
}
