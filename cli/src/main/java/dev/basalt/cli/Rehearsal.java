package dev.basalt.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Runs the commands that people wait for, on something small. The build does so once and lets Java keep the loaded classes (JEP 483), so that the
 * commands start faster. What is printed goes to standard output.
 */
public final class Rehearsal {
    private static final int ORDER = 100;

    private Rehearsal() {}

    /**
     * Runs all of them; the exit code is the first that is not 0.
     *
     * @param args nothing
     * @throws IOException if the matrix cannot be written
     */
    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("basalt");
        Path matrix = folder.resolve("matrix.mtx");
        int code = 0;
        try {
            Files.write(matrix, lines());
            List<List<String>> commands = List.of(List.of("solve", matrix.toString()), List.of("doctor"),
                    List.of("plan", "solve", "-n", "" + ORDER), List.of("--help"));
            for (List<String> command : commands) {
                String[] words = command.toArray(String[]::new);
                int ended = Main.run(Main.commandLine(words).setOut(StandardOutput.writer()), words);
                code = code == 0 ? ended : code;
            }
        } finally {
            Files.deleteIfExists(matrix);
            Files.deleteIfExists(folder);
        }
        System.exit(code);
    }

    private static List<String> lines() {
        Random random = new Random(ORDER);
        List<String> lines = new ArrayList<>(List.of("%%MatrixMarket matrix array real general", ORDER + " " + ORDER));
        random.doubles((long) ORDER * ORDER, -1, 1).forEach(v -> lines.add(Double.toString(v)));
        return lines;
    }
}
