package dev.basalt.conformance.memory;

import static dev.basalt.conformance.memory.LendingTest.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.CallReport;
import dev.basalt.DegradePolicy;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Layout;
import dev.basalt.LeakDetection;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Scheme;
import dev.basalt.Status;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A routine of the user's own: planned, leased, degraded, guarded and reported like those of the library, which it calls. */
@ResourceLock("leak detection")
class UserRoutineTest {
    /** As much as a GPU's library of products wants beside the leases. */
    private static final long ROOM = 64 << 20;

    static List<String> devices() {
        return Devices.names();
    }

    /** C := (A·A)·A, with a copy of A·A in workspace: the first tier in one step, the second a column at a time. */
    private static Status cube(Handle h, MatrixView a, MatrixView c) {
        long n = a.rows();
        Plan products = h.plan(inner -> {
            Blas.gemm(inner, Op.NONE, Op.NONE, 1, a, a, 0, a);
            Blas.gemm(inner, Op.NONE, Op.NONE, 1, a, a, 0, a);
        });
        Layout layout = Layout.of("cube", "n=" + n)
                .tier("at once")
                .slot("square", 8 * n * n)
                .calls(products)
                .tier("by columns")
                .slot("square", 8 * n);
        if (h.isDeviceMemorySizeQuery()) {
            return h.setOptimalDeviceMemorySize(layout);
        }
        try (Lease lease = h.deviceMalloc(layout).orThrow()) {
            if (lease.tier() == 0) {
                MatrixView square = MatrixView.of(ElementType.F64, lease.slot("square").pointer(), n, n, n);
                Blas.gemm(h, Op.NONE, Op.NONE, 1, a, a, 0, square);
                Blas.gemm(h, Op.NONE, Op.NONE, 1, square, a, 0, c);
            } else {
                MatrixView column = MatrixView.of(ElementType.F64, lease.slot("square").pointer(), n, 1, n);
                for (long j = 0; j < n; j++) {
                    Blas.gemv(h, Op.NONE, 1, a, a.column(j), 0, column.column(0));
                    Blas.gemv(h, Op.NONE, 1, a, column.column(0), 0, c.column(j));
                }
            }
            return lease.status();
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void itIsPlannedLeasedDegradedAndReported(String name) {
        int n = 150;
        for (boolean guard : new boolean[] {false, true}) {
            try (Device device = Devices.open(name, 1);
                    Handle handle = device.handleBuilder().guard(guard).create();
                    DeviceArena arena = device.arena()) {
                MatrixView a = arena.matrix(ElementType.F64, n, n);
                MatrixView c = arena.matrix(ElementType.F64, n, n);
                double[] data = new double[n * n];
                for (int i = 0; i < n; i++) {
                    data[i + n * ((i + 1) % n)] = 2;
                }
                a.upload(data);
                long before = handle.getDeviceMemorySize();
                Plan plan = handle.plan(h -> cube(h, a, c));
                assertThat(handle.getDeviceMemorySize()).as("a plan takes nothing").isEqualTo(before);
                assertThat(plan.calls()).hasSize(1);
                assertThat(plan.toString()).contains("cube").contains("n=150").contains("by columns");
                handle.startDeviceMemorySizeQuery();
                assertThat(cube(handle, a, c)).isEqualTo(Status.SIZE_INCREASED);
                assertThat(handle.stopDeviceMemorySizeQuery()).isEqualTo(plan.optimal());

                // Exactly what the query said suffices for the routine and the calls it makes.
                handle.setDeviceMemorySize(plan.optimal());
                assertThat(cube(handle, a, c)).isEqualTo(Status.SUCCESS);
                checkCube(c, n);
                CallReport report = handle.lastCall();
                assertThat(report.routine()).isEqualTo("cube");
                assertThat(report.tierName()).isEqualTo("at once");
                assertThat(report.bytesUsed()).isEqualTo(plan.optimal());

                handle.setDeviceMemorySize(plan.optimal() - 64);
                assertThat(cube(handle, a, c)).isEqualTo(Status.PERF_DEGRADED);
                checkCube(c, n);
                assertThat(handle.lastCall().bytesToNextTier()).isEqualTo(plan.optimal());
                handle.setDegradePolicy(DegradePolicy.FORBID);
                assertThatThrownBy(() -> cube(handle, a, c)).isInstanceOfSatisfying(BlasException.class, e -> {
                    assertThat(e.status()).isEqualTo(Status.MEMORY_ERROR);
                    assertThat(e.getMessage()).contains("cube", "FORBID", "setDeviceMemorySize(" + plan.optimal());
                });
                assertThat(handle.lastCall().status()).isEqualTo(Status.MEMORY_ERROR);
                handle.setDegradePolicy(DegradePolicy.ALLOW);
                handle.setDeviceMemorySize(64);
                Lease lease = handle.deviceMalloc(65, 1);
                assertThat(lease.isSuccess()).isFalse();
                assertThat(lease.failure().shortage().minimum()).isEqualTo(192);
                assertThat(lease.failure().getMessage()).contains("setDeviceMemorySize(192)");
                assertThat(lease.status()).isEqualTo(Status.MEMORY_ERROR);
                lease.close();
            }
        }
    }

    private static void checkCube(MatrixView c, int n) {
        double[] expected = new double[n * n];
        for (int i = 0; i < n; i++) {
            expected[i + n * ((i + 3) % n)] = 8;
        }
        double[] found = new double[n * n];
        c.download(found);
        assertThat(found).isEqualTo(expected);
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void aLeaseAndTheLibrarysCallsAreServedInEverySizeClass(String name) {
        for (int n : new int[] {3, 20, 60, 200, 400}) {
            for (Scheme scheme : Scheme.values()) {
                try (Device device = Devices.open(name, n);
                        DeviceArena arena = device.arena();
                        Handle handle = scheme == Scheme.PREALLOCATED
                                ? device.handleBuilder().deviceMemorySize(ROOM).create()
                                : device.createHandle()) {
                    if (scheme == Scheme.MANUAL) {
                        handle.setDeviceMemorySize(ROOM);
                    } else if (scheme == Scheme.OWNED) {
                        handle.setWorkspace(arena.allocate(ROOM), ROOM);
                    } else if (scheme == Scheme.MANAGED) {
                        handle.setDeviceMemorySize(0);
                    }
                    MatrixView a = arena.matrix(ElementType.F64, n, n);
                    double[] ones = new double[n * n];
                    Arrays.fill(ones, 1);
                    a.upload(ones);
                    try (Lease outer = handle.deviceMalloc(8L * n * n); Lease inner = handle.deviceMalloc(64, 0, 100)) {
                        MatrixView c = MatrixView.of(ElementType.F64, outer.slot(0).pointer(), n, n, n);
                        assertThat(Blas.gemm(handle, Op.NONE, Op.TRANS, 1, a, a, 0, c)).as("n=%d %s", n, scheme)
                                .isEqualTo(Status.SUCCESS);
                        assertThat(Blas.trmm(handle, dev.basalt.type.Side.LEFT, dev.basalt.type.Uplo.LOWER, Op.NONE,
                                dev.basalt.type.Diag.NON_UNIT, 1, a, c, c).isError()).isFalse();
                        double[] found = new double[n * n];
                        c.download(found);
                        for (int i = 0; i < n; i++) {
                            assertThat(found[i]).isEqualTo((i + 1.0) * n);
                        }
                        assertThat(inner.slot(1)).isNull();
                        assertStatus(Status.INTERNAL_ERROR, () -> handle.setDeviceMemorySize(64));
                        assertStatus(Status.INTERNAL_ERROR, () -> handle.setStream(device.defaultStream()));
                    }
                    handle.setStream(device.defaultStream());
                }
            }
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void anyNumberOfSlots(String name) {
        long[] sizes = new long[100];
        Arrays.setAll(sizes, s -> s % 7 == 3 ? 0 : 8L * s + 1);
        for (boolean guard : new boolean[] {false, true}) {
            try (Device device = Devices.open(name, 1);
                    Handle handle = device.handleBuilder().guard(guard).create();
                    Lease lease = handle.deviceMalloc(sizes)) {
                assertThat(lease.slots()).isEqualTo(100);
                long end = 0;
                for (int s = 0; s < 100; s++) {
                    if (s % 7 == 3) {
                        assertThat(lease.slot(s)).isNull();
                    } else {
                        assertThat(lease.slot(s).address()).isGreaterThanOrEqualTo(end);
                        assertThat(lease.slot(s).byteSize()).isGreaterThanOrEqualTo(sizes[s]);
                        end = lease.slot(s).address() + lease.slot(s).byteSize();
                    }
                }
                assertStatus(Status.INVALID_SIZE, () -> lease.slot(100));
                assertStatus(Status.INVALID_SIZE, () -> lease.slot(-1));
            }
        }
    }

    @Test
    void onTheHostASlotIsASegmentAsLongAsItIsLent() {
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MemorySegment kept;
            try (Lease lease = handle.deviceMalloc(64)) {
                kept = lease.slot(0).segment();
                kept.setAtIndex(ValueLayout.JAVA_DOUBLE, 7, 5);
                double[] found = new double[8];
                dev.basalt.VectorView.of(ElementType.F64, lease.slot(0).pointer(), 8, 1).download(found);
                assertThat(found[7]).isEqualTo(5);
                assertThatThrownBy(() -> kept.getAtIndex(ValueLayout.JAVA_DOUBLE, 8))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
            assertThatThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            DeviceArena brief = device.arena();
            MemorySegment memory = brief.allocate(128).segment();
            memory.fill((byte) 3);
            brief.close();
            assertThatThrownBy(() -> memory.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            assertThat(arena.allocate(64).segment().byteSize()).isEqualTo(64);
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void aLostLeaseIsTakenBackAndItsOwnerNamed(String name) throws InterruptedException {
        try (Device device = Devices.open(name, 1); Handle handle = device.createHandle()) {
            handle.setDeviceMemorySize(4096);
            long leaked = LeakDetection.leaked();
            long mark = LeakDetection.mark();
            lose(handle);
            assertThat(LeakDetection.openedSince(mark).toString()).contains("Lease", "4096 bytes", "lent by handle");
            // However long the collector takes; the bound is against a hang.
            for (int i = 0; i < 60_000 && LeakDetection.leaked() == leaked; i++) {
                System.gc();
                Thread.sleep(10);
            }
            try (Lease lease = handle.deviceMalloc(4096)) {
                assertThat(lease.isSuccess()).isTrue();
            }
        }
    }

    @SuppressWarnings("try") // lost on purpose
    private static void lose(Handle handle) {
        Lease lease = handle.deviceMalloc(4096);
        assertThat(lease.isSuccess()).isTrue();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void inAQueryNothingIsLentOrCaptured(String name) {
        try (Device device = Devices.open(name, 1); Handle handle = device.createHandle()) {
            handle.startDeviceMemorySizeQuery();
            assertStatus(Status.INTERNAL_ERROR, () -> handle.deviceMalloc(64));
            assertStatus(Status.INTERNAL_ERROR, () -> handle.capture(h -> {}));
            handle.stopDeviceMemorySizeQuery();
            handle.plan(h -> {
                assertThat(h.isDeviceMemorySizeQuery()).isTrue();
                assertStatus(Status.INTERNAL_ERROR, () -> h.deviceMalloc(64));
                assertStatus(Status.INTERNAL_ERROR, () -> h.capture(i -> {}));
                assertThat(h.setOptimalDeviceMemorySize(100, 100)).isEqualTo(Status.SIZE_INCREASED);
            });
            assertThat(handle.isDeviceMemorySizeQuery()).isFalse();
            assertStatus(Status.INTERNAL_ERROR, () -> handle.setOptimalDeviceMemorySize(64));
        }
    }
}
