package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Output that gets lost is an error of every command, whether it is printed or written. */
class StandardOutputTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    private Path folder;

    /** Fails after some octets. */
    private static final class Disk extends OutputStream {
        private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private final int room;
        private final String message;
        private int failures;

        Disk(int room, String message) {
            this.room = room;
            this.message = message;
        }

        @Override
        public void write(int octet) throws IOException {
            if (kept.size() >= room) {
                failures++;
                throw new IOException(message);
            }
            kept.write(octet);
        }
    }

    private static PrintWriter writer(OutputStream to) {
        return new PrintWriter(new StandardOutput(to, () -> false), false, StandardCharsets.UTF_8);
    }

    @Test
    void passesEverythingOn() {
        Disk disk = new Disk(100, "");
        PrintWriter out = writer(disk);
        out.print("1 µs");
        out.flush();
        assertThat(disk.kept.toString(StandardCharsets.UTF_8)).isEqualTo("1 µs");
    }

    @Test
    void theFirstFailureStays() {
        Disk disk = new Disk(3, "No space left on device");
        PrintWriter out = writer(disk);
        out.print("abcdef");
        for (int i = 0; i < 3; i++) {
            Failure failure = catchThrowableOfType(Failure.class, out::flush);
            assertThat(failure.exitCode()).isEqualTo(Failure.LOST_OUTPUT);
            assertThat(failure).hasMessage("standard output cannot be written: No space left on device");
        }
        assertThat(disk.failures).isEqualTo(1);
        assertThat(disk.kept.toString(StandardCharsets.UTF_8)).isEqualTo("abc");
    }

    private static CommandRun run(Disk disk, String... args) {
        StringWriter err = new StringWriter();
        int code = Main.run(Main.commandLine().setOut(writer(disk)).setErr(new PrintWriter(err)), args);
        return new CommandRun(code, disk.kept.toString(StandardCharsets.UTF_8), err.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "",
            "--help",
            "--version",
            "help solve",
            "doctor",
            "plan solve -n 9",
            "plan solve -n 9 --json",
            "bench -f dot -n 9 -i 1 -j 1 --warmup 1 --threads 1"})
    void everyCommandNotices(String line) {
        String[] args = line.isEmpty() ? new String[0] : line.split(" ");
        CommandRun full = run(new Disk(5, "No space left on device"), args);
        assertThat(full.err()).startsWith("basalt")
                .endsWith(": standard output cannot be written: No space left on device" + System.lineSeparator())
                .hasLineCount(1);
        assertThat(full.code()).isEqualTo(Failure.LOST_OUTPUT);
        CommandRun closed = run(new Disk(5, "Broken pipe"), args);
        assertThat(closed.err()).isEmpty();
        assertThat(closed.code()).isEqualTo(Failure.CLOSED_PIPE);
    }

    /** The system's message may be in any language. */
    @Test
    void aPipeFailsForOneReason() {
        PrintWriter out = new PrintWriter(new StandardOutput(new Disk(0, "Rohr gebrochen"), () -> true));
        out.print("x");
        assertThat(catchThrowableOfType(Failure.class, out::flush).exitCode()).isEqualTo(Failure.CLOSED_PIPE);
    }

    @Test
    void aSweepEndsAtTheLineThatFails() {
        Disk disk = new Disk(2000, "Broken pipe");
        CommandRun run = run(disk, "bench", "-f", "dot", "-n", "1:9000", "-i", "1", "-j", "1", "--warmup", "1");
        assertThat(run.code()).isEqualTo(Failure.CLOSED_PIPE);
        assertThat(run.out()).hasSize(2000);
        assertThat(disk.failures).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.mtx", "x.mtx.gz", "plan.svg", "speed.svg", "speed.png"})
    void filesOnAFullDisk(String name) throws IOException {
        Assumptions.assumeTrue(Files.isWritable(FULL), "there is no " + FULL);
        Path file = Files.createSymbolicLink(folder.resolve(name), FULL);
        String line = switch (name) {
            case "plan.svg" -> "plan solve -n 9 --svg " + file;
            case "speed.svg", "speed.png" -> "bench -f gemm -n 4,8 -i 1 -j 1 --warmup 1 --plot " + file;
            default -> "solve " + CommandRun.matrix(folder, "general4.mtx") + " --out " + file;
        };
        CommandRun run = CommandRun.of((Object[]) line.split(" "));
        Files.delete(file);
        assertThat(run.err().lines().filter(said -> said.startsWith("basalt "))).singleElement()
                .asString()
                .contains(file + ": cannot be written: ");
        assertThat(run.code()).isEqualTo(Failure.LOST_OUTPUT);
    }
}
