package dev.basalt.conformance.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import dev.basalt.VectorView;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.stream.DoubleStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams and memory that another library made: used in place, in its order, and never destroyed; what is none of this device's is refused. */
@OnDevice
class ForeignObjectsTest {
    private static final int N = 1000;

    /** Calls the vendor's driver as another library would. */
    @SuppressWarnings("restricted")
    private static void call(String symbol, Object... arguments) {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = arguments[i] instanceof Integer ? JAVA_INT : JAVA_LONG;
        }
        MemorySegment function = SymbolLookup.libraryLookup("libcuda.so.1", Arena.global()).find(symbol).orElseThrow();
        try {
            Object status = Linker.nativeLinker()
                    .downcallHandle(function, FunctionDescriptor.of(JAVA_INT, layouts))
                    .invokeWithArguments(arguments);
            assertThat(status).as(symbol).isEqualTo(0);
        } catch (Throwable t) {
            throw new AssertionError(symbol, t);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.basalt.conformance.memory.Devices#names")
    void workOnAWrappedStreamIsInItsOrder(String name) {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena();
                Arena host = Arena.ofConfined()) {
            if (!name.startsWith("cuda")) {
                assertThatThrownBy(() -> device.wrapStream(64))
                        .isInstanceOfSatisfying(BlasException.class,
                                e -> assertThat(e.status()).isEqualTo(Status.INVALID_VALUE))
                        .hasMessageContaining("no streams of another library");
                return;
            }
            device.synchronize(); // makes the context current on this thread
            MemorySegment out = host.allocate(JAVA_LONG);
            call("cuStreamCreate", out.address(), 1);
            long foreign = out.get(JAVA_LONG, 0);
            VectorView x = arena.vector(ElementType.F64, N);
            VectorView y = arena.vector(ElementType.F64, N);
            x.upload(DoubleStream.iterate(1, v -> v + 1).limit(N).toArray());
            try (Stream stream = device.wrapStream(foreign)) {
                handle.setStream(stream);
                Blas.scal(handle, 2, x);
                Blas.copy(handle, x, y);
                assertThat(Blas.asum(handle, y)).isEqualTo(N * (N + 1.0));
                call("cuStreamQuery", foreign);
                handle.setStream(device.defaultStream());
            }
            // Closing the wrapper left the stream alive.
            call("cuStreamQuery", foreign);
            call("cuStreamDestroy_v2", foreign);
        }
    }

    /** A routine of the user's own: its workspace and its stream are the handle's, the work on it is the user's. */
    @ParameterizedTest
    @MethodSource("dev.basalt.conformance.memory.Devices#names")
    void workOfTheUsersRunsOnTheHandlesStream(String name) {
        try (Device device = Devices.open(name, 1);
                Stream stream = device.createStream();
                Handle handle = device.handleBuilder().stream(stream).guard(true).create();
                DeviceArena arena = device.arena()) {
            if (!name.startsWith("cuda")) {
                assertThatThrownBy(stream::nativeHandle).isInstanceOfSatisfying(BlasException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.INVALID_VALUE));
                return;
            }
            VectorView x = arena.vector(ElementType.F64, N);
            x.upload(DoubleStream.generate(() -> 1).limit(N).toArray());
            MatrixView a = arena.matrix(ElementType.F64, 2000, 2000);
            a.upload(new double[4_000_000]);
            for (int round = 0; round < 20; round++) {
                try (Lease lease = handle.deviceMalloc(8L * N)) {
                    VectorView slot = VectorView.of(ElementType.F64, lease.slot(0).pointer(), N, 1);
                    // Long work ahead in the stream: what comes out of order would be early.
                    Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 1, a);
                    Blas.copy(handle, x, slot);
                    call("cuMemsetD8Async", slot.pointer().address(), 0, 8L * N / 2, stream.nativeHandle());
                    assertThat(Blas.asum(handle, slot)).isEqualTo(N / 2);
                }
            }
        }
    }

    /** Another library may leave a thread with its own context current, or with none. */
    @ParameterizedTest
    @MethodSource("dev.basalt.conformance.memory.Devices#names")
    void callsWorkWhateverContextIsCurrent(String name) {
        assumeTrue(name.startsWith("cuda"), "contexts are NVIDIA's");
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena();
                Arena host = Arena.ofConfined()) {
            VectorView x = arena.vector(ElementType.F64, N);
            MatrixView a = arena.matrix(ElementType.F64, 600, 600);
            x.upload(DoubleStream.generate(() -> 1).limit(N).toArray());
            a.upload(new double[600 * 600]);
            MemorySegment out = host.allocate(JAVA_LONG);
            call("cuCtxCreate_v2", out.address(), 0, 0);
            long other = out.get(JAVA_LONG, 0);
            for (long current : new long[] {0, other}) {
                call("cuCtxSetCurrent", current);
                assertThat(Blas.scal(handle, 2, x)).isEqualTo(Status.SUCCESS);
                call("cuCtxSetCurrent", current);
                // With a vendor's product where that is installed.
                assertThat(Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 1, a)).isEqualTo(Status.SUCCESS);
                call("cuCtxSetCurrent", current);
                handle.synchronize();
            }
            assertThat(Blas.asum(handle, x)).isEqualTo(4.0 * N);
            call("cuCtxDestroy_v2", other);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.basalt.conformance.memory.Devices#names")
    void memoryOfThisDeviceIsWrappedAndOtherMemoryRefused(String name) {
        try (Device device = Devices.open(name, 1);
                Handle handle = device.createHandle();
                DeviceArena owner = device.arena();
                DeviceArena arena = device.arena();
                Arena host = Arena.ofConfined()) {
            VectorView x = owner.vector(ElementType.F32, N);
            x.upload(new float[N]);
            DeviceMemory same = arena.wrap(x.pointer().address(), 4L * N);
            VectorView again = VectorView.of(ElementType.F32, same.pointer(), N, 1);
            assertThat(Blas.asum(handle, again)).isZero();
            if (!name.startsWith("cuda")) {
                return;
            }
            long elsewhere = host.allocate(64, 64).address();
            assertThatThrownBy(() -> arena.wrap(elsewhere, 64))
                    .isInstanceOfSatisfying(BlasException.class,
                            e -> assertThat(e.status()).isEqualTo(Status.INVALID_POINTER))
                    .hasMessageContaining("ordinary memory");
            assertThatThrownBy(() -> arena.wrap(x.pointer().address(), 1L << 45)).isInstanceOf(BlasException.class)
                    .hasMessageContaining("at its last byte");
            MemorySegment out = host.allocate(JAVA_LONG);
            call("cuMemHostAlloc", out.address(), 4096L, 0);
            long pinned = out.get(JAVA_LONG, 0);
            assertThatThrownBy(() -> arena.wrap(pinned, 64)).isInstanceOf(BlasException.class)
                    .hasMessageContaining("pinned memory of the host");
            call("cuMemFreeHost", pinned);
        }
    }
}
