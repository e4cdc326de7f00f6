package dev.basalt.gpu;

/**
 * What the rules know of a device.
 *
 * @param multiprocessors how many there are
 * @param tensorCores whether products of double and complex double go by products of a warp
 * @param clusters blocks of the largest cluster, 1 where there are none
 */
record Chip(int multiprocessors, boolean tensorCores, int clusters) {}
