package dev.basalt.sim;

/** The moment in stream order from which on an asynchronous allocation must not be used. */
final class FreeOp extends Op {
    private final DeviceMemory memory;
    private final Block block;
    private final long bytes;
    private Recording completion;

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
        block.mapped = false;
        if (completion != null) {
            completion.done = true;
        }
        memory.checkRedzone(block, bytes, stamp);
        // A block may have been allocated again behind this in the stream before its pool went.
        if (block.orphan && block.lastFree == this && !block.live) {
            memory.retire(block);
        }
    }

    /** Lets another stream wait for this free, as if an event had been recorded behind it. */
    Recording recording() {
        if (completion == null) {
            completion = new Recording(stream, null);
            completion.stamp = stamp;
            completion.readyAt = stream.readyAt;
            completion.done = done;
        }
        return completion;
    }

    @Override
    Op again() {
        return new FreeOp(memory, block);
    }
}
