package dev.basalt.internal.call;

import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.HazardEvent;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Who is inside a handle: one thread at most, and whoever finds it occupied is told by whom.
 *
 * <p>An atomic exchange for each small call would cost as much as many a kernel (6 ns). So a handle has a <em>regular</em>: the thread
 * that came first. On the direct way it says that it is inside by a plain store and then looks whether it is still the regular and
 * nobody else is inside. Any other thread pays for that: it takes the regular's place away and then waits until the regular has
 * passed a safepoint (a handshake, by asking for its stack). Between two safepoint polls the regular's store and its look are one step
 * to others, so after the handshake either the store is seen, or the regular will see that it has lost its place. After a few such
 * moves a handle has no regular any more: all threads enter it by an exchange.
 *
 * <p>The idea is that of biased locks (Russell and Detlefs, OOPSLA 2006), with the handshake of JEP 312 in place of a global safepoint.
 */
class Occupancy {
    /** Threads that come and go for good make an exchange a call cheaper than handshakes of 10 to 100 µs. */
    private static final int MOVES = 4;

    private static final VarHandle OWNER;
    private static final VarHandle GUEST;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(Occupancy.class, "owner", long.class);
            GUEST = MethodHandles.lookup().findVarHandle(Occupancy.class, "guest", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The number of the thread inside, 0 for none: a number, since a collector wants to know of each change of a reference. */
    @SuppressWarnings("unused") // through OWNER
    private volatile long owner;

    /** The number of the regular while it is inside on the direct way, else 0; only the regular stores here. */
    @SuppressWarnings("unused") // through GUEST
    private volatile long guest;

    /** The thread that may come in as a guest, or null; changed by the owner alone. */
    private volatile Thread regular;

    /** How often a regular lost its place; belongs to the owner. */
    private int moves;

    /** The thread that was inside last, for the message to the next. */
    private volatile Thread inside;

    /**
     * Enters: at most one thread may be inside.
     *
     * @param operation what is called, for the message
     * @throws IllegalStateException if another thread is inside, or this one already
     */
    final void occupy(String operation) {
        Thread me = Thread.currentThread();
        long other = exchange(me);
        if (other != 0) {
            throw occupied(operation, other, me);
        }
    }

    /**
     * Enters for a call on the direct way, which ends with {@link #leaveDirect}.
     *
     * @return false if somebody is inside
     */
    final boolean occupyDirect() {
        Thread me = Thread.currentThread();
        if (regular != me) {
            return exchange(me) == 0;
        }
        GUEST.setOpaque(this, me.threadId());
        if (regular == me && owner == 0) {
            return true;
        }
        GUEST.setOpaque(this, 0L);
        return false;
    }

    /**
     * Enters by an exchange, which keeps all others out; ends with {@link #leave}.
     *
     * @return false if somebody is inside
     */
    final boolean occupyAlone() {
        return exchange(Thread.currentThread()) == 0;
    }

    /** Leaves after {@link #occupy} or {@link #occupyAlone}. */
    public final void leave() {
        OWNER.setRelease(this, 0L);
    }

    /** Leaves after a call on the direct way. */
    public final void leaveDirect() {
        if (guest != 0) {
            GUEST.setRelease(this, 0L);
        } else {
            leave();
        }
    }

    /** Becomes the owner; returns 0, or the number of the thread that is inside, and then is not the owner. */
    private long exchange(Thread me) {
        long other = (long) OWNER.compareAndExchangeAcquire(this, 0L, me.threadId());
        if (other != 0) {
            return other;
        }
        if (regular != me) {
            other = replaceRegular(me);
        } else {
            other = guest;
        }
        if (other != 0) {
            leave();
        }
        return other;
    }

    /** As the owner, takes the regular's place if it is not inside; returns its number if it is. */
    private long replaceRegular(Thread me) {
        Thread before = regular;
        if (before != null) {
            regular = null;
            if (before.isAlive()) {
                handshake(before);
            }
            long other = guest;
            if (other != 0) {
                regular = before;
                return other;
            }
            moves++;
        }
        if (moves < MOVES) {
            regular = me;
        }
        if (inside != me) {
            inside = me;
        }
        return 0;
    }

    /** Returns when the thread has passed a safepoint, or is at one. Its stack is of no interest. */
    @SuppressWarnings("CheckReturnValue")
    private static void handshake(Thread thread) {
        thread.getStackTrace();
    }

    private IllegalStateException occupied(String operation, long other, Thread me) {
        String text = other == me.threadId()
                ? operation
                        + " was called from inside another call on the same handle (by a listener); use a second handle"
                : "two threads in one handle: \"" + me.getName() + "\" called " + operation + " while \""
                        + nameOf(other)
                        + "\" was inside; a handle is used by one thread at a time, so give each thread its own";
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
            thread = regular;
            if (thread != null && thread.threadId() == id) {
                return thread.getName();
            }
            Thread.onSpinWait();
        }
        return "#" + id;
    }
}
