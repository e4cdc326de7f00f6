package dev.basalt.internal.workspace;

import dev.basalt.BlasException;
import dev.basalt.Scheme;
import dev.basalt.Status;
import dev.basalt.internal.telemetry.GrowEvent;
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
    /** Who of several threads is inside, for a workspace that handles share; null for a handle's own. */
    private final Turns turns;

    private Scheme scheme = Scheme.MANAGED;
    private Block block;
    private long size;
    private MemoryCore foreign;
    private long maxManagedBytes;
    private long reserved;
    private long highWater;
    /** The most ever lent, whatever the user forgets. */
    private long mostLent;
    private Census.Tally tally;
    private int attached;

    private final LoanStack loans = new LoanStack();
    /** What a loan inside another would have wanted the block to have. */
    private long wanted;

    private Block ownBlock;
    /** Whether anything was ever lent from the block as it is now. */
    private boolean used;

    private long orderEvent;
    private Limit limit = Limit.NONE;
    private DriverException refusal;
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
        this(driver, options, stream, false);
    }

    /**
     * A workspace on a device, for one handle or for several.
     *
     * @param driver the device
     * @param options how it starts
     * @param stream the stream of the handle it is made for
     * @param shared whether several handles will use it, which are told if two threads do so at once
     * @throws BlasException MEMORY_ERROR if a preallocated size cannot be had
     */
    public WorkspaceCore(DeviceDriver driver, WorkspaceOptions options, StreamRef stream, boolean shared) {
        this.driver = driver;
        this.turns = shared ? new Turns() : null;
        this.streamOrdered = options.streamOrdered() && driver.traits().memoryPools();
        if (options.streamOrdered() && !streamOrdered) {
            WorkspaceEvents.fallback(driver.name());
        }
        this.guard = options.guard() ? new Guard(driver) : null;
        this.store = new BlockStore(driver, streamOrdered, guard == null ? 0 : Guard.EXTRA,
                guard != null && driver.sanitizer() != null);
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

    /** Counts this workspace among those that are open; without it nobody sees it. */
    public void register() {
        tally = Census.open(this, device());
    }

    String device() {
        return driver.name();
    }

    /** Bytes lent now; any thread may ask. */
    long lent() {
        return loans.lentBytes() + loans.ownBytes();
    }

    long mostLent() {
        return mostLent;
    }

    /** A call ran a slower algorithm for want of workspace. */
    public void degraded() {
        if (tally != null) {
            tally.degraded.increment();
        }
    }

    private void grew(GrowEvent event, long handle, long from, String reason, String mechanism) {
        if (tally != null) {
            tally.growths.increment();
        }
        WorkspaceEvents.grew(event, handle, from, size, reason, mechanism);
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
        return size + loans.ownBytes();
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
     * Whether a lease is alive. One that was collected without having been closed is taken back first.
     *
     * @return true between lend and release
     */
    public boolean leased() {
        reclaim();
        return loans.depth() > 0;
    }

    /**
     * Whether a lease of a handle is alive.
     *
     * @param borrower the handle
     * @return true if so
     */
    public boolean lentTo(Borrower borrower) {
        reclaim();
        return loans.lentTo(borrower);
    }

    /**
     * Whether what is lent is watched.
     *
     * @return true in guard mode
     */
    public boolean isGuarded() {
        return guard != null;
    }

    /**
     * The loan that was lent last.
     *
     * @return loan, which is alive
     */
    public Loan last() {
        return loans.last();
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
     * How many use this workspace.
     *
     * @return handles, and one more as long as a shared workspace is open
     */
    public int attached() {
        return attached;
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
            throw new BlasException(Status.INVALID_SIZE, "setDeviceMemorySize",
                    "setDeviceMemorySize(" + n + "): the size is negative");
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
            throw failed(handle, "setDeviceMemorySize",
                    shortage("setDeviceMemorySize", bytes, bytes, e.getMessage(), e));
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
    public void setForeign(MemoryCore memory, long address, long available, long n, StreamRef stream, long handle) {
        changeable("setWorkspace", stream);
        if (memory == null || n == 0) {
            become(Scheme.MANAGED, null, 0, null, handle);
            return;
        }
        int alignment = driver.traits().alignment();
        String objection = memory.objection(driver);
        if (objection != null) {
            throw foreign(Status.INVALID_POINTER, objection);
        }
        if (address % alignment != 0) {
            throw foreign(Status.INVALID_POINTER,
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
                limit = Limit.FIXED_SIZE;
                throw failed(handle, "reserve", shortage("reserve", need, need, limit(), null));
            }
            return;
        }
        notCapturing("reserve", stream);
        if (need > usable() && !grow(need, stream, handle, "reserve", false)) {
            throw failed(handle, "reserve", shortage("reserve", need, need, limit(), refusal));
        }
        reserved = Math.max(reserved, need);
    }

    private BlasException failed(long handle, String routine, BlasException e) {
        WorkspaceEvents.failure(handle, routine, "", e);
        return e;
    }

    /**
     * Gives back what neither a lease nor a reservation needs.
     *
     * @param stream the handle's stream
     * @param handle for the event
     * @throws BlasException MEMORY_ERROR if the smaller block cannot be had, beside which the larger one goes; nothing has then changed
     */
    public void trim(StreamRef stream, long handle) {
        requireNoLease("trim");
        notCapturing("trim", stream);
        store.poll();
        if (scheme == Scheme.MANAGED && size > reserved) {
            long from = size;
            Block fresh;
            try {
                fresh = reserved == 0 ? null : store.obtain(reserved, true, stream);
            } catch (DriverException e) {
                throw new BlasException(Status.MEMORY_ERROR, "trim", null, 0,
                        "trim: a block of the " + reserved + " bytes reserved cannot be had beside the one of " + size
                                + " bytes that it would replace, which stays: " + e.getMessage(),
                        null, e);
            }
            replace(fresh, reserved);
            WorkspaceEvents.trim(handle, from, size, "trim()");
        }
        store.trimPool();
    }

    /**
     * Whether there is a block that the library chose by itself and that nothing was ever lent from.
     *
     * @return whether {@link #giveBackIdle} has something to give, to anybody who asks without being inside as of a moment ago
     */
    public boolean isIdle() {
        return scheme == Scheme.MANAGED && !used && loans.depth() == 0 && reserved == 0 && block != null
                && turns == null;
    }

    /**
     * Gives back a block that the library chose by itself and that nothing was ever lent from, since the device is short of memory.
     *
     * @param handle for the event
     * @return whether there was one
     */
    public boolean giveBackIdle(long handle) {
        if (!isIdle()) {
            return false;
        }
        long from = size;
        replace(null, 0);
        WorkspaceEvents.trim(handle, from, 0, "the device was short of memory, and this had not been used");
        return true;
    }

    private void replace(Block fresh, long bytes) {
        Block old = block;
        block = fresh;
        size = bytes;
        used = false;
        store.retire(old);
    }

    private void become(Scheme next, Block fresh, long bytes, MemoryCore owner, long handle) {
        Scheme before = scheme;
        if (foreign != null && block.last != null) {
            foreign.lastStream = block.last;
        }
        scheme = next;
        foreign = owner;
        reserved = 0;
        wanted = 0;
        if (owner != null) {
            fresh.last = owner.lastStream; // whoever had it as a workspace before
        }
        replace(fresh, bytes);
        WorkspaceEvents.scheme(handle, before, next, bytes);
    }

    private void changeable(String operation, StreamRef stream) {
        requireNoLease(operation);
        if (scheme == Scheme.PREALLOCATED) {
            throw new BlasException(Status.INVALID_VALUE, operation,
                    operation + ": this handle was created with a preallocated workspace of " + size
                            + " bytes, which cannot be altered; create a handle without a preallocated size");
        }
        notCapturing(operation, stream);
    }

    private void notCapturing(String operation, StreamRef stream) {
        if (driver.isCapturing(stream.id)) {
            throw new BlasException(Status.INTERNAL_ERROR, operation,
                    operation + ": not while the handle's stream is capturing; call it before capture()");
        }
    }

    private void requireNoLease(String operation) {
        reclaim();
        if (loans.depth() > 0) {
            throw new BlasException(Status.INTERNAL_ERROR, operation, operation + ": a lease of " + last().bytes
                    + " bytes is alive on this workspace, lent to " + last().routine + "; close it first");
        }
    }

    private static long roundedUp(String operation, long bytes) {
        try {
            return Chunks.up(bytes);
        } catch (ArithmeticException e) {
            throw new BlasException(Status.INVALID_SIZE, operation,
                    operation + "(" + bytes + "): the size does not fit 64 bits");
        }
    }

    /** Bytes that may be lent: a user's block may have a tail shorter than a chunk. */
    private long usable() {
        return size & -Chunks.CHUNK;
    }

    /**
     * Lends workspace for the best tier that can be had. Loans may be alive already: the new one then lies behind them in the block, or
     * in a block of its own where a managed workspace cannot grow in place.
     *
     * @param need the tiers
     * @param slots gets the slots' addresses, 0 for empty ones
     * @param borrower the handle, inside which this thread is
     * @param routine for messages and events
     * @return the tier's index, or -1 if not even the last tier fits; {@link #limit} then says why. What is lent is ended by
     *     {@link #release}; of a tier of 0 bytes nothing is
     */
    public int lend(Need need, long[] slots, Borrower borrower, String routine) {
        if (need.optimal() == 0) {
            clear(slots, need.slots(0));
            return 0;
        }
        if (turns == null) {
            return lendAlone(need, slots, borrower, routine);
        }
        turns.begin(routine);
        int tier = -1;
        try {
            tier = lendAlone(need, slots, borrower, routine);
        } finally {
            if (tier < 0 || need.total(tier) == 0) {
                turns.end();
            }
        }
        return tier;
    }

    /**
     * Whether a lease of so many bytes would be lent, and given back, with no more than numbers changed.
     *
     * @param bytes of the best tier
     * @param stream the handle's
     * @return true if {@link #lentAtOnce} may stand for both
     */
    public boolean lendsAtOnce(long bytes, StreamRef stream) {
        return bytes == 0 || block != null && bytes <= usable() && block.last == stream && wanted <= size
                && loans.depth() == 0 && ownBlock == null && guard == null && turns == null && foreign == null
                && stream.recording == null;
    }

    /**
     * Where a lease begins for which {@link #lendsAtOnce} said yes.
     *
     * @return an address
     */
    public long atOnce() {
        return block.address;
    }

    /**
     * Notes such a lease, which nobody keeps.
     *
     * @param bytes how much it would have been
     */
    public void lentAtOnce(long bytes) {
        if (bytes > 0) {
            used = true;
            highWater = Math.max(highWater, bytes);
            mostLent = Math.max(mostLent, highWater);
        }
    }

    private int lendAlone(Need need, long[] slots, Borrower borrower, String routine) {
        StreamRef stream = borrower.stream();
        reclaim();
        int tier = 0;
        if (need.total(0) > usable() - loans.lentBytes() || wanted > size) {
            tier = fit(need, stream, borrower.id(), routine);
            if (tier < 0 || need.total(tier) == 0) {
                if (tier >= 0) {
                    clear(slots, need.slots(tier));
                }
                return tier;
            }
        }
        if (foreign != null && !foreign.admits(borrower)) {
            throw new BlasException(Status.INVALID_POINTER, routine,
                    routine + ": the block given by setWorkspace cannot be used: " + foreign.objection(driver)
                            + "; give another block");
        }
        boolean own = ownBlock != null;
        Loan loan = loans.push(own ? ownBlock : block, own, borrower, routine, need.lent(tier));
        if (own) {
            ownBlock = null;
        }
        try {
            if (stream != loan.block.last) {
                order(loan.block, stream);
            }
            place(loan, need, tier, slots);
            if (stream.recording != null) {
                record(stream.recording, loan);
            }
        } catch (RuntimeException e) {
            if (guard != null) {
                guard.forget(loan);
            }
            pop(loan);
            throw e;
        }
        used = true;
        highWater = Math.max(highWater, loans.lentBytes() + loans.ownBytes());
        mostLent = Math.max(mostLent, highWater);
        return tier;
    }

    private void record(Recording recording, Loan loan) {
        recording.uses(loan.block);
        if (foreign != null) {
            recording.uses(foreign);
        }
    }

    private static void clear(long[] slots, int count) {
        for (int s = 0; s < count; s++) {
            slots[s] = 0;
        }
    }

    private void place(Loan loan, Need need, int tier, long[] slots) {
        long at = loan.block.address + loan.from;
        int count = need.slots(tier);
        if (guard != null) {
            boolean ours = scheme != Scheme.OWNED;
            long room = ours ? Guard.EXTRA - loans.zoneBytes(loan.block) : Math.min(usable() - loan.to, Guard.ZONE);
            guard.place(loan, need, tier, slots, room, ours, loans.depth() == 1);
            return;
        }
        for (int s = 0; s < count; s++) {
            long bytes = need.slot(tier, s);
            slots[s] = bytes == 0 ? 0 : at;
            at += bytes;
        }
    }

    /** The slow path of lending: allocate in stream order, grow, or go down the tiers. */
    private int fit(Need need, StreamRef stream, long handle, String routine) {
        boolean capturing = driver.isCapturing(stream.id);
        boolean async = streamOrdered && scheme == Scheme.MANAGED && !capturing;
        if (wanted > size && loans.depth() == 0 && !capturing && !async) {
            // An earlier call inside a lease had to take a block of its own: from now on there is room for both.
            long more = wanted;
            wanted = 0;
            grow(more, stream, handle, routine, false);
        }
        for (int t = 0; t < need.tiers(); t++) {
            long bytes = need.total(t);
            if (bytes == 0 || bytes <= usable() - loans.lentBytes()) {
                return t;
            }
            if (async) {
                // Beside a reservation the cap may leave no room for another block, but for a larger one in its place.
                if (obtainOwn(bytes, stream)
                        || (loans.depth() == 0 && size > 0 && grow(bytes, stream, handle, routine, false))) {
                    return t;
                }
            } else if (scheme != Scheme.MANAGED) {
                limit = Limit.FIXED_SIZE;
            } else if (capturing) {
                // Falling to a lower tier would freeze it into the graph for good: refuse, and say what to reserve.
                limit = Limit.CAPTURE;
                return -1;
            } else if (loans.depth() == 0
                    ? grow(bytes, stream, handle, routine, true)
                    : growBehind(bytes, stream, handle)) {
                return t;
            }
        }
        return -1;
    }

    /** A block for one loan alone: allocated in stream order, or because the block with the earlier loans must stay where it is. */
    private boolean obtainOwn(long bytes, StreamRef stream) {
        if (bytes > maxManagedBytes - size - loans.ownBytes()) {
            limit = Limit.CAP;
            return false;
        }
        try {
            ownBlock = store.obtain(bytes, stream, maxManagedBytes - size);
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
        limit = Limit.DEVICE;
        refusal = e;
    }

    /** Grows the block in place behind the loans in it, or else obtains another. */
    private boolean growBehind(long bytes, StreamRef stream, long handle) {
        long all = loans.lentBytes() + bytes;
        if (all > maxManagedBytes - loans.ownBytes()) {
            limit = Limit.CAP;
            return false;
        }
        GrowEvent event = WorkspaceEvents.growing();
        try {
            if (block != null && store.extend(block, all, all)) {
                long from = size;
                size = Math.min(store.capacity(block), Math.max(all, maxManagedBytes & -Chunks.CHUNK));
                grew(event, handle, from, "a call inside a lease", "in place");
                return true;
            }
        } catch (DriverException e) {
            refuse(e);
        }
        wanted = Math.max(wanted, all);
        return obtainOwn(bytes, stream);
    }

    private boolean grow(long need, StreamRef stream, long handle, String reason, boolean headroom) {
        if (need > maxManagedBytes) {
            limit = Limit.CAP;
            return false;
        }
        long roomy = headroom ? need + (Math.min(driver.traits().defaultWorkspace(), need / 4) & -Chunks.CHUNK) : need;
        roomy = Math.max(need, Math.min(roomy, maxManagedBytes & -Chunks.CHUNK));
        GrowEvent event = WorkspaceEvents.growing();
        long from = size;
        String mechanism = "new block";
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
            }
        } catch (DriverException e) {
            refuse(e);
            return false;
        }
        size = Math.min(store.capacity(block), Math.max(need, maxManagedBytes & -Chunks.CHUNK));
        grew(event, handle, from, reason, mechanism);
        return true;
    }

    /**
     * Ends the loan that was lent last.
     *
     * @param routine for messages of guard mode
     */
    public void release(String routine) {
        if (loans.depth() > 0) {
            giveBack(loans.last(), loans.last().serial, routine);
        }
    }

    /**
     * Whether a loan is alive.
     *
     * @param loan what was lent
     * @param serial its {@linkplain Loan#serial number} then
     * @return false once it was given back
     */
    public boolean isLent(Loan loan, long serial) {
        return loan.serial == serial && !loan.back && !closed;
    }

    /**
     * Ends a loan, in whatever order; a second time does nothing.
     *
     * @param loan what was lent
     * @param serial its {@linkplain Loan#serial number} then
     * @param routine for messages of guard mode
     */
    public void giveBack(Loan loan, long serial, String routine) {
        if (!isLent(loan, serial)) {
            return;
        }
        try {
            if (guard != null) {
                guard.check(loan, routine);
            }
        } finally {
            pop(loan);
            if (turns != null) {
                turns.end();
            }
        }
    }

    /** Lets other threads use a workspace that is shared, while a user's lease of it stays alive. */
    public void pause() {
        if (turns != null) {
            turns.end();
        }
    }

    /**
     * Goes on after {@link #pause}.
     *
     * @param operation what is called, for the message
     * @throws IllegalStateException if another thread is inside
     */
    public void resume(String operation) {
        if (turns != null) {
            turns.begin(operation);
        }
    }

    private void pop(Loan loan) {
        loans.drop(loan);
        if (loan.own) {
            Block freed = loan.block;
            loan.block = null;
            store.retire(freed);
        } else if (loan.stream != loan.block.last) {
            // A loan on another stream came in between: what comes after both waits for this one too.
            wait(loan.block.last, loan.stream);
        }
    }

    /** Takes back what users' leases left when they were collected without having been closed. */
    private void reclaim() {
        for (Loan loan = loans.lost(); loan != null; loan = loans.lost()) {
            pop(loan);
        }
    }

    /** Orders a block's next use behind its last one on another stream; the host does not wait. */
    void order(Block lent, StreamRef stream) {
        if (stream != lent.last) {
            wait(stream, lent.last);
            lent.last = stream;
        }
    }

    private void wait(StreamRef stream, StreamRef before) {
        if (before != null && before.isOpen() && stream.isOpen()) {
            if (orderEvent == 0) {
                orderEvent = driver.createEvent();
            }
            driver.recordEvent(orderEvent, before.id);
            driver.waitEvent(stream.id, orderEvent);
        }
    }

    /**
     * Orders the block behind its last use before a capture begins: inside one, an event from outside could not be waited for.
     *
     * @param stream the stream that will capture
     */
    public void beforeCapture(StreamRef stream) {
        if (block != null) {
            order(block, stream);
        }
    }

    /**
     * Orders a run of a graph with the other uses of the workspace it was recorded with.
     *
     * @param recording what was recorded
     * @param stream the stream of the run
     */
    public void run(Recording recording, StreamRef stream) {
        recording.order(this, stream);
    }

    /**
     * Ends what a graph keeps.
     *
     * @param recording what was recorded
     */
    public void unpin(Recording recording) {
        recording.unpin(driver);
    }

    /**
     * What stood in the way when {@link #lend} found no tier, or not the best.
     *
     * @return the limit, for people
     */
    public String limit() {
        return switch (limit) {
            case NONE -> "";
            case FIXED_SIZE -> "the size of this " + scheme + " workspace"
                    + (loans.lentBytes() > 0 ? ", of which " + loans.lentBytes() + " bytes are lent now" : "");
            case CAP -> "maxManagedBytes = " + maxManagedBytes;
            case CAPTURE -> "growth is not possible while the stream is capturing";
            case DEVICE -> "the device: " + (refusal == null ? "" : refusal.getMessage());
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
        // A lower tier would be frozen into a graph for good, so a capture takes nothing but the best.
        long least = limit == Limit.CAPTURE ? optimal : minimum;
        String text = routine + ": not enough workspace: needs " + (least == optimal ? "" : "at least ") + least
                + " bytes" + (least == optimal ? "" : " (best " + optimal + ")") + ", the handle holds " + size() + " ("
                + scheme + "), the device has " + free + " free; limit hit: " + hit + "; to fix: "
                + remedy(routine, least);
        return new BlasException(Status.MEMORY_ERROR, routine, null, 0, text,
                new BlasException.Shortage(least, optimal, size, free, hit), cause);
    }

    private String remedy(String routine, long bytes) {
        if (limit == Limit.CAPTURE) {
            return "call reserve(" + bytes + ") or reserve(plan) before capture()";
        }
        long all = loans.lentBytes() + bytes;
        if (routine.equals("setDeviceMemorySize") || limit == Limit.DEVICE) {
            return bytes > driver.totalMemory()
                    ? "ask for less than the " + driver.totalMemory() + " bytes that the device has"
                    : "free device memory (close arenas, handles and graphs that are not needed, trim() others), ask for"
                            + " less, or give the handle a block that you have by setWorkspace(memory, " + all + ")";
        }
        return switch (scheme) {
            case MANAGED -> maxManagedBytes < all
                    ? "raise maxManagedBytes to " + all + " or more"
                    : "free device memory, or give the handle a block with setWorkspace(memory, " + all + ")";
            case PREALLOCATED -> "create the handle with deviceMemorySize(" + all + ") or more";
            case MANUAL -> "call setDeviceMemorySize(" + all + ") or more";
            default -> "call setWorkspace with a block of " + all + " bytes or more";
        };
    }

    /**
     * Frees everything behind the work that uses it. If the device refuses to wait, nothing has changed.
     *
     * @throws BlasException INTERNAL_ERROR while a lease is alive
     */
    public void close() {
        if (closed) {
            return;
        }
        requireNoLease("close");
        if (block != null && block.last != null && block.last.isOpen()) {
            driver.synchronizeStream(block.last.id);
        }
        closed = true;
        if (tally != null) {
            tally.close(mostLent);
            Census.close(this);
        }
        if (foreign != null && block.last != null) {
            foreign.lastStream = block.last;
        }
        try {
            replace(null, 0);
            store.close();
        } finally {
            if (guard != null) {
                guard.close();
            }
            if (orderEvent != 0) {
                driver.destroyEvent(orderEvent);
                orderEvent = 0;
            }
        }
    }
}
