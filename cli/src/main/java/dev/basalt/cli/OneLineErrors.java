package dev.basalt.cli;

import com.sun.management.OperatingSystemMXBean;
import dev.basalt.BlasException;
import dev.basalt.ByteSize;
import dev.basalt.bench.Typo;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
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
            String first = unmatched.getUnmatched().get(0);
            // What follows an unknown option is its value, as a rule, and no option.
            message = first.startsWith("-") ? "Unknown option: '" + first + "'" : message;
            List<String> close = suggestions(unmatched);
            message += close.isEmpty() ? "" : "; did you mean " + String.join(" or ", close) + "?";
        }
        String name = at.getCommandSpec().qualifiedName();
        Failure usage = Failure.usage(message + " (see " + name + " --help)", e);
        return report(at.getErr(), name, usage, wantsTrace(args));
    }

    /** What may have been meant: picocli knows commands, and options that begin alike; here are those with a few letters wrong. */
    private static List<String> suggestions(UnmatchedArgumentException e) {
        String typed = e.getUnmatched().get(0).replaceFirst("=.*", "");
        if (!typed.startsWith("-")) {
            return e.getSuggestions();
        }
        int least = Math.max(1, typed.length() / 3);
        List<String> close = new ArrayList<>();
        for (OptionSpec option : e.getCommandLine().getCommandSpec().options()) {
            for (String name : option.names()) {
                boolean begun = typed.length() > 3 && name.startsWith(typed);
                int wrong = begun ? 1 : name.length() < 3 ? Integer.MAX_VALUE : Typo.distance(typed, name);
                if (wrong < least) {
                    close.clear();
                    least = wrong;
                }
                if (wrong == least) {
                    close.add(name);
                }
            }
        }
        return close;
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
        int code = e instanceof Failure failure ? failure.exitCode() : Failure.FAILED;
        if (code == Failure.CLOSED_PIPE && !trace) {
            return code;
        }
        // A message with line breaks would not be one line.
        err.println(command + ": " + message(e).strip().replaceAll("\\s*\\R\\s*", " "));
        if (trace) {
            e.printStackTrace(err);
        }
        err.flush();
        return code;
    }

    /** By what Java says of memory that it did not get from the system. */
    private static boolean isOutsideOfHeap(String message) {
        return message.startsWith("Unable to allocate ") || message.startsWith("Cannot reserve ");
    }

    private static long freeMemory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getFreeMemorySize()
                : 0;
    }

    /** An error in words. */
    static String message(Throwable e) {
        if (e instanceof Failure || e instanceof BlasException) {
            return e.getMessage();
        }
        if (e instanceof OutOfMemoryError && isOutsideOfHeap(String.valueOf(e.getMessage()))) {
            return "not enough memory outside the Java heap: " + e.getMessage() + "; the system has "
                    + ByteSize.format(freeMemory()) + " free";
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
