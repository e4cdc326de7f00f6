package dev.basalt.internal.call;

import dev.basalt.BlasException;
import dev.basalt.DegradePolicy;
import dev.basalt.ElementType;
import dev.basalt.Status;
import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.HazardEvent;
import dev.basalt.internal.telemetry.StreamEvent;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.kernel.DirectDevice;
import dev.basalt.kernel.Leaf;
import dev.basalt.spi.DeviceDriver;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/** The state behind a handle: device, stream, workspace, query, the frame of the running call, and who is inside. */
public final class HandleCore {
    private static final AtomicLong IDS = new AtomicLong();
    private static final VarHandle OWNER;
    private static final VarHandle GUEST;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(HandleCore.class, "owner", long.class);
            GUEST = MethodHandles.lookup().findVarHandle(HandleCore.class, "guest", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

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

    boolean querying;
    long queryMaximum;
    Recorder recorder;

    Status lastStatus = Status.SUCCESS;
    String lastRoutine = "";
    /** The routine of the last call if that went the direct way, where nothing but its name is worth a report. */
    Routine lastDirect;

    private String directTier = "";

    String lastTier = "";
    int lastTierIndex;
    long lastBytes;
    long lastNext;
    long lastMinimum;
    long lastOptimal;

    /** The number of the thread inside, 0 for none: a number, since a collector wants to know of each change of a reference. */
    @SuppressWarnings("unused") // through OWNER
    private volatile long owner;

    /**
     * The number of the thread that is inside on the direct way, 0 for none. Such a call uses nothing of the handle that another
     * could spoil, so it need not keep others out, only tell them: two plain stores, where the exchange that keeps others out costs
     * 6 ns, more than many a kernel. Two threads that come in the same few nanoseconds may miss each other; neither does harm.
     */
    @SuppressWarnings("unused") // through GUEST
    private volatile long guest;

    /** The thread that was inside last, for the message to the next. */
    private volatile Thread inside;

    /** The device, if small calls can go to its kernels directly; null while calls are only asked for their need, and once closed. */
    private DirectDevice direct;

    private boolean closed;

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
        this.call = new Call(driver);
        direct();
        workspace.attach();
    }

    /**
     * Enters the handle: at most one thread may be inside, and the handle must be open.
     *
     * @param operation what is called, for the message
     * @throws IllegalStateException if another thread is inside
     * @throws BlasException INVALID_HANDLE if the handle is closed
     */
    public void enter(String operation) {
        Thread me = Thread.currentThread();
        long other = (long) OWNER.compareAndExchangeAcquire(this, 0L, me.threadId());
        if (other != 0) {
            throw occupied(operation, other, me);
        }
        other = guest;
        if (other != 0) {
            leave();
            throw occupied(operation, other, me);
        }
        if (closed) {
            leave();
            throw new BlasException(
                    Status.INVALID_HANDLE, operation, operation + ": the handle is closed; create another");
        }
        known(me);
    }

    private void direct() {
        direct = !closed && !answering() && driver instanceof DirectDevice device ? device : null;
    }

    private void known(Thread me) {
        if (inside != me) {
            inside = me;
        }
    }

    /**
     * Enters the handle for a call that needs no more than one kernel on the caller's thread and nothing of this handle, if all is
     * as such a call wants it. What is not is for the long way to report. Ends with {@link #leaveDirect}.
     *
     * @param type element type
     * @param n elements of its vectors, or of its matrix
     * @return the kernels, or null if the handle was not entered
     */
    public Leaf enterDirect(ElementType type, long n) {
        DirectDevice device = arrive();
        return device != null ? stay(device.direct(type, n, stream.id)) : null;
    }

    /**
     * Enters the handle for a matrix product, as {@link #enterDirect(ElementType, long)}.
     *
     * @param type element type
     * @param m rows
     * @param n columns
     * @param k inner dimension
     * @return the kernels, or null if the handle was not entered
     */
    public Leaf enterDirect(ElementType type, long m, long n, long k) {
        DirectDevice device = arrive();
        return device != null ? stay(device.direct(type, m, n, k, stream.id)) : null;
    }

    /**
     * Enters the handle as {@link #enterDirect(ElementType, long)} for a call that uses its frame, and keeps all others out. Ends with
     * {@link #leave}.
     *
     * @param type element type
     * @param n elements of its vectors
     * @return the kernels, or null if the handle was not entered
     */
    public Leaf enterAlone(ElementType type, long n) {
        DirectDevice device = arrive();
        if (device == null) {
            return null;
        }
        Leaf kernels = device.direct(type, n, stream.id);
        boolean entered = kernels != null
                && OWNER.compareAndSet(this, 0L, Thread.currentThread().threadId());
        leaveDirect();
        return entered ? kernels : null;
    }

    /** Comes in as a guest if calls run at once, nobody else is inside, and nobody wants to hear of each; else null. */
    private DirectDevice arrive() {
        DirectDevice device = direct;
        if (device == null || owner != 0 || guest != 0 || Protocol.leasesRecorded()) {
            return null;
        }
        Thread me = Thread.currentThread();
        GUEST.setOpaque(this, me.threadId());
        known(me);
        return device;
    }

    private Leaf stay(Leaf kernels) {
        if (kernels == null) {
            leaveDirect();
        }
        return kernels;
    }

    /** Leaves the handle after a call on the direct way. */
    public void leaveDirect() {
        GUEST.setRelease(this, 0L);
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
            Thread.onSpinWait();
        }
        return "#" + id;
    }

    /** Leaves the handle. */
    public void leave() {
        OWNER.setRelease(this, 0L);
    }

    /**
     * Whether the handle is open.
     *
     * @return false after close
     */
    public boolean isOpen() {
        return !closed;
    }

    /**
     * The stream.
     *
     * @return stream
     */
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
            throw new BlasException(
                    Status.SIZE_QUERY_MISMATCH,
                    "startDeviceMemorySizeQuery",
                    "startDeviceMemorySizeQuery: a query is active already, and goes on; stop it first");
        }
        querying = true;
        queryMaximum = 0;
        direct();
    }

    /**
     * rocBLAS's stop query.
     *
     * @return the maximum over the calls
     */
    public long stopQuery() {
        if (!querying) {
            throw new BlasException(
                    Status.SIZE_QUERY_MISMATCH,
                    "stopDeviceMemorySizeQuery",
                    "stopDeviceMemorySizeQuery: no query is active; start one first");
        }
        querying = false;
        direct();
        return queryMaximum;
    }

    /**
     * Answers a query.
     *
     * @param bytes what a call needs
     * @return SIZE_INCREASED or SIZE_UNCHANGED
     */
    public Status answer(long bytes) {
        if (bytes > queryMaximum) {
            queryMaximum = bytes;
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
        direct();
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
    }

    /**
     * The last call's outcome.
     *
     * @param <T> what the reader makes of it
     * @param reader gets the figures
     * @return what the reader made
     */
    public <T> T last(LastCall<T> reader) {
        if (lastDirect != null) {
            return reader.read(lastDirect.family(), Status.SUCCESS, 0, directTier, 0, 0, 0, 0);
        }
        return reader.read(
                lastRoutine, lastStatus, lastTierIndex, lastTier, lastBytes, lastNext, lastMinimum, lastOptimal);
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
        T read(
                String routine,
                Status status,
                int tier,
                String tierName,
                long bytes,
                long next,
                long minimum,
                long optimal);
    }
}
