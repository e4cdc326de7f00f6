package dev.basalt.arrays;

import dev.basalt.portable.HeapSums;
import java.util.ServiceLoader;

/** Loops that a device's module provides for sums on the heap. */
final class Sums {
    /** Null where there are none. */
    static final HeapSums FASTER = find();

    private Sums() {}

    private static HeapSums find() {
        for (HeapSums sums : ServiceLoader.load(HeapSums.class, Sums.class.getClassLoader())) {
            if (sums.works()) {
                return sums;
            }
        }
        return null;
    }
}
