package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One right-hand side, and products of one row or one column, go to the kernels for vectors: results are right, their bits depend neither on threads nor on a
 * batch, and no workspace is asked for where none is used.
 */
class OneColumnTest {
    private static final long SEED = 1509;
    private static final int[] ORDERS = {1, 2, 7, 31, 32, 33, 64, 100, 257};

    static Stream<Arguments> engines() {
        return Devices.ENGINES.stream()
                .flatMap(engine -> Stream.of(ElementType.F64, ElementType.C64).map(type -> Arguments.of(engine, type)));
    }

    private static double[] numbers(ElementType type, long count, double dominant, int order) {
        int parts = type.isComplex() ? 2 : 1;
        SplittableRandom random = new SplittableRandom(SEED);
        double[] values = new double[Math.toIntExact(count) * parts];
        Arrays.setAll(values, i -> random.nextDouble(-1, 1));
        for (int j = 0; dominant != 0 && j < order; j++) {
            values[parts * (j * order + j)] = dominant;
            if (parts == 2) {
                values[parts * (j * order + j) + 1] = 0;
            }
        }
        return values;
    }

    /** The same problem as often as a batch has some. */
    private static double[] repeated(double[] one, int count) {
        double[] all = new double[one.length * count];
        for (int i = 0; i < count; i++) {
            System.arraycopy(one, 0, all, i * one.length, one.length);
        }
        return all;
    }

    private static double[] solution(String device, ElementType type, int n, int count, String routine, Op op) {
        try (Device opened = Device.open(device);
                Handle handle = opened.createHandle();
                DeviceArena arena = opened.arena()) {
            MatrixView a = arena.matrix(type, n, n, count);
            MatrixView b = arena.matrix(type, n, 1, count);
            VectorView ipiv = arena.vector(ElementType.I64, n, count);
            VectorView info = arena.vector(ElementType.I32, 1, count);
            a.upload(repeated(numbers(type, (long) n * n, 2.0 * n, n), count));
            b.upload(repeated(numbers(type, n, 0, n), count));
            long[] pivots = new long[n * count];
            Arrays.setAll(pivots, i -> i % n + 1);
            ipiv.upload(pivots);
            switch (routine) {
                case "getrs" -> Lapack.getrs(handle, op, a, ipiv, b);
                case "potrs" -> Lapack.potrs(handle, Uplo.LOWER, a, b);
                default -> Lapack.trtrs(handle, Uplo.UPPER, op, Diag.NON_UNIT, a, b, info);
            }
            handle.synchronize();
            double[] x = new double[n * count * (type.isComplex() ? 2 : 1)];
            b.download(x);
            return x;
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void bitsOfSolutions(String engine, ElementType type) {
        for (int n : ORDERS) {
            for (String routine : List.of("getrs", "potrs", "trtrs")) {
                for (Op op : routine.equals("potrs") ? List.of(Op.NONE) : List.of(Op.NONE, Op.TRANS, Op.CONJ_TRANS)) {
                    double[] one = solution(Devices.host(engine, 1), type, n, 1, routine, op);
                    assertThat(one).as("finite")
                            .doesNotContain(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
                    assertThat(solution(Devices.host(engine, 3), type, n, 1, routine, op))
                            .as("%s %s %s threads", routine, op, n)
                            .isEqualTo(one);
                    assertThat(solution(Devices.host(engine, 2), type, n, 3, routine, op))
                            .as("%s %s %s batch of 3", routine, op, n)
                            .isEqualTo(repeated(one, 3));
                    if (n > 32) {
                        assertThat(solution(Devices.host(engine, 2), type, n, 5, routine, op))
                                .as("%s %s %s batch of 5", routine, op, n)
                                .isEqualTo(repeated(one, 5));
                    }
                }
            }
        }
    }

    private static double[] product(String device, ElementType type, int m, int n, int k, Op op, int count) {
        try (Device opened = Device.open(device);
                Handle handle = opened.createHandle();
                DeviceArena arena = opened.arena()) {
            boolean plain = op == Op.NONE;
            MatrixView a = arena.matrix(type, plain ? m : k, plain ? k : m, count);
            MatrixView b = arena.matrix(type, k, n, count);
            MatrixView c = arena.matrix(type, m, n, count);
            a.upload(repeated(numbers(type, (long) m * k, 0, 1), count));
            b.upload(repeated(numbers(type, (long) k * n, 0, 1), count));
            c.upload(repeated(numbers(type, (long) m * n, 0, 1), count));
            Blas.gemm(handle, op, Op.NONE, 0.75, a, b, 0.5, c);
            handle.synchronize();
            double[] result = new double[m * n * count * (type.isComplex() ? 2 : 1)];
            c.download(result);
            return result;
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void productsOfOneRowOrColumn(String engine, ElementType type) {
        for (int size : new int[] {5, 31, 32, 33, 79, 197, 300}) {
            for (Op op : Op.values()) {
                for (boolean row : new boolean[] {true, false}) {
                    int m = row ? 1 : size;
                    int n = row ? size : 1;
                    double[] one = product(Devices.host(engine, 1), type, m, n, size, op, 1);
                    String what = m + "x" + n + " " + op;
                    assertThat(product(Devices.host(engine, 3), type, m, n, size, op, 1)).as(what).isEqualTo(one);
                    if (size > 32) {
                        assertThat(product(Devices.host(engine, 2), type, m, n, size, op, 5)).as("%s, batch", what)
                                .isEqualTo(repeated(one, 5));
                    }
                    double[] reference = reference(type, m, n, size, op);
                    for (int i = 0; i < one.length; i++) {
                        assertThat(Math.abs(one[i] - reference[i])).as(what).isLessThan(1e-14 * (size + 8));
                    }
                }
            }
        }
    }

    private static double[] reference(ElementType type, int m, int n, int k, Op op) {
        int parts = type.isComplex() ? 2 : 1;
        double[] a = numbers(type, (long) m * k, 0, 1);
        double[] b = numbers(type, (long) k * n, 0, 1);
        double[] c = numbers(type, (long) m * n, 0, 1);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) {
                double re = 0;
                double im = 0;
                for (int p = 0; p < k; p++) {
                    int at = parts * (op == Op.NONE ? i + p * m : p + i * k);
                    int bt = parts * (p + j * k);
                    double ai = parts == 2 ? (op == Op.CONJ_TRANS ? -1 : 1) * a[at + 1] : 0;
                    double bi = parts == 2 ? b[bt + 1] : 0;
                    re += a[at] * b[bt] - ai * bi;
                    im += a[at] * bi + ai * b[bt];
                }
                int to = parts * (i + j * m);
                c[to] = 0.75 * re + 0.5 * c[to];
                if (parts == 2) {
                    c[to + 1] = 0.75 * im + 0.5 * c[to + 1];
                }
            }
        }
        return c;
    }

    @ParameterizedTest
    @MethodSource("engines")
    void noMoreWorkspaceThanIsUsed(String engine, ElementType type) {
        try (Device opened = Device.open(Devices.host(engine, 1));
                Handle handle = opened.createHandle();
                DeviceArena arena = opened.arena()) {
            int n = 300;
            MatrixView a = arena.matrix(type, n, n);
            MatrixView b = arena.matrix(type, n, 1);
            VectorView ipiv = arena.vector(ElementType.I64, n);
            a.upload(numbers(type, (long) n * n, 2.0 * n, n));
            b.upload(numbers(type, n, 0, n));
            long[] pivots = new long[n];
            Arrays.setAll(pivots, i -> i + 1);
            ipiv.upload(pivots);
            Lapack.getrs(handle, Op.NONE, a, ipiv, b);
            if (opened.description().contains("machine code")) {
                assertThat(handle.lastCall().bytesUsed()).isZero();
                assertThat(handle.plan(h -> Lapack.getrs(h, Op.NONE, a, ipiv, b)).optimal()).isZero();
            }
        }
    }
}
