package dev.basalt.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A picture of measured speed over the size, from the tables of results: logarithmic sizes, speeds from zero, light and dark. */
final class Plot {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 400;
    private static final int LEFT = 60;
    private static final int RIGHT = 140;
    private static final int TOP = 40;
    private static final int BOTTOM = 46;

    /** Distinguishable for most colour-blind people (Okabe and Ito), and on white as on black. */
    private static final List<String> COLOURS = List.of("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00");

    private final String title;
    private final String unit;
    private final Map<String, TreeMap<Double, Double>> lines;

    @SuppressWarnings("NonApiType") // whose order is that of the axis
    private Plot(String title, String unit, Map<String, TreeMap<Double, Double>> lines) {
        this.title = title;
        this.unit = unit;
        this.lines = lines;
    }

    /**
     * Speeds of a group of pairs.
     *
     * @param group such as dgemm
     * @param results the folder of results
     * @param peers peers with a table of their own, the first of which Basalt's own speed is taken from
     */
    static Plot paired(String group, Path results, List<String> peers) throws IOException {
        Map<String, TreeMap<Double, Double>> lines = new LinkedHashMap<>();
        String unit = "";
        for (String peer : peers) {
            Path table = results.resolve("paired-d-" + peer + ".csv");
            List<String> rows = Files.readAllLines(table);
            List<String> columns = List.of(rows.get(0).split(",", -1));
            for (String row : rows.subList(1, rows.size())) {
                String[] cells = row.split(",", -1);
                if (!cells[columns.indexOf("group")].equals(group)) {
                    continue;
                }
                unit = cells[columns.indexOf("unit")];
                double n = Double.parseDouble(cells[columns.indexOf("n")]);
                if (peer.equals(peers.get(0))) {
                    lines.computeIfAbsent("Basalt", name -> new TreeMap<>())
                            .put(n, Double.parseDouble(cells[columns.indexOf("basalt")]));
                }
                // OpenBLAS has several sets of kernels for this processor: the fastest counts.
                lines.computeIfAbsent(peer, name -> new TreeMap<>())
                        .merge(n, Double.parseDouble(cells[columns.indexOf("peer_speed")]), Math::max);
            }
        }
        if (lines.isEmpty()) {
            throw new IOException("no row of " + group + " in " + results);
        }
        return new Plot(group + ", one thread", unit, lines);
    }

    /** The picture. */
    String svg() {
        double least = lines.values().stream().mapToDouble(TreeMap::firstKey).min().orElse(1);
        double most = lines.values().stream().mapToDouble(TreeMap::lastKey).max().orElse(1);
        double top = step(
                lines.values().stream().flatMap(line -> line.values().stream()).mapToDouble(d -> d).max().orElse(1));
        StringBuilder out = new StringBuilder();
        out.append(String.format(Locale.ROOT,
                """
                        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">
                        <style>text{font:13px system-ui,sans-serif;fill:#24292f}.grid{stroke:#d0d7de}.line{fill:none;stroke-width:2.5}
                        @media(prefers-color-scheme:dark){text{fill:#e6edf3}.grid{stroke:#3d444d}[stroke="#0072b2"]{stroke:#56b4e9}}</style>
                        <text x="%d" y="22" font-weight="600" style="font-size:15px">%s</text>
                        """,
                WIDTH, HEIGHT, title, LEFT, title));
        for (int i = 0; i <= 5; i++) {
            double y = y(top * i / 5, top);
            out.append(String.format(Locale.ROOT,
                    "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>%n",
                    LEFT, WIDTH - RIGHT, y, y, LEFT - 8, y + 4, number(top * i / 5)));
        }
        double apart = 0;
        for (double n : lines.values().iterator().next().keySet()) {
            double x = x(n, least, most);
            if (apart == 0 || x - apart > 44) {
                out.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>%n", x,
                        HEIGHT - BOTTOM + 20, number(n)));
                apart = x;
            }
        }
        out.append(String.format(Locale.ROOT,
                "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">n</text><text x=\"%d\" y=\"22\" text-anchor=\"end\">%s</text>%n",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, WIDTH - RIGHT, unit));
        int i = 0;
        for (Map.Entry<String, TreeMap<Double, Double>> line : lines.entrySet()) {
            String colour = COLOURS.get(i % COLOURS.size());
            List<String> points = new ArrayList<>();
            line.getValue()
                    .forEach((n, speed) -> points
                            .add(String.format(Locale.ROOT, "%.1f,%.1f", x(n, least, most), y(speed, top))));
            out.append(String.format(Locale.ROOT, "<polyline class=\"line\" stroke=\"%s\" points=\"%s\"/>%n", colour,
                    String.join(" ", points)));
            int y = TOP + 14 + 22 * i;
            out.append(String.format(Locale.ROOT,
                    "<line class=\"line\" stroke=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/><text x=\"%d\" y=\"%d\">%s</text>%n",
                    colour, WIDTH - RIGHT + 14, WIDTH - RIGHT + 36, y - 4, y - 4, WIDTH - RIGHT + 42, y,
                    name(line.getKey())));
            i++;
        }
        return out.append("</svg>\n").toString();
    }

    private static String name(String peer) {
        return switch (peer) {
            case "openblas" -> "OpenBLAS";
            case "ejml" -> "EJML";
            case "ojalgo" -> "ojAlgo";
            case "vectorblas" -> "VectorBLAS";
            case "mkl" -> "MKL";
            default -> peer;
        };
    }

    /** The next round number. */
    private static double step(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (double factor : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8}) {
            if (value <= factor * power) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static String number(double value) {
        if (value >= 1e6) {
            return String.format(Locale.ROOT, "%.0fM", value / 1e6);
        }
        if (value >= 1e4) {
            return String.format(Locale.ROOT, "%.0fk", value / 1e3);
        }
        return value == Math.rint(value) ? String.valueOf((long) value) : String.format(Locale.ROOT, "%.1f", value);
    }

    private static double x(double n, double least, double most) {
        return LEFT + (WIDTH - RIGHT - LEFT) * (Math.log(n / least) / Math.max(1e-9, Math.log(most / least)));
    }

    private static double y(double speed, double top) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * speed / top;
    }
}
