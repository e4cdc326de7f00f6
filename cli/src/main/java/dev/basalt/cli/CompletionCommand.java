package dev.basalt.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
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

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Shell shell;

    CompletionCommand() {}

    @Override
    public void run() {
        CommandLine root = spec.root().commandLine();
        // picocli's script serves zsh as well, since it turns on zsh's emulation of bash there.
        String script = shell == Shell.FISH ? String.join("\n", fish(root)) + "\n" : AutoComplete.bash("basalt", root);
        spec.commandLine().getOut().print(script);
        spec.commandLine().getOut().flush();
    }

    private static List<String> fish(CommandLine root) {
        List<String> lines = new ArrayList<>();
        lines.add("# Completions of basalt for fish.");
        root.getSubcommands().forEach((name, command) -> {
            lines.add("complete -c basalt -n __fish_use_subcommand -f -a " + name + " -d " + quoted(command));
            List<String> inner = List.copyOf(command.getSubcommands().keySet());
            options(lines, name, command, inner);
            command.getSubcommands().forEach((second, below) -> {
                lines.add("complete -c basalt -n '__fish_seen_subcommand_from " + name
                        + "; and not __fish_seen_subcommand_from " + String.join(" ", inner) + "' -f -a " + second
                        + " -d " + quoted(below));
                options(lines, name + "; and __fish_seen_subcommand_from " + second, below, List.of());
            });
        });
        return lines;
    }

    private static void options(List<String> lines, String seen, CommandLine command, List<String> inner) {
        String not = inner.isEmpty() ? "" : "; and not __fish_seen_subcommand_from " + String.join(" ", inner);
        for (OptionSpec option : command.getCommandSpec().options()) {
            StringBuilder line =
                    new StringBuilder("complete -c basalt -n '__fish_seen_subcommand_from " + seen + not + "'");
            for (String name : option.names()) {
                line.append(name.startsWith("--") ? " -l " + name.substring(2)
                        : name.length() == 2 ? " -s " + name.substring(1)
                        : " -o " + name.substring(1));
            }
            String[] text = option.description();
            line.append(option.arity().max() > 0 ? " -r" : "");
            if (option.completionCandidates() != null) {
                line.append(" -f -a '").append(String.join(" ", option.completionCandidates())).append('\'');
            }
            lines.add(line.append(" -d ").append(quoted(text.length == 0 ? "" : text[0])).toString());
        }
    }

    private static String quoted(CommandLine command) {
        String[] text = command.getCommandSpec().usageMessage().description();
        return quoted(text.length == 0 ? "" : text[0]);
    }

    /** The first sentence, which is as much as a shell has room for. */
    private static String quoted(String text) {
        String first = text.replaceFirst("(?s)([.:;]( |$)| \\().*", "").strip();
        return "'" + first.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
