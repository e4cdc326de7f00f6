package dev.basalt.conformance.memory;

import static dev.basalt.conformance.memory.LendingTest.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Graph;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Status;
import dev.basalt.Stream;
import dev.basalt.VectorView;
import dev.basalt.sim.DriverCall;
import dev.basalt.sim.SimDriver;
import dev.basalt.sim.SpyCounts;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls recorded into a graph never allocate; growth is refused with the bytes to reserve; a graph keeps its workspace alive.
 * {@code EveryGraphTest} records every routine of the table.
 */
class CaptureTest {
    private static final int N = 50;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void withAPlanNothingIsAllocatedAndReplaysAreRight(boolean streamOrdered) {
        SimDriver sim = SimDriver.builder().seed(11).open();
        try (Device device = Device.of(sim);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).streamOrderAlloc(streamOrdered).create();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, N, N);
            MatrixView b = arena.matrix(ElementType.F64, N, N);
            double[] lower = new double[N * N];
            Arrays.fill(lower, 0.01);
            a.upload(lower);
            b.upload(lower);
            Plan plan = handle.plan(h -> product(h, a, b));
            assertThat(plan.optimal()).isPositive();
            handle.setDeviceMemorySize(0);
            handle.reserve(plan);
            SpyCounts before = sim.counts();
            double[] once = new double[N * N];
            try (Graph graph = handle.capture(h -> product(h, a, b))) {
                SpyCounts calls = sim.counts().since(before);
                assertThat(calls.of(DriverCall.ALLOCATE, DriverCall.ALLOCATE_ASYNC, DriverCall.COMMIT)).isZero();
                b.download(once);
                assertThat(once).as("nothing has run").isEqualTo(lower);
                // Growth after the capture leaves the recorded block alone.
                handle.deviceMalloc(64L << 20).close();
                handle.setDeviceMemorySize(0);
                for (int i = 0; i < 20; i++) {
                    b.upload(lower);
                    graph.launch(stream);
                    stream.synchronize();
                    double[] found = new double[N * N];
                    b.download(found);
                    if (i == 0) {
                        once = found;
                    }
                    assertThat(found).isEqualTo(once);
                }
                b.upload(lower);
                product(handle, a, b);
                double[] eager = new double[N * N];
                b.download(eager);
                assertThat(eager).as("the graph computes what the calls do").isEqualTo(once);
            }
            device.synchronize();
            sim.assertNoHazards();
        }
        assertThat(sim.leaks()).isEmpty();
    }

    private static void product(Handle h, MatrixView a, MatrixView b) {
        Blas.trmm(h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, a, b, b);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void growthIsRefusedWithTheBytesToReserveAndTheStreamGoesOn(boolean streamOrdered) {
        SimDriver sim = SimDriver.builder().seed(12).open();
        try (Device device = Device.of(sim);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).streamOrderAlloc(streamOrdered).create();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, N, N);
            VectorView info = arena.vector(ElementType.I32, 1);
            handle.setDeviceMemorySize(0);
            long need = handle.plan(h -> Lapack.potrf(h, Uplo.LOWER, a, info)).optimal();
            BlasException e = catchThrowableOfType(BlasException.class,
                    () -> handle.capture(h -> Lapack.potrf(h, Uplo.LOWER, a, info)));
            assertThat(e.status()).isEqualTo(Status.MEMORY_ERROR);
            assertThat(e.getMessage()).contains("reserve(" + need + ")");
            handle.reserve(need);
            try (Graph graph = handle.capture(h -> Lapack.potrf(h, Uplo.LOWER, a, info))) {
                graph.launch(stream);
            }
            device.synchronize();
            sim.assertNoHazards();
        }
        assertThat(sim.leaks()).isEmpty();
    }

    @Test
    void resizingInsideACaptureIsRefused() {
        SimDriver sim = SimDriver.builder().seed(13).open();
        try (Device device = Device.of(sim);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).create()) {
            handle.capture(h -> {
                assertStatus(Status.INTERNAL_ERROR, () -> h.setDeviceMemorySize(4096));
                assertStatus(Status.INTERNAL_ERROR, () -> h.reserve(1L << 30));
                assertStatus(Status.INTERNAL_ERROR, h::trim);
            }).close();
            handle.setDeviceMemorySize(4096);
        }
        assertThat(sim.leaks()).isEmpty();
    }

    @Test
    void devicesWithoutCaptureSayIt() {
        try (Device device = Device.open("host"); Handle handle = device.createHandle()) {
            assertStatus(Status.INVALID_VALUE, () -> handle.capture(h -> {}));
            handle.deviceMalloc(64).close();
        }
    }
}
