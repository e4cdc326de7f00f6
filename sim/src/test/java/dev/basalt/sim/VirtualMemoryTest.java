package dev.basalt.sim;

import static dev.basalt.sim.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Memory;
import dev.basalt.spi.SystemMemory;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VirtualMemoryTest {
    private static final long GRANULE = 2 << 20;

    @BeforeEach
    void needsASystemThatCan() {
        Assumptions.assumeTrue(SystemMemory.canReserve());
    }

    @Test
    void growsInPlaceByGranulesAgainstTheBudget() {
        try (SimDriver sim = SimDriver.builder().memory(16 << 20).open()) {
            long address = sim.reserve(1L << 40);
            assertThat(address % GRANULE).isZero();
            assertThat(sim.freeMemory()).isEqualTo(16 << 20);
            assertThat(sim.commit(address, 0, 100)).isEqualTo(GRANULE);
            Memory.i64(address + 8, 42);
            assertThat(sim.commit(address, GRANULE, 3 * GRANULE + 1)).isEqualTo(4 * GRANULE);
            assertThat(Memory.i64(address + 8)).isEqualTo(42);
            assertThat(Memory.f64(address + GRANULE)).isNaN();
            assertThat(sim.freeMemory()).isEqualTo((16 << 20) - 4 * GRANULE);
            assertRefused(Code.OUT_OF_MEMORY, () -> sim.commit(address, 4 * GRANULE, 9 * GRANULE));
            assertThat(sim.commit(address, 4 * GRANULE, 8 * GRANULE)).isEqualTo(8 * GRANULE);
            sim.release(address);
            assertThat(sim.freeMemory()).isEqualTo(16 << 20);
            assertThat(sim.counts().synchronizations()).isZero();
            assertRefused(Code.INVALID_VALUE, () -> sim.release(address));
        }
    }

    @Test
    void onlyWhatIsCommittedCanBeUsed() {
        try (SimDriver sim = SimDriver.builder().open()) {
            long address = sim.reserve(8 * GRANULE);
            sim.commit(address, 0, 1);
            sim.fill(address, GRANULE, (byte) 0, 0);
            assertRefused(Code.FAILED, () -> sim.fill(address, GRANULE + 1, (byte) 0, 0));
        }
    }

    @Test
    void wrongCommitsAreRefused() {
        try (SimDriver sim = SimDriver.builder().open()) {
            long address = sim.reserve(4 * GRANULE);
            assertRefused(Code.INVALID_VALUE, () -> sim.commit(address, GRANULE, 2 * GRANULE));
            assertRefused(Code.INVALID_VALUE, () -> sim.commit(address, 0, 4 * GRANULE + 1));
            assertRefused(Code.INVALID_VALUE, () -> sim.commit(address + GRANULE, 0, 1));
            assertRefused(Code.INVALID_VALUE, () -> sim.free(address));
            assertRefused(Code.INVALID_VALUE, () -> sim.reserve(0));
            assertRefused(Code.OUT_OF_MEMORY, () -> sim.reserve(Long.MAX_VALUE));
        }
    }

    @Test
    void workThatStillUsesAReleasedRangeFails() {
        try (SimDriver sim = SimDriver.builder().scheduling(Scheduling.LAZY).open()) {
            long address = sim.reserve(GRANULE);
            sim.commit(address, 0, 1);
            sim.fill(address, 64, (byte) 0, 0);
            sim.release(address);
            assertRefused(Code.FAILED, sim::synchronize);
            assertThat(sim.hazards()).extracting(Hazard::kind)
                    .containsExactly(Hazard.Kind.RACE, Hazard.Kind.USE_AFTER_FREE);
        }
    }

    @Test
    void aDeviceWithoutVirtualMemorySaysSo() {
        try (SimDriver sim = SimDriver.builder().virtualMemory(false).open()) {
            assertThat(sim.traits().virtualMemory()).isFalse();
            assertRefused(Code.NOT_SUPPORTED, () -> sim.reserve(GRANULE));
            assertRefused(Code.NOT_SUPPORTED, () -> sim.commit(0, 0, 1));
            assertRefused(Code.NOT_SUPPORTED, () -> sim.release(0));
        }
    }
}
