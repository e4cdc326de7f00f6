package dev.basalt.sim;

import static dev.basalt.sim.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Memory;
import org.junit.jupiter.api.Test;

class PoolsTest {
    private static final long BYTES = 1 << 20;

    @Test
    void theSameStreamReusesAtOnceWithoutNewMemory() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long pool = rig.sim.createPool();
            long first = allocate(rig, pool, 1);
            rig.fill(1, first, BYTES);
            rig.sim.freeAsync(first, rig.stream[1]);
            SpyCounts before = rig.sim.counts();
            long free = rig.sim.freeMemory();
            for (int i = 0; i < 10; i++) {
                long again = allocate(rig, pool, 1);
                assertThat(again).isEqualTo(first);
                rig.fill(1, again, BYTES);
                rig.sim.freeAsync(again, rig.stream[1]);
            }
            assertThat(rig.sim.freeMemory()).isEqualTo(free);
            assertThat(rig.sim.counts().since(before).of(DriverCall.POOL_GROWTH)).isZero();
            rig.sim.synchronize();
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void anotherStreamReusesOnlyWhatIsOrdered() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long pool = rig.sim.createPool();
            long first = allocate(rig, pool, 1);
            rig.sim.freeAsync(first, rig.stream[1]);
            long other = allocate(rig, pool, 2);
            assertThat(other).isNotEqualTo(first);
            rig.order(1, 3);
            assertThat(allocate(rig, pool, 3)).isEqualTo(first);
            rig.sim.freeAsync(other, rig.stream[2]);
            rig.sim.synchronizeStream(rig.stream[2]);
            assertThat(allocate(rig, pool, 1)).isEqualTo(other);
            rig.sim.freeAsync(other, rig.stream[1]);
            rig.sim.synchronize();
            assertThat(allocate(rig, pool, 3)).isEqualTo(other);
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void aPoolThatGoesLeavesABlockThatWasAllocatedAgain() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long pool = rig.sim.createPool();
            long first = allocate(rig, pool, 1);
            rig.sim.freeAsync(first, rig.stream[1]);
            // The free still waits in the stream when the block is given out again and its pool is destroyed.
            long again = allocate(rig, pool, 1);
            assertThat(again).isEqualTo(first);
            rig.sim.destroyPool(pool);
            rig.sim.synchronize();
            rig.fill(1, again, BYTES);
            rig.sim.freeAsync(again, rig.stream[1]);
            rig.sim.synchronize();
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void aBlockIsNotReusedForMuchLess() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long pool = rig.sim.createPool();
            long large = allocate(rig, pool, 1);
            rig.sim.freeAsync(large, rig.stream[1]);
            assertThat(rig.sim.allocateAsync(pool, BYTES / 2 - 256, rig.stream[1])).isNotEqualTo(large);
            assertThat(rig.sim.allocateAsync(pool, BYTES / 2, rig.stream[1])).isEqualTo(large);
            assertRefused(Code.FAILED, () -> rig.fill(1, large, BYTES / 2 + 1)).hasMessageContaining("OUT_OF_BOUNDS");
        }
    }

    @Test
    void whenTheBudgetIsSpentAStreamIsMadeToWaitForAnother() {
        try (Rig rig = small(Scheduling.LAZY)) {
            long pool = rig.sim.createPool();
            long first = rig.sim.allocateAsync(pool, 3 << 20, rig.stream[1]);
            rig.fill(1, first, 8);
            assertRefused(Code.OUT_OF_MEMORY, () -> rig.sim.allocateAsync(pool, 2 << 20, rig.stream[2]));
            rig.sim.freeAsync(first, rig.stream[1]);
            assertThat(rig.sim.allocateAsync(pool, 2 << 20, rig.stream[2])).isEqualTo(first);
            rig.fill(2, first, 8);
            rig.sim.synchronizeStream(rig.stream[2]);
            rig.sim.assertNoHazards();
            assertThat(rig.sim.pending()).isZero();
        }
    }

    @Test
    void whenTheBudgetIsSpentUnusedBlocksGoBackFirst() {
        try (Rig rig = small(Scheduling.EAGER)) {
            long pool = rig.sim.createPool();
            for (int i = 0; i < 3; i++) {
                rig.sim.freeAsync(rig.sim.allocateAsync(pool, BYTES >> i, rig.stream[i + 1]), rig.stream[i + 1]);
            }
            long large = rig.sim.allocateAsync(pool, 3 * BYTES + BYTES / 2, rig.stream[1]);
            assertThat(rig.sim.allocations()).anyMatch(a -> a.address() == large);
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void trimmingGivesBackWhatNoPendingWorkUses() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long pool = rig.sim.createPool();
            long before = rig.sim.freeMemory();
            long kept = allocate(rig, pool, 1);
            rig.sim.freeAsync(allocate(rig, pool, 1), rig.stream[1]);
            rig.sim.freeAsync(allocate(rig, pool, 2), rig.stream[2]);
            rig.sim.synchronizeStream(rig.stream[1]);
            rig.sim.trimPool(pool, 3 * BYTES);
            assertThat(rig.sim.freeMemory()).isEqualTo(before - 3 * BYTES);
            rig.sim.trimPool(pool, 0);
            assertThat(rig.sim.freeMemory()).isEqualTo(before - 2 * BYTES);
            rig.sim.synchronize();
            rig.sim.trimPool(pool, 0);
            assertThat(rig.sim.freeMemory()).isEqualTo(before - BYTES);
            rig.sim.freeAsync(kept, rig.stream[1]);
        }
    }

    @Test
    void aDestroyedPoolGivesItsMemoryBackBehindTheWork() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long before = rig.sim.freeMemory();
            long pool = rig.sim.createPool();
            long used = allocate(rig, pool, 1);
            long freed = allocate(rig, pool, 1);
            rig.sim.freeAsync(freed, rig.stream[1]);
            rig.sim.destroyPool(pool);
            assertThat(rig.sim.freeMemory()).isEqualTo(before - 2 * BYTES);
            assertRefused(Code.INVALID_HANDLE, () -> allocate(rig, pool, 1));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.destroyPool(pool));
            rig.fill(1, used, BYTES);
            rig.sim.synchronize();
            assertThat(rig.sim.freeMemory()).isEqualTo(before - BYTES);
            rig.sim.freeAsync(used, rig.stream[1]);
            rig.sim.synchronize();
            assertThat(rig.sim.freeMemory()).isEqualTo(before);
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void wrongFreesAreRefused() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            long pool = rig.sim.createPool();
            long address = allocate(rig, pool, 1);
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.free(address));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.freeAsync(rig.x, rig.stream[1]));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.freeAsync(address + 256, rig.stream[1]));
            rig.sim.freeAsync(address, rig.stream[1]);
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.freeAsync(address, rig.stream[1]))
                    .hasMessageContaining("freed twice");
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.trimPool(12, 0));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.allocateAsync(pool, 0, rig.stream[1]));
        }
    }

    @Test
    void useAfterTheFreeFailsWhenItIsSubmitted() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long address = allocate(rig, rig.sim.createPool(), 1);
            rig.sim.freeAsync(address, rig.stream[1]);
            assertRefused(Code.FAILED, () -> rig.fill(1, address, 8)).hasMessageContaining("USE_AFTER_FREE");
        }
    }

    @Test
    void useOnAnotherStreamFailsWhenItRunsBehindTheFree() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long address = allocate(rig, rig.sim.createPool(), 1);
            rig.order(1, 2);
            rig.fill(2, address, 8);
            rig.sim.freeAsync(address, rig.stream[1]);
            rig.sim.synchronizeStream(rig.stream[1]);
            assertRefused(Code.FAILED, () -> rig.sim.synchronizeStream(rig.stream[2]));
            assertThat(rig.sim.hazards()).extracting(Hazard::kind)
                    .containsExactly(Hazard.Kind.RACE, Hazard.Kind.USE_AFTER_FREE);
        }
    }

    @Test
    void reusedMemoryIsPoisonedInStreamOrder() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long pool = rig.sim.createPool();
            long address = rig.sim.allocateAsync(pool, 64, rig.stream[1]);
            rig.fill(1, address, 64);
            rig.download(1, address, rig.host, 8);
            rig.sim.freeAsync(address, rig.stream[1]);
            assertThat(rig.sim.allocateAsync(pool, 64, rig.stream[1])).isEqualTo(address);
            rig.download(1, address, rig.host + 8, 8);
            rig.sim.synchronize();
            assertThat(Memory.i64(rig.host)).isEqualTo(0x0101010101010101L);
            assertThat(Memory.f64(rig.host + 8)).isNaN();
        }
    }

    @Test
    void aDeviceWithoutPoolsSaysSo() {
        try (SimDriver sim = SimDriver.builder().memoryPools(false).open()) {
            assertThat(sim.traits().memoryPools()).isFalse();
            assertRefused(Code.NOT_SUPPORTED, sim::createPool);
            assertRefused(Code.NOT_SUPPORTED, () -> sim.allocateAsync(1, 8, 0));
            assertRefused(Code.NOT_SUPPORTED, () -> sim.freeAsync(8, 0));
        }
    }

    private static long allocate(Rig rig, long pool, int stream) {
        return rig.sim.allocateAsync(pool, BYTES, rig.stream[stream]);
    }

    /** A device of 4 MiB, of which the rig has taken a little. */
    private static Rig small(Scheduling mode) {
        return new Rig(SimDriver.builder().memory(4 << 20).scheduling(mode));
    }
}
