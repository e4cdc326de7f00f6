package dev.basalt.internal.workspace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * How long the memory of one owner, an arena or a lease, may be used. The end waits for the calls that are inside: it first makes
 * every later call see that the memory is gone, then waits for each borrower that has used it and for the copies under way.
 *
 * <p>A call that uses memory enters its handle first and looks at the memory then. So either the end sees the call inside, or the call
 * sees the end. A call of a known borrower pays one compare for this.
 */
public final class Lifetime {
    private static final int SPINS = 1000;
    private static final long PAUSE_NANOS = 20_000;

    private final String ended;
    private final Object owner;
    /** Handles that have used the memory. */
    private final List<Borrower> borrowers = new ArrayList<>(1);
    /** Memory of this owner. */
    private final List<MemoryCore> memories = new ArrayList<>(1);
    /** Tables of addresses that point here and belong to others. */
    private Set<MemoryCore> tables = Set.of();

    private final AtomicInteger copies = new AtomicInteger();
    private volatile boolean open = true;

    /**
     * A lifetime that has begun.
     *
     * @param ended what a call is told afterwards, such as {@code the arena that owns its memory is closed}
     * @param owner who is not to be collected as long as the memory is known, or null
     */
    public Lifetime(String ended, Object owner) {
        this.ended = ended;
        this.owner = owner;
    }

    /**
     * Whether the memory may be used.
     *
     * @return false after the end
     */
    public boolean isOpen() {
        return open;
    }

    /**
     * Who is not to be collected as long as the memory is known.
     *
     * @return owner or null
     */
    public Object owner() {
        return owner;
    }

    /** What a call is told after the end. */
    String ended() {
        return ended;
    }

    /** Counts memory in, whose knowledge of a borrower is to be forgotten at the end. */
    void add(MemoryCore memory) {
        synchronized (memories) {
            memories.add(memory);
        }
    }

    /** Counts a table of addresses in that belongs to another owner. */
    void addTable(MemoryCore table) {
        synchronized (memories) {
            if (tables.isEmpty()) {
                tables = Collections.newSetFromMap(new WeakHashMap<>());
            }
            tables.add(table);
        }
    }

    /** Notes a borrower; false if this is over. The order matters: whoever ends this looks at the borrowers afterwards. */
    boolean admit(Borrower borrower) {
        synchronized (borrowers) {
            if (open && !borrowers.contains(borrower)) {
                borrowers.removeIf(other -> !other.isOpen());
                borrowers.add(borrower);
            }
        }
        return open;
    }

    /** Begins a copy; false if this is over, and there is nothing to {@link #letGo} then. */
    boolean hold() {
        copies.incrementAndGet();
        if (open) {
            return true;
        }
        letGo();
        return false;
    }

    /** Ends a copy. */
    void letGo() {
        copies.decrementAndGet();
    }

    /**
     * Ends the lifetime, and waits for the calls and copies inside.
     *
     * @return true; false if the calling thread itself is inside a call on this memory, which then stays open
     */
    public boolean end() {
        open = false;
        synchronized (memories) {
            for (int i = 0; i < memories.size(); i++) {
                memories.get(i).forget();
            }
            if (!tables.isEmpty()) {
                tables.forEach(MemoryCore::forget);
            }
        }
        // No lock is held while a borrower is waited for, as it may want the lock; none is added or dropped any more.
        for (int i = 0;; i++) {
            Borrower borrower = borrower(i);
            if (borrower == null) {
                break;
            }
            if (borrower.awaitLeave() != null) {
                open = true;
                return false;
            }
        }
        for (int i = 0; copies.get() > 0; i++) {
            pause(i);
        }
        return true;
    }

    private Borrower borrower(int i) {
        synchronized (borrowers) {
            return i < borrowers.size() ? borrowers.get(i) : null;
        }
    }

    /** Begins again, for memory that is lent again and again. */
    public void begin() {
        open = true;
    }

    /** Lets time pass in a loop that waits for another thread. */
    public static void pause(int turn) {
        if (turn < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
