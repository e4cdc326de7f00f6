package dev.basalt.host.vector;

import dev.basalt.spi.Launch;

/** Kernels of tridiagonal systems, many at a time. */
public interface Tridiagonal {
    /** Whether they run a launch of GTSV. */
    boolean takes(Launch l);

    /** Runs some of its problems. */
    void run(Launch l, long from, long to);
}
