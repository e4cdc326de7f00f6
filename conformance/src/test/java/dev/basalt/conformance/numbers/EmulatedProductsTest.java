package dev.basalt.conformance.numbers;

import static dev.basalt.conformance.numbers.EmulatedFactors.SEED;
import static dev.basalt.conformance.numbers.EmulatedFactors.UNIT;
import static dev.basalt.conformance.numbers.EmulatedFactors.bounded;
import static dev.basalt.conformance.numbers.EmulatedFactors.down;
import static dev.basalt.conformance.numbers.EmulatedFactors.factor;
import static dev.basalt.conformance.numbers.EmulatedFactors.on;
import static dev.basalt.conformance.numbers.EmulatedFactors.operand;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.numbers.EmulatedFactors.Kind;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Products of doubles by those of 8-bit integers: errors, bits, and what is left to the kernels of doubles. */
class EmulatedProductsTest {
    private static final boolean LONG = Boolean.getBoolean("basalt.test.long");

    /** What was found first: the bits of all devices are the same. */
    private static final Map<String, double[]> BITS = new ConcurrentHashMap<>();

    static Stream<String> devices() {
        return Devices.NAMES.stream();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void errorsAreThoseOfDouble(String device) {
        on(device, (handle, arena) -> {
            int m = 131;
            int n = 140;
            int k = 150;
            for (Kind kind : Kind.values()) {
                Random r = new Random(SEED + kind.ordinal());
                Op transA = Op.values()[r.nextInt(3)];
                Op transB = Op.values()[r.nextInt(3)];
                double[] a = factor(kind, false, m, k, r);
                double[] b = factor(kind, true, k, n, r);
                MatrixView c = arena.matrix(ElementType.F64, m, n);
                double[] nan = new double[m * n];
                Arrays.fill(nan, Double.NaN);
                c.upload(nan);
                Status status = Blas.gemm(handle, transA, transB, 1.0, operand(arena, transA, a, m, k),
                        operand(arena, transB, b, k, n), 0.0, c);
                assertThat(status).isEqualTo(Status.SUCCESS);
                assertThat(handle.lastCall().tierName()).isEqualTo("emulated");
                double[] found = down(c);
                bounded(found, a, b, m, n, k, kind + " seed " + SEED);
                if (kind.emulated()) {
                    double[] first = BITS.computeIfAbsent(kind.name(), name -> found);
                    assertThat(found).as("%s: bits of all devices, seed %d", kind, SEED).isEqualTo(first);
                }
            }
        });
    }

    /** The nearest multiple of a power of two, so many bits below the one above the largest element of a line. */
    private static BigInteger integer(double x, int exponent, int bits) {
        return new BigDecimal(Math.rint(Math.scalb(x, bits - exponent))).toBigInteger();
    }

    private static int exponent(double[] x, int from, int step, int count) {
        double most = 0;
        for (int l = 0; l < count; l++) {
            most = Math.max(most, Math.abs(x[from + l * step]));
        }
        return Math.getExponent(most) + 1;
    }

    /** Sums of integers are exact; a product in double would be off by some units here. Longer sums are of integers with a bit less. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void nothingIsLostBehindTheRoundingToIntegers(String device) {
        on(device, (handle, arena) -> {
            int m = 128;
            int n = 129;
            for (int k : new int[] {160, 1030}) {
                Random r = new Random(SEED + k);
                int bits = k > 1024 ? 52 : 53;
                double[] a = factor(Kind.CANCELLING, false, m, k, r);
                double[] b = factor(Kind.CANCELLING, true, k, n, r);
                double[] old = r.doubles(m * n).toArray();
                MatrixView c = arena.matrix(ElementType.F64, m, n);
                c.upload(old);
                Blas.gemm(handle, Op.NONE, Op.TRANS, -2.0, operand(arena, Op.NONE, a, m, k),
                        operand(arena, Op.TRANS, b, k, n), 0.5, c);
                double[] found = down(c);
                for (int s = 0; s < 40; s++) {
                    int i = r.nextInt(m);
                    int j = r.nextInt(n);
                    int row = exponent(a, i, m, k);
                    int col = exponent(b, j * k, 1, k);
                    BigInteger sum = BigInteger.ZERO;
                    for (int l = 0; l < k; l++) {
                        sum = sum.add(integer(a[i + l * m], row, bits).multiply(integer(b[l + j * k], col, bits)));
                    }
                    double x = Math.scalb(new BigDecimal(sum).round(new MathContext(40)).doubleValue(),
                            row + col - 2 * bits);
                    double right = Math.fma(0.5, old[i + j * m], -2 * x);
                    assertThat(found[i + j * m]).as("(%d, %d) of k = %d, seed %d", i, j, k, SEED).isEqualTo(right);
                }
            }
        });
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void numbersThatAreNotFiniteGoWhereTheyGoInDouble(String device) {
        on(device, (handle, arena) -> {
            int n = 128;
            Random r = new Random(SEED);
            for (double special : new double[] {Double.NaN, Double.NEGATIVE_INFINITY}) {
                double[] a = factor(Kind.UNIFORM, false, n, n, r);
                double[] b = factor(Kind.UNIFORM, true, n, n, r);
                a[3 + 5 * n] = special;
                b[7 + 11 * n] = special;
                MatrixView x = operand(arena, Op.NONE, a, n, n);
                MatrixView y = operand(arena, Op.NONE, b, n, n);
                MatrixView c = arena.matrix(ElementType.F64, n, n);
                Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, x, y, 0.0, c);
                double[] found = down(c);
                handle.setMathMode(MathMode.DEFAULT);
                Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, x, y, 0.0, c);
                handle.setMathMode(MathMode.EMULATED);
                double[] right = down(c);
                for (int i = 0; i < found.length; i++) {
                    boolean line = i % n == 3 || i / n == 11;
                    assertThat(Double.isFinite(found[i])).isEqualTo(!line);
                    if (line) {
                        assertThat(Double.compare(found[i], right[i])).isZero();
                    }
                }
            }
        });
    }

    /** alpha = 0 hides NaN, whether the host or the device knows it; a column of zeros keeps nothing from being emulated. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void zerosAreZeros(String device) {
        on(device, (handle, arena) -> {
            int n = 128;
            Random r = new Random(SEED + 1);
            double[] a = factor(Kind.UNIFORM, false, n, n, r);
            double[] b = factor(Kind.UNIFORM, true, n, n, r);
            double[] old = r.doubles(n * n).toArray();
            double[] half = Arrays.stream(old).map(v -> v / 2).toArray();
            MatrixView c = arena.matrix(ElementType.F64, n, n);
            double[] wrong = a.clone();
            wrong[17] = Double.NaN;
            MatrixView x = operand(arena, Op.NONE, wrong, n, n);
            MatrixView y = operand(arena, Op.NONE, b, n, n);
            c.upload(old);
            Blas.gemm(handle, Op.NONE, Op.NONE, 0.0, x, y, 0.5, c);
            assertThat(down(c)).isEqualTo(half);
            VectorView alpha = arena.vector(ElementType.F64, 1);
            VectorView beta = arena.vector(ElementType.F64, 1);
            alpha.upload(new double[] {0});
            beta.upload(new double[] {0.5});
            for (MatrixView factor : List.of(x, y)) {
                c.upload(old);
                Blas.gemm(handle, Op.NONE, Op.NONE, alpha, factor, y, beta, c);
                assertThat(down(c)).isEqualTo(half);
            }
            for (int l = 0; l < n; l++) {
                a[9 + l * n] = 0;
                b[l + 2 * n] = -0.0;
            }
            Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, operand(arena, Op.NONE, a, n, n), operand(arena, Op.NONE, b, n, n),
                    0.0, c);
            double[] found = down(c);
            bounded(found, a, b, n, n, n, "zeros");
            assertThat(found).isEqualTo(BITS.computeIfAbsent("zeros", name -> found));
        });
    }

    /** An inner dimension beyond what sums of integers hold is taken in pieces; an element that is not finite concerns its piece alone. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void longSums(String device) {
        assumeTrue(LONG, "basalt.test.long is not set");
        on(device, (handle, arena) -> {
            int n = 128;
            int k = (1 << 17) + 200;
            Random r = new Random(SEED + 5);
            for (boolean special : new boolean[] {false, true}) {
                double[] a = factor(Kind.UNIFORM, false, n, k, r);
                double[] b = factor(Kind.UNIFORM, true, k, n, r);
                if (special) {
                    a[3] = Double.POSITIVE_INFINITY;
                }
                MatrixView c = arena.matrix(ElementType.F64, n, n);
                double[] old = r.doubles(n * n).toArray();
                c.upload(old);
                Blas.gemm(handle, Op.NONE, Op.NONE, 2.0, operand(arena, Op.NONE, a, n, k),
                        operand(arena, Op.NONE, b, k, n), -1.0, c);
                double[] found = down(c);
                for (int s = 0; s < 50; s++) {
                    int i = s == 0 ? 3 : r.nextInt(n);
                    int j = r.nextInt(n);
                    BigDecimal sum = BigDecimal.ZERO;
                    double size = 0;
                    for (int l = 0; l < k && !(special && i == 3); l++) {
                        sum = sum.add(new BigDecimal(a[i + l * n]).multiply(new BigDecimal(b[l + j * k])));
                        size += Math.abs(a[i + l * n] * b[l + j * k]);
                    }
                    if (special && i == 3) {
                        assertThat(Math.abs(found[i + j * n])).isInfinite();
                    } else {
                        double right = 2 * sum.doubleValue() - old[i + j * n];
                        assertThat(found[i + j * n]).isCloseTo(right, within(4 * (k + 1) * UNIT * size));
                    }
                }
            }
        });
    }
}
