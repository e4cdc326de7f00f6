package dev.basalt.sim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * What one stream has done to one block. Only the last access to each footprint is kept: an operation that is yet to come
 * and races with an earlier access races with the last one as well.
 */
final class History {
    /** One access that has been checked. */
    record Entry(Stamp stamp, String operand) {}

    /** Is told the accesses that race with a new one. */
    interface Races {
        void found(Entry entry, Footprint bytes, boolean write);
    }

    final int index;
    private final SequencedMap<Footprint, Entry> writes = new LinkedHashMap<>();
    private final SequencedMap<Footprint, Entry> reads = new LinkedHashMap<>();
    private long newest;
    private boolean sorted = true;

    History(int index) {
        this.index = index;
    }

    int size() {
        return writes.size() + reads.size();
    }

    void check(Touch touch, Stamp stamp, Races races) {
        check(writes, true, touch, stamp, races);
        if (touch.write()) {
            check(reads, false, touch, stamp, races);
        }
    }

    /**
     * Walks back from the newest access to the first that is ordered before the new one: all older ones are, too. So the
     * cost is in the number of unordered accesses, which is small in a correct program.
     */
    private void check(SequencedMap<Footprint, Entry> accesses, boolean write, Touch touch, Stamp stamp, Races races) {
        for (Map.Entry<Footprint, Entry> access : accesses.sequencedEntrySet().reversed()) {
            Stamp other = access.getValue().stamp();
            if (other.before(stamp)) {
                if (sorted) {
                    return;
                }
            } else if (!stamp.before(other) && access.getKey().overlaps(touch.bytes())) {
                races.found(access.getValue(), access.getKey(), write);
            }
        }
    }

    void add(Touch touch, Stamp stamp) {
        // An operand behind a pointer table may be known only when its kernel runs, after later ones were submitted.
        sorted &= stamp.tick >= newest;
        newest = Math.max(newest, stamp.tick);
        Entry entry = new Entry(stamp, touch.operand());
        if (touch.write()) {
            replace(writes, touch.bytes(), entry);
            Entry read = reads.get(touch.bytes());
            if (read != null && read.stamp().tick <= stamp.tick) {
                reads.remove(touch.bytes());
            }
        } else {
            replace(reads, touch.bytes(), entry);
        }
    }

    private static void replace(SequencedMap<Footprint, Entry> accesses, Footprint bytes, Entry entry) {
        Entry old = accesses.get(bytes);
        if (old == null || old.stamp().tick <= entry.stamp().tick) {
            accesses.putLast(bytes, entry);
        }
    }

    /** Forgets what the host has seen done: everything submitted from now on is ordered after it. */
    void prune(Clock host) {
        long seen = host.of(index);
        writes.values().removeIf(entry -> entry.stamp().tick <= seen);
        reads.values().removeIf(entry -> entry.stamp().tick <= seen);
    }
}
