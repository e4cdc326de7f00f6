package dev.basalt.sim;

/** Which operation this is, and what came before it: its stream's vector clock when it was submitted. */
final class Stamp {
    /** Position among all operations of the device. */
    final long sequence;
    /** The stream's number, -1 for the host. */
    final long stream;
    /** What ran, for people. */
    final String label;
    /** The stream's place in clocks; streams that are gone give theirs to new ones. */
    final int index;
    /** Position on the stream. */
    final long tick;

    private final long[] past;

    Stamp(long sequence, long stream, String label, int index, long tick, long[] past) {
        this.sequence = sequence;
        this.stream = stream;
        this.label = label;
        this.index = index;
        this.tick = tick;
        this.past = past;
    }

    /** Up to which operation of a stream this one comes later. */
    long past(int stream) {
        return stream < past.length ? past[stream] : 0;
    }

    /** Adds all that came before this operation, and the operation itself, to a clock. */
    void addTo(Clock clock) {
        clock.join(past);
    }

    /** Whether this operation is over, on every schedule, before another starts. */
    boolean before(Stamp other) {
        return other.past(index) >= tick;
    }
}
