package dev.basalt.arrays;

import dev.basalt.Device;
import dev.basalt.Handle;

/** The CPU, open while a lane has a handle on it. One thread a call, unless {@code basalt.threads} says otherwise. */
final class HostDevice {
    /** Whether no call uses more. */
    static final boolean ONE_THREAD = System.getProperty("basalt.threads") == null;

    private static Device device;
    private static int handles;

    private HostDevice() {}

    static synchronized Handle createHandle() {
        if (device == null) {
            device = Device.open(ONE_THREAD ? "host:threads=1" : "host");
        }
        Handle handle = device.createHandle();
        handles++;
        return handle;
    }

    /** A handle has been closed. */
    static synchronized void release() {
        if (--handles == 0) {
            device.close();
            device = null;
        }
    }
}
