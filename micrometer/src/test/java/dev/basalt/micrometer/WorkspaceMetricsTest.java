package dev.basalt.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

/** The meters of a process whose first device comes after the binder. */
class WorkspaceMetricsTest {
    private static double gauge(SimpleMeterRegistry registry, String name) {
        return registry.get(name).tags("device", "host", "app", "test").gauge().value();
    }

    private static double counter(SimpleMeterRegistry registry, String name) {
        return registry.get(name).tag("device", "host").functionCounter().count();
    }

    @Test
    void followsTheWorkspaces() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new WorkspaceMetrics(Tags.of("app", "test")).bindTo(registry);
        int n = 300;
        try (Device device = Device.open("host"); DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, n, n);
            a.upload(new double[n * n]);
            VectorView ipiv = arena.vector(ElementType.I64, n);
            VectorView info = arena.vector(ElementType.I32, 1);
            try (Handle handle = device.createHandle()) {
                assertThat(gauge(registry, "basalt.workspaces")).isEqualTo(1);
                assertThat(gauge(registry, "basalt.workspace.held")).isEqualTo(handle.getDeviceMemorySize());
                Lapack.getrf(handle, a, ipiv, info);
                assertThat(gauge(registry, "basalt.workspace.high.water")).isEqualTo(handle.highWater()).isPositive();
                assertThat(gauge(registry, "basalt.workspace.lent")).isZero();
                assertThat(counter(registry, "basalt.workspace.degraded.calls")).isZero();
            }
            assertThat(gauge(registry, "basalt.workspaces")).isZero();
            assertThat(gauge(registry, "basalt.workspace.held")).isZero();
            try (Handle handle = device.handleBuilder().deviceMemorySize(4096).create()) {
                assertThat(Lapack.getrf(handle, a, ipiv, info)).isEqualTo(Status.PERF_DEGRADED);
            }
            assertThat(counter(registry, "basalt.workspace.degraded.calls")).isEqualTo(1);
        }
        assertThat(registry.getMeters()).hasSize(6);
    }
}
