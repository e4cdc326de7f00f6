package dev.basalt.sim;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The hazards found so far. */
final class Hazards {
    /** A test that produces more has long failed; the rest would only fill the heap. */
    private static final int LIMIT = 10_000;

    private record Pair(long first, long second) {}

    private final List<Hazard> found = new ArrayList<>();
    private final Set<Pair> pairs = new HashSet<>();
    private boolean throwing;

    /** Whether a hazard is thrown as an {@link AssertionError} by the call that finds it. */
    void throwing(boolean on) {
        throwing = on;
    }

    /** Notes a hazard, once for each pair of operations. */
    void add(Hazard hazard) {
        Pair pair = new Pair(hazard.first().sequence(), hazard.second().sequence());
        if (found.size() >= LIMIT || !pairs.add(pair)) {
            return;
        }
        found.add(hazard);
        if (throwing) {
            throw new AssertionError(hazard.toString());
        }
    }

    List<Hazard> list() {
        return List.copyOf(found);
    }

    void clear() {
        found.clear();
        pairs.clear();
    }
}
