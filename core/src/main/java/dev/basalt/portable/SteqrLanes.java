package dev.basalt.portable;

import dev.basalt.spi.Launch;

/** QR iterations of a batch with several problems beside each other, whose results do not depend on which these are. Any number of threads may use one object. */
public interface SteqrLanes {
    /**
     * Whether it knows launches such as this one of STEQR, which asks for eigenvectors.
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
     */
    void run(Launch l, long from, long to);
}
