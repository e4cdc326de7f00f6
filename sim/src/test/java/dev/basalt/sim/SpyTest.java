package dev.basalt.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpyTest {
    private static final long MILLISECOND = 1_000_000;

    @Test
    void countsEveryCallBetweenTwoMoments() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            SpyCounts before = rig.sim.counts();
            rig.fill(1, rig.x, 8);
            rig.launch(1, Rig.copy(1, rig.x, rig.y));
            rig.launch(1, Rig.copy(1, rig.x, rig.y));
            SpyCounts steady = rig.sim.counts().since(before);
            assertThat(steady.of(DriverCall.LAUNCH)).isEqualTo(2);
            assertThat(steady.submissions()).isEqualTo(3);
            assertThat(steady.allocations() + steady.frees() + steady.synchronizations()).isZero();
            assertThat(steady.total()).isEqualTo(3);
            assertThat(steady).hasToString("{FILL=1, LAUNCH=2}");
            assertThat(rig.sim.counts().since(rig.sim.counts())).hasToString("{}");

            rig.sim.free(rig.x);
            rig.sim.synchronize();
            rig.sim.synchronizeStream(rig.stream[1]);
            rig.sim.synchronizeEvent(rig.event[0]);
            assertThat(rig.sim.counts().since(before).synchronizations()).isEqualTo(4);
        }
    }

    @Test
    void poolsAreCountedByGrowth() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            long pool = rig.sim.createPool();
            SpyCounts before = rig.sim.counts();
            for (int i = 0; i < 5; i++) {
                rig.sim.freeAsync(rig.sim.allocateAsync(pool, 64, rig.stream[1]), rig.stream[1]);
            }
            SpyCounts calls = rig.sim.counts().since(before);
            assertThat(calls.allocations()).isEqualTo(5);
            assertThat(calls.of(DriverCall.POOL_GROWTH)).isOne();
            assertThat(calls.total()).isEqualTo(10);
            assertThat(calls.equals(rig.sim.counts().since(before))).isTrue();
        }
    }

    @Test
    void logsWhenAsked() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            assertThat(rig.sim.log()).isEmpty();
            rig.sim.logCalls(true);
            rig.sim.recordEvent(rig.event[0], rig.stream[1]);
            rig.sim.synchronizeEvent(rig.event[0]);
            rig.sim.logCalls(false);
            rig.sim.synchronize();
            assertThat(rig.sim.log()).extracting(LoggedCall::call)
                    .containsExactly(DriverCall.RECORD_EVENT, DriverCall.SYNCHRONIZE_EVENT);
            assertThat(rig.sim.log().get(0))
                    .hasToString("RECORD_EVENT event=" + rig.event[0] + " stream=" + rig.stream[1]);
        }
        try (SimDriver sim = SimDriver.builder().logCalls(true).open()) {
            sim.synchronize();
            assertThat(sim.log()).hasSize(1);
        }
    }

    @Test
    void freeWaitsBehindABusyKernelAndOtherWaysOfGrowingDoNot() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.sim.spin(rig.stream[1], 10 * MILLISECOND);
            long pool = rig.sim.createPool();
            long range = rig.sim.reserve(1 << 30);
            assertThat(nanos(rig, () -> rig.sim.commit(range, 0, 32 << 20))).isBetween(60_000L, 100_000L);
            assertThat(nanos(rig, () -> rig.sim.allocate(32 << 20))).isLessThan(100_000);
            assertThat(nanos(rig, () -> rig.sim.allocateAsync(pool, 32 << 20, rig.stream[2]))).isBetween(40_000L,
                    100_000L);
            assertThat(nanos(rig, () -> rig.sim.free(rig.x))).isGreaterThan(9 * MILLISECOND);
            assertThat(nanos(rig, () -> rig.sim.free(rig.y))).isLessThan(100_000);
        }
    }

    @Test
    void aPoolHitCostsLessThanAMicrosecond() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            long pool = rig.sim.createPool();
            rig.sim.freeAsync(rig.sim.allocateAsync(pool, 64, rig.stream[1]), rig.stream[1]);
            assertThat(nanos(rig, () -> rig.sim.allocateAsync(pool, 64, rig.stream[1]))).isLessThan(1_000);
        }
    }

    @Test
    void timeIsTheSameForEverySeed() {
        long expected = -1;
        for (long seed = 1; seed <= 20; seed++) {
            try (Rig rig = Rig.of(Scheduling.values()[(int) seed % 3], seed)) {
                for (int i = 0; i < 20; i++) {
                    rig.fill(1 + i % 3, rig.x, 8);
                    rig.order(1 + i % 3, 1 + (i + 1) % 3);
                }
                rig.sim.synchronizeStream(rig.stream[1]);
                long now = rig.sim.virtualNanos();
                assertThat(now).isPositive();
                expected = expected < 0 ? now : expected;
                assertThat(now).isEqualTo(expected);
            }
        }
    }

    @Test
    void streamsOverlapInTimeUnlessTheyAreOrdered() {
        assertThat(twoSpins(false)).isLessThan(11 * MILLISECOND);
        assertThat(twoSpins(true)).isGreaterThan(20 * MILLISECOND);
    }

    private static long twoSpins(boolean ordered) {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            return nanos(rig, () -> {
                rig.sim.spin(rig.stream[1], 10 * MILLISECOND);
                if (ordered) {
                    rig.order(1, 2);
                }
                rig.sim.spin(rig.stream[2], 10 * MILLISECOND);
                rig.sim.synchronize();
            });
        }
    }

    private static long nanos(Rig rig, Runnable call) {
        long before = rig.sim.virtualNanos();
        call.run();
        return rig.sim.virtualNanos() - before;
    }
}
