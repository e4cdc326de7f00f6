package dev.basalt;

import dev.basalt.internal.call.DeviceFailure;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.telemetry.LeaseEvent;
import dev.basalt.internal.workspace.Need;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.internal.workspace.WorkspaceEvents;
import dev.basalt.spi.DriverException;
import java.util.Arrays;

/** What a handle does for routines of the user's own: answers for them in queries and plans, and lends them workspace. */
final class HandleLeases {
    private static final String MALLOC = "deviceMalloc";
    private static final String ANSWER = "setOptimalDeviceMemorySize";

    private final Handle handle;
    private final HandleCore core;
    private final Need sizesNeed = new Need();
    private final long[] one = new long[1];
    private final long[] two = new long[2];
    private long[] addresses = new long[8];
    /** Closed leases that serve again, while leak detection is off. */
    private Lease[] idle = new Lease[2];

    private int idleCount;

    HandleLeases(Handle handle) {
        this.handle = handle;
        this.core = handle.core;
    }

    Status answer(long... sizes) {
        core.enter(ANSWER);
        try {
            return answer("user routine", "", layout(sizesNeed, ANSWER, sizes));
        } finally {
            core.leave();
        }
    }

    Status answer(Layout layout) {
        core.enter(ANSWER);
        try {
            return answer(layout.routine, layout.shape, layout.done());
        } finally {
            core.leave();
        }
    }

    private Status answer(String routine, String shape, Need need) {
        if (!core.answering()) {
            throw new BlasException(Status.INTERNAL_ERROR, ANSWER,
                    ANSWER + ": no size query is active; ask isDeviceMemorySizeQuery() first");
        }
        return core.answer(routine, shape, need);
    }

    Lease lend(long size) {
        core.enter(MALLOC);
        one[0] = size;
        return lendEntered(one);
    }

    Lease lend(long first, long second) {
        core.enter(MALLOC);
        two[0] = first;
        two[1] = second;
        return lendEntered(two);
    }

    Lease lend(long... sizes) {
        core.enter(MALLOC);
        return lendEntered(sizes);
    }

    private Lease lendEntered(long... sizes) {
        try {
            // A need of its own where the lease outlives this call and names its slots.
            Need need = LeakRegistry.level() == LeakRegistry.Level.OFF ? lease().sizes() : new Need();
            return lend(MALLOC, "", layout(need, MALLOC, sizes));
        } catch (DriverException e) {
            throw DeviceFailure.of(MALLOC, e);
        } finally {
            core.leave();
        }
    }

    Lease lend(Layout layout) {
        core.enter(layout.routine);
        try {
            return lend(layout.routine, layout.shape, layout.done());
        } catch (DriverException e) {
            throw DeviceFailure.of(layout.routine, e);
        } finally {
            core.leave();
        }
    }

    private Lease lend(String routine, String shape, Need need) {
        if (core.answering()) {
            throw new BlasException(Status.INTERNAL_ERROR, routine,
                    routine + ": a size query or a plan is active, in which nothing is lent; a routine that finds"
                            + " isDeviceMemorySizeQuery() calls setOptimalDeviceMemorySize(…) and returns");
        }
        if (addresses.length < need.slots(0)) {
            addresses = Arrays.copyOf(addresses, need.slots(0));
        }
        WorkspaceCore w = core.workspace;
        LeaseEvent event = FlightRecording.leases() ? new LeaseEvent() : null;
        if (event != null) {
            event.begin();
        }
        int tier = w.lend(need, addresses, core, routine);
        boolean forbidden = tier > 0 && core.policy() == DegradePolicy.FORBID;
        if (tier < 0 || forbidden) {
            return failed(routine, shape, need, forbidden && need.total(tier) > 0, forbidden);
        }
        boolean lent = need.total(tier) > 0;
        if (lent) {
            w.last().ofUser();
            w.pause();
        } else {
            core.ranUsers(routine, tier == 0 ? Status.SUCCESS : Status.PERF_DEGRADED, tier, need);
            if (tier > 0) {
                core.workspace.degraded();
            }
        }
        if (event != null) {
            tell(event, routine, shape, need, tier);
        }
        Lease lease = lease();
        if (idleCount > 0) {
            idleCount--;
        }
        lease.begin(routine, need, tier, addresses, lent ? w.last() : null, null);
        return lease;
    }

    private Lease failed(String routine, String shape, Need need, boolean lent, boolean forbidden) {
        WorkspaceCore w = core.workspace;
        if (lent) {
            w.release(routine);
        }
        long minimum = forbidden ? need.optimal() : need.minimum();
        String limit = forbidden ? "DegradePolicy.FORBID allows only the best tier; " + w.limit() : w.limit();
        BlasException e = w.shortage(routine, minimum, need.optimal(), limit, null);
        WorkspaceEvents.failure(core.id, routine, shape, e);
        core.ranUsers(routine, Status.MEMORY_ERROR, need.tiers() - 1, need);
        Lease lease = new Lease(handle);
        lease.begin(routine, need, 0, addresses, null, e);
        return lease;
    }

    private void tell(LeaseEvent event, String routine, String shape, Need need, int tier) {
        event.end();
        event.handle = core.id;
        event.stream = core.stream().id;
        event.routine = routine;
        event.shape = shape;
        event.tier = need.name(tier);
        event.asked = need.total(tier);
        event.capacity = core.workspace.size();
        event.commit();
    }

    /** The lease that serves next. */
    private Lease lease() {
        if (LeakRegistry.level() != LeakRegistry.Level.OFF) {
            idleCount = 0;
            return new Lease(handle);
        }
        if (idleCount == 0) {
            idle[0] = new Lease(handle);
            idleCount = 1;
        }
        return idle[idleCount - 1];
    }

    /** A closed lease may serve again where nobody watches leases. This thread is inside the handle. */
    void retire(Lease lease) {
        if (LeakRegistry.level() == LeakRegistry.Level.OFF) {
            if (idleCount == idle.length) {
                idle = Arrays.copyOf(idle, 2 * idleCount);
            }
            idle[idleCount++] = lease;
        }
    }

    private static Need layout(Need need, String what, long... sizes) {
        need.reset();
        need.tier("user");
        try {
            for (long size : sizes) {
                Shapes.notNegative(what, "size", size);
                need.slot("slot", size);
            }
        } catch (ArithmeticException e) {
            throw new BlasException(Status.INVALID_SIZE, what, null, 0,
                    what + ": the sizes add up to more than 2^63-1 bytes", null, e);
        }
        need.done();
        return need;
    }
}
