package dev.basalt.conformance.memory;

import dev.basalt.Device;
import dev.basalt.sim.SimDriver;
import java.util.List;

/** The devices that every memory suite runs on. */
final class Devices {
    private Devices() {}

    static List<String> names() {
        String only = System.getProperty(dev.basalt.conformance.support.Devices.ONLY);
        return only != null ? List.of(only) : List.of("host", "sim");
    }

    static Device open(String name, long seed) {
        return name.equals("sim") ? Device.of(SimDriver.builder().seed(seed).open()) : Device.open(name);
    }
}
