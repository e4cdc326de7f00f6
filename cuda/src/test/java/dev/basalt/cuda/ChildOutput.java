package dev.basalt.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What another process that a test starts prints. */
final class ChildOutput {
    private ChildOutput() {}

    /**
     * The lines of a process that ends well.
     *
     * @throws IOException if it cannot be started
     */
    static List<String> of(Path folder, ProcessBuilder process) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "out", ".txt");
        Process started = process.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        // However long it takes beside other work.
        assertThat(started.waitFor()).as(process.command() + ": " + Files.readString(output)).isZero();
        return Files.readAllLines(output);
    }
}
