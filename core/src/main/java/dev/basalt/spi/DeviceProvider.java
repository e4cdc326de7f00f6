package dev.basalt.spi;

import java.util.List;

/** Finds the devices of one kind. Found itself by {@link java.util.ServiceLoader}; must not throw when loaded. */
public interface DeviceProvider {
    /**
     * A device that is there, or the reason why one is not.
     *
     * @param name such as {@code host} or {@code cuda:0}
     * @param description one line for people: model, memory, engine
     * @param refusal null if usable, else the reason why it cannot be opened
     */
    record Probe(String name, String description, String refusal) {}

    /**
     * The kind: the part of a device name before the colon.
     *
     * @return such as {@code host}, {@code cuda}, {@code sim}
     */
    String kind();

    /**
     * How much {@code Device.best()} should prefer this kind; higher wins. Negative: only by name.
     *
     * @return rank
     */
    int rank();

    /**
     * Looks for devices. Must not throw: what is wrong goes into the refusal.
     *
     * @return what was found or refused
     */
    List<Probe> probe();

    /**
     * Opens a device.
     *
     * @param name a name from {@link #probe}, or one with options that the kind defines
     * @return the driver; the caller closes it
     * @throws DriverException if the device cannot be opened
     */
    DeviceDriver open(String name);

    /**
     * Whether two devices opened under one name with equal settings use one driver, and so share memory and streams.
     *
     * @return false where each opening has streams of its own
     */
    default boolean isShared() {
        return true;
    }
}
