package dev.basalt.cli;

import dev.basalt.bench.Bench;
import dev.basalt.bench.Routine;
import dev.basalt.bench.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Speeds over n as a picture, with what the machine can do at most drawn in as dashed lines. */
final class SpeedPlot {
    /** Sizes that span more than that are drawn on a logarithmic axis. */
    private static final double LOGARITHMIC = 10;

    private final Path file;
    private final Routine.Unit unit;
    private final Map<String, NavigableMap<Long, Double>> speeds = new LinkedHashMap<>();
    private final Map<String, NavigableMap<Long, Double>> limits = new LinkedHashMap<>();

    /** Refuses what could not be drawn before anything is measured. */
    SpeedPlot(Path file, List<Workload> workloads) {
        this.file = file;
        Chart.check("--plot", file);
        this.unit = workloads.get(0).routine.unit();
        for (Workload workload : workloads) {
            if (workload.routine.unit() != unit) {
                throw Failure.usage("--plot: " + workloads.get(0).name() + " is in " + unit + " and " + workload.name()
                        + " in " + workload.routine.unit() + "; draw two pictures", null);
            }
        }
    }

    /** A point of each curve. */
    void add(Bench.Line line, String peer) {
        Workload w = line.workload();
        put(speeds, w.name(), w.order(), w.work() / line.basalt().min());
        if (line.peer() != null) {
            put(speeds, w.name() + ", " + peer, w.order(), w.work() / line.peer().min());
        }
        put(limits, line.limit().name(), w.order(), line.limit().perNano());
    }

    private static void put(Map<String, NavigableMap<Long, Double>> curves, String name, long n, double speed) {
        curves.computeIfAbsent(name, c -> new TreeMap<>()).put(n, speed);
    }

    /**
     * Draws and writes the picture.
     *
     * @param device what it was measured on
     * @param threads threads at work; 0 if unknown
     */
    void draw(String device, int threads) {
        String at = threads == 0 ? "" : threads == 1 ? ", 1 thread" : ", " + threads + " threads";
        Chart chart = new Chart(String.join(", ", titles()) + at, "n (" + device + ")", unit + ", fastest sample")
                .logarithmic(isWide(), false);
        speeds.forEach((name, points) -> chart.curve(name, points, true));
        for (Map.Entry<String, NavigableMap<Long, Double>> limit : limits.entrySet()) {
            chart.limit(limit.getKey(), flat(limit).getValue());
        }
        chart.write(file);
    }

    private boolean isWide() {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (NavigableMap<Long, Double> curve : speeds.values()) {
            least = Math.min(least, curve.firstKey());
            most = Math.max(most, curve.lastKey());
        }
        return most > LOGARITHMIC * least;
    }

    /** The peak of arithmetic is one number; the bandwidth depends on where the operands fit. */
    private Map.Entry<String, NavigableMap<Long, Double>> flat(Map.Entry<String, NavigableMap<Long, Double>> curve) {
        if (unit == Routine.Unit.BYTES) {
            return curve;
        }
        double most = 0;
        for (double speed : curve.getValue().values()) {
            most = Math.max(most, speed);
        }
        NavigableMap<Long, Double> line = new TreeMap<>(curve.getValue());
        double peak = most;
        line.replaceAll((n, speed) -> peak);
        return Map.entry(curve.getKey(), line);
    }

    private List<String> titles() {
        List<String> names = new ArrayList<>();
        for (String name : speeds.keySet()) {
            if (!name.contains(",")) {
                names.add(name);
            }
        }
        return names;
    }
}
