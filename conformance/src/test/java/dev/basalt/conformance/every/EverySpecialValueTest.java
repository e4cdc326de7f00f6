package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every routine of the table with a NaN or an infinity in one element of one problem of a batch. The call ends, and the other problems
 * have the bits that they have without it. A NaN in an element that counts, since results change with it, is not lost: there is a NaN
 * among the results, an info that is not 0, or another index. No routine is named here.
 */
class EverySpecialValueTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261130);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");
    private static final int LARGEST = 12;
    private static final int PROBLEMS = 2;

    static List<String> devices() {
        return Devices.NAMES.size() == 1 ? Devices.NAMES : List.of(Devices.NAMES.get(0), "sim:seed=3");
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void isNotLostAndStaysInItsProblem(String name) {
        List<AssertionError> wrong = new ArrayList<>();
        int shown = 0;
        for (Routine routine : Signatures.all()) {
            List<Typing> typings = routine.signature().typings();
            for (int type : Share.draw("special " + routine.family() + name, typings.size(), 1)) {
                if (routine.family().matches(FAMILY)) {
                    try {
                        shown += every(name, routine, typings.get(type));
                    } catch (AssertionError e) {
                        wrong.add(e);
                    }
                }
            }
        }
        System.out.println("special values on " + name + ": " + shown + " operands of all routines show a NaN");
        assertThat(wrong).isEmpty();
        assertThat(shown).isGreaterThan(FAMILY.equals(".*") ? 0 : -1);
    }

    private static int every(String name, Routine routine, Typing typing) {
        long seed = SEED + 31L * (typing.name() + name).hashCode();
        TableCall call = new TableCall(routine, typing, Form.STRIDED, LARGEST, new Random(seed), PROBLEMS);
        if (!ClassicName.has(call)) {
            return 0;
        }
        int shown = 0;
        try (Device device = Devices.open(name); Handle handle = device.createHandle()) {
            List<long[]> plain = results(device, handle, call, seed);
            Random random = new Random(seed);
            List<Stored> operands = call.stored.values().stream().filter(s -> mayHaveNaN(call, s)).toList();
            int many = name.equals(Devices.NAMES.get(0)) ? operands.size() : 1;
            for (int number : Share.draw("operand " + typing.name() + name, operands.size(), many)) {
                Stored s = operands.get(number);
                int part = s.parts() * s.at()[random.nextInt(s.at().length)] + random.nextInt(s.parts());
                shown += operand(device, handle, call, seed, s, part, plain) ? 1 : 0;
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(call + " on " + name + ", seed " + seed + " of " + SEED + ":\n" + e, e);
        }
        return shown;
    }

    /**
     * Whether elements of an operand may be NaN. The scales of a balanced matrix are also numbers of rows, and one that is none moves no
     * row. A modified rotation is one of zeros, by its definition, if the second weight is negative, whatever the others are.
     */
    private static boolean mayHaveNaN(TableCall call, Stored s) {
        boolean rows = call.options.containsKey("balance") && s.name().endsWith("scale");
        return s.hasNaN() && s.at().length > 0 && !s.name().equals("result") && !rows && !call.family().equals("rotmg");
    }

    /** Whether a NaN there has to be seen, and is. */
    private static boolean operand(Device device, Handle handle, TableCall call, long seed, Stored s, int part,
            List<long[]> plain) {
        TableCall special = call.part(Form.STRIDED, 0, PROBLEMS);
        double[] numbers = special.problems.get(0).arrays().get(s.name());
        double was = numbers[part];
        String what = s.name() + " part " + part + " of " + numbers.length;
        numbers[part] = Double.POSITIVE_INFINITY;
        assertThat(results(device, handle, special, seed).get(1)).as("neighbour of an infinity in %s", what)
                .isEqualTo(plain.get(1));
        numbers[part] = Double.NaN;
        long[] withNaN = results(device, handle, special, seed).get(0);
        assertThat(results(device, handle, special, seed).get(1)).as("neighbour of a NaN in %s", what)
                .isEqualTo(plain.get(1));
        numbers[part] = call.rounded(1.5 * was + 0.75);
        boolean counts = differs(special, results(device, handle, special, seed).get(0), plain.get(0));
        if (counts) {
            assertThat(shows(special, withNaN, plain.get(0))).as("a NaN in %s shows", what).isTrue();
        }
        return counts;
    }

    /** Whether what the routine overwrites is other than it was. */
    private static boolean differs(TableCall call, long[] some, long[] plain) {
        return call.stored.values()
                .stream()
                .anyMatch(s -> s.written() && !Arrays.equals(of(call, s, some), of(call, s, plain)));
    }

    /** Whether there is a NaN that was not there, or another whole number. */
    private static boolean shows(TableCall call, long[] some, long[] plain) {
        for (Stored s : call.stored.values()) {
            long[] now = of(call, s, some);
            if (!s.written()) {
                continue;
            }
            if (!s.hasNaN() && !Arrays.equals(now, of(call, s, plain))
                    || Arrays.stream(now).anyMatch(bits -> Double.isNaN(Double.longBitsToDouble(bits)))) {
                return true;
            }
        }
        return false;
    }

    /** The elements of one operand. */
    private static long[] of(TableCall call, Stored operand, long[] results) {
        int from = 0;
        for (Stored s : call.stored.values()) {
            int numbers = s.parts() * s.at().length;
            if (s == operand) {
                return Arrays.copyOfRange(results, from, from + numbers);
            }
            from += numbers;
        }
        throw new AssertionError(operand);
    }

    private static List<long[]> results(Device device, Handle handle, TableCall call, long seed) {
        try (DeviceArena arena = device.arena()) {
            Loaded memory = new Loaded(call, arena, Set.of(), seed);
            ClassicName.run(call, memory, handle, false);
            return memory.results();
        }
    }
}
