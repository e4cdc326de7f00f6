package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bits of a problem of every routine of the table do not depend on its batch: how many problems that has, where this one is among
 * them, and in which form. On engines in Java a single call
 * of BLAS has them too; composites of LAPACK may go another way for one problem.
 */
class EveryBatchTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261128);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");
    private static final int LARGEST = 24;

    private static final int PROBLEMS = 7;
    private static final int FIRST = 2;

    /** Smaller batches may be solved and factored one by one. */
    private static final int SOME = 4;

    static List<String> engines() {
        return Devices.ENGINES;
    }

    @ParameterizedTest
    @MethodSource("engines")
    void bitsAreThoseOfTheProblemAlone(String engine) {
        boolean alone = engine.equals("vector") || engine.equals("scalar");
        try (Device device = Device.open(Devices.host(engine, 3)); Handle handle = device.createHandle()) {
            for (Routine routine : Signatures.all()) {
                List<Typing> typings = routine.signature().typings();
                for (int type : Share.draw("batch " + routine.family() + engine, typings.size(), 1)) {
                    if (routine.family().matches(FAMILY)) {
                        check(device, handle, routine, typings.get(type), alone);
                    }
                }
            }
        }
    }

    private static void check(Device device, Handle handle, Routine routine, Typing typing, boolean alone) {
        long seed = SEED + 31L * typing.name().hashCode();
        TableCall call = new TableCall(routine, typing, Form.STRIDED, LARGEST, new Random(seed), PROBLEMS);
        if (!ClassicName.has(call)) {
            return;
        }
        try {
            List<long[]> all = results(device, handle, call, seed);
            List<long[]> some = results(device, handle, call.part(Form.POINTERS, FIRST, SOME), seed + 1);
            for (int p = 0; p < SOME; p++) {
                assertThat(some.get(p)).as("problem %d in a batch of %d and of %d", FIRST + p, SOME, PROBLEMS)
                        .isEqualTo(all.get(FIRST + p));
            }
            if (alone && !routine.signature().level().equals("L")) {
                List<long[]> one = results(device, handle, call.part(Form.PLAIN, FIRST, 1), seed);
                assertThat(one.get(0)).as("problem %d alone and in a batch", FIRST).isEqualTo(all.get(FIRST));
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(call + ", seed " + seed + " of " + SEED + ":\n" + e, e);
        }
    }

    private static List<long[]> results(Device device, Handle handle, TableCall call, long seed) {
        try (DeviceArena arena = device.arena()) {
            Loaded memory = new Loaded(call, arena, Set.of(), seed);
            ClassicName.run(call, memory, handle, false);
            return memory.results();
        }
    }
}
