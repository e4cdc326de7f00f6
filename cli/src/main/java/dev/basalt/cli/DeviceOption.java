package dev.basalt.cli;

import dev.basalt.BlasException;
import dev.basalt.Device;
import picocli.CommandLine.Option;

/** The choice of a device. */
final class DeviceOption {
    @Option(names = "--device", paramLabel = "NAME",
            description = "The device, such as host or host:threads=2 (default: the best one; see basalt doctor).")
    private String name;

    DeviceOption() {}

    /** Opens the device. */
    Device open() {
        return open(null);
    }

    /**
     * Opens the device.
     *
     * @param threads threads at work in a call; null leaves it to the device
     */
    Device open(Long threads) {
        if (name == null && threads == null) {
            return Device.best();
        }
        String wanted = name == null ? "host" : name;
        if (threads != null) {
            wanted += (wanted.contains(":") ? "," : ":") + "threads=" + threads;
        }
        try {
            return Device.open(wanted);
        } catch (BlasException e) {
            throw Failure.usage("--device: " + e.getMessage(), e);
        }
    }
}
