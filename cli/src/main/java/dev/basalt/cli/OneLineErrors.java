package dev.basalt.cli;

import dev.basalt.BlasException;
import dev.basalt.ByteSize;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Every error becomes one line on standard error; the stack trace follows only if {@code --stacktrace} or BASALT_DEBUG asks. */
final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {
    OneLineErrors() {}

    @Override
    public int handleParseException(ParameterException e, String[] args) {
        CommandLine at = e.getCommandLine();
        String message = e.getMessage();
        if (e instanceof UnmatchedArgumentException unmatched) {
            List<String> close = unmatched.getSuggestions();
            message += close.isEmpty() ? "" : "; did you mean " + String.join(" or ", close) + "?";
        }
        String name = at.getCommandSpec().qualifiedName();
        Failure usage = Failure.usage(message + " (see " + name + " --help)", e);
        return report(at.getErr(), name, usage, wantsTrace(args));
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine at, ParseResult parsed) {
        String[] args = parsed.originalArgs().toArray(new String[0]);
        return report(at.getErr(), at.getCommandSpec().qualifiedName(), e, wantsTrace(args));
    }

    /** Whether the user wants to see where an error came from. */
    static boolean wantsTrace(String[] args) {
        String debug = System.getenv("BASALT_DEBUG");
        return Arrays.asList(args).contains("--stacktrace") || (debug != null && !debug.isEmpty());
    }

    /**
     * Prints an error.
     *
     * @param err standard error
     * @param command who failed
     * @param e what happened
     * @param trace whether to print where
     * @return exit code
     */
    static int report(PrintWriter err, String command, Throwable e, boolean trace) {
        // A message with line breaks would not be one line.
        err.println(command + ": " + message(e).strip().replaceAll("\\s*\\R\\s*", " "));
        if (trace) {
            e.printStackTrace(err);
        }
        err.flush();
        return e instanceof Failure failure ? failure.exitCode() : Failure.FAILED;
    }

    /** An error in words. */
    static String message(Throwable e) {
        if (e instanceof Failure || e instanceof BlasException) {
            return e.getMessage();
        }
        if (e instanceof OutOfMemoryError) {
            return "not enough memory: " + e.getMessage() + "; the Java heap may grow to "
                    + ByteSize.format(Runtime.getRuntime().maxMemory())
                    + ", set BASALT_JAVA_OPTS=-Xmx... to allow more";
        }
        // A class that a bad setting kept from loading says so once; the second time the JVM quotes it.
        if (e instanceof LinkageError && e.getCause() != null) {
            return e.getCause() instanceof IllegalArgumentException refusal
                    ? refusal.getMessage()
                    : "a class cannot be loaded: " + e.getCause().getMessage();
        }
        return "internal error: " + e + " (--stacktrace shows where)";
    }
}
