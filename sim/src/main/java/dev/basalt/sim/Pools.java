package dev.basalt.sim;

import dev.basalt.sim.SimAllocation.Kind;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Stream-ordered allocation. Freed memory is given out again where the new use is ordered behind the free: on the same
 * stream, behind an event, or when the host has seen the free done. Blocks are not split; one is reused for anything down
 * to half its size.
 */
final class Pools {
    private static final long FIRST_POOL = 2_000_000;
    /** Small blocks are reused for anything that fits. */
    private static final long ANY_FIT = 64L << 10;

    private final Streams streams;
    private final DeviceMemory memory;
    private final OrderChecker checker;
    private final Spy spy;
    private final Timeline timeline;
    private final Map<Long, Pool> pools = new HashMap<>();
    private long next = FIRST_POOL;

    Pools(Streams streams, DeviceMemory memory, OrderChecker checker, Spy spy, Timeline timeline) {
        this.streams = streams;
        this.memory = memory;
        this.checker = checker;
        this.spy = spy;
        this.timeline = timeline;
    }

    long create() {
        pools.put(next, new Pool(next));
        return next++;
    }

    /** What is allocated stays so until it is freed; the rest goes back, behind the work that uses it. */
    void destroy(long number) {
        Pool pool = pool(number);
        pools.remove(number);
        pool.blocks.forEach(memory::abandon);
    }

    void trim(long number, long keep) {
        Pool pool = pool(number);
        Failures.require(keep >= 0, "a pool cannot keep " + keep + " bytes");
        release(pool, block -> pool.held() > keep);
    }

    Block allocate(long number, long bytes, SimStream stream) {
        Pool pool = pool(number);
        long need = memory.rounded(bytes);
        Block block = best(pool, candidate -> candidate.capacity >= need
                && (candidate.capacity <= 2 * need || candidate.capacity <= ANY_FIT) && ordered(candidate, stream));
        if (block == null) {
            block = grow(pool, bytes, stream);
        }
        block.bytes = bytes;
        block.generation++;
        streams.submit(new AllocateOp(block, bytes), stream);
        return block;
    }

    void free(Block block, SimStream stream) {
        streams.submit(new FreeOp(memory, block), stream);
    }

    List<String> leaks() {
        return pools.keySet().stream().map(number -> "pool " + number).toList();
    }

    /**
     * New memory from the device. If it has none, unused blocks of other sizes go back to it first; if that is not enough,
     * the stream is made to wait for memory that another one has freed, as CUDA does by its internal dependencies.
     */
    private Block grow(Pool pool, long bytes, SimStream stream) {
        try {
            return obtain(pool, bytes);
        } catch (DriverException e) {
            release(pool, block -> memory.free() < memory.rounded(bytes));
            if (memory.free() >= memory.rounded(bytes)) {
                return obtain(pool, bytes);
            }
            Block pending = best(pool, candidate -> candidate.capacity >= memory.rounded(bytes));
            if (pending == null) {
                throw e;
            }
            if (pending.lastFree != null) {
                streams.await(stream, pending.lastFree.recording());
            }
            return pending;
        }
    }

    private Block obtain(Pool pool, long bytes) {
        boolean busy = timeline.busy();
        Block block = memory.obtain(Kind.POOL, bytes, pool);
        pool.blocks.add(block);
        spy.call(DriverCall.POOL_GROWTH, "pool", pool.number, "bytes", bytes);
        if (busy) {
            timeline.spend(17_000);
        }
        return block;
    }

    private void release(Pool pool, Predicate<Block> wanted) {
        for (Block block : new ArrayList<>(pool.blocks)) {
            if (block.unused() && wanted.test(block)) {
                pool.blocks.remove(block);
                memory.retire(block);
            }
        }
    }

    private boolean ordered(Block block, SimStream stream) {
        return block.lastFree == null || checker.ordered(block.lastFree.stamp, stream.index);
    }

    private static Block best(Pool pool, Predicate<Block> fits) {
        return pool.blocks.stream()
                .filter(block -> !block.live && fits.test(block))
                .min(Comparator.comparingLong(block -> block.capacity))
                .orElse(null);
    }

    private Pool pool(long number) {
        Pool pool = pools.get(number);
        if (pool == null) {
            throw Failures.of(Code.INVALID_HANDLE, "no pool " + number + ", or it was destroyed");
        }
        return pool;
    }
}
