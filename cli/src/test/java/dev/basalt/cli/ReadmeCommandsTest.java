package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What README.md and the pages in docs show of the commands is what they print, but for what is of the machine. A line that a command prints and the document
 * does not show fails here too: then the document is out of date.
 */
class ReadmeCommandsTest {
    private static final Path DATA = Path.of(System.getProperty("basalt.data", "../../shared/data"));

    /** Where the document leaves lines out. */
    private static final String REST = "...";

    /** A number of bytes for people, or for programs. */
    private static final String BYTES = "\\d+(\\.\\d+)? ([KMG]i)?B\\b|\\d+ bytes";

    private String text;

    @BeforeEach
    void start() throws IOException {
        StringBuilder all = new StringBuilder();
        for (String page : List.of("README.md", "docs/command-line.md", "docs/gpu.md", "docs/performance.md")) {
            all.append(Files.readString(Path.of("..").resolve(page))).append('\n');
        }
        text = all.toString();
        // As where the document's plan was made; what follows from the processor is left out where it is another.
        System.setProperty("basalt.threads", "2");
    }

    @AfterEach
    void clear() {
        System.clearProperty("basalt.threads");
    }

    /** The block of printed lines that follows the first place where the document says this. */
    private List<String> block(String before) {
        int at = text.indexOf(before);
        assertThat(at).as("the documents say: " + before).isNotNegative();
        List<String> block = new ArrayList<>();
        List<String> lines = text.substring(text.indexOf('\n', at) + 1).lines().toList();
        for (String line : lines) {
            if (line.startsWith("    ")) {
                block.add(line.substring(4));
            } else if (!block.isEmpty() || !line.isEmpty()) {
                break;
            }
        }
        assertThat(block).as("printed lines after: " + before).isNotEmpty();
        return block;
    }

    private static CommandRun solve(String matrix, Object... more) {
        Path file = DATA.resolve(matrix);
        Assumptions.assumeTrue(Files.exists(file),
                "skipped: no " + file + "; -Dbasalt.data=... says where the matrices are");
        List<Object> words = new ArrayList<>(List.of("solve", file));
        words.addAll(List.of(more));
        return CommandRun.of(words.toArray()).good();
    }

    /** Without what depends on speed, rounding and this machine; without sizes if the processor is not the document's. */
    private static String compared(String line, boolean sameProcessor) {
        String label = line.length() < 16 ? line : line.substring(0, 16).strip();
        switch (label) {
            case "time", "rate", "reading" -> {
                return label;
            }
            case "condition" -> {
                return label;
            }
            case "device" -> {
                return label + " " + line.substring(16).replaceFirst(":.*", "");
            }
            case "matrix" -> {
                return label + " " + line.substring(16).replaceFirst("^\\S*/", "");
            }
            default -> {
                // Errors and condition numbers follow the bits of the engine.
                String same = line.replaceAll("\\b\\d(\\.\\d+)?e[+-]?\\d+", "#");
                return sameProcessor
                        ? same
                        : same.replaceAll(BYTES, "#")
                                .replaceAll("device class \\S+, plan \\S+", "#")
                                .replaceAll(" +", " ");
            }
        }
    }

    private void same(List<String> shown, String printed) {
        List<String> lines = printed.lines().filter(line -> !line.isEmpty()).toList();
        boolean sameProcessor = sameProcessor();
        int next = 0;
        boolean skipping = false;
        for (String line : shown) {
            if (line.equals(REST)) {
                skipping = true;
                continue;
            }
            String wanted = compared(line, sameProcessor);
            while (skipping && next < lines.size() && !wanted.equals(compared(lines.get(next), sameProcessor))) {
                next++;
            }
            assertThat(next < lines.size() ? compared(lines.get(next), sameProcessor) : "nothing")
                    .as("the document is out of date; the command prints\n" + printed)
                    .isEqualTo(wanted);
            skipping = false;
            next++;
        }
        assertThat(lines.subList(next, lines.size())).as("lines that the document does not show").isEmpty();
    }

    /** Whether the document's sizes are of a processor like this one: they follow the width of its vectors. */
    private boolean sameProcessor() {
        String documented = text.replaceFirst("(?s).*; device class (\\S+), plan .*", "$1");
        try (Device device = Device.open("host")) {
            return device.deviceClass().equals(documented);
        }
    }

    @Test
    void theReportOfSolveIsTheDocuments() {
        same(block("What the first prints"), solve("bcsstk13.mtx").out());
    }

    @Test
    void whatSolveSaysWithLittleWorkspaceIsTheDocuments() {
        List<String> shown = block("With too little workspace");
        assertThat(shown.get(0)).isEqualTo("$ ./basalt solve young1c.mtx --method lu --workspace 64k");
        same(shown.subList(1, shown.size()), solve("young1c.mtx", "--method", "lu", "--workspace", "64k").out());
    }

    @Test
    void thePlanIsTheDocuments() {
        String command = "`./basalt plan solve -n 4000 --nrhs 10 --type d` shows";
        List<String> shown = new ArrayList<>(List.of(REST));
        shown.addAll(block(command));
        same(shown, CommandRun.of("plan", "solve", "-n", 4000, "--nrhs", 10, "--type", "d").good().out());
    }

    @Test
    void aMachineWithoutADriverIsToldSoAsDocumented() {
        List<String> shown = block("Without a driver `basalt doctor` says why");
        String line = CommandRun.of("doctor")
                .out()
                .lines()
                .map(String::strip)
                .filter(l -> l.startsWith("cuda"))
                .findFirst()
                .orElse("none: cuda is not among the devices");
        Assumptions.assumeTrue(line.contains("no NVIDIA driver"), "skipped: there is a driver: " + line);
        assertThat(shown).containsExactly(line);
    }

    @Test
    void commandsThatAreNamedAreThere() {
        List<String> named = Pattern.compile("\\./basalt (\\w+)")
                .matcher(text)
                .results()
                .map(result -> result.group(1))
                .distinct()
                .toList();
        assertThat(named).isNotEmpty();
        assertThat(Main.commandLine().getSubcommands().keySet()).containsAll(named);
    }
}
