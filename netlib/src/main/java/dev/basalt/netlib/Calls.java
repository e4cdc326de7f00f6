package dev.basalt.netlib;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** How often the methods of one interface were called, and who did the work. */
final class Calls {
    /** Calls that Basalt serves are counted on demand alone, since counting costs as much as a short dot product. */
    private static final boolean SERVED_TOO = Boolean.getBoolean("basalt.netlib.counts");

    private final String interfaceName;
    private final String[] methods;
    private final String[] servedMethods;
    private final LongAdder[] served;
    private final LongAdder[] delegated;

    /**
     * No calls yet.
     *
     * @param interfaceName such as BLAS
     * @param methods the methods' names; the place of a name is its number
     * @param servedMethods the names of those that Basalt serves
     */
    Calls(String interfaceName, String[] methods, String[] servedMethods) {
        this.interfaceName = interfaceName;
        this.methods = methods;
        this.servedMethods = servedMethods;
        served = counters(methods.length);
        delegated = counters(methods.length);
    }

    private static LongAdder[] counters(int count) {
        LongAdder[] counters = new LongAdder[count];
        for (int i = 0; i < count; i++) {
            counters[i] = new LongAdder();
        }
        return counters;
    }

    String interfaceName() {
        return interfaceName;
    }

    /** The methods that Basalt serves. */
    List<String> servedMethods() {
        return List.of(servedMethods);
    }

    /** The methods that netlib's own Java serves. */
    List<String> delegatedMethods() {
        List<String> others = new ArrayList<>(List.of(methods));
        others.removeAll(servedMethods());
        return others;
    }

    /** Basalt does the work of a call. */
    void served(int method) {
        if (SERVED_TOO) {
            served[method].increment();
        }
    }

    /** netlib's own Java does the work of a call. */
    void delegated(int method) {
        delegated[method].increment();
    }

    SortedMap<String, Long> served() {
        return counts(served);
    }

    SortedMap<String, Long> delegated() {
        return counts(delegated);
    }

    private SortedMap<String, Long> counts(LongAdder[] counters) {
        SortedMap<String, Long> counts = new TreeMap<>();
        for (int i = 0; i < counters.length; i++) {
            long count = counters[i].sum();
            if (count > 0) {
                counts.put(methods[i], count);
            }
        }
        return counts;
    }
}
