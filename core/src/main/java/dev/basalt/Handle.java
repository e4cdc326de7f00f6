package dev.basalt;

import dev.basalt.internal.call.Cores;
import dev.basalt.internal.call.DeviceFailure;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Recorder;
import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.Recording;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.spi.DriverException;
import dev.basalt.type.MathMode;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * One device, one stream, one workspace. Every routine is called on a handle and borrows its temporary memory from it; calls of a
 * handle run in order on its stream. Used by one thread at a time; a second thread inside is an
 * {@link IllegalStateException}, never corruption.
 *
 * <p>The workspace follows one of four schemes ({@link Scheme}); see rocBLAS's documents on device memory, whose names the
 * operations here keep.
 */
public final class Handle implements AutoCloseable {
    static {
        Cores.handles(handle -> ((Handle) handle).core);
    }

    final HandleCore core;
    private final Device device;
    private final Workspace shared;
    private final LeakRegistry.Entry leak;
    private final HandleLeases leases;
    private Stream stream;

    Handle(Device device, HandleCore core, Stream stream, Workspace shared) {
        this.device = device;
        this.core = core;
        this.stream = stream;
        this.shared = shared;
        this.leases = new HandleLeases(this);
        this.leak = LeakRegistry.open("Handle", device.name() + ", handle " + core.id, this);
    }

    /**
     * Sets the size of the workspace.
     *
     * @param bytes 0: free it and let the library manage ({@link Scheme#MANAGED}); else keep exactly this size, rounded up to
     *     64 bytes ({@link Scheme#MANUAL})
     * @throws BlasException INVALID_VALUE on a preallocated handle, INTERNAL_ERROR while a lease is alive, MEMORY_ERROR if the
     *     size cannot be had; nothing has then changed
     */
    public void setDeviceMemorySize(long bytes) {
        inside("setDeviceMemorySize", () -> core.workspace.setSize(bytes, core.stream(), core.id));
    }

    /**
     * Gives the handle a block of the user's own ({@link Scheme#OWNED}); the library never frees it, and it must stay until
     * another call takes its place and the work that uses it is done.
     *
     * @param memory the block; null for {@link Scheme#MANAGED}
     * @param bytes how much of it, from its start; 0 for {@link Scheme#MANAGED}
     * @throws BlasException INVALID_VALUE on a preallocated handle, INTERNAL_ERROR while a lease is alive, INVALID_POINTER for
     *     a block of another device, misaligned or closed, INVALID_SIZE for one shorter than a chunk or than {@code bytes}
     */
    public void setWorkspace(DeviceMemory memory, long bytes) {
        setWorkspace(memory == null ? null : memory.pointer(), bytes);
    }

    /**
     * As {@link #setWorkspace(DeviceMemory, long)}, from a place inside a block.
     *
     * @param pointer where the workspace starts; null for {@link Scheme#MANAGED}
     * @param bytes how much from there; 0 for {@link Scheme#MANAGED}
     */
    public void setWorkspace(DevicePointer pointer, long bytes) {
        inside("setWorkspace", () -> {
            Shapes.notNegative("setWorkspace", "bytes", bytes);
            core.workspace.setForeign(pointer == null ? null : pointer.memory().core,
                    pointer == null ? 0 : pointer.address(), pointer == null ? 0 : pointer.available(), bytes,
                    core.stream(), core.id);
        });
    }

    /**
     * Bytes of workspace held now.
     *
     * @return bytes
     */
    public long getDeviceMemorySize() {
        return core.workspace.size();
    }

    /**
     * Whether the library manages the size.
     *
     * @return true for {@link Scheme#MANAGED}
     */
    public boolean isManagingDeviceMemory() {
        return core.workspace.scheme() == Scheme.MANAGED;
    }

    /**
     * Whether the user fixed the size of a block of the library's.
     *
     * @return true for {@link Scheme#PREALLOCATED} and {@link Scheme#MANUAL}
     */
    public boolean isUserManagingDeviceMemory() {
        return core.workspace.scheme() == Scheme.PREALLOCATED || core.workspace.scheme() == Scheme.MANUAL;
    }

    /**
     * The scheme.
     *
     * @return scheme
     */
    public Scheme workspaceScheme() {
        return core.workspace.scheme();
    }

    /**
     * Whether the workspace is allocated in stream order.
     *
     * @return false if it was not asked for or the device cannot
     */
    public boolean isStreamOrdered() {
        return core.workspace.streamOrdered();
    }

    /**
     * Begins a size query: until {@link #stopDeviceMemorySizeQuery} calls check options and sizes, report their need, and run
     * nothing; their pointers may be null.
     *
     * @throws BlasException SIZE_QUERY_MISMATCH if one is active, which goes on
     */
    public void startDeviceMemorySizeQuery() {
        inside("startDeviceMemorySizeQuery", core::startQuery);
    }

    /**
     * Ends the size query.
     *
     * @return the largest need of its calls in bytes, 0 if there were none
     * @throws BlasException SIZE_QUERY_MISMATCH if none is active
     */
    public long stopDeviceMemorySizeQuery() {
        core.enter("stopDeviceMemorySizeQuery");
        try {
            return core.stopQuery();
        } finally {
            core.leave();
        }
    }

    /**
     * Whether calls only tell their need now: a routine of your own then does so too, by {@link #setOptimalDeviceMemorySize(Layout)}, and
     * returns.
     *
     * @return true between start and stop of a size query, and while {@link #plan} runs
     */
    public boolean isDeviceMemorySizeQuery() {
        return core.answering();
    }

    /**
     * For whoever writes a routine: answers a size query or a plan.
     *
     * @param sizes bytes of the slots the routine will ask for
     * @return SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INTERNAL_ERROR if no query is active, INVALID_SIZE for negative sizes or a sum over 2^63-1
     */
    public Status setOptimalDeviceMemorySize(long... sizes) {
        return leases.answer(sizes);
    }

    /**
     * For whoever writes a routine: answers a size query or a plan with all tiers.
     *
     * @param layout what the routine will ask for
     * @return SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INTERNAL_ERROR if no query is active
     */
    public Status setOptimalDeviceMemorySize(Layout layout) {
        return leases.answer(layout);
    }

    /**
     * For whoever writes a routine: borrows workspace on this handle's stream. Other leases and calls of the handle may be alive or
     * follow; each lies behind the one before.
     *
     * @param sizes bytes of each slot; 0 gives a null slot
     * @return a lease, to be closed when the work is issued; {@link Lease#isSuccess} is false if there is not enough
     * @throws BlasException INTERNAL_ERROR in a size query, INVALID_SIZE for negative sizes
     */
    public Lease deviceMalloc(long... sizes) {
        return leases.lend(sizes);
    }

    /**
     * As {@link #deviceMalloc(long...)} with one slot, without an array.
     *
     * @param size bytes of the slot
     * @return a lease
     */
    public Lease deviceMalloc(long size) {
        return leases.lend(size);
    }

    /**
     * As {@link #deviceMalloc(long...)} with two slots, without an array.
     *
     * @param first bytes of slot 0
     * @param second bytes of slot 1
     * @return a lease
     */
    public Lease deviceMalloc(long first, long second) {
        return leases.lend(first, second);
    }

    /**
     * For whoever writes a routine: borrows workspace for the best tier that can be had. With {@link DegradePolicy#FORBID} that is the
     * first or none.
     *
     * @param layout the tiers
     * @return a lease, to be closed when the work is issued; {@link Lease#isSuccess} is false if there is not enough for any tier
     * @throws BlasException INTERNAL_ERROR in a size query
     */
    public Lease deviceMalloc(Layout layout) {
        return leases.lend(layout);
    }

    void retire(Lease lease) {
        leases.retire(lease);
    }

    /**
     * Plans a sequence of calls: runs them in query mode, where they check options and sizes and report their need. Views may
     * be shapes without memory. A size query in progress is not disturbed.
     *
     * @param calls gets this handle
     * @return the need, call by call
     */
    public Plan plan(Consumer<Handle> calls) {
        Recorder recorder = new Recorder();
        core.enter("plan");
        Recorder outer = core.recorder();
        core.recorder(recorder);
        core.beginScope();
        core.leave();
        try {
            calls.accept(this);
        } finally {
            core.recorder(outer);
            core.endScope();
        }
        return Plan.of(device.deviceClass(), recorder.calls());
    }

    /**
     * Makes sure that the calls of a plan find their best workspace without growing.
     *
     * @param plan a plan for this device class
     * @throws BlasException MEMORY_ERROR if it cannot be had, or the fixed size of this handle is less
     */
    public void reserve(Plan plan) {
        if (!plan.deviceClass().equals(device.deviceClass())) {
            throw new BlasException(Status.INVALID_VALUE, "reserve", "the plan is for device class "
                    + plan.deviceClass() + ", the handle is on " + device.deviceClass());
        }
        reserve(plan.optimal());
    }

    /**
     * Makes sure that calls find a workspace of a given size without growing.
     *
     * @param bytes size
     * @throws BlasException MEMORY_ERROR if it cannot be had, or the fixed size of this handle is less
     */
    public void reserve(long bytes) {
        Shapes.notNegative("reserve", "bytes", bytes);
        inside("reserve", () -> core.workspace.reserve(bytes, core.stream(), core.id));
    }

    /** Gives back workspace that no reservation needs (MANAGED only). */
    public void trim() {
        inside("trim", () -> core.workspace.trim(core.stream(), core.id));
    }

    /**
     * Records calls into a graph instead of running them. They never allocate: reserve their workspace before, or use a fixed size.
     *
     * @param calls gets this handle
     * @return graph that keeps the workspace alive
     * @throws BlasException INVALID_VALUE on a default stream or a device without capture, MEMORY_ERROR (with the bytes to
     *     reserve) if a call needs more workspace than there is
     */
    public Graph capture(Consumer<Handle> calls) {
        core.enter("capture");
        StreamRef on = core.stream();
        Recording recording;
        try {
            if (core.answering()) {
                throw new BlasException(Status.INTERNAL_ERROR, "capture",
                        "capture: a size query or a plan is active, in which calls do not run and cannot be recorded; end it"
                                + " first");
            }
            core.workspace.beforeCapture(on);
            core.driver.beginCapture(on.id);
            recording = new Recording(on);
            core.beginScope();
        } catch (DriverException e) {
            throw new BlasException(Status.INVALID_VALUE, "capture", null, 0, "capture: " + e.getMessage(), null, e);
        } finally {
            core.leave();
        }
        try {
            calls.accept(this);
        } catch (RuntimeException | Error e) {
            abandon(on, recording, e);
            throw e;
        }
        recording.end();
        core.endScope();
        try {
            return new Graph(core, core.driver.endCapture(on.id), recording);
        } catch (DriverException e) {
            core.workspace.unpin(recording);
            throw DeviceFailure.of("capture", e);
        }
    }

    /** Ends a capture whose calls failed; what goes wrong besides does not hide why. */
    private void abandon(StreamRef on, Recording recording, Throwable cause) {
        recording.end();
        core.endScope();
        try {
            core.driver.destroyGraph(core.driver.endCapture(on.id));
        } catch (DriverException e) {
            cause.addSuppressed(e);
        }
        try {
            core.workspace.unpin(recording);
        } catch (DriverException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * The stream.
     *
     * @return stream
     */
    public Stream stream() {
        return stream;
    }

    /**
     * Changes the stream. Without stream-ordered allocation the next call that borrows workspace waits, by an event on the
     * device, for its last use on the old stream; the host never waits.
     *
     * @param next stream of the same device
     * @throws BlasException INVALID_POINTER for null, INVALID_VALUE for a stream of another device or a closed one, INTERNAL_ERROR while a
     *     lease of this handle is alive or the stream is captured
     */
    public void setStream(Stream next) {
        inside("setStream", () -> {
            if (next == null) {
                throw new BlasException(Status.INVALID_POINTER, "setStream",
                        "setStream: the stream is null; device.defaultStream() is one");
            }
            next.requireOn(core.driver, "setStream");
            if (core.workspace.lentTo(core)) {
                throw new BlasException(Status.INTERNAL_ERROR, "setStream",
                        "setStream: a lease is alive on this handle, whose memory is in use on the old stream; close it first");
            }
            if (core.stream().recording != null) {
                throw new BlasException(Status.INTERNAL_ERROR, "setStream",
                        "setStream: not inside capture(); set the stream before");
            }
            core.stream(next.ref);
            stream = next;
        });
    }

    /** Waits for all work of this handle's stream. */
    public void synchronize() {
        stream.synchronize("Handle.synchronize");
    }

    /**
     * How the last call went; a query or a failed check is not a call.
     *
     * @return report
     */
    public CallReport lastCall() {
        return core.last(CallReport::new);
    }

    /**
     * The most workspace ever lent to one call.
     *
     * @return bytes
     */
    public long highWater() {
        return core.workspace.highWater();
    }

    /** Forgets the high water. */
    public void resetHighWater() {
        core.workspace.resetHighWater();
    }

    /**
     * Sets what happens when a call cannot have the workspace of its best algorithm.
     *
     * @param policy policy
     * @throws BlasException INVALID_VALUE for null
     */
    public void setDegradePolicy(DegradePolicy policy) {
        inside("setDegradePolicy", () -> {
            if (policy == null) {
                throw new BlasException(Status.INVALID_VALUE, "setDegradePolicy",
                        "setDegradePolicy: the policy is null; accepted are ALLOW and FORBID");
            }
            core.policy(policy);
        });
    }

    /**
     * What happens when a call cannot have the workspace of its best algorithm.
     *
     * @return policy
     */
    public DegradePolicy degradePolicy() {
        return core.policy();
    }

    /**
     * Sets how exactly matrix products take their factors (rocBLAS's math mode). {@link MathMode#TF32}, F16 and BF16 hold for gemm of F32, gemmEx too, in all its
     * forms: GPUs with such tensor cores then multiply several times as fast. Other devices, other types and small products are computed as by
     * default, and so is whatever a composite routine multiplies inside. On GPUs whose tensor cores want factors in another order, large products without a vendor's
     * library ask for workspace in these modes: as much as both factors take once they are rounded, or less in lower tiers, 256 MiB at most.
     *
     * <p>{@link MathMode#EMULATED} holds for gemm of F64, gemmEx too, in all its forms, where m, n and k are at least 128. Such a product is made of 17 products of 8-bit integers, 16 where k is at
     * most 1024, and asks for workspace: about 16 bytes for each element of op(A) and op(B) and 20 for each of C, less in lower tiers. All tiers give the same bits, on every device. Without room
     * for the least of them the product is computed as by default; {@link #lastCall} names the tier, and the status is PERF_DEGRADED.
     *
     * <p>The device finds out while it runs whether the bound of {@link MathMode#EMULATED} can be promised. Nobody waits for it, so {@link #lastCall} cannot tell. Where it cannot, the
     * problem is multiplied once more, by the device's kernels for doubles. That is so where an element is infinite or not a number. It is so, too, where a result's magnitudes, |op(A)|·|op(B)|,
     * are small beside the largest elements of its row of op(A) and its column of op(B): in sparse factors, or where magnitudes within such a line are far apart. How rows of op(A) and columns
     * of op(B) are scaled does not matter.
     *
     * <p>In that mode GPUs of compute capability 9.0 split the elements of gemm of F32, too, in single products of at least 1024 rows and columns and 512 inner indices. They ask for 8 bytes for
     * each element of op(A) and op(B), 256 MiB at most, less in lower tiers; without that, and on all other devices, such a product is computed as by default. Results that are infinite or not a
     * number are those of the default. On an H100 errors were 3 to 14 times those of the default for random factors of order 1024 to 8192.
     *
     * @param mode mode
     * @throws BlasException INVALID_VALUE for null
     */
    public void setMathMode(MathMode mode) {
        inside("setMathMode", () -> {
            if (mode == null) {
                throw new BlasException(Status.INVALID_VALUE, "setMathMode",
                        "setMathMode: the mode is null; accepted are DEFAULT, TF32, F16, BF16 and EMULATED");
            }
            core.math(mode);
        });
    }

    /**
     * How exactly matrix products take their factors.
     *
     * @return mode, {@link MathMode#DEFAULT} at first
     */
    public MathMode mathMode() {
        return core.math();
    }

    /**
     * Sets how far a managed workspace may grow; what it holds already it keeps.
     *
     * @param bytes most bytes
     */
    public void setMaxManagedBytes(long bytes) {
        Shapes.notNegative("setMaxManagedBytes", "bytes", bytes);
        inside("setMaxManagedBytes", () -> core.workspace.maxManagedBytes(bytes));
    }

    /**
     * Sets who is asked when an allocation fails. It may free memory (not through this handle) and ask for another try.
     *
     * @param listener gets the bytes that could not be had, returns true to try again; null for none
     */
    public void onAllocationFailure(LongPredicate listener) {
        inside("onAllocationFailure", () -> core.workspace.onAllocationFailure(listener));
    }

    /**
     * Failures to inject into this handle's allocations, for tests.
     *
     * @return fault injection
     */
    public FaultInjection faults() {
        return new FaultInjection(core.workspace.faults());
    }

    /**
     * The device.
     *
     * @return device
     */
    public Device device() {
        return device;
    }

    private void inside(String operation, Runnable action) {
        core.enter(operation);
        try {
            action.run();
        } catch (DriverException e) {
            throw DeviceFailure.of(operation, e);
        } finally {
            core.leave();
        }
    }

    /**
     * Waits for the work that uses the workspace and frees it. A second close does nothing.
     *
     * @throws BlasException INTERNAL_ERROR while a lease is alive; the handle then stays open
     */
    @Override
    public void close() {
        if (!core.isOpen()) {
            return;
        }
        core.enterClosed("close");
        try {
            if (core.isDeviceClosed()) {
                core.markClosed();
                leak.close();
                return;
            }
            refuseClose();
            if (core.workspace.attached() == 1) {
                core.workspace.close();
            }
            core.workspace.detach();
            core.markClosed();
            core.call.close();
            leak.close();
        } catch (DriverException e) {
            throw DeviceFailure.of("close", e);
        } finally {
            core.leave();
        }
    }

    private void refuseClose() {
        String text = core.workspace.lentTo(core) ? "close: a lease is alive on this handle; close the lease first"
                : core.stream().recording != null ? "close: the handle's stream is being captured; close it after"
                : null;
        if (text != null) {
            throw new BlasException(Status.INTERNAL_ERROR, "close", text);
        }
    }

    @Override
    public String toString() {
        return "handle " + core.id + " on " + device.name() + ": " + workspaceScheme() + ", " + getDeviceMemorySize()
                + " bytes" + (shared == null ? "" : ", shared");
    }
}
