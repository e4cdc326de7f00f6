package dev.basalt.benchmarks;

import dev.basalt.bench.Limits;
import dev.basalt.bench.NativeLibrary;
import dev.basalt.bench.NativePeer;
import dev.basalt.bench.Peer;
import dev.basalt.bench.Routine;
import dev.basalt.bench.Sink;
import dev.basalt.bench.Workload;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the rows of one group: a JVM that {@link Paired} starts. Both sides take turns, and so does who begins; the reference
 * runs before and after each turn.
 */
final class PairedFork {
    /** Tag of the line that tells who plays. */
    static final String PLAYERS = "PLAYERS";

    /** A sample takes about that long at least; longer ones are cut by the scheduler more often. */
    private static final double SAMPLE_NANOS = 5e5;

    /** Pairs tried for each that is wanted. */
    private static final int TRIES = 5;

    private static final int FEWEST = 3;
    private static final int LIMIT_EVERY = 8;

    /**
     * Threads of a library wait actively for their next work for a while, OpenBLAS's 2²⁸ cycles, and hold the cores that the other
     * player's need. So each player of several threads works that long before its sample, until the other's threads sleep.
     */
    private static final long SETTLE_NANOS = 150_000_000;

    /** So much longer a workload of several threads may take for its pairs. */
    private static final long SETTLING = 4;

    /** Samples of several threads are so many times as long. */
    private static final int SUSTAINED = 10;

    /** What the first workload of a JVM is warmed up longer than the others: everything on the way is compiled then. */
    private static final double FIRST = 4;
    /** Warming up is counted in time on a core, but not beyond all measure. */
    private static final long WARM_UP_MOST = 10;

    private static final com.sun.management.ThreadMXBean HEAP =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Plan plan;
    private double warmUp;
    private double peak;
    private double away;
    private double bytes;
    private int threads = 1;

    private PairedFork(Plan plan) {
        this.plan = plan;
        this.warmUp = FIRST * plan.warmUp;
    }

    /**
     * What a JVM is to do.
     *
     * @param group rows to measure
     * @param types types of the rows
     * @param peer openblas, mkl, or a library in Java
     * @param library where the peer's library is; empty to search
     * @param core OpenBLAS's kernels; empty lets it choose
     * @param clock what is timed by
     * @param pairs pairs that should be kept
     * @param warmUp seconds of warming up
     * @param most seconds of measuring, but for three pairs
     * @param largest matrices above are left out where work grows with the third power
     */
    record Plan(String group, String types, String peer, String library, String core, Clock clock, int pairs,
            double warmUp, double most, long largest) {
        List<String> arguments() {
            return List.of(group, types, peer, library, core, clock.name(), Integer.toString(pairs),
                    Double.toString(warmUp), Double.toString(most), Long.toString(largest));
        }

        static Plan of(String[] a) {
            return new Plan(a[0], a[1], a[2], a[3], a[4], Clock.valueOf(a[5]), Integer.parseInt(a[6]),
                    Double.parseDouble(a[7]), Double.parseDouble(a[8]), Long.parseLong(a[9]));
        }

        Peer open(int threads) {
            if (JvmPeer.NAMES.contains(peer)) {
                return new JvmPeer(peer);
            }
            return new NativePeer(NativeLibrary.of(peer, library.isEmpty() ? null : Path.of(library), core), threads);
        }

        List<Row> rows() {
            return Row.all(types).stream().filter(row -> row.group().equals(group)).toList();
        }
    }

    /** Arguments: {@link Plan#arguments}. */
    public static void main(String[] args) {
        Plan plan = Plan.of(args);
        List<Row> rows = plan.rows();
        Peer peer = plan.open(rows.get(0).threads());
        PairedFork fork = new PairedFork(plan);
        String device = null;
        for (Row row : rows) {
            for (Workload workload : row.workloads()) {
                if (workload.routine.unit() == Routine.Unit.FLOPS && workload.order() > plan.largest) {
                    continue;
                }
                try (Contest contest = new Contest(workload, peer)) {
                    if (!contest.hasPeer()) {
                        continue;
                    }
                    if (device == null) {
                        device = contest.device();
                        System.out.println(String.join("\t", PLAYERS, peer.description(), device));
                    }
                    System.out.println(fork.measure(row, contest, peer).csv());
                }
            }
        }
    }

    private Result measure(Row row, Contest contest, Peer peer) {
        threads = row.threads();
        int calls = warmUp(contest, SAMPLE_NANOS * (threads > 1 ? SUSTAINED : 1));
        List<Pair> pairs = new ArrayList<>();
        double limit = 0;
        int kept = 0;
        long end = System.nanoTime() + (long) (plan.most * (threads > 1 ? SETTLING : 1) * 1e9);
        for (int t = 0; t < TRIES * plan.pairs && kept < plan.pairs; t++) {
            if (t >= FEWEST && System.nanoTime() > end) {
                break;
            }
            Pair pair = pair(contest, calls, t % 2 == 0);
            kept += pair.kept(plan.clock) ? 1 : 0;
            pairs.add(pair);
            if (t % LIMIT_EVERY == 0) {
                limit = Math.max(limit, limit(contest.workload()));
            }
        }
        Workload w = contest.workload();
        String unit = w.routine.unit().toString();
        return Result.of(row, w.name(), w.order(), peer.name(), unit, w.work(), limit * row.threads(), pairs,
                plan.clock, Paired.now());
    }

    /** Runs everything until nothing is compiled any more; returns how many calls make a sample. */
    private int warmUp(Contest contest, double sample) {
        int calls = 1;
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        long compiled = compiler.getTotalCompilationTime();
        long least = (long) (warmUp * 1e9);
        long most = System.nanoTime() + WARM_UP_MOST * least;
        long end = Clock.cpuNanos() + least;
        warmUp = plan.warmUp;
        do {
            double nanos = Math.min(pair(contest, calls, true).basalt(), pair(contest, calls, false).peer());
            calls = (int) Math.max(1, Math.min(contest.mostCalls(), Math.ceil(sample / nanos)));
            limit(contest.workload());
            if (compiled != compiler.getTotalCompilationTime()) {
                compiled = compiler.getTotalCompilationTime();
                end = Math.max(end, Clock.cpuNanos() + least / 2);
            }
        } while (Clock.cpuNanos() < end && System.nanoTime() < most);
        return calls;
    }

    private Pair pair(Contest contest, int calls, boolean basaltFirst) {
        away = 0;
        double before = Reference.nanos(plan.clock);
        double basalt = basaltFirst ? basalt(contest, calls) : 0;
        double peer = peer(contest, calls);
        if (!basaltFirst) {
            basalt = basalt(contest, calls);
        }
        double after = Reference.nanos(plan.clock);
        return new Pair(basalt, peer, before, after, away, bytes);
    }

    private double basalt(Contest contest, int calls) {
        long settled = System.nanoTime() + SETTLE_NANOS;
        while (threads > 1 && System.nanoTime() < settled) {
            contest.restore();
            Sink.last = contest.basalt(calls);
        }
        contest.restore();
        long heap = HEAP.getCurrentThreadAllocatedBytes();
        long cpu = Clock.cpuNanos();
        long wall = System.nanoTime();
        Sink.last = contest.basalt(calls);
        double nanos = elapsed(wall, cpu) / calls;
        bytes = (HEAP.getCurrentThreadAllocatedBytes() - heap) / (double) calls;
        return nanos;
    }

    private double peer(Contest contest, int calls) {
        long settled = System.nanoTime() + SETTLE_NANOS;
        while (threads > 1 && System.nanoTime() < settled) {
            contest.restore();
            Sink.last = contest.peer(calls);
        }
        contest.restore();
        long cpu = Clock.cpuNanos();
        long wall = System.nanoTime();
        Sink.last = contest.peer(calls);
        return elapsed(wall, cpu) / calls;
    }

    private double elapsed(long wallStart, long cpuStart) {
        double wall = System.nanoTime() - wallStart;
        double cpu = Clock.cpuNanos() - cpuStart;
        away = Math.max(away, 1 - cpu / wall);
        return plan.clock == Clock.WALL ? wall : cpu;
    }

    /**
     * What one core can do at most, in the unit of the workload. The peak of arithmetic is the largest that this JVM has seen: the
     * JIT compiler sometimes makes that loop anew, at half its speed.
     */
    private double limit(Workload w) {
        if (w.routine.unit() == Routine.Unit.BYTES) {
            return Limits.bandwidth(w);
        }
        peak = Math.max(peak, Limits.flops(w.type));
        return peak;
    }
}
