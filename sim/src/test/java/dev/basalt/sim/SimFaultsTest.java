package dev.basalt.sim;

import static dev.basalt.sim.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.basalt.spi.DriverException.Code;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class SimFaultsTest {
    @Test
    void theKthAllocationFailsOfWhateverKind() {
        for (int k = 1; k <= 4; k++) {
            try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
                long pool = rig.sim.createPool();
                long range = rig.sim.reserve(8 << 20);
                List<ThrowingCallable> calls =
                        List.of(() -> rig.sim.allocate(8), () -> rig.sim.allocateAsync(pool, 8, rig.stream[1]),
                                () -> rig.sim.reserve(8), () -> rig.sim.commit(range, 0, 8));
                rig.sim.faults().failAllocation(k);
                for (int i = 1; i <= calls.size(); i++) {
                    if (i == k) {
                        assertRefused(Code.OUT_OF_MEMORY, calls.get(i - 1)).hasMessageContaining("injected");
                    } else {
                        assertThatCode(calls.get(i - 1)).doesNotThrowAnyException();
                    }
                }
                rig.sim.allocate(8);
            }
        }
    }

    @Test
    void aFailedAllocationChangesNothing() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            long free = rig.sim.freeMemory();
            int count = rig.sim.allocations().size();
            rig.sim.faults().failAllocation(1);
            assertRefused(Code.OUT_OF_MEMORY, () -> rig.sim.allocate(8));
            assertThat(rig.sim.freeMemory()).isEqualTo(free);
            assertThat(rig.sim.allocations()).hasSize(count);
        }
    }

    @Test
    void largeAllocationsFail() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.sim.faults().failAllocationsAbove(1000);
            rig.sim.allocate(1000);
            assertRefused(Code.OUT_OF_MEMORY, () -> rig.sim.allocate(1001)).hasMessageContaining("limit of 1000");
            long range = rig.sim.reserve(1 << 30);
            assertRefused(Code.OUT_OF_MEMORY, () -> rig.sim.commit(range, 0, 1001));
            rig.sim.faults().clear();
            rig.sim.allocate(1001);
            rig.sim.commit(range, 0, 1001);
        }
    }

    @Test
    void freedMemoryComesBackLate() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            long address = rig.sim.allocate(1 << 20);
            long free = rig.sim.freeMemory();
            rig.sim.faults().delayFrees(3);
            rig.sim.free(address);
            assertThat(rig.sim.freeMemory()).isEqualTo(free);
            assertThat(rig.sim.freeMemory()).isEqualTo(free);
            assertThat(rig.sim.freeMemory()).isEqualTo(free + (1 << 20));
        }
    }

    @Test
    void theKthLaunchFailsAndTheDeviceStaysUsable() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            rig.sim.faults().failLaunch(2);
            rig.launch(1, Rig.copy(1, rig.x, rig.y));
            assertRefused(Code.FAILED, () -> rig.launch(1, Rig.copy(1, rig.x, rig.y)));
            assertThat(rig.sim.pending()).isOne();
            rig.launch(1, Rig.copy(1, rig.x, rig.y));
            rig.sim.synchronize();
            rig.sim.assertNoHazards();
        }
    }
}
