package dev.basalt.sim;

/** Holds a stream back until a recording of an event is complete. */
final class WaitOp extends Op {
    final Recording recording;

    WaitOp(Recording recording) {
        super("wait for an event");
        this.recording = recording;
    }

    @Override
    boolean blocked() {
        return !recording.done;
    }

    @Override
    void run() {}

    @Override
    Op again() {
        return new WaitOp(recording);
    }
}
