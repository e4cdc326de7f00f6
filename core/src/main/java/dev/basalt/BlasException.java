package dev.basalt;

import dev.basalt.spi.DriverException;

/**
 * A call that could not be carried out; nothing has changed. The message says what was asked, which rule it broke, the
 * numbers, and the call that would fix it; the same facts are here one by one.
 */
public sealed class BlasException extends RuntimeException permits DriverException {
    private static final long serialVersionUID = 1L;

    /**
     * The memory figures of a call that ran short, in bytes; -1 where unknown.
     *
     * @param minimum what the last tier needs
     * @param optimal what the first tier needs
     * @param held what the handle holds
     * @param free what the device has free
     * @param limit which limit was hit, for people
     */
    public record Shortage(long minimum, long optimal, long held, long free, String limit) {}

    private final Status status;
    private final String routine;
    private final String argument;
    private final int position;
    private final transient Shortage shortage;

    /**
     * A failure with all its facts.
     *
     * @param status an error status
     * @param routine the routine or operation, such as {@code dgemm}
     * @param argument the argument's name in BLAS, or null
     * @param position the argument's position in the BLAS call, counted from 1 without the handle, or 0
     * @param message what was asked, the rule, the numbers and the remedy
     * @param shortage memory figures, or null
     * @param cause the device's own error, or null
     */
    public BlasException(Status status, String routine, String argument, int position, String message,
            Shortage shortage, Throwable cause) {
        super(message, cause);
        this.status = status;
        this.routine = routine;
        this.argument = argument;
        this.position = position;
        this.shortage = shortage;
    }

    /**
     * A failure without an argument or memory figures.
     *
     * @param status an error status
     * @param routine the routine or operation
     * @param message what was asked, the rule, the numbers and the remedy
     */
    public BlasException(Status status, String routine, String message) {
        this(status, routine, null, 0, message, null, null);
    }

    /**
     * The kind of failure.
     *
     * @return an error status
     */
    public Status status() {
        return status;
    }

    /**
     * The routine or operation that failed.
     *
     * @return such as {@code dgemm} or {@code setWorkspace}
     */
    public String routine() {
        return routine;
    }

    /**
     * The argument that broke a rule.
     *
     * @return its BLAS name, or null if no single argument did
     */
    public String argument() {
        return argument;
    }

    /**
     * The position of {@link #argument} in the BLAS call, counted from 1 without the handle.
     *
     * @return position, 0 if unknown
     */
    public int position() {
        return position;
    }

    /**
     * The memory figures of a call that ran short.
     *
     * @return figures, or null if memory was not the matter
     */
    public Shortage shortage() {
        return shortage;
    }
}
