package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** As {@link DirectBatchesTest}, of a few small matrices in a batch: elements, results, errors and reports are those of the long way. */
class DirectFewTest {
    private interface Operation {
        Object run(Handle h, MatrixView a, MatrixView b, MatrixView c);
    }

    /** On operands of which a is of order k, or k×k, and b and c are alike. */
    private static Map<String, Operation> operations(double alpha, Side side, Uplo uplo, Op op) {
        Complex z = new Complex(alpha, 0.5);
        Complex w = new Complex(0.25, -1);
        Diag diag = op == Op.NONE ? Diag.UNIT : Diag.NON_UNIT;
        Map<String, Operation> all = new LinkedHashMap<>();
        all.put("symm", (h, a, b, c) -> Blas.symm(h, side, uplo, alpha, a, b, 0.5, c));
        all.put("symm z", (h, a, b, c) -> Blas.symm(h, side, uplo, z, a, b, w, c));
        all.put("hemm", (h, a, b, c) -> Blas.hemm(h, side, uplo, alpha, a, b, 0, c));
        all.put("trmm", (h, a, b, c) -> Blas.trmm(h, side, uplo, op, diag, alpha, a, b, c));
        all.put("trmm in place", (h, a, b, c) -> Blas.trmm(h, side, uplo, op, diag, alpha, a, c, c));
        all.put("trmm in place z", (h, a, b, c) -> Blas.trmm(h, side, uplo, op, diag, z, a, c, c));
        all.put("trsm", (h, a, b, c) -> Blas.trsm(h, side, uplo, op, diag, alpha, a, c));
        all.put("trsm z", (h, a, b, c) -> Blas.trsm(h, side, uplo, op, diag, z, a, c));
        return all;
    }

    /** On operands of which a and b are n×k under their op, and c is of order n. */
    private static Map<String, Operation> updates(double alpha, Uplo uplo, Op op) {
        Complex z = new Complex(alpha, 0.5);
        Op turned = op == Op.NONE ? Op.TRANS : Op.NONE;
        Map<String, Operation> all = new LinkedHashMap<>();
        all.put("gemm", (h, a, b, c) -> Blas.gemm(h, op, turned, alpha, a, b, 0.5, c));
        all.put("gemm z", (h, a, b, c) -> Blas.gemm(h, op, turned, z, a, b, new Complex(2, 0), c));
        all.put("gemmt", (h, a, b, c) -> Blas.gemmt(h, uplo, op, turned, alpha, a, b, 0.5, c));
        all.put("syrk", (h, a, b, c) -> Blas.syrk(h, uplo, op, alpha, a, 1, c));
        all.put("herk", (h, a, b, c) -> Blas.herk(h, uplo, op, alpha, a, 0.5, c));
        all.put("syr2k", (h, a, b, c) -> Blas.syr2k(h, uplo, op, alpha, a, b, 0, c));
        all.put("her2k", (h, a, b, c) -> Blas.her2k(h, uplo, op, z, a, b, 0.5, c));
        return all;
    }

    private static MatrixView batch(DirectSide side, ElementType type, long rows, long cols, int count,
            boolean pointers, long seed) {
        long each = (rows + 2) * cols + 1;
        VectorView all = side.arena.vector(type, each * count);
        side.fill(all, seed);
        MatrixView strided = MatrixView.strided(type, all.pointer(), rows, cols, rows + 2, count, each);
        if (!pointers) {
            return strided;
        }
        MatrixView[] problems = new MatrixView[count];
        Arrays.setAll(problems, i -> strided.problem(i));
        return side.arena.pointers(problems);
    }

    private static String content(MatrixView v) {
        int numbers = (int) (v.rows() * v.cols() * v.count()) * (v.type().isComplex() ? 2 : 1);
        if (v.type().real() == ElementType.F64) {
            double[] values = new double[numbers];
            v.download(values);
            return Arrays.toString(values);
        }
        float[] values = new float[numbers];
        v.download(values);
        return Arrays.toString(values);
    }

    private static void compare(Map<String, Operation> operations, DirectSide[] sides, MatrixView[][] operands,
            String what) {
        operations.forEach((name, operation) -> {
            String[] left = new String[2];
            for (int s = 0; s < 2; s++) {
                DirectSide side = sides[s];
                MatrixView[] on = operands[s];
                left[s] = side.outcome(() -> operation.run(side.handle, on[0], on[1], on[2]))
                        .replaceAll("#\\d+|0x[0-9a-f]+", "") + content(on[2]);
            }
            assertThat(left[0]).as("%s, %s", name, what).isEqualTo(left[1]);
        });
    }

    private static void both(ElementType type, int count, boolean pointers, long m, long n, long k) {
        try (DirectSide direct = new DirectSide(false); DirectSide hidden = new DirectSide(true)) {
            DirectSide[] sides = {direct, hidden};
            for (Uplo uplo : Uplo.values()) {
                for (Op op : Op.values()) {
                    MatrixView[][] on = new MatrixView[2][3];
                    for (Side side : Side.values()) {
                        long order = side == Side.LEFT ? m : n;
                        for (int s = 0; s < 2; s++) {
                            on[s][0] = batch(sides[s], type, order, order, count, pointers, 1);
                            on[s][1] = batch(sides[s], type, m, n, count, pointers, 2);
                            on[s][2] = batch(sides[s], type, m, n, count, pointers, 3);
                        }
                        compare(operations(0.75, side, uplo, op), sides, on, type + " " + m + "x" + n + " of " + count
                                + " " + side + " " + uplo + " " + op + " pointers=" + pointers);
                    }
                    boolean plain = op == Op.NONE;
                    for (int s = 0; s < 2; s++) {
                        on[s][0] = batch(sides[s], type, plain ? n : k, plain ? k : n, count, pointers, 4);
                        on[s][1] = batch(sides[s], type, plain ? n : k, plain ? k : n, count, pointers, 5);
                        on[s][2] = batch(sides[s], type, n, n, count, pointers, 6);
                    }
                    compare(updates(-1.5, uplo, op), sides, on, type + " " + n + " k=" + k + " of " + count + " " + uplo
                            + " " + op + " pointers=" + pointers);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void bothWaysGiveTheSameBitsAndReports(ElementType type) {
        long[][] shapes =
                {{1, 1, 1}, {1, 7, 3}, {5, 1, 20}, {3, 2, 17}, {11, 9, 4}, {20, 8, 8}, {2, 33, 2}, {40, 3, 50}};
        for (int count : new int[] {2, 3, 4, 24, 25}) {
            for (long[] shape : shapes) {
                both(type, count, count % 2 == 1, shape[0], shape[1], shape[2]);
            }
        }
    }

    @Test
    void onlyAFewSmallProblemsAreTakenAtOnce() {
        AtomicLong launches = new AtomicLong();
        try (DirectSide side = DirectSide.counting(launches)) {
            for (int count : new int[] {2, 24, 25}) {
                MatrixView a = batch(side, ElementType.F64, 4, 4, count, false, 1);
                MatrixView b = batch(side, ElementType.F64, 4, 4, count, true, 2);
                launches.set(0);
                Blas.symm(side.handle, Side.LEFT, Uplo.LOWER, 1, a, b, 1, b);
                assertThat(launches.get() == 0).as("symm of %d", count).isEqualTo(count <= 24);
                launches.set(0);
                Blas.trsm(side.handle, Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, 1, a, b);
                assertThat(launches.get() == 0).as("trsm of %d", count).isEqualTo(count <= 3);
            }
            MatrixView one = MatrixView.strided(ElementType.F64, side.arena.vector(ElementType.F64, 64).pointer(), 4, 4,
                    4, 3, 0);
            MatrixView c = batch(side, ElementType.F64, 4, 4, 3, false, 3);
            launches.set(0);
            Blas.gemm(side.handle, Op.NONE, Op.NONE, 1, one, c, 0, c);
            assertThat(launches.get()).as("one for all").isPositive();
        }
    }
}
