package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
}
