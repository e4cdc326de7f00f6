package dev.basalt.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code basalt help}: picocli's own looks at one word only, and there are commands of two. */
@Command(name = "help", description = "Shows help on a command, such as basalt help plan solve.", helpCommand = true)
final class HelpTopic implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command, in one word or two.")
    private final List<String> words = new ArrayList<>();

    @Option(names = "--man", description = "Print the page for man, such as basalt help --man solve | man -l -.")
    private boolean man;

    @Option(names = "--man-folder", paramLabel = "FOLDER", description = "Write the pages of all commands there.")
    private Path folder;

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
        if (folder != null) {
            write(at);
        } else if (man) {
            spec.commandLine().getOut().print(new ManPage(at).text());
            spec.commandLine().getOut().flush();
        } else {
            at.usage(spec.commandLine().getOut());
        }
    }

    private void write(CommandLine command) {
        Path file = folder.resolve(ManPage.name(command.getCommandSpec()) + ".1");
        try {
            Files.createDirectories(folder);
            Files.writeString(file, new ManPage(command).text());
        } catch (IOException e) {
            throw new Failure("cannot write " + file + ": " + e.getMessage(), e);
        }
        command.getSubcommands().values().stream().distinct().forEach(this::write);
    }
}
