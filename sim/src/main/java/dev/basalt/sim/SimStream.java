package dev.basalt.sim;

import java.util.ArrayDeque;

/** A stream: a queue of operations. */
final class SimStream {
    final long number;
    /** Its place in vector clocks. */
    final int index;

    final ArrayDeque<Op> queue = new ArrayDeque<>();
    /** Whether nothing more can come; what is queued still runs. */
    boolean destroyed;
    /** What runs beside it, or null. */
    SimStream beside;
    /** What it records into, or null. */
    Capture capture;
    /** When all its work is done in simulated time. */
    long readyAt;

    SimStream(long number, int index) {
        this.number = number;
        this.index = index;
    }

    boolean runnable() {
        return !queue.isEmpty() && !queue.peek().blocked();
    }
}
