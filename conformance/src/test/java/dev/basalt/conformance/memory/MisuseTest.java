package dev.basalt.conformance.memory;

import static dev.basalt.conformance.memory.LendingTest.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.LeakDetection;
import dev.basalt.Lease;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.Stream;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.sim.Scheduling;
import dev.basalt.sim.SimDriver;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two threads in a handle, closing with work in flight, leaks, over-runs caught by guard mode, views of closed arenas. */
@ResourceLock("leak detection")
class MisuseTest {
    static List<String> devices() {
        return Devices.names();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void twoThreadsInOneHandleAreNamedAndNothingIsCorrupted(String name) throws InterruptedException {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, 100, 100);
            a.upload(new double[10_000]);
            VectorView y = arena.vector(ElementType.F64, 100);
            y.upload(new double[100]);
            CountDownLatch start = new CountDownLatch(1);
            ConcurrentLinkedQueue<Throwable> seen = new ConcurrentLinkedQueue<>();
            AtomicLong done = new AtomicLong();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                Thread thread = new Thread(() -> {
                    for (int i = 0; i < 3000; i++) {
                        Throwable e = catchThrowable(() -> Blas.gemv(handle, Op.TRANS, 1, a, y, 0, y));
                        if (e == null) {
                            done.incrementAndGet();
                        } else {
                            seen.add(e);
                        }
                    }
                }, "user-" + t);
                threads.add(thread);
                thread.start();
            }
            start.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(done.get()).isPositive();
            assertThat(done.get() + seen.size()).isEqualTo(12_000);
            for (Throwable e : seen) {
                assertThat(e).isInstanceOf(IllegalStateException.class);
                assertThat(e.getMessage()).contains("two threads in one handle").contains("\"user-");
            }
            assertThat(Blas.gemv(handle, Op.NONE, 1, a, y, 0, y)).isEqualTo(Status.SUCCESS);
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void handlesOfTheirOwnRunInParallel(String name) throws InterruptedException {
        ConcurrentLinkedQueue<Throwable> seen = new ConcurrentLinkedQueue<>();
        try (Device device = Devices.open(name, 1)) {
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int id = t;
                Thread thread = new Thread(() -> {
                    Throwable e = catchThrowable(() -> worker(device, id));
                    if (e != null) {
                        seen.add(e);
                    }
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(seen).isEmpty();
    }

    private static void worker(Device device, int id) {
        try (Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).create();
                DeviceArena arena = device.arena()) {
            VectorView x = arena.vector(ElementType.F64, 64);
            double[] ones = new double[64];
            java.util.Arrays.fill(ones, id);
            x.upload(ones);
            for (int i = 0; i < 200; i++) {
                assertThat(Blas.dot(handle, x, x)).isEqualTo(64.0 * id * id);
            }
        }
    }

    @Test
    void closingWithWorkInFlightFreesNothingThatIsStillUsed() {
        for (long seed = 0; seed < 200; seed++) {
            SimDriver sim =
                    SimDriver.builder().seed(seed).virtualMemory(seed % 2 == 0).scheduling(Scheduling.LAZY).open();
            try (Device device = Device.of(sim)) {
                double[] result = new double[3600];
                try (DeviceArena keep = device.arena()) {
                    MatrixView c = keep.matrix(ElementType.F64, 60, 60);
                    c.upload(result);
                    Handle handle = device.handleBuilder()
                            .streamOrderAlloc(seed % 3 == 0)
                            .stream(device.createStream())
                            .create();
                    MatrixView a = keep.matrix(ElementType.F64, 60, 60);
                    double[] ones = new double[3600];
                    java.util.Arrays.fill(ones, 1);
                    a.upload(ones);
                    for (int i = 0; i < 3; i++) {
                        Blas.gemm(handle, Op.NONE, Op.TRANS, 1, a, a, 1, c);
                    }
                    handle.close();
                    handle.close();
                    handle.stream().close();
                    c.download(result);
                    assertThat(result[17]).isEqualTo(180);
                }
                sim.assertNoHazards();
            }
            assertThat(sim.leaks()).as("seed " + seed).isEmpty();
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void closedThingsSayIt(String name) {
        Device device = Devices.open(name, 1);
        Handle handle = device.createHandle();
        DeviceArena arena = device.arena();
        VectorView x = arena.vector(ElementType.F64, 8);
        arena.close();
        arena.close();
        assertStatus(Status.INVALID_POINTER, () -> Blas.nrm2(handle, x));
        assertStatus(Status.INVALID_POINTER, () -> x.upload(new double[8]));
        assertStatus(Status.INVALID_HANDLE, () -> arena.vector(ElementType.F64, 8));
        handle.close();
        assertStatus(Status.INVALID_HANDLE, () -> Blas.nrm2(handle, x));
        assertStatus(Status.INVALID_HANDLE, () -> handle.setDeviceMemorySize(0));
        assertStatus(Status.INVALID_HANDLE, () -> Blas.nrm2(null, x));
        device.close();
        device.close();
        assertStatus(Status.INVALID_HANDLE, device::createHandle);
    }

    @Test
    void unknownDeviceNamesThoseThatExist() {
        assertThatThrownBy(() -> Device.open("quantum")).isInstanceOf(BlasException.class)
                .hasMessageContaining("quantum")
                .hasMessageContaining("host");
    }

    @Test
    @SuppressWarnings("try") // leaks on purpose
    void leaksAreListedWithTheirSite() {
        LeakDetection.Level before = LeakDetection.level();
        LeakDetection.level(LeakDetection.Level.PARANOID);
        long mark = LeakDetection.mark();
        Device device = Devices.open("host", 1);
        Handle handle = device.createHandle();
        Lease lease = handle.deviceMalloc(64);
        List<String> open = ownSince(mark);
        assertThat(open).hasSize(3);
        assertThat(open.get(0)).startsWith("Device #").contains("leaksAreListedWithTheirSite");
        assertThat(open.get(1)).startsWith("Handle #").contains("MisuseTest");
        assertThat(open.get(2)).startsWith("Lease #");
        lease.close();
        handle.close();
        device.close();
        assertThat(ownSince(mark)).isEmpty();
        LeakDetection.level(before);
    }

    /** Other suites run beside this one. */
    private static List<String> ownSince(long mark) {
        String thread = " opened by thread " + Thread.currentThread().getName() + "\n";
        return LeakDetection.openedSince(mark).stream().filter(site -> site.contains(thread)).toList();
    }

    @Test
    void collectedWithoutCloseIsReported() throws InterruptedException {
        try (Device device = Devices.open("host", 1)) {
            long leaked = LeakDetection.leaked();
            forget(device);
            // However long the collector takes; the bound is against a hang.
            for (int i = 0; i < 60_000 && LeakDetection.leaked() == leaked; i++) {
                System.gc();
                Thread.sleep(10);
            }
            assertThat(LeakDetection.leaked()).isEqualTo(leaked + 1);
        }
    }

    private static void forget(Device device) {
        device.arena();
    }

    @Test
    void guardModeCatchesAKernelThatLeavesItsWorkspace() {
        for (int where : new int[] {-1, 1}) {
            SimDriver sim = SimDriver.builder().seed(3).kernels(launch -> overrun(launch, where)).open();
            try (Device device = Device.of(sim);
                    Handle handle = device.handleBuilder().guard(true).create();
                    DeviceArena arena = device.arena()) {
                MatrixView a = arena.matrix(ElementType.F64, 60, 60);
                BlasException e = org.assertj.core.api.Assertions.catchThrowableOfType(BlasException.class,
                        () -> Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, a));
                assertThat(e).as("one byte " + where).isNotNull();
                assertThat(e.getMessage()).contains("outside its workspace");
                handle.deviceMalloc(64).close();
            }
        }
    }

    /** A kernel that writes one byte before or behind its workspace. */
    private static void overrun(Launch launch, int where) {
        if (launch.work != 0) {
            long at = where < 0 ? launch.work - 1 : launch.work + launch.workBytes;
            Memory.fill(at, 1, (byte) 7);
        }
    }

    @Test
    void handlesAreCreatedOnAFullDeviceAndWorkWhereNoMemoryIsNeeded() {
        SimDriver sim = SimDriver.builder().seed(4).memory(1 << 20).virtualMemory(false).open();
        try (Device device = Device.of(sim);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            assertThat(handle.getDeviceMemorySize()).isZero();
            MatrixView a = arena.matrix(ElementType.F64, 4, 4);
            a.upload(new double[] {4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0, 4});
            VectorView info = arena.vector(ElementType.I32, 1);
            assertThat(Lapack.potrf(handle, dev.basalt.type.Uplo.LOWER, a, info)).isEqualTo(Status.SUCCESS);
        }
    }
}
