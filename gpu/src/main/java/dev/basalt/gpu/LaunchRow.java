package dev.basalt.gpu;

import java.util.Map;

/**
 * What {@code launches.txt} says of a kernel beside its name.
 *
 * @param threads of a block, at most
 * @param blocks that shall fit on a multiprocessor; 0 leaves the compiler free
 * @param shared most dynamic shared memory, in bytes
 * @param attributes the others, such as {@code tile}; those without a number are 1
 */
record LaunchRow(int threads, int blocks, int shared, Map<String, Integer> attributes) {
    static final String COOPERATIVE = "cooperative";
    static final String CLUSTER = "cluster";

    /** Attributes that tell how to launch; the others are numbers that the sources are compiled with. */
    int attribute(String name, int otherwise) {
        return attributes.getOrDefault(name, otherwise);
    }

    boolean cooperative() {
        return attributes.containsKey(COOPERATIVE);
    }

    int cluster() {
        return attribute(CLUSTER, 1);
    }
}
