package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.arrays.ArrayWorkspace;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import java.lang.reflect.Array;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every routine that takes matrices by rows, in one array and as an array for each row, against the same call by columns: what is in the matrices,
 * and what lies behind their rows. {@code RowMajorTest} has the factors that are right with other signs.
 */
class EveryRowMajorTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261124);
    private static final int TRIALS = Boolean.getBoolean("basalt.test.long") ? 40 : 2;
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");

    /** Those of LAPACK whose call is turned: their bits may be others. */
    private static final Set<String> TURNED = Set.of("potrf", "potri", "lauum", "trtri");

    /** Those whose vectors may have other signs. */
    private static final Set<String> SIGNS = Set.of("gesvd", "gesdd");

    static Stream<Arguments> routines() {
        return Signatures.all()
                .stream()
                .filter(r -> r.family().matches(FAMILY) && !SIGNS.contains(r.family()))
                .filter(r -> RowName.has(r.signature()))
                .map(r -> Arguments.of(r.family(), r));
    }

    @AfterAll
    static void release() {
        ArrayWorkspace.release();
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("routines")
    void isThatByColumns(String family, Routine routine) {
        try (Device device = Device.open("host:threads=1")) {
            for (Typing typing : routine.signature().typings()) {
                if (!isWhole(typing)) {
                    continue;
                }
                for (int trial : Share.draw(typing.name() + typing, TRIALS, 1)) {
                    trial(device, routine, typing, SEED + 31L * (typing.name() + typing).hashCode() + trial);
                }
            }
        }
    }

    /** A change of names would let the comparison above pass over everything. */
    @Test
    void thereAreManyOfThem() {
        AtomicInteger calls = new AtomicInteger();
        try (Device device = Device.open("host:threads=1"); DeviceArena arena = device.arena()) {
            routines().map(r -> (Routine) r.get()[1]).forEach(routine -> {
                Typing typing = routine.signature().typings().getLast();
                TableCall call = new TableCall(routine, typing, Form.PLAIN, 10, new Random(SEED));
                if (isWhole(typing) && ClassicName.has(call)) {
                    Loaded memory = new Loaded(call, arena, Set.of(), SEED);
                    ArrayName columns = new ArrayName(call, memory, false);
                    calls.addAndGet(new RowName(call, columns.arrays, false, 0).exists() ? 1 : 0);
                }
            });
        }
        assertThat(calls.get()).isGreaterThan(FAMILY.equals(".*") ? 80 : -1);
    }

    /** Whether its elements are numbers of Java, of one type. */
    private static boolean isWhole(Typing typing) {
        return typing.compute() == null && typing.operands().stream().allMatch(e -> e == null || e.bytes() >= 4);
    }

    private static void trial(Device device, Routine routine, Typing typing, long seed) {
        Random random = new Random(seed);
        TableCall call = new TableCall(routine, typing, Form.PLAIN, random.nextInt(4) == 0 ? 140 : 40, random);
        if (!ClassicName.has(call)) {
            return;
        }
        try (DeviceArena arena = device.arena()) {
            Expected expected = new Expected(call, Reference.of(call).get(0));
            Loaded memory = new Loaded(call, arena, expected.unread(), seed);
            for (boolean arrays : new boolean[] {false, true}) {
                ArrayName columns = new ArrayName(call, memory, false);
                RowName rows = new RowName(call, new ArrayName(call, memory, false).arrays, arrays, random.nextInt(3));
                if (!columns.exists() || !rows.exists()) {
                    return;
                }
                Object info = columns.run();
                assertThat(rows.run()).as("what it returns, arrays %s", arrays)
                        .satisfies(returned -> returned(call, returned, info));
                boolean exact = call.routine.signature().level().equals("L") && !TURNED.contains(routine.family());
                columns.arrays.forEach((name, array) -> {
                    double largest = largest(array);
                    RowName.Comparison comparison = (what, actual, expectedNumber) -> same(call,
                            what + (arrays ? " of arrays" : ""), actual, expectedNumber, exact ? 0 : largest);
                    if (rows.matrices.containsKey(name)) {
                        rows.compare(name, array, comparison);
                    } else {
                        for (int i = 0; i < Array.getLength(array); i++) {
                            comparison.compare(name + "[" + i + "]", Array.getDouble(rows.vectors.get(name), i),
                                    Array.getDouble(array, i));
                        }
                    }
                });
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(call + " by rows, seed " + seed + " of " + SEED + ":\n" + e, e);
        }
    }

    private static void returned(TableCall call, Object actual, Object expected) {
        if (actual instanceof Number a && expected instanceof Number b) {
            same(call, "what it returns", a.doubleValue(), b.doubleValue(), Math.abs(b.doubleValue()));
        } else {
            assertThat(actual).isEqualTo(expected);
        }
    }

    private static double largest(Object array) {
        double largest = 0;
        for (int i = 0; i < Array.getLength(array); i++) {
            double size = Math.abs(Array.getDouble(array, i));
            largest = size < 0x1p29 ? Math.max(largest, size) : largest;
        }
        return largest;
    }

    private static void same(TableCall call, String what, double actual, double expected, double size) {
        double error = 16 * call.terms() * size * (call.single() ? 0x1p-24 : 0x1p-53);
        if (Math.abs(actual - expected) <= error) {
            return;
        }
        if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
            throw new AssertionError(what + " is " + actual + ", by columns " + expected);
        }
    }
}
