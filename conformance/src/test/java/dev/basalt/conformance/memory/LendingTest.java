package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.DegradePolicy;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DeviceMemory;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Scheme;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.Workspace;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.sim.DriverCall;
import dev.basalt.sim.SimDriver;
import dev.basalt.sim.SpyCounts;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lending, growth, caps, policies, sharing and misuse. */
class LendingTest {
    static List<String> devices() {
        return Devices.names();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void aLeaseInsideAnotherLiesBehindItAndSecondCloseDoesNothing(String name) {
        try (Device device = Devices.open(name, 1); Handle handle = device.createHandle()) {
            Lease lease = handle.deviceMalloc(64);
            Lease inner = handle.deviceMalloc(128);
            assertThat(inner.slot(0).address()).isEqualTo(lease.slot(0).address() + 64);
            assertThatThrownBy(handle::close).isInstanceOfSatisfying(BlasException.class,
                    e -> assertThat(e.status()).isEqualTo(Status.INTERNAL_ERROR));
            lease.close();
            lease.close();
            assertThat(lease.slot(0).isOpen()).isFalse();
            assertThat(inner.slot(0).isOpen()).isTrue();
            // What was given back early is lent again once nothing lies behind it.
            try (Lease third = handle.deviceMalloc(64)) {
                assertThat(third.slot(0).address()).isEqualTo(inner.slot(0).address() + 128);
            }
            inner.close();
            try (Lease fourth = handle.deviceMalloc(64)) {
                assertThat(fourth.slot(0).address()).isEqualTo(lease.slot(0).address());
            }
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void allSlotsZeroLendNothing(String name) {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                Lease first = handle.deviceMalloc(0, 0);
                Lease second = handle.deviceMalloc(64)) {
            assertThat(first.isSuccess()).isTrue();
            assertThat(first.slot(0)).isNull();
            assertThat(second.isSuccess()).isTrue();
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void fixedSizesNeverGrowAndFailedLeaseHasNoSlots(String name) {
        try (Device device = Devices.open(name, 1); Handle handle = device.createHandle()) {
            handle.setDeviceMemorySize(1024);
            try (Lease lease = handle.deviceMalloc(1024)) {
                assertThat(lease.isSuccess()).isTrue();
            }
            try (Lease lease = handle.deviceMalloc(1024, 1)) {
                assertThat(lease.isSuccess()).isFalse();
                assertThat(lease.slot(0)).isNull();
            }
            assertThat(handle.getDeviceMemorySize()).isEqualTo(1024);
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void managedGrowsOnceAndThenStays(String name) {
        try (Device device = Devices.open(name, 1); Handle handle = device.createHandle()) {
            long big = handle.getDeviceMemorySize() + (1L << 20);
            handle.deviceMalloc(big).close();
            long grown = handle.getDeviceMemorySize();
            assertThat(grown).isGreaterThanOrEqualTo(big);
            long attempts = handle.faults().attempts();
            for (int i = 0; i < 100; i++) {
                handle.deviceMalloc(big).close();
            }
            assertThat(handle.faults().attempts()).isEqualTo(attempts);
            handle.trim();
            assertThat(handle.getDeviceMemorySize()).isZero();
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void capCountsAsCannotBeHad(String name) {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.handleBuilder().maxManagedBytes(1 << 20).create()) {
            assertThat(handle.getDeviceMemorySize()).isLessThanOrEqualTo(1 << 20);
            try (Lease lease = handle.deviceMalloc((1 << 20) + 1)) {
                assertThat(lease.isSuccess()).isFalse();
            }
            try (Lease lease = handle.deviceMalloc(1 << 20)) {
                assertThat(lease.isSuccess()).isTrue();
            }
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void listenerMayFreeMemoryAndAskAgain(String name) {
        try (Device device = Devices.open(name, 1); Handle handle = device.createHandle()) {
            handle.setDeviceMemorySize(0);
            AtomicInteger asked = new AtomicInteger();
            handle.onAllocationFailure(bytes -> asked.incrementAndGet() < 3);
            handle.faults().failAbove(1000);
            try (Lease lease = handle.deviceMalloc(4096)) {
                assertThat(lease.isSuccess()).isFalse();
            }
            assertThat(asked.get()).isGreaterThanOrEqualTo(3);
            asked.set(0);
            handle.onAllocationFailure(bytes -> {
                handle.faults();
                asked.incrementAndGet();
                return asked.get() == 1;
            });
            handle.faults().clear().failAllocation(1);
            try (Lease lease = handle.deviceMalloc(4096)) {
                assertThat(lease.isSuccess()).isTrue();
            }
            assertThat(asked.get()).isEqualTo(1);
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void usersBlocksAreChecked(String name) {
        try (Device device = Devices.open(name, 1);
                Device other = Devices.open(name, 2);
                DeviceArena arena = device.arena();
                DeviceArena elsewhere = other.arena();
                Handle handle = device.createHandle()) {
            DeviceMemory block = arena.allocate(4096);
            if (!name.startsWith("host")) {
                // The host opened twice is one device; simulated devices, and two openings of a GPU, are apart.
                assertStatus(Status.INVALID_POINTER, () -> handle.setWorkspace(elsewhere.allocate(4096), 4096));
            } else {
                handle.setWorkspace(elsewhere.allocate(4096), 4096);
                handle.setWorkspace((DeviceMemory) null, 0);
            }
            assertStatus(Status.INVALID_POINTER,
                    () -> handle.setWorkspace(block.pointer().plus(ElementType.F64, 1), 1024));
            assertStatus(Status.INVALID_SIZE, () -> handle.setWorkspace(block, 63));
            assertStatus(Status.INVALID_SIZE, () -> handle.setWorkspace(block, 4097));
            assertStatus(Status.INVALID_SIZE, () -> handle.setWorkspace(block, -1));
            DeviceMemory gone;
            try (DeviceArena brief = device.arena()) {
                gone = brief.allocate(4096);
            }
            assertStatus(Status.INVALID_POINTER, () -> handle.setWorkspace(gone, 4096));
            assertThat(handle.workspaceScheme()).isEqualTo(Scheme.MANAGED);
            DeviceArena brief = device.arena();
            handle.setWorkspace(brief.allocate(4096), 4096);
            brief.close();
            assertStatus(Status.INVALID_POINTER, () -> handle.deviceMalloc(64));
            handle.setWorkspace((DeviceMemory) null, 0);
            handle.deviceMalloc(64).close();
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void shortageNamesAllNumbersAndTheRemedy(String name) {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            handle.setDegradePolicy(DegradePolicy.FORBID);
            handle.setDeviceMemorySize(64);
            MatrixView a = arena.matrix(ElementType.F64, 200, 200);
            BlasException e =
                    catchThrowableOfType(BlasException.class, () -> Blas.trmm(handle, dev.basalt.type.Side.LEFT,
                            dev.basalt.type.Uplo.LOWER, Op.NONE, dev.basalt.type.Diag.UNIT, 1, a, a, a));
            assertThat(e.status()).isEqualTo(Status.MEMORY_ERROR);
            assertThat(e.routine()).isEqualTo("dtrmm");
            assertThat(e.shortage().held()).isEqualTo(64);
            assertThat(e.shortage().optimal()).isGreaterThan(64);
            assertThat(e.shortage().free()).isPositive();
            assertThat(e.getMessage()).contains("dtrmm")
                    .contains("" + e.shortage().optimal())
                    .contains("setDeviceMemorySize(" + e.shortage().minimum() + ")")
                    .contains("FORBID");
            handle.setDeviceMemorySize(e.shortage().minimum());
            assertThat(Blas.trmm(handle, dev.basalt.type.Side.LEFT, dev.basalt.type.Uplo.LOWER, Op.NONE,
                    dev.basalt.type.Diag.UNIT, 1, a, a, a)).isEqualTo(Status.SUCCESS);
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    @SuppressWarnings("try") // one handle is closed early on purpose
    void twoHandlesShareOneWorkspaceAndTheSumBecomesTheMaximum(String name) {
        try (Device device = Devices.open(name, 1);
                Workspace workspace = device.createWorkspace();
                Handle first = device.handleBuilder().workspace(workspace).create();
                Handle second = device.handleBuilder().workspace(workspace).create();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, 90, 90);
            VectorView info = arena.vector(ElementType.I32, 1);
            VectorView pivots = arena.vector(ElementType.I64, 90);
            Lapack.getrf(first, a, pivots, info);
            Lapack.potrf(second, dev.basalt.type.Uplo.LOWER, a, info);
            long size = workspace.size();
            assertThat(first.getDeviceMemorySize()).isEqualTo(size);
            assertThat(second.getDeviceMemorySize()).isEqualTo(size);
            try (Lease lease = first.deviceMalloc(64)) {
                assertThat(lease.isSuccess()).isTrue();
                try (Lease other = second.deviceMalloc(64)) {
                    assertThat(other.slot(0).address()).isGreaterThanOrEqualTo(lease.slot(0).address() + 64);
                }
            }
            first.close();
            second.deviceMalloc(64).close();
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void planAnswersReserveAndQueriesDoNotDisturbEachOther(String name) {
        try (Device device = Devices.open(name, 1); Handle handle = device.createHandle()) {
            MatrixView a = MatrixView.shape(ElementType.C64, 300, 300);
            VectorView pivots = VectorView.shape(ElementType.I64, 300);
            VectorView info = VectorView.shape(ElementType.I32, 1);
            handle.startDeviceMemorySizeQuery();
            Lapack.getrf(handle, a, null, null);
            Plan plan = handle.plan(h -> {
                Lapack.getrf(h, a, pivots, info);
                Lapack.getrs(h, Op.NONE, a, pivots, MatrixView.shape(ElementType.C64, 300, 7));
            });
            assertThat(handle.isDeviceMemorySizeQuery()).isTrue();
            assertThat(handle.stopDeviceMemorySizeQuery()).isEqualTo(plan.optimal());
            assertThat(plan.calls()).hasSize(2);
            assertThat(plan.peak()).isEqualTo(plan.optimal() == 0 ? -1 : 0);
            assertThat(plan.toString()).contains("zgetrf").contains("m=300 n=300").contains("" + plan.optimal());
            handle.setDeviceMemorySize(0);
            handle.reserve(plan);
            assertThat(handle.getDeviceMemorySize()).isGreaterThanOrEqualTo(plan.optimal());
            handle.trim();
            assertThat(handle.getDeviceMemorySize()).isGreaterThanOrEqualTo(plan.optimal());
        }
    }

    @Test
    void steadyStateMakesNoDeviceCallsButLaunches() {
        SimDriver sim = SimDriver.builder().seed(5).open();
        try (Device device = Device.of(sim);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, 60, 60);
            MatrixView b = arena.matrix(ElementType.F64, 60, 60);
            VectorView info = arena.vector(ElementType.I32, 1);
            VectorView pivots = arena.vector(ElementType.I64, 60);
            a.upload(new double[3600]);
            b.upload(new double[3600]);
            SpyCounts before = sim.counts();
            for (int i = 0; i < 50; i++) {
                Blas.gemm(handle, Op.NONE, Op.TRANS, 1, a, b, 0, b);
                Lapack.getrf(handle, a, pivots, info);
            }
            SpyCounts calls = sim.counts().since(before);
            assertThat(calls.total()).as(calls.toString()).isEqualTo(calls.of(DriverCall.LAUNCH));
            device.synchronize();
        }
    }

    static void assertStatus(Status status, Runnable call) {
        BlasException e = catchThrowableOfType(BlasException.class, call::run);
        assertThat(e).as("expected " + status).isNotNull();
        assertThat(e.status()).as(e.getMessage()).isEqualTo(status);
    }
}
