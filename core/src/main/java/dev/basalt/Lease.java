package dev.basalt;

import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.Lifetime;
import dev.basalt.internal.workspace.Loan;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.internal.workspace.Need;
import java.lang.foreign.Arena;

/**
 * Workspace lent by {@link Handle#deviceMalloc}: for whoever writes a routine of their own. Close it when the work that uses it
 * has been issued (not: done). Calls on the same handle may be made meanwhile: what they borrow lies behind it.
 *
 * <p>A lease that is collected without having been closed is named by leak detection and taken back at the handle's next call. With leak
 * detection off a closed lease serves again for a later {@code deviceMalloc} of its handle, so that lending makes no garbage: do not
 * keep it.
 */
public final class Lease implements AutoCloseable, DeviceMemory.Owner {
    private final Handle owner;
    private final HandleCore handle;
    private final Lifetime lifetime = new Lifetime("the lease of this workspace is closed", this);

    private String routine;
    private Need need;
    private int tier;
    private DeviceMemory[] slots = {};
    private int count;
    private BlasException failure;
    private Loan loan;
    private long serial;
    private LeakRegistry.Entry leak;
    private Arena segments;
    private Thread segmentsOf;
    private boolean open;
    /** The need of a list of sizes, which serves again with this lease. */
    private final Need sizes = new Need();

    Lease(Handle owner) {
        this.owner = owner;
        this.handle = owner.core;
    }

    Need sizes() {
        return sizes;
    }

    /** Fills this with what was lent; {@code lent} is null where no byte was asked for or could be had. */
    void begin(String name, Need asked, int lentTier, long[] addresses, Loan lent, BlasException reason) {
        routine = name;
        need = asked;
        tier = lentTier;
        failure = reason;
        loan = lent;
        serial = lent == null ? 0 : lent.serial();
        count = asked.slots(Math.max(0, lentTier));
        if (slots.length < count) {
            slots = new DeviceMemory[count];
        }
        for (int s = 0; s < count; s++) {
            long bytes = lent == null ? 0 : asked.slot(lentTier, s);
            if (bytes == 0) {
                slots[s] = null;
            } else if (slots[s] == null || slots[s].address() != addresses[s] || slots[s].byteSize() != bytes) {
                slots[s] = new DeviceMemory(new MemoryCore(handle.driver, addresses[s], bytes, lifetime));
            }
        }
        lifetime.begin();
        open = true;
        leak = null;
        if (lent != null && LeakRegistry.level() != LeakRegistry.Level.OFF) {
            Loan kept = lent;
            long which = serial;
            leak = LeakRegistry.open("Lease",
                    count + " slots, " + asked.lent(lentTier) + " bytes, lent by handle " + handle.id + " to " + name,
                    this, () -> kept.lost(which));
        }
    }

    /**
     * Whether the memory was lent.
     *
     * @return false if the handle did not have it; every slot is then null, and {@link #failure} says why
     */
    public boolean isSuccess() {
        return failure == null;
    }

    /**
     * Why nothing was lent: how many bytes are missing, which limit was hit and the call that fixes it.
     *
     * @return the error, not thrown yet; null if the memory was lent
     */
    public BlasException failure() {
        return failure;
    }

    /**
     * Throws if nothing was lent.
     *
     * @return this
     * @throws BlasException MEMORY_ERROR, the {@link #failure}
     */
    public Lease orThrow() {
        if (failure != null) {
            throw failure;
        }
        return this;
    }

    /**
     * What a routine returns that runs with this lease.
     *
     * @return SUCCESS; PERF_DEGRADED if it is not the best tier; MEMORY_ERROR if nothing was lent
     */
    public Status status() {
        return failure != null ? Status.MEMORY_ERROR : tier == 0 ? Status.SUCCESS : Status.PERF_DEGRADED;
    }

    /**
     * Which tier of a {@link Layout} was lent.
     *
     * @return number in the order of {@link Layout#tier}, from 0; -1 if none was
     */
    public int tier() {
        return failure != null ? -1 : need.id(tier);
    }

    /**
     * A slot.
     *
     * @param index in the order of the sizes asked for
     * @return memory, valid until the lease is closed; null for a slot of size 0 or a failed lease
     * @throws BlasException INVALID_SIZE for an index that no slot has
     */
    public DeviceMemory slot(int index) {
        Shapes.index("Lease.slot", "index", index, count);
        return slots[index];
    }

    /**
     * A slot of a {@link Layout} by its name.
     *
     * @param name as in {@link Layout#slot}
     * @return memory, valid until the lease is closed; null if the tier has no such slot, or for a failed lease
     */
    public DeviceMemory slot(String name) {
        for (int s = 0; s < count; s++) {
            if (need.slotName(Math.max(0, tier), s).equals(name)) {
                return slots[s];
            }
        }
        return null;
    }

    /**
     * How many slots were asked for.
     *
     * @return slots
     */
    public int slots() {
        return count;
    }

    /** The JDK's arena of the segments that show the slots to Java code, of the thread that asks first. */
    @Override
    public synchronized Arena segments() {
        if (segments == null) {
            segments = Arena.ofConfined();
            segmentsOf = Thread.currentThread();
        }
        return segments;
    }

    /**
     * Gives the memory back. A second close does nothing.
     *
     * @throws IllegalStateException if another thread is inside the handle, or owns the {@linkplain DeviceMemory#segment segments} of the
     *     slots; the lease then stays open
     * @throws BlasException INTERNAL_ERROR in guard mode, if something wrote outside the slots; the memory is given back
     */
    @Override
    public synchronized void close() {
        if (!open) {
            return;
        }
        if (segments != null && segmentsOf != Thread.currentThread()) {
            throw new IllegalStateException("Lease.close by \"" + Thread.currentThread().getName()
                    + "\": its segments belong to \"" + segmentsOf.getName() + "\"; close it there");
        }
        if (loan == null) {
            open = false;
            return;
        }
        if (!lifetime.end()) {
            throw new IllegalStateException("Lease.close was called from inside a call that uses the lease");
        }
        boolean entered = false;
        try {
            handle.enterClosed("Lease.close");
            entered = true;
            handle.workspace.resume("Lease.close");
        } catch (IllegalStateException e) {
            lifetime.begin();
            if (entered) {
                handle.leave();
            }
            throw e;
        }
        open = false;
        try {
            if (segments != null) {
                segments.close();
                segments = null;
            }
            if (leak != null) {
                leak.close();
            }
            handle.ranUsers(routine, status(), tier, need);
            handle.workspace.giveBack(loan, serial, routine);
        } finally {
            owner.retire(this);
            handle.leave();
        }
    }
}
