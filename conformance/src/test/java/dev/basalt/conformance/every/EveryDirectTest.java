package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.DeviceArena;
import dev.basalt.arrays.ArrayWorkspace;
import dev.basalt.conformance.DirectSide;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import dev.basalt.type.Evect;
import dev.basalt.type.Svect;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every routine of the table that has a small lane: what a small call leaves and reports is what the long way leaves and reports, bit by bit, also where
 * matrices are singular or indefinite, hold NaN, or have pivots that are no rows. By the classic name, on views and on arrays. No routine is named here.
 */
class EveryDirectTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261127);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");
    private static final int TRIALS = Boolean.getBoolean("basalt.test.long") ? 200 : 24;

    /** Sizes that most lanes take, and just beyond. */
    private static final int[] LARGEST = {1, 2, 4, 8, 16, 33, 66};

    /** What is done to the numbers of a call before it is made. */
    private enum Special {
        NONE, ZERO_ON_DIAGONAL, NEGATIVE_ON_DIAGONAL, ZERO_COLUMN, NAN, INFINITY, TINY, NO_ROW
    }

    private static final Set<String> LANES = Stream.of("Level1", "Level2", "Level3", "Lapack")
            .flatMap(EveryDirectTest::lanes)
            .collect(Collectors.toUnmodifiableSet());

    private static Stream<String> lanes(String level) {
        try {
            return Arrays.stream(Class.forName("dev.basalt.Small" + level).getDeclaredMethods())
                    .filter(m -> !m.isSynthetic())
                    .map(m -> m.getName().toLowerCase(Locale.ROOT));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    static List<Arguments> routines() {
        List<Arguments> routines = Signatures.all()
                .stream()
                .filter(r -> r.family().matches(FAMILY) && LANES.contains(lane(r)))
                .map(r -> Arguments.of(lane(r), r))
                .toList();
        if (FAMILY.equals(".*")) {
            assertThat(routines).hasSizeGreaterThan(100);
        }
        return routines;
    }

    private static String lane(Routine routine) {
        String name = routine.signature().getClass().getSimpleName();
        return name.substring(0, name.length() - "Signature".length()).toLowerCase(Locale.ROOT);
    }

    @AfterAll
    static void release() {
        ArrayWorkspace.release();
    }

    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("routines")
    void isThatOfTheLongWay(String lane, Routine routine) {
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            for (Typing typing : routine.signature().typings()) {
                if (typing.compute() != null || typing.operands().stream().anyMatch(e -> e != null && e.bytes() < 4)) {
                    continue;
                }
                for (int trial : Share.draw(lane + typing, 2 * TRIALS, TRIALS)) {
                    long seed = SEED + 31L * (lane + typing.name()).hashCode() + trial;
                    try {
                        trial(direct, hidden, routine, typing, trial, seed);
                    } catch (RuntimeException | AssertionError e) {
                        throw new AssertionError(typing + ", seed " + seed + " of " + SEED + ":\n" + e, e);
                    }
                }
            }
        }
    }

    static List<Arguments> several() {
        return routines().stream().filter(a -> LANES.contains(a.get()[0] + "few")).toList();
    }

    /** A few problems one after the other are those of a launch, whichever of them fails. */
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("several")
    void aFewAreThoseOfTheLongWay(String lane, Routine routine) {
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            for (Typing typing : routine.signature().typings()) {
                if (typing.compute() != null || typing.operands().stream().anyMatch(e -> e != null && e.bytes() < 4)) {
                    continue;
                }
                for (int trial : Share.draw(lane + typing, 2 * TRIALS, TRIALS)) {
                    long seed = SEED + 37L * (lane + typing.name()).hashCode() + trial;
                    few(direct, hidden, routine, typing, trial, new Random(seed));
                }
            }
        }
    }

    private static void few(DirectSide direct, DirectSide hidden, Routine routine, Typing typing, int trial,
            Random random) {
        int largest = LARGEST[trial % LARGEST.length];
        TableCall call = new TableCall(routine, typing, Form.STRIDED, trial % 5 == 0 ? 0 : 1, largest, random,
                1 + random.nextInt(5));
        Special special = Special.values()[trial / 2 % Special.values().length];
        call.problems.forEach(problem -> {
            if (random.nextBoolean()) {
                call.stored.values().forEach(s -> spoil(special, s, problem.arrays().get(s.name()), random));
            }
        });
        String what = call + " with " + special + ", seed " + SEED;
        try (DeviceArena one = direct.device.arena(); DeviceArena two = hidden.device.arena()) {
            Loaded there = new Loaded(call, two, Set.of(), SEED);
            Loaded here = new Loaded(call, one, Set.of(), SEED);
            String expected = outcome(hidden, () -> new ViewName(call, there, hidden.handle).run());
            assertThat(outcome(direct, () -> new ViewName(call, here, direct.handle).run())).as(what)
                    .isEqualTo(expected);
            same(call, here, there, what);
            assertThat(direct.handle.highWater()).as("high water: %s", what).isEqualTo(hidden.handle.highWater());
        }
    }

    static List<Arguments> linear() {
        return routines().stream().filter(a -> ((Routine) a.get()[1]).signature().level().equals("L")).toList();
    }

    /** Calls of LAPACK take the lane at all: on square or tall matrices nothing is launched, on square ones that ask for workspace, and where vectors are a choice, nothing but the first call of a shape. */
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("linear")
    void aSmallCallLaunchesNothing(String lane, Routine routine) {
        AtomicLong launches = new AtomicLong();
        try (DirectSide direct = DirectSide.counting(launches); DeviceArena arena = direct.device.arena()) {
            String engine = direct.device.deviceClass();
            assumeTrue(engine.startsWith("host-assembled"), "skipped: not assembled here: " + engine);
            for (Typing typing : routine.signature().typings()) {
                Random random = new Random(SEED);
                TableCall call;
                ViewName name;
                Loaded memory;
                boolean taken;
                do {
                    call = new TableCall(routine, typing, Form.PLAIN, 3, 8, random, 1);
                    // A part of the rows has launches for what is outside of it.
                    call.sizes.replace("ilo", 1);
                    call.sizes.replace("ihi", call.sizes.getOrDefault("n", 1));
                    memory = new Loaded(call, arena, Set.of(), SEED);
                    name = new ViewName(call, memory, direct.handle);
                    launches.set(0);
                    name.run();
                    int rows = call.sizes.getOrDefault("m", 8);
                    boolean asks = direct.handle.lastCall().optimal() > 0;
                    taken = asks ? rows == call.sizes.get("n") : rows >= call.sizes.get("n");
                } while (!taken);
                // Some kernels tell info where it was cleared.
                long most = call.stored.containsKey("info") ? 2 : 1;
                long first = launches.get();
                if (call.options.values().stream().anyMatch(o -> o instanceof Evect || o instanceof Svect)) {
                    // A driver, whose steps are launches of their own at first.
                    assertThat(first).as("launches of the first %s", call).isPositive();
                } else if (direct.handle.lastCall().optimal() > 0) {
                    assertThat(first).as("launches of the first %s", call).isBetween(1L, most);
                } else {
                    assertThat(first).as("launches of the first %s", call).isZero();
                }
                memory.reload();
                if (ClassicName.has(call)) {
                    ClassicName.run(call, memory, direct.handle, false);
                }
                memory.reload();
                name.run();
                assertThat(launches).as("launches of %s", call).hasValue(first);
            }
        }
    }

    private static void trial(DirectSide direct, DirectSide hidden, Routine routine, Typing typing, int trial,
            long seed) {
        Random random = new Random(seed);
        int largest = LARGEST[trial % LARGEST.length];
        TableCall call = new TableCall(routine, typing, Form.PLAIN, trial % 5 == 0 ? 0 : 1, largest, random, 1);
        Special special = Special.values()[trial / 2 % Special.values().length];
        call.stored.values().forEach(s -> spoil(special, s, call.problems.get(0).arrays().get(s.name()), random));
        String what = call + " with " + special;
        try (DeviceArena one = direct.device.arena(); DeviceArena two = hidden.device.arena()) {
            Loaded there = new Loaded(call, two, Set.of(), seed);
            Loaded here = new Loaded(call, one, Set.of(), seed);
            boolean lapack = routine.signature().level().equals("L");
            if (lapack && ClassicName.has(call)) {
                // Some lanes take a shape only once it has gone the long way.
                outcome(direct, () -> ClassicName.run(call, here, direct.handle, false));
                here.reload();
            }
            if (ClassicName.has(call)) {
                String long1 = outcome(hidden, () -> ClassicName.run(call, there, hidden.handle, false));
                assertThat(outcome(direct, () -> ClassicName.run(call, here, direct.handle, false))).as(what)
                        .isEqualTo(long1);
                same(call, here, there, what);
                arrays(call, here, there, what);
            }
            here.reload();
            there.reload();
            ViewName name = new ViewName(call, here, direct.handle);
            if (name.exists()) {
                if (lapack) {
                    outcome(direct, name::run);
                    here.reload();
                }
                String expected = outcome(hidden, () -> new ViewName(call, there, hidden.handle).run());
                assertThat(outcome(direct, name::run)).as("on views: %s", what).isEqualTo(expected);
                same(call, here, there, "on views: " + what);
            }
            assertThat(direct.handle.highWater()).as("high water: %s", what).isEqualTo(hidden.handle.highWater());
        }
    }

    /** What a call returned or said, without numbers of objects and addresses. */
    static String outcome(DirectSide side, Supplier<Object> call) {
        return side.outcome(call).replaceAll("#\\d+|0x[0-9a-f]+", "");
    }

    /** Operands of two sides are equal bit by bit. */
    static void same(TableCall call, Loaded here, Loaded there, String what) {
        for (String operand : call.stored.keySet()) {
            assertThat(bits(here.content(operand))).as("%s of %s", operand, what)
                    .isEqualTo(bits(there.content(operand)));
        }
    }

    /** On arrays the bits are those of views, where no vector has an increment: it is brought together, and another kernel sums it. */
    private static void arrays(TableCall call, Loaded here, Loaded there, String what) {
        boolean lapack = call.routine.signature().level().equals("L");
        boolean apart = call.stored.values().stream().anyMatch(s -> s.cols() == 1 && s.step() != 0 && s.step() != 1);
        ArrayName name = new ArrayName(call, here, true);
        if (!lapack || apart || !name.exists()) {
            return;
        }
        Object info = name.run();
        name.arrays.forEach((operand, array) -> {
            double[] numbers = new double[Array.getLength(array)];
            Arrays.setAll(numbers, i -> Array.getDouble(array, i));
            assertThat(bits(numbers)).as("%s on arrays of %s", operand, what).isEqualTo(bits(there.content(operand)));
        });
        if (info != null) {
            assertThat(((Number) info).doubleValue()).as("info on arrays of %s", what)
                    .isEqualTo(there.content("info")[there.start("info", 0)]);
        }
    }

    private static long[] bits(double[] numbers) {
        return Arrays.stream(numbers).mapToLong(Double::doubleToLongBits).toArray();
    }

    private static void spoil(Special special, Stored s, double[] numbers, Random random) {
        if (s.at().length == 0 || s.rows() == 0) {
            return;
        }
        int place = random.nextInt(s.rows());
        if (special == Special.NO_ROW && !s.floating() && !s.written()) {
            numbers[s.at()[place]] = random.nextBoolean() ? 0 : s.rows() + 1;
        }
        if (!s.floating() || special == Special.NONE || special == Special.NO_ROW) {
            return;
        }
        boolean column = special == Special.ZERO_COLUMN;
        boolean anywhere = special.ordinal() >= Special.NAN.ordinal();
        int any = random.nextInt(s.at().length);
        for (int e = 0; e < s.at().length; e++) {
            boolean diagonal = s.cols() == 1 ? s.row()[e] == place : s.row()[e] == place && s.col()[e] == place;
            if (anywhere ? e == any : column ? s.col()[e] == Math.min(place, s.cols() - 1) && s.cols() > 1 : diagonal) {
                Arrays.fill(numbers, s.parts() * s.at()[e], s.parts() * s.at()[e] + s.parts(), 0);
                numbers[s.parts() * s.at()[e]] = switch (special) {
                    case NEGATIVE_ON_DIAGONAL -> -9;
                    case NAN -> Double.NaN;
                    case INFINITY -> Double.POSITIVE_INFINITY;
                    case TINY -> s.element().real().bytes() == 4 ? Float.MIN_VALUE : Double.MIN_VALUE;
                    default -> 0;
                };
            }
        }
    }
}
