package dev.basalt.host;

import dev.basalt.host.engine.Engines;
import dev.basalt.spi.DriverException;
import java.util.Locale;

/**
 * What the user chose for a host device. The system properties {@code basalt.engine} and {@code basalt.threads} hold for all;
 * a device name such as {@code host:engine=scalar,threads=2} overrides them for one device, which then has worker threads of
 * its own (for tests and measurements).
 *
 * @param engine {@code auto} or the name of an engine
 * @param threads threads at work in a call
 * @param ownThreads whether the device keeps its threads to itself
 */
record HostSettings(String engine, int threads, boolean ownThreads) {
    /** The system property that chooses the engine. */
    static final String ENGINE = "basalt.engine";
    /** The system property that sets the number of threads. */
    static final String THREADS = "basalt.threads";

    private static final int MOST_THREADS = 1024;

    /**
     * Reads the properties now, then the options in the name.
     *
     * @param device a device name
     * @return the settings
     * @throws DriverException INVALID_VALUE that names the setting, the text and what is accepted
     */
    static HostSettings of(String device) {
        String engine = engine(ENGINE, System.getProperty(ENGINE, Engines.AUTO));
        int threads = threads(THREADS, System.getProperty(THREADS, ""));
        boolean own = false;
        int colon = device.indexOf(':');
        if (!(colon < 0 ? device : device.substring(0, colon)).equals(HostProvider.NAME)) {
            throw invalid("device name", device, "host, or host:engine=…,threads=…");
        }
        for (String option : colon < 0 ? new String[0] : device.substring(colon + 1).split(",", -1)) {
            if (option.startsWith("engine=")) {
                engine = engine(device, option.substring(7));
            } else if (option.startsWith("threads=")) {
                threads = threads(device, option.substring(8));
                own = true;
            } else {
                throw invalid("device name", device, "host, or host:engine=…,threads=…");
            }
        }
        return new HostSettings(engine, threads, own);
    }

    private static String engine(String setting, String name) {
        if (!Engines.names().contains(name)) {
            throw invalid(setting, name, String.join(", ", Engines.names()));
        }
        return name;
    }

    private static int threads(String setting, String text) {
        if (text.isEmpty()) {
            return Math.min(Runtime.getRuntime().availableProcessors(), MOST_THREADS);
        }
        try {
            int threads = Integer.parseInt(text.strip());
            if (threads >= 1 && threads <= MOST_THREADS) {
                return threads;
            }
        } catch (NumberFormatException e) {
            // Said below, like a number out of range.
        }
        throw invalid(setting, text, "a number of threads from 1 to " + MOST_THREADS + " (default: all processors)");
    }

    /** The exception for a setting that makes no sense. */
    private static DriverException invalid(String setting, String text, String accepted) {
        return new DriverException(DriverException.Code.INVALID_VALUE,
                String.format(Locale.ROOT, "%s is \"%s\"; accepted: %s", setting, text, accepted));
    }
}
