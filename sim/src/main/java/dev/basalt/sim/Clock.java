package dev.basalt.sim;

import java.util.Arrays;

/** A vector clock: up to which operation of every stream something is known to come later. */
final class Clock {
    private long[] ticks = new long[4];

    long of(int stream) {
        return stream < ticks.length ? ticks[stream] : 0;
    }

    /** Goes on by one operation of a stream. */
    long tick(int stream) {
        reach(stream + 1);
        return ++ticks[stream];
    }

    void join(Clock other) {
        join(other.ticks);
    }

    void join(long[] other) {
        reach(other.length);
        for (int i = 0; i < other.length; i++) {
            ticks[i] = Math.max(ticks[i], other[i]);
        }
    }

    long[] snapshot() {
        return ticks.clone();
    }

    private void reach(int streams) {
        if (streams > ticks.length) {
            ticks = Arrays.copyOf(ticks, Math.max(streams, ticks.length * 2));
        }
    }
}
