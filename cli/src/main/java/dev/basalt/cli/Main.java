package dev.basalt.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code basalt}. */
@Command(
        name = "basalt",
        description = "Dense linear algebra on the JVM.",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class,
        subcommands = {SolveCommand.class, BenchCommand.class, PlanCommand.class, DoctorCommand.class, HelpCommand.class
        })
public final class Main implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "Show where an error came from (or set BASALT_DEBUG).")
    @SuppressWarnings(
            "unused") // OneLineErrors looks for it in the arguments, since an error may come before this is set
    private boolean stacktrace;

    /** For picocli. */
    public Main() {}

    /**
     * Runs a command and exits.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        CommandLine commandLine = commandLine();
        int code = run(commandLine, args);
        commandLine.getOut().flush();
        commandLine.getErr().flush();
        System.exit(code);
    }

    /** The command line with its rules for errors, so that tests can give it other streams. */
    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setParameterExceptionHandler(new OneLineErrors())
                .setExecutionExceptionHandler(new OneLineErrors())
                .setUsageHelpAutoWidth(true);
    }

    /**
     * Runs a command. picocli does not look at errors such as a lack of memory, so they are dealt with here.
     *
     * @param commandLine from {@link #commandLine}
     * @param args the command line
     * @return exit code
     */
    static int run(CommandLine commandLine, String... args) {
        try {
            return commandLine.execute(args);
        } catch (StackOverflowError | OutOfMemoryError | LinkageError e) {
            PrintWriter err = commandLine.getErr();
            return OneLineErrors.report(err, "basalt", e, OneLineErrors.wantsTrace(args));
        }
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "no command given; there are solve, bench, plan, doctor and help");
    }
}
