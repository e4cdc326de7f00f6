package dev.basalt.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A figure as measured against one set of OpenBLAS's kernels: the medians of the pairs that were kept.
 *
 * @param figure what was measured
 * @param core OpenBLAS's name of the core whose kernels ran
 * @param metric the unit of both speeds and of the limit
 * @param basalt Basalt's speed
 * @param openBlas OpenBLAS's speed
 * @param ratio median of the ratios
 * @param low tenth percentile of the ratios
 * @param high ninetieth percentile of the ratios
 * @param kept pairs kept
 * @param tried pairs measured
 * @param drift how much slower the reference ran at its ninetieth percentile than at its tenth
 * @param bytes the least that a call of Basalt allocated on the heap in any sample: what a call needs shows in all of them
 * @param limit the physical limit; 0 if there is none
 */
record Row(
        Figure figure,
        String core,
        Metric metric,
        double basalt,
        double openBlas,
        double ratio,
        double low,
        double high,
        int kept,
        int tried,
        double drift,
        double bytes,
        double limit) {
    static final String CSV_HEAD = "routine,n,type,unit,basalt,openblas,ratio_median,ratio_p10,ratio_p90,pairs_kept,"
            + "pairs_measured,reference_drift,bytes_per_call,limit,least_ratio,most_ns";
    static final String TABLE_HEAD = "| routine | n | OpenBLAS kernels | unit | Basalt | OpenBLAS | ratio (p10–p90) |"
            + " promised | limit | of limit | pairs | drift | bytes |\n"
            + "|---|--:|---|---|--:|--:|---|---|--:|--:|--:|--:|--:|";

    /** The medians; null if no pair was kept. */
    static Row of(Figure figure, String core, Metric metric, double work, List<Pair> pairs, Clock clock) {
        List<Pair> kept = pairs.stream().filter(pair -> pair.kept(clock)).toList();
        if (kept.isEmpty()) {
            return null;
        }
        double slow = quantile(kept, Pair::before, 0.9);
        double fast = quantile(kept, Pair::before, 0.1);
        return new Row(
                figure,
                core,
                metric,
                metric.of(work, quantile(kept, Pair::basalt, 0.5)),
                metric.of(work, quantile(kept, Pair::openBlas, 0.5)),
                quantile(kept, Pair::ratio, 0.5),
                quantile(kept, Pair::ratio, 0.1),
                quantile(kept, Pair::ratio, 0.9),
                kept.size(),
                pairs.size(),
                slow / fast - 1,
                kept.stream().mapToDouble(Pair::bytes).min().orElseThrow(),
                quantile(kept, Pair::limit, 0.5));
    }

    private static double quantile(List<Pair> pairs, ToDoubleFunction<Pair> value, double part) {
        double[] sorted = pairs.stream().mapToDouble(value).sorted().toArray();
        double at = part * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    /** Whether the promise is kept against these kernels. */
    boolean met() {
        return figure.met(ratio, metric == Metric.NANOS ? basalt : 0);
    }

    String csv() {
        return String.format(
                Locale.ROOT,
                "%s,%d,f64,%s,%.2f,%.2f,%.3f,%.3f,%.3f,%d,%d,%.3f,%.1f,%.2f,%s,%s",
                figure.routine(),
                figure.n(),
                metric.unit(),
                basalt,
                openBlas,
                ratio,
                low,
                high,
                kept,
                tried,
                drift,
                bytes,
                limit,
                figure.leastRatio() > 0 ? Double.toString(figure.leastRatio()) : "",
                figure.mostNanos() < Double.POSITIVE_INFINITY ? Double.toString(figure.mostNanos()) : "");
    }

    String table() {
        String promised = figure.leastRatio() > 0
                ? "≥ " + figure.leastRatio()
                : String.format(Locale.ROOT, "≤ %.0f ns", figure.mostNanos());
        return String.format(
                Locale.ROOT,
                "| %s | %d | %s | %s | %.1f | %.1f | %.2f (%.2f–%.2f) | %s: %s | %s | %s | %d/%d | %.0f %% | %.0f |",
                figure.routine(),
                figure.n(),
                core,
                metric.unit(),
                basalt,
                openBlas,
                ratio,
                low,
                high,
                promised,
                met() ? "met" : "**missed**",
                limit == 0 ? "–" : String.format(Locale.ROOT, "%.1f", limit),
                limit == 0 ? "–" : String.format(Locale.ROOT, "%.0f %%", 100 * basalt / limit),
                kept,
                tried,
                100 * drift,
                bytes);
    }
}
