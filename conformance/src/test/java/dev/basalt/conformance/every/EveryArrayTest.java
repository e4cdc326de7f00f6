package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.arrays.ArrayWorkspace;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import dev.basalt.type.Complex;
import java.lang.reflect.Array;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every routine of the table on arrays of Java, against the same call on views of the CPU: results, the numbers around them, and arrays that are
 * too short. No routine is named here.
 */
class EveryArrayTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261124);
    private static final int TRIALS = Boolean.getBoolean("basalt.test.long") ? 60 : 2;

    /** Which families, as a pattern: all, unless somebody works on a few. */
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");

    static Stream<Arguments> routines() {
        return Signatures.all().stream().filter(r -> r.family().matches(FAMILY)).map(r -> Arguments.of(r.family(), r));
    }

    @AfterAll
    static void release() {
        ArrayWorkspace.release();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("routines")
    void isThatOfViews(String family, Routine routine) {
        try (Device device = Device.open("host:threads=1"); Handle handle = device.createHandle()) {
            for (Typing typing : routine.signature().typings()) {
                if (typing.compute() != null || isNarrow(typing)) {
                    continue;
                }
                for (int trial : Share.draw(typing.name() + typing, TRIALS, 1)) {
                    long seed = SEED + 31L * (typing.name() + typing).hashCode() + trial;
                    trial(device, handle, routine, typing, seed);
                }
            }
        }
    }

    /** Whether elements are in memory only, in no type of Java. */
    private static boolean isNarrow(Typing typing) {
        return typing.operands().stream().anyMatch(element -> element != null && element.bytes() < 4);
    }

    private static void trial(Device device, Handle handle, Routine routine, Typing typing, long seed) {
        Random random = new Random(seed);
        TableCall call = new TableCall(routine, typing, Form.PLAIN, random.nextInt(4) == 0 ? 140 : 40, random);
        if (!ClassicName.has(call)) {
            assertThat(Signatures.all().stream().filter(r -> r.family().equals(routine.family())))
                    .as("%s has no classic name of its own", typing.name())
                    .hasSizeGreaterThan(1);
            return;
        }
        try (DeviceArena arena = device.arena()) {
            List<Reference> references = Reference.of(call);
            Expected expected = new Expected(call, references.get(0));
            Set<String> unread = expected.unread();
            Loaded memory = new Loaded(call, arena, unread, seed);
            ArrayName onArrays = new ArrayName(call, memory, random.nextBoolean());
            tooShort(call, memory, random);
            Object returned = onArrays.run();
            ClassicName.run(call, memory, handle, false);
            expected.check(memory);
            onArrays.arrays.forEach((name, array) -> compare(call, memory, name, array));
            if (returned != null) {
                compareReturned(memory, call, returned);
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(call + " on arrays, seed " + seed + " of " + SEED + ":\n" + e, e);
        }
    }

    private static void compare(TableCall call, Loaded memory, String name, Object array) {
        double[] views = memory.content(name);
        int skipped = views.length - Array.getLength(array);
        double largest = 0;
        for (double v : views) {
            largest = Double.isFinite(v) ? Math.max(largest, Math.abs(v)) : largest;
        }
        for (int i = 0; i < Array.getLength(array); i++) {
            same(call, name + "[" + i + "]", Array.getDouble(array, i), views[skipped + i], largest);
        }
    }

    private static void compareReturned(Loaded memory, TableCall call, Object returned) {
        String name = call.stored.containsKey("info") ? "info" : "result";
        double[] views = memory.content(name);
        int at = memory.start(name, 0) * call.stored.get(name).parts();
        if (returned instanceof Complex z) {
            double size = Math.hypot(views[at], views[at + 1]);
            same(call, "re", z.re(), views[at], size);
            same(call, "im", z.im(), views[at + 1], size);
        } else {
            same(call, name, ((Number) returned).doubleValue(), views[at], Math.abs(views[at]));
        }
    }

    /** Routines whose sums of short real vectors and small matrices are those of loops on the heap, as the page on arrays says; kernels add in another order, or with one rounding. */
    private static final Set<String> LOOPS = Set.of("dot", "asum", "nrm2", "axpy", "rot", "gemv");

    /** Bit by bit, where no vector has an increment, since those are brought together and another kernel sums them, and where no loop does the work. */
    private static void same(TableCall call, String what, double actual, double expected, double size) {
        boolean apart = call.stored.values().stream().anyMatch(s -> s.cols() == 1 && s.step() != 0 && s.step() != 1);
        boolean loop = LOOPS.contains(call.routine.family());
        double error = apart || loop ? 16 * call.terms() * size * (call.single() ? 0x1p-24 : 0x1p-53) : 0;
        if (Math.abs(actual - expected) <= error) {
            return;
        }
        if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
            throw new AssertionError(what + " is " + actual + ", on views " + expected);
        }
    }

    /** Each array that the call looks at is one number too short in its turn; all arrays stay as they were. */
    private static void tooShort(TableCall call, Loaded memory, Random random) {
        for (String name : new ArrayName(call, memory, false).arrays.keySet()) {
            ArrayName shortened = new ArrayName(call, memory, random.nextBoolean());
            Stored s = call.stored.get(name);
            if (s.span() == 0) {
                continue;
            }
            Object array = shortened.arrays.get(name);
            int before = memory.before(name).length - Array.getLength(array) == 0 ? memory.start(name, 0) : 0;
            Object less = Array.newInstance(array.getClass().componentType(), (before + s.span()) * s.parts() - 1);
            System.arraycopy(array, 0, less, 0, Array.getLength(less));
            shortened.replace(name, less);
            Map<String, Object> copies = new LinkedHashMap<>();
            shortened.arrays.forEach((n, a) -> copies.put(n, copy(a)));
            try {
                shortened.run();
            } catch (BlasException e) {
                assertThat(e).hasMessageContaining(" too short").hasMessageContaining(name);
                shortened.arrays.forEach((n, a) -> assertThat(a).as(n).isEqualTo(copies.get(n)));
            }
        }
    }

    private static Object copy(Object array) {
        return switch (array) {
            case double[] a -> a.clone();
            case float[] a -> a.clone();
            default -> ((int[]) array).clone();
        };
    }
}
