package dev.basalt.conformance.memory;

import static dev.basalt.conformance.memory.LendingTest.assertStatus;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DeviceMemory;
import dev.basalt.Graph;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.Stream;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.ChildJvm;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.sim.SimDriver;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Memory that ends while somebody still uses it, or means to: members of tables, segments of the JVM, calls inside, graphs. */
class LifetimeTest {
    static List<String> devices() {
        return Devices.names();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void aTableOfAddressesEndsWithItsMembers(String name) {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            DeviceArena brief = device.arena();
            MatrixView kept = arena.matrix(ElementType.F64, 40, 40);
            MatrixView lost = brief.matrix(ElementType.F64, 40, 40);
            MatrixView table = arena.pointers(kept, lost);
            VectorView vectors = arena.pointers(kept.column(0), lost.column(0));
            double[] data = new double[3200];
            for (int i = 0; i < 40; i++) {
                data[41 * i] = data[1600 + 41 * i] = 2;
            }
            table.upload(data);
            VectorView info = arena.vector(ElementType.I32, 2);
            assertThat(Lapack.potrf(handle, dev.basalt.type.Uplo.LOWER, table, info).isError()).isFalse();
            device.synchronize();
            brief.close();
            assertStatus(Status.INVALID_POINTER, () -> Lapack.potrf(handle, dev.basalt.type.Uplo.LOWER, table, info));
            assertStatus(Status.INVALID_POINTER, () -> Blas.gemm(handle, Op.NONE, Op.NONE, 1, table, table, 0, table));
            assertStatus(Status.INVALID_POINTER, () -> Blas.scal(handle, 2, vectors));
            assertStatus(Status.INVALID_POINTER, () -> table.upload(data));
            assertStatus(Status.INVALID_POINTER, () -> table.download(data));
            assertStatus(Status.INVALID_POINTER, () -> vectors.download(new double[80]));
            assertThatThrownBy(() -> Blas.scal(handle, 2, vectors)).hasMessageContaining("member");
            assertStatus(Status.INVALID_VALUE, () -> arena.pointers(kept, lost));
        }
    }

    @Test
    void aSegmentKeepsItsOwnRules(@TempDir Path folder) throws Exception {
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            Arena closing = Arena.ofShared();
            VectorView x = wrapped(arena, closing.allocate(64, 64));
            VectorView table = arena.pointers(x);
            assertThat(Blas.nrm2(handle, x)).isZero();
            assertThat(Blas.scal(handle, 2, table)).isEqualTo(Status.SUCCESS);
            device.synchronize();
            closing.close();
            assertStatus(Status.INVALID_POINTER, () -> Blas.nrm2(handle, x));
            assertStatus(Status.INVALID_POINTER, () -> Blas.scal(handle, 2, table));
            assertStatus(Status.INVALID_POINTER, () -> x.download(new double[8]));
            assertStatus(Status.INVALID_POINTER, () -> table.download(new double[8]));
            assertThatThrownBy(() -> Blas.nrm2(handle, x)).hasMessageContaining("Arena");

            try (Arena confined = Arena.ofConfined()) {
                MemorySegment mine = confined.allocate(64, 64);
                VectorView y = wrapped(arena, mine);
                assertThat(Blas.nrm2(handle, y)).isZero();
                elsewhere(() -> {
                    assertStatus(Status.INVALID_POINTER, () -> Blas.nrm2(handle, y));
                    assertStatus(Status.INVALID_POINTER, () -> y.upload(new double[8]));
                    assertStatus(Status.INVALID_POINTER, () -> arena.wrap(mine));
                });
                assertStatus(Status.INVALID_POINTER, () -> arena.wrap(mine.asReadOnly()));
            }
            Path file = folder.resolve("matrix");
            Files.write(file, new byte[64]);
            try (FileChannel channel = FileChannel.open(file); Arena mapped = Arena.ofShared()) {
                MemorySegment readOnly = channel.map(FileChannel.MapMode.READ_ONLY, 0, 64, mapped);
                assertStatus(Status.INVALID_POINTER, () -> arena.wrap(readOnly));
            }
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void copiesKeepTheRulesOfTheSegmentsTheyAreGiven(String name) throws Exception {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena();
                Arena confined = Arena.ofConfined()) {
            MemorySegment mine = confined.allocate(64, 64);
            VectorView x = arena.vector(ElementType.F64, 8);
            MatrixView a = arena.matrix(ElementType.F64, 4, 2);
            assertThat(Blas.setVector(handle, mine.asReadOnly(), 1, x)).isEqualTo(Status.SUCCESS);
            assertThat(Blas.setMatrix(handle, mine.asReadOnly(), 4, a)).isEqualTo(Status.SUCCESS);
            assertStatus(Status.INVALID_POINTER, () -> Blas.getVector(handle, x, mine.asReadOnly(), 1));
            assertStatus(Status.INVALID_POINTER, () -> Blas.getMatrix(handle, a, mine.asReadOnly(), 4));
            assertStatus(Status.INVALID_POINTER, () -> x.download(mine.asReadOnly()));
            elsewhere(() -> {
                assertStatus(Status.INVALID_POINTER, () -> Blas.setVector(handle, mine, 1, x));
                assertStatus(Status.INVALID_POINTER, () -> Blas.getMatrix(handle, a, mine, 4));
                assertStatus(Status.INVALID_POINTER, () -> x.upload(mine));
            });
            Arena gone = Arena.ofShared();
            MemorySegment closed = gone.allocate(64, 64);
            gone.close();
            assertStatus(Status.INVALID_POINTER, () -> Blas.setVector(handle, closed, 1, x));
            assertStatus(Status.INVALID_POINTER, () -> Blas.getMatrixAsync(handle, a, closed, 4));
            assertStatus(Status.INVALID_POINTER, () -> x.download(closed));
        }
    }

    @Test
    void aSegmentIsNotCollectedWhileItIsWrapped() {
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView x = wrapped(arena, automatic());
            for (int i = 0; i < 5; i++) {
                System.gc();
                // What was freed would be given out again here.
                MemorySegment other = Arena.ofAuto().allocate(1 << 20, 64);
                other.fill((byte) 1);
            }
            assertThat(Blas.asum(handle, x)).isEqualTo(7.0 * (1 << 17));
        }
    }

    private static MemorySegment automatic() {
        MemorySegment segment = Arena.ofAuto().allocate(1 << 20, 64);
        for (long i = 0; i < 1 << 17; i++) {
            segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, 7);
        }
        return segment;
    }

    private static VectorView wrapped(DeviceArena arena, MemorySegment segment) {
        DeviceMemory memory = arena.wrap(segment);
        return VectorView.of(ElementType.F64, memory.pointer(), segment.byteSize() / 8, 1);
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void closingWaitsForACallThatIsInside(String name) throws Exception {
        int n = name.equals("sim") ? 60 : 700;
        for (int round = 0; round < 12; round++) {
            try (Device device = Devices.open(name, round);
                    Handle handle = device.createHandle();
                    DeviceArena keep = device.arena()) {
                DeviceArena brief = device.arena();
                boolean owned = round % 2 == 1;
                DeviceArena operands = owned ? keep : brief;
                MatrixView a = operands.matrix(ElementType.F64, n, n);
                MatrixView c = keep.matrix(ElementType.F64, n, n);
                a.upload(new double[n * n]);
                c.upload(new double[n * n]);
                if (owned) {
                    handle.setWorkspace(brief.allocate(8 << 20), 8 << 20);
                }
                CountDownLatch begun = new CountDownLatch(1);
                AtomicReference<Throwable> end = new AtomicReference<>();
                Thread worker = new Thread(() -> {
                    try {
                        while (true) {
                            Blas.trmm(handle, dev.basalt.type.Side.LEFT, dev.basalt.type.Uplo.LOWER, Op.NONE,
                                    dev.basalt.type.Diag.UNIT, 1, a, c, c);
                            begun.countDown();
                        }
                    } catch (Throwable e) {
                        end.set(e);
                        begun.countDown();
                    }
                }, "worker");
                worker.start();
                begun.await();
                brief.close();
                worker.join();
                assertThat(end.get()).isInstanceOfSatisfying(BlasException.class,
                        e -> assertThat(e.status()).as(e.getMessage()).isEqualTo(Status.INVALID_POINTER));
                if (owned) {
                    handle.setDeviceMemorySize(0);
                }
            }
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void closingFromInsideTheCallIsRefusedAndNothingIsFreed(String name) {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, 90, 90);
            a.upload(new double[8100]);
            handle.setDeviceMemorySize(0);
            AtomicReference<Throwable> seen = new AtomicReference<>();
            handle.onAllocationFailure(bytes -> {
                seen.set(org.assertj.core.api.Assertions.catchThrowable(arena::close));
                return false;
            });
            handle.faults().failAbove(0);
            assertThat(Blas.trmm(handle, dev.basalt.type.Side.LEFT, dev.basalt.type.Uplo.LOWER, Op.NONE,
                    dev.basalt.type.Diag.UNIT, 1, a, a, a)).isEqualTo(Status.PERF_DEGRADED);
            assertThat(seen.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("inside a call");
            assertThat(a.pointer().memory().isOpen()).isTrue();
            a.download(new double[8100]);
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void afterTheDeviceItsArenaGivesNothing(String name) {
        Device device = Devices.open(name, 1);
        DeviceArena arena = device.arena();
        device.close();
        for (Runnable use : List.<Runnable>of(() -> arena.matrix(ElementType.F64, 2, 2), () -> arena.allocate(64),
                () -> arena.vector(ElementType.I32, 1))) {
            assertStatus(Status.INVALID_HANDLE, use::run);
            assertThatThrownBy(use::run)
                    .hasMessage("the device of this arena is closed; open it again and create another arena");
        }
        assertThatThrownBy(arena::close).isInstanceOf(BlasException.class);
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void aDeviceThatClosesRefusesCallsOfHandlesThatAreLeft(String name) {
        Device device = Devices.open(name, 1);
        Handle handle = device.createHandle();
        Stream stream = device.createStream();
        DeviceArena arena = device.arena();
        VectorView x = arena.vector(ElementType.F64, 8);
        x.upload(new double[8]);
        arena.close();
        stream.close();
        device.close();
        assertStatus(Status.INVALID_HANDLE, () -> Blas.nrm2(handle, x));
        assertStatus(Status.INVALID_HANDLE, () -> handle.setDeviceMemorySize(4096));
        assertStatus(Status.INVALID_HANDLE, () -> handle.setStream(stream));
        assertStatus(Status.INVALID_HANDLE, stream::synchronize);
        assertStatus(Status.INVALID_HANDLE, () -> device.createHandle());
        assertStatus(Status.INVALID_HANDLE, device::createStream);
        handle.close();
        stream.close();
    }

    @Test
    void aGraphDoesNotRunOnMemoryThatIsGone() {
        SimDriver sim = SimDriver.builder().seed(21).open();
        try (Device device = Device.of(sim);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).create()) {
            DeviceArena arena = device.arena();
            VectorView x = arena.vector(ElementType.F64, 100);
            x.upload(new double[100]);
            try (Graph graph = handle.capture(h -> Blas.scal(h, 2, x))) {
                graph.launch(stream);
                arena.close();
                assertStatus(Status.INVALID_POINTER, () -> graph.launch(stream));
            }
            sim.assertNoHazards();
        }
        assertThat(sim.leaks()).isEmpty();
    }

    /** A program whose shutdown hook closes all that its main thread still uses, as frameworks do. */
    static final class Hooked {
        private Hooked() {}

        public static void main(String[] args) {
            Device device = Device.open(args[0]);
            Handle handle = device.createHandle();
            DeviceArena arena = device.arena();
            MatrixView a = arena.matrix(ElementType.F64, 300, 300);
            a.upload(new double[90_000]);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                for (AutoCloseable part : new AutoCloseable[] {arena, handle, device}) {
                    try {
                        part.close();
                    } catch (Exception e) {
                        System.out.println(e.getClass().getSimpleName());
                    }
                }
                System.out.println("closed");
            }));
            Thread exit = new Thread(() -> System.exit(0));
            for (int i = 0;; i++) {
                try {
                    Blas.trmm(handle, dev.basalt.type.Side.LEFT, dev.basalt.type.Uplo.LOWER, Op.NONE,
                            dev.basalt.type.Diag.UNIT, 1, a, a, a);
                } catch (BlasException e) {
                    // The arena is closed: the hook has waited for the call before.
                }
                if (i == 20) {
                    exit.start();
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aShutdownHookMayCloseWhatIsInUse(String name) {
        for (int i = 0; i < 3; i++) {
            assertThat(ChildJvm.run(Hooked.class, java.util.Map.of(), List.of(), name))
                    .endsWith("closed" + System.lineSeparator());
        }
    }

    private static void elsewhere(Runnable action) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                action.run();
            } catch (Throwable e) {
                failure.set(e);
            }
        });
        thread.start();
        thread.join();
        assertThat(failure.get()).isNull();
    }
}
