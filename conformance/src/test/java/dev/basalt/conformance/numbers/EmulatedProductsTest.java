package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.PlannedCall;
import dev.basalt.Status;
import dev.basalt.VectorView;
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
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Products of doubles by those of 8-bit integers: errors, bits, tiers, and what is left to the kernels of doubles. */
class EmulatedProductsTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20_260_801L);
    private static final boolean LONG = Boolean.getBoolean("basalt.test.long");
    private static final double UNIT = 0x1p-53;

    /** What was found first: the bits of all devices are the same. */
    private static final Map<String, double[]> BITS = new ConcurrentHashMap<>();

    /** What lies in the factors. */
    enum Kind {
        UNIFORM, NORMAL, LINES_GRADED, CANCELLING, ENDS_OF_RANGE, TERMS_GRADED, SPARSE, FEW_LARGE;

        /** Whether the bound of double can be promised. */
        boolean emulated() {
            return ordinal() < TERMS_GRADED.ordinal();
        }
    }

    static Stream<String> devices() {
        return Devices.NAMES.stream();
    }

    private static void on(String device, BiConsumer<Handle, DeviceArena> test) {
        try (Device opened = Devices.open(device);
                Handle handle = opened.createHandle();
                DeviceArena arena = opened.arena()) {
            handle.setMathMode(MathMode.EMULATED);
            test.accept(handle, arena);
        }
    }

    /** op(A), column by column, or op(B) if it is the second factor; lines are rows of the first, columns of the second. */
    private static double[] factor(Kind kind, boolean second, int rows, int cols, Random r) {
        double[] x = new double[rows * cols];
        int depth = second ? rows : cols;
        double[] scales = r.doubles(second ? cols : rows, -300, 300).toArray();
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                int line = second ? j : i;
                int term = second ? i : j;
                double v = kind == Kind.NORMAL ? r.nextGaussian() : 2 * r.nextDouble() - 1;
                x[i + j * rows] = switch (kind) {
                    case LINES_GRADED -> Math.scalb(v, (int) scales[line]);
                    case ENDS_OF_RANGE -> Math.scalb(v, second ? 1020 : line % 2 == 0 ? -1015 : -1000);
                    case TERMS_GRADED -> Math.scalb(v, (second ? -4 : 4) * term);
                    case SPARSE -> r.nextInt(40) == 0 ? v : 0;
                    // A row of ones behind a large number meets a column of ones behind a zero.
                    case FEW_LARGE -> term == 0 ? second ? 0 : 1e20 : v;
                    default -> v;
                };
            }
        }
        if (kind == Kind.CANCELLING) {
            int half = depth / 2;
            for (int line = 0; line < (second ? cols : rows); line++) {
                for (int t = 0; t < half; t++) {
                    int from = second ? t + line * rows : line + t * rows;
                    int to = second ? t + half + line * rows : line + (t + half) * rows;
                    x[to] = second ? -x[from] * (1 + 0x1p-40 * r.nextDouble()) : x[from];
                }
            }
        }
        return x;
    }

    private static double[] turned(double[] x, int rows, int cols) {
        double[] t = new double[x.length];
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                t[j + i * cols] = x[i + j * rows];
            }
        }
        return t;
    }

    private static MatrixView operand(DeviceArena arena, Op op, double[] x, int rows, int cols) {
        MatrixView v = op == Op.NONE
                ? arena.matrix(ElementType.F64, rows, cols)
                : arena.matrix(ElementType.F64, cols, rows);
        v.upload(op == Op.NONE ? x : turned(x, rows, cols));
        return v;
    }

    private static double[] down(MatrixView v) {
        double[] x = new double[(int) (v.rows() * v.cols())];
        v.download(x);
        return x;
    }

    /** Whether each element is within the bound that holds for any order of sums in double, alpha and beta apart. */
    private static void bounded(double[] found, double[] a, double[] b, int m, int n, int k, String what) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) {
                double sum = 0;
                double rest = 0;
                double size = 0;
                for (int l = 0; l < k; l++) {
                    double x = a[i + l * m];
                    double y = b[l + j * k];
                    double term = x * y;
                    double next = sum + term;
                    double part = next - sum;
                    rest += Math.fma(x, y, -term) + (sum - (next - part)) + (term - part);
                    sum = next;
                    size += Math.abs(term);
                }
                double error = Math.abs(found[i + j * m] - sum - rest);
                assertThat(error).as("%s (%d, %d)", what, i, j)
                        .isLessThanOrEqualTo((k + 1) * UNIT * size + Double.MIN_NORMAL);
            }
        }
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

    /** The nearest multiple of a power of two, 53 bits below the one above the largest element of a line. */
    private static BigInteger integer(double x, int exponent) {
        return new BigDecimal(Math.rint(Math.scalb(x, 53 - exponent))).toBigInteger();
    }

    private static int exponent(double[] x, int from, int step, int count) {
        double most = 0;
        for (int l = 0; l < count; l++) {
            most = Math.max(most, Math.abs(x[from + l * step]));
        }
        return Math.getExponent(most) + 1;
    }

    /** Sums of integers are exact; a product in double would be off by some units here. Both numbers of moduli. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void nothingIsLostBehindTheRoundingToIntegers(String device) {
        on(device, (handle, arena) -> {
            int m = 128;
            int n = 129;
            for (int k : new int[] {160, 1030}) {
                Random r = new Random(SEED + k);
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
                        sum = sum.add(integer(a[i + l * m], row).multiply(integer(b[l + j * k], col)));
                    }
                    double x = Math.scalb(new BigDecimal(sum).round(new MathContext(40)).doubleValue(), row + col - 106);
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
            Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, operand(arena, Op.NONE, a, n, n),
                    operand(arena, Op.NONE, b, n, n), 0.0, c);
            double[] found = down(c);
            bounded(found, a, b, n, n, n, "zeros");
            assertThat(found).isEqualTo(BITS.computeIfAbsent("zeros", name -> found));
        });
    }

    /** All tiers that emulate have the same bits and do with exactly what they ask for. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void tiersDifferInMemoryAlone(String device) {
        on(device, (handle, arena) -> {
            int m = 300;
            int n = 270;
            int k = 140;
            Random r = new Random(SEED + 2);
            double[] a = factor(Kind.LINES_GRADED, false, m, k, r);
            double[] b = factor(Kind.LINES_GRADED, true, k, n, r);
            MatrixView x = operand(arena, Op.TRANS, a, m, k);
            MatrixView y = operand(arena, Op.NONE, b, k, n);
            MatrixView c = arena.matrix(ElementType.F64, m, n);
            List<PlannedCall.Tier> tiers =
                    handle.plan(h -> Blas.gemm(h, Op.TRANS, Op.NONE, 1.0, x, y, 0.0, c)).calls().get(0).tiers();
            assertThat(tiers.get(0).name()).isEqualTo("emulated");
            assertThat(tiers.get(1).name()).isEqualTo("emulated, blocks of 256");
            assertThat(tiers.size()).isGreaterThan(2);
            double[] best = null;
            for (int t = 0; t < tiers.size(); t++) {
                long bytes = tiers.get(t).bytes();
                if (bytes == 0) {
                    handle.setDeviceMemorySize(64);
                } else {
                    handle.setDeviceMemorySize(bytes);
                }
                Status status = Blas.gemm(handle, Op.TRANS, Op.NONE, 1.0, x, y, 0.0, c);
                assertThat(status).isEqualTo(t == 0 ? Status.SUCCESS : Status.PERF_DEGRADED);
                assertThat(handle.lastCall().tierName()).isEqualTo(tiers.get(t).name());
                double[] found = down(c);
                bounded(found, a, b, m, n, k, tiers.get(t).name());
                if (t > 0) {
                    handle.setDeviceMemorySize(tiers.get(t - 1).bytes() - 64);
                    Blas.gemm(handle, Op.TRANS, Op.NONE, 1.0, x, y, 0.0, c);
                    assertThat(handle.lastCall().tierName()).as("a chunk less").isEqualTo(tiers.get(t).name());
                }
                if (t < 2) {
                    best = best == null ? found : best;
                    assertThat(found).isEqualTo(best);
                }
            }
        });
    }

    /** Of a batch only the problems that need it are multiplied in double. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void batches(String device) {
        on(device, (handle, arena) -> {
            int n = 128;
            Random r = new Random(SEED + 3);
            double[][] a = new double[3][];
            MatrixView[] x = new MatrixView[3];
            MatrixView[] z = new MatrixView[3];
            double[] b = factor(Kind.UNIFORM, true, n, n, r);
            MatrixView y = operand(arena, Op.NONE, b, n, n);
            MatrixView single = arena.matrix(ElementType.F64, n, n);
            for (int p = 0; p < 3; p++) {
                a[p] = factor(p == 1 ? Kind.SPARSE : Kind.NORMAL, false, n, n, r);
                x[p] = operand(arena, Op.NONE, a[p], n, n);
                z[p] = arena.matrix(ElementType.F64, n, n);
            }
            Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, arena.pointers(x), arena.pointers(y, y, y), 0.0,
                    arena.pointers(z));
            for (int p = 0; p < 3; p++) {
                double[] found = down(z[p]);
                bounded(found, a[p], b, n, n, n, "problem " + p);
                Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, x[p], y, 0.0, single);
                if (p != 1) {
                    assertThat(found).isEqualTo(down(single));
                }
            }
        });
    }

    /** A larger product never asks for less, also where the numbers of moduli and pieces of the inner dimension change. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void needsNeverFall(String device) {
        on(device, (handle, arena) -> {
            long[] sizes = {127, 128, 129, 255, 257, 1024, 1025, 4096, 5000, 131_072, 131_073, 300_000};
            for (int grown = 0; grown < 3; grown++) {
                long last = 0;
                for (long size : sizes) {
                    long m = grown == 0 ? size : 700;
                    long n = grown == 1 ? size : 700;
                    long k = grown == 2 ? size : 700;
                    long now = handle
                            .plan(h -> Blas.gemm(h, Op.NONE, Op.NONE, 1.0, MatrixView.shape(ElementType.F64, m, k),
                                    MatrixView.shape(ElementType.F64, k, n), 0.0,
                                    MatrixView.shape(ElementType.F64, m, n)))
                            .optimal();
                    assertThat(now).as("%d %d %d", m, n, k).isGreaterThanOrEqualTo(last);
                    last = now;
                }
            }
        });
    }

    /** Products of other types and small ones are as they are by default. */
    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void whatIsNotEmulated(String device) {
        on(device, (handle, arena) -> {
            int n = 130;
            Random r = new Random(SEED + 4);
            double[] x = r.doubles(n * n, -1, 1).toArray();
            float[] single = new float[n * n];
            for (int i = 0; i < single.length; i++) {
                single[i] = (float) x[i];
            }
            MatrixView f = arena.matrix(ElementType.F32, n, n);
            f.upload(single);
            MatrixView small = arena.matrix(ElementType.F64, 127, n);
            MatrixView d = operand(arena, Op.NONE, x, n, n);
            small.upload(Arrays.copyOf(x, 127 * n));
            MatrixView[][] calls = {{f, f, arena.matrix(ElementType.F32, n, n)},
                    {small, d, arena.matrix(ElementType.F64, 127, n)}};
            for (MatrixView[] v : calls) {
                Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, v[0], v[1], 0.0, v[2]);
                assertThat(handle.lastCall().tierName()).doesNotContain("emulated");
                float[] found = new float[(int) (v[2].rows() * n)];
                double[] wide = new double[found.length];
                boolean narrow = v[2].type() == ElementType.F32;
                if (narrow) {
                    v[2].download(found);
                } else {
                    v[2].download(wide);
                }
                handle.setMathMode(MathMode.DEFAULT);
                Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, v[0], v[1], 0.0, v[2]);
                handle.setMathMode(MathMode.EMULATED);
                if (narrow) {
                    float[] right = new float[found.length];
                    v[2].download(right);
                    assertThat(found).isEqualTo(right);
                } else {
                    assertThat(wide).isEqualTo(down(v[2]));
                }
            }
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
