package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.DeviceArena;
import dev.basalt.conformance.DirectSide;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every routine of the table, called again and again with small shapes: from the third call on its launches may be those that were kept of the second. Operands lie elsewhere then, and what calls leave and report is what
 * the long way leaves and reports, bit by bit. No routine is named here.
 */
class EveryKeptTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261128);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");
    private static final int TRIALS = Boolean.getBoolean("basalt.test.long") ? 120 : 10;
    private static final int[] LARGEST = {1, 2, 3, 5, 9, 17, 40};

    static List<Arguments> routines() {
        return Signatures.all()
                .stream()
                .filter(r -> r.family().matches(FAMILY))
                .map(r -> Arguments.of(r.signature().getClass().getSimpleName(), r))
                .toList();
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("routines")
    void isThatOfTheLongWay(String name, Routine routine) {
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            for (Typing typing : routine.signature().typings()) {
                for (int trial : Share.draw(name + typing, 2 * TRIALS, TRIALS)) {
                    long seed = SEED + 31L * (name + typing.name()).hashCode() + trial;
                    try {
                        trial(direct, hidden, routine, typing, trial, seed);
                    } catch (RuntimeException | AssertionError e) {
                        throw new AssertionError(typing + ", seed " + seed + " of " + SEED + ":\n" + e, e);
                    }
                }
            }
        }
    }

    private static void trial(DirectSide direct, DirectSide hidden, Routine routine, Typing typing, int trial,
            long seed) {
        Random random = new Random(seed);
        Form form = Form.values()[trial % Form.values().length];
        int count = form == Form.PLAIN ? 1 : 1 + random.nextInt(5);
        TableCall call = new TableCall(routine, typing, form, trial % 5 == 0 ? 0 : 1, LARGEST[trial % LARGEST.length],
                random, count);
        if (!ClassicName.has(call)) {
            return;
        }
        boolean deviceScalars = trial % 4 == 3;
        try (DeviceArena one = direct.device.arena(); DeviceArena two = hidden.device.arena()) {
            Loaded there = new Loaded(call, two, Set.of(), seed);
            Loaded here = new Loaded(call, one, Set.of(), seed);
            Loaded elsewhere = new Loaded(call, one, Set.of(), seed);
            Loaded apart = new Loaded(call, one, Set.of(), seed + 2);
            Loaded far = new Loaded(call, two, Set.of(), seed + 2);
            String expected =
                    EveryDirectTest.outcome(hidden, () -> ClassicName.run(call, there, hidden.handle, deviceScalars));
            Loaded[] places = {here, here, here, elsewhere, elsewhere, here};
            for (int i = 0; i < places.length; i++) {
                Loaded own = places[i];
                own.reload();
                String what = "call " + i + " of " + call;
                assertThat(
                        EveryDirectTest.outcome(direct, () -> ClassicName.run(call, own, direct.handle, deviceScalars)))
                        .as(what)
                        .isEqualTo(expected);
                EveryDirectTest.same(call, own, there, what);
            }
            // Other distances between columns and problems.
            String other =
                    EveryDirectTest.outcome(hidden, () -> ClassicName.run(call, far, hidden.handle, deviceScalars));
            assertThat(
                    EveryDirectTest.outcome(direct, () -> ClassicName.run(call, apart, direct.handle, deviceScalars)))
                    .isEqualTo(other);
            EveryDirectTest.same(call, apart, far, "other distances: " + call);
            assertThat(direct.handle.highWater()).as("high water: %s", call).isEqualTo(hidden.handle.highWater());
        }
    }
}
