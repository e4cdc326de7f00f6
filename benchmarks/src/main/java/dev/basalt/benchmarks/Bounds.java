package dev.basalt.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What bounds the rows that miss their promise, in words and figures: the file {@code bounds.txt}. */
final class Bounds {
    private static final List<String[]> ALL = lines("bounds.txt");

    private Bounds() {}

    /** The sentence for a row, or that there is none. */
    static String of(Row row) {
        for (String[] cells : ALL) {
            if (cells[0].equals(row.group()) && cells[1].equals(row.sizes())) {
                return cells[2];
            }
        }
        return "not found yet";
    }

    /** The lines of a file of this package that are no comments, cut at {@code |}. */
    static List<String[]> lines(String file) {
        try (InputStream in = Bounds.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.strip().split("\\s*\\|\\s*"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
