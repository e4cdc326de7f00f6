package dev.basalt.arrays;

import dev.basalt.Handle;
import dev.basalt.internal.call.Cores;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.workspace.Lifetime;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.portable.DirectDevice;
import java.lang.ref.Cleaner;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * What a thread calls with: a handle on the CPU, memory for operands, and the frame of a call. A platform thread keeps its lane. Virtual threads are many
 * and short-lived, so they take lanes from a pool and put them back after each call.
 */
final class Lane {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final ThreadLocal<Lane> OWN = new ThreadLocal<>();
    private static final ConcurrentLinkedQueue<Lane> POOL = new ConcurrentLinkedQueue<>();

    /** Operands of calls up to this size find their memory there from the first call on. */
    private static final long LEAST = 64 << 10;

    /** What remains of a lane when its thread has gone: it must not hold the lane. */
    private static final class Remains implements Runnable {
        final Handle handle = HostDevice.createHandle();
        final HandleCore core = Cores.of(handle);
        MemoryCore memory;

        /** The thread is inside the handle, or nobody can be any more. */
        void free() {
            if (memory != null) {
                long address = memory.address;
                memory = null;
                core.driver.free(address);
            }
        }

        @Override
        public void run() {
            free();
            handle.close();
            HostDevice.release();
        }
    }

    private final Remains remains = new Remains();
    private final Cleaner.Cleanable cleanable = CLEANER.register(this, remains);
    private final Frame frame = new Frame(this, remains.core);
    private final Stage stage = new Stage(this, remains.core);
    private final boolean reachesHeap = remains.core.driver instanceof DirectDevice direct && direct.reachesHeap();
    /** All that operands in arrays may stand for. */
    private final MemoryCore window = new MemoryCore(remains.core.driver, Long.MIN_VALUE, Long.MAX_VALUE,
            new Lifetime("the lane has been released", remains.core));

    private boolean closed;

    private Lane() {}

    /** This thread's lane. */
    static Lane take() {
        if (Thread.currentThread().isVirtual()) {
            Lane pooled = POOL.poll();
            return pooled != null ? pooled : new Lane();
        }
        Lane own = OWN.get();
        if (own == null) {
            own = new Lane();
            OWN.set(own);
        }
        return own;
    }

    /** Gives a lane back. */
    static void put(Lane lane) {
        if (Thread.currentThread().isVirtual()) {
            POOL.add(lane);
        }
    }

    Frame frame() {
        return frame;
    }

    Stage stage() {
        return stage;
    }

    /** Whether operands may stay in their arrays. */
    boolean reachesHeap() {
        return reachesHeap;
    }

    MemoryCore window() {
        return window;
    }

    MemoryCore memory() {
        return remains.memory;
    }

    /** Sees to it that so many bytes are there; the thread is inside the handle. What was in the memory before is lost. */
    void reserve(long bytes) {
        if (remains.memory != null && remains.memory.bytes >= bytes) {
            return;
        }
        remains.free();
        // A quarter more, so that a series of growing calls does not allocate each time.
        long size = Math.max(LEAST, bytes + bytes / 4);
        long address = remains.core.driver.allocate(size);
        remains.memory = new MemoryCore(remains.core.driver, address, size,
                new Lifetime("the memory of a lane has been released", remains.core));
    }

    /** Frees all that this thread has, or that virtual threads have left in the pool. */
    static void release() {
        if (Thread.currentThread().isVirtual()) {
            for (Lane lane = POOL.poll(); lane != null; lane = POOL.poll()) {
                lane.close();
            }
            return;
        }
        Lane own = OWN.get();
        if (own != null) {
            OWN.remove();
            own.close();
        }
    }

    private void close() {
        if (!closed) {
            closed = true;
            cleanable.clean();
        }
    }
}
