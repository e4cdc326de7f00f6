package dev.basalt.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code basalt plan}: what a computation needs, without computing anything. */
@Command(name = "plan", description = "Shows how much workspace a computation needs, call by call.",
        subcommands = {PlanSolveCommand.class, PlanRoutineCommand.class})
final class PlanCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    PlanCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(),
                "say what to plan: basalt plan solve -n 4000, or basalt plan routine getrf -n 4000");
    }
}
