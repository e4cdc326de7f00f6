package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of progress is as wide as the terminal, and never wider. */
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ProgressWidthTest {
    private static final Path SCRIPT = Path.of("/usr/bin/script");

    /** The texts that were written one over another, without the blanks that hide the one before. */
    private static List<String> shown(String text) {
        return Stream.of(text.split("[\\r\\n]+")).map(String::stripTrailing).filter(one -> !one.isEmpty()).toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 57, 80, 132})
    void aLineIsCutBeforeTheLastColumn(int columns) throws InterruptedException {
        StringWriter text = new StringWriter();
        try (Progress progress = new Progress(new PrintWriter(text), true, 1, Progress.Amount.SLOW, () -> columns)) {
            progress.phase(TerminalProgress.PHASE);
            while (text.toString().isEmpty()) {
                Thread.sleep(10);
            }
        }
        assertThat(shown(text.toString())).isNotEmpty()
                .allSatisfy(line -> assertThat(line).isEqualTo(TerminalProgress.PHASE.substring(0, columns - 1)));
        // Neither may what takes the line away reach the last column: the terminal would begin another.
        assertThat(text.toString().split("\\r")).allSatisfy(written -> assertThat(written).hasSizeLessThan(columns));
    }

    @Test
    void aShorterLineHidesTheOneBefore() throws InterruptedException {
        StringWriter text = new StringWriter();
        String before = "a phase of a long name... 0 s";
        try (Progress progress = new Progress(new PrintWriter(text), true, 1, Progress.Amount.SLOW, () -> 100)) {
            progress.phase("a phase of a long name");
            while (!text.toString().contains("a phase of a long name... ")) {
                Thread.sleep(10);
            }
            progress.phase("brief");
            while (!text.toString().contains("brief... ")) {
                Thread.sleep(10);
            }
        }
        String first = Stream.of(text.toString().split("\\r"))
                .filter(written -> written.startsWith("brief"))
                .findFirst()
                .orElseThrow();
        assertThat(first).hasSizeGreaterThanOrEqualTo(before.length());
    }

    /** On a terminal of its own, which the program "script" makes; stty says how wide it is. */
    private static String onTerminal(int columns, String environment) throws IOException, InterruptedException {
        String command = CommandRun.java(List.of(), TerminalProgress.class)
                .stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), "-q", "-e", "-c",
                "stty cols " + columns + " rows 24; " + environment + " " + command, "/dev/null")
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.endsWith("_OPTIONS") || name.equals("COLUMNS"));
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 150})
    @EnabledOnOs(OS.LINUX)
    void aTerminalIsAskedForItsWidth(int columns) throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(SCRIPT), "there is no program that makes a terminal");
        assertThat(shown(onTerminal(columns, ""))).contains(TerminalProgress.PHASE.substring(0, columns - 1));
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theShellMaySayTheWidth() throws IOException, InterruptedException {
        Assumptions.assumeTrue(Files.isExecutable(SCRIPT), "there is no program that makes a terminal");
        assertThat(shown(onTerminal(40, "COLUMNS=63"))).contains(TerminalProgress.PHASE.substring(0, 62));
    }
}
