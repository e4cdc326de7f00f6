package dev.basalt.codegen;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The table of routines: the one source of signatures, methods on views, classic names, the small lane and the lists of tests. */
final class RoutineTable {
    /** The resource. */
    static final String NAME = "routines.table";

    private RoutineTable() {}

    /**
     * Reads it.
     *
     * @return all rows in their order
     * @throws IOException if the resource cannot be read
     */
    static List<ClassicFamily> read() throws IOException {
        List<ClassicFamily> families = new ArrayList<>();
        String row = null;
        List<String> facts = new ArrayList<>();
        for (String line : lines()) {
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
        families.add(ClassicFamily.of(row, facts));
        return families;
    }

    private static List<String> lines() throws IOException {
        try (InputStream in = RoutineTable.class.getResourceAsStream(NAME)) {
            if (in == null) {
                throw new FileNotFoundException(NAME + " is not beside " + RoutineTable.class.getName());
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        }
    }
}
