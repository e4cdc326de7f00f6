package dev.basalt.sim;

import dev.basalt.sim.SimAllocation.Kind;
import dev.basalt.spi.SystemMemory;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Blocks that were given back. Their native memory is kept for a while, so that its addresses are not given out again at
 * once and a stale pointer is recognised.
 */
final class Graveyard {
    private static final long KEPT_BYTES = 32L << 20;
    private static final int KEPT_BLOCKS = 1024;
    private static final int REMEMBERED = 4096;

    private final NavigableMap<Long, Block> blocks = new TreeMap<>();
    private final ArrayDeque<Block> remembered = new ArrayDeque<>();
    private final ArrayDeque<Block> kept = new ArrayDeque<>();
    private long bytes;

    void bury(Block block) {
        blocks.put(block.address, block);
        remembered.add(block);
        if (remembered.size() > REMEMBERED) {
            Block oldest = remembered.poll();
            blocks.remove(oldest.address, oldest);
        }
        if (block.kind == Kind.RESERVED) {
            return;
        }
        kept.add(block);
        bytes += block.capacity;
        while (bytes > KEPT_BYTES || kept.size() > KEPT_BLOCKS) {
            release(kept.poll());
        }
    }

    /** The dead block that an address lay in, or null. */
    Block around(long address) {
        Map.Entry<Long, Block> entry = blocks.floorEntry(address);
        return entry != null && address < entry.getKey() + entry.getValue().capacity ? entry.getValue() : null;
    }

    /** Forgets the blocks that lay where there is a new one. */
    void clear(long from, long to) {
        Block before = around(from);
        if (before != null) {
            blocks.remove(before.address);
        }
        blocks.subMap(from, to).clear();
    }

    void close() {
        while (!kept.isEmpty()) {
            release(kept.poll());
        }
        blocks.clear();
    }

    private void release(Block block) {
        bytes -= block.capacity;
        SystemMemory.free(block.address);
    }
}
