package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BandView;
import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.PackedView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** As {@link DirectCallsTest}, for bands, packed triangles, updates by vectors, and rotations in device memory. */
class DirectStoredCallsTest {
    private static final Complex I2 = new Complex(0.5, 2);

    /** The operands of one side: a band, a triangle of one, a packed triangle, a matrix, two vectors, and numbers of rotations. */
    private record Operands(BandView band, BandView half, PackedView packed, MatrixView a, VectorView x, VectorView y,
            List<VectorView> few) {}

    private static List<DirectSide.Operation<Operands>> operations(Op op, Uplo uplo, Diag diag, double alpha,
            double beta) {
        List<DirectSide.Operation<Operands>> list = new ArrayList<>();
        list.add((s, o) -> Blas.gbmv(s.handle, op, alpha, o.band, o.x, beta, o.y));
        list.add((s, o) -> Blas.gbmv(s.handle, op, I2, o.band, o.x, I2, o.y));
        list.add((s, o) -> Blas.sbmv(s.handle, uplo, alpha, o.half, o.x, beta, o.y));
        list.add((s, o) -> Blas.sbmv(s.handle, uplo, I2, o.half, o.x, I2, o.y));
        list.add((s, o) -> Blas.sbmv(s.handle, uplo, alpha, o.band, o.x, beta, o.y));
        list.add((s, o) -> Blas.hbmv(s.handle, uplo, alpha, o.half, o.x, beta, o.y));
        list.add((s, o) -> Blas.spmv(s.handle, uplo, alpha, o.packed, o.x, beta, o.y));
        list.add((s, o) -> Blas.spmv(s.handle, uplo, I2, o.packed, o.x, I2, o.y));
        list.add((s, o) -> Blas.hpmv(s.handle, uplo, alpha, o.packed, o.x, beta, o.y));
        list.add((s, o) -> Blas.tbsv(s.handle, uplo, op, diag, o.half, o.x));
        list.add((s, o) -> Blas.tpsv(s.handle, uplo, op, diag, o.packed, o.x));
        list.add((s, o) -> Blas.tbmv(s.handle, uplo, op, diag, o.half, o.x));
        list.add((s, o) -> Blas.syr(s.handle, uplo, alpha, o.x, o.a));
        list.add((s, o) -> Blas.syr(s.handle, uplo, I2, o.x, o.a));
        list.add((s, o) -> Blas.her(s.handle, uplo, alpha, o.x, o.a));
        list.add((s, o) -> Blas.spr(s.handle, uplo, alpha, o.x, o.packed));
        list.add((s, o) -> Blas.spr(s.handle, uplo, I2, o.x, o.packed));
        list.add((s, o) -> Blas.hpr(s.handle, uplo, alpha, o.x, o.packed));
        list.add((s, o) -> Blas.syr2(s.handle, uplo, alpha, o.x, o.y, o.a));
        list.add((s, o) -> Blas.her2(s.handle, uplo, I2, o.x, o.y, o.a));
        list.add((s, o) -> Blas.spr2(s.handle, uplo, alpha, o.x, o.y, o.packed));
        list.add((s, o) -> Blas.hpr2(s.handle, uplo, I2, o.x, o.y, o.packed));
        list.add((s, o) -> Blas.hpr2(s.handle, uplo, (Complex) null, o.x, o.y, o.packed));
        list.add((s, o) -> Blas.rotg(s.handle, o.few.get(0), o.few.get(1), o.few.get(2), o.few.get(3)));
        list.add((s, o) -> Blas.rotm(s.handle, o.x, o.y, o.few.get(4)));
        list.add((s, o) -> Blas.rotmg(s.handle, o.few.get(0), o.few.get(1), o.few.get(5), o.few.get(3), o.few.get(4)));
        return list;
    }

    private static String bits(Operands o) {
        StringBuilder text = new StringBuilder();
        text.append(DirectSide.bits(o.band.storage())).append(DirectSide.bits(o.half.storage()));
        text.append(DirectSide.bits(o.packed.storage())).append(DirectSide.bits(o.a));
        text.append(DirectSide.bits(o.x)).append(DirectSide.bits(o.y));
        o.few.forEach(v -> text.append(DirectSide.bits(v)));
        return text.toString();
    }

    private static Operands operands(DirectSide side, ElementType type, Uplo uplo, long n, long k, long incx,
            long incy) {
        BandView band = BandView.of(side.matrix(type, k + 2, n, 1), n, k, 1);
        BandView half =
                BandView.of(side.matrix(type, k + 1, n, 2), n, uplo == Uplo.LOWER ? k : 0, uplo == Uplo.LOWER ? 0 : k);
        PackedView packed = PackedView.of(side.vector(type, n * (n + 1) / 2, 1, 3), n);
        ElementType real = type.real();
        List<VectorView> few =
                List.of(side.vector(type, 1, 1, 4), side.vector(type, 1, 1, 5), side.vector(real, 1, 1, 6),
                        side.vector(type, 1, 1, 7), side.vector(type, 5, 1, 8), side.vector(type, 1, -2, 9));
        return new Operands(band, half, packed, side.matrix(type, n, n, 10), side.vector(type, n, incx, 11),
                side.vector(type, n, incy, 12), few);
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void bothWaysGiveTheSameBitsAndReports(ElementType type) {
        long[][] shapes = {{1, 0}, {2, 5}, {3, 1}, {8, 3}, {33, 32}, {130, 4}, {0, 1}};
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            for (long[] shape : shapes) {
                for (Op op : Op.values()) {
                    for (Uplo uplo : Uplo.values()) {
                        long incx = uplo == Uplo.UPPER ? 1 : -2;
                        long incy = op == Op.NONE ? 1 : 2;
                        double beta = op == Op.TRANS ? 1 : 0;
                        Diag diag = op == Op.NONE ? Diag.UNIT : Diag.NON_UNIT;
                        Operands one = operands(direct, type, uplo, shape[0], shape[1], incx, incy);
                        Operands two = operands(hidden, type, uplo, shape[0], shape[1], incx, incy);
                        String what = type + " " + shape[0] + " " + shape[1] + " " + op + " " + uplo;
                        DirectSide.compare(direct, hidden, one, two, operations(op, uplo, diag, 0.25, beta), what);
                        DirectSide.compare(direct, hidden, one, two, operations(op, uplo, diag, 0, beta), what);
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
            for (Op op : new Op[] {Op.NONE, null}) {
                for (Uplo uplo : new Uplo[] {Uplo.LOWER, Uplo.UPPER, null}) {
                    for (int i = 0; i < one.size(); i++) {
                        List<DirectSide.Operation<Operands>> all =
                                operations(op, uplo, uplo == null ? null : Diag.UNIT, 1, 1);
                        DirectSide.compare(direct, hidden, one.get(i), two.get(i), all, op + " " + uplo + " " + i);
                    }
                }
            }
            direct.arena.close();
            hidden.arena.close();
            List<DirectSide.Operation<Operands>> all = operations(Op.NONE, Uplo.LOWER, Diag.UNIT, 1, 1);
            DirectSide.compare(direct, hidden, one.get(0), two.get(0), all, "closed arena");
        }
    }

    /** One good set of operands, then sets with some that are missing, shapes, of another type, size or device. */
    private static List<Operands> odd(DirectSide side, DirectSide other) {
        ElementType f64 = ElementType.F64;
        Operands good = operands(side, f64, Uplo.LOWER, 4, 2, 1, 1);
        List<Operands> list = new ArrayList<>(List.of(good));
        List<VectorView> none = new ArrayList<>(good.few);
        none.set(3, null);
        none.set(4, null);
        list.add(new Operands(null, null, null, null, good.x, good.y, none));
        list.add(new Operands(BandView.shape(f64, 4, 4, 2, 1), BandView.shape(f64, 4, 4, 2, 0),
                PackedView.shape(f64, 4), MatrixView.shape(f64, 4, 4), good.x, good.y, good.few));
        for (Operands odd : List.of(operands(side, ElementType.F32, Uplo.LOWER, 4, 2, 1, 1),
                operands(side, f64, Uplo.LOWER, 5, 2, 1, 1), operands(other, f64, Uplo.LOWER, 4, 2, 1, 1))) {
            list.add(new Operands(odd.band, odd.half, odd.packed, odd.a, good.x, good.y, good.few));
            list.add(new Operands(good.band, good.half, good.packed, good.a, odd.x, good.y, odd.few));
            list.add(new Operands(good.band, good.half, good.packed, good.a, good.x, odd.y, good.few));
        }
        List<VectorView> apart = new ArrayList<>(good.few);
        apart.set(1, side.vector(f64, 2, 1, 13));
        apart.set(4, side.vector(f64, 5, 2, 14));
        list.add(new Operands(good.band, good.half, good.packed, good.a, side.vector(f64, 4, 0, 15),
                VectorView.shape(f64, 4), apart));
        return list;
    }
}
