package dev.basalt.benchmarks;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A workload as measured against one peer.
 *
 * @param group the row's group
 * @param name BLAS name
 * @param n size
 * @param threads threads of both sides
 * @param peer the peer with its kernels
 * @param unit unit of speed
 * @param basalt Basalt's speed, median
 * @param theirs the peer's speed, median
 * @param ratio median of the ratios of neighbours
 * @param low tenth percentile of the ratios
 * @param high ninetieth percentile of the ratios
 * @param best ratio of the fastest tenth of both sides
 * @param kept pairs on an undisturbed machine; if there are fewer than three, all pairs count
 * @param tried pairs measured
 * @param bytes the least that a call of Basalt allocated in any sample: what a call needs shows in all of them
 * @param limit what the machine can do at most in that unit, measured between the pairs
 * @param date when
 */
record Result(String group, String name, long n, int threads, String peer, String unit, double basalt, double theirs,
        double ratio, double low, double high, double best, int kept, int tried, double bytes, double limit,
        String date) {
    static final String HEAD =
            "group,routine,n,threads,peer,unit,basalt,peer_speed,ratio,ratio_p10,ratio_p90,ratio_best,"
                    + "pairs_kept,pairs,bytes_per_call,limit,date";

    private static final int FEWEST = 3;

    static Result of(Row row, String name, long n, String peer, String unit, double work, double limit, List<Pair> all,
            Clock clock, String date) {
        List<Pair> kept = all.stream().filter(pair -> pair.kept(clock)).toList();
        List<Pair> pairs = kept.size() < FEWEST ? all : kept;
        return new Result(row.group(), name, n, row.threads(), peer, unit, work / quantile(pairs, Pair::basalt, 0.5),
                work / quantile(pairs, Pair::peer, 0.5), quantile(pairs, Pair::ratio, 0.5),
                quantile(pairs, Pair::ratio, 0.1), quantile(pairs, Pair::ratio, 0.9),
                quantile(all, Pair::peer, 0.1) / quantile(all, Pair::basalt, 0.1), kept.size(), all.size(),
                all.stream().mapToDouble(Pair::bytes).min().orElseThrow(), limit, date);
    }

    private static double quantile(List<Pair> pairs, ToDoubleFunction<Pair> value, double part) {
        double[] sorted = pairs.stream().mapToDouble(value).sorted().toArray();
        double at = part * (sorted.length - 1);
        int below = (int) at;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
    }

    /** What makes a newer result replace an older one. */
    String key() {
        return String.join(",", group, name, Long.toString(n), Integer.toString(threads), peer);
    }

    String csv() {
        return String.format(Locale.ROOT, "%s,%s,%d,%d,%s,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%d,%d,%.1f,%.2f,%s", group,
                name, n, threads, peer, unit, basalt, theirs, ratio, low, high, best, kept, tried, bytes, limit, date);
    }

    static Result parse(String line) {
        String[] f = line.split(",", -1);
        if (f.length != HEAD.split(",").length) {
            throw new IllegalArgumentException("not a line of results: " + Arrays.toString(f));
        }
        return new Result(f[0], f[1], Long.parseLong(f[2]), Integer.parseInt(f[3]), f[4], f[5],
                Double.parseDouble(f[6]), Double.parseDouble(f[7]), Double.parseDouble(f[8]), Double.parseDouble(f[9]),
                Double.parseDouble(f[10]), Double.parseDouble(f[11]), Integer.parseInt(f[12]), Integer.parseInt(f[13]),
                Double.parseDouble(f[14]), Double.parseDouble(f[15]), f[16]);
    }
}
