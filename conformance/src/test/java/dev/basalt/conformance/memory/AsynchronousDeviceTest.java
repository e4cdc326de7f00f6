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
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What only a device with queues can get wrong, through the public API alone: graphs, growth behind running work, a steady state. */
@OnDevice
@Isolated("it looks at the device's free memory and at times")
class AsynchronousDeviceTest {
    private static final int N = 150;

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

    /** Growth puts pages behind an address range: it must not wait for what runs on another stream, as an ordinary free would. */
    @ParameterizedTest
    @MethodSource("devices")
    void growthDoesNotWaitForWorkOnAnotherStream(String name) {
        int order = name.startsWith("sim") ? 60 : 4096;
        try (Device device = Devices.open(name, 15);
                Stream busy = device.createStream();
                Handle working = device.handleBuilder().stream(busy).create();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, order, order);
            MatrixView c = arena.matrix(ElementType.F64, order, order);
            a.upload(new double[order * order]);
            long[] growths = new long[30];
            long blocked = 0;
            for (int i = 0; i < growths.length; i++) {
                try (Handle handle = device.createHandle()) {
                    device.synchronize();
                    long begin = System.nanoTime();
                    Blas.gemm(working, Op.NONE, Op.NONE, 1, a, a, 0, c);
                    long issued = System.nanoTime();
                    handle.deviceMalloc(handle.getDeviceMemorySize() + 4096).close();
                    growths[i] = System.nanoTime() - issued;
                    busy.synchronize();
                    blocked += System.nanoTime() - begin < 2 * growths[i] ? 1 : 0;
                }
            }
            Arrays.sort(growths);
            System.out.printf("growth beside a running dgemm on %s: median %d us, most %d us%n", name,
                    growths[growths.length / 2] / 1000, growths[growths.length - 1] / 1000);
            assertThat(name.startsWith("sim") ? 0 : blocked).as("growths that took as long as the work beside them")
                    .isLessThan(growths.length / 4);
        }
    }
}
