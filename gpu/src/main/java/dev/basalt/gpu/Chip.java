package dev.basalt.gpu;

/**
 * What the rules know of a device.
 *
 * @param multiprocessors how many there are
 * @param shared bytes of shared memory that a block may have at most
 * @param cores what products its tensor cores form
 * @param clusters blocks of the largest cluster, 1 where there are none
 */
record Chip(int multiprocessors, int shared, Cores cores, int clusters) {
    /** Whether products of double and complex double go by products of a warp. */
    boolean tensorCores() {
        return cores.doubles();
    }
}
