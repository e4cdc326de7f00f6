package dev.basalt.benchmarks;

import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * Measures the figures of one group: a JVM that {@link Paired} starts. Both sides take turns, and so does who begins; the
 * reference runs before and after each turn, the physical limit behind it.
 */
final class PairedFork {
    /** Tag of the line that tells who plays: OpenBLAS's core, its configuration, Basalt's device. */
    static final String PLAYERS = "PLAYERS";

    /** A sample takes about that long at least; longer ones are cut by the scheduler more often. */
    private static final double SAMPLE_NANOS = 4e6;

    /** Pairs tried for each that is wanted. */
    private static final int TRIES = 5;

    private static final com.sun.management.ThreadMXBean HEAP =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Clock clock;
    private final int wanted;
    private final double warmUpSeconds;

    private double away;
    private double bytes;

    private PairedFork(Clock clock, int wanted, double warmUpSeconds) {
        this.clock = clock;
        this.wanted = wanted;
        this.warmUpSeconds = warmUpSeconds;
    }

    /** Arguments: group, clock, pairs that should be kept, seconds of warming up. */
    public static void main(String[] args) {
        try (HostSide host = new HostSide()) {
            System.out.println(
                    String.join("\t", PLAYERS, OpenBlas.core(), OpenBlas.config(), host.device.description()));
        }
        PairedFork fork =
                new PairedFork(Clock.valueOf(args[1]), Integer.parseInt(args[2]), Double.parseDouble(args[3]));
        List<Figure> figures = Figure.of(args[0]);
        for (Figure figure : figures) {
            try (Contest contest = figure.open()) {
                fork.measure(figure, contest);
            }
        }
    }

    private void measure(Figure figure, Contest contest) {
        int calls = warmUp(figure, contest);
        int kept = 0;
        for (int t = 0; t < TRIES * wanted && kept < wanted; t++) {
            Pair pair = pair(figure, contest, calls, t % 2 == 0);
            kept += pair.kept(clock) ? 1 : 0;
            System.out.println(pair.line());
        }
    }

    /** Runs everything until it is compiled; returns how many calls make a sample. */
    private int warmUp(Figure figure, Contest contest) {
        int calls = 1;
        long end = System.nanoTime() + (long) (warmUpSeconds * 1e9);
        do {
            double nanos = pair(figure, contest, calls, true).basalt();
            calls = contest.consumesInput() ? 1 : (int) Math.ceil(SAMPLE_NANOS / nanos);
        } while (System.nanoTime() < end);
        return calls;
    }

    private Pair pair(Figure figure, Contest contest, int calls, boolean basaltFirst) {
        away = 0;
        double before = Reference.nanos(clock);
        double basalt = basaltFirst ? basalt(contest, calls) : 0;
        double openBlas = openBlas(contest, calls);
        if (!basaltFirst) {
            basalt = basalt(contest, calls);
        }
        double after = Reference.nanos(clock);
        double limit = limit(figure.metric(), contest);
        return new Pair(Figure.ALL.indexOf(figure), basalt, openBlas, before, after, away, bytes, limit);
    }

    private double basalt(Contest contest, int calls) {
        contest.restore();
        long heap = HEAP.getCurrentThreadAllocatedBytes();
        long cpu = Clock.cpuNanos();
        long wall = System.nanoTime();
        Sink.last = basaltCalls(contest, calls);
        double nanos = elapsed(wall, cpu) / calls;
        bytes = (HEAP.getCurrentThreadAllocatedBytes() - heap) / (double) calls;
        return nanos;
    }

    private double openBlas(Contest contest, int calls) {
        contest.restore();
        long cpu = Clock.cpuNanos();
        long wall = System.nanoTime();
        Sink.last = openBlasCalls(contest, calls);
        return elapsed(wall, cpu) / calls;
    }

    private double elapsed(long wallStart, long cpuStart) {
        double wall = System.nanoTime() - wallStart;
        double cpu = Clock.cpuNanos() - cpuStart;
        away = Math.max(away, 1 - cpu / wall);
        return clock == Clock.WALL ? wall : cpu;
    }

    private static double basaltCalls(Contest contest, int calls) {
        double sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += contest.basalt();
        }
        return sum;
    }

    private static double openBlasCalls(Contest contest, int calls) {
        double sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += contest.openBlas();
        }
        return sum;
    }

    /** The fastest loop of those that show what is possible. */
    private double limit(Metric metric, Contest contest) {
        double most = 0;
        for (int loop = 0; ; loop++) {
            double speed = limit(metric, contest, loop);
            if (speed == 0) {
                return most;
            }
            most = Math.max(most, speed);
        }
    }

    /** Repeated more and more often until it takes about as long as a sample. */
    private double limit(Metric metric, Contest contest, int loop) {
        for (int calls = 1; ; calls *= 2) {
            double work = 0;
            long start = clock.nanos();
            for (int i = 0; i < calls; i++) {
                work += contest.limit(loop);
            }
            double nanos = clock.nanos() - start;
            if (work == 0 || nanos >= SAMPLE_NANOS / 4) {
                return work == 0 ? 0 : metric.of(work, nanos);
            }
        }
    }
}
