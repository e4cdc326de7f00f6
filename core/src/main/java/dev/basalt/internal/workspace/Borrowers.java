package dev.basalt.internal.workspace;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DriverException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/** The open handles of each memory, so that what idle ones hold unused can be had before anybody is refused. */
public final class Borrowers {
    /** Those of the devices that share one memory. */
    private static final class Sharers {
        final Set<Borrower> open = Collections.newSetFromMap(new WeakHashMap<>());
        /** How often some have given back; changed by whoever asks them, one thread at a time. */
        volatile long rounds;
    }

    private static final Map<Object, Sharers> OPEN = new WeakHashMap<>();

    private Borrowers() {}

    /**
     * Counts a handle in.
     *
     * @param borrower the handle
     */
    public static void add(Borrower borrower) {
        Sharers sharers = of(borrower.driver());
        synchronized (OPEN) {
            sharers.open.add(borrower);
        }
    }

    /**
     * Counts a handle out.
     *
     * @param borrower the handle
     */
    public static void remove(Borrower borrower) {
        Sharers sharers = of(borrower.driver());
        synchronized (OPEN) {
            sharers.open.remove(borrower);
        }
    }

    /**
     * How often idle handles have given back. It is asked for before an attempt to allocate that {@link #relieve} may follow.
     *
     * @param driver the device
     * @return a number for {@link #relieve}
     */
    public static long rounds(DeviceDriver driver) {
        return of(driver).rounds;
    }

    /**
     * Has the idle handles of a full memory give back what they hold and have never used, so that another attempt is worth it.
     *
     * @param driver the device
     * @param seen {@link #rounds} before the attempt that failed: if another thread has relieved the memory since, that is enough
     * @param e what the attempt failed with
     * @throws DriverException e, if it was not for want of memory or no handle had anything
     */
    public static void relieve(DeviceDriver driver, long seen, DriverException e) {
        if (e.code() != DriverException.Code.OUT_OF_MEMORY) {
            throw e;
        }
        Sharers sharers = of(driver);
        synchronized (sharers) {
            if (sharers.rounds != seen) {
                return;
            }
            List<Borrower> idle;
            synchronized (OPEN) {
                idle = new ArrayList<>(sharers.open);
            }
            boolean any = false;
            for (Borrower borrower : idle) {
                any |= borrower.giveBackIdle();
            }
            if (!any) {
                throw e;
            }
            sharers.rounds++;
        }
    }

    private static Sharers of(DeviceDriver driver) {
        synchronized (OPEN) {
            return OPEN.computeIfAbsent(driver.memory(), memory -> new Sharers());
        }
    }
}
