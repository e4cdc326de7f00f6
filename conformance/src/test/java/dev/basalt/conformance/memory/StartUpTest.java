package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.conformance.support.ChildJvm;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;

/** What the first call of a fresh JVM does not pay for, and that recordings from the command line work all the same. */
class StartUpTest {
    private static final int N = 300;

    /** The first product, with workspace. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) {
            try (Device device = Device.open("host");
                    Handle handle = device.createHandle();
                    DeviceArena arena = device.arena()) {
                MatrixView a = arena.matrix(ElementType.F64, N, N);
                a.upload(new double[N * N]);
                Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, arena.matrix(ElementType.F64, N, N));
                handle.setDeviceMemorySize(0);
                handle.synchronize();
            }
        }
    }

    @Test
    void theFlightRecorderIsNotSetUpByACall() {
        String loaded = ChildJvm.run(Child.class, Map.of(), List.of("-Xlog:class+load:stdout"));
        assertThat(loaded).contains("dev.basalt.internal.telemetry.FlightRecording ");
        assertThat(loaded).as("setting it up takes 100 ms and more")
                .doesNotContain("dev.basalt.internal.telemetry.LeaseEvent", "jdk.jfr.internal.MetadataRepository");
        assertThat(loaded).as("texts joined by invokedynamic, formatted by patterns")
                .doesNotContain("java.lang.String$$StringConcat", "java.util.Formatter$");
    }

    @Test
    void aRecordingFromTheCommandLineHasTheLeases() throws IOException {
        Path file = Files.createTempFile("basalt", ".jfr");
        Path settings = Files.createTempFile("basalt", ".jfc");
        Files.writeString(settings, """
                <?xml version="1.0" encoding="UTF-8"?>
                <configuration version="2.0">
                  <event name="dev.basalt.WorkspaceLease">
                    <setting name="enabled">true</setting><setting name="threshold">0 ns</setting>
                  </event>
                  <event name="dev.basalt.WorkspaceSchemeChange"><setting name="enabled">true</setting></event>
                </configuration>
                """);
        ChildJvm.run(Child.class, Map.of(),
                List.of("-XX:StartFlightRecording:filename=" + file + ",settings=" + settings));
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        Files.delete(file);
        Files.delete(settings);
        assertThat(events).filteredOn(e -> e.getEventType().getName().equals("dev.basalt.WorkspaceLease"))
                .singleElement()
                .satisfies(e -> assertThat(e.getString("routine")).isEqualTo("dgemm"));
        assertThat(events).filteredOn(e -> e.getEventType().getName().equals("dev.basalt.WorkspaceSchemeChange"))
                .isNotEmpty();
    }
}
