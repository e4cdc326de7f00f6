package dev.basalt;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceProvider;
import java.util.ArrayList;
import java.util.List;

/**
 * The drivers of devices opened by name. Two openings of the host with equal settings are one device: their memory, handles and streams go
 * together. The last of them to be closed closes the driver.
 */
final class OpenDrivers {
    private static final class Entry {
        final DeviceDriver driver;
        int users = 1;

        Entry(DeviceDriver driver) {
            this.driver = driver;
        }
    }

    private static final List<Entry> OPEN = new ArrayList<>();

    private OpenDrivers() {}

    static synchronized DeviceDriver open(DeviceProvider provider, String name) {
        DeviceDriver fresh = provider.open(name);
        for (Entry entry : OPEN) {
            // The description tells engine, threads and libraries: what the settings chose.
            if (provider.isShared() && entry.driver.name().equals(fresh.name())
                    && entry.driver.description().equals(fresh.description())) {
                fresh.close();
                entry.users++;
                return entry.driver;
            }
        }
        OPEN.add(new Entry(fresh));
        return fresh;
    }

    /** Gives a driver up; closes it unless another device uses it too. */
    static synchronized void close(DeviceDriver driver) {
        for (Entry entry : OPEN) {
            if (entry.driver == driver) {
                if (--entry.users > 0) {
                    return;
                }
                OPEN.remove(entry);
                break;
            }
        }
        driver.close();
    }
}
