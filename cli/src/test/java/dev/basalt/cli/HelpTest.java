package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource({"bash, -n", "zsh, -n"})
    void aShellReadsItsCompletions(String shell, String check) throws IOException, InterruptedException {
        String script = CommandRun.of("completion", shell).good().out();
        assertThat(script).contains("solve", "--workspace", "doctor");
        Process bash = new ProcessBuilder("bash", check).redirectErrorStream(true).start();
        try (OutputStream in = bash.getOutputStream()) {
            in.write(script.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEmpty();
        assertThat(bash.waitFor()).isZero();
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
            if (option.completionCandidates() != null) {
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
        assertThat(script.lines().skip(1))
                .allMatch(line -> line.matches("complete -c basalt -n (\\S+|'[^']*') .*-d '.*'"))
                .anyMatch(line -> line.contains("-f -a svd -d 'The singular values"))
                .anyMatch(line -> line.contains("from plan; and __fish_seen_subcommand_from solve'")
                        && line.contains("-l nrhs"));
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
