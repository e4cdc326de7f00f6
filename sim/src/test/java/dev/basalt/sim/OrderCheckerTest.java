package dev.basalt.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderCheckerTest {
    @Test
    void whatTheHostHasSeenIsForgottenAndNothingElse() {
        try (SimDriver sim = SimDriver.builder().scheduling(Scheduling.LAZY).open()) {
            long block = sim.allocate(1 << 20);
            long seen = sim.createStream();
            long unseen = sim.createStream();
            sim.fill(block + (1 << 19), 1, (byte) 0, unseen);
            for (int i = 0; i < 20_000; i++) {
                sim.fill(block + i, 1, (byte) 0, seen);
                if (i % 1000 == 999) {
                    sim.synchronizeStream(seen);
                }
            }
            long late = sim.createStream();
            sim.fill(block, 20_000, (byte) 0, late);
            sim.assertNoHazards();
            sim.fill(block + (1 << 19), 1, (byte) 0, late);
            assertThat(sim.hazards()).hasSize(1);
        }
    }

    @Test
    void manyUnorderedOperationsAreChecked() {
        try (SimDriver sim = SimDriver.builder().open()) {
            long[] streams = {sim.createStream(), sim.createStream(), sim.createStream()};
            long event = sim.createEvent();
            long block = sim.allocate(1 << 20);
            for (int i = 0; i < 60_000; i++) {
                int s = i % 3;
                sim.fill(block + s * 100_000 + i % 1000 * 64, 64, (byte) 0, streams[s]);
                if (i % 10 == 0) {
                    sim.recordEvent(event, streams[s]);
                    sim.waitEvent(streams[(s + 1) % 3], event);
                }
            }
            sim.synchronize();
            sim.assertNoHazards();
        }
    }

    /** The operands behind a table that is uploaded in the same stream are known last, and are checked in their place. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOperandKnownLateIsCheckedAgainstWhatWasSubmittedLater(boolean ordered) {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            rig.launch(1, lateWriter(rig));
            if (ordered) {
                rig.order(1, 2);
            }
            rig.fill(2, rig.x, 8);
            rig.sim.synchronize();
            assertThat(rig.sim.hazards()).hasSize(ordered ? 0 : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2048})
    void anOperandKnownLateHidesNoOther(int offset) {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            rig.launch(1, lateWriter(rig));
            rig.order(1, 2);
            rig.fill(1, rig.x + offset, 8);
            rig.sim.run(100);
            rig.fill(2, rig.x + offset, 8);
            assertThat(rig.sim.hazards()).hasSize(1);
        }
    }

    /** Writes 8 bytes at x through a table at y. */
    private static Launch lateWriter(Rig rig) {
        Memory.i64(rig.host, rig.x);
        rig.upload(1, rig.host, rig.y, 8);
        Launch launch = Rig.copy(1, rig.y + 64, rig.y);
        launch.c.pointers = true;
        return launch;
    }
}
