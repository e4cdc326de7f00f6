package dev.basalt.codegen;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The table of routines: the one source of signatures, methods on views, classic names, the small lane and the lists of tests. BLAS and each branch of LAPACK
 * have a file.
 */
final class RoutineTable {
    /** What generated sources say they come from. */
    static final String NAME = "routines.table";

    private static final List<String> FILES =
            List.of(NAME, "matrix.table", "lu.table", "cholesky.table", "indefinite.table", "banded.table",
                    "refined.table", "qr.table", "symmetric.table", "svd.table", "nonsymmetric.table");

    private RoutineTable() {}

    /**
     * Reads it.
     *
     * @return all rows in their order
     * @throws IOException if a file cannot be read
     */
    static List<ClassicFamily> read() throws IOException {
        List<ClassicFamily> families = new ArrayList<>();
        for (String file : FILES) {
            families.addAll(families(lines(file)));
        }
        return families;
    }

    /**
     * Reads it for people.
     *
     * @return the rows by level of BLAS, and by the title of a file of LAPACK, its first sentence
     * @throws IOException if a file cannot be read
     */
    static Map<String, List<ClassicFamily>> branches() throws IOException {
        Map<String, List<ClassicFamily>> branches = new LinkedHashMap<>();
        for (String file : FILES) {
            List<String> lines = lines(file);
            for (ClassicFamily family : families(lines)) {
                String title = Arrays.stream(Level.values())
                        .filter(level -> level != Level.LAPACK && level.has(family))
                        .map(level -> level.title)
                        .findFirst()
                        .orElse("LAPACK: " + lines.get(0).substring(2, lines.get(0).indexOf('.')));
                branches.computeIfAbsent(title, key -> new ArrayList<>()).add(family);
            }
        }
        return branches;
    }

    private static List<ClassicFamily> families(List<String> lines) {
        List<ClassicFamily> families = new ArrayList<>();
        String row = null;
        List<String> facts = new ArrayList<>();
        for (String line : lines) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.stripLeading().startsWith(". ")) {
                facts.add(line.strip().substring(2));
                continue;
            }
            if (row != null) {
                families.add(ClassicFamily.of(row, facts));
            }
            facts.clear();
            row = line;
        }
        if (row != null) {
            families.add(ClassicFamily.of(row, facts));
        }
        return families;
    }

    private static List<String> lines(String file) throws IOException {
        try (InputStream in = RoutineTable.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new FileNotFoundException(file + " is not beside " + RoutineTable.class.getName());
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines().toList();
        }
    }
}
