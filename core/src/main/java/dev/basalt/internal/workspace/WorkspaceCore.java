package dev.basalt.internal.workspace;

import dev.basalt.BlasException;
import dev.basalt.DeviceMemory;
import dev.basalt.Scheme;
import dev.basalt.Status;
import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.GrowEvent;
import dev.basalt.internal.telemetry.SchemeEvent;
import dev.basalt.internal.telemetry.TrimEvent;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DriverException;
import java.util.function.LongPredicate;

/**
 * The workspace of one handle, or of several handles that take turns: the state machine of the four schemes, lending, growth, and
 * the order between streams. Not thread-safe; the handles that use it see to that.
 *
 * <p>Three things hold after every operation, failed ones included: what {@link #size} says is there; a lease lies inside one
 * block; and no block is freed before the work that uses it is done.
 */
public final class WorkspaceCore {
    private final DeviceDriver driver;
    private final BlockStore store;
    private final Guard guard;
    private final boolean streamOrdered;

    private Scheme scheme = Scheme.MANAGED;
    private Block block;
    private long size;
    private DeviceMemory foreign;
    private long maxManagedBytes;
    private long reserved;
    private long highWater;
    private int attached;

    private boolean leased;
    private Block asyncBlock;
    private StreamRef leaseStream;
    private StreamRef lastStream;
    private long orderEvent;
    private String limit = "";
    private boolean closed;

    /**
     * A workspace on a device.
     *
     * @param driver the device
     * @param options how it starts
     * @param stream the stream of the handle it is made for
     * @throws BlasException MEMORY_ERROR if a preallocated size cannot be had
     */
    public WorkspaceCore(DeviceDriver driver, WorkspaceOptions options, StreamRef stream) {
        this.driver = driver;
        this.streamOrdered = options.streamOrdered() && driver.traits().memoryPools();
        this.guard = options.guard() ? new Guard(driver) : null;
        this.store = new BlockStore(
                driver, streamOrdered, guard == null ? 0 : Guard.EXTRA, guard != null && driver.sanitizer() != null);
        this.maxManagedBytes = options.maxManagedBytes();
        if (options.preallocated() >= 0) {
            scheme = Scheme.PREALLOCATED;
            try {
                block = store.obtain(Chunks.up(options.preallocated()), false, stream);
            } catch (DriverException e) {
                store.close();
                throw shortage("createHandle", options.preallocated(), options.preallocated(), e.getMessage(), e);
            }
            size = options.preallocated();
        } else if (!streamOrdered && options.initial() > 0) {
            long initial = Math.min(options.initial(), maxManagedBytes & -Chunks.CHUNK);
            try {
                if (initial > 0) {
                    block = store.obtain(initial, true, stream);
                    size = initial;
                }
            } catch (DriverException e) {
                if (e.code() != DriverException.Code.OUT_OF_MEMORY) {
                    throw e;
                }
                size = 0; // a full device must not prevent a handle: most calls need no memory, and growth tries again
            }
        }
    }

    /**
     * The scheme.
     *
     * @return scheme
     */
    public Scheme scheme() {
        return scheme;
    }

    /**
     * Bytes held now.
     *
     * @return bytes
     */
    public long size() {
        return size;
    }

    /**
     * The most ever lent to one call.
     *
     * @return bytes
     */
    public long highWater() {
        return highWater;
    }

    /** Forgets the high water. */
    public void resetHighWater() {
        highWater = 0;
    }

    /**
     * Whether allocation is stream-ordered.
     *
     * @return true if asked for and supported
     */
    public boolean streamOrdered() {
        return streamOrdered;
    }

    /**
     * Whether a lease is alive.
     *
     * @return true between lend and release
     */
    public boolean leased() {
        return leased;
    }

    /**
     * The injected faults of this workspace.
     *
     * @return faults
     */
    public Faults faults() {
        return store.faults();
    }

    /**
     * Sets who is asked when an allocation fails.
     *
     * @param listener gets the bytes that could not be had; true to try again
     */
    public void onAllocationFailure(LongPredicate listener) {
        store.listener(listener);
    }

    /**
     * Sets how far a managed workspace may grow.
     *
     * @param bytes most bytes
     */
    public void maxManagedBytes(long bytes) {
        maxManagedBytes = bytes;
    }

    /**
     * How far a managed workspace may grow.
     *
     * @return bytes
     */
    public long maxManagedBytes() {
        return maxManagedBytes;
    }

    /** Counts a handle that uses this workspace. */
    public void attach() {
        attached++;
    }

    /**
     * Drops a handle that used this workspace.
     *
     * @return handles left
     */
    public int detach() {
        return --attached;
    }

    /**
     * rocBLAS's set_device_memory_size.
     *
     * @param n bytes; 0 for MANAGED
     * @param stream the handle's stream
     * @param handle for the event
     */
    public void setSize(long n, StreamRef stream, long handle) {
        changeable("setDeviceMemorySize", stream);
        if (n < 0) {
            throw new BlasException(
                    Status.INVALID_SIZE, "setDeviceMemorySize", "setDeviceMemorySize(" + n + "): the size is negative");
        }
        if (n == 0) {
            become(Scheme.MANAGED, null, 0, null, handle);
            return;
        }
        long bytes = roundedUp("setDeviceMemorySize", n);
        Block fresh;
        try {
            fresh = store.obtain(bytes, false, stream);
        } catch (DriverException e) {
            throw shortage("setDeviceMemorySize", bytes, bytes, e.getMessage(), e);
        }
        become(Scheme.MANUAL, fresh, bytes, null, handle);
    }

    /**
     * rocBLAS's set_workspace.
     *
     * @param memory the user's block, or null for MANAGED
     * @param address its address
     * @param available bytes from there to its end
     * @param n bytes to use; 0 for MANAGED
     * @param stream the handle's stream
     * @param handle for the event
     */
    public void setForeign(DeviceMemory memory, long address, long available, long n, StreamRef stream, long handle) {
        changeable("setWorkspace", stream);
        if (memory == null || n == 0) {
            become(Scheme.MANAGED, null, 0, null, handle);
            return;
        }
        int alignment = driver.traits().alignment();
        if (!memory.isOn(driver)) {
            throw foreign(
                    Status.INVALID_POINTER,
                    "the block is on " + memory.deviceName() + ", the handle on " + driver.name());
        }
        if (!memory.isOpen()) {
            throw foreign(Status.INVALID_POINTER, "the arena that owns the block is closed");
        }
        if (address % alignment != 0) {
            throw foreign(
                    Status.INVALID_POINTER,
                    "the block starts " + address % alignment + " bytes past a multiple of " + alignment);
        }
        if (n < Chunks.CHUNK) {
            throw foreign(Status.INVALID_SIZE, n + " bytes are less than one chunk of " + Chunks.CHUNK);
        }
        if (n > available) {
            throw foreign(Status.INVALID_SIZE, n + " bytes were given, but the block has only " + available);
        }
        become(Scheme.OWNED, new Block(Block.Kind.FOREIGN, address, n, 0), n, memory, handle);
    }

    private static BlasException foreign(Status status, String text) {
        return new BlasException(status, "setWorkspace", "setWorkspace: " + text);
    }

    /**
     * Makes sure that calls of a given need find it without growing.
     *
     * @param bytes what they need at once
     * @param stream the handle's stream
     * @param handle for the event
     */
    public void reserve(long bytes, StreamRef stream, long handle) {
        requireNoLease("reserve");
        long need = roundedUp("reserve", bytes);
        if (scheme != Scheme.MANAGED) {
            if (need > usable()) {
                limit = "the size of this " + scheme + " workspace";
                throw shortage("reserve", need, need, limit, null);
            }
            return;
        }
        notCapturing("reserve", stream);
        if (need > usable() && !grow(need, stream, handle, "reserve", false)) {
            throw shortage("reserve", need, need, limit, null);
        }
        reserved = Math.max(reserved, need);
    }

    /**
     * Gives back what neither a lease nor a reservation needs.
     *
     * @param stream the handle's stream
     * @param handle for the event
     */
    public void trim(StreamRef stream, long handle) {
        requireNoLease("trim");
        notCapturing("trim", stream);
        store.poll();
        if (scheme == Scheme.MANAGED && size > reserved) {
            long from = size;
            Block fresh = reserved == 0 ? null : store.obtain(reserved, true, stream);
            Block old = block;
            block = fresh;
            size = reserved;
            store.retire(old);
            if (FlightRecording.on()) {
                TrimEvent event = new TrimEvent();
                event.handle = handle;
                event.from = from;
                event.to = size;
                event.cause = "trim()";
                event.commit();
            }
        }
        store.trimPool();
    }

    private void become(Scheme next, Block fresh, long bytes, DeviceMemory owner, long handle) {
        Scheme before = scheme;
        Block old = block;
        if (fresh != null && fresh.kind == Block.Kind.FOREIGN) {
            fresh.last = lastStream; // it may be a block that this handle has used before
        }
        scheme = next;
        block = fresh;
        size = bytes;
        foreign = owner;
        reserved = 0;
        if (FlightRecording.on()) {
            SchemeEvent event = new SchemeEvent();
            event.handle = handle;
            event.from = before.name();
            event.to = next.name();
            event.bytes = bytes;
            event.commit();
        }
        store.retire(old);
    }

    private void changeable(String operation, StreamRef stream) {
        requireNoLease(operation);
        if (scheme == Scheme.PREALLOCATED) {
            throw new BlasException(
                    Status.INVALID_VALUE,
                    operation,
                    operation + ": this handle was created with a preallocated workspace of " + size
                            + " bytes, which cannot be altered; create a handle without a preallocated size");
        }
        notCapturing(operation, stream);
    }

    private void notCapturing(String operation, StreamRef stream) {
        if (driver.isCapturing(stream.id)) {
            throw new BlasException(
                    Status.INTERNAL_ERROR,
                    operation,
                    operation + ": not while the handle's stream is capturing; call it before capture()");
        }
    }

    private void requireNoLease(String operation) {
        if (leased) {
            throw new BlasException(
                    Status.INTERNAL_ERROR,
                    operation,
                    operation
                            + ": a lease is alive on this workspace; close it first (one lease may be alive at a time)");
        }
    }

    private static long roundedUp(String operation, long bytes) {
        try {
            return Chunks.up(bytes);
        } catch (ArithmeticException e) {
            throw new BlasException(
                    Status.INVALID_SIZE, operation, operation + "(" + bytes + "): the size does not fit 64 bits");
        }
    }

    /** Bytes that may be lent: a user's block may have a tail shorter than a chunk. */
    private long usable() {
        return size & -Chunks.CHUNK;
    }

    /**
     * Lends workspace for the best tier that can be had.
     *
     * @param need the tiers
     * @param slots gets the slots' addresses, 0 for empty ones
     * @param stream the handle's stream
     * @param handle for events
     * @param routine for messages and events
     * @return the tier's index, or -1 if not even the last tier fits; {@link #limit} then says why
     */
    public int lend(Need need, long[] slots, StreamRef stream, long handle, String routine) {
        long best = need.optimal();
        int tier = 0;
        if (best == 0) {
            clear(slots, need.slots(0));
            return 0;
        }
        if (leased) {
            requireNoLease(routine);
        }
        boolean async = streamOrdered && scheme == Scheme.MANAGED;
        if (async || best > usable()) {
            tier = fit(need, stream, handle, routine, async);
            if (tier < 0 || need.total(tier) == 0) {
                if (tier >= 0) {
                    clear(slots, need.slots(tier));
                }
                return tier;
            }
        }
        if (scheme == Scheme.OWNED && !foreign.isOpen()) {
            throw new BlasException(
                    Status.INVALID_POINTER,
                    routine,
                    routine
                            + ": the arena that owns the workspace given by setWorkspace is closed; give another block");
        }
        Block lent = asyncBlock != null ? asyncBlock : block;
        try {
            if (stream != lent.last) {
                order(lent, stream);
            }
            place(need, tier, slots, stream);
        } catch (RuntimeException e) {
            notLent();
            throw e;
        }
        lastStream = stream;
        leased = true;
        leaseStream = stream;
        highWater = Math.max(highWater, need.total(tier));
        return tier;
    }

    /** The device refused to order or to paint a block that was to be lent. */
    private void notLent() {
        Block freed = asyncBlock;
        asyncBlock = null;
        if (guard != null) {
            guard.forget();
        }
        if (freed != null) {
            store.retire(freed);
        }
    }

    private static void clear(long[] slots, int count) {
        for (int s = 0; s < count; s++) {
            slots[s] = 0;
        }
    }

    private void place(Need need, int tier, long[] slots, StreamRef stream) {
        Block lent = asyncBlock != null ? asyncBlock : block;
        long at = lent.address;
        int count = need.slots(tier);
        if (guard == null) {
            for (int s = 0; s < count; s++) {
                long bytes = need.slot(tier, s);
                slots[s] = bytes == 0 ? 0 : at;
                at += bytes;
            }
            return;
        }
        boolean zones = scheme != Scheme.OWNED;
        guard.begin();
        for (int s = 0; s < count; s++) {
            long bytes = need.slot(tier, s);
            if (bytes > 0 && zones) {
                guard.zone(at, stream.id);
                at += Guard.ZONE;
            }
            slots[s] = bytes == 0 ? 0 : at;
            guard.poison(at, bytes, stream.id);
            at += bytes;
        }
        if (zones || need.total(tier) + Guard.ZONE <= usable()) {
            guard.zone(at, stream.id);
        }
        if (zones) {
            guard.watch(lent, stream.id);
            for (int s = 0; s < count; s++) {
                guard.allow(slots[s], need.slot(tier, s));
            }
        }
    }

    /** The slow path of lending: allocate in stream order, grow, or go down the tiers. */
    private int fit(Need need, StreamRef stream, long handle, String routine, boolean async) {
        boolean capturing = driver.isCapturing(stream.id);
        for (int t = 0; t < need.tiers(); t++) {
            long bytes = need.total(t);
            if (bytes == 0) {
                return t;
            }
            if (async && !capturing) {
                if (obtainAsync(bytes, stream)) {
                    return t;
                }
            } else if (bytes <= usable()) {
                return t;
            } else if (scheme != Scheme.MANAGED) {
                limit = "the size of this " + scheme + " workspace";
            } else if (capturing) {
                // Falling to a lower tier would freeze it into the graph for good: refuse, and say what to reserve.
                limit = "growth is not possible while the stream is capturing; call reserve(" + need.optimal()
                        + ") or reserve(plan) before capture()";
                return -1;
            } else if (grow(bytes, stream, handle, routine, true)) {
                return t;
            }
        }
        return -1;
    }

    private boolean obtainAsync(long bytes, StreamRef stream) {
        if (bytes > maxManagedBytes) {
            limit = "maxManagedBytes = " + maxManagedBytes;
            return false;
        }
        try {
            asyncBlock = store.obtain(bytes, false, stream);
            return true;
        } catch (DriverException e) {
            refuse(e);
            return false;
        }
    }

    private void refuse(DriverException e) {
        if (e.code() != DriverException.Code.OUT_OF_MEMORY) {
            throw e;
        }
        limit = "the device: " + e.getMessage();
    }

    private boolean grow(long need, StreamRef stream, long handle, String reason, boolean headroom) {
        if (need > maxManagedBytes) {
            limit = "maxManagedBytes = " + maxManagedBytes;
            return false;
        }
        long roomy = headroom ? need + (Math.min(driver.traits().defaultWorkspace(), need / 4) & -Chunks.CHUNK) : need;
        roomy = Math.max(need, Math.min(roomy, maxManagedBytes & -Chunks.CHUNK));
        GrowEvent event = FlightRecording.on() ? new GrowEvent() : null;
        if (event != null) {
            event.begin();
        }
        long from = size;
        String mechanism;
        try {
            if (block != null && store.extend(block, roomy, need)) {
                mechanism = "in place";
            } else {
                Block fresh;
                try {
                    fresh = store.obtain(roomy, true, stream);
                } catch (DriverException e) {
                    if (e.code() != DriverException.Code.OUT_OF_MEMORY || roomy == need) {
                        throw e;
                    }
                    fresh = store.obtain(need, true, stream);
                }
                Block old = block;
                block = fresh;
                store.retire(old);
                mechanism = "new block";
            }
        } catch (DriverException e) {
            refuse(e);
            return false;
        }
        size = Math.min(store.capacity(block), Math.max(need, maxManagedBytes & -Chunks.CHUNK));
        if (event != null) {
            event.end();
            event.handle = handle;
            event.from = from;
            event.to = size;
            event.reason = reason;
            event.mechanism = mechanism;
            event.commit();
        }
        return true;
    }

    /**
     * Ends the lease.
     *
     * @param routine for messages of guard mode
     */
    public void release(String routine) {
        if (!leased) {
            return;
        }
        leased = false;
        Block freed = asyncBlock;
        asyncBlock = null;
        try {
            if (guard != null) {
                guard.check(routine, leaseStream.id);
            }
        } finally {
            if (freed != null) {
                store.retire(freed);
            }
        }
    }

    /** Orders a block's next use behind its last one on another stream; the host does not wait. */
    private void order(Block lent, StreamRef stream) {
        if (lent.last != null && lent.last.isOpen()) {
            if (orderEvent == 0) {
                orderEvent = driver.createEvent();
            }
            driver.recordEvent(orderEvent, lent.last.id);
            driver.waitEvent(stream.id, orderEvent);
        }
        lent.last = stream;
    }

    /**
     * Orders the block behind its last use before a capture begins: inside one, an event from outside could not be waited for.
     *
     * @param stream the stream that will capture
     */
    public void beforeCapture(StreamRef stream) {
        if (block != null && stream != block.last) {
            order(block, stream);
        }
    }

    /**
     * What stood in the way when {@link #lend} found no tier.
     *
     * @return the limit, for people
     */
    public String limit() {
        return limit;
    }

    /**
     * Keeps the block alive for a graph.
     *
     * @return what to run when the graph is closed
     */
    public Runnable pin() {
        if (block == null) {
            return () -> {};
        }
        Block pinned = block;
        pinned.pin();
        return () -> {
            if (pinned.unpin()) {
                driver.synchronize();
                pinned.free(driver);
            }
        };
    }

    /**
     * An error with all memory figures and the call that would fix it.
     *
     * @param routine what was called
     * @param minimum bytes the last tier needs
     * @param optimal bytes the first tier needs
     * @param hit which limit was hit
     * @param cause the device's error, or null
     * @return exception to throw
     */
    public BlasException shortage(String routine, long minimum, long optimal, String hit, Throwable cause) {
        long free = driver.freeMemory();
        String remedy = switch (scheme) {
            case MANAGED ->
                maxManagedBytes < minimum
                        ? "raise maxManagedBytes to " + minimum + " or more"
                        : "free device memory, or give the handle a block with setWorkspace(memory, " + minimum + ")";
            case PREALLOCATED -> "create the handle with deviceMemorySize(" + minimum + ") or more";
            case MANUAL -> "call setDeviceMemorySize(" + minimum + ") or more";
            default -> "call setWorkspace with a block of " + minimum + " bytes or more";
        };
        String text = routine + ": not enough workspace: needs at least " + minimum + " bytes (best " + optimal
                + "), the handle holds " + size + " (" + scheme + "), the device has " + free + " free; limit hit: "
                + hit
                + "; to fix: " + remedy;
        return new BlasException(
                Status.MEMORY_ERROR,
                routine,
                null,
                0,
                text,
                new BlasException.Shortage(minimum, optimal, size, free, hit),
                cause);
    }

    /** Frees everything behind the work that uses it. */
    public void close() {
        if (closed) {
            return;
        }
        requireNoLease("close");
        closed = true;
        if (block != null && block.last != null && block.last.isOpen()) {
            driver.synchronizeStream(block.last.id);
        }
        store.retire(block);
        block = null;
        size = 0;
        store.close();
        if (guard != null) {
            guard.close();
        }
        if (orderEvent != 0) {
            driver.destroyEvent(orderEvent);
            orderEvent = 0;
        }
    }
}
