package dev.basalt.sim;

import static dev.basalt.sim.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceMemoryTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 63, 64, 4096, 1 << 20, (4 << 20) + 3, 9 << 20})
    void freshMemoryIsAlignedAndReadsAsNaN(long bytes) {
        try (SimDriver sim = SimDriver.builder().open()) {
            long address = sim.allocate(bytes);
            assertThat(address % 256).isZero();
            if (bytes >= 8) {
                assertThat(Memory.f64(address)).isNaN();
                assertThat(Memory.f32(address + 4)).isNaN();
                assertThat(Memory.f64(address + (bytes - 8) / 8 * 8)).isNaN();
                assertThat(Memory.i64(address)).isNegative();
            }
        }
    }

    @Test
    void theBudgetIsKeptAndTheMessageHasTheNumbers() {
        try (SimDriver sim = SimDriver.builder().memory(1 << 20).open()) {
            assertThat(sim.totalMemory()).isEqualTo(1 << 20);
            long address = sim.allocate(1000 << 10);
            assertThat(sim.freeMemory()).isEqualTo(24 << 10);
            assertRefused(Code.OUT_OF_MEMORY, () -> sim.allocate(30_000)).hasMessageContaining("30208")
                    .hasMessageContaining("24576 of 1048576");
            assertRefused(Code.OUT_OF_MEMORY, () -> sim.allocate(Long.MAX_VALUE));
            assertThat(sim.allocations()).hasSize(1);
            sim.free(address);
            assertThat(sim.freeMemory()).isEqualTo(1 << 20);
            assertThat(sim.allocations()).isEmpty();
        }
    }

    @Test
    void wrongFreesAreRefused() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.free(rig.x + 8));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.free(rig.host));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.free(0));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.allocate(0));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.allocate(-1));
            rig.sim.free(rig.x);
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.free(rig.x)).hasMessageContaining("freed twice");
            rig.sim.freeMemory();
        }
    }

    @Test
    void freeWaitsForTheWholeDevice() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            rig.fill(1, rig.x, 8);
            rig.fill(2, rig.y, 8);
            SpyCounts before = rig.sim.counts();
            rig.sim.allocate(8);
            assertThat(rig.sim.pending()).isEqualTo(2);
            rig.sim.free(rig.x);
            assertThat(rig.sim.pending()).isZero();
            assertThat(rig.sim.counts().since(before).synchronizations()).isOne();
            rig.fill(3, rig.y, 8);
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void useAfterFreeFailsAndSticks() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.sim.free(rig.x);
            assertRefused(Code.FAILED, () -> rig.fill(1, rig.x, 8)).hasMessageContaining("USE_AFTER_FREE");
            assertRefused(Code.FAILED, () -> rig.fill(1, rig.y, 8)).hasMessageContaining("clearFault");
            assertRefused(Code.FAILED, rig.sim::synchronize);
            assertRefused(Code.FAILED, () -> rig.sim.allocate(8));
            rig.sim.clearFault();
            rig.fill(1, rig.y, 8);
            rig.sim.synchronize();
            assertThat(rig.sim.hazards()).hasSize(1);
            Hazard hazard = rig.sim.hazards().get(0);
            assertThat(hazard.kind()).isEqualTo(Hazard.Kind.USE_AFTER_FREE);
            assertThat(hazard.second().operation()).isEqualTo("fill");
            assertThat(hazard.second().from()).isEqualTo(rig.x);
        }
    }

    @Test
    void useBeyondTheEndFails() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.fill(1, rig.x, Rig.BLOCK);
            assertRefused(Code.FAILED, () -> rig.fill(1, rig.x + 8, Rig.BLOCK)).hasMessageContaining("OUT_OF_BOUNDS");
            rig.sim.clearFault();
            assertRefused(Code.FAILED, () -> rig.fill(1, rig.x - 8, 8));
            rig.sim.clearFault();
            assertRefused(Code.FAILED, () -> rig.download(1, rig.host, 8)).hasMessageContaining("no allocation");
            rig.sim.clearFault();
            assertRefused(Code.FAILED, () -> rig.launch(1, Rig.gemm(4, rig.x, rig.x, rig.x, rig.y, Rig.BLOCK + 1)))
                    .hasMessageContaining("work");
        }
    }

    @Test
    void aKernelThatWritesBehindItsOperandIsFoundWhenTheBlockIsFreed() {
        SimBuilder builder =
                SimDriver.builder().kernels(launch -> Memory.f64(launch.c.at(0) + launch.c.spanBytes(), 1));
        try (Rig rig = new Rig(builder)) {
            rig.launch(1, Rig.copy(Rig.BLOCK / 8, rig.x, rig.y));
            rig.sim.free(rig.x);
            rig.sim.assertNoHazards();
            rig.sim.free(rig.y);
            assertThat(rig.sim.hazards()).extracting(Hazard::kind).containsExactly(Hazard.Kind.OVERRUN);
        }
    }

    @Test
    void alignmentIsAsSet() {
        try (SimDriver sim = SimDriver.builder().alignment(4096).open()) {
            assertThat(sim.traits().alignment()).isEqualTo(4096);
            assertThat(sim.allocate(1) % 4096).isZero();
            assertThat(sim.freeMemory()).isEqualTo((4L << 30) - 4096);
        }
        assertRefused(Code.INVALID_VALUE, () -> SimDriver.builder().alignment(100));
    }

    @Test
    void closingGivesEverythingBackAndRemembersTheLeaks() {
        Rig rig = Rig.of(Scheduling.LAZY, 1);
        rig.sim.createPool();
        rig.fill(1, rig.x, 8);
        rig.close();
        assertThat(rig.sim.leaks()).anyMatch(leak -> leak.contains("4096 bytes"));
        assertThat(rig.sim.leaks()).anyMatch(leak -> leak.startsWith("stream"));
        assertThat(rig.sim.leaks()).anyMatch(leak -> leak.startsWith("event"));
        assertThat(rig.sim.leaks()).anyMatch(leak -> leak.startsWith("pool"));
        assertThat(rig.sim.leaks()).anyMatch(leak -> leak.startsWith("1 operations"));
        assertThat(rig.sim.allocations()).isEmpty();
        assertRefused(Code.INVALID_HANDLE, () -> rig.sim.allocate(8));
        rig.sim.close();
    }

    @Test
    void aCleanDeviceHasNoLeaks() {
        SimDriver sim = SimDriver.builder().open();
        long address = sim.allocate(64);
        long stream = sim.createStream();
        sim.fill(address, 64, (byte) 0, stream);
        sim.synchronizeStream(stream);
        sim.destroyStream(stream);
        sim.free(address);
        assertThat(sim.leaks()).isEmpty();
        sim.close();
        assertThat(sim.leaks()).isEmpty();
    }
}
