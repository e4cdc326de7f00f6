package dev.basalt.host.assembled.factor;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.Guarded;
import dev.basalt.host.engine.AssembledCLeaf;
import dev.basalt.host.engine.AssembledDLeaf;
import dev.basalt.host.engine.AssembledSLeaf;
import dev.basalt.host.engine.AssembledZLeaf;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Factorisations by assembled kernels agree with the portable ones, on matrices that end at the end of readable memory. */
class FactorTest {
    private static final long SEED = 20_261_121;
    private static final int[] ORDERS = {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40, 57, 64, 73, 100};
    private static final long OFFSET = 5;

    private final Guarded guardA = new Guarded(2 << 20);
    private final Guarded guardP = new Guarded(4096);
    private final Random random = new Random(SEED);

    private interface Case {
        void on(Leaf leaf, Leaf portable, int bytes, String name);
    }

    private static void forAll(Case test) {
        for (int bits : new int[] {512, 256}) {
            if (bits > AssembledKernels.vectorBits()) {
                continue;
            }
            test.on(new AssembledDLeaf(AssembledKernels.real(bits, 8)), new DLeaf(), 8,
                    "d, " + bits + " bits, seed " + SEED);
            test.on(new AssembledSLeaf(AssembledKernels.real(bits, 4)), new SLeaf(), 4,
                    "s, " + bits + " bits, seed " + SEED);
        }
    }

    private static void forAllComplex(Case test) {
        for (int bits : new int[] {512, 256}) {
            if (bits > AssembledKernels.vectorBits()) {
                continue;
            }
            test.on(new AssembledZLeaf(AssembledKernels.complex(bits, 8)), new ZLeaf(), 8,
                    "z, " + bits + " bits, seed " + SEED);
            test.on(new AssembledCLeaf(AssembledKernels.complex(bits, 4)), new CLeaf(), 4,
                    "c, " + bits + " bits, seed " + SEED);
        }
    }

    private static double get(int bytes, long at) {
        return bytes == 8 ? f64(at) : f32(at);
    }

    private static void put(int bytes, long at, double value) {
        if (bytes == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    private long place(double[] values, int bytes) {
        long a = guardA.place((long) values.length * bytes);
        for (int i = 0; i < values.length; i++) {
            put(bytes, a + (long) i * bytes, values[i]);
        }
        return a;
    }

    private double[] matrix(long a, int count, int bytes) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = get(bytes, a + (long) i * bytes);
        }
        assertThat(guardA.intact()).isTrue();
        return values;
    }

    /** What a factorisation leaves: the matrix, then pivots and info. */
    private double[] lu(Leaf leaf, double[] values, int m, int n, int ld, int bytes) {
        int k = Math.min(m, n);
        long a = place(values, bytes);
        long ipiv = guardP.place(8L * k);
        long info = leaf.getf2(m, n, a, ld, ipiv, OFFSET);
        double[] all = new double[values.length + k + 1];
        System.arraycopy(matrix(a, values.length, bytes), 0, all, 0, values.length);
        for (int i = 0; i < k; i++) {
            all[values.length + i] = i64(ipiv + 8L * i);
        }
        all[values.length + k] = info;
        assertThat(guardP.intact()).isTrue();
        return all;
    }

    private static void close(String what, double[] found, double[] expected, int matrix, double tolerance) {
        for (int i = 0; i < found.length; i++) {
            double limit = i < matrix ? tolerance : 0;
            boolean same = Double.compare(found[i], expected[i]) == 0 || Math.abs(found[i] - expected[i]) <= limit;
            assertThat(same).as("%s: %s at %d, not %s", what, found[i], i, expected[i]).isTrue();
        }
    }

    @Test
    void luOfRandomPanels() {
        forAll((leaf, portable, bytes, name) -> {
            for (int m : ORDERS) {
                for (int n : ORDERS) {
                    int ld = m + n % 3;
                    double[] values = random.doubles((long) ld * (n - 1) + m, -1, 1).toArray();
                    double[] found = lu(leaf, values, m, n, ld, bytes);
                    double[] expected = lu(portable, values, m, n, ld, bytes);
                    double tolerance = (bytes == 8 ? 1e-16 : 1e-7) * 1e4 * Math.max(m, n);
                    close("lu " + name + ", " + m + "×" + n, found, expected, values.length, tolerance);
                }
            }
        });
    }

    @Test
    void complexLu() {
        forAllComplex((leaf, portable, bytes, name) -> {
            for (int m : ORDERS) {
                for (int n : ORDERS) {
                    int ld = m + n % 3;
                    for (int kind = 0; kind < 4; kind++) {
                        double[] values = random.doubles(2L * ld * (n - 1) + 2 * m, -1, 1).toArray();
                        complexKind(kind, values, Math.min(m, n) / 2, m, ld, bytes);
                        double[] found = lu(leaf, values, m, n, ld, bytes);
                        double[] expected = lu(portable, values, m, n, ld, bytes);
                        double tolerance = (bytes == 8 ? 1e-16 : 1e-7) * 1e4 * Math.max(m, n);
                        String what = "lu " + name + ", " + m + "×" + n + ", kind " + kind;
                        if (kind < 2) {
                            close(what, found, expected, values.length, tolerance);
                        } else {
                            // Up to the special column; behind it, rounding errors are as large as the values.
                            int known = 2 * ld * (Math.min(m, n) / 2) + 2 * Math.min(m, n);
                            int count = Math.min(known, values.length);
                            double[] some = Arrays.copyOf(found, count);
                            // Tiny numbers have few digits.
                            close(what, some, Arrays.copyOf(expected, count), count, kind == 2 ? 0.1 : tolerance);
                        }
                    }
                }
            }
        });
    }

    /** Makes one column zero, or tiny, or puts a NaN into it. */
    private void complexKind(int kind, double[] values, int column, int m, int ld, int bytes) {
        double tiny = bytes == 8 ? 0x1p-1060 : 0x1p-140;
        for (int i = 0; i < 2 * m && kind > 0; i++) {
            int at = 2 * ld * column + i;
            values[at] = kind == 1 ? 0 : kind == 2 ? (i % 7 - 3) * tiny : values[at];
        }
        if (kind == 3) {
            values[2 * ld * column + random.nextInt(2 * m)] = Double.NaN;
        }
    }

    @Test
    void complexCholesky() {
        forAllComplex((leaf, portable, bytes, name) -> {
            for (Uplo uplo : Uplo.values()) {
                for (int n : ORDERS) {
                    int ld = n + n % 3;
                    for (int bad = -1; bad < n; bad += 1 + n / 3) {
                        double[] values = random.doubles(2L * ld * (n - 1) + 2 * n, -1, 1).toArray();
                        for (int j = 0; j < n; j++) {
                            values[2 * (j + j * ld)] = j == bad ? -n : 2 * n;
                            for (int i = 0; i < n; i++) {
                                if (uplo == Uplo.LOWER ? i < j : i > j) {
                                    values[2 * (i + j * ld)] = Double.NaN;
                                }
                            }
                        }
                        double[] found = cholesky(leaf, uplo, values, n, ld, bytes);
                        double[] expected = cholesky(portable, uplo, values, n, ld, bytes);
                        String what = uplo + " cholesky " + name + ", n = " + n + ", bad " + bad;
                        assertThat(found[values.length]).as(what).isEqualTo(bad + 1);
                        double tolerance = (bytes == 8 ? 1e-16 : 1e-7) * 1000;
                        if (bad < 0) {
                            close(what, found, expected, values.length, tolerance);
                        } else {
                            int at = 2 * (bad + bad * ld);
                            assertThat(found[at]).as(what).isCloseTo(expected[at], within(n * tolerance));
                        }
                    }
                }
            }
        });
    }

    /** Elimination is exact, so ties are ties, columns turn to zero, and every bit must agree. */
    @Test
    void luOfSmallWholeNumbersIsExact() {
        forAll((leaf, portable, bytes, name) -> {
            for (int m : ORDERS) {
                for (int n : ORDERS) {
                    double[] values = new double[m * n];
                    for (int i = 0; i < m; i++) {
                        for (int j = 0; j < n; j++) {
                            // Rank 3; entries of the factors are 0, 1 and -1.
                            values[i + j * m] = i % 3 == j % 3 ? (i * 7 + j) % 2 * 2 - 1 : 0;
                        }
                    }
                    double[] found = lu(leaf, values, m, n, m, bytes);
                    double[] expected = lu(portable, values, m, n, m, bytes);
                    close("lu " + name + ", " + m + "×" + n, found, expected, values.length, 0);
                }
            }
        });
    }

    @Test
    void theFirstOfEqualPivotsAndTheFirstNanWin() {
        forAll((leaf, portable, bytes, name) -> {
            for (int m : new int[] {3, 8, 40, 100, 201}) {
                for (int first = 0; first < m; first += 1 + m / 9) {
                    double[] values = new double[m];
                    Arrays.fill(values, 0.25);
                    for (int i = first; i < m; i += 2) {
                        values[i] = i % 4 == 0 ? -3 : 3;
                    }
                    String what = name + ", m = " + m + ", row " + first;
                    assertThat(lu(leaf, values, m, 1, m, bytes)[m]).as(what).isEqualTo(OFFSET + first + 1);
                    values[first] = Double.POSITIVE_INFINITY;
                    assertThat(lu(leaf, values, m, 1, m, bytes)[m]).as("infinity " + what)
                            .isEqualTo(OFFSET + first + 1);
                    values[first] = Double.NaN;
                    values[m - 1] = Double.NaN;
                    values[0] = first == 0 ? Double.NaN : Double.POSITIVE_INFINITY;
                    assertThat(lu(leaf, values, m, 1, m, bytes)[m]).as("NaN " + what).isEqualTo(OFFSET + first + 1);
                }
            }
        });
    }

    @Test
    void zeroAndTinyPivots() {
        forAll((leaf, portable, bytes, name) -> {
            double tiny = bytes == 8 ? 0x1p-1060 : 0x1p-140;
            for (int n : new int[] {1, 5, 8, 13, 33}) {
                for (int kind = 0; kind < 3; kind++) {
                    int m = n + 2;
                    double[] values = random.doubles((long) m * n, -1, 1).toArray();
                    int column = n / 2;
                    for (int i = 0; i < m; i++) {
                        // The last kind leaves only a tiny pivot, whose reciprocal overflows.
                        values[i + column * m] = kind == 0 ? 0 : kind == 1 ? Double.NaN : (i % 7 - 3) * tiny;
                    }
                    double[] found = lu(leaf, values, m, n, m, bytes);
                    double[] expected = lu(portable, values, m, n, m, bytes);
                    String what = name + ", kind " + kind + ", n = " + n;
                    assertThat(found[found.length - 1]).as(what).isEqualTo(expected[expected.length - 1]);
                    if (kind == 0) {
                        close(what, found, expected, values.length, bytes == 8 ? 1e-11 : 1e-3);
                    }
                    for (int i = 0; i < m * (column + 1); i++) {
                        assertThat(Double.isNaN(found[i])).as(what + " at " + i).isEqualTo(Double.isNaN(expected[i]));
                        assertThat(Double.isInfinite(found[i])).as(what + " at " + i)
                                .isEqualTo(Double.isInfinite(expected[i]));
                    }
                }
            }
        });
    }

    /** An infinity in U must not spoil what is above it. */
    @Test
    void whatIsAboveAnInfinityStays() {
        forAll((leaf, portable, bytes, name) -> {
            int n = 24;
            for (int row = 0; row < n; row++) {
                double[] values = random.doubles((long) n * n, -1, 1).toArray();
                for (int i = 0; i < n; i++) {
                    values[i + i * n] = 4 * n;
                }
                values[row + (n - 1) * n] = Double.POSITIVE_INFINITY;
                double[] found = lu(leaf, values, n, n, n, bytes);
                double[] expected = lu(portable, values, n, n, n, bytes);
                for (int i = 0; i < row; i++) {
                    int at = i + (n - 1) * n;
                    assertThat(found[at]).as(name + ", row " + row).isCloseTo(expected[at], within(1e-3));
                }
            }
        });
    }

    private static Offset<Double> within(double tolerance) {
        return Offset.offset(tolerance);
    }

    private double[] positive(int n, int ld) {
        double[] values = random.doubles((long) ld * (n - 1) + n, -1, 1).toArray();
        for (int i = 0; i < n; i++) {
            values[i + i * ld] += n;
        }
        return values;
    }

    private double[] cholesky(Leaf leaf, Uplo uplo, double[] values, int n, int ld, int bytes) {
        long a = place(values, bytes);
        double info = leaf.potf2(uplo, n, a, ld);
        double[] all = Arrays.copyOf(matrix(a, values.length, bytes), values.length + 1);
        all[values.length] = info;
        return all;
    }

    @Test
    void choleskyOfRandomMatrices() {
        forAll((leaf, portable, bytes, name) -> {
            for (Uplo uplo : Uplo.values()) {
                for (int n : ORDERS) {
                    int ld = n + n % 3;
                    double[] values = positive(n, ld);
                    // Of the other triangle nothing may be used.
                    for (int j = 0; j < n; j++) {
                        for (int i = 0; i < n; i++) {
                            if (uplo == Uplo.LOWER ? i < j : i > j) {
                                values[i + j * ld] = Double.NaN;
                            }
                        }
                    }
                    double[] found = cholesky(leaf, uplo, values, n, ld, bytes);
                    double[] expected = cholesky(portable, uplo, values, n, ld, bytes);
                    double tolerance = (bytes == 8 ? 1e-16 : 1e-7) * 100;
                    close(uplo + " cholesky " + name + ", n = " + n, found, expected, values.length, tolerance);
                }
            }
        });
    }

    @Test
    void choleskyStopsAtTheFirstBadPivot() {
        forAll((leaf, portable, bytes, name) -> {
            for (Uplo uplo : Uplo.values()) {
                for (int n : ORDERS) {
                    for (double bad : new double[] {-1, 0, Double.NaN, Double.NEGATIVE_INFINITY}) {
                        int at = random.nextInt(n);
                        double[] values = new double[n * n];
                        for (int i = 0; i < n; i++) {
                            values[i + i * n] = i == at ? bad : 4;
                        }
                        double[] found = cholesky(leaf, uplo, values, n, n, bytes);
                        String what = uplo + " " + name + ", n = " + n + ", " + bad + " at " + at;
                        assertThat(found[n * n]).as(what).isEqualTo(at + 1);
                        for (int i = 0; i <= at; i++) {
                            assertThat(Double.compare(found[i + i * n], i == at ? bad : 2)).as(what).isZero();
                        }
                    }
                }
            }
        });
    }

    @Test
    void interchangesOfAllElements() {
        for (int bytes : new int[] {4, 8, 16}) {
            Leaf[] leaves = {
                    bytes == 4
                            ? new AssembledSLeaf(AssembledKernels.real(256, 4))
                            : new AssembledDLeaf(AssembledKernels.real(256, 8)),
                    bytes == 4 ? new SLeaf() : new DLeaf(),
                    bytes == 8
                            ? new AssembledCLeaf(AssembledKernels.complex(256, 4))
                            : new AssembledZLeaf(AssembledKernels.complex(256, 8)),
                    bytes == 8 ? new CLeaf() : new ZLeaf()};
            int first = bytes == 16 ? 2 : 0;
            for (int n : new int[] {0, 1, 3, 4, 5, 8, 11, 16, 23, 70}) {
                for (boolean backward : new boolean[] {false, true}) {
                    interchange(leaves[first], leaves[first + 1], bytes, n, backward);
                    if (bytes == 8) {
                        interchange(leaves[2], leaves[3], bytes, n, backward);
                    }
                }
            }
        }
    }

    private void interchange(Leaf leaf, Leaf portable, int bytes, int n, boolean backward) {
        int rows = 40;
        int ld = rows + n % 2;
        int from = 3;
        int to = n % 3 == 0 ? from : 29;
        long[] pivots = new long[to];
        for (int i = 0; i < to; i++) {
            pivots[i] = OFFSET + 1 + random.nextInt(rows);
        }
        int reals = Math.max(0, ld * (n - 1) + rows) * bytes / 4;
        double[] values = new double[n == 0 ? 0 : reals];
        for (int i = 0; i < values.length; i++) {
            values[i] = i;
        }
        double[][] results = new double[2][];
        for (int pass = 0; pass < 2; pass++) {
            long a = place(values, 4);
            long ipiv = guardP.place(8L * to);
            for (int i = 0; i < to; i++) {
                i64(ipiv + 8L * i, pivots[i]);
            }
            assertThat((pass == 0 ? leaf : portable).laswp(rows, n, a, ld, from, to, ipiv, OFFSET, backward)).isTrue();
            results[pass] = matrix(a, values.length, 4);
        }
        assertThat(results[0]).as("elements of %d bytes, %d columns", bytes, n).isEqualTo(results[1]);
        boolean looks = n > 0 && to > from;
        for (long wrong : new long[] {
                OFFSET,
                OFFSET + rows + 1,
                0,
                -1,
                1L << 31,
                1L << 61 | OFFSET + 1,
                Long.MIN_VALUE}) {
            long a = place(values, 4);
            long ipiv = guardP.place(8L * to);
            for (int i = 0; i < to; i++) {
                i64(ipiv + 8L * i, pivots[i]);
            }
            if (looks) {
                i64(ipiv + 8L * (from + random.nextInt(to - from)), wrong);
            }
            assertThat(leaf.laswp(rows, n, a, ld, from, to, ipiv, OFFSET, backward))
                    .as("pivot %d of %d rows", wrong, rows)
                    .isEqualTo(!looks);
            assertThat(guardA.intact() && guardP.intact()).isTrue();
        }
    }
}
