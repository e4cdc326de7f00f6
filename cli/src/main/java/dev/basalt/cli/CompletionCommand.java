package dev.basalt.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code basalt completion}: scripts with which a shell completes commands and options. */
@Command(name = "completion",
        description = {
                "Prints a script with which a shell completes commands and options.",
                "  bash   source <(basalt completion bash), also in ~/.bashrc",
                "  zsh    the same in ~/.zshrc",
                "  fish   basalt completion fish > ~/.config/fish/completions/basalt.fish"})
final class CompletionCommand implements Runnable {
    /** Shells that are known. */
    enum Shell {
        BASH, ZSH, FISH
    }

    /** Their names as they are written. */
    static final class Names implements Iterable<String> {
        Names() {}

        @Override
        public Iterator<String> iterator() {
            return List.of("bash", "zsh", "fish").iterator();
        }
    }

    /** Whether the first words behind the command are these: a word that comes later may be a command's name and is none. */
    private static final String AT = """
            function __basalt_at
                set -l words (commandline -opc)
                for word in $argv
                    set -e words[1]
                    test "$words[1]" = $word; or return 1
                end
            end""";

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", completionCandidates = Names.class, description = "bash, zsh or fish.")
    private Shell shell;

    @Mixin
    private Output output;

    CompletionCommand() {}

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        // picocli's script serves zsh as well, since it turns on zsh's emulation of bash there.
        String script = shell == Shell.FISH ? String.join("\n", fish(root)) + "\n" : AutoComplete.bash("basalt", root);
        if (output.json()) {
            new Report().value("shell", shell.name().toLowerCase(Locale.ROOT))
                    .value("script", script)
                    .print(output.out(), true);
            return;
        }
        spec.commandLine().getOut().print(script);
        spec.commandLine().getOut().flush();
    }

    private static List<String> fish(CommandLine root) {
        List<String> lines = new ArrayList<>();
        lines.add("# Completions of basalt for fish.");
        lines.add(AT);
        options(lines, "__fish_use_subcommand", root);
        root.getSubcommands().forEach((name, command) -> {
            lines.add("complete -c basalt -n __fish_use_subcommand -f -a " + name + " -d " + quoted(command));
            Set<String> inner = command.getSubcommands().keySet();
            String here = "__basalt_at " + name;
            StringBuilder alone = new StringBuilder(here);
            inner.forEach(second -> alone.append("; and not ").append(here).append(' ').append(second));
            all(lines, quoted(alone.toString()), command);
            command.getSubcommands().forEach((second, below) -> {
                lines.add("complete -c basalt -n " + quoted(alone.toString()) + " -f -a " + second + " -d "
                        + quoted(below));
                lines.add("complete -c basalt -n " + quoted("__basalt_at help " + name) + " -f -a " + second + " -d "
                        + quoted(below));
                all(lines, quoted(here + " " + second), below);
            });
        });
        return lines;
    }

    private static void all(List<String> lines, String where, CommandLine command) {
        options(lines, where, command);
        for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
            if (parameter.completionCandidates() != null) {
                lines.add("complete -c basalt -n " + where + offered(parameter) + " -d "
                        + quoted(parameter.paramLabel()));
            }
        }
    }

    private static void options(List<String> lines, String where, CommandLine command) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            StringBuilder line = new StringBuilder("complete -c basalt -n " + where);
            for (String name : option.names()) {
                line.append(name.startsWith("--") ? " -l " + name.substring(2)
                        : name.length() == 2 ? " -s " + name.substring(1)
                        : " -o " + name.substring(1));
            }
            String[] text = option.description();
            // A value that is no file is nothing that the folder has.
            line.append(option.arity().max() == 0 ? "" : option.type() == Path.class ? " -r" : " -x");
            line.append(option.completionCandidates() == null ? "" : offered(option));
            lines.add(line.append(" -d ").append(firstSentence(text.length == 0 ? "" : text[0])).toString());
        }
    }

    private static String offered(ArgSpec argument) {
        return " -f -a " + quoted(String.join(" ", argument.completionCandidates()));
    }

    private static String quoted(CommandLine command) {
        String[] text = command.getCommandSpec().usageMessage().description();
        return firstSentence(text.length == 0 ? "" : text[0]);
    }

    /** The first sentence, which is as much as a shell has room for. */
    private static String firstSentence(String text) {
        return quoted(text.replaceFirst("(?s)([.:;]( |$)| \\().*", "").strip());
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
