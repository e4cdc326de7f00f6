package dev.basalt.conformance.memory;

import static dev.basalt.conformance.memory.LendingTest.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DeviceMemory;
import dev.basalt.Handle;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.Stream;
import dev.basalt.conformance.support.ChildJvm;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.sim.DriverCall;
import dev.basalt.sim.SimAllocation;
import dev.basalt.sim.SimDriver;
import dev.basalt.sim.SpyCounts;
import dev.basalt.spi.DriverException;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Reservations, caps, idle handles, trims and settings where memory is short or the wish makes no sense. */
class ShortageTest {
    static List<String> devices() {
        return Devices.names();
    }

    private static Status call(Handle h, MatrixView a) {
        return Blas.trmm(h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, a, a, a);
    }

    @Test
    void inStreamOrderAReservationHoldsAndNothingIsAllocated() {
        SimDriver sim = SimDriver.builder().seed(1).open();
        try (Device device = Device.of(sim);
                Handle handle = device.handleBuilder().streamOrderAlloc(true).create();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, 90, 90);
            a.upload(new double[8100]);
            handle.reserve(handle.plan(h -> call(h, a)));
            SpyCounts before = sim.counts();
            for (int i = 0; i < 20; i++) {
                assertThat(call(handle, a)).isEqualTo(Status.SUCCESS);
            }
            SpyCounts calls = sim.counts().since(before);
            assertThat(calls.of(DriverCall.ALLOCATE, DriverCall.ALLOCATE_ASYNC, DriverCall.COMMIT)).isZero();
        }
    }

    @Test
    void inStreamOrderTheCapIsNeverPassed() {
        for (int reserved : new int[] {0, 512}) {
            SimDriver sim = SimDriver.builder().seed(2).open();
            try (Device device = Device.of(sim);
                    Stream one = device.createStream();
                    Stream two = device.createStream();
                    Handle handle =
                            device.handleBuilder().stream(one).streamOrderAlloc(true).maxManagedBytes(1024).create()) {
                handle.reserve(reserved);
                for (int i = 0; i < 30; i++) {
                    handle.setStream(i % 3 == 0 ? two : one);
                    long bytes = i % 2 == 0 ? 1024 - reserved : 64 + 64 * (i % 5);
                    try (Lease lease = handle.deviceMalloc(bytes)) {
                        assertThat(lease.isSuccess()).as("lease " + i).isTrue();
                        long held = sim.allocations().stream().mapToLong(SimAllocation::bytes).sum();
                        assertThat(sim.totalMemory() - sim.freeMemory()).as("held, of which " + held + " are in use")
                                .isLessThanOrEqualTo(1024);
                    }
                }
                try (Lease outer = handle.deviceMalloc(640); Lease inner = handle.deviceMalloc(512)) {
                    assertThat(outer.isSuccess()).isTrue();
                    assertThat(inner.isSuccess()).isFalse();
                    assertThat(inner.failure().getMessage()).contains("maxManagedBytes");
                }
                assertStatus(Status.MEMORY_ERROR, () -> handle.reserve(1088));
            }
            assertThat(sim.leaks()).isEmpty();
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void theAnswerOfATrimWithoutRoomIsAnErrorAndNothingChanges(String name) {
        try (Device device = Devices.open(name, 1); Handle handle = device.createHandle()) {
            handle.setDeviceMemorySize(0);
            handle.reserve(4096);
            handle.deviceMalloc(64L << 20).close();
            long before = handle.getDeviceMemorySize();
            handle.faults().failAbove(0);
            assertStatus(Status.MEMORY_ERROR, handle::trim);
            assertThat(handle.getDeviceMemorySize()).isEqualTo(before);
            handle.deviceMalloc(before).close();
            handle.faults().clear();
            handle.trim();
            assertThat(handle.getDeviceMemorySize()).isBetween(4096L, before - 1);
        }
    }

    @Test
    void aFullSimulatedDeviceAsksIdleHandlesToo() {
        for (boolean virtual : new boolean[] {false, true}) {
            SimDriver sim = SimDriver.builder()
                    .seed(3)
                    .memory(64 << 20)
                    .defaultWorkspace(8 << 20)
                    .virtualMemory(virtual)
                    .open();
            try (Device device = Device.of(sim);
                    Handle used = device.createHandle();
                    Handle idle = device.createHandle();
                    Handle busy = device.createHandle();
                    DeviceArena arena = device.arena()) {
                used.deviceMalloc(64).close();
                Lease lease = busy.deviceMalloc(64);
                assertThat(arena.allocate(44 << 20).isOpen()).isTrue();
                assertThat(idle.getDeviceMemorySize()).isZero();
                assertThat(used.getDeviceMemorySize()).isPositive();
                assertThat(busy.getDeviceMemorySize()).isPositive();
                lease.close();
                assertStatus(Status.MEMORY_ERROR, () -> arena.allocate(32 << 20));
            }
            assertThat(sim.leaks()).isEmpty();
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void guardModeFindsAnOperandInTheWorkspaceItsCallIsLent(String name) {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.handleBuilder().guard(true).create();
                DeviceArena arena = device.arena()) {
            int n = 90;
            DeviceMemory block = arena.allocate(4 << 20);
            handle.setWorkspace(block, 4 << 20);
            MatrixView inside = MatrixView.of(ElementType.F64, block.pointer().plus(ElementType.F64, 64), n, n, n);
            MatrixView apart = arena.matrix(ElementType.F64, n, n);
            apart.upload(new double[n * n]);
            BlasException e = catchThrowableOfType(BlasException.class,
                    () -> Blas.trmm(handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, inside, apart, apart));
            assertThat(e.status()).isEqualTo(Status.INVALID_POINTER);
            assertThat(e.getMessage()).contains("(A)", "overlaps the workspace",
                    Long.toHexString(inside.pointer().address()));
            assertThat(Blas.trmm(handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, apart, apart, apart))
                    .isEqualTo(Status.SUCCESS);
            if (name.equals("host")) {
                MatrixView table = arena.pointers(apart, inside);
                MatrixView target = arena.pointers(apart, arena.matrix(ElementType.F64, n, n));
                assertStatus(Status.INVALID_POINTER,
                        () -> Blas.trmm(handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, table, target, target));
            }
        }
    }

    @Test
    void aBlockThatAnotherStreamUsedAsWorkspaceIsWaitedFor() {
        for (long seed = 0; seed < 50; seed++) {
            SimDriver sim = SimDriver.builder().seed(seed).open();
            try (Device device = Device.of(sim);
                    Stream one = device.createStream();
                    Stream two = device.createStream();
                    Handle first = device.handleBuilder().stream(one).create();
                    Handle second = device.handleBuilder().stream(two).create();
                    DeviceArena arena = device.arena()) {
                DeviceMemory block = arena.allocate(1 << 20);
                MatrixView a = arena.matrix(ElementType.F64, 60, 60);
                MatrixView b = arena.matrix(ElementType.F64, 60, 60);
                a.upload(new double[3600]);
                b.upload(new double[3600]);
                first.setWorkspace(block, 1 << 20);
                call(first, a);
                first.setDeviceMemorySize(0);
                second.setWorkspace(block, 1 << 20);
                call(second, b);
                device.synchronize();
                sim.assertNoHazards();
            }
        }
    }

    @Test
    void messagesNameTheRemedyThatHelps() {
        SimDriver sim = SimDriver.builder().seed(4).memory(1 << 20).open();
        try (Device device = Device.of(sim);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).create();
                DeviceArena arena = device.arena()) {
            assertThatThrownBy(() -> handle.setDeviceMemorySize(1 << 21))
                    .hasMessageContaining("ask for less than the 1048576 bytes that the device has");
            handle.setDeviceMemorySize(0);
            arena.allocate(900 << 10);
            assertThatThrownBy(() -> handle.setDeviceMemorySize(512 << 10)).hasMessageContaining("free device memory")
                    .hasMessageNotContaining("call setDeviceMemorySize(");
            MatrixView a = arena.matrix(ElementType.F64, 50, 50);
            assertThatThrownBy(() -> handle.capture(h -> call(h, a))).hasMessageContaining("before capture()")
                    .hasMessageNotContaining("at least 0 bytes");
        }
    }

    @Test
    void whatGoesWrongInACaptureDoesNotHideWhy() {
        SimDriver sim = SimDriver.builder().seed(5).open();
        try (Device device = Device.of(sim);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).create()) {
            Throwable e = org.assertj.core.api.Assertions.catchThrowable(() -> handle.capture(h -> {
                sim.endCapture(((long) stream.toString().charAt(7)) - '0');
                throw new UnsupportedOperationException("the reason");
            }));
            assertThat(e).isInstanceOf(UnsupportedOperationException.class).hasMessage("the reason");
            assertThat(e.getSuppressed()).hasSize(1);
            assertThat(e.getSuppressed()[0]).isInstanceOf(DriverException.class);
            handle.deviceMalloc(64).close();
        }
    }

    /** Creates a handle, and says what came of it. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) {
            try (Device device = Device.open("host");
                    Handle handle = device.createHandle();
                    Lease lease = handle.deviceMalloc(64)) {
                DeviceMemory slot = lease.slot(0);
                slot.segment();
                // Nine numbers where there is room for eight.
                dev.basalt.spi.Memory.fill(slot.address() + 64, 8, (byte) 1);
                System.out.println("open");
            } catch (BlasException e) {
                System.out.println(e.status() + " " + e.getMessage());
            } catch (Throwable e) {
                System.out.println("NOT FOR USERS " + e);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
            "basalt.guard, 1, outside its workspace",
            "basalt.guard, true, outside its workspace",
            "basalt.guard, 0, open",
            "basalt.guard, maybe, basalt.guard",
            "basalt.leakDetection, junk, basalt.leakDetection",
            "basalt.deviceMemorySize, junk, basalt.deviceMemorySize",
            "basalt.deviceMemorySize, -5, basalt.deviceMemorySize",
            "basalt.streamOrderAlloc, junk, basalt.streamOrderAlloc",
            "basalt.engine, junk, basalt.engine",
            "basalt.threads, junk, basalt.threads",
            "basalt.threads, 0, basalt.threads",
            "basalt.vectorBits, junk, basalt.vectorBits"})
    void everySettingIsReadOrOneClearError(String property, String value, String expected) {
        String said = ChildJvm.run(Child.class, Map.of(), List.of("-D" + property + "=" + value));
        assertThat(said).contains(expected).doesNotContain("NOT FOR USERS");
        assertThat(said.lines()).hasSizeBetween(1, 2);
    }
}
