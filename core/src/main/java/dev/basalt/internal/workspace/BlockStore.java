package dev.basalt.internal.workspace;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DriverException;
import java.util.ArrayDeque;
import java.util.function.LongPredicate;

/**
 * Obtains blocks from the device and gives them back behind the work that uses them, in the way that disturbs least: a workspace
 * that may grow gets an address range that grows in place; otherwise, or with stream-ordered allocation, a block comes from a
 * private pool, because an ordinary free waits for the whole device; ordinary allocation is for devices that have neither, and under
 * a sanitizer.
 * Every attempt passes the injected faults and, when it fails, the user's listener.
 */
final class BlockStore {
    /** A block waiting for the work that uses it. */
    private record Waiting(Block block, long event, long untilAttempt) {}

    private final DeviceDriver driver;
    private final boolean streamOrdered;
    private final long extra;
    private final boolean ordinary;
    private final Faults faults = new Faults();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private LongPredicate listener = bytes -> false;
    private long pool;
    /** Bytes of the pool's blocks in use, and the most of them since it was trimmed: what the pool holds. */
    private long pooled;

    private long held;
    private StreamRef lastFreed;
    private long lastFreedBytes;

    /**
     * A store.
     *
     * @param driver the device
     * @param streamOrdered whether blocks are allocated in stream order
     * @param extra bytes of each block that are not lent
     * @param ordinary whether all blocks are ordinary allocations, the only ones that a sanitizer takes parts of
     */
    BlockStore(DeviceDriver driver, boolean streamOrdered, long extra, boolean ordinary) {
        this.driver = driver;
        this.streamOrdered = streamOrdered;
        this.extra = extra;
        this.ordinary = ordinary;
    }

    Faults faults() {
        return faults;
    }

    void listener(LongPredicate onFailure) {
        listener = onFailure == null ? bytes -> false : onFailure;
    }

    /** A block of at least the given size; {@code growing}: one that may be extended later. */
    Block obtain(long bytes, boolean growing, StreamRef stream) {
        long physical = Math.addExact(bytes, extra);
        while (true) {
            try {
                poll();
                inject(physical);
                return allocate(physical, growing, stream);
            } catch (DriverException e) {
                if (e.code() != DriverException.Code.OUT_OF_MEMORY || !listener.test(bytes)) {
                    throw e;
                }
            }
        }
    }

    /** A block for one loan alone, from the pool if there is one, which then holds no more than {@code most} bytes. */
    Block obtain(long bytes, StreamRef stream, long most) {
        long physical = Math.addExact(bytes, extra);
        boolean again = lastFreed == stream && physical <= lastFreedBytes;
        if (pool != 0 && !again && held > most - physical) {
            // What was freed behind work still running cannot be used again on this stream, nor given back before.
            if (lastFreed != null && lastFreed.isOpen()) {
                driver.synchronizeStream(lastFreed.id);
            }
            trimPool();
        }
        return obtain(bytes, false, stream);
    }

    private void inject(long physical) {
        if (faults.next(physical)) {
            throw new DriverException(DriverException.Code.OUT_OF_MEMORY,
                    "injected fault: allocation attempt " + faults.attempts() + " of " + physical + " bytes");
        }
    }

    /** A full memory may have idle handles that hold what they have never used; without such the error stands. */
    private Block allocate(long physical, boolean growing, StreamRef stream) {
        long rounds = Borrowers.rounds(driver);
        try {
            return allocateOnce(physical, growing, stream);
        } catch (DriverException e) {
            Borrowers.relieve(driver, rounds, e);
            return allocateOnce(physical, growing, stream);
        }
    }

    private long commit(Block block, long want) {
        long rounds = Borrowers.rounds(driver);
        try {
            return driver.commit(block.address, block.bytes, want);
        } catch (DriverException e) {
            Borrowers.relieve(driver, rounds, e);
            return driver.commit(block.address, block.bytes, want);
        }
    }

    private Block allocateOnce(long physical, boolean growing, StreamRef stream) {
        if (growing && !streamOrdered && !ordinary && driver.traits().virtualMemory()) {
            long range = Math.max(physical, driver.totalMemory());
            long address = driver.reserve(range);
            try {
                return new Block(Block.Kind.RANGE, address, driver.commit(address, 0, physical), range);
            } catch (DriverException e) {
                driver.release(address);
                throw e;
            }
        }
        if (driver.traits().memoryPools() && !ordinary) {
            if (pool == 0) {
                pool = driver.createPool();
            }
            long address = driver.allocateAsync(pool, physical, stream.id);
            Block block = new Block(Block.Kind.POOL, address, physical, 0);
            block.last = stream;
            pooled += physical;
            held = Math.max(held, pooled);
            return block;
        }
        return new Block(Block.Kind.PLAIN, driver.allocate(physical), physical, 0);
    }

    /** Grows a block in place, to the roomy size or else to the needed one; false if it cannot be done that way. */
    boolean extend(Block block, long roomy, long need) {
        if (block.kind != Block.Kind.RANGE || Math.addExact(need, extra) > block.range) {
            return false;
        }
        if (block.bytes >= need + extra) {
            return true; // the device gives whole pages, so there may be more than was asked for before
        }
        long want = Math.min(Math.addExact(roomy, extra), block.range);
        while (true) {
            try {
                poll();
                inject(want);
                block.bytes = commit(block, want);
                return true;
            } catch (DriverException e) {
                if (e.code() != DriverException.Code.OUT_OF_MEMORY) {
                    throw e;
                }
                if (want > need + extra) {
                    want = need + extra;
                } else if (!listener.test(need)) {
                    throw e;
                }
            }
        }
    }

    /** Bytes of a block that may be lent. */
    long capacity(Block block) {
        return block == null ? 0 : (block.bytes - extra) & -Chunks.CHUNK;
    }

    /** Gives a block up; it is freed behind the work that uses it, and the host does not wait. */
    void retire(Block block) {
        if (block == null || !block.retire() || block.kind == Block.Kind.FOREIGN) {
            return;
        }
        if (block.kind == Block.Kind.POOL) {
            pooled -= block.bytes;
            lastFreed = block.last;
            lastFreedBytes = block.bytes;
            if (faults.delayedFrees() == 0) {
                block.free(driver);
                poll();
                return;
            }
        }
        long event = 0;
        if (block.last != null && block.last.isOpen()) {
            event = driver.createEvent();
            driver.recordEvent(event, block.last.id);
        }
        waiting.add(new Waiting(block, event, faults.attempts() + faults.delayedFrees()));
        poll();
    }

    /** Frees the blocks whose work is done. A pool keeps freed memory only where a lease is an allocation of its own. */
    void poll() {
        for (int i = waiting.size(); i > 0; i--) {
            Waiting w = waiting.removeFirst();
            if (faults.attempts() >= w.untilAttempt && (w.event == 0 || driver.queryEvent(w.event))) {
                release(w);
            } else {
                waiting.addLast(w);
            }
        }
        if (!streamOrdered) {
            trimPool();
        }
    }

    private void release(Waiting w) {
        w.block.free(driver);
        if (w.event != 0) {
            driver.destroyEvent(w.event);
        }
    }

    void trimPool() {
        if (pool != 0) {
            driver.trimPool(pool, 0);
            held = pooled;
        }
    }

    /** Waits for the work of every block given up, and frees them and the pool. */
    void close() {
        while (!waiting.isEmpty()) {
            Waiting w = waiting.removeFirst();
            if (w.event != 0) {
                driver.synchronizeEvent(w.event);
            }
            release(w);
        }
        if (pool != 0) {
            driver.destroyPool(pool);
            pool = 0;
        }
    }
}
