package dev.basalt.internal.routine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.spi.GemmEngine;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import org.junit.jupiter.api.Test;

/** A vendor's product in plans and leases: offered for what it can do, with its bytes, and never for anything else. */
class GemmEngineTest {
    private static final int LEAST = 8;
    private static final int DEPTH = 4;
    private static final long BYTES = 1 << 20;

    private final FakeDriver driver =
            new FakeDriver(FakeDriver.TRAITS.withEngine(new GemmEngine("vendor", BYTES, LEAST, DEPTH, Long.MAX_VALUE)));

    /** What a product asks for. */
    static Plan plan(Handle handle, ElementType type, long m, long n, long k, long count) {
        MatrixView a = MatrixView.shape(type, m, k, count);
        MatrixView b = MatrixView.shape(type, k, n, count);
        MatrixView c = MatrixView.shape(type, m, n, count);
        return handle.plan(h -> Blas.gemm(h, Op.NONE, Op.NONE, 1, a, b, 0, c));
    }

    @Test
    void plansNameItWhereItIsWorthIt() {
        try (Device device = Device.of(driver); Handle handle = device.createHandle()) {
            assertThat(device.deviceClass()).isEqualTo("fake-vendor");
            Plan large = plan(handle, ElementType.F64, LEAST, LEAST, DEPTH, 1);
            assertThat(large.optimal()).isEqualTo(BYTES);
            assertThat(large.minimum()).isZero();
            assertThat(large.toString()).contains("vendor 1 MiB").contains("own kernels 0 B");
            assertThat(plan(handle, ElementType.F64, LEAST - 1, LEAST, DEPTH, 1).optimal()).isZero();
            assertThat(plan(handle, ElementType.F64, LEAST, LEAST, DEPTH - 1, 1).optimal()).isZero();
            assertThat(plan(handle, ElementType.F64, LEAST, LEAST, DEPTH, 2).optimal()).isZero();
        }
    }

    @Test
    void aCallLendsItsBytesAndDegradesToTheKernels() {
        try (Device device = Device.of(driver);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, LEAST, LEAST);
            MatrixView c = arena.matrix(ElementType.F64, LEAST, LEAST);
            a.upload(new double[LEAST * LEAST]);
            handle.setDeviceMemorySize(BYTES);
            assertThat(Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, c)).isEqualTo(Status.SUCCESS);
            assertThat(handle.lastCall().bytesUsed()).isEqualTo(BYTES);
            assertThat(driver.last.workBytes).isEqualTo(BYTES);
            handle.setDeviceMemorySize(BYTES - 64);
            assertThat(Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, c)).isEqualTo(Status.PERF_DEGRADED);
            assertThat(driver.last.workBytes).isZero();
        }
    }

    /** A routine made of products lends it workspace for them, and has a tier without, in the same blocks. */
    @Test
    void productsInsideARoutineAreLeftToIt() {
        GemmEngine engine = new GemmEngine("vendor", BYTES, LEAST, DEPTH, 1);
        FakeDriver fake = new FakeDriver(FakeDriver.TRAITS.withEngine(engine));
        int n = 3 * FakeDriver.BLOCK;
        try (Device device = Device.of(fake);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            assertThat(solve(handle, MatrixView.shape(ElementType.F64, n, n, 2)).optimal()).isZero();
            Plan plan = solve(handle, MatrixView.shape(ElementType.F64, n, n, 1));
            assertThat(plan.optimal()).isEqualTo(BYTES);
            assertThat(plan.minimum()).isZero();
            assertThat(plan.toString()).contains("packed 1 MiB").contains("own kernels 0 B");
            MatrixView a = arena.matrix(ElementType.F64, n, n);
            MatrixView b = arena.matrix(ElementType.F64, n, n);
            a.upload(identity(n));
            b.upload(identity(n));
            handle.setDeviceMemorySize(BYTES);
            long before = fake.served;
            assertThat(Blas.trsm(handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 1, a, b))
                    .isEqualTo(Status.SUCCESS);
            assertThat(fake.served - before).isPositive();
            before = fake.served;
            handle.setDeviceMemorySize(BYTES - 64);
            assertThat(Blas.trsm(handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 1, a, b))
                    .isEqualTo(Status.PERF_DEGRADED);
            assertThat(handle.lastCall().toString()).contains("own kernels");
            assertThat(fake.served).isEqualTo(before);
        }
    }

    private static Plan solve(Handle handle, MatrixView a) {
        return handle.plan(h -> Blas.trsm(h, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 1, a, a));
    }

    private static double[] identity(int n) {
        double[] a = new double[n * n];
        for (int i = 0; i < n; i++) {
            a[i * (n + 1)] = 1;
        }
        return a;
    }

    /** Larger bounds never ask for less. */
    @Test
    void whatItServesIsMonotone() {
        GemmEngine engine = new GemmEngine("vendor", BYTES, 512, 32, 1 << 23);
        assertThat(engine.serves(ElementType.F64, 1024, 1024, 127)).isFalse();
        assertThat(engine.serves(ElementType.F64, 1024, 1024, 128)).isTrue();
        assertThat(engine.serves(ElementType.C64, 1024, 1024, 32)).isTrue();
        assertThat(engine.serves(ElementType.F64, 63, 1L << 40, 1L << 40)).isFalse();
        assertThat(engine.serves(ElementType.F64, 64, Long.MAX_VALUE, Long.MAX_VALUE)).isTrue();
    }

    /** With alpha = 0 no A may be read, and only the kernels of this library look before they read; the need knows no scalars. */
    @Test
    void scalarsOnTheDeviceStayWithTheKernels() {
        try (Device device = Device.of(driver);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(ElementType.F64, LEAST, LEAST);
            a.upload(new double[LEAST * LEAST]);
            MatrixView c = arena.matrix(ElementType.F64, LEAST, LEAST);
            VectorView one = arena.scalar(ElementType.F64, Complex.ONE);
            VectorView zero = arena.scalar(ElementType.F64, Complex.ZERO);
            assertThat(Blas.gemm(handle, Op.NONE, Op.NONE, one, a, a, zero, c)).isEqualTo(Status.SUCCESS);
            assertThat(handle.lastCall().bytesUsed()).isEqualTo(BYTES);
            assertThat(driver.last.workBytes).isZero();
            assertThat(Blas.gemm(handle, Op.NONE, Op.NONE, 0, a, a, 2, c)).isEqualTo(Status.SUCCESS);
            assertThat(driver.last.workBytes).isZero();
        }
    }

    /** The address of its problem is on the device, where no library of the host can read it; its need is that of its shape all the same. */
    @Test
    void aBatchOfOneInATableStaysWithTheKernels() {
        try (Device device = Device.of(driver);
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView one = arena.matrix(ElementType.F64, LEAST, LEAST);
            one.upload(new double[LEAST * LEAST]);
            MatrixView a = arena.pointers(one);
            assertThat(Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, a, 0, a)).isEqualTo(Status.SUCCESS);
            assertThat(handle.lastCall().bytesUsed()).isEqualTo(BYTES);
            assertThat(driver.last.workBytes).isZero();
        }
    }
}
