package dev.basalt.conformance.support;

import dev.basalt.Device;
import dev.basalt.sim.SimDriver;
import java.util.List;

/** The devices that every numeric suite runs on. */
public final class Devices {
    /** The best host engine, the portable one on threads of its own, and two schedules of the simulated device. */
    public static final List<String> NAMES =
            List.of("host", "host:engine=scalar,threads=3", "sim:seed=1", "sim:seed=20");

    private static final String SIM = "sim:seed=";

    private Devices() {}

    /** Opens a device; a simulated one throws what its order checker finds. */
    public static Device open(String name) {
        if (!name.startsWith(SIM)) {
            return Device.open(name);
        }
        long seed = Long.parseLong(name.substring(SIM.length()));
        return Device.of(
                SimDriver.builder().name(name).seed(seed).throwOnHazard(true).open());
    }

    /** Whether shapes must be small for the sake of time; block sizes are small there too. */
    static boolean isSlow(String name) {
        return name.startsWith(SIM);
    }
}
