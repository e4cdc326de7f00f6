package dev.basalt.benchmarks;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The table of what is promised, with what was measured: a row counts by its worst size against the fastest set of kernels. */
final class Table {
    private static final String HEAD = "| routine | sizes | must | aim | measured: n ratio | worst | must | aim |\n"
            + "|---|---|--:|--:|---|--:|---|---|";

    private final List<Result> results;
    private final List<Row> rows;
    private final Collection<String> groups;

    Table(List<Result> results, List<Row> rows, Collection<String> groups) {
        this.results = results;
        this.rows = rows;
        this.groups = groups;
    }

    String markdown() {
        StringBuilder text = new StringBuilder(HEAD);
        for (Row row : rows) {
            if (groups.contains(row.group())) {
                text.append('\n').append(line(row));
            }
        }
        return text.append('\n').toString();
    }

    private String line(Row row) {
        List<String> cells = new ArrayList<>();
        double worst = Double.POSITIVE_INFINITY;
        double worstPart = Double.POSITIVE_INFINITY;
        for (var workload : row.workloads()) {
            Result result = fastest(row, workload.order());
            if (result == null) {
                continue;
            }
            worst = Math.min(worst, result.ratio());
            worstPart = Math.min(worstPart, result.basalt() / result.limit());
            cells.add(
                    String.format(Locale.ROOT, "%d %.2f%s", result.n(), result.ratio(), result.kept() < 3 ? "~" : ""));
        }
        String aim = row.aimOfLimit()
                ? String.format(Locale.ROOT, "%.0f %% of limit", 100 * row.aim())
                : Double.toString(row.aim());
        if (cells.isEmpty()) {
            return String.join(" | ", "| " + row.group(), row.sizes(), "" + row.must(), aim, "–", "–", "–", "– |");
        }
        boolean aimed = row.aimOfLimit() ? worstPart >= row.aim() : worst >= row.aim();
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %s | %s | %.2f | %s | %s |",
                row.group(),
                row.sizes(),
                row.must(),
                aim,
                String.join(", ", cells),
                worst,
                worst >= row.must() ? "met" : "**missed**",
                (aimed ? "met" : "missed")
                        + (row.aimOfLimit() ? String.format(Locale.ROOT, " (%.0f %%)", 100 * worstPart) : ""));
    }

    /** The result against the kernels that were the fastest: those with the worst ratio. */
    private Result fastest(Row row, long n) {
        Result fastest = null;
        for (Result result : results) {
            if (result.group().equals(row.group())
                    && result.n() == n
                    && result.threads() == row.threads()
                    && (fastest == null || result.ratio() < fastest.ratio())) {
                fastest = result;
            }
        }
        return fastest;
    }
}
