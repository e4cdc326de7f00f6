package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** As {@link DirectMatrixCallsTest}, of a few matrices with vectors in a batch: elements, errors and reports are those of the long way. */
class DirectMatrixBatchesTest {
    /** The operands of one side. */
    private record Operands(MatrixView a, VectorView x, VectorView y) {}

    private static List<DirectSide.Operation<Operands>> operations(Op op, Uplo uplo, double alpha, double beta) {
        Complex za = new Complex(alpha, 0.5);
        Complex zb = new Complex(beta, 0.25);
        return List.of((s, o) -> Blas.gemv(s.handle, op, alpha, o.a, o.x, beta, o.y),
                (s, o) -> Blas.gemv(s.handle, op, za, o.a, o.x, zb, o.y),
                (s, o) -> Blas.ger(s.handle, alpha, o.y, o.x, o.a), (s, o) -> Blas.ger(s.handle, za, o.y, o.x, o.a),
                (s, o) -> Blas.geru(s.handle, za, o.y, o.x, o.a), (s, o) -> Blas.gerc(s.handle, za, o.y, o.x, o.a),
                (s, o) -> Blas.gerc(s.handle, alpha, o.y, o.x, o.a),
                (s, o) -> Blas.symv(s.handle, uplo, alpha, o.a, o.x, beta, o.y),
                (s, o) -> Blas.symv(s.handle, uplo, za, o.a, o.x, zb, o.y),
                (s, o) -> Blas.hemv(s.handle, uplo, alpha, o.a, o.x, beta, o.y),
                (s, o) -> Blas.hemv(s.handle, uplo, za, o.a, o.x, zb, o.y),
                (s, o) -> Blas.trmv(s.handle, uplo, op, beta == 0 ? Diag.UNIT : Diag.NON_UNIT, o.a, o.x),
                (s, o) -> Blas.syr(s.handle, uplo, alpha, o.x, o.a), (s, o) -> Blas.syr(s.handle, uplo, za, o.x, o.a),
                (s, o) -> Blas.her(s.handle, uplo, alpha, o.x, o.a),
                (s, o) -> Blas.syr2(s.handle, uplo, alpha, o.x, o.y, o.a),
                (s, o) -> Blas.syr2(s.handle, uplo, za, o.x, o.y, o.a),
                (s, o) -> Blas.her2(s.handle, uplo, alpha, o.x, o.y, o.a),
                (s, o) -> Blas.her2(s.handle, uplo, za, o.x, o.y, o.a));
    }

    private static VectorView vectors(DirectSide side, ElementType type, long n, long inc, int count, boolean pointers,
            long seed) {
        long each = (n - 1) * Math.abs(inc) + 2;
        VectorView all = side.arena.vector(type, each * count);
        side.fill(all, seed);
        VectorView strided = VectorView.strided(type, all.pointer(), n, inc, count, each);
        VectorView[] problems = new VectorView[count];
        Arrays.setAll(problems, strided::problem);
        return pointers ? side.arena.pointers(problems) : strided;
    }

    private static MatrixView matrices(DirectSide side, ElementType type, long m, long n, int count, boolean pointers) {
        long each = (m + 2) * n + 1;
        VectorView all = side.arena.vector(type, each * count);
        side.fill(all, 3);
        MatrixView strided = MatrixView.strided(type, all.pointer(), m, n, m + 2, count, each);
        MatrixView[] problems = new MatrixView[count];
        Arrays.setAll(problems, strided::problem);
        return pointers ? side.arena.pointers(problems) : strided;
    }

    private static String bits(Operands o) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < o.a.count(); i++) {
            all.append(DirectSide.bits(o.a.problem(i)));
        }
        for (VectorView v : List.of(o.x, o.y)) {
            for (int i = 0; i < v.count(); i++) {
                all.append(DirectSide.bits(v.problem(i)));
            }
        }
        return all.toString();
    }

    private static void compare(DirectSide direct, DirectSide hidden, Operands one, Operands two,
            List<DirectSide.Operation<Operands>> operations, String what) {
        boolean whole = one.a != null && one.x != null && one.y != null;
        for (int i = 0; i < operations.size(); i++) {
            DirectSide.Operation<Operands> operation = operations.get(i);
            String left = direct.outcome(() -> operation.run(direct, one));
            String right = hidden.outcome(() -> operation.run(hidden, two));
            assertThat(named(left)).as("operation %d, %s", i, what).isEqualTo(named(right));
            if (whole) {
                assertThat(bits(one)).as("operation %d, %s", i, what).isEqualTo(bits(two));
            }
        }
    }

    /** Without numbers of handles and addresses, which differ. */
    private static String named(String outcome) {
        return outcome.replaceAll("#\\d+|0x[0-9a-f]+", "");
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void bothWaysGiveTheSameBitsAndReports(ElementType type) {
        long[][] shapes = {{1, 1}, {1, 5}, {4, 4}, {9, 9}, {33, 2}, {7, 40}};
        for (long[] shape : shapes) {
            for (int count : new int[] {1, 2, 5, 24, 25}) {
                for (Op op : Op.values()) {
                    boolean pointers = (count + shape[0] + op.ordinal()) % 2 == 0;
                    Uplo uplo = op == Op.TRANS ? Uplo.LOWER : Uplo.UPPER;
                    boolean plain = op == Op.NONE;
                    long incx = plain ? 1 : -2;
                    String what = type + " " + Arrays.toString(shape) + " " + op + " " + count + " " + pointers;
                    try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
                        List<Operands> both = new ArrayList<>();
                        for (DirectSide side : List.of(direct, hidden)) {
                            both.add(new Operands(matrices(side, type, shape[0], shape[1], count, pointers),
                                    vectors(side, type, plain ? shape[1] : shape[0], incx, count, pointers, 4),
                                    vectors(side, type, plain ? shape[0] : shape[1], 1, count, false, 5)));
                        }
                        for (double alpha : new double[] {0.75, 0}) {
                            for (double beta : new double[] {0, 1, -0.5}) {
                                compare(direct, hidden, both.get(0), both.get(1), operations(op, uplo, alpha, beta),
                                        what + " " + alpha + " " + beta);
                            }
                        }
                    }
                }
            }
        }
    }

    private static List<Operands> odd(DirectSide side) {
        MatrixView a = matrices(side, ElementType.F64, 5, 5, 3, false);
        VectorView x = vectors(side, ElementType.F64, 5, 1, 3, false, 4);
        VectorView y = vectors(side, ElementType.F64, 5, 1, 3, true, 5);
        return List.of(new Operands(a, x, vectors(side, ElementType.F64, 5, 1, 2, false, 6)),
                new Operands(a, x, vectors(side, ElementType.F64, 6, 1, 3, false, 7)),
                new Operands(a, x, vectors(side, ElementType.F32, 5, 1, 3, false, 8)),
                new Operands(a, x, vectors(side, ElementType.F64, 5, 1, 1, false, 9)), new Operands(a.problem(1), x, y),
                new Operands(a, x.problem(2), y), new Operands(matrices(side, ElementType.F64, 5, 4, 3, true), x, y),
                new Operands(a, VectorView.strided(ElementType.F64, x.pointer(), 5, 1, 3, 0), y),
                new Operands(a, VectorView.strided(ElementType.F64, x.pointer(), 5, 0, 3, 1), y),
                new Operands(null, x, y), new Operands(a, null, y), new Operands(a, x, null));
    }

    /** Operands that do not go together, one for all problems, and memory that has ended. */
    @Test
    void bothWaysRefuseTheSame() {
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            List<Operands> one = odd(direct);
            List<Operands> two = odd(hidden);
            for (int i = 0; i < one.size(); i++) {
                compare(direct, hidden, one.get(i), two.get(i), operations(Op.NONE, Uplo.UPPER, 0.5, 0.5), "odd " + i);
            }
            direct.arena.close();
            hidden.arena.close();
            for (int i : new int[] {0, 3}) {
                Operands closed = one.get(i);
                Operands too = two.get(i);
                for (DirectSide.Operation<Operands> operation : operations(Op.NONE, Uplo.UPPER, 0.5, 0.5)) {
                    assertThat(named(direct.outcome(() -> operation.run(direct, closed))))
                            .isEqualTo(named(hidden.outcome(() -> operation.run(hidden, too))));
                }
            }
        }
    }

    @Test
    void aFewMatricesLaunchNothing() {
        AtomicLong launches = new AtomicLong();
        try (DirectSide side = DirectSide.counting(launches)) {
            for (boolean pointers : new boolean[] {false, true}) {
                MatrixView a = matrices(side, ElementType.C64, 8, 8, 5, pointers);
                VectorView x = vectors(side, ElementType.C64, 8, 2, 5, pointers, 4);
                VectorView y = vectors(side, ElementType.C64, 8, 1, 5, false, 5);
                assertThat(Blas.gemv(side.handle, Op.TRANS, 0.5, a, x, 0, y)).isEqualTo(Status.SUCCESS);
                assertThat(Blas.gerc(side.handle, 0.5, x, y, a)).isEqualTo(Status.SUCCESS);
                assertThat(Blas.hemv(side.handle, Uplo.LOWER, 0.5, a, x, 1, y)).isEqualTo(Status.SUCCESS);
                assertThat(Blas.trmv(side.handle, Uplo.LOWER, Op.NONE, Diag.UNIT, a, x)).isEqualTo(Status.SUCCESS);
                assertThat(Blas.her2(side.handle, Uplo.LOWER, 0.5, x, y, a)).isEqualTo(Status.SUCCESS);
            }
            assertThat(launches).hasValue(0);
        }
    }
}
