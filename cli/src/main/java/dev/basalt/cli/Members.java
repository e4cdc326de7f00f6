package dev.basalt.cli;

import java.nio.file.Path;
import java.util.List;

/** What to say where a file has several matrices, or not the one that was named. */
final class Members {
    private Members() {}

    /**
     * Why none was taken.
     *
     * @param file file
     * @param wanted the name that was given; null for none
     * @param names the names there are
     */
    static Failure choose(Path file, String wanted, List<String> names) {
        String all = names.isEmpty() ? "there is none" : "there are " + String.join(", ", names);
        return new Failure(file + ": "
                + (wanted == null
                        ? (names.isEmpty()
                                ? "there is no matrix"
                                : all + "; say which one, as in " + named(file) + "#" + names.get(0))
                        : "there is no matrix \"" + wanted + "\"; " + all));
    }

    /** An option would begin as the name of standard input does, so {@code -#A} is none of its names. */
    private static Path named(Path file) {
        return file.toString().equals(Input.STANDARD) ? Path.of("/dev/stdin") : file;
    }
}
