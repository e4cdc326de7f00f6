package dev.basalt.sim;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceProvider;
import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.SystemMemory;
import java.util.List;
import java.util.Locale;

/**
 * Finds the simulated device. It is opened by name only: {@code sim}, or {@code sim:} and options, such as
 * {@code sim:seed=42,memory=1g,pools=false,vmm=false,lazy=true}.
 */
public final class SimProvider implements DeviceProvider {
    private static final String KIND = "sim";
    private static final String ACCEPTED =
            "seed=<number>, memory=<bytes, or with k, m or g>, pools=, vmm=, lazy= or eager=<true or false>";

    /** Made by the service loader. */
    public SimProvider() {}

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public int rank() {
        return -100;
    }

    /** Each has a memory and a scheduler of its own. */
    @Override
    public boolean isShared() {
        return false;
    }

    @Override
    public List<Probe> probe() {
        return List.of(new Probe(KIND, "simulated device for tests", SystemMemory.refusal()));
    }

    @Override
    public DeviceDriver open(String name) {
        if (SystemMemory.refusal() != null) {
            throw Failures.of(Code.NOT_SUPPORTED, SystemMemory.refusal());
        }
        SimBuilder builder = SimDriver.builder().name(name);
        if (name.startsWith(KIND + ":")) {
            for (String option : name.substring(KIND.length() + 1).split(",", -1)) {
                set(builder, option.trim());
            }
        } else {
            Failures.require(name.equals(KIND), "not a simulated device: " + name);
        }
        return builder.open();
    }

    private static void set(SimBuilder builder, String option) {
        int equals = option.indexOf('=');
        String key = equals < 0 ? option : option.substring(0, equals);
        String value = option.substring(equals + 1);
        switch (key) {
            case "seed" -> builder.seed(number(option, value));
            case "memory" -> builder.memory(bytes(option, value));
            case "pools" -> builder.memoryPools(truth(option, value));
            case "vmm" -> builder.virtualMemory(truth(option, value));
            case "lazy" -> builder.scheduling(truth(option, value) ? Scheduling.LAZY : Scheduling.RANDOM);
            case "eager" -> builder.scheduling(truth(option, value) ? Scheduling.EAGER : Scheduling.RANDOM);
            default -> throw refusal(option);
        }
    }

    private static boolean truth(String option, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw refusal(option);
        }
        return value.equals("true");
    }

    private static long number(String option, String value) {
        try {
            return Long.decode(value);
        } catch (NumberFormatException e) {
            throw refusal(option);
        }
    }

    private static long bytes(String option, String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        int power = lower.isEmpty() ? 0 : "kmg".indexOf(lower.charAt(lower.length() - 1)) + 1;
        long number = number(option, power == 0 ? lower : lower.substring(0, lower.length() - 1));
        if (number <= 0 || number > Long.MAX_VALUE >> (10 * power)) {
            throw refusal(option);
        }
        return number << (10 * power);
    }

    private static RuntimeException refusal(String option) {
        return Failures.of(Code.INVALID_VALUE,
                "unknown option '" + option + "' of the simulated device; accepted: " + ACCEPTED);
    }
}
