package dev.basalt.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The table of what is promised, with what was measured: a row counts by its worst size against the fastest set of kernels. */
final class Table {
    private static final String HEAD = "| routine | sizes | must | aim | measured: n ratio | worst | must | aim |\n"
            + "|---|---|--:|--:|---|--:|---|---|";

    /** Beside other libraries than OpenBLAS, for which nothing is promised row by row. */
    private static final String SHORT_HEAD = "| routine | sizes | measured: n ratio | worst |\n|---|---|---|--:|";

    private final List<Result> results;
    private final List<Row> rows;
    private final Collection<String> groups;
    private final boolean promised;

    Table(List<Result> results, List<Row> rows, Collection<String> groups, boolean promised) {
        this.promised = promised;
        this.results = results;
        this.rows = rows;
        this.groups = groups;
    }

    String markdown() {
        StringBuilder text = new StringBuilder(promised ? HEAD : SHORT_HEAD);
        for (Row row : rows) {
            if (groups.contains(row.group())) {
                text.append('\n').append(line(row));
            }
        }
        text.append('\n');
        boolean first = true;
        for (Row row : rows) {
            if (promised && groups.contains(row.group()) && worst(row) < row.must()) {
                text.append(first ? "\nWhat bounds the rows that miss:\n\n" : "").append(bound(row));
                first = false;
            }
        }
        return text.toString();
    }

    private static String bound(Row row) {
        return String.format(Locale.ROOT, "- **%s %s**: %s%n", row.group(), row.sizes(), Bounds.of(row));
    }

    /** Infinite if nothing was measured. */
    private double worst(Row row) {
        double worst = Double.POSITIVE_INFINITY;
        for (var workload : row.workloads()) {
            Result result = fastest(row, workload.order());
            if (result != null) {
                worst = Math.min(worst, result.ratio());
            }
        }
        return worst;
    }

    private String line(Row row) {
        List<String> cells = new ArrayList<>();
        double worst = worst(row);
        double worstPart = Double.POSITIVE_INFINITY;
        for (var workload : row.workloads()) {
            Result result = fastest(row, workload.order());
            if (result == null) {
                continue;
            }
            worstPart = Math.min(worstPart, result.basalt() / result.limit());
            cells.add(
                    String.format(Locale.ROOT, "%d %.2f%s", result.n(), result.ratio(), result.kept() < 3 ? "~" : ""));
        }
        if (!promised) {
            return cells.isEmpty()
                    ? String.join(" | ", "| " + row.group(), row.sizes(), "–", "– |")
                    : String.format(Locale.ROOT, "| %s | %s | %s | %.2f |", row.group(), row.sizes(),
                            String.join(", ", cells), worst);
        }
        String aim = row.aimOfLimit()
                ? String.format(Locale.ROOT, "%.0f %% of limit", 100 * row.aim())
                : Double.toString(row.aim());
        if (cells.isEmpty()) {
            return String.join(" | ", "| " + row.group(), row.sizes(), "" + row.must(), aim, "–", "–", "–", "– |");
        }
        boolean aimed = row.aimOfLimit() ? worstPart >= row.aim() : worst >= row.aim();
        return String.format(Locale.ROOT, "| %s | %s | %s | %s | %s | %.2f | %s | %s |", row.group(), row.sizes(),
                row.must(), aim, String.join(", ", cells), worst, worst >= row.must() ? "met" : "**missed**",
                (aimed ? "met" : "missed")
                        + (row.aimOfLimit() ? String.format(Locale.ROOT, " (%.0f %%)", 100 * worstPart) : ""));
    }

    /** The result against the kernels that were the fastest: those with the worst ratio. */
    private Result fastest(Row row, long n) {
        Result fastest = null;
        for (Result result : results) {
            if (result.group().equals(row.group()) && result.n() == n && result.threads() == row.threads()
                    && (fastest == null || result.ratio() < fastest.ratio())) {
                fastest = result;
            }
        }
        return fastest;
    }
}
