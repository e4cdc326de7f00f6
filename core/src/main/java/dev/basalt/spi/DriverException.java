package dev.basalt.spi;

import dev.basalt.BlasException;
import dev.basalt.Status;

/**
 * A failure reported by a device's own software. Calls turn it into one that names the call; where it comes through as it is, it is an error of the
 * library's like any other.
 */
public final class DriverException extends BlasException {
    private static final long serialVersionUID = 1L;

    /** What kind of failure it was. */
    public enum Code {
        /** Memory could not be had. */
        OUT_OF_MEMORY,
        /** An argument was refused. */
        INVALID_VALUE,
        /** An unknown or destroyed stream, event, pool or address. */
        INVALID_HANDLE,
        /** The device cannot do this. */
        NOT_SUPPORTED,
        /** The device does not offer this yet. */
        NOT_IMPLEMENTED,
        /** Not allowed while a stream is capturing. */
        CAPTURE,
        /** Any other failure, such as one of a kernel that ran earlier. */
        FAILED
    }

    private final Code code;

    /**
     * A failure.
     *
     * @param code its kind
     * @param message what was asked and what the device said
     */
    public DriverException(Code code, String message) {
        super(status(code), "the device", message);
        this.code = code;
    }

    private static Status status(Code code) {
        return switch (code) {
            case OUT_OF_MEMORY -> Status.MEMORY_ERROR;
            case INVALID_HANDLE -> Status.INVALID_HANDLE;
            case INVALID_VALUE, NOT_SUPPORTED -> Status.INVALID_VALUE;
            case NOT_IMPLEMENTED -> Status.NOT_IMPLEMENTED;
            default -> Status.INTERNAL_ERROR;
        };
    }

    /**
     * The kind of failure.
     *
     * @return code
     */
    public Code code() {
        return code;
    }
}
