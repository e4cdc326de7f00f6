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

    private static final int[] SHORT = {0, 200};

    /** Vectors of which all threads have a share, and matrices that are read once. */
    private static final Map<String, int[]> RANGES =
            Map.of("1", new int[] {510_000, 520_000}, "2", new int[] {300, 700});

    static Stream<Arguments> calls() {
        return Devices.ENGINES.stream()
                .flatMap(engine -> Sample.routines().stream().map(r -> Arguments.of(engine, r.family(), r)));
    }

    @ParameterizedTest(name = "{1} on {0}")
    @MethodSource("calls")
    void bitsAreTheSame(String engine, String family, Routine routine) {
        for (int trial = 0; trial < TRIALS; trial++) {
            int[] range = range(engine, family, routine.signature().level());
            long seed = SEED + 31L * family.hashCode() + trial;
            for (Sample sample : Sample.ofSomeTypes(routine, seed, range[0], range[1], family + engine + trial, FEW)) {
                List<Integer> one = contents(engine, 1, sample);
                for (int more : Share.draw("threads " + family + engine, 2, 1)) {
                    int threads = 2 + more;
                    assertThat(contents(engine, threads, sample)).as("%d threads: %s", threads, sample).isEqualTo(one);
                }
            }
        }
    }

    /** Long vectors on one engine each: all share them out in the same way. */
    private static int[] range(String engine, String family, String level) {
        int[] engines = Share.draw("long " + family, Devices.ENGINES.size(), 1);
        boolean whole = !level.equals("1") || Devices.ENGINES.get(engines[0]).equals(engine);
        return whole ? RANGES.getOrDefault(level, SHORT) : SHORT;
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
