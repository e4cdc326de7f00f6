package dev.basalt.sim;

import java.util.List;

/** An operation on a stream: what it touches, how long it takes, and what it does when the scheduler gets to it. */
abstract class Op {
    final String label;
    /** Set when it is submitted. */
    Stamp stamp;
    /** Set when it is submitted, but not when it is recorded. */
    SimStream stream;
    /** What it touches, as far as that was known at submission. */
    List<Touch> touches = List.of();
    /** Whether it has run. */
    boolean done;
    /** Whether the operands behind its pointer tables are known only when it runs. */
    boolean touchesLate;
    /** What it touched when it was recorded into a graph, or null. */
    List<Touch> recorded;

    Op(String label) {
        this.label = label;
    }

    /** Declares what it touches. */
    void touch(Touch.Sink sink) {}

    /** Declares the operands behind pointer tables, whose content must be there. */
    void touchThroughTables(Touch.Sink sink) {}

    /** Whether {@link #touchThroughTables} declares anything. */
    boolean hasTables() {
        return false;
    }

    /** Called when it takes its place on a stream, or is recorded. */
    void submitted() {}

    /** Whether it must wait for another stream. */
    boolean blocked() {
        return false;
    }

    /** Does it. */
    abstract void run();

    /** Simulated duration. */
    long nanos() {
        return 0;
    }

    /** A fresh one that does the same, for replaying a graph. */
    abstract Op again();
}
