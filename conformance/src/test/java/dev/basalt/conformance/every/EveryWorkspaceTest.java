package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.CallReport;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Plan;
import dev.basalt.Status;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The workspace of every routine of the table: the query says what the plan says, and the call uses that to the byte, to the same
 * bits as with plenty. With one chunk less than each of its tiers it runs the next lower one or refuses. Operands that are not read need no memory.
 */
class EveryWorkspaceTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261123);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");
    private static final int TRIALS = Boolean.getBoolean("basalt.test.long") ? 100 : 1;
    /** How many forms a run tries of each routine, type and device. */
    private static final int FORMS = 1;

    private static final int CHUNK = 64;

    static Stream<Arguments> calls() {
        List<String> devices = Devices.NAMES.size() == 1 ? Devices.NAMES : List.of(Devices.NAMES.get(0), "sim:seed=3");
        return devices.stream()
                .flatMap(device -> Signatures.all()
                        .stream()
                        .filter(r -> r.family().matches(FAMILY))
                        .map(r -> Arguments.of(device, r.family(), r)));
    }

    @OnDevice
    @ParameterizedTest(name = "{1} on {0}")
    @MethodSource("calls")
    void usesWhatTheQuerySays(String device, String family, Routine routine) {
        for (Typing type : routine.signature().typings()) {
            try (Device opened = Devices.open(device);
                    Handle exact = opened.handleBuilder().guard(true).create();
                    Handle ample = opened.createHandle()) {
                for (int number : Share.draw(family + type.name() + type + device, Form.values().length, FORMS)) {
                    Form form = Form.values()[number];
                    for (int trial = 0; trial < TRIALS; trial++) {
                        long seed = SEED + 31L * (type.name() + type + form + device).hashCode() + trial;
                        int largest = device.startsWith("sim") ? 40 : 90;
                        TableCall call = new TableCall(routine, type, form, largest, new Random(seed));
                        if (ClassicName.has(call)) {
                            trial(opened, exact, ample, call, seed);
                        }
                    }
                }
            }
        }
    }

    private static void trial(Device device, Handle exact, Handle ample, TableCall call, long seed) {
        try (DeviceArena arena = device.arena()) {
            Expected expected = new Expected(call, Reference.of(call).get(0));
            Set<String> unread = expected.unread();
            Loaded memory = new Loaded(call, arena, unread, seed);
            Plan plan = exact.plan(h -> ClassicName.run(call, null, h, false));
            assertThat(plan.calls()).hasSize(1);
            long need = plan.optimal();
            assertThat(query(exact, call, null)).as("query = plan").isEqualTo(need);
            assertThat(query(exact, call, memory)).as("query with memory").isEqualTo(need);
            hold(exact, need);
            exact.resetHighWater();
            assertThat(ClassicName.run(call, memory, exact, false)).isEqualTo(Status.SUCCESS);
            CallReport report = exact.lastCall();
            if (!report.tierName().equals("quick return")) {
                assertThat(report.bytesUsed()).as("used = plan").isEqualTo(need);
                assertThat(exact.highWater()).as("high water = plan").isEqualTo(need);
                if (need > 0) {
                    lowerTiers(exact, call, arena, unread, seed, need, expected);
                }
            }
            same(memory, call, ample, new Loaded(call, arena, unread, seed));
            Loaded absent = new Loaded(call, arena, unread, seed);
            absent.remove(removable(call, unread));
            same(memory, call, ample, absent);
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(call + ", seed " + seed + " of " + SEED + ":\n" + e, e);
        }
    }

    /** The operands that a call may come without: inputs that it does not read, for all of their shape. */
    private static Set<String> removable(TableCall call, Set<String> unread) {
        Set<String> removable = new TreeSet<>(unread);
        removable.removeIf(name -> call.stored.get(name).written() || call.stored.get(name).at().length == 0);
        return removable;
    }

    private static long query(Handle handle, TableCall call, Loaded memory) {
        handle.startDeviceMemorySizeQuery();
        ClassicName.run(call, memory, handle, false);
        return handle.stopDeviceMemorySizeQuery();
    }

    private static void same(Loaded expected, TableCall call, Handle handle, Loaded memory) {
        assertThat(ClassicName.run(call, memory, handle, false)).isEqualTo(Status.SUCCESS);
        for (String name : call.stored.keySet()) {
            assertThat(Arrays.mismatch(memory.content(name), expected.content(name)))
                    .as("first part of %s that differs with plenty of workspace", name)
                    .isEqualTo(-1);
        }
    }

    /** With one chunk less than each tier uses, down to the last, which runs without workspace or is refused with the bytes it needs. */
    private static void lowerTiers(Handle handle, TableCall call, DeviceArena arena, Set<String> unread, long seed,
            long need, Expected expected) {
        long used = need;
        while (used > 0) {
            hold(handle, used - CHUNK);
            Loaded memory = new Loaded(call, arena, unread, seed);
            try {
                assertThat(ClassicName.run(call, memory, handle, false)).isEqualTo(Status.PERF_DEGRADED);
            } catch (BlasException e) {
                assertThat(e.status()).isEqualTo(Status.MEMORY_ERROR);
                assertThat(e.shortage().minimum()).isEqualTo(used);
                return;
            }
            CallReport report = handle.lastCall();
            assertThat(report.tier()).isPositive();
            assertThat(report.bytesUsed()).isLessThan(used);
            assertThat(report.bytesToNextTier()).isGreaterThan(used - CHUNK).isLessThanOrEqualTo(used);
            expected.check(memory);
            used = report.bytesUsed();
        }
    }

    /** Exactly that many bytes, 0 included. */
    private static void hold(Handle handle, long bytes) {
        handle.setDeviceMemorySize(bytes);
        handle.setMaxManagedBytes(bytes);
        assertThat(handle.getDeviceMemorySize()).isEqualTo(bytes);
    }
}
