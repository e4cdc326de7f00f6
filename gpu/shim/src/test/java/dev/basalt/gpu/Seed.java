package dev.basalt.gpu;

/**
 * The seed of a run's trials: one that stands in this file, so that a checkout that passes on one machine passes on all, or
 * {@code -Dbasalt.test.seed}. The profile {@code long} takes a fresh one. Failures name it.
 */
final class Seed {
    static final long OF_RUN =
            Long.getLong("basalt.test.seed", Boolean.getBoolean("basalt.test.long") ? System.nanoTime() : 20261126);

    private Seed() {}
}
