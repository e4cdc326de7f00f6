package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands where Java refuses native access: one line that names the flag, no trace, and an exit code. */
class RefusedAccessTest {
    private static final String FLAG = "--enable-native-access=ALL-UNNAMED";

    @TempDir
    private Path folder;

    private CommandRun child(List<String> options, String... args) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("--illegal-native-access=deny"));
        all.addAll(options);
        return CommandRun.inChild(folder, all, Map.of(), args);
    }

    @Test
    void doctorSaysWhatToAdd() throws IOException, InterruptedException {
        CommandRun run = child(List.of(), "doctor");
        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(Failure.FAILED);
        assertThat(run.out()).contains("native access   not allowed").doesNotContain("Exception", "Error");
        assertThat(run.out().lines())
                .anyMatch(line -> line.matches("  host +.*; refused: Java refuses native access; .*" + FLAG))
                .anyMatch(line -> line.matches("  cuda +.*; refused: Java refuses native access; .*" + FLAG))
                .contains("  - start Java with " + FLAG);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "solve %s --device host",
            "solve %s",
            "bench -f dot -n 10",
            "bench -f dot -n 10 --device host --peer openblas",
            "bench -f dot -n 10 --device cuda:0 --peer cublas",
            "plan solve -n 10"})
    void everyCommandSaysItInOneLine(String line) throws IOException, InterruptedException {
        Path matrix = CommandRun.file(folder, "%%MatrixMarket matrix array real general\n1 1\n2\n");
        CommandRun run = child(List.of(), line.formatted(matrix).split(" "));
        assertThat(run.failure(run.code())).contains("Java refuses native access", FLAG);
        assertThat(run.code()).isNotZero();
    }

    @Test
    void interpretedJavaIsATrouble() throws IOException, InterruptedException {
        assertThat(child(List.of(FLAG, "-Xint"), "doctor", "--quiet").out()).contains("leave out -Xint");
    }

    @Test
    void withTheFlagNothingIsSaid() throws IOException, InterruptedException {
        CommandRun run = child(List.of(FLAG), "doctor");
        assertThat(run.out()).contains("native access   allowed").doesNotContain("Java refuses");
        assertThat(run.err()).doesNotContain("WARNING");
    }
}
