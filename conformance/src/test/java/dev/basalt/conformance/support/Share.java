package dev.basalt.conformance.support;

import java.util.Random;
import java.util.stream.IntStream;

/**
 * Which of many trials a run makes: a few, drawn by a seed that is the same in every run, so that a checkout that passes on one
 * machine passes on all. The profile {@code long} makes them all.
 */
public final class Share {
    private static final String PROPERTY = "basalt.test.seed";
    private static final boolean ALL = Boolean.getBoolean("basalt.test.long");
    private static final long SEED = Long.getLong(PROPERTY, 20261126);

    static {
        if (!ALL) {
            System.out.println("trials are drawn by -D" + PROPERTY + "=" + SEED);
        }
    }

    private Share() {}

    /**
     * Draws trials.
     *
     * @param of what the trials are of: equal things are drawn the same way
     * @param all how many trials there are
     * @param few how many a run makes
     * @return their numbers from 0 on, in ascending order
     */
    public static int[] draw(Object of, int all, int few) {
        if (ALL || few >= all) {
            return IntStream.range(0, all).toArray();
        }
        return new Random(SEED ^ 0x9E3779B97F4A7C15L * of.toString().hashCode()).ints(0, all)
                .distinct()
                .limit(few)
                .sorted()
                .toArray();
    }
}
