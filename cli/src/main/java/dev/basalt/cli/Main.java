package dev.basalt.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command {@code basalt}. */
@Command(name = "basalt", description = "Dense linear algebra on the JVM.", mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT, versionProvider = Version.class, exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
                "0:done",
                "1:not done: the input, the machine or the numbers are to blame; one line says how",
                "2:the command line makes no sense",
                "3:solve: done, but the matrix is singular to working precision (--force: 0)",
                "4:output got lost: a full disk, or a closed standard output",
                "141:whoever read the output went away"})
public final class Main implements Runnable {
    /** In the order of the help. */
    private static final List<Class<?>> COMMANDS = List.of(SolveCommand.class, SvdCommand.class, EigCommand.class,
            BenchCommand.class, PlanCommand.class, DoctorCommand.class, TraceCommand.class, CompletionCommand.class,
            VerifyCommand.class, HelpTopic.class);

    /** Commands that speak of all others. */
    private static final Set<Class<?>> ABOUT_ALL = Set.of(CompletionCommand.class, HelpTopic.class);

    /** picocli lays out no help that is narrower. */
    private static final int NARROWEST = 55;

    @Spec
    private CommandSpec spec;

    @Option(names = "--stacktrace", scope = ScopeType.INHERIT,
            description = "Show where an error came from (or set BASALT_DEBUG).")
    @SuppressWarnings("unused") // OneLineErrors looks for it in the arguments, since an error may come before this is set
    private boolean stacktrace;

    /** For picocli. */
    public Main() {}

    /**
     * Runs a command and exits.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        int code = run(commandLine(args).setOut(StandardOutput.writer()), args);
        drainErrors();
        System.exit(code);
    }

    /**
     * The script passes standard error through a filter of its own, a child of this process. Who waits for this process may
     * read the errors next, so they must have passed.
     */
    private static void drainErrors() {
        String filter = System.getenv("BASALT_STDERR_FILTER");
        if (filter != null && filter.matches("[0-9]{1,9}")) {
            ProcessHandle self = ProcessHandle.current();
            System.err.close();
            ProcessHandle.of(Long.parseLong(filter))
                    .filter(child -> child.parent().filter(self::equals).isPresent())
                    .ifPresent(child -> child.onExit().join());
        }
    }

    /**
     * The command line with its rules for errors, so that tests can give it other streams. It knows the command that is asked for alone, if that can
     * be told: picocli takes tens of milliseconds to look at all.
     *
     * @param args the command line; nothing makes all commands known
     */
    static CommandLine commandLine(String... args) {
        CommandLine commandLine = new CommandLine(new Main());
        String first = args.length == 0 ? null : args[0];
        List<Class<?>> asked = COMMANDS.stream()
                .filter(command -> command.getAnnotation(Command.class).name().equals(first))
                .filter(command -> !ABOUT_ALL.contains(command))
                .toList();
        (asked.isEmpty() ? COMMANDS : asked).forEach(commandLine::addSubcommand);
        commandLine.setExecutionStrategy(Main::execute)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(new OneLineErrors())
                .setExecutionExceptionHandler(new OneLineErrors());
        return width(commandLine, System.getenv("COLUMNS"));
    }

    /** The commands in the order of the help. */
    static List<String> names() {
        return COMMANDS.stream().map(command -> command.getAnnotation(Command.class).name()).toList();
    }

    /** Help is as wide as the shell says, also where it goes into a pipe; else as wide as the terminal. */
    static CommandLine width(CommandLine commandLine, String columns) {
        return columns != null && columns.matches("[1-9][0-9]{1,3}")
                ? commandLine.setUsageHelpWidth(Math.max(NARROWEST, Integer.parseInt(columns)))
                : commandLine.setUsageHelpAutoWidth(true);
    }

    /** Help and versions are printed by picocli itself, which does not expect that to fail. */
    private static int execute(ParseResult parsed) {
        try {
            return new RunLast().execute(parsed);
        } catch (Failure e) {
            throw new ExecutionException(parsed.commandSpec().commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Runs a command. picocli does not look at errors such as a lack of memory, so they are dealt with here.
     *
     * @param commandLine from {@link #commandLine}
     * @param args the command line
     * @return exit code
     */
    static int run(CommandLine commandLine, String... args) {
        int code = 0;
        try {
            code = commandLine.execute(args);
            commandLine.getOut().flush();
            commandLine.getErr().flush();
            return code;
        } catch (Failure | StackOverflowError | OutOfMemoryError | LinkageError e) {
            // A command that failed has said why; that its output is lost, too, is no news.
            PrintWriter err = commandLine.getErr();
            return code != 0 ? code : OneLineErrors.report(err, "basalt", e, OneLineErrors.wantsTrace(args));
        }
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
