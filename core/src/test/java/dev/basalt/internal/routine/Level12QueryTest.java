package dev.basalt.internal.routine;

import static dev.basalt.type.ElementType.C64;
import static dev.basalt.type.ElementType.F32;
import static dev.basalt.type.ElementType.F64;
import static dev.basalt.type.ElementType.I64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What levels 1 and 2 answer to a size query, and that exactly that much suffices. */
class Level12QueryTest {
    private static final int BLOCK = FakeDriver.BLOCK;

    private final FakeDriver driver = new FakeDriver();
    private final Device device = Device.of(driver);
    private final Handle handle = device.createHandle();

    @AfterEach
    void closeAll() {
        handle.close();
        device.close();
    }

    private static VectorView v(ElementType type, long n) {
        return VectorView.shape(type, n);
    }

    private static MatrixView m(ElementType type, long rows, long cols) {
        return MatrixView.shape(type, rows, cols);
    }

    private long query(Consumer<Handle> calls) {
        int allocations = driver.allocations;
        handle.startDeviceMemorySizeQuery();
        try {
            calls.accept(handle);
        } finally {
            assertThat(driver.launches).isZero();
            assertThat(driver.allocations).isEqualTo(allocations);
        }
        return handle.stopDeviceMemorySizeQuery();
    }

    private void unchanged(Function<Handle, Status> call) {
        assertThat(query(h -> assertThat(call.apply(h)).isEqualTo(Status.SIZE_UNCHANGED))).isZero();
    }

    private void tooLarge(Consumer<Handle> call) {
        handle.startDeviceMemorySizeQuery();
        BlasException e = catchThrowableOfType(BlasException.class, () -> call.accept(handle));
        assertThat(e).isNotNull();
        assertThat(e.status()).as(e.getMessage()).isEqualTo(Status.INVALID_SIZE);
        assertThat(e).hasMessageContaining("64 bits");
        assertThat(handle.stopDeviceMemorySizeQuery()).isZero();
    }

    private static Status gemv(Handle h, Op op, ElementType type, long rows, long cols, long count) {
        boolean none = op == Op.NONE;
        return Blas.gemv(h, op, 1.0, MatrixView.shape(type, rows, cols, count),
                VectorView.shape(type, none ? cols : rows, count), 0.0,
                VectorView.shape(type, none ? rows : cols, count));
    }

    private static Status symv(Handle h, long n, long count) {
        VectorView x = VectorView.shape(F64, n, count);
        return Blas.symv(h, Uplo.LOWER, 1.0, MatrixView.shape(F64, n, n, count), x, 0.0, x);
    }

    private static Status trmv(Handle h, long n, long count) {
        MatrixView a = MatrixView.shape(F64, n, n, count);
        return Blas.trmv(h, Uplo.UPPER, Op.NONE, Diag.UNIT, a, VectorView.shape(F64, n, count));
    }

    @Test
    void gemvNeedsPartialsForTallTransposedMatrices() {
        assertThat(query(h -> gemv(h, Op.TRANS, F64, 4L * BLOCK + 1, 10, 3))).isEqualTo(up(8 * 5 * 10 * 3));
        assertThat(query(h -> gemv(h, Op.CONJ_TRANS, C64, 2L * BLOCK, 7, 1))).isEqualTo(up(16 * 2 * 7));
        assertThat(query(h -> gemv(h, Op.TRANS, F32, 2L * BLOCK, 7, 1))).isEqualTo(up(4 * 2 * 7));
        unchanged(h -> gemv(h, Op.TRANS, F64, 2L * BLOCK - 1, 10, 1));
        unchanged(h -> gemv(h, Op.NONE, F64, 1000, 1000, 1));
    }

    @Test
    void symvNeedsAPartialResultForEachStrip() {
        assertThat(query(h -> symv(h, BLOCK + 1, 3))).isEqualTo(up(8 * 2 * (BLOCK + 1) * 3));
        unchanged(h -> symv(h, BLOCK, 3));
    }

    @Test
    void trmvNeedsACopyOfX() {
        assertThat(query(h -> trmv(h, 5, 3))).isEqualTo(up(8 * 5 * 3));
    }

    @Test
    void reductionsNeedPartialSumsAndASlotForAResultOnTheHost() {
        VectorView x = v(F64, 3L * BLOCK + 1);
        assertThat(query(h -> Blas.asum(h, x, null))).isEqualTo(64);
        assertThat(query(h -> Blas.asum(h, x))).isEqualTo(128);
        assertThat(query(h -> Blas.dotc(h, v(C64, 5L * BLOCK), v(C64, 5L * BLOCK), null))).isEqualTo(128);
        assertThat(query(h -> Blas.iamax(h, x))).isEqualTo(64);
        unchanged(h -> Blas.iamax(h, x, null));
        unchanged(h -> Blas.nrm2(h, v(F64, BLOCK), null));
    }

    @Test
    void theOthersNeedNothing() {
        VectorView x = v(F64, 1000);
        MatrixView a = m(F64, 1000, 1000);
        unchanged(h -> Blas.axpy(h, 2.0, x, x));
        unchanged(h -> Blas.scal(h, 2.0, x));
        unchanged(h -> Blas.copy(h, x, x));
        unchanged(h -> Blas.swap(h, x, x));
        unchanged(h -> Blas.rot(h, x, x, 0.6, 0.8));
        unchanged(h -> Blas.ger(h, 2.0, x, x, a));
        unchanged(h -> Blas.trsv(h, Uplo.UPPER, Op.NONE, Diag.UNIT, a, x));
    }

    @Test
    void quickReturnsAnswerUnchanged() {
        unchanged(h -> gemv(h, Op.TRANS, F64, 1000, 0, 1));
        unchanged(h -> gemv(h, Op.TRANS, F64, 1000, 10, 0));
        unchanged(h -> symv(h, 0, 1));
        unchanged(h -> symv(h, 1000, 0));
        unchanged(h -> trmv(h, 0, 1));
        unchanged(h -> trmv(h, 1000, 0));
        unchanged(h -> Blas.asum(h, v(F64, 0), null));
        unchanged(h -> Blas.dot(h, v(F64, 0), v(F64, 0), null));
        unchanged(h -> Blas.asum(h, v(F64, 1000).reversed(), null));
        assertThat(query(h -> assertThat(Blas.asum(h, v(F64, 0))).isZero())).isZero();
    }

    @Test
    void theAnswerIsTheMaximum() {
        assertThat(query(h -> {
            assertThat(trmv(h, 100, 1)).isEqualTo(Status.SIZE_INCREASED);
            assertThat(trmv(h, 100, 1)).isEqualTo(Status.SIZE_UNCHANGED);
            assertThat(trmv(h, 50, 1)).isEqualTo(Status.SIZE_UNCHANGED);
            assertThat(trmv(h, 105, 1)).isEqualTo(Status.SIZE_INCREASED);
        })).isEqualTo(up(8 * 105));
    }

    @Test
    void scalarsAndResultsMayBeNullInAQuery() {
        VectorView x = v(C64, 100);
        MatrixView a = m(C64, 100, 100);
        VectorView none = null;
        Complex absent = null;
        assertThat(query(h -> {
            Blas.axpy(h, none, x, x);
            Blas.scal(h, absent, x);
            Blas.rot(h, x, x, none, none);
            Blas.rot(h, x, x, 1.0, absent);
            Blas.gemv(h, Op.TRANS, none, a, x, none, x);
            Blas.hemv(h, Uplo.UPPER, absent, a, x, absent, x);
            Blas.gerc(h, none, x, x, a);
            Blas.iamin(h, x, null);
        })).isPositive();
    }

    @Test
    void optionsAndSizesAreCheckedInAQuery() {
        for (Consumer<Handle> wrong : List.<Consumer<Handle>>of(
                h -> Blas.gemv(h, null, 1.0, m(F64, 3, 4), v(F64, 4), 0.0, v(F64, 3)),
                h -> Blas.hemv(h, Uplo.UPPER, 1.0, m(F64, 3, 3), v(F64, 3), 0.0, v(F64, 3)),
                h -> Blas.axpy(h, 1.0, v(F64, 3), v(F32, 3)), h -> Blas.iamax(h, v(F64, 3), v(F64, 1)),
                h -> Blas.dot(h, v(C64, 3), v(C64, 3), null))) {
            failsInQuery(wrong, Status.INVALID_VALUE);
        }
        for (Consumer<Handle> wrong : List.<Consumer<Handle>>of(
                h -> Blas.gemv(h, Op.TRANS, 1.0, m(F64, 3, 4), v(F64, 4), 0.0, v(F64, 3)),
                h -> Blas.axpy(h, 1.0, v(F64, 3), v(F64, 4)),
                h -> Blas.axpy(h, 1.0, VectorView.shape(F64, 4, 2), VectorView.shape(F64, 4, 3)),
                h -> Blas.swap(h, v(F64, 4), VectorView.shape(F64, 4, 3)),
                h -> Blas.rot(h, v(F64, 4), VectorView.shape(F64, 4, 3), 0.6, 0.8),
                h -> Blas.rot(h, v(F64, 3), v(F64, 4), 0.6, Complex.ONE),
                h -> Blas.asum(h, VectorView.shape(F64, 4, 3)),
                h -> Blas.asum(h, VectorView.shape(F64, 4, 3), v(F64, 2)),
                h -> Blas.trsv(h, Uplo.UPPER, Op.NONE, Diag.UNIT, m(F64, 3, 4), v(F64, 3)))) {
            failsInQuery(wrong, Status.INVALID_SIZE);
        }
    }

    private void failsInQuery(Consumer<Handle> wrong, Status status) {
        BlasException e = catchThrowableOfType(BlasException.class, () -> query(wrong));
        assertThat(e).isNotNull();
        assertThat(e.status()).as(e.getMessage()).isEqualTo(status);
        assertThat(handle.stopDeviceMemorySizeQuery()).isZero();
    }

    @Test
    void sizesBeyond64BitsAreRefused() {
        long huge = 1L << 40;
        tooLarge(h -> gemv(h, Op.TRANS, F64, huge, huge, 1));
        tooLarge(h -> gemv(h, Op.TRANS, F64, 100, huge, huge));
        tooLarge(h -> symv(h, huge, 1));
        tooLarge(h -> trmv(h, huge, huge));
        tooLarge(h -> trmv(h, Long.MAX_VALUE / 8, 1));
        tooLarge(h -> Blas.dot(h, VectorView.shape(F64, huge, huge), VectorView.shape(F64, huge, huge), null));
        tooLarge(h -> Blas.nrm2(h, VectorView.shape(F64, Long.MAX_VALUE, 3), null));
    }

    @Test
    void needsGrowWithEveryDimension() {
        long gemv = 0;
        long symv = 0;
        long trmv = 0;
        for (long n = 1; n < 6L * BLOCK; n++) {
            long size = n;
            long g = query(h -> gemv(h, Op.TRANS, F64, size, 9, 2));
            long s = query(h -> symv(h, size, 2));
            long t = query(h -> trmv(h, size, 2));
            assertThat(g).isGreaterThanOrEqualTo(gemv);
            assertThat(s).isGreaterThanOrEqualTo(symv);
            assertThat(t).isGreaterThanOrEqualTo(trmv);
            gemv = g;
            symv = s;
            trmv = t;
        }
    }

    @Test
    void exactlyTheAnswerSufficesAndOneChunkLessDegrades() {
        long n = 4L * BLOCK;
        try (DeviceArena arena = device.arena()) {
            MatrixView a = arena.matrix(F64, n, n);
            VectorView x = arena.vector(F64, n);
            VectorView y = arena.vector(F64, n);
            VectorView result = arena.vector(F64, 1);
            a.upload(new double[(int) (n * n)]);
            x.upload(new double[(int) n]);
            exact(h -> Blas.gemv(h, Op.TRANS, 1.0, a, x, 0.0, y));
            exact(h -> Blas.symv(h, Uplo.LOWER, 1.0, a, x, 0.0, y));
            exact(h -> Blas.trmv(h, Uplo.LOWER, Op.NONE, Diag.UNIT, a, x));
            exact(h -> Blas.dot(h, x, y, result));
        }
    }

    private void exact(Function<Handle, Status> call) {
        driver.launches = 0;
        long bytes = query(call::apply);
        assertThat(bytes).isPositive();
        try (Handle fixed = device.handleBuilder().deviceMemorySize(bytes).create()) {
            assertThat(call.apply(fixed)).isEqualTo(Status.SUCCESS);
            assertThat(fixed.lastCall().tier()).isZero();
        }
        try (Handle managed = device.createHandle()) {
            managed.setMaxManagedBytes(bytes - 64);
            assertThat(call.apply(managed)).isEqualTo(Status.PERF_DEGRADED);
        }
    }

    @Test
    void aResultForTheHostNeedsItsSlot() {
        try (DeviceArena arena = device.arena()) {
            VectorView x = arena.vector(I64, 1);
            VectorView y = arena.vector(F64, 3);
            handle.setMaxManagedBytes(0);
            BlasException e = catchThrowableOfType(BlasException.class, () -> Blas.asum(handle, y));
            assertThat(e.status()).isEqualTo(Status.MEMORY_ERROR);
            assertThat(e.shortage().minimum()).isEqualTo(64);
            assertThat(Blas.iamax(handle, y, x)).isEqualTo(Status.SUCCESS);
        }
    }

    private static long up(long bytes) {
        return (bytes + 63) / 64 * 64;
    }
}
