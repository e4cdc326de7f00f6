package dev.basalt.host;

import dev.basalt.spi.DriverException;
import java.util.Arrays;

/**
 * Gives out the numbers of streams, events or pools and knows which are alive. A number is a slot, a kind and a count of how
 * often the slot was used, so a destroyed number is never taken for a newer one, nor a stream for an event, and a check is
 * one compare.
 */
final class HandleTable {
    private static final int SLOT_BITS = 24;
    private static final int KIND_BITS = 2;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
    private static final long REUSE = 1L << (SLOT_BITS + KIND_BITS);
    private static final long DEAD = -1;

    private final String what;
    private final long kind;
    private long[] alive = new long[16];
    private long[] next = new long[16];
    private int[] idle = new int[16];
    private int idleCount;
    private int slots;
    private volatile boolean closed;

    /**
     * An empty table.
     *
     * @param what the noun for messages
     * @param kind 0…3, another one for each table of a device; the first number of kind 0 is 0
     */
    HandleTable(String what, int kind) {
        this.what = what;
        this.kind = (long) kind << SLOT_BITS;
        Arrays.fill(alive, DEAD);
    }

    /** A new number. */
    synchronized long create() {
        int slot = idleCount > 0 ? idle[--idleCount] : slots++;
        if (slot == alive.length) {
            if (slot > SLOT_MASK) {
                slots--;
                throw new DriverException(DriverException.Code.OUT_OF_MEMORY, "more than 2^24 live " + what + "s");
            }
            next = Arrays.copyOf(next, 2 * slot);
            idle = Arrays.copyOf(idle, 2 * slot);
            long[] wider = Arrays.copyOf(alive, 2 * slot);
            Arrays.fill(wider, slot, 2 * slot, DEAD);
            alive = wider;
        }
        long id = next[slot] | kind | slot;
        next[slot] += REUSE;
        alive[slot] = id;
        return id;
    }

    /**
     * Ends a number's life.
     *
     * @param id the number
     */
    synchronized void destroy(long id) {
        check(id);
        int slot = slot(id);
        alive[slot] = DEAD;
        idle[idleCount++] = slot;
    }

    /** Ends the life of all numbers. */
    synchronized void destroyAll() {
        closed = true;
        for (int slot = 0; slot < slots; slot++) {
            if (alive[slot] != DEAD) {
                destroy(alive[slot]);
            }
        }
    }

    /**
     * Refuses a number that is not alive.
     *
     * @param id the number
     * @throws DriverException INVALID_HANDLE
     */
    void check(long id) {
        if (!isAlive(id) && closed) {
            throw new DriverException(DriverException.Code.INVALID_HANDLE, "the device is closed");
        }
        if (!isAlive(id)) {
            throw new DriverException(DriverException.Code.INVALID_HANDLE,
                    what + " 0x" + Long.toHexString(id) + " was destroyed, was never created or is of another device");
        }
    }

    /** Whether all numbers have ended: the default stream lives until then. */
    boolean isClosed() {
        return closed;
    }

    /** Whether a number is alive. */
    boolean isAlive(long id) {
        long[] ids = alive;
        int slot = slot(id);
        return slot < ids.length && ids[slot] == id && id != DEAD;
    }

    /** The slot of a number: small, and different for all that are alive. */
    static int slot(long id) {
        return (int) id & SLOT_MASK;
    }
}
