package dev.basalt.netlib;

import dev.ludovic.netlib.arpack.NativeARPACK;
import dev.ludovic.netlib.blas.NativeBLAS;
import dev.ludovic.netlib.lapack.NativeLAPACK;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The implementations of netlib's interfaces, and how to put them behind {@code getInstance()}.
 */
public final class Netlib {
    private static final List<Calls> CALLS = List.of(BasaltBLAS.CALLS, BasaltLAPACK.CALLS, BasaltARPACK.CALLS);

    private Netlib() {}

    /**
     * BLAS by Basalt.
     *
     * @return the one instance; any number of threads may use it
     */
    public static NativeBLAS blas() {
        return BasaltBLAS.INSTANCE;
    }

    /**
     * LAPACK by Basalt.
     *
     * @return the one instance; any number of threads may use it
     */
    public static NativeLAPACK lapack() {
        return BasaltLAPACK.INSTANCE;
    }

    /**
     * ARPACK: symmetric operators by Basalt; netlib's own for others, with its calls counted.
     *
     * @return the one instance
     */
    public static NativeARPACK arpack() {
        return BasaltARPACK.INSTANCE;
    }

    /**
     * Puts Basalt behind {@code BLAS.getInstance()}, {@code LAPACK.getInstance()} and {@code ARPACK.getInstance()} of this program. To be
     * called before anything has asked netlib for an instance, since netlib never asks twice. Calling it again changes nothing.
     *
     * @return the interfaces that are Basalt's now: BLAS, LAPACK, ARPACK, or fewer where netlib was asked before
     */
    public static List<String> install() {
        return Installation.install();
    }

    /**
     * How many calls Basalt has served. They are counted where Java was started with {@code -Dbasalt.netlib.counts=true}.
     *
     * @return calls by name of the method; empty where nothing is counted
     */
    public static SortedMap<String, Long> served() {
        return all(Calls::served);
    }

    /**
     * How many calls netlib's own Java has done, since Basalt has no routine for them. They are always counted.
     *
     * @return calls by name of the method
     */
    public static SortedMap<String, Long> delegated() {
        return all(Calls::delegated);
    }

    private static SortedMap<String, Long> all(Function<Calls, SortedMap<String, Long>> counts) {
        SortedMap<String, Long> all = new TreeMap<>();
        for (Calls calls : CALLS) {
            counts.apply(calls).forEach((method, count) -> all.merge(method, count, Long::sum));
        }
        return all;
    }
}
