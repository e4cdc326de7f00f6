package dev.basalt.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A command's page for {@code man}, in the language of roff, from what its help says. */
final class ManPage {
    private final CommandLine command;
    private final CommandSpec spec;
    private final List<String> lines = new ArrayList<>();

    ManPage(CommandLine command) {
        this.command = command;
        this.spec = command.getCommandSpec();
    }

    /** The name of its file: basalt-plan-solve. */
    static String name(CommandSpec spec) {
        return spec.qualifiedName("-");
    }

    /** The page. */
    String text() {
        String[] description = spec.usageMessage().description();
        lines.add(".TH " + name(spec).toUpperCase(Locale.ROOT) + " 1 \"\" \"Basalt\" \"Basalt\"");
        section("NAME");
        add(name(spec) + " - " + (description.length == 0 ? "" : description[0].replaceFirst("(?s)[.:].*", "")));
        section("SYNOPSIS");
        synopsis();
        if (description.length > 0) {
            section("DESCRIPTION");
            paragraphs(description);
        }
        List<PositionalParamSpec> parameters = spec.positionalParameters().stream().filter(p -> !p.hidden()).toList();
        if (!parameters.isEmpty()) {
            section("ARGUMENTS");
            parameters.forEach(parameter -> item(parameter.paramLabel(), parameter));
        }
        section("OPTIONS");
        spec.options().stream().filter(option -> !option.hidden()).forEach(option -> item(names(option), option));
        commands();
        exitCodes();
        return String.join("\n", lines) + "\n";
    }

    private void section(String title) {
        lines.add(".SH " + title);
    }

    private void synopsis() {
        String synopsis = command.getHelp().synopsis(0).strip();
        add(synopsis.replaceAll("\\s+", " "));
    }

    private void paragraphs(String[] texts) {
        // picocli has a line for each text; texts that are set in are examples, and keep their spaces.
        for (String text : texts) {
            for (String line : plain(text).split("\n", -1)) {
                if (line.startsWith(" ")) {
                    lines.add(".nf");
                    add(line);
                    lines.add(".fi");
                } else if (line.isBlank()) {
                    lines.add(".PP");
                } else {
                    add(line);
                    lines.add(".br");
                }
            }
        }
    }

    private void item(String name, ArgSpec argument) {
        lines.add(".TP");
        lines.add("\\fB" + escaped(name) + "\\fR");
        paragraphs(argument.description());
    }

    private static String names(OptionSpec option) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        return String.join(", ", option.names()) + value;
    }

    private void commands() {
        Map<String, CommandLine> subcommands = command.getSubcommands();
        if (subcommands.isEmpty()) {
            return;
        }
        section("COMMANDS");
        subcommands.values().stream().distinct().forEach(below -> {
            lines.add(".TP");
            lines.add("\\fB" + escaped(name(below.getCommandSpec())) + "\\fR(1)");
            String[] text = below.getCommandSpec().usageMessage().description();
            paragraphs(text.length == 0 ? text : new String[] {text[0]});
        });
    }

    private void exitCodes() {
        Map<String, String> codes = spec.usageMessage().exitCodeList();
        if (!codes.isEmpty()) {
            section("EXIT STATUS");
        }
        codes.forEach((code, text) -> {
            lines.add(".TP");
            lines.add("\\fB" + escaped(code.strip()) + "\\fR");
            add(plain(text));
        });
    }

    private String plain(String text) {
        String formatted = text.replace("%n", "\n").replace("%%", "%");
        return Ansi.OFF.text(formatted).plainString();
    }

    private void add(String text) {
        lines.add(escaped(text));
    }

    /** A line of roff is no request, and its hyphens are those of options. */
    private static String escaped(String text) {
        String safe = text.replace("\\", "\\e").replace("-", "\\-");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }
}
