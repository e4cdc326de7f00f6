package dev.basalt.cli;

import dev.basalt.BlasException;
import dev.basalt.Device;
import picocli.CommandLine.Option;

/** The choice of a device. */
final class DeviceOption {
    @Option(
            names = "--device",
            paramLabel = "NAME",
            description = "The device, such as host or host:threads=2 (default: the best one; see basalt doctor).")
    private String name;

    DeviceOption() {}

    /** Opens the device. */
    Device open() {
        if (name == null) {
            return Device.best();
        }
        try {
            return Device.open(name);
        } catch (BlasException e) {
            throw Failure.usage("--device: " + e.getMessage(), e);
        }
    }
}
