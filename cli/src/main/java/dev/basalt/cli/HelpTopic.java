package dev.basalt.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code basalt help}: picocli's own looks at one word only, and there are commands of two. */
@Command(name = "help", description = "Shows help on a command, such as basalt help plan solve.", helpCommand = true)
final class HelpTopic implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command, in one word or two.")
    private final List<String> words = new ArrayList<>();

    HelpTopic() {}

    @Override
    public void run() {
        CommandLine at = spec.parent().commandLine();
        for (String word : words) {
            CommandLine next = at.getSubcommands().get(word);
            if (next == null) {
                List<String> close = Typo.closest(word, at.getSubcommands().keySet());
                throw Failure.usage(at.getCommandSpec().qualifiedName() + " has no command \"" + word + "\""
                        + (close.isEmpty() ? "" : "; did you mean " + String.join(" or ", close) + "?"), null);
            }
            at = next;
        }
        at.usage(spec.commandLine().getOut());
    }
}
