package dev.basalt.spi;

/** A failure reported by a device's own software. */
public final class DriverException extends RuntimeException {
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
        super(message);
        this.code = code;
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
