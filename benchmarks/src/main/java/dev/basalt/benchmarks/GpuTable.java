package dev.basalt.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Turns what {@code basalt bench --peer cublas --yaml benchmarks/gpu/table.yaml} printed into a table for people: a row for the
 * sizes of a routine that differ in nothing else.
 */
final class GpuTable {
    private static final List<String> SIZES = List.of("m", "n", "k", "nrhs", "batch_count");
    private static final List<String> OPTIONS = List.of("transposeA", "transposeB", "side", "uplo", "diag");

    private GpuTable() {}

    /** Prints the table of a file. */
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: benchmarks/run.sh gpu CSV");
            System.exit(2);
        }
        print(Files.readAllLines(Path.of(args[0])), System.out);
    }

    /** Prints the table of some lines, the first of which names the columns. */
    static void print(List<String> lines, PrintStream out) {
        List<String> columns = cells(lines.get(0));
        Map<String, List<Map<String, String>>> rows = new LinkedHashMap<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = cells(line);
            if (cells.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "a line has " + cells.size() + " cells and not " + columns.size() + ": " + line);
            }
            Map<String, String> one = new LinkedHashMap<>();
            for (int i = 0; i < cells.size(); i++) {
                one.put(columns.get(i), cells.get(i));
            }
            rows.computeIfAbsent(title(one), t -> new ArrayList<>()).add(one);
        }
        out.println("| case | sizes | Basalt µs | peer µs | ratio | promised | share of the limit | |");
        out.println("|---|---|--:|--:|--:|--:|--:|---|");
        int cases = 0;
        int met = 0;
        int promised = 0;
        for (Map.Entry<String, List<Map<String, String>>> row : rows.entrySet()) {
            List<Map<String, String>> all = row.getValue();
            out.println("| " + row.getKey() + " | " + joined(all, GpuTable::size) + " | " + numbers(all, "us", "%.1f")
                    + " | " + numbers(all, "peer_us", "%.1f") + " | " + numbers(all, "ratio", "%.2f") + " | "
                    + joined(all, one -> one.get("promised").isEmpty() ? "–" : one.get("promised")) + " | "
                    + numbers(all, "share", "%.2f") + " | " + verdict(all) + " |");
            for (Map<String, String> one : all) {
                cases++;
                promised += one.get("promised").isEmpty() ? 0 : 1;
                met += meets(one) ? 1 : 0;
            }
        }
        out.println();
        out.println(cases + " cases; " + met + " of " + promised + " promises met.");
    }

    private static String title(Map<String, String> one) {
        String type = one.get("precision").equals("d") ? "" : one.get("precision") + " ";
        String options = OPTIONS.stream()
                .map(name -> one.get(name))
                .filter(value -> !value.isEmpty())
                .collect(Collectors.joining());
        return type + one.get("function").replace('_', ' ') + (options.isEmpty() ? "" : " " + options);
    }

    /** The sizes that a case has; equal ones once. */
    private static String size(Map<String, String> one) {
        List<String> sizes = SIZES.subList(0, 3)
                .stream()
                .map(one::get)
                .filter(value -> !value.isEmpty())
                .collect(Collectors.toList());
        String shape = sizes.stream().distinct().count() == 1 ? sizes.get(0) : String.join("×", sizes);
        String sides = one.get("nrhs").isEmpty() ? "" : ", " + one.get("nrhs") + " rhs";
        return shape + sides + (one.get("batch_count").equals("1") ? "" : " × " + one.get("batch_count"));
    }

    private static String numbers(List<Map<String, String>> all, String column, String format) {
        return joined(all,
                one -> one.get(column).isEmpty()
                        ? "–"
                        : String.format(Locale.ROOT, format, Double.parseDouble(one.get(column))));
    }

    private interface Cell {
        String of(Map<String, String> one);
    }

    private static String joined(List<Map<String, String>> all, Cell cell) {
        return all.stream().map(cell::of).collect(Collectors.joining(" / "));
    }

    private static boolean meets(Map<String, String> one) {
        return !one.get("promised").isEmpty() && !one.get("ratio").isEmpty() && one.get("verified").equals("ok")
                && Double.parseDouble(one.get("ratio")) >= Double.parseDouble(one.get("promised"));
    }

    private static String verdict(List<Map<String, String>> all) {
        if (all.stream().anyMatch(one -> one.get("verified").equals("WRONG"))) {
            return "**wrong**";
        }
        List<Map<String, String>> judged = all.stream().filter(one -> !one.get("promised").isEmpty()).toList();
        if (judged.isEmpty()) {
            return "";
        }
        return judged.stream().allMatch(GpuTable::meets) ? "met" : "missed";
    }

    /** The cells of a line; commas in quotes do not count. */
    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
