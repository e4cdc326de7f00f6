package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Layout;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Stream;
import dev.basalt.sim.SimDriver;
import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;

/** The JFR events say what happened, with the numbers. */
class TelemetryTest {
    @Test
    void eventsReproduceWhatHappened() throws IOException {
        Path file = Files.createTempFile("basalt", ".jfr");
        try (Recording recording = new Recording()) {
            for (String name : List.of("Lease", "Grow", "Trim", "Degraded", "Failure", "SchemeChange", "StreamSwitch",
                    "Plan")) {
                recording.enable("dev.basalt.Workspace" + name).withoutThreshold();
            }
            recording.start();
            try (Device device = Devices.open("sim", 21);
                    Stream stream = device.createStream();
                    Handle handle = device.createHandle();
                    DeviceArena arena = device.arena()) {
                MatrixView a = arena.matrix(ElementType.F64, 80, 80);
                handle.plan(h -> product(h, a));
                handle.setDeviceMemorySize(0);
                product(handle, a);
                handle.setStream(stream);
                handle.trim();
                handle.setDeviceMemorySize(64);
                product(handle, a);
                handle.synchronize();
            }
            recording.stop();
            recording.dump(file);
        }
        Map<String, List<RecordedEvent>> events = ownEvents(file);
        List<RecordedEvent> leases = events.get("Lease");
        assertThat(leases).hasSize(2);
        assertThat(leases.get(0).getString("routine")).isEqualTo("dtrmm");
        assertThat(leases.get(0).getString("shape")).isEqualTo("m=80 n=80");
        long need = leases.get(0).getLong("asked");
        assertThat(need).isPositive();
        assertThat(leases.get(1).getLong("asked")).isLessThanOrEqualTo(64);
        assertThat(events.get("Plan").get(0).getLong("optimal")).isEqualTo(need);
        assertThat(events.get("Grow")).hasSize(1);
        assertThat(events.get("Grow").get(0).getLong("to")).isGreaterThanOrEqualTo(need);
        assertThat(events.get("Degraded")).hasSize(1);
        assertThat(events.get("Degraded").get(0).getLong("optimal")).isEqualTo(need);
        assertThat(events.get("Degraded").get(0).getLong("held")).isEqualTo(64);
        assertThat(events.get("SchemeChange")).hasSize(2);
        assertThat(events.get("StreamSwitch")).hasSize(1);
        assertThat(events.get("Trim")).hasSize(1);
        assertThat(events).doesNotContainKey("Failure");
    }

    @Test
    void usersLeasesFailuresRedzonesAndFallbacksAreToldToo() throws IOException {
        Path file = Files.createTempFile("basalt", ".jfr");
        try (Recording recording = new Recording()) {
            for (String name : List.of("Lease", "Failure", "Hazard")) {
                recording.enable("dev.basalt.Workspace" + name).withoutThreshold();
            }
            recording.start();
            SimDriver poolless = SimDriver.builder().memoryPools(false).open();
            try (Device device = Device.of(poolless);
                    Handle handle = device.handleBuilder().guard(true).streamOrderAlloc(true).create()) {
                assertThat(handle.isStreamOrdered()).isFalse();
                Layout layout = Layout.of("mine", "n=7").tier("one").slot("a", 640);
                handle.deviceMalloc(layout).close();
                handle.setDeviceMemorySize(64);
                assertThat(handle.deviceMalloc(layout).isSuccess()).isFalse();
                assertThatThrownBy(() -> handle.reserve(128)).isInstanceOf(BlasException.class);
                assertThatThrownBy(() -> handle.setDeviceMemorySize(1L << 50)).isInstanceOf(BlasException.class);
                Lease broken = handle.deviceMalloc(64);
                handle.synchronize();
                Memory.fill(broken.slot(0).address() + 64, 1, (byte) 7);
                assertThatThrownBy(broken::close).hasMessageContaining("outside its workspace");
            }
            recording.stop();
            recording.dump(file);
        }
        Map<String, List<RecordedEvent>> events = ownEvents(file);
        assertThat(events.get("Lease").get(0).getString("routine")).isEqualTo("mine");
        assertThat(events.get("Lease").get(0).getString("shape")).isEqualTo("n=7");
        assertThat(events.get("Lease").get(0).getLong("asked")).isEqualTo(640);
        assertThat(events.get("Failure").stream().map(e -> e.getString("routine"))).containsExactly("mine", "reserve",
                "setDeviceMemorySize");
        assertThat(events.get("Hazard").stream().map(e -> e.getString("kind"))).contains("redzone",
                "stream order fallback");
    }

    /** The events of this thread by their names; other suites run beside this one. */
    private static Map<String, List<RecordedEvent>> ownEvents(Path file) throws IOException {
        List<RecordedEvent> all = RecordingFile.readAllEvents(file);
        Files.delete(file);
        return all.stream()
                .filter(e -> e.getEventType().getName().startsWith("dev.basalt.")
                        && e.getThread().getJavaThreadId() == Thread.currentThread().threadId())
                .collect(Collectors
                        .groupingBy(e -> e.getEventType().getName().substring("dev.basalt.Workspace".length())));
    }

    private static void product(Handle h, MatrixView a) {
        Blas.trmm(h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, a, a, a);
    }
}
