package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What people see who ask for help, or for nothing. */
class HelpTest {
    @Test
    void nothingIsAQuestionForHelp() {
        assertThat(CommandRun.of().good().out()).startsWith("Usage: basalt ").contains("solve", "svd", "eig", "doctor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan solve", "plan routine", "solve", "bench table", "svd"})
    void helpOnACommandOfOneWordOrTwo(String words) {
        String out = CommandRun.of((Object[]) ("help " + words).split(" ")).good().out();
        assertThat(out).startsWith("Usage: basalt " + words + " ");
        assertThat(out).isEqualTo(CommandRun.of((Object[]) (words + " --help").split(" ")).good().out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {
                    "help slove|basalt has no command \"slove\"; did you mean solve?",
                    "help plan rutine|basalt plan has no command \"rutine\"; did you mean routine?",
                    "help nothing-like-it|basalt has no command \"nothing-like-it\" "})
    void helpOnNoCommand(String words, String message) {
        assertThat(CommandRun.of((Object[]) words.split(" ")).failure(Failure.USAGE) + " ").contains(message);
    }

    @ParameterizedTest
    @CsvSource({"200, 120", "70, 70", "20, 55"})
    void helpIsAsWideAsTheShellSays(String columns, int most) {
        StringWriter out = new StringWriter();
        Main.width(Main.commandLine(), columns).setOut(new PrintWriter(out)).execute("help", "solve");
        int widest = out.toString().lines().mapToInt(String::length).max().orElse(0);
        assertThat(widest).isBetween(most - 20, Math.max(most, Integer.parseInt(columns)));
    }

    @Test
    void verifySaysWhereItIs() {
        assertThat(CommandRun.of("verify", "--device", "cuda:0").failure(Failure.FAILED)).contains("runtime image",
                "mvn verify");
    }

    @Test
    void memoryOutsideOfTheHeapIsNotTheHeaps() {
        assertThat(OneLineErrors.message(new OutOfMemoryError("Unable to allocate 28800000048 bytes")))
                .startsWith("not enough memory outside the Java heap: ")
                .doesNotContain("Xmx");
        assertThat(OneLineErrors.message(new OutOfMemoryError("Java heap space"))).contains("-Xmx");
    }

    /** The script in the shell it is for, where that is installed. */
    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void aShellReadsItsCompletions(String shell) throws IOException, InterruptedException {
        String script = CommandRun.of("completion", shell).good().out();
        assertThat(script).contains("solve", "doctor", "workspace");
        assertThat(in(shell, List.of(shell, "-n"), script)).isEmpty();
    }

    private static Stream<Arguments> begun() {
        return Stream.of(Arguments.of("pl", "plan"), Arguments.of("plan s", "solve"),
                Arguments.of("plan solve --nr", "--nrhs"), Arguments.of("plan solve --inv", ""),
                Arguments.of("plan routine gesd", "gesdd"), Arguments.of("bench -f gbm", "gbmv"),
                Arguments.of("solve --method chol", "cholesky"), Arguments.of("solve svd.mtx --inv", "--inverse"),
                Arguments.of("completion f", "fish"), Arguments.of("help doc", "doctor"));
    }

    /** What is offered behind words, of which the last is begun. */
    @ParameterizedTest
    @MethodSource("begun")
    void bashCompletes(String begun, String whole) throws IOException, InterruptedException {
        String script = CommandRun.of("completion", "bash").good().out();
        String asked = "compopt() { :; }; COMP_WORDS=(basalt " + begun + "); COMP_CWORD=" + begun.split(" ").length
                + "; COMPREPLY=(); _complete_basalt; printf '%s' \"${COMPREPLY[@]}\"";
        assertThat(in("bash", List.of("bash"), script + "\n" + asked).strip()).isEqualTo(whole);
    }

    @ParameterizedTest
    @MethodSource("begun")
    void fishCompletes(String begun, String whole) throws IOException, InterruptedException {
        String script = CommandRun.of("completion", "fish").good().out();
        String offered = in("fish", List.of("fish"), script + "\ncomplete -C 'basalt " + begun + "'");
        assertThat(offered.replaceAll("\t[^\n]*", "").strip()).isEqualTo(whole);
    }

    /** What a shell says of a script. */
    private static String in(String shell, List<String> command, String script)
            throws IOException, InterruptedException {
        assumeTrue(shell.equals("bash") || Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, shell))), () -> "there is no " + shell);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(script.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    /** What a shell offers for an option is what the option takes. */
    @ParameterizedTest
    @ValueSource(strings = {"solve", "svd", "eig", "bench", "plan solve", "plan routine"})
    void whatIsCompletedIsAccepted(String command) {
        CommandLine line = Main.commandLine();
        for (String word : command.split(" ")) {
            line = line.getSubcommands().get(word);
        }
        for (OptionSpec option : line.getCommandSpec().options()) {
            if (option.completionCandidates() != null && option.converters().length > 0) {
                for (String offered : option.completionCandidates()) {
                    assertThatCode(() -> option.converters()[0].convert(offered))
                            .as("%s %s %s", command, option.longestName(), offered)
                            .doesNotThrowAnyException();
                }
            }
        }
        String script = CommandRun.of("completion", "bash").good().out().replaceAll("[\"()]", "");
        assertThat(script).contains("=s d c z ", "=auto dense lanczos ");
    }

    @Test
    void fishHasALineForEveryCommandAndOption() {
        String script = CommandRun.of("completion", "fish").good().out();
        assertThat(script.lines().filter(line -> line.startsWith("complete ")))
                .allMatch(line -> line.matches("complete -c basalt -n (\\S+|'[^']*') .*-d '.*'"))
                .anyMatch(line -> line.contains("-f -a svd -d 'The singular values"))
                .anyMatch(line -> line.contains("'__basalt_at plan solve'") && line.contains("-l nrhs"));
    }

    @Test
    void programsGetTheHelp() {
        String json = CommandRun.of("help", "plan", "--json").good().out();
        assertThat(new JsonText(json.strip()).value()).asString()
                .contains("basalt plan", "basalt plan solve", "--nrhs", "-n", "FAMILY", "Right-hand sides");
        String completion = CommandRun.of("completion", "zsh", "--json").good().out();
        assertThat(new JsonText(completion.strip()).value()).asString()
                .startsWith("{shell=zsh, script=#!/usr/bin/env bash");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {
                    "plan routine gemn -n 5|did you mean gemv or gemm",
                    "plan routine dgetrf -n 5|without the letter of its type: getrf",
                    "bench -f potrff|did you mean potrf",
                    "bench table getfr|did you mean getrf",
                    "help slove|did you mean solve"})
    void misspeltNamesAreSuggested(String command, String suggestion) {
        assertThat(CommandRun.of((Object[]) command.split(" ")).failure(Failure.USAGE)).contains(suggestion);
    }

    @Test
    void aLargeSparseMatrixIsToldWhatElseThereIs(@TempDir Path folder) {
        Path vast =
                CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n9000000 9000000 1\n1 1 1\n");
        for (String command : List.of("solve", "svd")) {
            assertThat(CommandRun.of(command, vast).failure(Failure.FAILED)).contains("not enough memory",
                    " free; the file lists 1 elements", "a solver for sparse matrices");
        }
    }
}
