package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import java.util.Set;

/** The rules of kernels that belong together. What it runs stands here alone: {@link Families} finds it by this. */
interface Family<C> {
    /** The kernels that it runs. */
    Set<Kernel> kernels();

    /** Whether it has one for a launch of its kernels, whose elements are of one type that is computed on. */
    default boolean takes(Launch l) {
        return l.a.storage == Storage.DENSE && l.c.storage == Storage.DENSE;
    }

    /** Runs all problems of a launch that it takes, of the type with a number from 0 (s) to 3 (z); the arguments are written. */
    void run(int t, Launch l, long at, C channel);
}
