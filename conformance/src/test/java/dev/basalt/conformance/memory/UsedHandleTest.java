package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.conformance.every.Sample;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.internal.call.Routine;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A call does not see what earlier calls of its handle left in the frame: it has the bits that it has as the first call of a handle. */
class UsedHandleTest {
    private static final boolean LONG = Boolean.getBoolean("basalt.test.long");
    private static final int CALLS = LONG ? 40_000 : 1_000;

    static List<String> devices() {
        return Devices.names();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void aCallHasTheBitsOfAFirstCall(String name) {
        long seed = Long.getLong("basalt.test.seed", LONG ? System.nanoTime() : 20261126);
        System.out.printf("calls on a used handle of %s: seed %d%n", name, seed);
        Random random = new Random(seed);
        List<Routine> routines = Sample.routines();
        for (int i = 0; i < CALLS;) {
            // A new device now and then: a simulated one remembers every operation.
            try (Device device = Devices.open(name, seed + i); Handle used = device.createHandle()) {
                for (int end = Math.min(CALLS, i + 400); i < end; i++) {
                    Routine routine = routines.get(random.nextInt(routines.size()));
                    Sample sample = Sample.of(routine, random.nextLong(), 40);
                    List<Integer> bits = contents(sample, device, used);
                    try (Handle first = device.createHandle()) {
                        assertThat(bits).as(sample + " on " + name + ", seed " + seed)
                                .isEqualTo(contents(sample, device, first));
                    }
                }
            }
        }
    }

    private static List<Integer> contents(Sample sample, Device device, Handle handle) {
        try (DeviceArena arena = device.arena()) {
            Sample.Operands operands = sample.load(arena);
            operands.run(handle);
            return operands.contents();
        }
    }
}
