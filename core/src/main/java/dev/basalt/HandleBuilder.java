package dev.basalt;

import dev.basalt.internal.call.DeviceFailure;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.internal.workspace.WorkspaceOptions;
import dev.basalt.spi.DriverException;

/**
 * Options of a new handle. What is not set here is read when {@link #create} is called: from the system properties
 * {@code basalt.deviceMemorySize}, {@code basalt.streamOrderAlloc} and {@code basalt.guard}, then from the environment
 * variables {@code ROCBLAS_DEVICE_MEMORY_SIZE}, {@code ROCBLAS_STREAM_ORDER_ALLOC} and {@code BASALT_GUARD}, then the default.
 */
public final class HandleBuilder {
    private final Device device;
    private Stream stream;
    private long deviceMemorySize = -1;
    private Boolean streamOrderAlloc;
    private long maxManagedBytes = Long.MAX_VALUE;
    private boolean capped;
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
        capped = true;
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
     * A workspace shared with other handles. Its own options hold: size, allocation, cap and guard mode cannot be set beside it.
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
     * @throws BlasException INVALID_VALUE if a property or variable cannot be read, or options do not go together, INVALID_HANDLE if
     *     the device or the stream is closed, MEMORY_ERROR if a preallocated size cannot be had
     */
    public Handle create() {
        device.live();
        Stream on = stream == null ? device.defaultStream() : stream;
        on.requireOn(device.driver(), "createHandle");
        if (workspace != null && workspace.device().driver() != device.driver()) {
            throw refused("the workspace is on another device than the handle");
        }
        if (workspace != null && (deviceMemorySize >= 0 || streamOrderAlloc != null || guard != null || capped)) {
            throw refused(
                    "size, allocation, cap and guard mode are those of the shared workspace; set either workspace(…) or"
                            + " these");
        }
        if (policy == null) {
            throw refused("the degrade policy is null; accepted are ALLOW and FORBID");
        }
        LeakRegistry.level();
        try {
            WorkspaceCore core =
                    workspace != null ? workspace.core() : new WorkspaceCore(device.driver(), options(), on.ref);
            if (workspace == null) {
                core.register();
            }
            HandleCore handle = new HandleCore(device.driver(), on.ref, core, policy);
            device.opened(handle);
            return new Handle(device, handle, on, workspace);
        } catch (DriverException e) {
            throw DeviceFailure.of("createHandle", e);
        }
    }

    private static BlasException refused(String text) {
        return new BlasException(Status.INVALID_VALUE, "createHandle", "createHandle: " + text);
    }

    WorkspaceOptions options() {
        long size = preallocated();
        boolean async = streamOrderAlloc != null
                ? streamOrderAlloc
                : switched("basalt.streamOrderAlloc", "ROCBLAS_STREAM_ORDER_ALLOC");
        boolean guarded = guard != null ? guard : switched("basalt.guard", "BASALT_GUARD");
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
            throw new BlasException(Status.INVALID_VALUE, "createHandle",
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
        return new BlasException(Status.INVALID_VALUE, "createHandle", null, 0,
                source + " = \"" + text + "\" is not a switch; accepted are 0 or false, and 1 (or more) or true", null,
                cause);
    }
}
