package dev.basalt.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The table of what NVIDIA's libraries have for routines of LAPACK. */
final class PeerTable {
    private static final String FILE = "nvidia.table";
    private static final List<PeerRow> ROWS = read();

    private PeerTable() {}

    /** All rows, in order. */
    static List<PeerRow> rows() {
        return ROWS;
    }

    private static List<PeerRow> read() {
        try (InputStream in = PeerTable.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing from the command");
            }
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(PeerRow::of)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those for a call: by its name in full, else by its family. */
    static List<PeerRow> of(TableCase c) {
        List<PeerRow> form = ROWS.stream().filter(row -> row.batch() == c.batch() > 0 && row.fits(c::has)).toList();
        List<PeerRow> own = form.stream().filter(row -> row.isFor(c.name())).toList();
        return !own.isEmpty() ? own : form.stream().filter(row -> row.isForFamily(c.routine().family())).toList();
    }
}
