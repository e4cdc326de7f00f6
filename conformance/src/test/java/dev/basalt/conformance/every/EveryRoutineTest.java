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
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every routine of the table by its classic name, against its definition and against OpenBLAS. No routine is named here. */
class EveryRoutineTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261122);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");
    private static final int TRIALS = Boolean.getBoolean("basalt.test.long") ? 60 : 2;

    static Stream<Arguments> calls() {
        return Devices.NAMES.stream()
                .flatMap(device -> Signatures.all()
                        .stream()
                        .filter(r -> r.family().matches(FAMILY))
                        .map(r -> Arguments.of(device, r.family(), r)));
    }

    @OnDevice
    @ParameterizedTest(name = "{1} on {0}")
    @MethodSource("calls")
    void isRight(String device, String family, Routine routine) {
        try (Device opened = Devices.open(device); Handle handle = opened.createHandle()) {
            for (Typing type : routine.signature().typings()) {
                int forms = device.equals(Devices.NAMES.get(0)) ? Form.values().length : 1;
                for (int number : Share.draw(family + type.name() + type + device, Form.values().length, forms)) {
                    Form form = Form.values()[number];
                    String what = family + type.name() + type + form + device;
                    for (int trial : Share.draw(what, TRIALS, 1)) {
                        long seed = SEED + 31L * (type.name() + type + form + device).hashCode() + trial;
                        trial(opened, handle, routine, type, form, device, seed);
                    }
                }
            }
        }
    }

    private static void trial(Device device, Handle handle, Routine routine, Typing type, Form form, String name,
            long seed) {
        Random random = new Random(seed);
        int largest = name.startsWith("sim") ? 20 : random.nextInt(4) == 0 ? 140 : 40;
        TableCall call = new TableCall(routine, type, form, largest, random);
        if (!ClassicName.has(call)) {
            assertThat(Signatures.all().stream().filter(r -> r.family().equals(routine.family())))
                    .as("%s has no classic name of its own", type.name())
                    .hasSizeGreaterThan(1);
            return;
        }
        try (DeviceArena arena = device.arena()) {
            List<Reference> references = Reference.of(call);
            Expected first = new Expected(call, references.get(0));
            Set<String> unread = first.unread();
            Loaded memory = new Loaded(call, arena, unread, seed);
            ClassicName.run(call, memory, handle, false);
            first.check(memory);
            for (Reference other : references.subList(1, references.size())) {
                new Expected(call, other).check(memory);
            }
            if (!call.scalars.isEmpty()) {
                Loaded again = new Loaded(call, arena, unread, seed);
                ClassicName.run(call, again, handle, true);
                first.check(again);
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(call + " on " + name + ", seed " + seed + " of " + SEED + ":\n" + e, e);
        }
    }
}
