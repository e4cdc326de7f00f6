package dev.basalt.sim;

import static dev.basalt.sim.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StreamsTest {
    @Test
    void lazyWorkWaitsForTheHost() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            rig.fill(1, rig.x, 8);
            rig.fill(2, rig.y, 8);
            assertThat(rig.sim.pending()).isEqualTo(2);
            rig.sim.synchronizeStream(rig.stream[1]);
            assertThat(rig.sim.pending()).isOne();
            assertThat(Memory.i8(rig.x)).isOne();
            assertThat(Memory.f64(rig.y)).isNaN();
            assertThat(rig.sim.run(10)).isOne();
            assertThat(Memory.i8(rig.y)).isOne();
        }
    }

    @Test
    void eagerWorkHasRun() {
        try (Rig rig = Rig.of(Scheduling.EAGER, 1)) {
            rig.fill(1, rig.x, 8);
            assertThat(rig.sim.pending()).isZero();
        }
    }

    @Test
    void seedsDifferAndEachIsRepeatable() {
        Set<List<Byte>> orders = new HashSet<>();
        for (long seed = 0; seed < 50; seed++) {
            List<Byte> order = lastWriters(seed);
            assertThat(lastWriters(seed)).as("seed %d", seed).isEqualTo(order);
            orders.add(order);
        }
        assertThat(orders).hasSizeGreaterThan(10);
    }

    /** Which of two racing streams wrote each byte last. */
    private static List<Byte> lastWriters(long seed) {
        try (Rig rig = Rig.of(Scheduling.RANDOM, seed)) {
            for (int i = 0; i < 16; i++) {
                rig.sim.fill(rig.x + i, 1, (byte) 1, rig.stream[1]);
                rig.sim.fill(rig.x + i, 1, (byte) 2, rig.stream[2]);
            }
            rig.sim.synchronize();
            List<Byte> bytes = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                bytes.add(Memory.i8(rig.x + i));
            }
            return bytes;
        }
    }

    @Test
    void someSeedsRunWorkEarlyAndSomeLate() {
        int early = 0;
        int late = 0;
        for (long seed = 0; seed < 100; seed++) {
            try (Rig rig = Rig.of(Scheduling.RANDOM, seed)) {
                for (int i = 0; i < 10; i++) {
                    rig.fill(1, rig.x, 8);
                }
                early += rig.sim.pending() == 0 ? 1 : 0;
                late += rig.sim.pending() == 10 ? 1 : 0;
            }
        }
        assertThat(early).isGreaterThan(10);
        assertThat(late).isGreaterThan(10);
    }

    @ParameterizedTest
    @EnumSource
    void aStreamRunsInOrder(Scheduling mode) {
        try (Rig rig = Rig.of(mode, 3)) {
            for (int i = 1; i <= 100; i++) {
                rig.sim.fill(rig.x, 8, (byte) i, rig.stream[1]);
            }
            rig.sim.synchronizeStream(rig.stream[1]);
            assertThat(Memory.i8(rig.x)).isEqualTo((byte) 100);
        }
    }

    @ParameterizedTest
    @EnumSource
    void pollingComesToAnEnd(Scheduling mode) {
        try (Rig rig = Rig.of(mode, 3)) {
            for (int i = 0; i < 20; i++) {
                rig.fill(1, rig.x, 8);
                rig.order(1, 2);
            }
            rig.sim.recordEvent(rig.event[0], rig.stream[2]);
            int queries = 1;
            while (!rig.sim.queryEvent(rig.event[0])) {
                queries++;
                assertThat(queries).isLessThan(1000);
            }
            rig.fill(3, rig.x, 8);
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void anEventIsCompleteUntilRecorded() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            rig.fill(1, rig.x, 8);
            assertThat(rig.sim.queryEvent(rig.event[0])).isTrue();
            rig.sim.synchronizeEvent(rig.event[0]);
            rig.sim.waitEvent(rig.stream[2], rig.event[0]);
            assertThat(rig.sim.pending()).isOne();
        }
    }

    @Test
    void aLaunchIsCopied() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            rig.fill(1, rig.x, 64);
            Launch launch = Rig.copy(1, rig.x, rig.y);
            rig.launch(1, launch);
            launch.n = 8;
            launch.c.rows = 8;
            launch.a.base = 8;
            rig.sim.synchronize();
            assertThat(Memory.i64(rig.y)).isEqualTo(0x0101010101010101L);
            assertThat(Memory.f64(rig.y + 8)).isNaN();
        }
    }

    @Test
    void workOfADestroyedStreamStillRuns() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            rig.fill(1, rig.x, 8);
            rig.sim.recordEvent(rig.event[0], rig.stream[1]);
            rig.sim.destroyStream(rig.stream[1]);
            rig.sim.waitEvent(rig.stream[2], rig.event[0]);
            rig.sim.destroyEvent(rig.event[0]);
            rig.download(2, rig.x, 8);
            rig.sim.synchronizeStream(rig.stream[2]);
            assertThat(Memory.i8(rig.host)).isOne();
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void handlesThatAreGoneAreRefused() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.sim.destroyStream(rig.stream[1]);
            rig.sim.destroyEvent(rig.event[0]);
            assertRefused(Code.INVALID_HANDLE, () -> rig.fill(1, rig.x, 8));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.synchronizeStream(rig.stream[1]));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.destroyStream(rig.stream[1]));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.recordEvent(rig.event[1], rig.stream[1]));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.recordEvent(rig.event[0], rig.stream[2]));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.waitEvent(rig.stream[2], rig.event[0]));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.queryEvent(rig.event[0]));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.destroyEvent(rig.event[0]));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.synchronizeStream(rig.event[1]));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.destroyStream(0));
        }
    }

    @Test
    void wrongCopiesAreRefusedAndEmptyOnesDoNothing() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.upload(rig.host, 4, rig.x, 8, 8, 2, 0));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.download(rig.x, 4, rig.host, 8, 8, 2, 0));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.upload(0, 8, rig.x, 8, 8, 1, 0));
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.fill(rig.x, -1, (byte) 0, 0));
            rig.sim.upload(0, 0, 0, 0, 8, 0, 0);
            rig.sim.fill(0, 0, (byte) 0, 0);
            assertThat(rig.sim.pending()).isZero();
        }
    }

    @Test
    void matricesAreCopiedColumnByColumn() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            for (int i = 0; i < 6; i++) {
                Memory.i64(rig.host + 8 * i, i);
            }
            rig.sim.upload(rig.host, 24, rig.x, 32, 24, 2, 0);
            rig.sim.download(rig.x, 32, rig.host + 256, 40, 24, 2, 0);
            rig.sim.synchronize();
            assertThat(Memory.i64(rig.x + 32)).isEqualTo(3);
            assertThat(Memory.i64(rig.host + 256 + 40 + 16)).isEqualTo(5);
        }
    }

    @Test
    void aFailingKernelShowsInALaterCallAndSticks() {
        SimBuilder builder = SimDriver.builder().scheduling(Scheduling.EAGER).kernels(launch -> {
            throw new IllegalStateException("boom");
        });
        try (Rig rig = new Rig(builder)) {
            rig.launch(1, Rig.copy(1, rig.x, rig.y));
            assertRefused(Code.FAILED, () -> rig.fill(1, rig.x, 8)).hasMessageContaining("boom");
            rig.sim.clearFault();
            rig.fill(1, rig.x, 8);
            rig.sim.synchronize();
        }
    }
}
