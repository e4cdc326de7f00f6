package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Matrices of order one beside long rows and columns, few long columns whose products are a triangle, and products of few lines: results are right, also where a diagonal is tiny
 * or a number that is not read is NaN, and their bits depend neither on threads nor on a batch.
 */
class ThinSidesTest {
    private static final double NAN = Double.NaN;

    /** More than one thread takes alone. */
    private static final int LONG = 70_000;

    static Stream<Arguments> engines() {
        return Devices.ENGINES.stream()
                .flatMap(engine -> Stream.of(ElementType.F64, ElementType.C64).map(type -> Arguments.of(engine, type)));
    }

    private static double[] random(ElementType type, int count) {
        SplittableRandom random = new SplittableRandom(count);
        double[] values = new double[count * (type.isComplex() ? 2 : 1)];
        Arrays.setAll(values, i -> random.nextDouble(-1, 1));
        return values;
    }

    private static double[] number(ElementType type, double re, double im) {
        return type.isComplex() ? new double[] {re, im} : new double[] {re};
    }

    private interface Call {
        void run(Handle handle, MatrixView a, MatrixView b, MatrixView c);
    }

    /** C after a call on operands of some rows and columns, as often as a batch has problems; the first problem's. */
    private static double[] run(String device, ElementType type, int count, int[] shapes, double[][] values,
            Call call) {
        try (Device opened = Device.open(device);
                Handle handle = opened.createHandle();
                DeviceArena arena = opened.arena()) {
            MatrixView[] views = new MatrixView[3];
            for (int i = 0; i < 3; i++) {
                views[i] = arena.matrix(type, shapes[2 * i], shapes[2 * i + 1], count);
                double[] all = new double[values[i].length * count];
                for (int p = 0; p < count; p++) {
                    System.arraycopy(values[i], 0, all, p * values[i].length, values[i].length);
                }
                views[i].upload(all);
            }
            call.run(handle, views[0], views[1], views[2]);
            handle.synchronize();
            double[] found = new double[values[2].length * count];
            views[2].download(found);
            for (int p = 1; p < count; p++) {
                assertThat(Arrays.copyOfRange(found, p * values[2].length, (p + 1) * values[2].length))
                        .as("problem %d", p)
                        .isEqualTo(Arrays.copyOf(found, values[2].length));
            }
            return Arrays.copyOf(found, values[2].length);
        }
    }

    /** The same by one thread and by three. */
    private static double[] same(String engine, ElementType type, int[] shapes, double[][] values, Call call) {
        double[] one = run(Devices.host(engine, 1), type, 1, shapes, values, call);
        assertThat(run(Devices.host(engine, 3), type, 1, shapes, values, call)).as("three threads").isEqualTo(one);
        return one;
    }

    private static Complex at(ElementType type, double[] values, int i) {
        return type.isComplex() ? new Complex(values[2 * i], values[2 * i + 1]) : new Complex(values[i], 0);
    }

    private static void agree(ElementType type, double[] found, int i, double re, double im) {
        Complex value = at(type, found, i);
        double size = Math.hypot(re, im);
        assertThat(value.re()).as("element %d", i).isCloseTo(re, within(1e-14 * size));
        assertThat(value.im()).as("element %d", i).isCloseTo(im, within(1e-14 * size));
    }

    @ParameterizedTest
    @MethodSource("engines")
    void oneUnknown(String engine, ElementType type) {
        double[][] diagonals = {{1.5, -0.5}, {0x1p-1040, 0}, {-0x1p1021, 0x1p1000}, {0x1p-500, 0x1p-510}};
        for (int sides : new int[] {1, 4, 5, 8, 1025, LONG}) {
            for (double[] diagonal : diagonals) {
                double[] b = random(type, sides);
                Arrays.setAll(b, i -> b[i] * (diagonal[0] == 0x1p-1040 ? 0x1p-100 : 1));
                for (Side side : Side.values()) {
                    boolean left = side == Side.LEFT;
                    int[] shapes = {1, 1, 1, 1, left ? 1 : sides, left ? sides : 1};
                    double[][] values = {number(type, diagonal[0], diagonal[1]), number(type, 0, 0), b};
                    double[] x = same(engine, type, shapes, values, (h, am, bm, cm) -> Blas.trsm(h, side, Uplo.LOWER,
                            Op.CONJ_TRANS, Diag.NON_UNIT, 0.5, am, cm));
                    double dr = at(type, values[0], 0).re();
                    double di = -at(type, values[0], 0).im();
                    double scale = Math.max(Math.abs(dr), Math.abs(di));
                    double square = (dr / scale) * (dr / scale) + (di / scale) * (di / scale);
                    for (int i = 0; i < sides; i += 1 + sides / 50) {
                        double re = at(type, b, i).re() / 2;
                        double im = at(type, b, i).im() / 2;
                        agree(type, x, i, (re * (dr / scale) + im * (di / scale)) / square / scale,
                                (im * (dr / scale) - re * (di / scale)) / square / scale);
                    }
                    values[0] = number(type, NAN, NAN);
                    double[] unit = same(engine, type, shapes, values,
                            (h, am, bm, cm) -> Blas.trsm(h, side, Uplo.UPPER, Op.CONJ_TRANS, Diag.UNIT, 1, am, cm));
                    assertThat(unit).isEqualTo(b);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void oneNumberBesideRowsAndColumns(String engine, ElementType type) {
        for (int length : new int[] {1, 2, 3, 33, LONG}) {
            double[] b = random(type, length);
            double[] c = random(type, length);
            for (Side side : Side.values()) {
                boolean left = side == Side.LEFT;
                int rows = left ? 1 : length;
                int[] shapes = {1, 1, rows, left ? length : 1, rows, left ? length : 1};
                double[][] values = {number(type, 0.75, NAN), b, c};
                if (type.isComplex()) {
                    // What is stored as the imaginary part of a Hermitian matrix's diagonal is not read.
                    double[] found = same(engine, type, shapes, values, (h, am, bm, cm) -> Blas.hemm(h, side,
                            Uplo.UPPER, new Complex(0.5, -1), am, bm, new Complex(2, 0), cm));
                    for (int i = 0; i < length; i += 1 + length / 50) {
                        double re = 0.75 * (0.5 * b[2 * i] + b[2 * i + 1]) + 2 * c[2 * i];
                        double im = 0.75 * (0.5 * b[2 * i + 1] - b[2 * i]) + 2 * c[2 * i + 1];
                        assertThat(found[2 * i]).isCloseTo(re, within(1e-14));
                        assertThat(found[2 * i + 1]).isCloseTo(im, within(1e-14));
                    }
                }
                values[0] = number(type, 0.75, 0.25);
                values[2] = c.clone();
                Arrays.fill(values[2], NAN);
                double[] fresh = same(engine, type, shapes, values,
                        (h, am, bm, cm) -> Blas.symm(h, side, Uplo.UPPER, 2, am, bm, 0, cm));
                for (int i = 0; i < length; i += 1 + length / 50) {
                    Complex x = at(type, b, i);
                    double ai = type.isComplex() ? 0.25 : 0;
                    agree(type, fresh, i, 2 * (0.75 * x.re() - ai * x.im()), 2 * (0.75 * x.im() + ai * x.re()));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void fewLongColumns(String engine, ElementType type) {
        for (int n : new int[] {1, 2, 3, 5, 12, 13}) {
            for (int k : new int[] {8 * n - 1, 8 * n, 200, 3000}) {
                double[] a = random(type, n * k);
                double[] c = random(type, n * n);
                int parts = type.isComplex() ? 2 : 1;
                for (int j = 0; j < n && parts == 2; j++) {
                    c[2 * (j * n + j) + 1] = NAN;
                }
                for (Uplo uplo : Uplo.values()) {
                    int[] shapes = {k, n, 1, 1, n, n};
                    double[][] values = {a, number(type, 0, 0), c};
                    Call call = (h, am, bm, cm) -> {
                        if (type.isComplex()) {
                            Blas.herk(h, uplo, Op.CONJ_TRANS, 0.5, am, 2, cm);
                        } else {
                            Blas.syrk(h, uplo, Op.TRANS, 0.5, am, 2, cm);
                        }
                    };
                    double[] found = same(engine, type, shapes, values, call);
                    assertThat(run(Devices.host(engine, 3), type, 5, shapes, values, call)).isEqualTo(found);
                    for (int j = 0; j < n; j++) {
                        for (int i = 0; i < n; i++) {
                            boolean stored = uplo == Uplo.LOWER ? i >= j : i <= j;
                            double[] sum = new double[2];
                            for (int p = 0; p < k && stored; p++) {
                                Complex x = at(type, a, p + i * k);
                                Complex y = at(type, a, p + j * k);
                                sum[0] += x.re() * y.re() + x.im() * y.im();
                                sum[1] += x.re() * y.im() - x.im() * y.re();
                            }
                            int at = parts * (i + j * n);
                            double factor = stored ? 2 : 1;
                            assertThat(found[at]).isCloseTo(0.5 * sum[0] + factor * c[at], within(1e-12 * k));
                            if (parts == 2 && i != j) {
                                assertThat(found[at + 1]).isCloseTo(0.5 * sum[1] + factor * c[at + 1],
                                        within(1e-12 * k));
                            } else if (parts == 2) {
                                assertThat(found[at + 1]).isZero();
                            }
                        }
                    }
                }
            }
        }
    }

    /** What threads leave over of a product is no single line, which alone would take another path. */
    @ParameterizedTest
    @MethodSource("engines")
    void productsOfWhichALineIsLeftOver(String engine, ElementType type) {
        Op[] ops = {Op.NONE, Op.CONJ_TRANS};
        for (int[] size : new int[][] {
                {32, 17, 32},
                {17, 32, 32},
                {32, 33, 32},
                {25, 32, 32},
                {13, 32, 32},
                {65, 17, 31}}) {
            int m = size[0];
            int n = size[1];
            int k = size[2];
            for (int form = 0; form < 4; form++) {
                Op opA = ops[form & 1];
                Op opB = ops[form >> 1];
                int[] shapes = shapes(opA, opB, m, n, k);
                double[][] values = {random(type, m * k), random(type, k * n), random(type, m * n)};
                same(engine, type, shapes, values, (h, am, bm, cm) -> Blas.gemm(h, opA, opB, 0.5, am, bm, 3, cm));
            }
        }
    }

    /** Small complex triangles take both products of a rank-2k update as one; no part of a larger one does. */
    @ParameterizedTest
    @MethodSource("engines")
    void bothProductsOfSmallTriangles(String engine, ElementType type) {
        if (!type.isComplex()) {
            return;
        }
        for (int n : new int[] {2, 15, 17, 31, 32, 33, 63, 64, 100, 200}) {
            int k = n < 32 ? 5 : 70;
            for (int form = 0; form < 8; form++) {
                Uplo uplo = (form & 1) == 0 ? Uplo.LOWER : Uplo.UPPER;
                boolean hermitian = (form & 2) == 0;
                boolean plain = (form & 4) == 0;
                Op op = plain ? Op.NONE : hermitian ? Op.CONJ_TRANS : Op.TRANS;
                int[] shapes = {plain ? n : k, plain ? k : n, plain ? n : k, plain ? k : n, n, n};
                double[] b = random(type, n * k);
                Arrays.setAll(b, i -> b[i] - 0.25);
                double[] c = random(type, n * n);
                for (int i = 0; i < n * n; i++) {
                    boolean unread = uplo == Uplo.LOWER ? i % n < i / n : i % n > i / n;
                    c[2 * i] = unread ? NAN : c[2 * i];
                    c[2 * i + 1] = unread || hermitian && i % n == i / n ? NAN : c[2 * i + 1];
                }
                double[][] values = {random(type, n * k), b, c};
                Complex alpha = new Complex(0.75, -0.5);
                Call call = (h, am, bm, cm) -> {
                    if (hermitian) {
                        Blas.her2k(h, uplo, op, alpha, am, bm, 2, cm);
                    } else {
                        Blas.syr2k(h, uplo, op, alpha, am, bm, new Complex(2, 0), cm);
                    }
                };
                double[] found = same(engine, type, shapes, values, call);
                assertThat(run(Devices.host(engine, 3), type, 5, shapes, values, call)).isEqualTo(found);
                for (int at = 0; at < n * n; at += 1 + n * n / 300) {
                    int i = at % n;
                    int j = at / n;
                    if (uplo == Uplo.LOWER ? i < j : i > j) {
                        assertThat(found[2 * at]).isNaN();
                        continue;
                    }
                    double[] sum = new double[2];
                    for (int p = 0; p < k; p++) {
                        add(type, sum, values[0], b, plain ? i + p * n : p + i * k, plain ? j + p * n : p + j * k,
                                hermitian, !plain, alpha);
                        Complex second = hermitian ? new Complex(0.75, 0.5) : alpha;
                        add(type, sum, b, values[0], plain ? i + p * n : p + i * k, plain ? j + p * n : p + j * k,
                                hermitian, !plain, second);
                    }
                    boolean real = hermitian && i == j;
                    assertThat(found[2 * at]).isCloseTo(sum[0] + 2 * c[2 * at], within(1e-13 * k));
                    assertThat(found[2 * at + 1]).isCloseTo(real ? 0 : sum[1] + 2 * c[2 * at + 1],
                            within(real ? 0 : 1e-13 * k));
                }
            }
        }
    }

    /** Adds alpha times a product of two elements, the second conjugated, or the first, if that is turned. */
    private static void add(ElementType type, double[] sum, double[] left, double[] right, int i, int j,
            boolean hermitian, boolean turned, Complex alpha) {
        Complex x = at(type, left, i);
        Complex y = at(type, right, j);
        double xi = hermitian && turned ? -x.im() : x.im();
        double yi = hermitian && !turned ? -y.im() : y.im();
        double re = x.re() * y.re() - xi * yi;
        double im = x.re() * yi + xi * y.re();
        sum[0] += alpha.re() * re - alpha.im() * im;
        sum[1] += alpha.re() * im + alpha.im() * re;
    }

    /** Few lines of real products take paths of their own, alone and in a batch. */
    @ParameterizedTest
    @MethodSource("engines")
    void productsOfFewLines(String engine, ElementType type) {
        if (type.isComplex()) {
            return;
        }
        Op[] ops = {Op.NONE, Op.TRANS};
        for (int lines : new int[] {1, 2, 3, 4}) {
            for (int other : new int[] {1, 7, 32}) {
                for (int k : new int[] {15, 16, 31, 32, 64}) {
                    for (int form = 0; form < 8; form++) {
                        Op opA = ops[form & 1];
                        Op opB = ops[form >> 1 & 1];
                        int m = form < 4 ? lines : other;
                        int n = form < 4 ? other : lines;
                        int[] shapes = shapes(opA, opB, m, n, k);
                        double[][] values = {random(type, m * k), random(type, k * n), random(type, m * n)};
                        Call call = (h, am, bm, cm) -> Blas.gemm(h, opA, opB, 0.5, am, bm, 3, cm);
                        double[] one = same(engine, type, shapes, values, call);
                        for (int count : new int[] {2, 5}) {
                            assertThat(run(Devices.host(engine, 1), type, count, shapes, values, call))
                                    .as("%dx%dx%d %s %s, a batch of %d", m, n, k, opA, opB, count)
                                    .isEqualTo(one);
                        }
                        values[2] = new double[m * n];
                        Arrays.fill(values[2], NAN);
                        double[] fresh = run(Devices.host(engine, 1), type, 1, shapes, values,
                                (h, am, bm, cm) -> Blas.gemm(h, opA, opB, 0.5, am, bm, 0, cm));
                        for (int i = 0; i < m * n; i++) {
                            double sum = 0;
                            for (int p = 0; p < k; p++) {
                                int row = i % m;
                                int column = i / m;
                                sum += values[0][opA == Op.NONE ? row + p * m : p + row * k]
                                        * values[1][opB == Op.NONE ? p + column * k : column + p * n];
                            }
                            assertThat(fresh[i]).isCloseTo(sum / 2, within(1e-13));
                        }
                    }
                }
            }
        }
    }

    /** Few lines beside a large factor are vectors, each on its own; small results of long columns are dots. */
    @ParameterizedTest
    @MethodSource("engines")
    void productsOfFewLinesWithLargeFactors(String engine, ElementType type) {
        for (int lines : new int[] {2, 3, 4, 5}) {
            product(engine, type, Op.NONE, Op.NONE, 410, lines, 330);
            product(engine, type, Op.NONE, Op.TRANS, 410, lines, 330);
            product(engine, type, Op.NONE, Op.TRANS, lines, 410, 330);
            product(engine, type, Op.TRANS, Op.TRANS, lines, 410, 330);
        }
        for (int[] size : new int[][] {{13, 13, 160}, {24, 16, 256}, {13, 24, 1100}, {8, 8, 200}, {25, 24, 300}}) {
            product(engine, type, Op.TRANS, Op.NONE, size[0], size[1], size[2]);
        }
    }

    private static void product(String engine, ElementType type, Op opA, Op opB, int m, int n, int k) {
        int[] shapes = shapes(opA, opB, m, n, k);
        double[][] values = {random(type, m * k), random(type, k * n), random(type, m * n)};
        Call call = (h, am, bm, cm) -> Blas.gemm(h, opA, opB, 0.5, am, bm, 3, cm);
        double[] one = same(engine, type, shapes, values, call);
        assertThat(run(Devices.host(engine, 1), type, 2, shapes, values, call)).isEqualTo(one);
        for (int at = 0; at < m * n; at += 1 + m * n / 100) {
            int row = at % m;
            int column = at / m;
            double[] sum = new double[2];
            for (int p = 0; p < k; p++) {
                add(type, sum, values[0], values[1], opA == Op.NONE ? row + p * m : p + row * k,
                        opB == Op.NONE ? p + column * k : column + p * n, false, false, new Complex(0.5, 0));
            }
            Complex old = at(type, values[2], at);
            Complex found = at(type, one, at);
            assertThat(found.re()).isCloseTo(sum[0] + 3 * old.re(), within(1e-12));
            assertThat(found.im()).isCloseTo(sum[1] + 3 * old.im(), within(1e-12));
        }
    }

    /** Rows and columns of the operands of a product, as they are stored. */
    private static int[] shapes(Op opA, Op opB, int m, int n, int k) {
        boolean a = opA == Op.NONE;
        boolean b = opB == Op.NONE;
        return new int[] {a ? m : k, a ? k : m, b ? k : n, b ? n : k, m, n};
    }
}
