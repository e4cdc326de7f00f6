package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** As {@link DirectCallsTest}, for calls with matrices. */
class DirectMatrixCallsTest {
    /** The operands of one side: A, B and C, x and y. */
    private record Operands(MatrixView a, MatrixView b, MatrixView c, VectorView x, VectorView y) {}

    private static final Complex I2 = new Complex(0, 2);

    private static List<DirectSide.Operation<Operands>> operations(Op opA, Op opB, Uplo uplo, Diag diag, double alpha,
            double beta) {
        List<DirectSide.Operation<Operands>> list = new ArrayList<>();
        Complex za = new Complex(alpha, 0.5);
        list.add((s, o) -> Blas.gemm(s.handle, opA, opB, alpha, o.a, o.b, beta, o.c));
        list.add((s, o) -> Blas.gemm(s.handle, opA, opB, za, o.a, o.b, I2, o.c));
        list.add((s, o) -> Blas.gemv(s.handle, opA, alpha, o.a, o.x, beta, o.y));
        list.add((s, o) -> Blas.gemv(s.handle, opA, za, o.a, o.x, I2, o.y));
        list.add((s, o) -> Blas.ger(s.handle, alpha, o.x, o.y, o.a));
        list.add((s, o) -> Blas.ger(s.handle, za, o.x, o.y, o.a));
        list.add((s, o) -> Blas.geru(s.handle, alpha, o.x, o.y, o.a));
        list.add((s, o) -> Blas.geru(s.handle, za, o.x, o.y, o.a));
        list.add((s, o) -> Blas.gerc(s.handle, alpha, o.x, o.y, o.a));
        list.add((s, o) -> Blas.gerc(s.handle, za, o.x, o.y, o.a));
        list.add((s, o) -> Blas.symv(s.handle, uplo, alpha, o.a, o.x, beta, o.y));
        list.add((s, o) -> Blas.symv(s.handle, uplo, za, o.a, o.x, I2, o.y));
        list.add((s, o) -> Blas.hemv(s.handle, uplo, alpha, o.a, o.x, beta, o.y));
        list.add((s, o) -> Blas.hemv(s.handle, uplo, za, o.a, o.x, I2, o.y));
        list.add((s, o) -> Blas.trsv(s.handle, uplo, opA, diag, o.a, o.x));
        list.add((s, o) -> Blas.gemm(s.handle, opA, opB, (Complex) null, o.a, o.b, null, o.c));
        return list;
    }

    private static String bits(Operands o) {
        return DirectSide.bits(o.a) + DirectSide.bits(o.c) + DirectSide.bits(o.x) + DirectSide.bits(o.y);
    }

    private static Operands operands(DirectSide side, ElementType type, Op opA, Op opB, long m, long n, long k,
            long incx, long incy) {
        MatrixView a = opA == Op.NONE ? side.matrix(type, m, k, 1) : side.matrix(type, k, m, 1);
        MatrixView b = opB == Op.NONE ? side.matrix(type, k, n, 2) : side.matrix(type, n, k, 2);
        return new Operands(a, b, side.matrix(type, m, n, 3), side.vector(type, k, incx, 4),
                side.vector(type, m, incy, 5));
    }

    /** With m = n = k the one set of operands fits all routines; else most of them refuse it, in the same words. */
    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void bothWaysGiveTheSameBitsAndReports(ElementType type) {
        long[][] shapes = {
                {1, 1, 1},
                {3, 3, 3},
                {8, 8, 8},
                {33, 33, 33},
                {130, 130, 130},
                {5, 7, 6},
                {6, 193, 7},
                {190, 9, 190},
                {32, 300, 64},
                {300, 7, 65},
                {0, 3, 2},
                {3, 3, 0}};
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            for (long[] shape : shapes) {
                for (Op op : Op.values()) {
                    for (Uplo uplo : Uplo.values()) {
                        long incx = uplo == Uplo.UPPER ? 1 : -2;
                        long incy = op == Op.NONE ? 1 : 2;
                        double beta = op == Op.TRANS ? 1 : 0;
                        Operands one = operands(direct, type, op, Op.TRANS, shape[0], shape[1], shape[2], incx, incy);
                        Operands two = operands(hidden, type, op, Op.TRANS, shape[0], shape[1], shape[2], incx, incy);
                        Diag diag = op == Op.NONE ? Diag.UNIT : Diag.NON_UNIT;
                        String what = type + " " + Arrays.toString(shape) + " " + op + " " + uplo;
                        DirectSide.compare(direct, hidden, one, two, operations(op, Op.TRANS, uplo, diag, 0.25, beta),
                                what);
                        DirectSide.compare(direct, hidden, one, two, operations(op, Op.TRANS, uplo, diag, 0, beta),
                                what);
                        assertThat(bits(one)).as(what).isEqualTo(bits(two));
                    }
                }
            }
        }
    }

    @Test
    void bothWaysRefuseTheSame() {
        try (DirectSide direct = new DirectSide(false);
                DirectSide hidden = new DirectSide(true);
                DirectSide other = new DirectSide(false)) {
            List<Operands> one = odd(direct, other);
            List<Operands> two = odd(hidden, other);
            for (Op op : new Op[] {Op.NONE, Op.TRANS, null}) {
                for (Uplo uplo : new Uplo[] {Uplo.LOWER, null}) {
                    Diag diag = uplo == null ? null : Diag.UNIT;
                    for (int i = 0; i < one.size(); i++) {
                        List<DirectSide.Operation<Operands>> all = operations(op, op, uplo, diag, 1, 1);
                        DirectSide.compare(direct, hidden, one.get(i), two.get(i), all, op + " " + uplo + " " + i);
                    }
                }
            }
            direct.arena.close();
            hidden.arena.close();
            List<DirectSide.Operation<Operands>> all = operations(Op.NONE, Op.NONE, Uplo.LOWER, Diag.UNIT, 1, 1);
            DirectSide.compare(direct, hidden, one.get(0), two.get(0), all, "closed arena");
        }
    }

    /** One good set of operands, then sets with one that is missing, batched, of another type, shape or device. */
    private static List<Operands> odd(DirectSide side, DirectSide other) {
        ElementType f64 = ElementType.F64;
        Operands good = operands(side, f64, Op.NONE, Op.NONE, 4, 4, 4, 1, 1);
        List<Operands> list = new ArrayList<>();
        list.add(good);
        VectorView batch = side.vector(f64, 32, 1, 6);
        List<MatrixView> matrices = new ArrayList<>();
        matrices.add(null);
        matrices.add(MatrixView.shape(f64, 4, 4));
        matrices.add(side.matrix(ElementType.F32, 4, 4, 7));
        matrices.add(side.matrix(f64, 4, 5, 8));
        matrices.add(side.matrix(f64, 5, 4, 8));
        matrices.add(MatrixView.strided(f64, batch.pointer(), 4, 4, 4, 2, 16));
        matrices.add(other.matrix(f64, 4, 4, 9));
        for (MatrixView odd : matrices) {
            list.add(new Operands(odd, good.b, good.c, good.x, good.y));
            list.add(new Operands(good.a, odd, good.c, good.x, good.y));
            list.add(new Operands(good.a, good.b, odd, good.x, good.y));
        }
        List<VectorView> vectors = new ArrayList<>();
        vectors.add(null);
        vectors.add(VectorView.shape(f64, 4));
        vectors.add(side.vector(f64, 4, 0, 10));
        vectors.add(side.vector(f64, 5, 1, 10));
        vectors.add(side.vector(ElementType.C64, 4, 1, 11));
        vectors.add(VectorView.strided(f64, batch.pointer(), 4, 1, 2, 4));
        vectors.add(other.vector(f64, 4, 1, 12));
        for (VectorView odd : vectors) {
            list.add(new Operands(good.a, good.b, good.c, odd, good.y));
            list.add(new Operands(good.a, good.b, good.c, good.x, odd));
        }
        return list;
    }
}
