package dev.basalt.host;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A caller and its helpers: daemon threads that spin for a moment between two calls and then park. One call at a time has
 * the helpers; whoever finds them taken works alone. A fork makes no garbage.
 *
 * <p>Part p of a call belongs to helper p, so that the same range of a repeated call meets the same cache. A helper that has not
 * begun when the caller is through with its own part is not waited for: the caller does that part too. Waking a thread takes
 * 55 to 80 µs where the other core sleeps or a neighbour holds it, as long as many a call.
 */
final class Workers {
    /** The work of one call, cut into numbered parts that may run at the same time. */
    interface Task {
        /**
         * Does one part.
         *
         * @param part 0 … parts - 1
         */
        void run(int part);
    }

    private static final int IDLE = 0;
    private static final int PARKED = 1;
    private static final int POSTED = 2;
    private static final int CLAIMED = 3;

    /** Ints from helper to helper: two cache lines, as the prefetcher fetches lines in pairs. */
    private static final int STRIDE = 32;

    /** Behind a helper's state: 1 while it sleeps, and from being woken or started until it runs. */
    private static final int ASLEEP = 1;

    /** Behind a helper's state: 1 from the moment it finds itself on the caller's core for good until the caller has seen that. */
    private static final int CROWDED = 2;

    /** In place of a helper's state: the core of the caller. */
    private static final int CALLERS_CORE = 0;

    /** As long as waking a parked thread takes: whenever the next call comes, at most twice the least is spent. */
    private static final long SPIN_NANOS = 60_000;

    private static final int SPINS_BEFORE_YIELD = 1_000;

    /** Waiting longer than this, the caller sleeps between looks: it may be its own core that the helper needs. */
    private static final long NAP_AFTER_NANOS = 100_000;

    private static final long NAP_NANOS = 20_000;

    /** A helper on the caller's core takes it away for some µs each time it looks. */
    private static final long STAND_BACK_NANOS = 100_000;

    private static final VarHandle STATE = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle TAKEN;
    private static final VarHandle CALLERS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            TAKEN = lookup.findVarHandle(Workers.class, "taken", boolean.class);
            CALLERS = lookup.findVarHandle(Workers.class, "callers", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static Workers shared;

    private final int count;
    private final int[] state;
    private final Thread[] helpers;
    private final Throwable[] failures;
    private Task task;
    private int users = 1;
    private boolean started;
    private long forks;
    private long lost;
    private boolean late;
    private boolean waking;
    private boolean crowded;

    @SuppressWarnings("unused") // by TAKEN
    private volatile boolean taken;

    @SuppressWarnings("unused") // by CALLERS
    private volatile int callers;

    private volatile boolean closed;

    /**
     * Workers of their own; threads start at the first fork.
     *
     * @param count threads at work in a call, the caller included
     */
    Workers(int count) {
        this.count = count;
        this.state = new int[(count + 1) * STRIDE];
        this.state[CALLERS_CORE] = -1;
        this.helpers = new Thread[count];
        this.failures = new Throwable[count];
    }

    /**
     * The workers that all host devices of the process share, so that two devices do not use twice the cores.
     *
     * @param count how many, if there are none yet; else the first opener's wish holds
     * @return workers, to be given back with {@link #release}
     */
    static synchronized Workers share(int count) {
        if (shared == null) {
            shared = new Workers(count);
        } else {
            shared.users++;
        }
        return shared;
    }

    /** Gives the workers back; the last user ends the threads. Forks after that find the workers taken. */
    @SuppressWarnings("ThreadPriorityCheck")
    void release() {
        synchronized (Workers.class) {
            if (--users > 0) {
                return;
            }
            if (shared == this) {
                shared = null;
            }
        }
        while (!tryTake()) {
            Thread.yield();
        }
        closed = true;
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
    }

    /** Threads at work in a call, the caller included. */
    int count() {
        return count;
    }

    /**
     * A thread of the user begins a call that uses a core for a while.
     *
     * @return how many others are in such calls
     */
    int enter() {
        return (int) CALLERS.getAndAdd(this, 1);
    }

    /** Ends what {@link #enter} began. */
    void exit() {
        CALLERS.getAndAdd(this, -1);
    }

    /** Threads of the user between {@link #enter} and {@link #exit}. */
    int callers() {
        return callers;
    }

    /**
     * How many parts a fork can have without waking anybody; for the one who has taken the helpers.
     *
     * @param parts how many are wanted
     * @return from 1 to {@code parts}
     */
    int awake(int parts) {
        int p = 1;
        while (p < parts && (int) STATE.getOpaque(state, slot(p)) != PARKED) {
            p++;
        }
        return p;
    }

    /** By how many nanoseconds the caller waited longer in the last fork than a part takes: a helper had lost its core. */
    long lost() {
        return lost;
    }

    /** Whether in the last fork the caller did a part that was another's, who had not begun. */
    boolean late() {
        return late;
    }

    /** Whether all such helpers had been woken and did not run yet: nobody needs to have taken their cores. */
    boolean waking() {
        return waking;
    }

    /** Whether a helper may run on the caller's own core alone, where it can only take time away, and has stood back. */
    boolean crowded() {
        return crowded;
    }

    /** How many calls had help so far. */
    long forks() {
        return forks;
    }

    /**
     * Takes the helpers, if nobody has them. Not reentrant: a part of a call that wants to fork again finds them taken and
     * works alone, so nesting never uses more threads than there are.
     *
     * @return true if the caller has them now and must call {@link #leave}
     */
    boolean tryTake() {
        return !taken && TAKEN.compareAndSet(this, false, true);
    }

    /** Ends what {@link #tryTake} began. */
    void leave() {
        taken = false;
    }

    /**
     * Runs all parts of a task and returns when all are done. What a part throws is thrown here, after the last part.
     *
     * @param work the task
     * @param parts how many, up to {@link #count}
     * @param nanos about how long a part takes; asking for the time would cost a short fork a tenth
     */
    void fork(Task work, int parts, double nanos) {
        if (!started) {
            start();
        }
        forks++;
        task = work;
        STATE.setOpaque(state, CALLERS_CORE, Core.current());
        for (int p = 1; p < parts; p++) {
            if ((int) STATE.getAndSet(state, slot(p), POSTED) == PARKED) {
                LockSupport.unpark(helpers[p]);
            }
        }
        attempt(0);
        late = false;
        waking = true;
        // Backwards: the last one posted is the likeliest not to have begun.
        for (int p = parts - 1; p > 0; p--) {
            if (STATE.compareAndSet(state, slot(p), POSTED, CLAIMED)) {
                attempt(p);
                STATE.setRelease(state, slot(p), IDLE);
                late = true;
                waking &= (int) STATE.getOpaque(state, slot(p) + ASLEEP) != 0;
            }
        }
        lost = 0;
        crowded = false;
        for (int p = 1; p < parts; p++) {
            if (!ended(slot(p))) {
                await(slot(p), nanos);
            }
            if ((int) STATE.getOpaque(state, slot(p) + CROWDED) != 0) {
                STATE.setOpaque(state, slot(p) + CROWDED, 0);
                crowded = true;
            }
        }
        task = null;
        rethrow(parts);
    }

    /** Whether a part that was begun ends soon. */
    private boolean ended(int slot) {
        for (int i = 0; i < SPINS_BEFORE_YIELD; i++) {
            if ((int) STATE.getAcquire(state, slot) != CLAIMED) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }

    /** Waits longer, yielding, for the helper has probably lost its core to someone, maybe to this thread. */
    @SuppressWarnings("ThreadPriorityCheck")
    private void await(int slot, double nanos) {
        long waiting = System.nanoTime();
        long waited = 0;
        while ((int) STATE.getAcquire(state, slot) == CLAIMED) {
            if (waited < NAP_AFTER_NANOS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(NAP_NANOS);
            }
            waited = System.nanoTime() - waiting;
        }
        lost = Math.max(lost, waited - (long) nanos);
    }

    /** A part must not end the fork early, whatever it throws: the others are still at work in the caller's memory. */
    private void attempt(int part) {
        try {
            task.run(part);
        } catch (Throwable t) {
            failures[part] = t;
        }
    }

    @SuppressWarnings("ReferenceEquality") // a throwable cannot suppress itself
    private void rethrow(int parts) {
        Throwable first = null;
        for (int p = 0; p < parts; p++) {
            Throwable failure = failures[p];
            if (failure != null) {
                failures[p] = null;
                if (first == null) {
                    first = failure;
                } else if (first != failure) {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first instanceof Error error) {
            throw error;
        }
        if (first != null) {
            throw (RuntimeException) first;
        }
    }

    /** If the system has no more threads, the caller does the parts of those that are missing. */
    private void start() {
        started = true;
        try {
            for (int p = 1; p < count; p++) {
                int part = p;
                Thread helper = Thread.ofPlatform()
                        .name("basalt-host-" + p)
                        .daemon(true)
                        .inheritInheritableThreadLocals(false)
                        .unstarted(() -> serve(part));
                helper.setContextClassLoader(null);
                STATE.setOpaque(state, slot(p) + ASLEEP, 1);
                helper.start();
                helpers[p] = helper;
            }
        } catch (OutOfMemoryError e) {
            System.getLogger("dev.basalt.host")
                    .log(System.Logger.Level.WARNING, "fewer worker threads than asked for: " + e.getMessage());
        }
    }

    private void serve(int part) {
        int slot = slot(part);
        STATE.setOpaque(state, slot + ASLEEP, 0);
        while (!closed) {
            if (onCallersCore() && !Core.leave((int) STATE.getOpaque(state, CALLERS_CORE))) {
                STATE.setOpaque(state, slot + CROWDED, 1);
                // Until the caller has done this part too, or the system moves one of the two.
                while ((int) STATE.getAcquire(state, slot) != IDLE && onCallersCore() && !closed) {
                    LockSupport.parkNanos(STAND_BACK_NANOS);
                }
            } else if (spin(slot)) {
                // Else the caller has been faster, and may be again at once: that is no reason to park.
                if (STATE.compareAndSet(state, slot, POSTED, CLAIMED)) {
                    attempt(part);
                    STATE.setRelease(state, slot, IDLE);
                }
                continue;
            }
            if (STATE.compareAndSet(state, slot, IDLE, PARKED)) {
                STATE.setOpaque(state, slot + ASLEEP, 1);
                while ((int) STATE.getAcquire(state, slot) == PARKED && !closed) {
                    LockSupport.park(this);
                }
                STATE.setOpaque(state, slot + ASLEEP, 0);
            }
        }
    }

    /** To work or to wait here would keep the caller from running: the system has put both on one core. */
    private boolean onCallersCore() {
        int core = Core.current();
        return core >= 0 && core == (int) STATE.getOpaque(state, CALLERS_CORE);
    }

    /** Whether something was posted before the time was up. */
    private boolean spin(int slot) {
        long end = System.nanoTime() + SPIN_NANOS;
        do {
            for (int i = 0; i < 16; i++) {
                if ((int) STATE.getAcquire(state, slot) == POSTED) {
                    return true;
                }
                Thread.onSpinWait();
            }
        } while (System.nanoTime() < end && !closed);
        return false;
    }

    private static int slot(int part) {
        return part * STRIDE;
    }
}
