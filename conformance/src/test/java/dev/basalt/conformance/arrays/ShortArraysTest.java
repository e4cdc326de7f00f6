package dev.basalt.conformance.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.BlasException;
import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayLapack;
import dev.basalt.arrays.ArrayWorkspace;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Small calls on arrays, on both sides of the lengths from which something else does the work: loops on the heap, one kernel on copies, one kernel in
 * place, the long way. Each is held to a loop over the definition.
 */
class ShortArraysTest extends OnArrays {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261127);
    private static final int[] INCREMENTS = {1, 2, -1, -3, 0};

    ShortArraysTest() {
        super(SEED);
    }

    private static float[] single(double[] numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }

    private static double[] wide(float[] numbers) {
        double[] doubles = new double[numbers.length];
        Arrays.setAll(doubles, i -> numbers[i]);
        return doubles;
    }

    private static int span(int n, int inc) {
        return (n - 1) * Math.abs(inc) + 1;
    }

    /** Where element i lies. */
    private static int at(int offset, int n, int inc, int i) {
        return offset + (inc < 0 ? (1 - n + i) * inc : i * inc);
    }

    private static void assertSame(double[] actual, double[] expected, double error) {
        for (int i = 0; i < actual.length; i++) {
            assertThat(actual[i]).as("[%d], seed %d", i, SEED).isCloseTo(expected[i], within(error));
        }
    }

    /** Those at which loops change, one less and one more, and some between. */
    private static IntStream lengths() {
        return IntStream.concat(IntStream.rangeClosed(1, 41), IntStream.of(56, 57, 63, 64, 65, 127, 128, 129, 191, 192,
                193, 255, 256, 257, 319, 320, 321, 385, 400, 511, 512, 513, 1000));
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void vectorsAreThoseOfTheDefinition(int n) {
        // With increment 0 one element may be summed n times.
        double error = n * (n + 2) * 0x1p-52;
        float singleError = n * (n + 2) * 0x1p-23f;
        for (int incx : INCREMENTS) {
            for (int incy : INCREMENTS) {
                double[] x = numbers(3 + span(n, incx) + 2);
                double[] y = numbers(5 + span(n, incy) + 1);
                double dot = 0;
                double[] sum = y.clone();
                for (int i = 0; i < n; i++) {
                    dot += x[at(3, n, incx, i)] * y[at(5, n, incy, i)];
                    sum[at(5, n, incy, i)] += 0.75 * x[at(3, n, incx, i)];
                }
                assertThat(ArrayBlas.ddot(n, x, 3, incx, y, 5, incy)).isCloseTo(dot, within(error));
                float[] sx = single(x);
                float[] sy = single(y);
                assertThat(ArrayBlas.sdot(n, sx, 3, incx, sy, 5, incy)).isCloseTo((float) dot, within(singleError));
                double[] own = y.clone();
                ArrayBlas.daxpy(n, 0.75, x, 3, incx, own, 5, incy);
                assertSame(own, sum, error);
                ArrayBlas.saxpy(n, 0.75f, sx, 3, incx, sy, 5, incy);
                assertSame(wide(sy), sum, singleError);
                if (incy != 0) {
                    moves(n, x, incx, y, incy);
                }
            }
        }
    }

    private static void moves(int n, double[] x, int incx, double[] y, int incy) {
        double[] copied = y.clone();
        double[] rotatedX = x.clone();
        double[] rotatedY = y.clone();
        for (int i = 0; i < n; i++) {
            int p = at(3, n, incx, i);
            int q = at(5, n, incy, i);
            copied[q] = x[p];
            double first = rotatedX[p];
            rotatedX[p] = 0.6 * first + 0.8 * rotatedY[q];
            rotatedY[q] = 0.6 * rotatedY[q] - 0.8 * first;
        }
        double[] own = y.clone();
        ArrayBlas.dcopy(n, x, 3, incx, own, 5, incy);
        assertThat(own).isEqualTo(copied);
        if (incx == 0) {
            return;
        }
        double[] ownX = x.clone();
        double[] ownY = y.clone();
        ArrayBlas.drot(n, ownX, 3, incx, ownY, 5, incy, 0.6, 0.8);
        assertSame(ownX, rotatedX, 0x1p-50);
        assertSame(ownY, rotatedY, 0x1p-50);
        ArrayBlas.dswap(n, ownX, 3, incx, ownY, 5, incy);
        ArrayBlas.dswap(n, ownY, 5, incy, ownX, 3, incx);
        assertSame(ownX, rotatedX, 0x1p-50);
        assertSame(ownY, rotatedY, 0x1p-50);
    }

    @ParameterizedTest
    @MethodSource("lengths")
    void vectorsAloneAreThoseOfTheDefinition(int n) {
        for (int inc : new int[] {1, 3}) {
            double[] x = numbers(2 + span(n, inc) + 1);
            double sum = 0;
            double squares = 0;
            int largest = 0;
            int least = 0;
            double[] scaled = x.clone();
            for (int i = 0; i < n; i++) {
                double value = Math.abs(x[2 + i * inc]);
                sum += value;
                squares += value * value;
                largest = value > Math.abs(x[2 + largest * inc]) ? i : largest;
                least = value < Math.abs(x[2 + least * inc]) ? i : least;
                scaled[2 + i * inc] *= -0.3;
            }
            assertThat(ArrayBlas.dasum(n, x, 2, inc)).isCloseTo(sum, within(n * n * 0x1p-52));
            assertThat(ArrayBlas.dnrm2(n, x, 2, inc)).isCloseTo(Math.sqrt(squares), within(n * 0x1p-52));
            assertThat(ArrayBlas.idamax(n, x, 2, inc)).isEqualTo(largest + 1);
            assertThat(ArrayBlas.idamin(n, x, 2, inc)).isEqualTo(least + 1);
            assertThat(ArrayBlas.sasum(n, single(x), 2, inc)).isCloseTo((float) sum, within(n * n * 0x1p-22f));
            assertThat(ArrayBlas.snrm2(n, single(x), 2, inc)).isCloseTo((float) Math.sqrt(squares),
                    within(n * 0x1p-22f));
            ArrayBlas.dscal(n, -0.3, x, 2, inc);
            assertThat(x).isEqualTo(scaled);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 63, 64, 127, 128, 159, 160, 200})
    void complexVectorsAreThoseOfTheDefinition(int n) {
        double error = n * 0x1p-50;
        double[] x = numbers(2 * (n + 3));
        double[] y = numbers(2 * (n + 2));
        double re = 0;
        double im = 0;
        double sum = 0;
        double squares = 0;
        double[] added = y.clone();
        for (int i = 0; i < n; i++) {
            double a = x[2 * (i + 2)];
            double b = x[2 * (i + 2) + 1];
            double c = y[2 * (i + 1)];
            double d = y[2 * (i + 1) + 1];
            re += a * c + b * d;
            im += a * d - b * c;
            sum += Math.abs(a) + Math.abs(b);
            squares += a * a + b * b;
            added[2 * (i + 1)] += 0.5 * a + 0.25 * b;
            added[2 * (i + 1) + 1] += 0.5 * b - 0.25 * a;
        }
        Complex dot = ArrayBlas.zdotc(n, x, 2, 1, y, 1, 1);
        assertThat(dot.re()).isCloseTo(re, within(error));
        assertThat(dot.im()).isCloseTo(im, within(error));
        Complex narrow = ArrayBlas.cdotc(n, single(x), 2, 1, single(y), 1, 1);
        assertThat(narrow.re()).isCloseTo(re, within(n * 0x1p-20));
        assertThat(ArrayBlas.dzasum(n, x, 2, 1)).isCloseTo(sum, within(2 * n * error));
        assertThat(ArrayBlas.dznrm2(n, x, 2, 1)).isCloseTo(Math.sqrt(squares), within(error));
        double[] own = y.clone();
        ArrayBlas.zaxpy(n, new Complex(0.5, -0.25), x, 2, 1, own, 1, 1);
        assertSame(own, added, error);
        ArrayBlas.zswap(n, own, 1, 1, added, 1, 1);
        ArrayBlas.zdscal(n, 2, own, 1, 1);
        ArrayBlas.zscal(n, new Complex(2, 0), added, 1, 1);
        assertSame(own, added, 4 * error);
        ArrayBlas.zcopy(n, x, 2, 1, own, 1, 1);
        assertThat(Arrays.copyOfRange(own, 2, 2 + 2 * n)).isEqualTo(Arrays.copyOfRange(x, 4, 4 + 2 * n));
        assertThat(own[0]).isEqualTo(added[0]);
    }

    /** Long vectors are exchanged by copies, unless they are parts of one array that overlap. */
    @Test
    void longVectorsAreExchangedWithinOneArrayToo() {
        for (int n : new int[] {16_384, 16_385, 33_000}) {
            double[] x = numbers(n + 3);
            double[] y = numbers(n + 5);
            double[] both = numbers(2 * n + 9);
            double[] wholeX = x.clone();
            double[] wholeY = y.clone();
            double[] whole = both.clone();
            ArrayBlas.dswap(n, x, 2, 1, y, 4, 1);
            ArrayBlas.dswap(n, both, n + 7, 1, both, 5, 1);
            for (int i = 0; i < n; i++) {
                assertThat(x[2 + i]).isEqualTo(wholeY[4 + i]);
                assertThat(y[4 + i]).isEqualTo(wholeX[2 + i]);
                assertThat(both[5 + i]).isEqualTo(whole[n + 7 + i]);
                assertThat(both[n + 7 + i]).isEqualTo(whole[5 + i]);
            }
            assertThat(new double[] {x[0], x[1], x[n + 2], both[4], both[n + 5], both[n + 6], both[2 * n + 7]})
                    .containsExactly(wholeX[0], wholeX[1], wholeX[n + 2], whole[4], whole[n + 5], whole[n + 6],
                            whole[2 * n + 7]);
            double[] before = both.clone();
            ArrayBlas.dswap(n, both, 3, 1, both, 3, 1);
            assertThat(both).isEqualTo(before);
            float[] sx = new float[n];
            float[] sy = new float[n];
            for (int i = 0; i < n; i++) {
                sx[i] = i;
                sy[i] = -i;
            }
            ArrayBlas.sswap(n, sx, 1, sy, 1);
            assertThat(sx[n - 1]).isEqualTo(1 - n);
            assertThat(sy[n - 1]).isEqualTo(n - 1);
        }
    }

    @Test
    void oneArrayMayBeBothVectors() {
        for (int n : new int[] {5, 255, 400}) {
            double[] x = numbers(n);
            double[] before = x.clone();
            double norm = ArrayBlas.dnrm2(n, x, 1);
            assertThat(ArrayBlas.ddot(n, x, 1, x, 1)).isCloseTo(norm * norm, within(n * 0x1p-50));
            ArrayBlas.dcopy(n, x, 1, x, 1);
            ArrayBlas.dswap(n, x, 1, x, 1);
            assertThat(x).isEqualTo(before);
            ArrayBlas.daxpy(n, 1, x, 1, x, 1);
            for (int i = 0; i < n; i++) {
                assertThat(x[i]).isEqualTo(2 * before[i]);
            }
        }
    }

    @Test
    void vectorsWithoutElementsAreNotLookedAt() {
        double[] y = {1, 2};
        for (int n : new int[] {0, -1, Integer.MIN_VALUE}) {
            assertThat(ArrayBlas.ddot(n, null, 1, null, 1)).isZero();
            assertThat(ArrayBlas.dnrm2(n, null, 1)).isZero();
            assertThat(ArrayBlas.dasum(n, null, 1)).isZero();
            assertThat(ArrayBlas.idamax(n, null, 1)).isZero();
            assertThat(ArrayBlas.idamin(n, null, 1)).isZero();
            ArrayBlas.daxpy(n, 2, null, 1, y, 1);
            ArrayBlas.dscal(n, 2, null, 1);
            ArrayBlas.dcopy(n, null, 1, y, 1);
        }
        ArrayBlas.dscal(2, 3, y, -1);
        ArrayBlas.dscal(2, 3, y, 0);
        assertThat(y).containsExactly(1, 2);
    }

    @Test
    void notANumberIsWhatTheRulesSay() {
        double nan = Double.NaN;
        assertThat(ArrayBlas.idamax(4, new double[] {1, nan, 9, nan}, 1)).isEqualTo(2);
        assertThat(ArrayBlas.idamin(4, new double[] {nan, 3, -2, nan}, 1)).isEqualTo(3);
        assertThat(ArrayBlas.idamin(2, new double[] {nan, nan}, 1)).isEqualTo(1);
        assertThat(ArrayBlas.idamax(3, new double[] {0, -0.0, 0}, 1)).isEqualTo(1);
        assertThat(ArrayBlas.idamin(2, new double[] {Double.POSITIVE_INFINITY, nan}, 1)).isEqualTo(1);
        assertThat(ArrayBlas.isamax(3, new float[] {1, Float.NEGATIVE_INFINITY, 2}, 1)).isEqualTo(2);
        assertThat(ArrayBlas.dnrm2(3, new double[] {1, nan, Double.POSITIVE_INFINITY}, 1)).isNaN();
        assertThat(ArrayBlas.dnrm2(2, new double[] {1, Double.NEGATIVE_INFINITY}, 1)).isInfinite();
        assertThat(ArrayBlas.dasum(2, new double[] {1, nan}, 1)).isNaN();
        double[] y = {1, 2};
        ArrayBlas.daxpy(2, 0, new double[] {nan, Double.POSITIVE_INFINITY}, 1, y, 1);
        assertThat(y).containsExactly(1, 2);
        double[] x = {nan, 2};
        ArrayBlas.dscal(2, 0, x, 1);
        assertThat(x[0]).isNaN();
        assertThat(x[1]).isZero();
    }

    /** Wherever they lie: searches look at several elements at once, the last of them twice. */
    @Test
    void theFirstOfEqualsAndTheFirstNanAreFound() {
        for (int n : new int[] {3, 8, 15, 16, 17, 18, 23, 24, 25, 31, 32, 33, 63, 64, 65, 130, 319}) {
            for (int first = 0; first < n; first++) {
                int second = first + (n - first) / 2;
                double[] x = numbers(2 + n);
                x[0] = Double.NaN;
                x[1] = Double.NEGATIVE_INFINITY;
                x[2 + first] = -9;
                x[2 + second] = 9;
                assertThat(ArrayBlas.idamax(n, x, 2, 1)).as("n %d", n).isEqualTo(first + 1);
                assertThat(ArrayBlas.isamax(n, single(x), 2, 1)).as("n %d", n).isEqualTo(first + 1);
                x[2 + second] = Double.NaN;
                assertThat(ArrayBlas.idamax(n, x, 2, 1)).as("n %d", n).isEqualTo(second + 1);
                assertThat(ArrayBlas.isamax(n, single(x), 2, 1)).as("n %d", n).isEqualTo(second + 1);
                assertThat(ArrayBlas.ddot(n, x, 2, 1, x, 2, 1)).isNaN();
            }
        }
    }

    /** What a vector of the last elements takes a second time is not added. */
    @Test
    void noElementIsAddedTwice() {
        for (int n = 1; n < 300; n++) {
            double[] x = new double[n + 3];
            Arrays.setAll(x, i -> i + 1);
            x[0] = Double.POSITIVE_INFINITY;
            x[n + 1] = Double.NaN;
            x[n + 2] = Double.NaN;
            double sum = n * (n + 3) / 2.0;
            double squares = (n + 1) * (n + 2) * (2 * n + 3) / 6.0 - 1;
            assertThat(ArrayBlas.dasum(n, x, 1, 1)).as("n %d", n).isEqualTo(sum);
            assertThat(ArrayBlas.ddot(n, x, 1, 1, x.clone(), 1, 1)).as("n %d", n).isEqualTo(squares);
            assertThat(ArrayBlas.dnrm2(n, x, 1, 1)).as("n %d", n).isEqualTo(Math.sqrt(squares));
            assertThat(ArrayBlas.sasum(n, single(x), 1, 1)).as("n %d", n).isEqualTo((float) sum);
            assertThat(ArrayBlas.sdot(n, single(x), 1, 1, single(x), 1, 1)).as("n %d", n).isEqualTo((float) squares);
        }
    }

    /** A sum of floats, one after the other, would stand still long before. */
    @Test
    void longSumsKeepTheirAccuracy() {
        int n = 3_000_001;
        float[] x = new float[n];
        Arrays.fill(x, 0.1f);
        double sum = n * (double) 0.1f;
        assertThat(ArrayBlas.sasum(n, x, 1) / sum).isCloseTo(1, within(1e-5));
        assertThat(ArrayBlas.sdot(n, x, 1, x, 1) / (sum * 0.1f)).isCloseTo(1, within(1e-5));
        assertThat(ArrayBlas.snrm2(n, x, 1) / Math.sqrt(sum * 0.1f)).isCloseTo(1, within(1e-5));
    }

    @Test
    void aRotationInOneArrayIsThatOfTwo() {
        for (int n : new int[] {1, 5, 9, 40}) {
            double[] x = numbers(n);
            double[] y = numbers(n);
            double[] both = Arrays.copyOf(x, 2 * n);
            System.arraycopy(y, 0, both, n, n);
            ArrayBlas.drot(n, both, 0, 1, both, n, 1, 0.6, 0.8);
            ArrayBlas.drot(n, x, 1, y, 1, 0.6, 0.8);
            assertThat(Arrays.copyOf(both, n)).isEqualTo(x);
            assertThat(Arrays.copyOfRange(both, n, 2 * n)).isEqualTo(y);
        }
    }

    @Test
    void aNormNeitherOverflowsNorUnderflows() {
        for (double scale : new double[] {1e200, 1e155, 1e-155, 1e-200, 1e-310}) {
            assertThat(ArrayBlas.dnrm2(2, new double[] {3 * scale, 4 * scale}, 1) / scale).isCloseTo(5, within(1e-10));
        }
        for (float scale : new float[] {1e30f, 1e-30f}) {
            assertThat(ArrayBlas.snrm2(2, new float[] {3 * scale, 4 * scale}, 1) / scale).isCloseTo(5, within(1e-4f));
        }
        assertThat(ArrayBlas.dnrm2(3, new double[3], 1)).isZero();
    }

    @Test
    void whatIsTooShortIsRefusedBeforeAnythingIsWritten() {
        for (int n : new int[] {4, 319, 320, 70_000}) {
            double[] x = numbers(n);
            double[] y = numbers(n - 1);
            double[] kept = y.clone();
            refused("y: its array is too short: " + n, () -> ArrayBlas.daxpy(n, 1, x, 1, y, 1));
            refused("y: its array is too short: " + n, () -> ArrayBlas.dcopy(n, x, 1, y, 1));
            refused("y: its array is too short: " + n, () -> ArrayBlas.ddot(n, x, 1, y, 1));
            refused("x: its array is too short: " + (n + 1), () -> ArrayBlas.daxpy(n, 1, x, 1, 1, y, 0, 1));
            refused("x: its array is too short: " + n, () -> ArrayBlas.dswap(n, y, 1, x, 1));
            refused("x: its array is too short: " + n, () -> ArrayBlas.dscal(n, 2, y, 1));
            refused("x: its array is too short: " + n, () -> ArrayBlas.dnrm2(n, y, 1));
            refused("x: its array is too short: " + 2 * n, () -> ArrayBlas.zdscal(n, 2, x, 1));
            refused("offset is -1", () -> ArrayBlas.dscal(n, 2, x, -1, 1));
            refused("x: its array is too short", () -> ArrayBlas.dscal(n, 2, x, Integer.MAX_VALUE, 1));
            refused("x: its array is too short", () -> ArrayBlas.dasum(n, x, Integer.MAX_VALUE));
            refused("(x): it is null", () -> ArrayBlas.dasum(n, null, 1));
            assertThat(y).isEqualTo(kept);
        }
        double[] c = numbers(15);
        double[] kept = c.clone();
        refused("C: its array is too short: 16",
                () -> ArrayBlas.dgemm(Op.NONE, Op.NONE, 4, 4, 4, 1, numbers(16), 4, numbers(16), 4, 0, c, 4));
        refused("ldc", () -> ArrayBlas.dgemm(Op.NONE, Op.NONE, 4, 3, 4, 1, numbers(16), 4, numbers(16), 4, 0, c, 3));
        refused("y: its array is too short",
                () -> ArrayBlas.dgemv(Op.TRANS, 4, 8, 1, numbers(32), 4, numbers(4), 1, 0, c, 3));
        refused("incy", () -> ArrayBlas.dgemv(Op.TRANS, 4, 8, 1, numbers(32), 4, numbers(4), 1, 0, c, 0));
        assertThat(c).isEqualTo(kept);
    }

    private static void refused(String message, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(BlasException.class).hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 7, 8, 11, 12, 13, 30, 33, 47, 61, 64, 65, 80, 81, 86, 131, 256, 262, 512, 513})
    void aMatrixTimesAVectorIsThatOfTheDefinition(int m) {
        for (int n : new int[] {1, 3, 4, 5, 12, 13, 31, 33, 64, 80, 81, 83, 128, 256, 261, 512, 513}) {
            for (Op op : Op.values()) {
                for (double beta : new double[] {0, 1, -0.5}) {
                    int lda = m + 2;
                    int rows = op == Op.NONE ? m : n;
                    int cols = op == Op.NONE ? n : m;
                    double[] a = numbers(3 + lda * n);
                    double[] x = numbers(1 + cols + 1);
                    double[] y = numbers(2 + rows + 1);
                    double[] expected = y.clone();
                    for (int i = 0; i < rows; i++) {
                        double sum = 0;
                        for (int j = 0; j < cols; j++) {
                            sum += a[3 + (op == Op.NONE ? i + j * lda : j + i * lda)] * x[1 + j];
                        }
                        expected[2 + i] = 1.5 * sum + beta * y[2 + i];
                        if (beta == 0) {
                            y[2 + i] = Double.NaN;
                        }
                    }
                    float[] own = single(y);
                    ArrayBlas.sgemv(op, m, n, 1.5f, single(a), 3, lda, single(x), 1, 1, (float) beta, own, 2, 1);
                    // Of a dozen terms, or as many times more.
                    double longer = Math.max(1, cols / 13.0);
                    assertSame(wide(own), expected, longer * 0x1p-18);
                    ArrayBlas.dgemv(op, m, n, 1.5, a, 3, lda, x, 1, 1, beta, y, 2, 1);
                    assertSame(y, expected, longer * 0x1p-46);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 8, 13, 14, 15, 16, 17, 20})
    void symmetricProductsReadOneTriangleAndNoMoreOfYThanBetaAsks(int n) {
        int lda = n + 2;
        for (Uplo uplo : Uplo.values()) {
            for (double beta : new double[] {0, 1, -0.5}) {
                double[] a = new double[3 + lda * n];
                Arrays.fill(a, Double.NaN);
                double[] ap = numbers(1 + n * (n + 1) / 2);
                double[] x = numbers(1 + n);
                double[] y = numbers(4 + n);
                double[] expected = y.clone();
                for (int i = 2; i < 2 + n; i++) {
                    y[i] = beta == 0 ? Double.NaN : y[i];
                    expected[i] = beta == 0 ? 0 : beta * y[i];
                }
                int at = 1;
                for (int j = 0; j < n; j++) {
                    for (int i = uplo == Uplo.LOWER ? j : 0; i < (uplo == Uplo.LOWER ? n : j + 1); i++, at++) {
                        a[3 + i + j * lda] = ap[at];
                        expected[2 + i] += 1.5 * ap[at] * x[1 + j];
                        expected[2 + j] += i == j ? 0 : 1.5 * ap[at] * x[1 + i];
                    }
                }
                double[] own = y.clone();
                ArrayBlas.dsymv(uplo, n, 1.5, a, 3, lda, x, 1, 1, beta, own, 2, 1);
                assertSame(own, expected, 0x1p-45);
                own = y.clone();
                ArrayBlas.dspmv(uplo, n, 1.5, ap, 1, x, 1, 1, beta, own, 2, 1);
                assertSame(own, expected, 0x1p-45);
                float[] less = single(y);
                ArrayBlas.ssymv(uplo, n, 1.5f, single(a), 3, lda, single(x), 1, 1, (float) beta, less, 2, 1);
                assertSame(wide(less), expected, 0x1p-17);
                less = single(y);
                ArrayBlas.sspmv(uplo, n, 1.5f, single(ap), 1, single(x), 1, 1, (float) beta, less, 2, 1);
                assertSame(wide(less), expected, 0x1p-17);
            }
        }
    }

    @Test
    void oneArrayMayBeAllOperandsOfAProduct() {
        double[] all = numbers(64);
        double[] expected = all.clone();
        for (int i = 0; i < 4; i++) {
            double sum = 0;
            for (int j = 0; j < 4; j++) {
                sum += all[i + 4 * j] * all[20 + j];
            }
            expected[20 + i] = sum + all[20 + i];
        }
        ArrayBlas.dgemv(Op.NONE, 4, 4, 1, all, 0, 4, all, 20, 1, 1, all, 20, 1);
        assertSame(all, expected, 0x1p-46);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 27, 28, 40, 127, 128, 200})
    void theOtherTriangleIsNeitherReadNorWritten(int n) {
        int lda = n + 1;
        for (Uplo uplo : Uplo.values()) {
            double[] a = new double[2 + lda * n];
            Arrays.fill(a, Double.NaN);
            double[] ap = numbers(1 + n * (n + 1) / 2);
            double[] x = numbers(n);
            double[] product = new double[n];
            int at = 1;
            for (int j = 0; j < n; j++) {
                for (int i = uplo == Uplo.LOWER ? j : 0; i < (uplo == Uplo.LOWER ? n : j + 1); i++, at++) {
                    a[2 + i + j * lda] = i == j ? n : ap[at];
                    ap[at] = a[2 + i + j * lda];
                    product[i] += ap[at] * x[j];
                    product[j] += i == j ? 0 : ap[at] * x[i];
                }
            }
            double[] y = new double[n];
            ArrayBlas.dspmv(uplo, n, 1, ap, 1, x, 0, 1, 0, y, 0, 1);
            assertSame(y, product, n * n * 0x1p-48);
            assertThat(ArrayLapack.dpotrf(uplo, n, a, 2, lda)).isZero();
            ArrayLapack.dpotrs(uplo, n, 1, a, 2, lda, y, 0, n);
            assertSame(y, x, n * 0x1p-44);
            for (int j = 0; j < n; j++) {
                for (int i = uplo == Uplo.LOWER ? 0 : j + 1; i < (uplo == Uplo.LOWER ? j : n); i++) {
                    assertThat(a[2 + i + j * lda]).isNaN();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 11, 12, 16, 20, 33})
    void matricesKeepWhatLiesAround(int n) {
        int lda = n + 3;
        int offset = 2;
        double[] a = numbers(offset + lda * n);
        for (int i = 0; i < n; i++) {
            a[offset + i * (lda + 1)] += 2 * n;
        }
        double[] b = numbers(offset + lda * n);
        double[] c = numbers(offset + lda * n);
        double[] product = c.clone();
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                double sum = 0;
                for (int k = 0; k < n; k++) {
                    sum += a[offset + k + i * lda] * b[offset + k + j * lda];
                }
                product[offset + i + j * lda] = 2 * sum - product[offset + i + j * lda];
            }
        }
        ArrayBlas.dgemm(Op.TRANS, Op.NONE, n, n, n, 2, a, offset, lda, b, offset, lda, -1, c, offset, lda);
        assertSame(c, product, n * n * 0x1p-48);
        double[] x = numbers(3 * n);
        double[] y = numbers(1 + 2 * n);
        double[] expected = y.clone();
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += a[offset + i + j * lda] * x[at(1, n, -3, i)];
            }
            expected[at(0, n, 2, j)] = sum + 0.5 * expected[at(0, n, 2, j)];
        }
        ArrayBlas.dgemv(Op.TRANS, n, n, 1, a, offset, lda, x, 1, -3, 0.5, y, 0, 2);
        assertSame(y, expected, n * n * 0x1p-48);
        double[] solution = b.clone();
        ArrayBlas.dtrsm(Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, n, n, 1, a, offset, lda, solution, offset, lda);
        ArrayBlas.dtrmm(Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, n, n, 1, a, offset, lda, solution, offset, lda);
        assertSame(solution, b, n * n * 0x1p-46);
        double[] square = a.clone();
        ArrayBlas.dgemm(Op.NONE, Op.NONE, n, n, n, 1, a, offset, lda, a, offset, lda, 0, square, offset, lda);
        assertThat(square[offset]).isCloseTo(ArrayBlas.ddot(n, a, offset, lda, a, offset, 1),
                within(n * n * n * 0x1p-46));
    }

    @Test
    void aThreadThatComesAndGoesFindsALaneOfItsOwn() throws Exception {
        double[] x = numbers(400);
        double expected = ArrayBlas.ddot(400, x, 1, x, 1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                assertThat(threads.submit(() -> ArrayBlas.ddot(400, x, 1, x, 1)).get()).isEqualTo(expected);
                assertThat(threads.submit(() -> ArrayBlas.ddot(150, x, 2, x, 2)).get()).isPositive();
            }
        }
        Thread.ofVirtual().start(ArrayWorkspace::release).join();
    }
}
