package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A command line that makes no sense ends in one line and exit code 2. */
class BadOptionTest {
    @TempDir
    private Path folder;

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
            "slove|basalt: Unmatched argument at index 0: 'slove'; did you mean solve",
            "solve|basalt solve: Missing required parameter: 'A.mtx'",
            "solve a b c|basalt solve: Unmatched argument at index 3: 'c'",
            "solve A --typ d|basalt solve: Unknown option: '--typ'; did you mean --type?",
            "solve A --tpye d|basalt solve: Unknown option: '--tpye'; did you mean --type?",
            "solve A --metod=lu|basalt solve: Unknown option: '--metod=lu'; did you mean --method?",
            "solve A --nothing-like-it|basalt solve: Unknown option: '--nothing-like-it' (see",
            "bench --flush_memory 1m|basalt bench: Unknown option: '--flush_memory'; did you mean --flush_memory_size?",
            "bench -f gemm --lad 4|basalt bench: Unknown option: '--lad'; did you mean --lda?",
            "--verson|basalt: Unknown option: '--verson'; did you mean --version?",
            "doctor --hlep|basalt doctor: Unknown option: '--hlep'; did you mean --help?",
            "solve A --type q|basalt solve: Invalid value for option '--type': \"q\" is not a type; accepted are s, d, c and z",
            "solve A --method svd|basalt solve: Invalid value for option '--method': \"svd\" is not a method; accepted are auto, lu, cholesky, ldl, banded, qr, mixed, mixed-tf32, mixed-f16 and mixed-bf16",
            "solve A --workspace big|basalt solve: --workspace = \"big\" is not a size; accepted are bytes",
            "solve A --workspace -1|basalt solve: --workspace = \"-1\" is not a size; accepted are bytes",
            "solve A --nrhs 0|basalt solve: Invalid value for option '--nrhs': \"0\" is not accepted; it must be a whole number from 1",
            "solve A --nrhs x|basalt solve: Invalid value for option '--nrhs': \"x\" is not accepted",
            "solve A --nrhs 3000000000|basalt solve: --nrhs is 3000000000; at most 2147483639 are possible",
            "solve A --seed 1.5|basalt solve: Invalid value for option '--seed': '1.5' is not a long",
            "solve A --device|basalt solve: Missing required parameter for option '--device'",
            "solve A --device gpu|basalt solve: --device: there is no device \"gpu\"; there are: ",
            "solve A --device host:x=1|basalt solve: --device: device \"host:x=1\" cannot be opened",
            "plan|basalt plan: say what to plan",
            "plan solve|basalt plan solve: Missing required option: '--n=N'",
            "plan solve -n 0|basalt plan solve: Invalid value for option '--n': \"0\" is not accepted; it must be a whole number",
            "plan solve -n 5 --nrhs -1|basalt plan solve: Invalid value for option '--nrhs': \"-1\" is not accepted",
            "plan solve -n 5 --batch 0|basalt plan solve: Invalid value for option '--batch': \"0\" is not accepted",
            "plan solve -n 99999999999999999999|basalt plan solve: Invalid value for option '--n'",
            "plan solve -n 3000000000|basalt plan solve: the sizes overflow: the operands would take more than 2^63-1 bytes",
            "plan solve -n 5 --method auto|basalt plan solve: --method auto depends on the matrix; accepted are lu, cholesky, ldl, qr, mixed, mixed-tf32, mixed-f16 and mixed-bf16",
            "doctor x|basalt doctor: Unmatched argument at index 1: 'x'"})
    void usage(String line, String message) {
        assertThat(CommandRun.of((Object[]) line.split(" ")).failure(Failure.USAGE)).startsWith(message);
    }

    @Test
    void anUnknownDeviceIsToldWhichExist() {
        String message = CommandRun.of("solve", "A", "--device", "gpu").failure(Failure.USAGE);
        assertThat(message).matches("(?s).*there are: (.*, )?host(, .*)?");
    }

    @Test
    void stackTracesComeOnDemand() {
        CommandRun quiet = CommandRun.of("solve", folder.resolve("none.mtx"));
        assertThat(quiet.err()).doesNotContain("\tat ");
        CommandRun loud = CommandRun.of("solve", folder.resolve("none.mtx"), "--stacktrace");
        assertThat(loud.code()).isEqualTo(Failure.FAILED);
        assertThat(loud.err()).contains("no such file").contains("\tat dev.basalt.cli");
    }

    @Test
    void withoutACommandThereIsHelp() {
        assertThat(CommandRun.of().good().out()).startsWith("Usage: basalt")
                .contains("solve", "bench", "plan", "doctor")
                .isEqualTo(CommandRun.of("--help").good().out());
    }

    @Test
    void helpListsExitCodes() {
        for (String command : List.of("solve", "bench", "plan", "doctor")) {
            assertThat(CommandRun.of(command, "--help").good().out()).as(command)
                    .containsPattern("Exit codes:(?s:.*) 3 +solve: done, but(?s:.*) 4 +output got lost");
        }
        assertThat(CommandRun.of("plan", "solve", "--help").good().out()).contains("Exit codes:");
    }

    @Test
    void helpAndVersion() {
        assertThat(CommandRun.of("--help").good().out()).contains("solve", "bench", "plan", "doctor");
        assertThat(CommandRun.of("solve", "--help").good().out()).contains("--workspace", "--method");
        assertThat(CommandRun.of("help", "plan").good().out()).contains("solve");
        assertThat(CommandRun.of("--version").good().out()).startsWith("basalt ").contains("Java 2");
    }
}
