package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every routine of the table with each of its arguments wrong in its turn: sizes below 0, leading dimensions that are too small,
 * increments of 0 where level 2 and LAPACK refuse them, missing options, operands that are null, closed, or end an element early.
 * The error has the status of the documents and names the argument, and no memory has changed. No routine is named here.
 */
class EveryMisuseTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261129);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");
    private static final int LARGEST = 12;

    static List<String> devices() {
        return Devices.NAMES.size() == 1 ? Devices.NAMES : List.of(Devices.NAMES.get(0), "sim:seed=3");
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void isRefusedByName(String name) {
        int refused = 0;
        List<AssertionError> wrong = new ArrayList<>();
        for (Routine routine : Signatures.all()) {
            List<Typing> typings = routine.signature().typings();
            for (int type : Share.draw("misuse " + routine.family() + name, typings.size(), 1)) {
                if (routine.family().matches(FAMILY)) {
                    try {
                        refused += every(name, routine, typings.get(type));
                    } catch (AssertionError e) {
                        wrong.add(e);
                    }
                }
            }
        }
        System.out.println("misuse on " + name + ": " + refused + " calls of all routines were refused");
        assertThat(wrong).isEmpty();
        assertThat(refused).isPositive();
    }

    private static int every(String name, Routine routine, Typing typing) {
        long seed = SEED + 31L * (typing.name() + name).hashCode();
        Random random = new Random(seed);
        Form form = Form.values()[random.nextInt(Form.values().length)];
        TableCall call = new TableCall(routine, typing, form, LARGEST, random, form == Form.PLAIN ? 1 : 2);
        if (!ClassicName.has(call)) {
            return 0;
        }
        try (Device device = Devices.open(name);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            Attempts attempts = new Attempts(call, handle, new Loaded(call, arena, Set.of(), seed));
            attempts.numbers();
            attempts.pointers(closed(device));
            return attempts.refused;
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(call + " on " + name + ", seed " + seed + " of " + SEED + ":\n" + e, e);
        }
    }

    private static DevicePointer closed(Device device) {
        try (DeviceArena brief = device.arena()) {
            return brief.allocate(1 << 16).pointer();
        }
    }

    /** What is done to one call. */
    private static final class Attempts {
        private final TableCall call;
        private final Handle handle;
        private final Loaded memory;
        private final Map<String, double[]> right = new LinkedHashMap<>();
        private int refused;

        Attempts(TableCall call, Handle handle, Loaded memory) {
            this.call = call;
            this.handle = handle;
            this.memory = memory;
            ClassicName.run(call, memory, handle, false);
            call.stored.keySet().forEach(name -> right.put(name, memory.content(name)));
            memory.reload();
        }

        void numbers() {
            boolean sizes = !call.routine.signature().level().equals("1");
            if (call.form != Form.PLAIN) {
                number("batch_count", -1, sizes);
            }
            for (Argument argument : call.arguments()) {
                if (argument instanceof Argument.Choice) {
                    refuse(new Wrong(call, argument.name(), 0), Status.INVALID_VALUE, argument.name());
                } else if (argument instanceof Argument.Dimension) {
                    number(argument.name(), -1, sizes);
                } else if (argument instanceof Argument.Array array && Arguments.hasStep(array)) {
                    Stored s = call.stored.get(argument.name());
                    if (array.matrix()) {
                        number(Wrong.stepName(array), array.below() != null ? 0 : s.rows() - 1, true);
                    } else if (!Arguments.mayStandStill(call.routine)) {
                        number(Wrong.stepName(array), 0, true);
                    }
                }
            }
        }

        /** Level 1 takes sizes below 0 for 0. */
        private void number(String argument, long value, boolean wrong) {
            Wrong other = new Wrong(call, argument, value);
            if (wrong) {
                refuse(other, Status.INVALID_SIZE, argument);
                return;
            }
            assertThat(ClassicName.run(other, memory, handle, false)).isEqualTo(Status.SUCCESS);
            call.stored.keySet().stream().filter(name -> !name.equals("result")).forEach(this::unchanged);
            memory.reload();
        }

        /** With memory, and in a query, which looks at none. */
        private void refuse(Wrong wrong, Status status, String argument) {
            boolean query = false;
            do {
                try {
                    if (query) {
                        handle.startDeviceMemorySizeQuery();
                    }
                    ClassicName.run(wrong, query ? null : memory, handle, false);
                    throw new AssertionError(
                            argument + " = " + wrong.value() + " is taken" + (query ? " in a query" : ""));
                } catch (BlasException e) {
                    named(e, status, argument);
                } finally {
                    if (query) {
                        handle.stopDeviceMemorySizeQuery();
                    }
                }
                query = !query;
            } while (query);
            call.stored.keySet().forEach(this::unchanged);
        }

        private void named(BlasException e, Status status, String argument) {
            assertThat(e.status()).as(e.getMessage()).isEqualTo(status);
            assertThat(e.argument()).as(e.getMessage()).isEqualToIgnoringCase(argument);
            assertThat(e.getMessage()).containsIgnoringCase(argument);
            refused++;
        }

        private void unchanged(String name) {
            assertThat(memory.content(name)).as("%s after what was refused", name).isEqualTo(memory.before(name));
        }

        /** What the right call changes must have memory; what it does not need it may do without, to the same results. */
        void pointers(DevicePointer closed) {
            for (Stored s : call.stored.values()) {
                pointer(s.name(), "null", null);
                pointer(s.name(), "closed", closed);
                if (call.form == Form.PLAIN && s.span() > 0) {
                    pointer(s.name(), "an element short", memory.beforeTheEnd(s.name(), s.span() - 1));
                }
            }
        }

        private void pointer(String name, String what, DevicePointer other) {
            memory.replace(name, other);
            try {
                ClassicName.run(call, memory, handle, false);
                for (String each : call.stored.keySet()) {
                    assertThat(memory.content(each)).as("%s with %s %s", each, name, what).isEqualTo(right.get(each));
                }
                assertThat(right.get(name)).as("%s %s is taken and not written", name, what)
                        .isEqualTo(memory.before(name));
                memory.reload();
            } catch (BlasException e) {
                named(e, Status.INVALID_POINTER, name);
                call.stored.keySet().forEach(this::unchanged);
            }
            memory.putBack();
        }
    }
}
