package dev.basalt.cli;

import dev.basalt.bench.Typo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code basalt help}: picocli's own looks at one word only, and there are commands of two. */
@Command(name = "help", description = "Shows help on a command, such as basalt help plan solve.", helpCommand = true)
final class HelpTopic implements Runnable {
    /** The commands of one word, for a shell to complete. */
    static final class Commands implements Iterable<String> {
        Commands() {}

        @Override
        public Iterator<String> iterator() {
            return Main.names().iterator();
        }
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private Output output;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", completionCandidates = Commands.class,
            description = "The command, in one word or two.")
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
        if (output.json()) {
            output.out().println(Json.of(described(at)));
            output.out().flush();
        } else if (folder != null) {
            write(at);
        } else if (man) {
            spec.commandLine().getOut().print(new ManPage(at).text());
            spec.commandLine().getOut().flush();
        } else {
            at.usage(spec.commandLine().getOut());
        }
    }

    /** A command, its arguments and options, and the commands below it, for programs. */
    private static Map<String, Object> described(CommandLine command) {
        CommandSpec about = command.getCommandSpec();
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("name", about.qualifiedName());
        all.put("description", List.of(about.usageMessage().description()));
        all.put("arguments", about.positionalParameters().stream().map(HelpTopic::described).toList());
        all.put("options", about.options().stream().map(HelpTopic::described).toList());
        all.put("commands", command.getSubcommands().values().stream().map(HelpTopic::described).toList());
        return all;
    }

    private static Map<String, Object> described(ArgSpec argument) {
        Map<String, Object> all = new LinkedHashMap<>();
        if (argument instanceof OptionSpec option) {
            all.put("names", List.of(option.names()));
        }
        all.put("value", argument.arity().max() == 0 ? null : argument.paramLabel());
        all.put("required", argument.required());
        all.put("description", List.of(argument.description()));
        return all;
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
