package dev.basalt.internal.workspace;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The workspaces that are open, and what all of a device have seen: numbers for whoever watches the process. */
public final class Census {
    /** What remains of workspaces once they are closed, by device. */
    static final class Tally {
        final LongAdder growths = new LongAdder();
        final LongAdder degraded = new LongAdder();
        private long highWater;

        synchronized void close(long most) {
            highWater = Math.max(highWater, most);
        }

        private synchronized long highWater() {
            return highWater;
        }
    }

    /**
     * A device's numbers. They are read while calls run, so they need not be of one moment.
     *
     * @param device its name
     * @param open workspaces
     * @param held bytes
     * @param lent bytes
     * @param highWater the most ever lent by one of them
     * @param growths since the process began
     * @param degraded calls since the process began
     */
    public record Count(String device, int open, long held, long lent, long highWater, long growths, long degraded) {}

    private static final Map<String, Tally> TALLIES = new ConcurrentSkipListMap<>();
    private static final List<Consumer<String>> WATCHERS = new CopyOnWriteArrayList<>();

    /** Those that their owners forgot are collected. */
    private static final Set<WorkspaceCore> OPEN = Collections.newSetFromMap(new WeakHashMap<>());

    private Census() {}

    static Tally open(WorkspaceCore workspace, String device) {
        Tally tally;
        boolean first;
        synchronized (OPEN) {
            OPEN.add(workspace);
            first = !TALLIES.containsKey(device);
            tally = TALLIES.computeIfAbsent(device, name -> new Tally());
        }
        if (first) {
            WATCHERS.forEach(watcher -> watcher.accept(device));
        }
        return tally;
    }

    static void close(WorkspaceCore workspace) {
        synchronized (OPEN) {
            OPEN.remove(workspace);
        }
    }

    /**
     * Tells of each device that ever had a workspace, and of those to come when they have their first.
     *
     * @param watcher gets the device's name, perhaps twice
     */
    public static void watch(Consumer<String> watcher) {
        WATCHERS.add(watcher);
        List.copyOf(TALLIES.keySet()).forEach(watcher);
    }

    /**
     * The numbers of now.
     *
     * @return one a device, by name
     */
    public static List<Count> now() {
        Map<String, List<WorkspaceCore>> open = new TreeMap<>();
        synchronized (OPEN) {
            OPEN.forEach(w -> open.computeIfAbsent(w.device(), name -> new ArrayList<>()).add(w));
        }
        List<Count> counts = new ArrayList<>();
        TALLIES.forEach((device, tally) -> {
            List<WorkspaceCore> of = open.getOrDefault(device, List.of());
            long most = of.stream().mapToLong(WorkspaceCore::mostLent).max().orElse(0);
            counts.add(new Count(device, of.size(), of.stream().mapToLong(WorkspaceCore::size).sum(),
                    of.stream().mapToLong(WorkspaceCore::lent).sum(), Math.max(most, tally.highWater()),
                    tally.growths.sum(), tally.degraded.sum()));
        });
        return counts;
    }
}
