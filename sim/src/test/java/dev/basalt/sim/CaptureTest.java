package dev.basalt.sim;

import static dev.basalt.sim.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CaptureTest {
    @ParameterizedTest
    @EnumSource
    void recordsAndReplays(Scheduling mode) {
        try (Rig rig = Rig.of(mode, 5)) {
            Memory.fill(rig.x, 64, (byte) 0);
            Memory.f64(rig.y, 1);
            rig.sim.beginCapture(rig.stream[1]);
            assertThat(rig.sim.isCapturing(rig.stream[1])).isTrue();
            assertThat(rig.sim.isCapturing(rig.stream[2])).isFalse();
            Launch launch = Rig.axpy(1, 2, rig.y, rig.x);
            rig.launch(1, launch);
            launch.reset(launch.kernel, launch.type, 1);
            rig.download(1, rig.x, 8);
            long graph = rig.sim.endCapture(rig.stream[1]);
            assertThat(rig.sim.isCapturing(rig.stream[1])).isFalse();
            assertThat(rig.sim.graphNodes(graph)).isEqualTo(2);
            assertThat(rig.sim.graphAllocationNodes(graph)).isZero();
            assertThat(rig.sim.pending()).isZero();
            for (int i = 0; i < 10; i++) {
                rig.sim.launchGraph(graph, rig.stream[i % 2 + 1]);
                rig.order(i % 2 + 1, 2 - i % 2);
            }
            rig.sim.synchronize();
            assertThat(Memory.f64(rig.host)).isEqualTo(20);
            rig.sim.destroyGraph(graph);
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.launchGraph(graph, rig.stream[1]));
            assertRefused(Code.INVALID_HANDLE, () -> rig.sim.destroyGraph(graph));
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void callsThatAllocateOrWaitAreRefusedAndSpoilTheCapture() {
        List<Consumer<Rig>> calls = List.of(r -> r.sim.allocate(8), r -> r.sim.free(r.x), r -> r.sim.synchronize(),
                r -> r.sim.synchronizeStream(r.stream[1]), r -> r.sim.synchronizeStream(r.stream[2]),
                r -> r.sim.synchronizeEvent(r.event[0]), r -> r.sim.queryEvent(r.event[0]),
                r -> r.sim.destroyStream(r.stream[1]), r -> r.sim.waitEvent(r.stream[1], r.event[0]));
        for (Consumer<Rig> call : calls) {
            try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
                rig.sim.recordEvent(rig.event[0], rig.stream[2]);
                rig.sim.beginCapture(rig.stream[1]);
                rig.fill(1, rig.x, 8);
                assertRefused(Code.CAPTURE, () -> call.accept(rig));
                assertRefused(Code.CAPTURE, () -> rig.fill(1, rig.x, 8)).hasMessageContaining("invalidated");
                assertRefused(Code.CAPTURE, () -> rig.sim.endCapture(rig.stream[1]));
                assertThat(rig.sim.isCapturing(rig.stream[1])).isFalse();
                rig.fill(1, rig.x, 8);
                rig.sim.synchronize();
                rig.sim.assertNoHazards();
            }
        }
    }

    @Test
    void beginAndEndMustMatch() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.beginCapture(0));
            assertRefused(Code.CAPTURE, () -> rig.sim.endCapture(rig.stream[1]));
            rig.sim.beginCapture(rig.stream[1]);
            assertRefused(Code.CAPTURE, () -> rig.sim.beginCapture(rig.stream[1]));
            rig.order(1, 2);
            assertRefused(Code.CAPTURE, () -> rig.sim.endCapture(rig.stream[2]));
            assertThat(rig.sim.graphNodes(rig.sim.endCapture(rig.stream[1]))).isZero();
        }
    }

    @Test
    void aStreamJoinsThroughAnEventAndMustBeJoinedBack() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.sim.beginCapture(rig.stream[1]);
            rig.fill(1, rig.x, 8);
            rig.order(1, 2);
            assertThat(rig.sim.isCapturing(rig.stream[2])).isTrue();
            rig.fill(2, rig.x, 8);
            rig.fill(2, rig.y, 8);
            rig.order(2, 1);
            long graph = rig.sim.endCapture(rig.stream[1]);
            assertThat(rig.sim.graphNodes(graph)).isEqualTo(3);
            assertThat(rig.sim.isCapturing(rig.stream[2])).isFalse();
            rig.sim.assertNoHazards();

            rig.sim.beginCapture(rig.stream[1]);
            rig.order(1, 2);
            rig.fill(2, rig.x, 8);
            assertRefused(Code.CAPTURE, () -> rig.sim.endCapture(rig.stream[1])).hasMessageContaining("joined back");
            assertThat(rig.sim.isCapturing(rig.stream[2])).isFalse();
        }
    }

    @Test
    void anEventLastRecordedInACaptureIsOfNoUseOutside() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.sim.beginCapture(rig.stream[1]);
            rig.sim.recordEvent(rig.event[0], rig.stream[1]);
            rig.sim.endCapture(rig.stream[1]);
            assertRefused(Code.CAPTURE, () -> rig.sim.queryEvent(rig.event[0]));
            assertRefused(Code.CAPTURE, () -> rig.sim.synchronizeEvent(rig.event[0]));
            assertRefused(Code.CAPTURE, () -> rig.sim.waitEvent(rig.stream[2], rig.event[0]));
            rig.sim.recordEvent(rig.event[0], rig.stream[1]);
            rig.sim.synchronizeEvent(rig.event[0]);
        }
    }

    @Test
    void twoCapturesDoNotMix() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.sim.beginCapture(rig.stream[1]);
            rig.sim.beginCapture(rig.stream[2]);
            rig.sim.recordEvent(rig.event[0], rig.stream[1]);
            assertRefused(Code.CAPTURE, () -> rig.sim.waitEvent(rig.stream[2], rig.event[0]));
            assertRefused(Code.CAPTURE, () -> rig.sim.endCapture(rig.stream[1]));
            assertRefused(Code.CAPTURE, () -> rig.sim.endCapture(rig.stream[2]));
        }
    }

    @Test
    void asynchronousAllocationBecomesANode() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long before = rig.sim.freeMemory();
            long pool = rig.sim.createPool();
            long own = rig.sim.allocateAsync(pool, 64, rig.stream[1]);
            rig.sim.beginCapture(rig.stream[1]);
            long address = rig.sim.allocateAsync(pool, 1024, rig.stream[1]);
            rig.fill(1, address, 1024);
            rig.download(1, address, 8);
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.freeAsync(own, rig.stream[1]));
            rig.sim.freeAsync(address, rig.stream[1]);
            assertRefused(Code.FAILED, () -> rig.fill(1, address, 8));
            rig.sim.clearFault();
            rig.sim.clearHazards();
            long graph = rig.sim.endCapture(rig.stream[1]);
            assertThat(rig.sim.graphNodes(graph)).isEqualTo(4);
            assertThat(rig.sim.graphAllocationNodes(graph)).isOne();
            for (int i = 0; i < 3; i++) {
                rig.sim.launchGraph(graph, rig.stream[1]);
            }
            rig.sim.destroyGraph(graph);
            assertThat(rig.sim.freeMemory()).isEqualTo(before - 1024 - 256);
            rig.sim.synchronize();
            assertThat(Memory.i8(rig.host)).isOne();
            assertThat(rig.sim.freeMemory()).isEqualTo(before - 256);
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void anAllocationThatAGraphLeavesIsFreedOutside() {
        try (Rig rig = Rig.of(Scheduling.LAZY, 1)) {
            long pool = rig.sim.createPool();
            long before = rig.sim.freeMemory();
            rig.sim.beginCapture(rig.stream[1]);
            long address = rig.sim.allocateAsync(pool, 1024, rig.stream[1]);
            long graph = rig.sim.endCapture(rig.stream[1]);
            assertRefused(Code.FAILED, () -> rig.fill(1, address, 8));
            rig.sim.clearFault();
            rig.sim.clearHazards();
            rig.sim.launchGraph(graph, rig.stream[1]);
            rig.fill(1, address, 8);
            assertRefused(Code.INVALID_VALUE, () -> rig.sim.launchGraph(graph, rig.stream[1]));
            rig.sim.freeAsync(address, rig.stream[1]);
            rig.sim.launchGraph(graph, rig.stream[1]);
            rig.sim.destroyGraph(graph);
            rig.sim.freeAsync(address, rig.stream[1]);
            rig.sim.synchronize();
            assertThat(rig.sim.freeMemory()).isEqualTo(before);
            rig.sim.assertNoHazards();
        }
    }

    @Test
    void aReplayIntoFreedMemoryIsFound() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.sim.beginCapture(rig.stream[1]);
            rig.fill(1, rig.x, 8);
            long graph = rig.sim.endCapture(rig.stream[1]);
            rig.sim.free(rig.x);
            assertRefused(Code.FAILED, () -> rig.sim.launchGraph(graph, rig.stream[1]))
                    .hasMessageContaining("USE_AFTER_FREE");
        }
    }

    @Test
    void aReplayIntoMemoryThatThePoolGaveToAnotherIsFound() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            long pool = rig.sim.createPool();
            long workspace = rig.sim.allocateAsync(pool, 1024, rig.stream[1]);
            rig.sim.beginCapture(rig.stream[1]);
            rig.fill(1, workspace, 8);
            long graph = rig.sim.endCapture(rig.stream[1]);
            rig.sim.freeAsync(workspace, rig.stream[1]);
            assertThat(rig.sim.allocateAsync(pool, 1024, rig.stream[1])).isEqualTo(workspace);
            assertRefused(Code.FAILED, () -> rig.sim.launchGraph(graph, rig.stream[1]));
        }
    }

    @Test
    void aGraphCanBeLaunchedIntoACapture() {
        try (Rig rig = Rig.of(Scheduling.RANDOM, 1)) {
            rig.sim.beginCapture(rig.stream[1]);
            rig.fill(1, rig.x, 8);
            long inner = rig.sim.endCapture(rig.stream[1]);
            rig.sim.beginCapture(rig.stream[2]);
            rig.sim.launchGraph(inner, rig.stream[2]);
            rig.sim.launchGraph(inner, rig.stream[2]);
            long outer = rig.sim.endCapture(rig.stream[2]);
            rig.sim.destroyGraph(inner);
            assertThat(rig.sim.graphNodes(outer)).isEqualTo(2);
            rig.sim.launchGraph(outer, rig.stream[3]);
            rig.sim.synchronize();
            assertThat(Memory.i8(rig.x)).isOne();
        }
    }
}
