package dev.basalt.internal.call;

import dev.basalt.BlasException;
import dev.basalt.spi.DriverException;

/** The errors of devices, as a user of the library gets them. */
public final class DeviceFailure {
    private DeviceFailure() {}

    /**
     * An error for the user.
     *
     * @param operation what was called
     * @param e what the device said
     * @return exception to throw
     */
    public static BlasException of(String operation, DriverException e) {
        return new BlasException(e.status(), operation, null, 0, operation + ": the device reports: " + e.getMessage(),
                null, e);
    }

    /**
     * Runs an operation of the device.
     *
     * @param operation its name
     * @param action what to do
     * @throws BlasException in place of a {@link DriverException}
     */
    public static void translate(String operation, Runnable action) {
        try {
            action.run();
        } catch (DriverException e) {
            throw of(operation, e);
        }
    }
}
