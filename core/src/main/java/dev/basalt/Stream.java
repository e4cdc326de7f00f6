package dev.basalt;

import dev.basalt.internal.call.DeviceFailure;
import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DriverException;

/**
 * A queue of work on a device. Work on one stream runs in order; two streams are not ordered with each other. On the host
 * device work runs while it is issued, so a stream is only a name there.
 */
public final class Stream implements AutoCloseable {
    final DeviceDriver driver;
    final StreamRef ref;
    private final LeakRegistry.Entry leak;

    Stream(DeviceDriver driver, StreamRef ref, boolean owned) {
        this.driver = driver;
        this.ref = ref;
        this.leak = owned ? LeakRegistry.open("Stream", driver.name(), this) : null;
    }

    /**
     * Waits for all work issued on this stream.
     *
     * @throws BlasException INVALID_HANDLE if the stream or its device is closed
     */
    public void synchronize() {
        synchronize("Stream.synchronize");
    }

    void synchronize(String what) {
        requireOpen(what);
        DeviceFailure.translate(what, () -> driver.synchronizeStream(ref.id));
        ref.reached();
    }

    /**
     * Makes later work on this stream wait for all work issued on another until now; the host does not wait. A stream that waits for one
     * that is captured is captured too.
     *
     * @param other the stream to wait for; a closed one has been waited for
     * @throws BlasException INVALID_POINTER for null, INVALID_VALUE for a stream of another device, INVALID_HANDLE if this one is closed
     */
    public void waitFor(Stream other) {
        final String what = "Stream.waitFor";
        requireOpen(what);
        if (other == null) {
            throw new BlasException(Status.INVALID_POINTER, what, what + ": the stream is null");
        }
        requireDevice(other.driver, what);
        if (other.ref.isOpen()) {
            DeviceFailure.translate(what, () -> waitFor(other.ref));
        }
    }

    private void waitFor(StreamRef other) {
        long event = driver.createEvent();
        try {
            driver.recordEvent(event, other.id);
            driver.waitEvent(ref.id, event);
            if (other.recording != null) {
                other.recording.join(ref);
            }
        } finally {
            driver.destroyEvent(event);
        }
    }

    /**
     * The vendor's stream, so that kernels of your own run in order with Basalt's calls.
     *
     * @return on {@code cuda} the {@code CUstream}; 0 for the legacy default stream
     * @throws BlasException INVALID_VALUE on a device whose streams are no other library's, INVALID_HANDLE if it is closed
     */
    public long nativeHandle() {
        final String what = "Stream.nativeHandle";
        requireOpen(what);
        try {
            return driver.nativeStream(ref.id);
        } catch (DriverException e) {
            throw DeviceFailure.of(what, e);
        }
    }

    /** Refuses a stream of another device, or a closed one. */
    void requireOn(DeviceDriver device, String what) {
        requireDevice(device, what);
        requireOpen(what);
    }

    private void requireDevice(DeviceDriver device, String what) {
        if (device != driver) {
            String names = driver.name().equals(device.name())
                    ? "both are called " + driver.name() + ", but were opened apart"
                    : "the stream is on " + driver.name() + ", the other on " + device.name();
            throw new BlasException(Status.INVALID_VALUE, what,
                    what + ": the stream belongs to another device: " + names + "; use objects of one Device");
        }
    }

    private void requireOpen(String what) {
        if (!ref.isOpen()) {
            throw new BlasException(Status.INVALID_HANDLE, what, what + ": the stream is closed; create another");
        }
    }

    /**
     * Waits for the work on this stream and destroys it. The default stream of a device ignores this. A second close does nothing.
     *
     * @throws BlasException INTERNAL_ERROR while the stream is captured; it then stays open
     */
    @Override
    public synchronized void close() {
        if (leak == null || !ref.isOpen()) {
            return;
        }
        if (ref.recording != null) {
            throw new BlasException(Status.INTERNAL_ERROR, "Stream.close",
                    "Stream.close: the stream is being captured; close it after");
        }
        DeviceFailure.translate("Stream.close", () -> driver.synchronizeStream(ref.id));
        ref.close();
        ref.reached();
        leak.close();
        DeviceFailure.translate("Stream.close", () -> driver.destroyStream(ref.id));
    }

    @Override
    public String toString() {
        return "stream " + ref.id + " of " + driver.name();
    }
}
