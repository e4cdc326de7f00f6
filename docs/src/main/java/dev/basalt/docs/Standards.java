package dev.basalt.docs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What defines each routine, a paper or the documents of the library that had it first, and papers on its problem: the file standards.txt. */
final class Standards {
    private record Standard(String paper, boolean defines, List<String> routines) {}

    private static final List<Standard> ALL = read();

    private Standards() {}

    private static List<Standard> read() {
        List<Standard> all = new ArrayList<>();
        boolean defines = true;
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(Standards.class.getResourceAsStream("standards.txt"), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("= ")) {
                    all.add(new Standard(line.substring(2), defines, new ArrayList<>()));
                } else if (line.equals("background")) {
                    defines = false;
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    all.getLast().routines.addAll(List.of(line.split(" ")));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    /** What defines a routine; empty if it is in no list, which a test does not allow. */
    static Optional<String> of(String routine) {
        return ALL.stream()
                .filter(standard -> standard.defines && standard.routines.contains(routine))
                .map(Standard::paper)
                .findFirst();
    }

    /** Papers on the problem that a routine solves; of many there is none. */
    static List<String> background(String routine) {
        return ALL.stream()
                .filter(standard -> !standard.defines && standard.routines.contains(routine))
                .map(Standard::paper)
                .toList();
    }

    /** Whether two references are those of one paper: the first author and the year tell. */
    static boolean same(String one, String other) {
        return author(one).equals(author(other)) && year(one).equals(year(other));
    }

    private static String author(String reference) {
        return reference.split("[ ,]", 2)[0];
    }

    private static String year(String reference) {
        return reference.replaceFirst("(?s).*\\b((?:19|20)\\d\\d)\\b.*", "$1");
    }

    /** The routines in the order of the file; one that two papers define comes twice. */
    static List<String> defined() {
        return ALL.stream()
                .filter(standard -> standard.defines)
                .flatMap(standard -> standard.routines.stream())
                .toList();
    }

    /** Every name in the file. */
    static Set<String> named() {
        Set<String> names = new LinkedHashSet<>();
        ALL.forEach(standard -> names.addAll(standard.routines));
        return names;
    }
}
