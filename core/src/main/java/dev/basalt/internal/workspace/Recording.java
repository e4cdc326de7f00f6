package dev.basalt.internal.workspace;

import dev.basalt.spi.DeviceDriver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * What a capture records: by which thread, with whose workspace and on which memory. The graph keeps the blocks of workspace, and does not
 * run once the memory of an operand is gone.
 */
public final class Recording {
    private final Thread thread = Thread.currentThread();
    private final Set<Block> blocks = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<MemoryCore> memories = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<StreamRef> streams = new ArrayList<>();

    /**
     * Begins on a stream.
     *
     * @param stream the stream that records
     */
    public Recording(StreamRef stream) {
        join(stream);
    }

    /**
     * Another stream that waits for this one records too from then on.
     *
     * @param stream the stream
     */
    public void join(StreamRef stream) {
        if (stream.recording != this) {
            streams.add(stream);
            stream.recording = this;
        }
    }

    /** The streams record no longer. */
    public void end() {
        for (StreamRef stream : streams) {
            stream.recording = null;
        }
    }

    /**
     * The thread that records.
     *
     * @return thread
     */
    public Thread thread() {
        return thread;
    }

    /**
     * Notes the memory of an operand.
     *
     * @param memory the memory
     */
    public void uses(MemoryCore memory) {
        memories.add(memory);
    }

    /** Notes a block that was lent. */
    void uses(Block block) {
        if (blocks.add(block)) {
            block.pin();
        }
    }

    /**
     * Lets a handle see to it that its calls may use the memory when the graph runs.
     *
     * @param by who runs the graph
     * @return why the graph cannot run, for people; null if it can
     */
    public String objection(Borrower by) {
        for (MemoryCore memory : memories) {
            if (!memory.admits(by)) {
                return memory.objection(by.driver());
            }
        }
        return null;
    }

    /** Orders a run of the graph behind the last use of each block, and makes it the last use. */
    void order(WorkspaceCore workspace, StreamRef stream) {
        for (Block block : blocks) {
            workspace.order(block, stream);
        }
    }

    /** Gives the blocks up; those that no workspace holds any more are freed behind the work on them. */
    void unpin(DeviceDriver driver) {
        for (Block block : blocks) {
            if (block.unpin()) {
                if (block.last != null && block.last.isOpen()) {
                    driver.synchronizeStream(block.last.id);
                }
                block.free(driver);
            }
        }
        blocks.clear();
        memories.clear();
    }
}
