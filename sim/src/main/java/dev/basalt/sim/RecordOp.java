package dev.basalt.sim;

/** Completes a recording of an event. */
final class RecordOp extends Op {
    private final Recording recording;

    RecordOp(Recording recording) {
        super("record an event");
        this.recording = recording;
    }

    @Override
    void run() {
        recording.done = true;
    }

    @Override
    Op again() {
        return new RecordOp(recording);
    }
}
