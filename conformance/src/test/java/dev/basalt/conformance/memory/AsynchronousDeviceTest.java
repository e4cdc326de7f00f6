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
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.sim.Scheduling;
import dev.basalt.sim.SimDriver;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceProvider;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What only a device with queues can get wrong, through the public API alone: graphs, growth behind running work, a steady state. */
@OnDevice
@Isolated("it looks at the device's free memory")
class AsynchronousDeviceTest {
    private static final int N = 150;

    /** What drivers call the stream that is there from the beginning. */
    private static final long DEFAULT_STREAM = 0;

    /** Seconds of products on the fastest GPU: growth that takes longer waits for them. */
    private static final int MOST_PRODUCTS = 4096;

    static List<String> devices() {
        return Devices.names().stream().filter(name -> !name.startsWith("host")).toList();
    }

    private static int some(String name, int many) {
        return name.startsWith("sim") ? many / 50 : many;
    }

    private static double[] lower() {
        double[] lower = new double[N * N];
        for (int i = 0; i < lower.length; i++) {
            lower[i] = (i * 37 % 101 - 50) / 5000.0;
        }
        return lower;
    }

    private static void product(Handle h, MatrixView a, MatrixView b) {
        Blas.trmm(h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, a, b, b);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aGraphGivesTheBitsOfItsCallsHoweverOftenItRuns(String name) {
        for (boolean streamOrdered : new boolean[] {false, true}) {
            try (Device device = Devices.open(name, 11);
                    Stream stream = device.createStream();
                    Stream other = device.createStream();
                    Handle handle = device.handleBuilder().stream(stream).streamOrderAlloc(streamOrdered).create();
                    DeviceArena arena = device.arena()) {
                MatrixView a = arena.matrix(ElementType.F64, N, N);
                MatrixView b = arena.matrix(ElementType.F64, N, N);
                VectorView dot = arena.vector(ElementType.F64, 1);
                VectorView x = arena.vector(ElementType.F64, 100_000);
                double[] ones = new double[100_000];
                Arrays.fill(ones, 1);
                x.upload(ones);
                a.upload(lower());
                b.upload(lower());
                Plan plan = handle.plan(h -> {
                    product(h, a, b);
                    Blas.dot(h, x, x, dot);
                });
                handle.setDeviceMemorySize(0);
                handle.reserve(plan);
                try (Graph graph = handle.capture(h -> {
                    product(h, a, b);
                    Blas.dot(h, x, x, dot);
                })) {
                    double[] found = new double[N * N];
                    b.download(found);
                    assertThat(found).as("nothing has run").isEqualTo(lower());
                    handle.deviceMalloc(64L << 20).close(); // growth after the capture leaves the recorded block alone
                    handle.setDeviceMemorySize(0);
                    product(handle, a, b);
                    double[] eager = new double[N * N];
                    b.download(eager);
                    for (int i = 0; i < some(name, 1000); i++) {
                        b.upload(lower());
                        graph.launch(i % 2 == 0 ? stream : other);
                        device.synchronize();
                        b.download(found);
                        assertThat(Arrays.equals(found, eager)).as("replay %d", i).isTrue();
                        double[] sum = new double[1];
                        dot.download(sum);
                        assertThat(sum[0]).as("dot of replay %d", i).isEqualTo(100_000);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void twoGraphsOnOneStreamAndOneOfThemIsClosed(String name) {
        try (Device device = Devices.open(name, 12);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).create();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, N, N);
            MatrixView b = arena.matrix(ElementType.F64, N, N);
            a.upload(lower());
            b.upload(lower());
            handle.reserve(handle.plan(h -> product(h, a, b)));
            product(handle, a, b);
            double[] eager = new double[N * N];
            b.download(eager);
            Graph first = handle.capture(h -> product(h, a, b));
            try (Graph second = handle.capture(h -> product(h, a, b))) {
                first.launch(stream);
                first.close();
                double[] found = new double[N * N];
                b.upload(lower());
                second.launch(stream);
                stream.synchronize();
                b.download(found);
                assertThat(found).isEqualTo(eager);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void growthInsideACaptureIsRefusedAndTheStreamGoesOn(String name) {
        try (Device device = Devices.open(name, 13);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).create();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, N, N);
            VectorView info = arena.vector(ElementType.I32, 1);
            double[] identity = new double[N * N];
            for (int i = 0; i < N; i++) {
                identity[i + i * N] = 4;
            }
            a.upload(identity);
            handle.setDeviceMemorySize(0);
            long need = handle.plan(h -> Lapack.potrf(h, Uplo.LOWER, a, info)).optimal();
            if (need > 0) {
                BlasException e = catchThrowableOfType(BlasException.class,
                        () -> handle.capture(h -> Lapack.potrf(h, Uplo.LOWER, a, info)));
                assertThat(e.status()).isEqualTo(Status.MEMORY_ERROR);
                assertThat(e.getMessage()).contains("reserve(" + need + ")");
                handle.reserve(need);
            }
            handle.capture(h -> {
                assertStatus(Status.INTERNAL_ERROR, () -> h.setDeviceMemorySize(4096));
                assertStatus(Status.INTERNAL_ERROR, () -> h.reserve(1L << 30));
                assertStatus(Status.INTERNAL_ERROR, h::trim);
            }).close();
            try (Graph graph = handle.capture(h -> Lapack.potrf(h, Uplo.LOWER, a, info))) {
                graph.launch(stream);
            }
            double[] found = new double[N * N];
            a.download(found);
            assertThat(found[0]).isEqualTo(2);
            assertThat(found[N * N - 1]).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @MethodSource("devices")
    void freeMemoryIsTheSameAfterManyMixedCalls(String name) {
        for (boolean streamOrdered : new boolean[] {false, true}) {
            try (Device device = Devices.open(name, 14);
                    Handle handle = device.handleBuilder().streamOrderAlloc(streamOrdered).create();
                    DeviceArena arena = device.arena()) {
                MatrixView a = arena.matrix(ElementType.F64, 100, 100);
                MatrixView b = arena.matrix(ElementType.F64, 100, 100);
                VectorView x = arena.vector(ElementType.F64, 100);
                VectorView y = arena.vector(ElementType.F64, 100);
                VectorView dot = arena.vector(ElementType.F64, 1);
                a.upload(new double[10_000]);
                b.upload(new double[10_000]);
                x.upload(new double[100]);
                long before = 0;
                for (int i = 0; i < some(name, 25_000); i++) {
                    Blas.dot(handle, x, x, dot);
                    Blas.gemv(handle, Op.TRANS, 1, a, x, 0, y);
                    Blas.gemm(handle, Op.NONE, Op.TRANS, 1, a, a, 0, b);
                    Blas.trmm(handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, a, b, b);
                    if (i == 100) {
                        device.synchronize();
                        before = device.freeMemory();
                    }
                }
                device.synchronize();
                assertThat(before == 0 ? 0 : device.freeMemory() - before)
                        .as("growth of free memory, stream-ordered %s", streamOrdered)
                        .isZero();
            }
        }
    }

    /**
     * Growth puts pages behind an address range: it must not wait for what runs on another stream, as an ordinary free would. An event
     * behind that work tells the order: it is not reached when growth is over. A simulated device that runs work only for those who wait
     * never reaches it by itself. A GPU gets twice the work until it is slower than growth, however long that takes; if growth waits,
     * no work is enough.
     */
    @ParameterizedTest
    @MethodSource("devices")
    void growthDoesNotWaitForWorkOnAnotherStream(String name) {
        boolean sim = name.startsWith("sim");
        int order = sim ? 60 : 4096;
        try (DeviceDriver driver = sim ? SimDriver.builder().seed(15).scheduling(Scheduling.LAZY).open() : driver(name);
                Device device = Device.of(driver);
                Stream other = device.createStream();
                Handle working = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, order, order);
            MatrixView c = arena.matrix(ElementType.F64, order, order);
            a.upload(new double[order * order]);
            working.reserve(working.plan(h -> Blas.gemm(h, Op.NONE, Op.NONE, 1, a, a, 0, c)));
            boolean reached = true;
            for (int products = 1; reached && products <= (sim ? 1 : MOST_PRODUCTS); products *= 2) {
                device.synchronize();
                reached = reachedAfterGrowth(driver, device, other, products,
                        () -> Blas.gemm(working, Op.NONE, Op.NONE, 1, a, a, 0, c));
            }
            assertThat(reached).as("growth waited for the work on another stream").isFalse();
        }
    }

    /** Whether work of the default stream is over when a workspace of another stream has grown. */
    private static boolean reachedAfterGrowth(DeviceDriver driver, Device device, Stream other, int products,
            Runnable product) {
        long event = driver.createEvent();
        try (Handle growing = device.handleBuilder().stream(other).create()) {
            for (int i = 0; i < products; i++) {
                product.run();
            }
            driver.recordEvent(event, DEFAULT_STREAM);
            growing.deviceMalloc(growing.getDeviceMemorySize() + 4096).close();
            boolean reached = driver.queryEvent(event);
            device.synchronize();
            assertThat(driver.queryEvent(event)).as("who waits for the device has waited for the event").isTrue();
            return reached;
        } finally {
            driver.destroyEvent(event);
        }
    }

    private static DeviceDriver driver(String name) {
        return ServiceLoader.load(DeviceProvider.class)
                .stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> name.startsWith(provider.kind() + ":"))
                .findFirst()
                .orElseThrow()
                .open(name);
    }
}
