package dev.basalt.sim;

/** The moment in stream order from which on an asynchronous allocation must not be used. */
final class FreeOp extends Op {
    private final DeviceMemory memory;
    private final Block block;
    private final long bytes;

    FreeOp(DeviceMemory memory, Block block) {
        super("freeAsync");
        this.memory = memory;
        this.block = block;
        this.bytes = block.bytes;
    }

    @Override
    void touch(Touch.Sink sink) {
        sink.block(block, bytes, "allocation");
    }

    @Override
    void submitted() {
        block.live = false;
        block.lastFree = this;
    }

    @Override
    void run() {
        memory.checkRedzone(block, bytes, stamp);
        block.mapped = false;
        if (block.orphan && block.lastFree == this) {
            memory.retire(block);
        }
    }

    @Override
    Op again() {
        return new FreeOp(memory, block);
    }
}
