package dev.basalt.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file of results, one line a workload and peer; what is measured again replaces its line. */
final class ResultFile {
    private final Path path;
    private final Map<String, Result> results = new LinkedHashMap<>();

    /** Reads what is there. */
    ResultFile(Path path) {
        this.path = path;
        if (!Files.exists(path)) {
            return;
        }
        try {
            for (String line : Files.readAllLines(path)) {
                if (!line.isBlank() && !line.equals(Result.HEAD)) {
                    put(Result.parse(line));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void put(Result result) {
        results.put(result.key(), result);
    }

    List<Result> all() {
        return List.copyOf(results.values());
    }

    void write() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(Result.HEAD);
        results.values().forEach(result -> lines.add(result.csv()));
        if (path.getParent() != null) {
            Files.createDirectories(path.getParent());
        }
        Files.write(path, lines);
    }
}
