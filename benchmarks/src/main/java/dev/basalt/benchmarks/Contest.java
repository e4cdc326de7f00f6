package dev.basalt.benchmarks;

/**
 * One routine at one size, done by Basalt and by OpenBLAS <em>on the same memory</em>, so that neither side has the luckier
 * pages. Making one checks that both sides agree.
 */
interface Contest extends AutoCloseable {
    /** Whether a call overwrites its input, so that {@link #restore} must come before each. */
    boolean consumesInput();

    /** Puts the input back. */
    void restore();

    /** One call through Basalt's public API; the value keeps the call alive. */
    double basalt();

    /** One call of OpenBLAS. */
    double openBlas();

    /**
     * One run of a loop that does nothing but what bounds this routine. There may be several such loops, none of them always
     * the fastest.
     *
     * @param loop number from 0
     * @return flops or bytes; 0 if there is no such loop
     */
    double limit(int loop);

    @Override
    void close();

    /** Refuses results that differ by more than rounding. */
    static void requireAgreement(String what, double difference, double tolerance) {
        if (!(difference <= tolerance)) {
            throw new IllegalStateException(
                    what + ": Basalt and OpenBLAS differ by " + difference + ", more than " + tolerance);
        }
    }
}
