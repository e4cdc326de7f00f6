package dev.basalt.sim;

import dev.basalt.sim.SimAllocation.Kind;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.SystemMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The simulated device's memory: native blocks against a budget. */
final class DeviceMemory {
    /** Pages of virtual memory, as on a GPU. */
    static final long GRANULE = 2L << 20;

    private static final long MOST_ADDRESSES = 1L << 46;

    private record Delayed(long due, long bytes) {}

    private final long total;
    private final int alignment;
    private final SimFaults faults;
    private final Hazards hazards;
    private final Consumer<Block> forget;
    private final Graveyard graveyard = new Graveyard();
    private final NavigableMap<Long, Block> blocks = new TreeMap<>();
    private final ArrayDeque<Delayed> delayed = new ArrayDeque<>();
    private final Block host = new Block(Kind.HOST, 0, Long.MAX_VALUE, -1, null);
    private long used;
    private long calls;
    private long count;

    DeviceMemory(long total, int alignment, SimFaults faults, Hazards hazards, Consumer<Block> forget) {
        this.total = total;
        this.alignment = alignment;
        this.faults = faults;
        this.hazards = hazards;
        this.forget = forget;
        host.bytes = Long.MAX_VALUE;
        host.live = true;
        host.mapped = true;
    }

    /** Called for every driver call; delayed frees fall due by it. */
    void tick() {
        calls++;
        while (!delayed.isEmpty() && delayed.peek().due <= calls) {
            used -= delayed.poll().bytes;
        }
    }

    long total() {
        return total;
    }

    long free() {
        return total - used;
    }

    long rounded(long bytes) {
        return (bytes + alignment - 1) & -alignment;
    }

    /** The host's memory as one block, which never ends. */
    Block host() {
        return host;
    }

    /** New memory; the caller starts its first life. */
    Block obtain(Kind kind, long bytes, Pool pool) {
        long capacity = rounded(bytes);
        charge(capacity, "an allocation");
        long address;
        try {
            address = SystemMemory.allocate(capacity + Poison.REDZONE, alignment);
        } catch (DriverException e) {
            used -= capacity;
            throw e;
        }
        return add(new Block(kind, address, capacity, count++, pool));
    }

    /** New memory that is allocated at once, for {@code allocate}. */
    Block allocate(long bytes) {
        Block block = obtain(Kind.BLOCK, bytes, null);
        block.bytes = bytes;
        block.live = true;
        block.mapped = true;
        Poison.allocation(block.address, bytes);
        return block;
    }

    /** Addresses without memory. */
    Block reserve(long bytes) {
        if (bytes > MOST_ADDRESSES) {
            throw Failures.of(DriverException.Code.OUT_OF_MEMORY,
                    "a reservation of " + bytes + " bytes failed: the device has " + MOST_ADDRESSES + " addresses");
        }
        long size = granules(bytes);
        long raw = SystemMemory.reserve(size + GRANULE);
        Block block = new Block(Kind.RESERVED, granules(raw), size, count++, null);
        block.raw = raw;
        block.live = true;
        block.mapped = true;
        return add(block);
    }

    /** Memory behind the first bytes of a reservation. */
    void commit(Block block, long to) {
        long size = granules(to);
        charge(size - block.bytes, "a commit");
        try {
            SystemMemory.commit(block.address + block.bytes, size - block.bytes);
        } catch (DriverException e) {
            used -= size - block.bytes;
            throw e;
        }
        Poison.pages(block.address + block.bytes, size - block.bytes);
        block.bytes = size;
    }

    /** Gives a block back. No operation that could still run may touch it, or that operation fails. */
    void retire(Block block) {
        blocks.remove(block.address);
        block.live = false;
        block.mapped = false;
        forget.accept(block);
        long bytes = block.kind == Kind.RESERVED ? block.bytes : block.capacity;
        long delay = faults.freeDelay();
        if (delay > 0) {
            delayed.add(new Delayed(calls + delay, bytes));
        } else {
            used -= bytes;
        }
        if (block.kind == Kind.RESERVED) {
            SystemMemory.unreserve(block.raw, block.capacity + GRANULE);
        }
        graveyard.bury(block);
    }

    /** Gives a block back now, or when its last asynchronous free has run. */
    void abandon(Block block) {
        if (block.unused()) {
            retire(block);
        } else {
            block.orphan = true;
        }
    }

    /** Reports a block whose redzone was overwritten. */
    void checkRedzone(Block block, long bytes, Stamp free) {
        if (!Poison.intact(block.address + bytes)) {
            Footprint zone = Footprint.range(block.address + bytes, Poison.REDZONE);
            hazards.add(new Hazard(Hazard.Kind.OVERRUN,
                    new Hazard.Access("some earlier operation", -1, -1 - block.number, "redzone", true, zone.base(),
                            zone.end()),
                    Hazard.Access.of(free, block.describe().toString(), true, Footprint.range(block.address, bytes))));
        }
    }

    /** The block that begins at an address, or null. */
    Block at(long address) {
        return blocks.get(address);
    }

    /** The block that an address lies in, allocated or not, or null. */
    Block around(long address) {
        Map.Entry<Long, Block> entry = blocks.floorEntry(address);
        return entry != null && address < entry.getKey() + entry.getValue().capacity ? entry.getValue() : null;
    }

    /** The block that is gone and held an address, or null. */
    Block buried(long address) {
        return graveyard.around(address);
    }

    /** What is allocated now. */
    List<SimAllocation> allocations() {
        return blocks.values().stream().filter(block -> block.live).map(Block::describe).toList();
    }

    /** Gives everything back to the system. */
    void close() {
        for (Block block : new ArrayList<>(blocks.values())) {
            retire(block);
        }
        graveyard.close();
    }

    private Block add(Block block) {
        graveyard.clear(block.address, block.address + block.capacity);
        blocks.put(block.address, block);
        return block;
    }

    private void charge(long bytes, String what) {
        // Negative: rounding up overflowed.
        if (bytes < 0 || bytes > free()) {
            throw Failures.of(DriverException.Code.OUT_OF_MEMORY, what + " of " + bytes + " bytes failed: " + free()
                    + " of " + total + " bytes are free, " + blocks.size() + " blocks hold the others");
        }
        used += bytes;
    }

    private static long granules(long bytes) {
        return (bytes + GRANULE - 1) & -GRANULE;
    }
}
