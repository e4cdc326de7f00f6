package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** As {@link DirectCallsTest}, for products and solves with triangular and symmetric matrices. */
class DirectTriangleCallsTest {
    /** The operands of one side: A of a square shape, B and C, and D for a rank-k update, all of one batch. */
    private record Operands(MatrixView a, MatrixView b, MatrixView c, MatrixView d) {}

    private record Options(Side side, Uplo uplo, Op op, Diag diag, double alpha, double beta) {}

    private static final Complex I2 = new Complex(0, 2);

    private static List<DirectSide.Operation<Operands>> operations(Options q) {
        Side side = q.side;
        Uplo uplo = q.uplo;
        Op op = q.op;
        Diag diag = q.diag;
        Complex za = new Complex(q.alpha, 0.5);
        Complex none = new Complex(q.alpha, 0);
        List<DirectSide.Operation<Operands>> list = new ArrayList<>();
        list.add((s, o) -> Blas.trmm(s.handle, side, uplo, op, diag, q.alpha, o.a, o.b, o.c));
        list.add((s, o) -> Blas.trmm(s.handle, side, uplo, op, diag, za, o.a, o.b, o.c));
        list.add((s, o) -> Blas.trmm(s.handle, side, uplo, op, diag, q.alpha, o.a, o.c, o.c));
        list.add((s, o) -> Blas.trmm(s.handle, side, uplo, op, diag, none, o.a, o.c, o.c));
        list.add((s, o) -> Blas.symm(s.handle, side, uplo, q.alpha, o.a, o.b, q.beta, o.c));
        list.add((s, o) -> Blas.symm(s.handle, side, uplo, za, o.a, o.b, I2, o.c));
        list.add((s, o) -> Blas.hemm(s.handle, side, uplo, q.alpha, o.a, o.b, q.beta, o.c));
        list.add((s, o) -> Blas.hemm(s.handle, side, uplo, za, o.a, o.b, I2, o.c));
        list.add((s, o) -> Blas.trsm(s.handle, side, uplo, op, diag, q.alpha, o.a, o.c));
        list.add((s, o) -> Blas.trsm(s.handle, side, uplo, op, diag, none, o.a, o.c));
        list.add((s, o) -> Blas.trsm(s.handle, side, uplo, op, diag, za, o.a, o.c));
        list.add((s, o) -> Blas.syrk(s.handle, uplo, op, q.alpha, o.d, q.beta, o.a));
        list.add((s, o) -> Blas.syrk(s.handle, uplo, op, za, o.d, I2, o.a));
        list.add((s, o) -> Blas.herk(s.handle, uplo, op, q.alpha, o.d, q.beta, o.a));
        list.add((s, o) -> Blas.trsm(s.handle, side, uplo, op, diag, (Complex) null, o.a, o.c));
        list.add((s, o) -> Blas.symm(s.handle, side, uplo, none, o.a, o.b, null, o.c));
        return list;
    }

    private static void compare(DirectSide direct, DirectSide hidden, Operands one, Operands two, Options options,
            String what) {
        DirectSide.compare(direct, hidden, one, two, operations(options), options + ", " + what);
    }

    private static String bits(Operands o) {
        return DirectSide.bits(o.a) + DirectSide.bits(o.b) + DirectSide.bits(o.c) + DirectSide.bits(o.d);
    }

    private static Operands operands(DirectSide side, ElementType type, Side where, Op op, long m, long n, long k) {
        long order = where == Side.LEFT ? m : n;
        return new Operands(side.matrix(type, order, order, 1), side.matrix(type, m, n, 2), side.matrix(type, m, n, 3),
                op == Op.NONE ? side.matrix(type, order, k, 4) : side.matrix(type, k, order, 4));
    }

    /** Sizes within and just beyond what goes directly: orders up to 64, the other side and k up to 256, of double complex numbers up to 192; beside orders up to 32 any other side. */
    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void bothWaysGiveTheSameBitsAndReports(ElementType type) {
        long[][] shapes = {
                {1, 1, 1},
                {3, 5, 2},
                {8, 8, 8},
                {17, 4, 30},
                {32, 33, 32},
                {33, 20, 64},
                {64, 9, 65},
                {65, 3, 5},
                {7, 192, 192},
                {3, 193, 257},
                {2, 257, 1},
                {33, 257, 2},
                {0, 3, 2},
                {3, 3, 0}};
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            for (long[] shape : shapes) {
                for (Side side : Side.values()) {
                    for (Op op : Op.values()) {
                        bothWays(type, direct, hidden, shape, side, op);
                    }
                }
            }
        }
    }

    private static void bothWays(ElementType type, DirectSide direct, DirectSide hidden, long[] shape, Side side,
            Op op) {
        long m = side == Side.LEFT ? shape[0] : shape[1];
        long n = side == Side.LEFT ? shape[1] : shape[0];
        Operands one = operands(direct, type, side, op, m, n, shape[2]);
        Operands two = operands(hidden, type, side, op, m, n, shape[2]);
        for (Uplo uplo : Uplo.values()) {
            Diag diag = (uplo == Uplo.UPPER) == (op == Op.TRANS) ? Diag.UNIT : Diag.NON_UNIT;
            String what = type + " " + m + "×" + n + ", k = " + shape[2];
            compare(direct, hidden, one, two, new Options(side, uplo, op, diag, 0.25, 1), what);
            compare(direct, hidden, one, two, new Options(side, uplo, op, diag, 1, 0), what);
            compare(direct, hidden, one, two, new Options(side, uplo, op, diag, 0, 0.5), what);
            assertThat(bits(one)).as(what + " " + side + " " + uplo + " " + op).isEqualTo(bits(two));
        }
    }

    /** Elements that make divisions unsafe, NaN, and what a unit diagonal or the other triangle must not read. */
    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void bothWaysTreatSpecialValuesTheSame(ElementType type) {
        double[] specials = {0, Double.NaN, Double.MIN_VALUE, Double.POSITIVE_INFINITY, 1e-310};
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            for (double special : specials) {
                for (Side side : Side.values()) {
                    for (Diag diag : Diag.values()) {
                        Operands one = operands(direct, type, side, Op.NONE, 7, 7, 7);
                        Operands two = operands(hidden, type, side, Op.NONE, 7, 7, 7);
                        for (Operands o : List.of(one, two)) {
                            put(o.a.block(3, 3, 1, 1).column(0), special);
                            put(o.a.block(5, 2, 1, 1).column(0), special);
                            put(o.c.block(1, 4, 1, 1).column(0), special);
                        }
                        for (Uplo uplo : Uplo.values()) {
                            compare(direct, hidden, one, two, new Options(side, uplo, Op.NONE, diag, 1, 0),
                                    "" + special);
                            assertThat(bits(one)).as("%s %s %s", special, side, uplo).isEqualTo(bits(two));
                        }
                    }
                }
            }
        }
    }

    private static void put(VectorView one, double value) {
        int parts = one.type().isComplex() ? 2 : 1;
        if (one.type().real() == ElementType.F64) {
            double[] values = new double[parts];
            values[0] = value;
            one.upload(values);
        } else {
            float[] values = new float[parts];
            values[0] = (float) value;
            one.upload(values);
        }
    }

    @Test
    void bothWaysRefuseTheSame() {
        try (DirectSide direct = new DirectSide(false);
                DirectSide hidden = new DirectSide(true);
                DirectSide other = new DirectSide(false)) {
            for (Side side : new Side[] {Side.LEFT, Side.RIGHT, null}) {
                Side where = side == null ? Side.LEFT : side;
                List<Operands> one = odd(direct, other, where);
                List<Operands> two = odd(hidden, other, where);
                for (int i = 0; i < one.size(); i++) {
                    for (Op op : new Op[] {Op.NONE, Op.TRANS, Op.CONJ_TRANS, null}) {
                        Uplo uplo = op == Op.TRANS ? null : Uplo.LOWER;
                        Diag diag = op == Op.CONJ_TRANS ? null : Diag.UNIT;
                        Options options = new Options(side, uplo, op, diag, 1, 1);
                        compare(direct, hidden, one.get(i), two.get(i), options, "set " + i);
                    }
                }
            }
            List<Operands> one = odd(direct, other, Side.LEFT);
            List<Operands> two = odd(hidden, other, Side.LEFT);
            direct.arena.close();
            hidden.arena.close();
            Options options = new Options(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, 1);
            compare(direct, hidden, one.get(0), two.get(0), options, "closed arena");
        }
    }

    /** One good set of operands, then sets with one that is missing, batched, of another type, shape, leading dimension or device. */
    private static List<Operands> odd(DirectSide side, DirectSide other, Side where) {
        ElementType f64 = ElementType.F64;
        Operands good = operands(side, f64, where, Op.NONE, 4, 4, 4);
        List<Operands> list = new ArrayList<>();
        list.add(good);
        VectorView batch = side.vector(f64, 32, 1, 6);
        List<MatrixView> matrices = new ArrayList<>();
        matrices.add(null);
        matrices.add(MatrixView.shape(f64, 4, 4));
        matrices.add(side.matrix(ElementType.F32, 4, 4, 7));
        matrices.add(side.matrix(ElementType.C64, 4, 4, 7));
        matrices.add(side.matrix(f64, 4, 5, 8));
        matrices.add(side.matrix(f64, 5, 4, 8));
        matrices.add(MatrixView.strided(f64, batch.pointer(), 4, 4, 4, 2, 16));
        matrices.add(other.matrix(f64, 4, 4, 9));
        // C's memory with another leading dimension, which only trmm minds, as B.
        matrices.add(MatrixView.of(f64, good.c.pointer(), 4, 4, 4));
        for (MatrixView odd : matrices) {
            list.add(new Operands(odd, good.b, good.c, good.d));
            list.add(new Operands(good.a, odd, good.c, good.d));
            list.add(new Operands(good.a, good.b, odd, good.d));
            list.add(new Operands(good.a, good.b, good.c, odd));
        }
        return list;
    }
}
