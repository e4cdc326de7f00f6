package dev.basalt.host;

import dev.basalt.spi.DriverException;
import java.util.Arrays;

/**
 * Pools for stream-ordered allocation. Streams run inline, so what is freed may be used again at once, on any stream. A
 * pool keeps what is freed: a steady state asks the system for nothing.
 */
final class HostPools {
    private final HostMemory memory;
    private final HandleTable ids = new HandleTable("pool", 3);
    private final AddressTable lent = new AddressTable();
    private BlockPool[] pools = new BlockPool[4];

    /**
     * No pools yet.
     *
     * @param memory where blocks come from
     */
    HostPools(HostMemory memory) {
        this.memory = memory;
    }

    /** A new pool. */
    synchronized long create() {
        long pool = ids.create();
        int slot = HandleTable.slot(pool);
        if (slot >= pools.length) {
            pools = Arrays.copyOf(pools, 2 * slot);
        }
        pools[slot] = new BlockPool();
        return pool;
    }

    /** Ends a pool. Blocks of it that are lent stay valid and go back to the system when they are freed. */
    synchronized void destroy(long pool) {
        trim(pool, 0);
        pools[HandleTable.slot(pool)] = null;
        ids.destroy(pool);
    }

    /** Ends all pools. */
    synchronized void destroyAll() {
        trimAll();
        Arrays.fill(pools, null);
        ids.destroyAll();
    }

    /**
     * Gives idle blocks back to the system, the largest first.
     *
     * @param pool the pool
     * @param keep bytes it may keep
     */
    synchronized void trim(long pool, long keep) {
        trim(pool(pool), keep);
    }

    /**
     * Gives the idle blocks of all pools back to the system, when it has no memory left.
     *
     * @return whether there were any
     */
    synchronized boolean trimAll() {
        boolean any = false;
        for (BlockPool pool : pools) {
            if (pool != null && pool.idleBytes() > 0) {
                trim(pool, 0);
                any = true;
            }
        }
        return any;
    }

    private void trim(BlockPool pool, long keep) {
        while (pool.idleBytes() > Math.max(0, keep)) {
            memory.freePooled(pool.takeLargest());
        }
    }

    /**
     * Lends a block.
     *
     * @param pool the pool
     * @param bytes how many
     * @return address
     */
    synchronized long allocate(long pool, long bytes) {
        BlockPool blocks = pool(pool);
        if (bytes <= 0 || bytes > 1L << 60) {
            return memory.allocatePooled(bytes);
        }
        long blockBytes = BlockPool.blockBytes(bytes);
        long address = blocks.take(bytes);
        if (address == 0) {
            address = fresh(blockBytes);
        }
        lent.put(address, blockBytes, pool);
        return address;
    }

    private long fresh(long blockBytes) {
        try {
            return memory.allocatePooled(blockBytes);
        } catch (DriverException e) {
            if (e.code() != DriverException.Code.OUT_OF_MEMORY || !trimAll()) {
                throw e;
            }
            return memory.allocatePooled(blockBytes);
        }
    }

    /** Takes a block back into the pool that lent it. */
    synchronized void free(long address) {
        if (!lent.contains(address)) {
            throw HostMemory.unknown(address);
        }
        long pool = lent.extra(address);
        long blockBytes = lent.remove(address);
        if (ids.isAlive(pool)) {
            pools[HandleTable.slot(pool)].put(address, blockBytes);
        } else {
            memory.freePooled(address);
        }
    }

    private BlockPool pool(long pool) {
        ids.check(pool);
        return pools[HandleTable.slot(pool)];
    }
}
