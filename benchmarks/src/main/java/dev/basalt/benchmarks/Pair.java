package dev.basalt.benchmarks;

/**
 * One sample of each side, taken one right after the other.
 *
 * @param basalt nanoseconds of a call
 * @param peer nanoseconds of a call
 * @param before nanoseconds of the reference before
 * @param after nanoseconds of the reference after
 * @param away the part of its time that the thread had no core, the worse of both sides
 * @param bytes bytes of heap that a call of Basalt allocated
 */
record Pair(double basalt, double peer, double before, double after, double away, double bytes) {
    private static final double MOST_DRIFT = 0.05;
    private static final double MOST_AWAY = 0.02;

    /** Whether the machine was the same for both sides. */
    boolean kept(Clock clock) {
        double drift = Math.abs(before - after) / Math.min(before, after);
        return drift <= MOST_DRIFT && (clock == Clock.CPU || away <= MOST_AWAY);
    }

    /** Basalt's speed over the peer's. */
    double ratio() {
        return peer / basalt;
    }
}
