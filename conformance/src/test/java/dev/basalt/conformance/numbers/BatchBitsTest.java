package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.conformance.numbers.BatchedCall.Routine;
import dev.basalt.conformance.support.Devices;
import dev.basalt.type.ElementType;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the host promises of the bits of a problem in a batch. Batches of four problems and more agree with each other, whatever
 * their number, the problem's place and the form. Smaller ones, and most routines in any number, agree with single calls too.
 */
class BatchBitsTest {
    private static final int PROBLEMS = 40;
    private static final int ROUNDS = 5;
    private static final int WINDOWS = 8;

    /** Batches of fewer problems are solved and factored one by one. */
    private static final int LANES = 4;

    /** On the assembled engine four small problems or more are solved or factored in vector lanes, in another order of sums. */
    private static final Set<Routine> IN_LANES = EnumSet.of(Routine.TRSV, Routine.TRSM, Routine.GETRF, Routine.GETRS,
            Routine.GESV, Routine.POTRF, Routine.POTRS, Routine.POSV);

    static Stream<Arguments> engines() {
        return Devices.ENGINES.stream()
                .flatMap(engine -> Stream.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64)
                        .map(type -> Arguments.of(engine, type)));
    }

    /** Whether two batches of some problems agree for certain. */
    private static boolean agree(String engine, Routine routine, ElementType type, int one, int other) {
        if (engine.equals("vector") || engine.equals("scalar")) {
            return true;
        }
        if (IN_LANES.contains(routine)) {
            return one < LANES == other < LANES;
        }
        // Small ones have a kernel for any batch, but not for a single call.
        boolean batched = routine == Routine.DOT && !type.isComplex() || routine == Routine.GEMM && type.isComplex();
        return !batched || one == 1 == (other == 1);
    }

    @ParameterizedTest
    @MethodSource("engines")
    void dependOnTheProblemAlone(String engine, ElementType type) {
        try (Device device = Device.open(Devices.host(engine, 3)); Handle handle = device.createHandle()) {
            for (Routine routine : Routine.values()) {
                Random random = new Random(31L * routine.ordinal() + type.ordinal());
                for (int round = 0; round < ROUNDS && routine.takes(type); round++) {
                    try (DeviceArena arena = device.arena()) {
                        sweep(engine, type, routine, handle, arena, random);
                    }
                }
            }
        }
    }

    private static void sweep(String engine, ElementType type, Routine routine, Handle handle, DeviceArena arena,
            Random random) {
        BatchedCall call = new BatchedCall(routine, type, PROBLEMS, random, arena);
        List<long[]> all = call.run(handle, 0, PROBLEMS, false);
        for (int w = 0; w < WINDOWS; w++) {
            int count = w < LANES ? 1 + w : 1 + random.nextInt(PROBLEMS);
            int first = random.nextInt(PROBLEMS - count + 1);
            List<long[]> some = call.run(handle, first, count, random.nextBoolean());
            List<long[]> one = call.run(handle, first, 1, false);
            String what = type + " " + call + ": problem ";
            for (int p = 0; p < count && agree(engine, routine, type, count, PROBLEMS); p++) {
                assertThat(some.get(p)).as("%s%d of %d and of %d", what, first + p, count, PROBLEMS)
                        .isEqualTo(all.get(first + p));
            }
            if (agree(engine, routine, type, count, 1)) {
                assertThat(some.get(0)).as("%s%d of %d and alone", what, first, count).isEqualTo(one.get(0));
            }
        }
    }
}
