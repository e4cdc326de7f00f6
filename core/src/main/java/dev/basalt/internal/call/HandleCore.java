package dev.basalt.internal.call;

import dev.basalt.BlasException;
import dev.basalt.DegradePolicy;
import dev.basalt.Status;
import dev.basalt.internal.block.Watch;
import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.StreamEvent;
import dev.basalt.internal.workspace.Borrower;
import dev.basalt.internal.workspace.Borrowers;
import dev.basalt.internal.workspace.Need;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.portable.DirectDevice;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import java.util.concurrent.atomic.AtomicLong;

/** The state behind a handle: device, stream, workspace, query, the frame of the running call, and who is inside. */
public final class HandleCore extends Occupancy implements Borrower {
    /** No kernels of any type. */
    private static final Leaf[] NONE = new Leaf[ElementType.values().length];

    private static final AtomicLong IDS = new AtomicLong();

    /** Number for events and messages. */
    public final long id = IDS.incrementAndGet();

    /** The device. */
    public final DeviceDriver driver;

    /** The workspace, perhaps shared with other handles. */
    public final WorkspaceCore workspace;

    /** The frame of the running call. */
    public final Call call;

    StreamRef stream;
    DegradePolicy policy;
    MathMode math = MathMode.DEFAULT;

    boolean querying;
    long queryMaximum;
    Recorder recorder;

    private Status lastStatus = Status.SUCCESS;
    private String lastRoutine = "";
    /** The routine of the last call if that went the direct way, where nothing but its name is worth a report. */
    Routine lastDirect;

    private String directTier = "";

    /** Calls whose shape the small lane need not ask the formula about. */
    final KnownCalls known = new KnownCalls();

    /** Small calls whose launches are made again. */
    final KeptCalls kept = new KeptCalls();

    /** That of the call which is inside. */
    private KnownCalls.Known entered;

    /** That of the last call of such a routine that took the small lane. */
    private KnownCalls.Known lastKnown;

    private String lastTier = "";
    int lastTierIndex;
    long lastBytes;
    long lastNext;
    long lastMinimum;
    long lastOptimal;

    /** The device, if small calls can go to its kernels directly; null in a plan, a capture or a query, and once closed. */
    private DirectDevice direct;

    /** What the device says of short vectors, by type: always the same, so it is asked once. */
    private final Leaf[] leaves = new Leaf[NONE.length];

    /** These, or {@link #NONE} where short calls must ask or go the long way. */
    private Leaf[] shortCalls = NONE;

    /** The thread of a plan, a capture or a size query that goes on: others would have their calls not run and not know. */
    private volatile Thread within;

    private int scopes;

    private volatile boolean closed;
    private volatile boolean deviceClosed;

    /**
     * A handle's state.
     *
     * @param driver the device
     * @param stream the stream to begin with
     * @param workspace its workspace
     * @param policy what to do when memory is short
     */
    public HandleCore(DeviceDriver driver, StreamRef stream, WorkspaceCore workspace, DegradePolicy policy) {
        this.driver = driver;
        this.stream = stream;
        this.workspace = workspace;
        this.policy = policy;
        this.call = new Call(this);
        if (driver instanceof DirectDevice device) {
            for (ElementType type : ElementType.values()) {
                leaves[type.ordinal()] = device.small(DirectDevice.Small.VECTOR, type, 1, DirectDevice.SHORT, 1, 0);
            }
        }
        direct();
        workspace.attach();
        Borrowers.add(this);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public DeviceDriver driver() {
        return driver;
    }

    @Override
    public boolean giveBackIdle() {
        // A glance first, so that handles at work are left alone.
        if (!workspace.isIdle() || !tryLookAfter()) {
            return false;
        }
        try {
            // In a capture of another thread nothing of the workspace may move.
            return !closed && within == null && workspace.giveBackIdle(id);
        } finally {
            leave();
        }
    }

    /**
     * Enters the handle: at most one thread may be inside, and the handle must be open.
     *
     * @param operation what is called, for the message
     * @throws IllegalStateException if another thread is inside
     * @throws BlasException INVALID_HANDLE if the handle is closed
     */
    public void enter(String operation) {
        enterClosed(operation);
        if (closed || deviceClosed) {
            leave();
            throw new BlasException(Status.INVALID_HANDLE, operation,
                    operation + (closed
                            ? ": the handle is closed; create another"
                            : ": the device of this handle is closed; open it again and create another handle"));
        }
        begins();
    }

    /**
     * Enters the handle, even a closed one, for what outlives it: a graph.
     *
     * @param operation what is called, for the message
     * @throws IllegalStateException if another thread is inside
     */
    public void enterClosed(String operation) {
        occupy(operation);
        Thread other = within;
        if (other != null && other != Thread.currentThread() && other.isAlive()) {
            leave();
            throw occupied(operation, other.getName() + " (in a plan, a capture or a size query)",
                    Thread.currentThread());
        }
    }

    /** Begins a plan, a capture or a size query: until its end no other thread may call. This thread is inside. */
    public void beginScope() {
        if (within != Thread.currentThread()) {
            within = Thread.currentThread();
            scopes = 0;
        }
        scopes++;
        direct();
    }

    /** Ends what {@link #beginScope} began. */
    public void endScope() {
        if (--scopes == 0) {
            within = null;
        }
        direct();
    }

    /** A product that is emulated goes the long way, whatever its size: else its bits would not be those of other devices. */
    private void direct() {
        // One thread at a time: who closes the device must have the last word.
        synchronized (leaves) {
            boolean open = !closed && !deviceClosed && within == null && math != MathMode.EMULATED;
            direct = open && driver instanceof DirectDevice device ? device : null;
            // The default stream lives as long as the device, so there is nothing to ask about it.
            shortCalls = direct != null && stream.id == 0 ? leaves : NONE;
        }
    }

    /**
     * Enters the handle for a call that needs no more than one kernel on the caller's thread and nothing of this handle, if all is
     * as such a call wants it. What is not is for the long way to report. Ends with {@link #leave}.
     *
     * @param kind what the kernel does
     * @param type element type
     * @param m rows
     * @param n columns, or elements of vectors
     * @param k inner dimension, or the order of a matrix that is a factor
     * @return the kernels, or null if the handle was not entered
     */
    public Leaf enterSmall(DirectDevice.Small kind, ElementType type, long m, long n, long k) {
        if (kind == DirectDevice.Small.VECTOR && n <= DirectDevice.SHORT && shortCalls != NONE) {
            // Read again inside: who closes the device empties it and then waits for whoever is inside.
            return !Protocol.leasesRecorded() && tryOccupy() ? stay(shortCalls[type.ordinal()]) : null;
        }
        DirectDevice device = arrive();
        return device != null ? stay(device.small(kind, type, m, n, k, stream.id)) : null;
    }

    /**
     * As {@link #enterSmall} for vectors with the kernels that a view of one of them knows: to find them by the handle takes longer, and a short
     * call waits for it. If the view is of another device, its memory is not admitted.
     *
     * @param kernels of the view's type and device; null if it knows none
     * @param type element type
     * @param m 1
     * @param n elements
     * @param k 1
     * @return the kernels, or null if the handle was not entered
     */
    public Leaf enterShort(Leaf kernels, ElementType type, long m, long n, long k) {
        // A view knows kernels if it is short. What the handle says is read inside alone, as in enterSmall.
        if (kernels != null && !Protocol.leasesRecorded() && tryOccupy()) {
            if (shortCalls != NONE) {
                return kernels;
            }
            leave();
        }
        return enterSmall(DirectDevice.Small.VECTOR, type, m, n, k);
    }

    /**
     * As {@link #enterSmall}, for a call whose routine asks for workspace that its shape then leaves alone: if an earlier call of the shape went the long way, and
     * the workspace would lend it so much at once.
     *
     * @param kind what the kernel does
     * @param routine what is called
     * @param type element type
     * @param options {@link KnownCalls#options}
     * @param m rows
     * @param n columns
     * @param k inner dimension, or 0
     * @return the kernels, or null if the handle was not entered
     */
    public Leaf enterKnown(DirectDevice.Small kind, Routine routine, ElementType type, int options, long m, long n,
            long k) {
        DirectDevice device = arrive();
        if (device == null) {
            return null;
        }
        KnownCalls.Known call = known.find(routine, type, options, m, n, k);
        if (call == null || !workspace.lendsAtOnce(call.bytes(), stream)) {
            leave();
            return null;
        }
        if (entered != call) {
            entered = call;
        }
        return stay(device.small(kind, type, m, n, k, stream.id));
    }

    /**
     * How much workspace the call has that {@link #enterKnown} let in.
     *
     * @return bytes of its best tier
     */
    public long knownBytes() {
        return entered.bytes();
    }

    /**
     * Where that workspace lies.
     *
     * @return its address, 0 if it has none
     */
    public long knownWork() {
        return entered.bytes() > 0 ? workspace.atOnce() : 0;
    }

    /**
     * Leaves a handle that was entered directly, for a call that must go the long way.
     *
     * @return null
     */
    public Leaf declined() {
        leave();
        return null;
    }

    /** Comes in if calls run at once, nobody else is inside, and nobody wants to hear of each; else null. */
    private DirectDevice arrive() {
        DirectDevice device = direct;
        return device != null && !Protocol.leasesRecorded() && tryOccupy() ? device : null;
    }

    /** Whether calls may be made of launches that are kept: what is launched is done at once, and nobody wants to hear of each. */
    boolean keeps() {
        return direct != null && call.scope.watch == null && stream.recording == null && !Protocol.leasesRecorded();
    }

    private Leaf stay(Leaf kernels) {
        if (kernels == null) {
            leave();
        }
        return kernels;
    }

    /**
     * Notes that a call went well on the direct way.
     *
     * @param routine what was called
     * @param tier the name of its first tier
     */
    public void ranDirect(Routine routine, String tier) {
        // Most calls are like the one before: a compare is cheaper than to tell the collector of a reference.
        if (lastDirect != routine) {
            lastDirect = routine;
        }
        if (directTier != tier) {
            directTier = tier;
        }
    }

    /**
     * As {@link #ranDirect}, for a call that {@link #enterKnown} let in.
     *
     * @param routine what was called
     */
    public void ranKnown(Routine routine) {
        KnownCalls.Known call = entered;
        workspace.lentAtOnce(call.bytes());
        if (lastKnown != call) {
            lastKnown = call;
        }
        ranDirect(routine, call.tier());
    }

    // Most calls end like the one before: see ranDirect.

    void lastRoutine(String routine) {
        if (lastRoutine != routine) {
            lastRoutine = routine;
        }
    }

    void lastStatus(Status status) {
        if (lastStatus != status) {
            lastStatus = status;
        }
    }

    void lastTier(String tier) {
        if (lastTier != tier) {
            lastTier = tier;
        }
    }

    /**
     * Whether the handle is open.
     *
     * @return false after close
     */
    @Override
    public boolean isOpen() {
        return !closed;
    }

    /**
     * The stream.
     *
     * @return stream
     */
    @Override
    public StreamRef stream() {
        return stream;
    }

    /**
     * Changes the stream. The workspace is ordered by an event when the next call borrows it; the host does not wait.
     *
     * @param next the new stream
     */
    public void stream(StreamRef next) {
        if (!next.isOpen()) {
            throw new BlasException(Status.INVALID_VALUE, "setStream", "setStream: the stream is closed");
        }
        if (FlightRecording.on()) {
            StreamEvent event = new StreamEvent();
            event.handle = id;
            event.from = stream.id;
            event.to = next.id;
            event.action =
                    workspace.streamOrdered() ? "none: allocation is stream-ordered" : "event wait at the next lease";
            event.commit();
        }
        stream = next;
        direct();
    }

    /**
     * The policy.
     *
     * @return policy
     */
    public DegradePolicy policy() {
        return policy;
    }

    /**
     * Sets the policy.
     *
     * @param next policy
     */
    public void policy(DegradePolicy next) {
        policy = next;
    }

    /**
     * How exactly products take their factors.
     *
     * @return mode
     */
    public MathMode math() {
        return math;
    }

    /**
     * Sets how exactly products take their factors.
     *
     * @param next mode
     */
    public void math(MathMode next) {
        math = next;
        direct();
    }

    /** From here on {@link #share} tells how far a call is, if the device's work is done when a launch returns. Each launch takes some nanoseconds more. */
    public void watch() {
        if (driver instanceof DirectDevice device) {
            call.scope.watch = new Watch(device);
        }
    }

    /**
     * How far the running call is; any thread may ask.
     *
     * @return from 0 to 1; below 0 where nothing tells
     */
    public double share() {
        Watch watch = call.scope.watch;
        return watch == null ? -1 : watch.share();
    }

    /**
     * What the last call counted and did not launch, for tests.
     *
     * @return of what it counted, from 0 to 1
     */
    public double missing() {
        return call.scope.watch.missing();
    }

    /**
     * Whether calls only report their need now.
     *
     * @return true in a size query or while a plan is made
     */
    public boolean answering() {
        return querying || recorder != null;
    }

    /**
     * Whether a size query is active.
     *
     * @return true between start and stop
     */
    public boolean querying() {
        return querying;
    }

    /** rocBLAS's start query. */
    public void startQuery() {
        if (querying) {
            throw new BlasException(Status.SIZE_QUERY_MISMATCH, "startDeviceMemorySizeQuery",
                    "startDeviceMemorySizeQuery: a query is active already, and goes on; stop it first");
        }
        querying = true;
        queryMaximum = 0;
        beginScope();
    }

    /**
     * rocBLAS's stop query.
     *
     * @return the maximum over the calls
     */
    public long stopQuery() {
        if (!querying) {
            throw new BlasException(Status.SIZE_QUERY_MISMATCH, "stopDeviceMemorySizeQuery",
                    "stopDeviceMemorySizeQuery: no query is active; start one first");
        }
        querying = false;
        endScope();
        return queryMaximum;
    }

    /**
     * Answers a query, or notes a call of a plan.
     *
     * @param routine what was called
     * @param shape its shape for people
     * @param need what it needs
     * @return SIZE_INCREASED or SIZE_UNCHANGED
     */
    public Status answer(String routine, String shape, Need need) {
        if (recorder != null) {
            return recorder.record(routine, shape, need) ? Status.SIZE_INCREASED : Status.SIZE_UNCHANGED;
        }
        if (need.optimal() > queryMaximum) {
            queryMaximum = need.optimal();
            return Status.SIZE_INCREASED;
        }
        return Status.SIZE_UNCHANGED;
    }

    /**
     * Sets who notes the calls of a plan.
     *
     * @param next recorder, or null to end
     */
    public void recorder(Recorder next) {
        recorder = next;
    }

    /**
     * Who notes the calls of a plan.
     *
     * @return recorder or null
     */
    public Recorder recorder() {
        return recorder;
    }

    /** Marks the handle as closed; the owner frees the workspace. */
    public void markClosed() {
        closed = true;
        direct();
        Borrowers.remove(this);
    }

    /** Refuses calls from now on, since the device goes, and waits for the one inside. */
    public void deviceCloses() {
        deviceClosed = true;
        direct();
        awaitLeave();
    }

    /**
     * Whether the device was closed before this handle.
     *
     * @return true if so
     */
    public boolean isDeviceClosed() {
        return deviceClosed;
    }

    /**
     * Notes the outcome of a routine of the user's own.
     *
     * @param routine its name
     * @param status outcome
     * @param tier index of the tier that ran
     * @param need what it asked for
     */
    public void ranUsers(String routine, Status status, int tier, Need need) {
        lastDirect = null;
        lastRoutine(routine);
        Protocol.report(this, need, status, tier, status != Status.MEMORY_ERROR);
    }

    /**
     * The last call's outcome.
     *
     * @param <T> what the reader makes of it
     * @param reader gets the figures
     * @return what the reader made
     */
    public <T> T last(LastCall<T> reader) {
        KnownCalls.Known call = lastKnown;
        if (lastDirect != null && call != null && call.routine() == lastDirect) {
            return reader.read(lastDirect.family(), Status.SUCCESS, 0, directTier, call.bytes(), 0, call.minimum(),
                    call.bytes());
        }
        if (lastDirect != null) {
            return reader.read(lastDirect.family(), Status.SUCCESS, 0, directTier, 0, 0, 0, 0);
        }
        return reader.read(lastRoutine, lastStatus, lastTierIndex, lastTier, lastBytes, lastNext, lastMinimum,
                lastOptimal);
    }

    /**
     * Reads the figures of the last call.
     *
     * @param <T> result type
     */
    @FunctionalInterface
    public interface LastCall<T> {
        /**
         * Gets the figures.
         *
         * @param routine BLAS name
         * @param status outcome
         * @param tier index of the tier that ran
         * @param tierName its name
         * @param bytes bytes it used
         * @param next bytes that would buy the next better tier, 0 if it was the best
         * @param minimum need of the last tier
         * @param optimal need of the best tier
         * @return result
         */
        T read(String routine, Status status, int tier, String tierName, long bytes, long next, long minimum,
                long optimal);
    }
}
