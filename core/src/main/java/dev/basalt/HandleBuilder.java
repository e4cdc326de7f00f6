package dev.basalt;

import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.internal.workspace.WorkspaceOptions;

/**
 * Options of a new handle. What is not set here is read when {@link #create} is called: from the system properties
 * {@code basalt.deviceMemorySize}, {@code basalt.streamOrderAlloc} and {@code basalt.guard}, then from the environment
 * variables {@code ROCBLAS_DEVICE_MEMORY_SIZE} and {@code ROCBLAS_STREAM_ORDER_ALLOC}, then the default.
 */
public final class HandleBuilder {
    private final Device device;
    private Stream stream;
    private long deviceMemorySize = -1;
    private Boolean streamOrderAlloc;
    private long maxManagedBytes = Long.MAX_VALUE;
    private DegradePolicy policy = DegradePolicy.ALLOW;
    private Boolean guard;
    private Workspace workspace;

    HandleBuilder(Device device) {
        this.device = device;
    }

    /**
     * The stream; default: the device's default stream.
     *
     * @param value stream of the same device
     * @return this
     */
    public HandleBuilder stream(Stream value) {
        stream = value;
        return this;
    }

    /**
     * A workspace fixed for good ({@link Scheme#PREALLOCATED}).
     *
     * @param bytes size; 0 for {@link Scheme#MANAGED}
     * @return this
     */
    public HandleBuilder deviceMemorySize(long bytes) {
        Shapes.notNegative("HandleBuilder.deviceMemorySize", "bytes", bytes);
        deviceMemorySize = bytes;
        return this;
    }

    /**
     * Whether the workspace is allocated in stream order, where the device can.
     *
     * @param on true to ask for it
     * @return this
     */
    public HandleBuilder streamOrderAlloc(boolean on) {
        streamOrderAlloc = on;
        return this;
    }

    /**
     * How far a managed workspace may grow; default: as far as the device has memory.
     *
     * @param bytes most bytes
     * @return this
     */
    public HandleBuilder maxManagedBytes(long bytes) {
        Shapes.notNegative("HandleBuilder.maxManagedBytes", "bytes", bytes);
        maxManagedBytes = bytes;
        return this;
    }

    /**
     * What to do when memory is short; default {@link DegradePolicy#ALLOW}.
     *
     * @param value policy
     * @return this
     */
    public HandleBuilder degradePolicy(DegradePolicy value) {
        policy = value;
        return this;
    }

    /**
     * Guard mode: leases are poisoned, with redzones that are looked at when they close. Slow; for tests.
     *
     * @param on true to turn it on
     * @return this
     */
    public HandleBuilder guard(boolean on) {
        guard = on;
        return this;
    }

    /**
     * A workspace shared with other handles; its own options then hold, not those of this builder.
     *
     * @param value workspace of the same device
     * @return this
     */
    public HandleBuilder workspace(Workspace value) {
        workspace = value;
        return this;
    }

    /**
     * Makes the handle.
     *
     * @return handle
     * @throws BlasException INVALID_VALUE if a property or variable cannot be read, MEMORY_ERROR if a preallocated size
     *     cannot be had
     */
    public Handle create() {
        Stream on = stream == null ? device.defaultStream() : stream;
        if (on.driver != device.driver()) {
            throw new BlasException(
                    Status.INVALID_VALUE,
                    "createHandle",
                    "the stream is on " + on.driver.name() + ", not on " + device.name());
        }
        if (workspace != null && workspace.device() != device) {
            throw new BlasException(
                    Status.INVALID_VALUE, "createHandle", "the workspace is on another device than the handle");
        }
        WorkspaceCore core =
                workspace != null ? workspace.core() : new WorkspaceCore(device.driver(), options(), on.ref);
        return new Handle(device, new HandleCore(device.driver(), on.ref, core, policy), on, workspace);
    }

    WorkspaceOptions options() {
        long size = preallocated();
        boolean async = streamOrderAlloc != null
                ? streamOrderAlloc
                : switched("basalt.streamOrderAlloc", "ROCBLAS_STREAM_ORDER_ALLOC");
        boolean guarded = guard != null ? guard : Boolean.getBoolean("basalt.guard");
        return new WorkspaceOptions(size, device.driver().traits().defaultWorkspace(), async, maxManagedBytes, guarded);
    }

    private long preallocated() {
        if (deviceMemorySize >= 0) {
            return deviceMemorySize == 0 ? -1 : fits("HandleBuilder.deviceMemorySize", deviceMemorySize);
        }
        String property = System.getProperty("basalt.deviceMemorySize");
        String source = property != null ? "basalt.deviceMemorySize" : "ROCBLAS_DEVICE_MEMORY_SIZE";
        String text = property != null ? property : System.getenv("ROCBLAS_DEVICE_MEMORY_SIZE");
        if (text == null || text.isBlank()) {
            return -1;
        }
        long bytes = ByteSize.parse(source, text);
        return bytes == 0 ? -1 : fits(source + " = \"" + text + "\"", bytes);
    }

    private long fits(String source, long bytes) {
        if (bytes > device.totalMemory()) {
            throw new BlasException(
                    Status.INVALID_VALUE,
                    "createHandle",
                    source + ": " + bytes + " bytes are more than the " + device.totalMemory() + " that "
                            + device.name() + " has; accepted are 0 (managed) up to that");
        }
        return bytes;
    }

    private static boolean switched(String property, String variable) {
        String set = System.getProperty(property);
        String source = set != null ? property : variable;
        String text = set != null ? set : System.getenv(variable);
        if (text == null || text.isBlank()) {
            return false;
        }
        String t = text.strip();
        if (t.equalsIgnoreCase("true") || t.equalsIgnoreCase("false")) {
            return Boolean.parseBoolean(t);
        }
        try {
            long value = Long.decode(t);
            if (value >= 0) {
                return value > 0;
            }
        } catch (NumberFormatException e) {
            throw notASwitch(source, text, e);
        }
        throw notASwitch(source, text, null);
    }

    private static BlasException notASwitch(String source, String text, Throwable cause) {
        return new BlasException(
                Status.INVALID_VALUE,
                "createHandle",
                null,
                0,
                source + " = \"" + text + "\" is not a switch; accepted are 0 or false, and 1 (or more) or true",
                null,
                cause);
    }
}
