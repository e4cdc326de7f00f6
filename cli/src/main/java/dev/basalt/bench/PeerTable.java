package dev.basalt.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A table of what other libraries have for routines of LAPACK. */
final class PeerTable {
    /** NVIDIA's libraries. */
    static final PeerTable NVIDIA = new PeerTable("nvidia.table");

    /** Libraries with LAPACK's Fortran interface. */
    static final PeerTable FORTRAN = new PeerTable("fortran.table");

    private final List<PeerRow> rows;

    private PeerTable(String file) {
        rows = read(file);
    }

    /** All rows, in order. */
    List<PeerRow> rows() {
        return rows;
    }

    private static List<PeerRow> read(String file) {
        try (InputStream in = PeerTable.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing from the command");
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
    List<PeerRow> of(TableCase c) {
        List<PeerRow> form = rows.stream().filter(row -> row.batch() == c.batch() > 0 && row.fits(c::has)).toList();
        List<PeerRow> own = form.stream().filter(row -> row.isFor(c.name())).toList();
        return !own.isEmpty() ? own : form.stream().filter(row -> row.isForFamily(c.routine().family())).toList();
    }
}
