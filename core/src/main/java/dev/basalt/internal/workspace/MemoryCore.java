package dev.basalt.internal.workspace;

import dev.basalt.spi.DeviceDriver;
import java.lang.foreign.MemorySegment;

/**
 * What a call must know of a piece of device memory: where it is, and whether it may be used now. The state behind
 * {@code dev.basalt.DeviceMemory}.
 */
public final class MemoryCore {
    private static final MemoryCore[] NONE = {};

    /** The device. */
    public final DeviceDriver driver;

    /** The first address on the device. */
    public final long address;

    /** The size. */
    public final long bytes;

    /** The stream on which it was last used as a workspace, null for none. */
    StreamRef lastStream;

    private final Lifetime lifetime;

    /** A segment of the JVM that this is, whose own rules hold too; null for memory of the device's. */
    private final MemorySegment segment;

    /** For a table of addresses: the memory it points into, where that has a lifetime of its own. */
    private final MemoryCore[] members;

    /** Whether no segment of the JVM has to be asked each time. */
    private final boolean plain;

    /** The handle that may use this without asking; null if there is none, and after the end. */
    private volatile Borrower borrower;

    /** The handle that the lifetimes know; it may still have to ask the segments. */
    private volatile Borrower known;

    /**
     * Memory of an owner.
     *
     * @param driver the device
     * @param address its first address
     * @param bytes its size
     * @param lifetime how long it may be used
     */
    public MemoryCore(DeviceDriver driver, long address, long bytes, Lifetime lifetime) {
        this(driver, address, bytes, lifetime, null, NONE);
    }

    /**
     * Memory that is a segment of the JVM, or a table of addresses.
     *
     * @param driver the device
     * @param address its first address
     * @param bytes its size
     * @param lifetime how long it may be used
     * @param segment the segment, or null
     * @param members the memory that the addresses in it point into
     */
    public MemoryCore(DeviceDriver driver, long address, long bytes, Lifetime lifetime, MemorySegment segment,
            MemoryCore... members) {
        this.driver = driver;
        this.address = address;
        this.bytes = bytes;
        this.lifetime = lifetime;
        this.segment = segment;
        this.members = members;
        boolean asks = segment != null;
        for (MemoryCore member : members) {
            asks |= !member.plain;
            member.addTable(this);
        }
        this.plain = !asks;
        lifetime.add(this);
    }

    private void addTable(MemoryCore table) {
        lifetime.addTable(table);
        for (MemoryCore member : members) {
            member.addTable(table);
        }
    }

    /**
     * How long it may be used.
     *
     * @return lifetime
     */
    public Lifetime lifetime() {
        return lifetime;
    }

    /**
     * Whether a table of addresses that point here needs nothing but this lifetime.
     *
     * @return false for segments of the JVM and for tables
     */
    public boolean isPlain() {
        return plain && members.length == 0;
    }

    /**
     * The segment of the JVM that this is.
     *
     * @return segment or null
     */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Whether a call of a handle may use this memory until it leaves the handle. The handle has been entered before.
     *
     * @param by the handle
     * @return true if so; {@link #objection} says why not
     */
    public boolean admits(Borrower by) {
        return borrower == by || admit(by);
    }

    private boolean admit(Borrower by) {
        if (driver != by.driver()) {
            return false;
        }
        if (known != by) {
            if (!noted(by)) {
                return false;
            }
            known = by;
            if (plain) {
                borrower = by;
            }
            // The end may have come in between and not have seen what was stored last.
            if (!isOpen()) {
                forget();
                return false;
            }
        }
        return plain || segmentsUsable();
    }

    private boolean noted(Borrower by) {
        if (!lifetime.admit(by)) {
            return false;
        }
        for (MemoryCore member : members) {
            if (!member.noted(by)) {
                return false;
            }
        }
        return true;
    }

    private boolean segmentsUsable() {
        if (segment != null && segmentObjection(segment) != null) {
            return false;
        }
        for (MemoryCore member : members) {
            if (!member.segmentsUsable()) {
                return false;
            }
        }
        return true;
    }

    void forget() {
        borrower = null;
        known = null;
    }

    /**
     * Whether the memory may still be used by somebody.
     *
     * @return false once its owner, or that of memory it points into, is closed
     */
    public boolean isOpen() {
        if (!lifetime.isOpen() || (segment != null && !segment.scope().isAlive())) {
            return false;
        }
        for (MemoryCore member : members) {
            if (!member.isOpen()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Why calls on a device cannot use this memory.
     *
     * @param on the device
     * @return text for people, or null if they can
     */
    public String objection(DeviceDriver on) {
        if (!lifetime.isOpen()) {
            return lifetime.ended();
        }
        if (driver != on) {
            return driver.name().equals(on.name())
                    ? "its memory belongs to another device that was opened as " + on.name()
                            + "; use memory, handle and stream of one Device"
                    : "its memory is on " + driver.name() + ", the handle is on " + on.name();
        }
        if (segment != null && segmentObjection(segment) != null) {
            return segmentObjection(segment);
        }
        for (int i = 0; i < members.length; i++) {
            String text = members[i].objection(on);
            if (text != null) {
                return "a member of its array of pointers cannot be used: " + text;
            }
        }
        return null;
    }

    /**
     * Why this thread cannot use a segment of the JVM.
     *
     * @param segment the segment
     * @return text for people, or null if it can
     */
    public static String segmentObjection(MemorySegment segment) {
        if (!segment.scope().isAlive()) {
            return "the java.lang.foreign.Arena that owns its MemorySegment is closed";
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            return "its MemorySegment is confined to another thread than \"" + Thread.currentThread().getName()
                    + "\"; use Arena.ofShared()";
        }
        return null;
    }

    /**
     * Keeps the memory for a copy by this thread, until {@link #letGo}.
     *
     * @return whether it may be used; if not, nothing has to be let go
     */
    public boolean hold() {
        if (!lifetime.hold()) {
            return false;
        }
        for (int i = 0; i < members.length; i++) {
            if (!members[i].hold()) {
                letGo(i);
                return false;
            }
        }
        if (!segmentsUsable()) {
            letGo(members.length);
            return false;
        }
        return true;
    }

    /** Ends what {@link #hold} began. */
    public void letGo() {
        letGo(members.length);
    }

    private void letGo(int held) {
        for (int i = 0; i < held; i++) {
            members[i].letGo();
        }
        lifetime.letGo();
    }
}
