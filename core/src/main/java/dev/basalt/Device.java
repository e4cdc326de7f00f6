package dev.basalt;

import dev.basalt.internal.call.DeviceFailure;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceProvider;
import dev.basalt.spi.DriverException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.WeakHashMap;

/** An opened device: the CPU ({@code host}, always there), a GPU, or a simulated one. Make handles, arenas and streams from it. */
public final class Device implements AutoCloseable {
    /**
     * A device that is there, or the reason why one is not.
     *
     * @param name such as {@code host} or {@code cuda:0}
     * @param description one line for people
     * @param refusal null if it can be opened, else the reason
     */
    public record Found(String name, String description, String refusal) {}

    private final DeviceDriver driver;
    private final Stream defaultStream;
    private final LeakRegistry.Entry leak;
    private final Set<HandleCore> handles = Collections.newSetFromMap(new WeakHashMap<>());
    private volatile boolean open = true;

    private Device(DeviceDriver driver) {
        this.driver = driver;
        this.defaultStream = new Stream(driver, new StreamRef(0), false);
        this.leak = LeakRegistry.open("Device", driver.name(), this);
    }

    /**
     * Opens a device by name. Opening the host again, with equal settings, gives the same device: memory, streams and handles of both go
     * together. A GPU that is opened twice has two default streams, whose work runs side by side, and memory and handles of one go
     * together; so have simulated devices.
     *
     * @param name {@code host}, or another name of {@link #list}
     * @return device
     * @throws BlasException INVALID_VALUE if there is none of that name; the message lists those that exist
     */
    public static Device open(String name) {
        String kind = name.contains(":") ? name.substring(0, name.indexOf(':')) : name;
        for (DeviceProvider provider : ServiceLoader.load(DeviceProvider.class, Device.class.getClassLoader())) {
            if (provider.kind().equals(kind)) {
                try {
                    return new Device(OpenDrivers.open(provider, name));
                } catch (DriverException e) {
                    throw new BlasException(Status.INVALID_VALUE, "Device.open", null, 0,
                            "device \"" + name + "\" cannot be opened: " + e.getMessage(), null, e);
                }
            }
        }
        String known = known();
        throw new BlasException(Status.INVALID_VALUE, "Device.open", "there is no device \"" + name + "\"; there are: "
                + (known.isEmpty() ? "none" : known) + missing(kind));
    }

    /** What to add for a kind of device whose module is not there. */
    private static String missing(String kind) {
        return switch (kind) {
            case "host", "cuda" -> "; add dev.basalt:basalt-" + kind
                    + ", or dev.basalt:basalt, which brings all devices, to the class path or module path";
            case "sim" -> "; add dev.basalt:basalt-sim to the class path or module path";
            default -> "";
        };
    }

    /** The devices by name, with why they are refused. */
    private static String known() {
        StringBuilder known = new StringBuilder();
        for (Found found : list()) {
            known.append(known.isEmpty() ? "" : ", ").append(found.name());
            known.append(found.refusal() == null ? "" : " (refused: " + found.refusal() + ")");
        }
        return known.toString();
    }

    /**
     * Opens the device of the highest rank: a GPU if there is a usable one, else the CPU.
     *
     * @return device
     */
    public static Device best() {
        List<DeviceProvider> providers = providers();
        providers.sort(Comparator.comparingInt(DeviceProvider::rank).reversed());
        for (DeviceProvider provider : providers) {
            for (DeviceProvider.Probe probe : provider.probe()) {
                if (provider.rank() >= 0 && probe.refusal() == null) {
                    return open(probe.name());
                }
            }
        }
        String known = known();
        throw new BlasException(Status.INVALID_VALUE, "Device.best",
                "no device can be used; there are: " + (known.isEmpty() ? "none" + missing("host") : known));
    }

    /**
     * Looks for devices.
     *
     * @return what was found, and what was refused and why
     */
    public static List<Found> list() {
        List<Found> found = new ArrayList<>();
        for (DeviceProvider provider : providers()) {
            for (DeviceProvider.Probe probe : provider.probe()) {
                found.add(new Found(probe.name(), probe.description(), probe.refusal()));
            }
        }
        return found;
    }

    private static List<DeviceProvider> providers() {
        List<DeviceProvider> providers = new ArrayList<>();
        ServiceLoader.load(DeviceProvider.class, Device.class.getClassLoader()).forEach(providers::add);
        return providers;
    }

    /**
     * A device on a driver of one's own, for tests and for devices that are not found by name.
     *
     * @param driver the driver; closing the device closes it
     * @return device
     */
    public static Device of(DeviceDriver driver) {
        return new Device(driver);
    }

    /**
     * A handle with the defaults.
     *
     * @return handle
     */
    public Handle createHandle() {
        return handleBuilder().create();
    }

    /**
     * A handle with options.
     *
     * @return builder
     */
    public HandleBuilder handleBuilder() {
        live();
        return new HandleBuilder(this);
    }

    /**
     * A workspace that several handles on one stream may share.
     *
     * @return workspace
     */
    public Workspace createWorkspace() {
        live();
        return new Workspace(this);
    }

    /**
     * An arena that owns device memory.
     *
     * @return arena
     */
    public DeviceArena arena() {
        live();
        return new DeviceArena(this);
    }

    /**
     * A new stream, not ordered with any other.
     *
     * @return stream
     */
    public Stream createStream() {
        live();
        try {
            return new Stream(driver, new StreamRef(driver.createStream()), true);
        } catch (DriverException e) {
            throw DeviceFailure.of("createStream", e);
        }
    }

    /**
     * A stream that another library made on this device, so that work of both is in one order. It is not destroyed here and must
     * outlive its use; {@link Stream#close} waits for its work and forgets it.
     *
     * @param nativeStream the vendor's stream: on {@code cuda} a {@code CUstream} or {@code cudaStream_t} of this GPU's primary
     *     context, 0 for its legacy default stream
     * @return stream
     * @throws BlasException INVALID_VALUE if this device has no such streams, or that one belongs elsewhere
     */
    public Stream wrapStream(long nativeStream) {
        live();
        try {
            return new Stream(driver, new StreamRef(driver.adoptStream(nativeStream)), true);
        } catch (DriverException e) {
            throw new BlasException(Status.INVALID_VALUE, "Device.wrapStream", null, 0, e.getMessage(), null, e);
        }
    }

    /**
     * The stream that handles use unless told otherwise.
     *
     * @return stream
     */
    public Stream defaultStream() {
        return defaultStream;
    }

    /** Waits for all work on the device. */
    public void synchronize() {
        live();
        DeviceFailure.translate("Device.synchronize", driver::synchronize);
        defaultStream.ref.reached();
    }

    /**
     * The device's name.
     *
     * @return such as {@code host}
     */
    public String name() {
        return driver.name();
    }

    /**
     * One line for people.
     *
     * @return model, memory, engine
     */
    public String description() {
        return driver.description();
    }

    /**
     * The class of device that plans depend on.
     *
     * @return such as {@code host-vector512}
     */
    public String deviceClass() {
        return driver.traits().deviceClass();
    }

    /**
     * Whether memory can be allocated and freed in stream order.
     *
     * @return true if so
     */
    public boolean memoryPoolsSupported() {
        return driver.traits().memoryPools();
    }

    /**
     * Bytes free on the device now.
     *
     * @return bytes
     */
    public long freeMemory() {
        return driver.freeMemory();
    }

    /**
     * Bytes the device has in all.
     *
     * @return bytes
     */
    public long totalMemory() {
        return driver.totalMemory();
    }

    DeviceDriver driver() {
        return driver;
    }

    boolean isOpen() {
        return open;
    }

    /** Notes a handle, which no longer works once the device is closed. */
    void opened(HandleCore handle) {
        synchronized (handles) {
            handles.add(handle);
        }
    }

    void live() {
        if (!open) {
            throw new BlasException(Status.INVALID_HANDLE, "Device", "the device is closed");
        }
    }

    /**
     * Waits for the calls inside its handles and for all work, and closes the device. Its handles and arenas should be closed before; those
     * that are not refuse calls from then on. A second close does nothing.
     *
     * @throws BlasException INTERNAL_ERROR if the device reports a failure of earlier work
     */
    @Override
    public void close() {
        synchronized (this) {
            if (!open) {
                return;
            }
            open = false;
        }
        List<HandleCore> left;
        synchronized (handles) {
            left = List.copyOf(handles);
        }
        left.forEach(HandleCore::deviceCloses);
        leak.close();
        DeviceFailure.translate("Device.close", () -> {
            try {
                driver.synchronize();
            } finally {
                OpenDrivers.close(driver);
            }
        });
    }

    @Override
    public String toString() {
        return name() + ": " + description();
    }
}
