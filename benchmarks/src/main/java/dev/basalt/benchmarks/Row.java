package dev.basalt.benchmarks;

import dev.basalt.bench.Arguments;
import dev.basalt.bench.Sweep;
import dev.basalt.bench.Workload;
import java.util.ArrayList;
import java.util.List;

/**
 * A row of the table of what is promised: one routine in a range of sizes.
 *
 * @param group rows of one group share a JVM; another routine's calls would change what is compiled
 * @param sizes the range in words
 * @param threads threads of both sides
 * @param must the ratio of speed to the peer's that every size must reach
 * @param aim the ratio that is aimed at, or a part of the limit
 * @param aimOfLimit whether the aim is a part of the measured limit
 * @param arguments what is called, sizes as a list
 */
record Row(String group, String sizes, int threads, double must, double aim, boolean aimOfLimit, String arguments) {
    private static final String AVX2 = "-avx2";

    /** Without an explanation nothing may be slower than that, where nothing else is promised. */
    private static final double LEAST = 0.9;

    /** The rows of the file {@code table.txt}, and those of double once more for each of the other types. */
    static List<Row> all(String types) {
        List<Row> rows = new ArrayList<>();
        for (String[] cells : Bounds.lines("table.txt")) {
            rows.add(parse(cells));
        }
        List<Row> chosen = new ArrayList<>();
        for (int t = 0; t < types.length(); t++) {
            char type = types.charAt(t);
            for (Row row : rows) {
                // The rows of gemm in the other types have promises of their own, and belong to the table of double.
                if (type == 'd') {
                    chosen.add(row);
                } else if (row.arguments.contains("precision=d") && !row.avx2()) {
                    chosen.add(row.as(type));
                }
            }
        }
        return chosen;
    }

    private static Row parse(String[] cells) {
        boolean ofLimit = cells[4].endsWith("%");
        double aim = ofLimit
                ? Double.parseDouble(cells[4].substring(0, cells[4].length() - 1)) / 100
                : Double.parseDouble(cells[4]);
        return new Row(cells[0].strip(), cells[1], Integer.parseInt(cells[2]), Double.parseDouble(cells[3]), aim,
                ofLimit, cells[5].strip());
    }

    private Row as(char type) {
        String name = group.startsWith("id") ? "i" + type + group.substring(2) : type + group.substring(1);
        String text = arguments.replace("precision=d", "precision=" + type);
        return new Row(name, sizes, threads, LEAST, LEAST, false, text);
    }

    /** Whether Basalt must take its 256-bit kernels, against the peer's. */
    boolean avx2() {
        return group.endsWith(AVX2);
    }

    /** The workloads, one a size. */
    List<Workload> workloads() {
        return Sweep.of(Arguments.of(arguments)).stream().map(Arguments::workload).toList();
    }
}
