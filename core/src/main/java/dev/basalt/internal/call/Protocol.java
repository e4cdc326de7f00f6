package dev.basalt.internal.call;

import dev.basalt.BlasException;
import dev.basalt.DegradePolicy;
import dev.basalt.Status;
import dev.basalt.internal.block.Watch;
import dev.basalt.internal.telemetry.DegradedEvent;
import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.LeaseEvent;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.internal.workspace.Need;
import dev.basalt.internal.workspace.Recording;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.internal.workspace.WorkspaceEvents;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.util.List;

/**
 * The one way through a call, for every routine: handle, options, sizes, query answer, quick return, pointers, lease, algorithm,
 * report. No routine repeats any of it.
 */
public final class Protocol {
    /** What memory a call looks at. */
    public enum Look {
        /** Its operands. */
        USED,
        /** Only operands that it writes: a quick return of LAPACK clears what it promises. */
        WRITTEN,
        /** None. */
        NONE
    }

    private Protocol() {}

    /**
     * Enters a handle and prepares its frame; every path on from here ends in {@link #execute}.
     *
     * @param h the handle, or null
     * @param routine what is called
     * @param type element type, or null if unknown for want of a view
     * @return the frame to fill
     * @throws BlasException INVALID_HANDLE if the handle is null or closed
     */
    public static Call begin(HandleCore h, Routine routine, ElementType type) {
        if (h == null) {
            throw new BlasException(Status.INVALID_HANDLE, routine.family(),
                    routine.family() + ": the handle is null; create one from a Device");
        }
        h.enter(routine.family());
        h.call.begin(routine, type);
        return h.call;
    }

    /**
     * Runs the call whose arguments are in the handle's frame, and leaves the handle.
     *
     * @param h the handle entered by {@link #begin}
     * @return SUCCESS or PERF_DEGRADED; SIZE_INCREASED or SIZE_UNCHANGED in a query
     * @throws BlasException on any error; nothing has then changed
     */
    public static Status execute(HandleCore h) {
        try {
            return run(h);
        } finally {
            h.leave();
        }
    }

    /**
     * As {@link #execute}, for the number that the call computes: it is read before another thread may come in.
     *
     * @param h the handle entered by {@link #begin}
     * @return the real part; 0 in a query
     */
    public static double executeReal(HandleCore h) {
        try {
            run(h);
            return h.call.fetchedRe();
        } finally {
            h.leave();
        }
    }

    /**
     * As {@link #executeReal}, for a complex number.
     *
     * @param h the handle entered by {@link #begin}
     * @return the number; 0 in a query
     */
    public static Complex executeComplex(HandleCore h) {
        try {
            run(h);
            return new Complex(h.call.fetchedRe(), h.call.fetchedIm());
        } finally {
            h.leave();
        }
    }

    /**
     * As {@link #executeReal}, for an index.
     *
     * @param h the handle entered by {@link #begin}
     * @return the index from 1; 0 in a query
     */
    public static long executeIndex(HandleCore h) {
        try {
            run(h);
            return h.call.fetchedIndex();
        } finally {
            h.leave();
        }
    }

    /**
     * The first steps alone, for those who bring memory along once they know how much: all that can be refused without any is refused.
     *
     * @param h the handle entered by {@link #begin}
     * @return what {@link #run} will look at; {@link #uses} says of which operands
     * @throws BlasException on any error; the handle is still entered
     */
    public static Look looks(HandleCore h) {
        Call c = h.call;
        Routine r = c.routine();
        try {
            rules(c, r);
            if (c.args.count == 0 || r.quick(c)) {
                return r.signature().level().equals("L") ? Look.WRITTEN : Look.NONE;
            }
            c.scalars();
            return r.signature().nothingToDo(c) ? Look.NONE : Look.USED;
        } catch (ArithmeticException e) {
            throw c.failure(Status.INVALID_SIZE, null, 0, "the size does not fit 64 bits");
        }
    }

    /**
     * Whether a call whose rules are kept will read or write an operand.
     *
     * @param h the handle entered by {@link #begin}
     * @param operand 0…12 for a…m
     * @return true if it needs memory
     */
    public static boolean uses(HandleCore h, int operand) {
        return h.call.routine().uses(h.call, operand);
    }

    /**
     * As {@link #execute}, without leaving the handle.
     *
     * @param h the handle entered by {@link #begin}
     * @return SUCCESS or PERF_DEGRADED; SIZE_INCREASED or SIZE_UNCHANGED in a query
     * @throws BlasException on any error; nothing has then changed
     */
    public static Status run(HandleCore h) {
        return run(h, false);
    }

    /**
     * As {@link #run}, for a call that {@link #looks} has let pass: since then its operands have been brought to other memory and nothing else has
     * changed, so the rules are not asked again.
     *
     * @param h the handle entered by {@link #begin}
     * @return SUCCESS or PERF_DEGRADED
     * @throws BlasException on any error; nothing has then changed
     */
    public static Status runLookedAt(HandleCore h) {
        return run(h, true);
    }

    private static Status run(HandleCore h, boolean lookedAt) {
        Call c = h.call;
        try {
            return steps(h, c, c.routine(), lookedAt);
        } catch (ArithmeticException e) {
            throw c.failure(Status.INVALID_SIZE, null, 0, "the size does not fit 64 bits");
        } catch (DriverException e) {
            throw DeviceFailure.of(c.routine().name(c.args.type), e);
        }
    }

    private static void rules(Call c, Routine r) {
        r.signature().options(c);
        if (c.missingMask() != 0) {
            requireViews(c, r);
        }
        types(c, r);
        c.raiseMismatch();
        r.signature().sizes(c);
        batch(c, r);
    }

    private static Status steps(HandleCore h, Call c, Routine r, boolean lookedAt) {
        if (!lookedAt) {
            rules(c, r);
        }
        boolean quick = c.args.count == 0 || r.quick(c);
        if (h.answering()) {
            return answer(h, c, r, quick);
        }
        if (quick) {
            c.running(0, h.stream().id);
            r.quickRun(c);
            c.scope.join();
            return report(h, c, Status.SUCCESS, 0, false);
        }
        recording(h, r);
        c.scalars();
        if (r.signature().nothingToDo(c)) {
            return report(h, c, Status.SUCCESS, 0, false);
        }
        pointers(c, r);
        KeptCalls.Kept kept = r.isComposed() && h.keeps() ? h.kept.find(c) : null;
        if (kept != null && kept.isLike(c) && h.workspace.lendsAtOnce(kept.bytes(), h.stream())) {
            return again(h, c, kept);
        }
        need(c, r);
        return lendAndRun(h, c, r, kept);
    }

    /** A call like one whose launches are kept. */
    private static Status again(HandleCore h, Call c, KeptCalls.Kept kept) {
        long bytes = kept.bytes();
        kept.launches().run(h.driver, h.stream().id, c.args, bytes > 0 ? h.workspace.atOnce() : 0);
        h.workspace.lentAtOnce(bytes);
        if (h.lastDirect != null) {
            h.lastDirect = null;
        }
        h.lastRoutine(c.routine().family());
        h.lastStatus(Status.SUCCESS);
        h.lastTierIndex = 0;
        h.lastTier(kept.tier());
        h.lastBytes = bytes;
        h.lastNext = 0;
        h.lastMinimum = kept.minimum();
        h.lastOptimal = bytes;
        return Status.SUCCESS;
    }

    private static void need(Call c, Routine r) {
        Need need = c.need;
        need.reset();
        r.need(c, need);
        GemmEngine engine = c.traits.gemm(ElementType.F64).engine();
        if (engine != null) {
            need.spare(Need.PACKING, engine.bytes(), engine.name(), GemmEngine.OWN_KERNELS);
        }
        need.done();
    }

    /** Work of another thread on a stream that a capture records would become part of the graph, and nobody would know. */
    private static void recording(HandleCore h, Routine r) {
        Recording recording = h.stream.recording;
        if (recording != null && recording.thread() != Thread.currentThread()) {
            throw Occupancy.occupied(r.family(),
                    recording.thread().getName() + "\" (in a capture of the handle's stream) \"",
                    Thread.currentThread());
        }
    }

    private static Status answer(HandleCore h, Call c, Routine r, boolean quick) {
        Need need = c.need;
        if (quick) {
            need.reset();
            need.done();
        } else {
            need(c, r);
        }
        // The shape is a text for people, so only a plan makes it.
        return h.answer(r.name(c.args.type), h.recorder() != null ? r.shape(c) : "", need);
    }

    private static Status lendAndRun(HandleCore h, Call c, Routine r, KeptCalls.Kept kept) {
        Need need = c.need;
        WorkspaceCore w = h.workspace;
        boolean keeps = kept != null && kept.wanted() && w.lendsAtOnce(need.optimal(), h.stream());
        int tier;
        if (need.optimal() == 0) {
            tier = 0;
            for (int s = 0; s < need.slots(0); s++) {
                c.slotAddresses()[s] = 0;
            }
        } else {
            tier = w.lend(need, c.slotAddresses(), h, r.family());
            if (tier < 0 || (tier > 0 && h.policy() == DegradePolicy.FORBID)) {
                throw shortage(h, c, r, tier);
            }
        }
        // Asked first: an event that is only dropped later costs garbage until the JIT proves that it does not escape.
        LeaseEvent event = FlightRecording.leases() ? new LeaseEvent() : null;
        if (event != null) {
            event.begin();
        }
        try {
            if (w.isGuarded() && need.total(tier) > 0) {
                Overlap.refuse(c, r, w.last());
            }
            c.running(tier, h.stream().id);
            if (keeps && tier == 0) {
                keep(h, c, r, kept);
            } else if (c.scope.watch == null) {
                r.run(c);
            } else {
                watched(h, c, r, tier);
            }
        } finally {
            try {
                c.scope.join();
            } finally {
                if (need.total(tier) > 0) {
                    w.release(r.family());
                }
            }
        }
        if (event != null) {
            event.end();
            if (event.shouldCommit()) {
                lease(event, h, c, r, tier);
            }
        }
        if (tier > 0) {
            degraded(h, c, r, tier);
        } else if (c.isAlone() && c.args.count == 1) {
            h.known.note(r, c.args, need);
        }
        return report(h, c, tier == 0 ? Status.SUCCESS : Status.PERF_DEGRADED, tier, true);
    }

    /** What is launched is kept while it runs. */
    private static void keep(HandleCore h, Call c, Routine r, KeptCalls.Kept kept) {
        long bytes = c.need.optimal();
        kept.begin(c, bytes > 0 ? h.workspace.atOnce() : 0, bytes);
        c.scope.keeps = kept.launches();
        try {
            r.run(c);
        } finally {
            c.scope.keeps = null;
        }
        if (c.isAlone()) {
            // The small lane takes it.
            kept.launches().fail();
        }
        kept.end(c.need);
    }

    /** What is launched is counted before it runs. */
    private static void watched(HandleCore h, Call c, Routine r, int tier) {
        Watch watch = c.scope.watch;
        Launch given = new Launch();
        given.set(c.args);
        try {
            watch.count();
            r.run(c);
            c.args.set(given);
            c.running(tier, h.stream().id);
            watch.run();
            r.run(c);
        } finally {
            watch.end();
        }
    }

    /** Whether a recording wants a lease event of every call. */
    static boolean leasesRecorded() {
        return FlightRecording.leases();
    }

    private static void lease(LeaseEvent event, HandleCore h, Call c, Routine r, int tier) {
        event.handle = h.id;
        event.stream = h.stream().id;
        event.routine = r.name(c.args.type);
        event.shape = r.shape(c);
        event.tier = c.need.name(tier);
        event.asked = c.need.total(tier);
        event.capacity = h.workspace.size();
        event.commit();
    }

    private static void degraded(HandleCore h, Call c, Routine r, int tier) {
        h.workspace.degraded();
        // Asked first, as of leases: an event that nobody wants would be garbage.
        DegradedEvent event = FlightRecording.degraded() ? new DegradedEvent() : null;
        if (event != null) {
            event.handle = h.id;
            event.routine = r.name(c.args.type);
            event.shape = r.shape(c);
            event.tier = c.need.name(tier);
            event.held = h.workspace.size();
            event.next = c.need.total(tier - 1);
            event.optimal = c.need.optimal();
            event.commit();
        }
    }

    private static BlasException shortage(HandleCore h, Call c, Routine r, int tier) {
        WorkspaceCore w = h.workspace;
        boolean forbidden = tier >= 0;
        if (forbidden && c.need.total(tier) > 0) {
            w.release(r.family());
        }
        long minimum = forbidden ? c.need.optimal() : c.need.minimum();
        String limit = forbidden ? "DegradePolicy.FORBID allows only the best tier; " + w.limit() : w.limit();
        BlasException e = w.shortage(r.name(c.args.type), minimum, c.need.optimal(), limit, null);
        WorkspaceEvents.failure(h.id, r.name(c.args.type), r.shape(c), e);
        report(h, c, Status.MEMORY_ERROR, c.need.tiers() - 1, false);
        return e;
    }

    private static Status report(HandleCore h, Call c, Status status, int tier, boolean ran) {
        if (h.lastDirect != null) {
            h.lastDirect = null;
        }
        h.lastRoutine(c.routine().family());
        if (ran || status == Status.MEMORY_ERROR) {
            return report(h, c.need, status, tier, ran);
        }
        h.lastStatus(status);
        h.lastTierIndex = tier;
        h.lastTier("quick return");
        h.lastBytes = 0;
        h.lastNext = 0;
        h.lastMinimum = 0;
        h.lastOptimal = 0;
        return status;
    }

    /** Notes how a call went that asked for workspace. */
    static Status report(HandleCore h, Need need, Status status, int tier, boolean ran) {
        h.lastStatus(status);
        h.lastTierIndex = tier;
        h.lastTier(need.name(tier));
        h.lastBytes = ran ? need.total(tier) : 0;
        h.lastNext = tier == 0 ? 0 : ran ? need.total(tier - 1) : need.total(tier);
        h.lastMinimum = need.minimum();
        h.lastOptimal = need.optimal();
        return status;
    }

    private static void requireViews(Call c, Routine r) {
        for (int i = 0; i < Signature.OPERANDS; i++) {
            if (c.isMissing(i) && !r.optional(c, i)) {
                throw c.failure(Status.INVALID_POINTER, r.operandName(i), r.signature().position(i),
                        "the view is null, and a call needs its shape; in a size query use a shape without memory");
            }
        }
    }

    private static void types(Call c, Routine r) {
        ElementType type = c.args.type;
        boolean alike = !c.isComputeNamed() && type.isFloating();
        int own = r.signature().ofCallsType();
        for (int given = c.given(); alike && given != 0; given &= given - 1) {
            int i = Integer.numberOfTrailingZeros(given);
            ElementType must = (own & 1 << i) != 0 ? type : r.signature().operandType(i, type);
            alike = c.args.operand(i).type == must;
        }
        if (!alike) {
            c.requireTypes();
            if (!r.signature().mixes(c)) {
                throw apart(c, r);
            }
        }
    }

    /** Why types do not go together. */
    private static BlasException apart(Call c, Routine r) {
        List<Typing> mixed = r.signature().mixed();
        ElementType type = c.args.type;
        if (!mixed.isEmpty()) {
            return c.failure(Status.INVALID_VALUE, null, 0,
                    "elements of types " + c.typing() + " do not go together; what does is " + r.signature().typings());
        }
        if (!type.isFloating()) {
            return c.failure(Status.INVALID_VALUE, null, 0, "elements of type " + type + " are not offered by BLAS");
        }
        int i = 0;
        while (!c.isGiven(i) || c.args.operand(i).type == r.signature().operandType(i, type)) {
            i++;
        }
        return c.failure(Status.INVALID_VALUE, r.operandName(i), r.signature().position(i), "elements of type "
                + r.signature().operandType(i, type) + " are required, but it has " + c.args.operand(i).type);
    }

    /** The batch counts must agree; a single input is shared by the whole batch. */
    private static void batch(Call c, Routine r) {
        long count = c.args.count;
        if (count < 0) {
            throw c.failure(Status.INVALID_SIZE, "batch_count", 0, "batch_count >= 0 is required, but it is " + count);
        }
        for (int given = c.given(); given != 0; given &= given - 1) {
            int i = Integer.numberOfTrailingZeros(given);
            long own = c.count(i);
            if (own < 0 || own == count) {
                continue;
            }
            Operand o = c.args.operand(i);
            if (own == 1 && !r.signature().writes(i) && !o.pointers) {
                o.stride = 0;
                continue;
            }
            throw c.failure(Status.INVALID_SIZE, r.operandName(i), r.signature().position(i),
                    "a batch of " + count + " is required, but it has " + own);
        }
    }

    private static void pointers(Call c, Routine r) {
        for (int needed = r.signature().operandMask(); needed != 0; needed &= needed - 1) {
            int i = Integer.numberOfTrailingZeros(needed);
            // What is there needs no answer to whether it must be.
            if (c.isGiven(i) && c.memory(i) != null && c.args.operand(i).present()) {
                memory(c, r, i, c.args.operand(i), c.memory(i));
            } else if (r.uses(c, i)) {
                throw absent(c, r, i);
            }
        }
    }

    /** Checks that an operand is there (if required), alive, on the handle's device, and inside its memory. */
    static void pointer(Call c, Routine r, int i, boolean required) {
        Operand o = c.args.operand(i);
        MemoryCore memory = c.isGiven(i) ? c.memory(i) : null;
        if (!o.present() || memory == null) {
            if (required) {
                throw absent(c, r, i);
            }
            return;
        }
        memory(c, r, i, o, memory);
    }

    private static void memory(Call c, Routine r, int i, Operand o, MemoryCore memory) {
        if (!memory.admits(c.handle())) {
            String objection = memory.objection(c.driver());
            throw c.failure(Status.INVALID_POINTER, r.operandName(i), r.signature().position(i),
                    objection != null ? objection : "the arena that owns its memory is being closed");
        }
        if (c.handle().stream.recording != null) {
            c.handle().stream.recording.uses(memory);
        }
        extent(c, r, i, o);
    }

    private static BlasException absent(Call c, Routine r, int i) {
        return c.failure(Status.INVALID_POINTER, r.operandName(i), r.signature().position(i),
                "it is null (or a shape without memory), and this call needs it");
    }

    private static void extent(Call c, Routine r, int i, Operand o) {
        long bytes;
        if (o.pointers) {
            bytes = Math.multiplyExact(c.args.count, 8L);
        } else {
            bytes = o.spanBytes();
            if (c.args.count > 1) {
                long last = Math.multiplyExact(Math.multiplyExact(c.args.count - 1, o.stride), (long) o.type.bytes());
                if (last < 0) {
                    // The problems lie one before the other, and the operand's address is that of the last one.
                    before(c, r, i, Math.negateExact(last));
                } else {
                    bytes = Math.addExact(bytes, last);
                }
            }
        }
        if (bytes > c.available(i)) {
            throw c.failure(Status.INVALID_POINTER, r.operandName(i), r.signature().position(i),
                    "it needs " + bytes + " bytes, but its memory has only " + c.available(i) + " from there");
        }
    }

    private static void before(Call c, Routine r, int i, long bytes) {
        if (bytes > c.before(i)) {
            throw c.failure(Status.INVALID_POINTER, r.operandName(i), r.signature().position(i),
                    "its stride is negative and needs " + bytes
                            + " bytes before the first problem, but its memory has only " + c.before(i));
        }
    }
}
