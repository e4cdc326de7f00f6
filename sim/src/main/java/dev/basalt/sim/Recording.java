package dev.basalt.sim;

/** One recording of an event: waits and queries refer to the last one made when they are called. */
final class Recording {
    final SimStream stream;
    /** The capture it was recorded into, or null. */
    final Capture capture;
    /** The operation that completes it. */
    Stamp stamp;
    /** When it is complete in simulated time. */
    long readyAt;

    boolean done;

    Recording(SimStream stream, Capture capture) {
        this.stream = stream;
        this.capture = capture;
    }
}
