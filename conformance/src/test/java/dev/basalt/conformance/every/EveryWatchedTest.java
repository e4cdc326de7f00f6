package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.DeviceArena;
import dev.basalt.conformance.DirectSide;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Cores;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every routine of the table on a handle that counts launches before it runs them, so that people learn how far a call is: it leaves and reports the same,
 * bit by bit, and what it counts is what it launches. No routine is named here.
 */
class EveryWatchedTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261128);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");
    private static final int TRIALS = Boolean.getBoolean("basalt.test.long") ? 60 : 3;
    private static final int[] LARGEST = {5, 40, 140};

    static List<Arguments> routines() {
        return Signatures.all()
                .stream()
                .filter(r -> r.family().matches(FAMILY))
                .map(r -> Arguments.of(r.family(), r))
                .toList();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("routines")
    void isWhatItIsUnwatched(String family, Routine routine) {
        try (DirectSide watched = DirectSide.withoutLane(); DirectSide plain = DirectSide.withoutLane()) {
            HandleCore core = Cores.of(watched.handle);
            core.watch();
            for (Typing typing : routine.signature().typings()) {
                for (int trial : Share.draw(family + typing, 2 * TRIALS, TRIALS)) {
                    long seed = SEED + 31L * (family + typing.name()).hashCode() + trial;
                    try {
                        trial(watched, plain, core, routine, typing, trial, seed);
                    } catch (RuntimeException | AssertionError e) {
                        throw new AssertionError(typing + ", seed " + seed + " of " + SEED + ":\n" + e, e);
                    }
                }
            }
        }
    }

    private static void trial(DirectSide watched, DirectSide plain, HandleCore core, Routine routine, Typing typing,
            int trial, long seed) {
        Form form = Form.values()[trial % Form.values().length];
        TableCall call = new TableCall(routine, typing, form, LARGEST[trial % LARGEST.length], new Random(seed));
        try (DeviceArena one = watched.device.arena(); DeviceArena two = plain.device.arena()) {
            Loaded here = new Loaded(call, one, Set.of(), seed);
            Loaded there = new Loaded(call, two, Set.of(), seed);
            if (!ClassicName.has(call)) {
                return;
            }
            String expected = outcome(plain, call, there);
            assertThat(outcome(watched, call, here)).as("%s", call).isEqualTo(expected);
            for (String operand : call.stored.keySet()) {
                assertThat(Arrays.mismatch(here.content(operand), there.content(operand)))
                        .as("first part of %s that differs, %s", operand, call)
                        .isEqualTo(-1);
            }
            if (!watched.handle.lastCall().tierName().equals("quick return")) {
                assertThat(core.missing()).as("what %s counts and does not launch", call).isCloseTo(0, within(1e-9));
            }
            assertThat(core.share()).as("a call that is over").isNegative();
        }
    }

    private static String outcome(DirectSide side, TableCall call, Loaded memory) {
        return side.outcome(() -> ClassicName.run(call, memory, side.handle, false))
                .replaceAll("#\\d+|0x[0-9a-f]+", "");
    }
}
