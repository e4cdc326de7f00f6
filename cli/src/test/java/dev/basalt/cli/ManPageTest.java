package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Pages for man: each command has one, with all of its options, in lines that are text or requests of roff that are known. */
class ManPageTest {
    private static final String KNOWN = "\\.(TH|SH|TP|PP|br|nf|fi)( .*)?";

    @TempDir
    private Path folder;

    @Test
    void everyCommandHasAPage() throws IOException {
        CommandRun.of("help", "--man-folder", folder).good();
        try (Stream<Path> files = Files.list(folder)) {
            List<String> names = files.map(file -> file.getFileName().toString()).toList();
            assertThat(names).contains("basalt.1", "basalt-solve.1", "basalt-plan-solve.1", "basalt-bench-table.1");
        }
        check(Main.commandLine());
    }

    private void check(CommandLine command) throws IOException {
        String page = Files.readString(folder.resolve(ManPage.name(command.getCommandSpec()) + ".1"));
        assertThat(page.lines().filter(line -> line.startsWith(".") || line.startsWith("'")))
                .allMatch(line -> line.matches(KNOWN));
        assertThat(page).startsWith(".TH BASALT").contains(".SH NAME", ".SH SYNOPSIS", ".SH OPTIONS");
        command.getCommandSpec().options().stream().filter(option -> !option.hidden()).forEach(option -> {
            String bare = page.replace("\\-", "-");
            assertThat(bare).contains(option.longestName());
        });
        // What picocli writes for formatters does not get to readers.
        assertThat(page).doesNotContain("%n", "@|", "|@", "${");
        for (CommandLine below : command.getSubcommands().values()) {
            check(below);
        }
    }

    @Test
    void printsAPage() {
        String page = CommandRun.of("help", "--man", "plan", "solve").good().out();
        assertThat(page)
                .startsWith(".TH BASALT-PLAN-SOLVE 1 \"\" \"Basalt\" \"Basalt\"\n.SH NAME\nbasalt\\-plan\\-solve \\- ");
    }
}
