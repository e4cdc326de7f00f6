package dev.basalt.cli;

import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How much a command says, and to whom: the same options for every command. */
final class Output {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object for programs.")
    private boolean json;

    @Option(names = "--quiet", description = "Print no report and no progress; errors and exit codes tell the rest.")
    private boolean quiet;

    @Option(names = "--verbose", description = "Say on standard error how long each step took.")
    private boolean verbose;

    Output() {}

    /** Standard output of the command. */
    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Standard error of the command. */
    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Whether a program reads what is printed. */
    boolean json() {
        return json;
    }

    /** Whether nobody wants to read anything. */
    boolean quiet() {
        return quiet;
    }

    /** Progress on standard error. */
    Progress progress() {
        return Progress.to(err(), quiet ? Progress.Amount.NONE : verbose ? Progress.Amount.ALL : Progress.Amount.SLOW);
    }

    /** Prints a report as the options have it. */
    void print(Report report) {
        if (!quiet) {
            report.print(out(), json);
        }
    }
}
