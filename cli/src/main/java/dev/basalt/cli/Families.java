package dev.basalt.cli;

import dev.basalt.bench.TableSweep;
import java.util.Iterator;

/** The names of all routines, for a shell to complete. */
final class Families implements Iterable<String> {
    Families() {}

    @Override
    public Iterator<String> iterator() {
        return TableSweep.names().iterator();
    }
}
