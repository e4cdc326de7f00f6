package dev.basalt.sim;

import dev.basalt.spi.Memory;

/** Fills memory with a byte. */
final class FillOp extends Op {
    private static final long LATENCY = 2_000;
    private static final long BYTES_PER_NANO = 2_000;

    private final long address;
    private final long bytes;
    private final byte value;

    FillOp(long address, long bytes, byte value) {
        super("fill");
        this.address = address;
        this.bytes = bytes;
        this.value = value;
    }

    @Override
    void touch(Touch.Sink sink) {
        sink.device(Footprint.range(address, bytes), true, "range");
    }

    @Override
    void run() {
        Memory.fill(address, bytes, value);
    }

    @Override
    long nanos() {
        return LATENCY + bytes / BYTES_PER_NANO;
    }

    @Override
    Op again() {
        return new FillOp(address, bytes, value);
    }
}
