package dev.basalt.sim;

/** The moment in stream order from which on an asynchronous allocation may be used. */
final class AllocateOp extends Op {
    private final Block block;
    private final long bytes;

    AllocateOp(Block block, long bytes) {
        super("allocateAsync");
        this.block = block;
        this.bytes = bytes;
    }

    @Override
    void touch(Touch.Sink sink) {
        sink.block(block, bytes, "allocation");
    }

    @Override
    void submitted() {
        block.live = true;
    }

    @Override
    void run() {
        block.mapped = true;
        Poison.allocation(block.address, bytes);
    }

    @Override
    Op again() {
        return new AllocateOp(block, bytes);
    }
}
