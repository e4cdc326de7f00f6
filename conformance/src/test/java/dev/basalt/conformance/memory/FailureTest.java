package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.conformance.every.Sample;
import dev.basalt.conformance.support.Share;
import dev.basalt.internal.call.Routine;
import dev.basalt.sim.SimDriver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * For every routine, scheme of allocation and k: the k-th allocation fails; the call then runs a lower tier or refuses, the handle
 * is as it was, nothing leaks, and the next call is right.
 */
class FailureTest {
    private static final int TRIALS = 20;
    private static final int FEW = 3;

    private record Setup(boolean streamOrdered, boolean virtualMemory) {}

    @TestFactory
    List<DynamicTest> everyAllocationFailsOnce() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Routine routine : Sample.routines()) {
            Map<Long, List<Integer>> right = new HashMap<>();
            for (Setup setup : List.of(new Setup(false, true), new Setup(false, false), new Setup(true, false))) {
                tests.add(DynamicTest.dynamicTest(routine.family() + " " + setup, () -> sweep(routine, setup, right)));
            }
        }
        return tests;
    }

    private static void sweep(Routine routine, Setup setup, Map<Long, List<Integer>> right) {
        for (int trial : Share.draw(routine.family(), TRIALS, FEW)) {
            long seed = 1 + trial;
            Sample sample = Sample.of(routine, seed, 50);
            List<Integer> contents = right.computeIfAbsent(seed, s -> contents(sample, s));
            for (int k = 1; k <= 4; k++) {
                if (!oneFailure(sample, setup, seed, k, contents)) {
                    break;
                }
            }
        }
    }

    /** What a call leaves that nothing disturbs, by whatever scheme its handle allocates. */
    private static List<Integer> contents(Sample sample, long seed) {
        try (Device device = Device.of(SimDriver.builder().seed(seed).open());
                Handle calm = device.createHandle();
                DeviceArena arena = device.arena()) {
            Sample.Operands operands = sample.load(arena);
            operands.run(calm);
            return operands.contents();
        }
    }

    /** False if the call made fewer than k allocations. */
    private static boolean oneFailure(Sample sample, Setup setup, long seed, int k, List<Integer> right) {
        String label = sample + " " + setup + " k " + k;
        SimDriver sim = SimDriver.builder().seed(seed).virtualMemory(setup.virtualMemory).open();
        boolean struck;
        try (Device device = Device.of(sim);
                Handle handle = device.handleBuilder().streamOrderAlloc(setup.streamOrdered).create()) {
            handle.setDeviceMemorySize(0);
            int live = sim.allocations().size();
            long before = handle.faults().attempts();
            handle.faults().failAllocation(k);
            try (DeviceArena arena = device.arena()) {
                Sample.Operands operands = sample.load(arena);
                List<Integer> untouched = operands.contents();
                try {
                    Status status = operands.run(handle);
                    struck = handle.faults().attempts() >= before + k;
                    assertThat(status).as(label).isIn(Status.SUCCESS, Status.PERF_DEGRADED);
                    if (status == Status.SUCCESS) {
                        assertThat(operands.contents()).as(label).isEqualTo(right);
                    }
                } catch (BlasException e) {
                    struck = true;
                    assertThat(e.status()).as(label).isEqualTo(Status.MEMORY_ERROR);
                    assertThat(handle.getDeviceMemorySize()).as("as before: " + label).isZero();
                    assertThat(operands.contents()).as("a failed call leaves everything: " + label)
                            .isEqualTo(untouched);
                }
            }
            handle.faults().clear();
            try (DeviceArena arena = device.arena()) {
                Sample.Operands operands = sample.load(arena);
                assertThat(operands.run(handle)).as("the next call: " + label).isEqualTo(Status.SUCCESS);
                assertThat(operands.contents()).as("the next call: " + label).isEqualTo(right);
            }
            handle.setDeviceMemorySize(0);
            device.synchronize();
            handle.trim();
            assertThat(sim.allocations().size()).as("nothing is held: " + label).isLessThanOrEqualTo(live);
        }
        assertThat(sim.leaks()).as(label).isEmpty();
        sim.assertNoHazards();
        return struck;
    }
}
