package dev.basalt.benchmarks;

import dev.basalt.bench.Sink;

/**
 * A piece of work that always takes the same time on a core that is left alone: dependent scalar multiply-adds, bound by
 * latency, without memory. Timed before and after a measurement it tells whether the core changed its speed meanwhile.
 */
final class Reference {
    private static final int ROUNDS = 200_000;

    private Reference() {}

    /** Its time; about a quarter of a millisecond. */
    static long nanos(Clock clock) {
        long start = clock.nanos();
        run();
        return clock.nanos() - start;
    }

    private static void run() {
        double a = 0;
        for (int r = 0; r < ROUNDS; r++) {
            a = Math.fma(a, 0.999, 0.001);
        }
        Sink.last = a;
    }
}
