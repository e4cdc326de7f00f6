package dev.basalt.internal.call;

import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.HazardEvent;
import dev.basalt.internal.workspace.Lifetime;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Who is inside a handle: one thread at most, and whoever finds it occupied is told by whom.
 *
 * <p>An atomic exchange for each small call would cost as much as many a kernel (6 ns). So a handle has a <em>regular</em>: the thread
 * that came first. It says that it is inside by a plain store and then looks whether nobody else is inside and it is still the
 * regular. Any other thread pays for that: it becomes the owner by an exchange and then waits until the regular has passed a safepoint
 * (a handshake, by asking for its stack). Between two safepoint polls the regular's store and its look are one step to others, so
 * after the handshake either the store is seen, or the regular will see the owner. Then all threads enter by an exchange, until
 * one has come so often without others that it is the next regular.
 *
 * <p>The idea is that of biased locks (Russell and Detlefs, OOPSLA 2006), with the handshake of JEP 312 in place of a global safepoint.
 * That asking for a stack is one, no specification says: HotSpot does so. In any other virtual machine there is no regular, and all threads
 * enter by an exchange.
 */
class Occupancy {
    private static final boolean HOTSPOT = isHotSpot(System.getProperty("java.vm.name", ""));

    /** As many exchanges, of one thread and no other in between, cost what a handshake may: 10 to 100 µs. */
    private static final int STREAK = 10_000;

    private static final VarHandle OWNER;
    private static final VarHandle IN;
    private static final VarHandle CALLS;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(Occupancy.class, "owner", long.class);
            IN = MethodHandles.lookup().findVarHandle(Regular.class, "in", boolean.class);
            CALLS = MethodHandles.lookup().findVarHandle(Occupancy.class, "calls", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A thread with a place of its own, which it keeps to itself even when another has taken over and it does not know yet. */
    private static final class Regular {
        final Thread thread;

        /** Whether it is inside, or looks whether it may be; stored by itself alone. */
        @SuppressWarnings("unused") // through IN
        volatile boolean in;

        Regular(Thread thread) {
            this.thread = thread;
        }
    }

    /**
     * The number of the thread that is inside by an exchange, 0 for none: a number, since a collector wants to know of each change of a
     * reference. It is negative for a thread that looks after a handle which is not its own.
     */
    @SuppressWarnings("unused") // through OWNER
    private volatile long owner;

    /** The thread that may come without an exchange, or null; changed by the owner alone, and not while the regular is inside. */
    private volatile Regular regular;

    /** Whether a thread's stack is asked for by a handshake, so that there may be a regular. */
    private final boolean handshakes;

    /** Calls of the last owner without a regular; belongs to the owner. The first to come becomes the regular at once. */
    private int streak = STREAK;

    /** How many calls were begun that may take long; stored by whoever is inside. */
    private long calls;

    /** The last owner, also for the message to the next. */
    private volatile Thread inside;

    Occupancy() {
        this(HOTSPOT);
    }

    Occupancy(boolean handshakes) {
        this.handshakes = handshakes;
    }

    /** By the name of a virtual machine. */
    static boolean isHotSpot(String name) {
        return name.contains("HotSpot") || name.contains("OpenJDK");
    }

    /**
     * Enters; ends with {@link #leave}.
     *
     * @param operation what is called, for the message
     * @throws IllegalStateException if another thread is inside, or this one already
     */
    final void occupy(String operation) {
        Thread me = Thread.currentThread();
        long other = come(me);
        if (other != 0) {
            throw occupied(operation, other, me);
        }
    }

    /**
     * Enters, if nobody is inside; ends with {@link #leave}.
     *
     * @return whether this thread is inside now and was not before
     */
    final boolean tryOccupy() {
        return come(Thread.currentThread()) == 0;
    }

    /**
     * Enters a handle that belongs to another thread, if nobody is inside; ends with {@link #leave}. Whoever comes meanwhile waits: it
     * has done nothing wrong. The regular stays the regular.
     *
     * @return whether this thread is inside now
     */
    final boolean tryLookAfter() {
        Thread me = Thread.currentThread();
        if ((long) OWNER.compareAndExchangeAcquire(this, 0L, -me.threadId()) != 0) {
            return false;
        }
        Regular r = regular;
        if (r != null && r.thread != me && r.thread.isAlive()) {
            handshake(r.thread);
        }
        if (r != null && r.in) {
            OWNER.setRelease(this, 0L);
            return false;
        }
        return true;
    }

    /** Leaves. */
    public final void leave() {
        Regular r = regular;
        // Whoever is inside by an exchange is the owner. Another may be so for a moment, until it sees the regular.
        if (r != null && (owner == 0 || (r.thread == Thread.currentThread() && r.in))) {
            IN.setRelease(r, false);
        } else {
            OWNER.setRelease(this, 0L);
        }
    }

    /** Notes that a call begins that may take long; this thread is inside. */
    final void begins() {
        CALLS.setOpaque(this, calls + 1);
    }

    /**
     * Waits until the call that is inside now has been left; see {@link dev.basalt.internal.workspace.Borrower#awaitLeave}. A regular may have
     * come in by a store that is not seen yet, so it is asked by a handshake, as by a new owner.
     *
     * @return null, or the calling thread if it is the one inside
     */
    public final Thread awaitLeave() {
        Thread me = Thread.currentThread();
        Regular r = regular;
        if (r != null && r.thread != me && r.thread.isAlive()) {
            handshake(r.thread);
        }
        long begun = (long) CALLS.getOpaque(this);
        for (int i = 0;; i++) {
            r = regular;
            boolean regularInside = r != null && r.in;
            long other = owner;
            if (regularInside ? r.thread == me : Math.abs(other) == me.threadId()) {
                return me;
            }
            if ((!regularInside && other == 0) || (long) CALLS.getOpaque(this) != begun) {
                return null;
            }
            Lifetime.pause(i);
        }
    }

    /** Returns 0 if this thread is inside now, or the number of the one that was. Waits for one that looks after the handle. */
    private long come(Thread me) {
        long other = comeOnce(me);
        for (int i = 0; other < 0; i++) {
            Lifetime.pause(i);
            other = comeOnce(me);
        }
        return other;
    }

    private long comeOnce(Thread me) {
        Regular r = regular;
        if (r == null || r.thread != me) {
            return exchange(me);
        }
        if (r.in) {
            return me.threadId();
        }
        IN.setOpaque(r, true);
        // In this order: an owner that has gone again has changed the regular before.
        long other = owner;
        if (other == 0 && regular == r) {
            return 0;
        }
        IN.setOpaque(r, false);
        return other != 0 ? other : exchange(me);
    }

    /** Comes as the owner. */
    private long exchange(Thread me) {
        long other = (long) OWNER.compareAndExchangeAcquire(this, 0L, me.threadId());
        if (other != 0) {
            return other;
        }
        other = replaceRegular(me);
        if (other != 0) {
            OWNER.setRelease(this, 0L);
        }
        return other;
    }

    /** As the owner, takes the regular's place if it is not inside; returns its number if it is. */
    private long replaceRegular(Thread me) {
        Regular before = regular;
        if (before != null && before.thread != me) {
            if (before.thread.isAlive()) {
                handshake(before.thread);
            }
            if (before.in) {
                return before.thread.threadId();
            }
            regular = null;
            streak = 0;
        }
        if (inside != me) {
            // The very first finds nobody.
            streak = inside == null ? STREAK : 0;
            inside = me;
        }
        if (handshakes && streak++ >= STREAK) {
            regular = new Regular(me);
        }
        return 0;
    }

    /** Returns when the thread has passed a safepoint, or is at one. Its stack is of no interest. */
    @SuppressWarnings("CheckReturnValue")
    private static void handshake(Thread thread) {
        thread.getStackTrace();
    }

    private IllegalStateException occupied(String operation, long other, Thread me) {
        return other == me.threadId()
                ? hazard(operation
                        + " was called from inside another call on the same handle (by a listener); use a second handle")
                : occupied(operation, nameOf(other), me);
    }

    /** The error for two threads in a handle. */
    static IllegalStateException occupied(String operation, String other, Thread me) {
        return hazard("two threads in one handle: \"" + me.getName() + "\" called " + operation + " while \"" + other
                + "\" was inside; a handle is used by one thread at a time, so give each thread its own");
    }

    private static IllegalStateException hazard(String text) {
        if (FlightRecording.on()) {
            HazardEvent event = new HazardEvent();
            event.kind = "two threads in one handle";
            event.detail = text;
            event.commit();
        }
        return new IllegalStateException(text);
    }

    private String nameOf(long id) {
        // Whoever came in this very moment tells its name next; it may be gone again too.
        for (int i = 0; i < 10_000; i++) {
            Thread thread = inside;
            if (thread != null && thread.threadId() == id) {
                return thread.getName();
            }
            Regular r = regular;
            if (r != null && r.thread.threadId() == id) {
                return r.thread.getName();
            }
            Thread.onSpinWait();
        }
        return "#" + id;
    }
}
