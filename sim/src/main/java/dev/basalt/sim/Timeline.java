package dev.basalt.sim;

/**
 * Simulated time. The host's clock advances by the price of each call and by waiting; each stream knows when the work
 * submitted to it would be done. Nothing here depends on when the scheduler really runs that work, so times are the same
 * for every seed.
 */
final class Timeline {
    private long host;
    private long lastReady;

    long now() {
        return host;
    }

    void spend(long nanos) {
        host += nanos;
    }

    /** Puts work behind everything already submitted to a stream. */
    void submit(SimStream stream, long nanos) {
        stream.readyAt = Math.max(stream.readyAt, host) + nanos;
        lastReady = Math.max(lastReady, stream.readyAt);
    }

    /** The host waits until a moment. */
    void await(long moment) {
        host = Math.max(host, moment);
    }

    /** The host waits for all streams. */
    void awaitAll() {
        await(lastReady);
    }

    /** Whether some stream still has work now. */
    boolean busy() {
        return lastReady > host;
    }
}
