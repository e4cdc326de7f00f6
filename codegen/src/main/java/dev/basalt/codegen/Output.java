package dev.basalt.codegen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The folder of generated sources. Leaves files alone whose content is the same, so that nothing is compiled twice. */
final class Output {
    private final Path root;
    private final Set<Path> written = new HashSet<>();

    Output(Path root) {
        this.root = root;
    }

    /**
     * Writes a source below a first line that says where it comes from.
     *
     * @param path relative to the folder
     * @param origin what it was made from
     * @param lines its lines
     */
    void write(String path, String origin, List<String> lines) throws IOException {
        Path file = root.resolve(path);
        String text = header(origin) + "\n" + String.join("\n", lines) + "\n";
        written.add(file);
        if (!Files.exists(file) || !Files.readString(file).equals(text)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
    }

    /** Removes what earlier runs wrote and this one did not: its origin was renamed or deleted. */
    void removeStale() throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            files.filter(file -> file.toString().endsWith(".java") && !written.contains(file) && isGenerated(file))
                    .forEach(Output::delete);
        }
    }

    private static String header(String origin) {
        return "// Generated from " + origin + " by dev.basalt.codegen; do not edit.";
    }

    private static boolean isGenerated(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.findFirst()
                    .filter(line -> line.startsWith("// Generated from ")
                            && line.endsWith(" by dev.basalt.codegen; do not edit."))
                    .isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
