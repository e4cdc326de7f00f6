package dev.basalt;

import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.spi.DeviceDriver;

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

    /** Waits for all work issued on this stream. */
    public void synchronize() {
        if (!ref.isOpen()) {
            throw new BlasException(Status.INVALID_HANDLE, "Stream.synchronize", "the stream is closed");
        }
        driver.synchronizeStream(ref.id);
    }

    /**
     * Makes later work on this stream wait for all work issued on another until now; the host does not wait.
     *
     * @param other the stream to wait for
     */
    public void waitFor(Stream other) {
        if (other.ref.isOpen()) {
            long event = driver.createEvent();
            driver.recordEvent(event, other.ref.id);
            driver.waitEvent(ref.id, event);
            driver.destroyEvent(event);
        }
    }

    /** Waits for the work on this stream and destroys it. The default stream of a device ignores this. */
    @Override
    public void close() {
        if (leak != null && ref.isOpen()) {
            driver.synchronizeStream(ref.id);
            ref.close();
            driver.destroyStream(ref.id);
            leak.close();
        }
    }

    @Override
    public String toString() {
        return "stream " + ref.id + " of " + driver.name();
    }
}
