package dev.basalt.internal.routine;

import static dev.basalt.type.ElementType.C64;
import static dev.basalt.type.ElementType.F64;
import static dev.basalt.type.ElementType.I64;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.basalt.BandView;
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
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Levels 1 and 2 on views: every operand lands where it belongs, on small integers, exactly. Numbers at large are tested on devices. */
class Level12ViewsTest {
    private final FakeDriver driver = new FakeDriver();
    private final Device device = Device.of(driver);
    private final Handle handle = device.createHandle();
    private final DeviceArena arena = device.arena();

    @AfterEach
    void closeAll() {
        arena.close();
        handle.close();
        device.close();
    }

    private VectorView d(double... values) {
        VectorView v = arena.vector(F64, values.length);
        v.upload(values);
        return v;
    }

    private VectorView z(double... values) {
        VectorView v = arena.vector(C64, values.length / 2);
        v.upload(values);
        return v;
    }

    private MatrixView dm(int rows, int cols, double... values) {
        MatrixView a = arena.matrix(F64, rows, cols);
        a.upload(values);
        return a;
    }

    private MatrixView zm(int rows, int cols, double... values) {
        MatrixView a = arena.matrix(C64, rows, cols);
        a.upload(values);
        return a;
    }

    private static double[] values(VectorView v) {
        double[] values = new double[(int) (v.size() * v.count()) * (v.type().isComplex() ? 2 : 1)];
        v.download(values);
        return values;
    }

    private static double[] values(MatrixView a) {
        double[] values = new double[(int) (a.rows() * a.cols() * a.count()) * (a.type().isComplex() ? 2 : 1)];
        a.download(values);
        return values;
    }

    private static void ok(Status status) {
        assertThat(status).isEqualTo(Status.SUCCESS);
    }

    @Test
    void axpyTakesAnyScalar() {
        VectorView y = z(1, 1, 2, 0);
        ok(Blas.axpy(handle, 2.0, z(1, 2, 0, 3), y));
        assertThat(values(y)).containsExactly(3, 5, 2, 6);
        ok(Blas.axpy(handle, Complex.I, z(1, 2, 0, 3), y));
        assertThat(values(y)).containsExactly(1, 6, -1, 6);
        ok(Blas.axpy(handle, arena.scalar(F64, Complex.of(-1)), y, z(0, 0, 0, 0)));
        ok(Blas.axpy(handle, arena.scalar(C64, Complex.I), z(1, 0, 0, 1), y));
        assertThat(values(y)).containsExactly(1, 7, -2, 6);
    }

    @Test
    void aRealFactorScalesBothPartsOfComplexElements() {
        VectorView x = z(Double.POSITIVE_INFINITY, 1, 2, 3);
        ok(Blas.scal(handle, 2.0, x));
        assertThat(driver.last.real).isTrue();
        assertThat(values(x)).containsExactly(Double.POSITIVE_INFINITY, 2, 4, 6);
        ok(Blas.scal(handle, arena.scalar(F64, Complex.of(2)), x));
        assertThat(driver.last.real).isTrue();
        ok(Blas.scal(handle, Complex.I, x));
        assertThat(driver.last.real).isFalse();
        assertThat(values(x)).endsWith(-12, 8);
        VectorView real = d(1, 2);
        ok(Blas.scal(handle, 3.0, real));
        assertThat(values(real)).containsExactly(3, 6);
    }

    @Test
    void copyAndSwapWalkBackwards() {
        VectorView x = d(1, 2, 3);
        VectorView y = d(4, 5, 6);
        ok(Blas.swap(handle, x, y.reversed()));
        assertThat(values(x)).containsExactly(6, 5, 4);
        assertThat(values(y)).containsExactly(3, 2, 1);
        ok(Blas.copy(handle, x.reversed(), y));
        assertThat(values(y)).containsExactly(4, 5, 6);
    }

    @Test
    void oneInputServesAWholeBatch() {
        VectorView y = arena.vector(F64, 2, 3);
        y.upload(new double[] {0, 0, 1, 1, 2, 2});
        ok(Blas.axpy(handle, 1.0, d(10, 20), y));
        assertThat(values(y)).containsExactly(10, 20, 11, 21, 12, 22);
    }

    @Test
    void reductionsReturnTheirValue() {
        VectorView x = d(3, -4, 0);
        assertThat(Blas.dot(handle, x, d(1, 1, 5))).isEqualTo(-1);
        assertThat(Blas.asum(handle, x)).isEqualTo(7);
        assertThat(Blas.nrm2(handle, x)).isEqualTo(5);
        assertThat(Blas.iamax(handle, x)).isEqualTo(2);
        assertThat(Blas.iamin(handle, x)).isEqualTo(3);
        assertThat(Blas.dotu(handle, x, x)).isEqualTo(Complex.of(25));
        VectorView c = z(1, 2, 0, 1);
        assertThat(Blas.dotu(handle, c, c)).isEqualTo(new Complex(-4, 4));
        assertThat(Blas.dotc(handle, c, c)).isEqualTo(Complex.of(6));
        assertThat(Blas.asum(handle, c)).isEqualTo(4);
        assertThat(Blas.dot(handle, d(), d())).isZero();
        assertThat(Blas.iamax(handle, x.slice(0, 0))).isZero();
    }

    @Test
    void reductionsWriteOneResultAProblem() {
        VectorView x = arena.vector(F64, 2, 3);
        x.upload(new double[] {1, -2, 3, 4, -5, 6});
        VectorView sums = arena.vector(F64, 3);
        ok(Blas.asum(handle, x, sums));
        assertThat(values(sums)).containsExactly(3, 7, 11);
        VectorView each = arena.vector(F64, 1, 3);
        ok(Blas.dot(handle, x, d(1, 10), each));
        assertThat(values(each)).containsExactly(-19, 43, 55);
        VectorView at = arena.vector(I64, 3);
        ok(Blas.iamax(handle, x, at));
        long[] indices = new long[3];
        at.download(indices);
        assertThat(indices).containsExactly(2, 2, 2);
        ok(Blas.nrm2(handle, VectorView.shape(F64, 0, 3), sums));
        assertThat(values(sums)).containsExactly(0, 0, 0);
    }

    @Test
    void gemvOfBothKinds() {
        MatrixView a = dm(2, 3, 1, 2, 3, 4, 5, 6);
        VectorView y = d(1, 1);
        ok(Blas.gemv(handle, Op.NONE, 1.0, a, d(1, 0, 2), 10.0, y));
        assertThat(values(y)).containsExactly(21, 24);
        VectorView t = d(Double.NaN, 0, 0);
        VectorView zero = arena.scalar(F64, Complex.ZERO);
        ok(Blas.gemv(handle, Op.TRANS, arena.scalar(F64, Complex.ONE), a, d(1, 10), zero, t));
        assertThat(values(t)).containsExactly(21, 43, 65);
        VectorView c = z(0, 0);
        ok(Blas.gemv(handle, Op.CONJ_TRANS, Complex.I, zm(1, 1, 0, 1), z(2, 0), Complex.ZERO, c));
        assertThat(values(c)).containsExactly(2, 0);
    }

    @Test
    void gerConjugatesOnlyInGerc() {
        MatrixView a = dm(2, 2, 0, 0, 0, 1);
        ok(Blas.ger(handle, 2.0, d(1, 2), d(3, 4), a));
        assertThat(values(a)).containsExactly(6, 12, 8, 17);
        MatrixView u = zm(1, 1, 0, 0);
        ok(Blas.geru(handle, 1.0, z(1, 1), z(0, 1), u));
        assertThat(values(u)).containsExactly(-1, 1);
        ok(Blas.gerc(handle, Complex.ONE, z(1, 1), z(0, 1), u));
        assertThat(values(u)).containsExactly(0, 0);
    }

    @Test
    void symvAndHemvReadOneTriangle() {
        double nan = Double.NaN;
        VectorView y = d(0, 0);
        ok(Blas.symv(handle, Uplo.LOWER, 1.0, dm(2, 2, 1, 2, nan, 3), d(1, 10), 0.0, y));
        assertThat(values(y)).containsExactly(21, 32);
        VectorView c = z(0, 0, 0, 0);
        MatrixView h = zm(2, 2, 1, nan, nan, nan, 0, 1, 2, nan);
        ok(Blas.hemv(handle, Uplo.UPPER, Complex.ONE, h, z(1, 0, 1, 0), Complex.ZERO, c));
        assertThat(values(c)).containsExactly(1, 1, 2, -1);
    }

    @Test
    void trsvUndoesTrmv() {
        MatrixView a = dm(2, 2, 2, 3, Double.NaN, 4);
        VectorView x = d(1, 2);
        ok(Blas.trmv(handle, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, a, x));
        assertThat(values(x)).containsExactly(2, 11);
        ok(Blas.trsv(handle, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, a, x));
        assertThat(values(x)).containsExactly(1, 2);
        ok(Blas.trmv(handle, Uplo.LOWER, Op.TRANS, Diag.UNIT, a, x));
        assertThat(values(x)).containsExactly(7, 2);
    }

    @Test
    void theHandleComesFirst() {
        for (Consumer<Handle> call : List.<Consumer<Handle>>of(h -> Blas.axpy(h, 1.0, null, null),
                h -> Blas.dot(h, null, null), h -> Blas.gemv(h, null, 1.0, null, null, 1.0, null),
                h -> Blas.trsv(h, null, null, null, null, null))) {
            assertThat(status(() -> call.accept(null))).isEqualTo(Status.INVALID_HANDLE);
        }
        Handle closed = device.createHandle();
        closed.close();
        assertThat(status(() -> Blas.swap(closed, null, null))).isEqualTo(Status.INVALID_HANDLE);
    }

    @Test
    void aNullViewIsAMissingPointer() {
        MatrixView a = dm(1, 1, 1);
        VectorView x = z(1, 0);
        for (Runnable call : List.<Runnable>of(() -> Blas.axpy(handle, 1.0, null, x),
                () -> Blas.scal(handle, 1.0, null), () -> Blas.scal(handle, (VectorView) null, x),
                () -> Blas.swap(handle, x, null), () -> Blas.dotu(handle, x, null),
                () -> Blas.dot(handle, null, null, null), () -> Blas.asum(handle, null),
                () -> Blas.asum(handle, x, null), () -> Blas.gemv(handle, Op.NONE, 1.0, null, x, 0.0, x),
                () -> Blas.hemv(handle, Uplo.UPPER, 1.0, zm(1, 1, 1, 0), x, 0.0, null),
                () -> Blas.ger(handle, 1.0, x, x, null),
                () -> Blas.trsv(handle, Uplo.UPPER, Op.NONE, Diag.UNIT, a, null))) {
            assertThat(status(call)).isEqualTo(Status.INVALID_POINTER);
        }
    }

    /** A band of the call before is no operand of this one, whose launch would not be an ordinary one. */
    @Test
    void anOperandOfTheLastCallIsGone() {
        BandView a = arena.band(F64, 4, 4, 0, 1);
        Blas.sbmv(handle, Uplo.UPPER, 1.0, a, d(1, 2, 3, 4), 0.0, arena.vector(F64, 4));
        assertThat(driver.last.plain()).isFalse();
        Blas.scal(handle, 2.0, d(1, 2));
        assertThat(driver.last.plain()).isTrue();
    }

    @Test
    void aBatchHasNoSingleValue() {
        VectorView x = arena.vector(F64, 4, 3);
        BlasException e = catchThrowableOfType(BlasException.class, () -> Blas.nrm2(handle, x));
        assertThat(e.status()).isEqualTo(Status.INVALID_SIZE);
        assertThat(e).hasMessageContaining("result");
        assertThat(driver.launches).isZero();
    }

    @Test
    void aComplexScalarDoesNotFitRealElements() {
        assertThat(status(() -> Blas.scal(handle, Complex.I, d(1, 2)))).isEqualTo(Status.INVALID_VALUE);
        assertThat(status(() -> Blas.scal(handle, z(0, 1), d(1, 2)))).isEqualTo(Status.INVALID_VALUE);
    }

    private static Status status(Runnable call) {
        BlasException e = catchThrowableOfType(BlasException.class, call::run);
        assertThat(e).isNotNull();
        return e.status();
    }
}
