package dev.basalt.gpu;

/**
 * What the rules know of a device.
 *
 * @param multiprocessors how many there are
 * @param cores what products its tensor cores form
 * @param clusters blocks of the largest cluster, 1 where there are none
 */
record Chip(int multiprocessors, Cores cores, int clusters) {
    /** Whether products of double and complex double go by products of a warp. */
    boolean tensorCores() {
        return cores.doubles();
    }
}
