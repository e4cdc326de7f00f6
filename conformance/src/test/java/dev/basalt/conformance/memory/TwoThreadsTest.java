package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Graph;
import dev.basalt.Handle;
import dev.basalt.Plan;
import dev.basalt.Stream;
import dev.basalt.VectorView;
import dev.basalt.Workspace;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.sim.SimDriver;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two threads in one handle: every call gives the right number or says so; none is lost in a plan, a query or a capture of another. */
class TwoThreadsTest {
    private static final long CALLS = Boolean.getBoolean("basalt.test.long") ? 50_000_000 : 200_000;

    static List<String> devices() {
        return Devices.names();
    }

    /** Lengths of both ways into the device: the direct one and, above it, the frame. */
    @ParameterizedTest
    @MethodSource("devices")
    void everyNumberIsRightOrRefused(String name) throws InterruptedException {
        for (int n : name.equals("sim") ? new int[] {8} : new int[] {8, 5000}) {
            long calls = name.equals("sim") || n > 8 ? CALLS / 20 : CALLS;
            try (Device device = Devices.open(name, 1);
                    Handle handle = device.createHandle();
                    DeviceArena arena = device.arena()) {
                VectorView x = arena.vector(ElementType.F64, n);
                double[] ones = new double[n];
                java.util.Arrays.fill(ones, 1);
                x.upload(ones);
                AtomicLong wrong = new AtomicLong();
                AtomicLong right = new AtomicLong();
                Runnable hammer = () -> {
                    long good = 0;
                    long bad = 0;
                    for (long i = 0; i < calls; i++) {
                        try {
                            boolean ok = i % 2 == 0
                                    ? Blas.dot(handle, x, x) == n
                                    : Blas.asum(handle, x) == n && Blas.iamax(handle, x) == 1;
                            good += ok ? 1 : 0;
                            bad += ok ? 0 : 1;
                        } catch (IllegalStateException e) {
                            Thread.onSpinWait();
                        }
                    }
                    right.addAndGet(good);
                    wrong.addAndGet(bad);
                };
                both(hammer, hammer);
                assertThat(wrong.get()).as(name + " n = " + n).isZero();
                assertThat(right.get()).isPositive();
            }
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void aCallBesideAPlanOrAQueryOfAnotherThreadIsRefused(String name) throws InterruptedException {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView x = arena.vector(ElementType.F64, 8);
            x.upload(new double[] {1, 0, 0, 0, 0, 0, 0, 0});
            AtomicReference<Throwable> seen = new AtomicReference<>();
            Plan plan = handle.plan(h -> {
                Blas.nrm2(h, x);
                elsewhere(() -> seen.set(catchThrowable(() -> Blas.scal(handle, 2, x))));
            });
            assertThat(plan.calls()).hasSize(1);
            assertThat(seen.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("in a plan");
            handle.startDeviceMemorySizeQuery();
            elsewhere(() -> seen.set(catchThrowable(() -> Blas.scal(handle, 2, x))));
            assertThat(seen.get()).isInstanceOf(IllegalStateException.class);
            handle.stopDeviceMemorySizeQuery();
            assertThat(Blas.nrm2(handle, x)).isEqualTo(1);
            // A query that its thread left open when it ended does not lock the handle.
            elsewhere(handle::startDeviceMemorySizeQuery);
            assertThat(handle.stopDeviceMemorySizeQuery()).isZero();
            elsewhere(() -> seen.set(catchThrowable(() -> Blas.scal(handle, 2, x))));
            assertThat(seen.get()).isNull();
            assertThat(Blas.nrm2(handle, x)).isEqualTo(2);
        }
    }

    @Test
    void aCallBesideACaptureOfAnotherThreadIsRefused() throws InterruptedException {
        SimDriver sim = SimDriver.builder().seed(3).open();
        try (Device device = Device.of(sim);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).create();
                Handle other = device.handleBuilder().stream(stream).create();
                DeviceArena arena = device.arena()) {
            VectorView x = arena.vector(ElementType.F64, 8);
            x.upload(new double[8]);
            AtomicReference<Throwable> seen = new AtomicReference<>();
            AtomicReference<Throwable> besides = new AtomicReference<>();
            try (Graph graph = handle.capture(h -> {
                Blas.scal(h, 2, x);
                elsewhere(() -> seen.set(catchThrowable(() -> Blas.scal(handle, 2, x))));
                elsewhere(() -> besides.set(catchThrowable(() -> Blas.scal(other, 2, x))));
            })) {
                assertThat(sim.pending()).isZero();
                graph.launch(stream);
            }
            assertThat(seen.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("capture");
            assertThat(besides.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("capture");
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void twoThreadsInOneSharedWorkspaceAreNamed(String name) throws InterruptedException {
        try (Device device = Devices.open(name, 1);
                Workspace shared = device.createWorkspace();
                Handle one = device.handleBuilder().workspace(shared).create();
                Handle two = device.handleBuilder().workspace(shared).create();
                DeviceArena arena = device.arena()) {
            dev.basalt.MatrixView a = arena.matrix(ElementType.F64, 120, 120);
            dev.basalt.MatrixView b = arena.matrix(ElementType.F64, 120, 120);
            a.upload(new double[14_400]);
            b.upload(new double[14_400]);
            ConcurrentLinkedQueue<Throwable> seen = new ConcurrentLinkedQueue<>();
            AtomicLong done = new AtomicLong();
            AtomicBoolean collided = new AtomicBoolean();
            both(() -> calls(one, a, seen, done, collided), () -> calls(two, b, seen, done, collided));
            assertThat(done.get()).isPositive();
            for (Throwable e : seen) {
                assertThat(e).isInstanceOf(IllegalStateException.class).hasMessageContaining("shared workspace");
            }
        }
    }

    private static void calls(Handle handle, dev.basalt.MatrixView a, ConcurrentLinkedQueue<Throwable> seen,
            AtomicLong done, AtomicBoolean collided) {
        for (int i = 0; i < 300 && !collided.get(); i++) {
            try {
                Blas.trmm(handle, dev.basalt.type.Side.LEFT, dev.basalt.type.Uplo.LOWER, Op.NONE,
                        dev.basalt.type.Diag.UNIT, 1, a, a, a);
                done.incrementAndGet();
            } catch (IllegalStateException e) {
                seen.add(e);
                collided.set(true);
            }
        }
    }

    /** Runs both at the same moment; what one throws is thrown here. */
    static void both(Runnable one, Runnable two) throws InterruptedException {
        CountDownLatch start = new CountDownLatch(2);
        ConcurrentLinkedQueue<Throwable> failed = new ConcurrentLinkedQueue<>();
        Thread[] threads = new Thread[2];
        for (int t = 0; t < 2; t++) {
            Runnable action = t == 0 ? one : two;
            threads[t] = new Thread(() -> {
                start.countDown();
                while (start.getCount() > 0) {
                    Thread.onSpinWait();
                }
                Throwable e = catchThrowable(action::run);
                if (e != null) {
                    failed.add(e);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failed).isEmpty();
    }

    private static void elsewhere(Runnable action) {
        Thread thread = new Thread(action);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
