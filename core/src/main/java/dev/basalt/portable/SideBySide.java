package dev.basalt.portable;

import dev.basalt.spi.Launch;

/** A kernel that works on several problems of a batch at once, beside each other, and whose results do not depend on which these are. Any number of threads may use one object. */
public interface SideBySide {
    /** What runs one problem by itself. */
    @FunctionalInterface
    interface Alone {
        /**
         * Runs a problem.
         *
         * @param l the launch
         * @param problem the problem
         */
        void run(Launch l, long problem);
    }

    /**
     * Whether it knows launches such as this one.
     *
     * @param l the launch
     * @return true if {@link #run} can run it
     */
    boolean takes(Launch l);

    /**
     * Problems from…to-1.
     *
     * @param l the launch
     * @param from the first problem
     * @param to behind the last
     * @param alone runs problems with numbers that are not finite: these spread where a problem beside them has work
     */
    void run(Launch l, long from, long to, Alone alone);
}
