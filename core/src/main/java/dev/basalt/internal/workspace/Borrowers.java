package dev.basalt.internal.workspace;

import dev.basalt.spi.DeviceDriver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/** The open handles of each device, so that what idle ones hold unused can be had before anybody is refused. */
public final class Borrowers {
    private static final Map<DeviceDriver, Set<Borrower>> OPEN = new WeakHashMap<>();

    private Borrowers() {}

    /**
     * Counts a handle in.
     *
     * @param borrower the handle
     */
    public static void add(Borrower borrower) {
        synchronized (OPEN) {
            OPEN.computeIfAbsent(borrower.driver(), d -> Collections.newSetFromMap(new WeakHashMap<>())).add(borrower);
        }
    }

    /**
     * Counts a handle out.
     *
     * @param borrower the handle
     */
    public static void remove(Borrower borrower) {
        synchronized (OPEN) {
            OPEN.getOrDefault(borrower.driver(), Set.of()).remove(borrower);
        }
    }

    /**
     * Has the idle handles of a device give back what they hold and have never used.
     *
     * @param driver the device
     * @return whether there was any
     */
    public static boolean giveBackIdle(DeviceDriver driver) {
        List<Borrower> idle;
        synchronized (OPEN) {
            idle = new ArrayList<>(OPEN.getOrDefault(driver, Set.of()));
        }
        boolean any = false;
        for (Borrower borrower : idle) {
            any |= borrower.giveBackIdle();
        }
        return any;
    }
}
