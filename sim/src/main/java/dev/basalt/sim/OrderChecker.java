package dev.basalt.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds races by happens-before, with vector clocks as in FastTrack (Flanagan and Freund, 2009), but over byte ranges and at
 * submission: a stream's operations are ordered among themselves, a wait orders a stream after an event's recording, and
 * what the host has waited for comes before all it submits later. Whether a schedule shows the race does not matter.
 */
final class OrderChecker {
    private static final long FIRST_PRUNING = 4096;

    private final Hazards hazards;
    private final List<Clock> clocks = new ArrayList<>();
    private final Set<Integer> retired = new LinkedHashSet<>();
    private final Clock host = new Clock();
    private final Map<Block, List<History>> histories = new HashMap<>();
    private long pruneAt = FIRST_PRUNING;
    private long accesses;

    OrderChecker(Hazards hazards) {
        this.hazards = hazards;
    }

    /** A place in the clocks for a new stream. */
    int addStream() {
        for (Integer index : retired) {
            // Once the host has seen all that the old stream did, that is ordered before all that the new one will do.
            if (host.of(index) >= clock(index).of(index)) {
                retired.remove(index);
                return index;
            }
        }
        clocks.add(new Clock());
        return clocks.size() - 1;
    }

    /** Gives a destroyed stream's place back. */
    void removeStream(int index) {
        retired.add(index);
    }

    /** The stamp of the next operation of a stream. */
    Stamp stamp(int index, long stream, long sequence, String label) {
        Clock clock = clock(index);
        clock.join(host);
        long tick = clock.tick(index);
        return new Stamp(sequence, stream, label, index, tick, clock.snapshot());
    }

    /** Orders what a stream will do after an operation. */
    void wait(int index, Stamp recorded) {
        recorded.addTo(clock(index));
    }

    /** Whether what a stream will do next is ordered after an operation. */
    boolean ordered(Stamp earlier, int index) {
        return Math.max(clock(index).of(earlier.index), host.of(earlier.index)) >= earlier.tick;
    }

    /** Whether what a stream will do next is ordered after all that another has done. */
    boolean joined(int index, int other) {
        return clock(index).of(other) >= clock(other).of(other);
    }

    /** Checks operands against everything that may run at the same time, and takes them down. */
    void check(List<Touch> touches, Stamp stamp) {
        for (Touch touch : touches) {
            check(touch, stamp);
        }
    }

    /** The host has seen an operation done. */
    void hostSees(Stamp stamp) {
        stamp.addTo(host);
        pruneIfLarge();
    }

    /** The host has seen all of a stream done. */
    void hostSeesStream(int index) {
        host.join(clock(index));
        pruneIfLarge();
    }

    /** The host has seen everything done, so nothing until now can race with anything from now on. */
    void hostSeesAll() {
        clocks.forEach(host::join);
        histories.clear();
        accesses = 0;
    }

    /** The host itself takes a block away: all that uses it must have been seen done. */
    void hostTakes(Block block, long sequence, String label) {
        Stamp stamp = new Stamp(sequence, -1, label, Integer.MAX_VALUE, Long.MAX_VALUE, host.snapshot());
        check(new Touch(block, block.generation, Footprint.range(block.address, block.bytes), true, "range"), stamp);
        forget(block);
    }

    /** Forgets a block that is gone. */
    void forget(Block block) {
        histories.remove(block);
    }

    private void check(Touch touch, Stamp stamp) {
        if (touch.bytes().isEmpty()) {
            return;
        }
        List<History> streams = histories.computeIfAbsent(touch.block(), block -> new ArrayList<>(2));
        History own = null;
        for (History history : streams) {
            if (history.index == stamp.index) {
                own = history;
            } else {
                history.check(touch, stamp, (entry, bytes, write) -> race(entry, bytes, write, touch, stamp));
            }
        }
        if (own == null) {
            own = new History(stamp.index);
            streams.add(own);
        }
        int before = own.size();
        own.add(touch, stamp);
        accesses += own.size() - before;
    }

    private void race(History.Entry entry, Footprint bytes, boolean write, Touch touch, Stamp stamp) {
        hazards.add(new Hazard(Hazard.Kind.RACE, Hazard.Access.of(entry.stamp(), entry.operand(), write, bytes),
                Hazard.Access.of(stamp, touch.operand(), touch.write(), touch.bytes())));
    }

    /** Amortised: a pass is made only when there is twice as much as the last pass left. */
    private void pruneIfLarge() {
        if (accesses < pruneAt) {
            return;
        }
        accesses = 0;
        for (List<History> streams : histories.values()) {
            for (History history : streams) {
                history.prune(host);
                accesses += history.size();
            }
        }
        pruneAt = Math.max(FIRST_PRUNING, 2 * accesses);
    }

    private Clock clock(int index) {
        while (clocks.size() <= index) {
            clocks.add(new Clock());
        }
        return clocks.get(index);
    }
}
