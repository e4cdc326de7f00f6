package dev.basalt.bench;

/**
 * How a workload is measured.
 *
 * @param iters timed samples
 * @param coldIters samples before them
 * @param warmUpNanos time of warming up at least, for the JIT compiler
 * @param flushBytes operands rotate over copies that take that much memory, so that each call finds the caches cold; 0 for hot
 * @param flushCount or over that many copies; 1 for hot
 * @param verify whether results are checked
 * @param limits whether the machine's limits are measured too
 * @param mostNanos no sample begins after so much time, but for the first few; 0 for no such bound
 */
public record Settings(int iters, int coldIters, long warmUpNanos, long flushBytes, int flushCount, boolean verify,
        boolean limits, long mostNanos) {
    /** Samples that are taken however long they are. */
    private static final int LEAST = 5;

    /**
     * Without a bound on the time.
     *
     * @param iters timed samples
     * @param coldIters samples before them
     * @param warmUpNanos time of warming up at least
     * @param flushBytes memory of the copies that the operands rotate over
     * @param flushCount or how many copies
     * @param verify whether results are checked
     * @param limits whether the machine's limits are measured too
     */
    public Settings(int iters, int coldIters, long warmUpNanos, long flushBytes, int flushCount, boolean verify,
            boolean limits) {
        this(iters, coldIters, warmUpNanos, flushBytes, flushCount, verify, limits, 0);
    }

    /**
     * The same for one of many cases.
     *
     * @param nanos time for its samples
     * @return settings that check results
     */
    public Settings within(long nanos) {
        return new Settings(iters, coldIters, warmUpNanos, flushBytes, flushCount, true, limits, nanos);
    }

    /** The spells of warming up: two at least. */
    Warmth warmth(long now) {
        return new Warmth(warmUpNanos / 2, now);
    }

    /** Whether one more sample is to be taken. */
    boolean more(int taken, long nanos) {
        return taken < iters && (taken < LEAST || mostNanos == 0 || nanos < mostNanos);
    }

    /** Whether calls shall find nothing of theirs in a cache. */
    boolean cold() {
        return flushBytes > 0 || flushCount > 1;
    }

    /** Copies of the operands of a workload. */
    int copies(Workload w) {
        if (!cold()) {
            return Operands.copies(w);
        }
        double wanted = Math.max(flushCount, Math.ceil(flushBytes / Operands.bytes(w)));
        return (int) Math.clamp(wanted, 2, 1 << 16);
    }
}
