package dev.basalt.sim;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;

/** The errors of the simulated driver, and the one that sticks: after an illegal access every call fails, as on a GPU. */
final class Failures {
    private String fault;

    static DriverException of(Code code, String message) {
        return new DriverException(code, message);
    }

    static void require(boolean condition, String message) {
        if (!condition) {
            throw of(Code.INVALID_VALUE, message);
        }
    }

    /** Makes all later calls fail; the first fault stays. */
    void stick(String message) {
        if (fault == null) {
            fault = message;
        }
    }

    boolean stuck() {
        return fault != null;
    }

    void check() {
        if (fault != null) {
            throw of(Code.FAILED, fault + " (every call fails until clearFault())");
        }
    }

    void clear() {
        fault = null;
    }
}
