package dev.basalt.cli;

/** What stops a command and can be put right by whoever typed it: one line on standard error, and an exit code. */
final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The exit code of a command that could not do what was asked. */
    static final int FAILED = 1;
    /** The exit code of a command line that makes no sense. */
    static final int USAGE = 2;
    /** The exit code of a system that was solved, but whose matrix is singular to working precision. */
    static final int SINGULAR = 3;
    /** The exit code of output that got lost: a full disk, or a standard output that is closed. */
    static final int LOST_OUTPUT = 4;
    /** The exit code of a command whose reader went away, as the shell has it for SIGPIPE. */
    static final int CLOSED_PIPE = 141;

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

    /** The solution is there, but nobody should believe it. */
    static Failure singular(String message) {
        return new Failure(SINGULAR, message, null);
    }

    /** What was computed could not be written. */
    static Failure lostOutput(String message, Throwable cause) {
        return new Failure(LOST_OUTPUT, message, cause);
    }

    /** Nobody reads what the command prints any more; there is nothing to say to anybody. */
    static Failure closedPipe(Throwable cause) {
        return new Failure(CLOSED_PIPE, "standard output is a pipe that was closed", cause);
    }

    int exitCode() {
        return exitCode;
    }
}
