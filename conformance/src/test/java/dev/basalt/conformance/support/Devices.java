package dev.basalt.conformance.support;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.sim.SimDriver;
import java.util.ArrayList;
import java.util.List;

/** The devices that every numeric suite runs on. */
public final class Devices {
    /** A system property: the one device to test instead of all, such as {@code cuda:0}. */
    public static final String ONLY = "basalt.test.device";

    /** The engines of the host that differ from each other here, the one that is chosen by itself first. */
    public static final List<String> ENGINES = engines();

    /** Every host engine, those that must be asked for on threads of their own, and two schedules of the simulated device. */
    public static final List<String> NAMES = names();

    private static final String SIM = "sim:seed=";

    /** The seed of the simulated device whose routines are split as those of a GPU are. */
    private static final long WAVES = 20;

    private Devices() {}

    /** A host device with a certain engine and number of threads. */
    public static String host(String engine, int threads) {
        return "host:engine=" + engine + ",threads=" + threads;
    }

    /** Opens a device; a simulated one throws what its order checker finds. */
    public static Device open(String name) {
        if (!name.startsWith(SIM)) {
            return Device.open(name);
        }
        long seed = Long.parseLong(name.substring(SIM.length()));
        return Device.of(SimDriver.builder().name(name).seed(seed).waves(seed == WAVES).throwOnHazard(true).open());
    }

    /** Whether it is simulated and its launches take the time of whole waves of blocks, as a GPU's do. */
    public static boolean worksInWaves(String name) {
        return name.equals(SIM + WAVES);
    }

    /** Whether shapes must be small for the sake of time; block sizes are small there too. */
    public static boolean isSlow(String name) {
        return name.startsWith(SIM);
    }

    private static List<String> names() {
        String only = System.getProperty(ONLY);
        if (only != null) {
            return List.of(only);
        }
        List<String> names = new ArrayList<>(List.of("host"));
        ENGINES.stream().skip(1).forEach(engine -> names.add(host(engine, 3)));
        names.addAll(List.of("sim:seed=1", "sim:seed=20"));
        return List.copyOf(names);
    }

    private static List<String> engines() {
        List<String> engines = new ArrayList<>();
        List<String> classes = new ArrayList<>();
        for (String engine : List.of("auto", "assembled-avx2", "vector", "scalar")) {
            try (Device device = Device.open(host(engine, 1))) {
                if (!classes.contains(device.deviceClass())) {
                    classes.add(device.deviceClass());
                    engines.add(engine);
                }
            } catch (BlasException e) {
                // An engine that cannot run here is no device.
            }
        }
        return List.copyOf(engines);
    }
}
