package dev.basalt.conformance.every;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every routine of the table in shapes over which every blocking and every share of work among threads goes, with OpenBLAS where that has
 * it: vectors of hundreds of thousands of elements, matrices of hundreds of rows. The simulated device is left out: its blocks are small,
 * and {@link EveryRoutineTest} goes over them. No routine is named here.
 */
class EveryLargeTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261201);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");

    /** Half of it is long enough for threads to share a vector. */
    private static final int SHARED = 1_100_000;

    static Stream<Arguments> calls() {
        List<String> devices = Devices.NAMES.stream().filter(name -> !Devices.isSlow(name)).toList();
        return Signatures.all()
                .stream()
                .filter(r -> r.family().matches(FAMILY))
                .flatMap(r -> Arrays.stream(Share.draw("large " + r.family(), devices.size(), 1))
                        .mapToObj(device -> Arguments.of(devices.get(device), r.family(), r)));
    }

    @OnDevice
    @ParameterizedTest(name = "{1} on {0}")
    @MethodSource("calls")
    void isRight(String name, String family, Routine routine) {
        List<Typing> typings = routine.signature().typings();
        for (int type : Share.draw("large " + family + name, typings.size(), 1)) {
            Typing typing = typings.get(type);
            long seed = SEED + 31L * (typing.name() + typing + name).hashCode();
            int largest = switch (routine.signature().level()) {
                case "1" -> SHARED;
                case "2" -> 600;
                case "3" -> 200;
                default -> 140;
            };
            TableCall call = new TableCall(routine, typing, Form.PLAIN, largest / 2, largest, new Random(seed), 1);
            if (ClassicName.has(call)) {
                trial(name, call, seed);
            }
        }
    }

    private static void trial(String name, TableCall call, long seed) {
        try (Device device = Devices.open(name);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            // The last reference is the quickest.
            Expected expected = new Expected(call, Reference.of(call).getLast());
            Loaded memory = new Loaded(call, arena, Set.of(), seed);
            ClassicName.run(call, memory, handle, false);
            expected.check(memory);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(call + " on " + name + ", seed " + seed + " of " + SEED + ":\n" + e, e);
        }
    }
}
