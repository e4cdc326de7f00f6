package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.conformance.every.Sample;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bits of every routine of the table do not depend on the number of threads; {@link SameBitsTest} has larger matrices of some. */
class EveryThreadCountTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261124);
    private static final int TRIALS = Boolean.getBoolean("basalt.test.long") ? 40 : 1;
    /** How many types of a routine a run tries with each engine. */
    private static final int FEW = 1;

    private static final int LARGEST = 260;

    /** Vectors of which all threads have a share, and matrices that are read once. */
    private static final Map<String, int[]> RANGES =
            Map.of("1", new int[] {510_000, 520_000}, "2", new int[] {300, 900});

    static Stream<Arguments> calls() {
        return Devices.ENGINES.stream()
                .flatMap(engine -> Sample.routines().stream().map(r -> Arguments.of(engine, r.family(), r)));
    }

    @ParameterizedTest(name = "{1} on {0}")
    @MethodSource("calls")
    void bitsAreTheSame(String engine, String family, Routine routine) {
        for (int trial = 0; trial < TRIALS; trial++) {
            int[] range = RANGES.getOrDefault(routine.signature().level(), new int[] {0, LARGEST});
            List<Sample> types =
                    Sample.ofEveryType(routine, SEED + 31L * family.hashCode() + trial, range[0], range[1]);
            for (int type : Share.draw(family + engine + trial, types.size(), FEW)) {
                Sample sample = types.get(type);
                List<Integer> one = contents(engine, 1, sample);
                for (int threads = 2; threads <= 3; threads++) {
                    assertThat(contents(engine, threads, sample)).as("%d threads: %s", threads, sample).isEqualTo(one);
                }
            }
        }
    }

    private static List<Integer> contents(String engine, int threads, Sample sample) {
        try (Device device = Device.open(Devices.host(engine, threads));
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            Sample.Operands operands = sample.load(arena);
            operands.run(handle);
            return operands.contents();
        }
    }
}
