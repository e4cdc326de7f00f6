package dev.basalt.netlib;

import dev.basalt.Device;
import dev.basalt.spi.DeviceProvider;
import dev.ludovic.netlib.arpack.NativeARPACK;
import dev.ludovic.netlib.blas.NativeBLAS;
import dev.ludovic.netlib.lapack.NativeLAPACK;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The implementations of netlib's interfaces, and how to put them behind {@code getInstance()}.
 */
public final class Netlib {
    private static final List<Calls> CALLS = List.of(BasaltBLAS.CALLS, BasaltLAPACK.CALLS, BasaltARPACK.CALLS);

    private static final String WITHOUT_HOST =
            "Basalt's CPU is not on the class path of basalt-netlib; add dev.basalt:basalt-host";

    private static final Logger LOG = System.getLogger("dev.basalt.netlib");

    private Netlib() {}

    /** Without it the first call that is more than a loop would end a job. */
    static boolean hasHost() {
        return ServiceLoader.load(DeviceProvider.class, Device.class.getClassLoader())
                .stream()
                .anyMatch(provider -> provider.get().kind().equals("host"));
    }

    private static void requireHost() {
        if (!hasHost()) {
            throw new IllegalStateException(WITHOUT_HOST);
        }
    }

    /**
     * BLAS by Basalt.
     *
     * @return the one instance; any number of threads may use it
     * @throws IllegalStateException if Basalt's CPU is not on the class path
     */
    public static NativeBLAS blas() {
        requireHost();
        return BasaltBLAS.INSTANCE;
    }

    /**
     * LAPACK by Basalt.
     *
     * @return the one instance; any number of threads may use it
     * @throws IllegalStateException if Basalt's CPU is not on the class path
     */
    public static NativeLAPACK lapack() {
        requireHost();
        return BasaltLAPACK.INSTANCE;
    }

    /**
     * ARPACK: symmetric operators by Basalt; netlib's own for others, with its calls counted.
     *
     * @return the one instance
     * @throws IllegalStateException if Basalt's CPU is not on the class path
     */
    public static NativeARPACK arpack() {
        requireHost();
        return BasaltARPACK.INSTANCE;
    }

    /**
     * Puts Basalt behind {@code BLAS.getInstance()}, {@code LAPACK.getInstance()} and {@code ARPACK.getInstance()} of this program. To be
     * called before anything has asked netlib for an instance, since netlib never asks twice. Calling it again changes nothing.
     *
     * @return the interfaces that are Basalt's now: BLAS, LAPACK, ARPACK, or fewer where netlib was asked before; none, and a warning in the log, where Basalt's CPU is not
     *     on the class path
     */
    public static List<String> install() {
        if (!hasHost()) {
            LOG.log(Level.WARNING, "netlib's own Java is used: " + WITHOUT_HOST);
            return List.of();
        }
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
