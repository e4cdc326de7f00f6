package dev.basalt.cli;

/** What stops a command and can be put right by whoever typed it: one line on standard error, and an exit code. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The exit code of a command that could not do what was asked. */
    static final int FAILED = 1;
    /** The exit code of a command line that makes no sense. */
    static final int USAGE = 2;

    private final int exitCode;

    private Failure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** The input or the machine is to blame. */
    Failure(String message) {
        this(FAILED, message, null);
    }

    /** The input or the machine is to blame. */
    Failure(String message, Throwable cause) {
        this(FAILED, message, cause);
    }

    /** The command line is to blame. */
    static Failure usage(String message, Throwable cause) {
        return new Failure(USAGE, message, cause);
    }

    int exitCode() {
        return exitCode;
    }
}
