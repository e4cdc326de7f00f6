package dev.basalt.conformance.support;

import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.type.ElementType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A device and an element type.
 *
 * @param device a name of {@link Devices}
 * @param type a floating type
 */
public record Target(String device, ElementType type) {
    /** Runs one trial only, that of the seed in a failure's message. */
    static final String SEED = "basalt.test.seed";

    /** Makes the tests run for long. */
    static final String LONG = "basalt.test.long";

    /** Makes the suites a size for tools under which all takes long: a tenth of the trials, small shapes but for those that are to be large. */
    public static final String SMALL = "basalt.test.small";

    private static final int TENTH = 10;
    private static final int INDEX_BITS = 24;

    /** Every device with every floating type. */
    public static List<Target> all() {
        List<Target> targets = new ArrayList<>();
        for (String device : Devices.NAMES) {
            for (ElementType type : Targets.TYPES) {
                targets.add(new Target(device, type));
            }
        }
        return targets;
    }

    /** The first device with every floating type, and each other one with a type that this run draws for a test. */
    public static List<Target> share(Object test) {
        return share(test, Targets.TYPES);
    }

    static List<Target> share(Object test, List<ElementType> types) {
        List<Target> targets = new ArrayList<>();
        for (String device : Devices.NAMES) {
            int few = targets.isEmpty() ? types.size() : 1;
            for (int type : Share.draw(test + device, types.size(), few)) {
                targets.add(new Target(device, types.get(type)));
            }
        }
        return targets;
    }

    /** Whether shapes must be small for the sake of time. */
    boolean isSlow() {
        return isSmall() || isSimulated();
    }

    /** Whether all shapes must be, even those that are to be large. */
    boolean isSimulated() {
        return Devices.isSlow(device);
    }

    private static boolean isSmall() {
        return Boolean.getBoolean(SMALL);
    }

    /** Runs a test a number of times; a seed decides each. */
    public void trials(String routine, Profile profile, int trials, Consumer<Trial> test) {
        trials(routine, profile, trials, toString(), test);
    }

    /** As the first form, with the same seeds for targets that are to be compared. */
    public void trials(String routine, Profile profile, int trials, String seeds, Consumer<Trial> test) {
        Long only = Long.getLong(SEED);
        boolean longer = Boolean.getBoolean(LONG);
        long base = (31L * routine.hashCode() + 7L * profile.ordinal() + seeds.hashCode()) & 0x3fff_ffff;
        long most = profile == Profile.TIERS ? 0 : Long.MAX_VALUE;
        try (Device opened = Devices.open(device);
                Handle plain = opened.handleBuilder().maxManagedBytes(most).create();
                Handle guarded = opened.handleBuilder().guard(true).create()) {
            long some = isSmall() ? (trials + TENTH - 1) / TENTH : trials;
            long count = only != null ? 1 : longer ? 20L * trials : some;
            for (long i = 0; i < count; i++) {
                long seed = only != null ? only : base << INDEX_BITS | i;
                run(opened, plain, guarded, routine, profile, seed, test);
            }
        }
    }

    private void run(Device opened, Handle plain, Handle guarded, String routine, Profile profile, long seed,
            Consumer<Trial> test) {
        Handle handle = (profile == Profile.TIERS ? seed % 2 : seed % 5) == 0 ? guarded : plain;
        Trial trial = new Trial(this, opened, handle, profile, seed, seed & ((1L << INDEX_BITS) - 1));
        boolean passed = false;
        try {
            test.accept(trial);
            passed = true;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(routine + " on " + this + " fails with seed " + seed + " (-D" + SEED + "=" + seed
                    + (isSmall() ? " -D" + SMALL + "=true" : "") + "): " + trial + "\n" + e.getMessage(), e);
        } finally {
            if (passed || !isSimulated()) { // a simulated device is out of order after a failure
                trial.close();
            }
        }
    }

    @Override
    public String toString() {
        return device + " " + type.letter();
    }
}
