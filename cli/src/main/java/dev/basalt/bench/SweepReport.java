package dev.basalt.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What a random sweep found: by class and type the geometric mean and the share of slow cases, and the worst cases of all. */
public final class SweepReport {
    private static final int WORST = 20;
    private static final double PAR = 0.95;
    private static final double CLIFF = 0.7;
    private static final String TYPES = "sdcz";

    private final List<SweepLine> lines;
    private final String command;

    /**
     * A report.
     *
     * @param lines all cases
     * @param command what runs a case again, before its options
     */
    public SweepReport(List<SweepLine> lines, String command) {
        this.lines = List.copyOf(lines);
        this.command = command;
    }

    /**
     * The report.
     *
     * @return lines of text
     */
    public List<String> text() {
        List<String> text = new ArrayList<>();
        text.add(String.format(Locale.ROOT, "%-9s %-4s %6s %8s %8s %8s", "class", "type", "cases", "geomean", "<0.95",
                "<0.7"));
        for (SweepCase.Group group : SweepCase.Group.values()) {
            for (int t = 0; t < TYPES.length(); t++) {
                char type = TYPES.charAt(t);
                add(text, group.toString(), Character.toString(type),
                        lines.stream().filter(line -> line.c().group() == group && line.c().type() == type).toList());
            }
            add(text, group.toString(), "all", lines.stream().filter(line -> line.c().group() == group).toList());
        }
        add(text, "all", "all", lines);
        others(text);
        List<SweepLine> worst = lines.stream()
                .filter(line -> !Double.isNaN(line.ratio()))
                .sorted(Comparator.comparingDouble(SweepLine::ratio))
                .limit(WORST)
                .toList();
        text.add("the worst " + worst.size() + ":");
        worst.forEach(line -> text.add(String.format(Locale.ROOT, "%6.3f %11.2f us  %s %s", line.ratio(), line.us(),
                command, line.c().options())));
        return text;
    }

    private void others(List<String> text) {
        long alone = lines.stream().filter(line -> !line.bad() && Double.isNaN(line.ratio())).count();
        if (alone > 0) {
            text.add(alone + " cases have no peer");
        }
        lines.stream()
                .filter(SweepLine::bad)
                .forEach(line -> text.add(line.verdict() + ": " + command + " " + line.c().options()));
    }

    private static void add(List<String> text, String group, String type, List<SweepLine> of) {
        double[] ratios = of.stream().mapToDouble(SweepLine::ratio).filter(ratio -> !Double.isNaN(ratio)).toArray();
        if (ratios.length > 0) {
            text.add(String.format(Locale.ROOT, "%-9s %-4s %6d %8.2f %7.0f%% %7.0f%%", group, type, ratios.length,
                    mean(ratios), share(ratios, PAR), share(ratios, CLIFF)));
        }
    }

    /** The geometric mean. */
    static double mean(double... ratios) {
        double sum = 0;
        for (double ratio : ratios) {
            sum += Math.log(ratio);
        }
        return Math.exp(sum / ratios.length);
    }

    /** How many in a hundred are below. */
    static double share(double[] ratios, double below) {
        int count = 0;
        for (double ratio : ratios) {
            count += ratio < below ? 1 : 0;
        }
        return 100.0 * count / ratios.length;
    }
}
