package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Cholesky by tiles in one launch, by a block a problem up to order 128, on integers, of which the factor is known and found without rounding: orders around the borders of tiles,
 * one block that does all and several that wait for each other, numbers of extreme size, and pivots that fail anywhere.
 */
class CholeskyTilesTest {
    private static final List<Integer> ORDERS = List.of(129, 140, 192, 193, 256, 257, 330, 449);
    /** Of matrices that have a block each. */
    private static final List<Integer> SMALL_ORDERS = List.of(33, 47, 48, 49, 63, 64, 65, 80, 81, 96, 127, 128);
    private static final List<Integer> FAILING = List.of(0, 15, 31, 32, 64, 95, 127, 150, 192, 199);
    private static final long SEED = Seed.OF_RUN;

    /** What the factor is multiplied with. */
    enum Size {
        ORDINARY(1), TINY(0x1p-530), HUGE(0x1p500);

        final double factor;

        Size(double factor) {
            this.factor = factor;
        }
    }

    private final Shim shim = Shim.ABSENT == null ? new Shim() : null;

    private static void needsShim() {
        if (Shim.ABSENT != null) {
            System.out.println("skipped: " + Shim.ABSENT);
        }
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
    }

    /** Half of them, which the seed decides; all in the profile long. */
    private static List<Integer> some(List<Integer> all, int what) {
        if (Boolean.getBoolean("basalt.test.long")) {
            return all;
        }
        List<Integer> drawn = new ArrayList<>(all);
        Collections.shuffle(drawn, new Random(SEED + what));
        return drawn.subList(0, (all.size() + 1) / 2);
    }

    @ParameterizedTest
    @EnumSource(Size.class)
    void integersAreExact(Size size) {
        needsShim();
        for (int n : some(ORDERS, size.ordinal())) {
            Random r = new Random(SEED + n);
            run(n, size, 1 + r.nextInt(3), 1 + r.nextInt(15), -1, r);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 16})
    void failingPivotsAreFound(int blocks) {
        needsShim();
        for (int row : some(FAILING, blocks)) {
            Random r = new Random(SEED + row);
            run(200, Size.ORDINARY, 1 + r.nextInt(2), blocks, row, r);
        }
    }

    @ParameterizedTest
    @EnumSource(Size.class)
    void blocksOfSmallOnesAreExact(Size size) {
        needsShim();
        for (int n : some(SMALL_ORDERS, size.ordinal())) {
            Random r = new Random(SEED + n);
            run(n, size, 1 + r.nextInt(3), 1 + r.nextInt(3), -1, r);
        }
    }

    @Test
    void failingPivotsOfSmallOnesAreFound() {
        needsShim();
        for (int n : SMALL_ORDERS) {
            Random r = new Random(SEED + n);
            run(n, Size.ORDINARY, 1 + r.nextInt(2), 1 + r.nextInt(3), r.nextInt(n), r);
        }
    }

    /** One factorisation of {@code count} problems, the first of which fails at a row, or none where that is negative. */
    private void run(int n, Size size, int count, int blocks, int failing, Random r) {
        Trial t = new Trial(Kernel.POTF2, ElementType.F64, count, r);
        Launch l = t.l;
        l.uplo = Uplo.values()[r.nextInt(2)];
        l.n = n;
        l.p = r.nextInt(4);
        l.k = r.nextInt(2);
        t.matrix(l.c, ElementType.F64, n, n, r.nextInt(3), r.nextBoolean());
        t.vector(l.e, ElementType.I32, 1, 1, r.nextBoolean());
        double[][][] factors = new double[count][][];
        for (int p = 0; p < count; p++) {
            Memory.i32(l.e.at(p), l.k == 0 ? 0 : 5);
            factors[p] = factor(n, r);
            put(l.c, p, l.uplo, factors[p], size.factor * size.factor, p == 0 ? failing : -1, r);
        }
        String what = l.uplo + " order " + n + ", " + count + " problems, " + blocks + " blocks, failing " + failing
                + ", " + size + ", seed " + SEED;
        launch(l, blocks, r.nextBoolean(), what);
        for (int p = 0; p < count; p++) {
            boolean fails = p == 0 && failing >= 0;
            assertThat(Memory.i32(l.e.at(p))).as(what).isEqualTo(fails ? (int) l.p + failing + 1 : 0);
            for (int j = 0; !fails && j < n; j++) {
                for (int i = 0; i < n; i++) {
                    double expected = i < j ? Double.NaN : size.factor * factors[p][i][j];
                    double found = Memory.f64(at(l.c, p, l.uplo, i, j));
                    assertThat(found == expected || Double.isNaN(found) && i < j)
                            .as("(%d, %d) is %s, not %s: %s", i, j, found, expected, what)
                            .isTrue();
                }
            }
        }
    }

    /** More problems than there are counters for at a time, of orders that the device alone knows. */
    @Test
    void ordersThatTheDeviceKnows() {
        needsShim();
        Random r = new Random(SEED);
        int most = 6;
        int count = 830;
        Trial t = new Trial(Kernel.POTF2, ElementType.F64, count, r);
        Launch l = t.l;
        l.uplo = Uplo.values()[r.nextInt(2)];
        l.n = 129;
        l.extent = t.take(8 * count);
        l.extentStride = 1;
        t.matrix(l.c, ElementType.F64, most, most, 0, false);
        t.vector(l.e, ElementType.I32, 1, 1, false);
        double[][][] factors = new double[count][][];
        for (int p = 0; p < count; p++) {
            factors[p] = factor(most, r);
            put(l.c, p, l.uplo, factors[p], 1, -1, r);
            Memory.i64(l.extent + 8L * p, r.nextInt(most + 2) - 1);
        }
        double[][][] before = new double[count][][];
        for (int p = 0; p < count; p++) {
            before[p] = triangle(l, p, most);
        }
        String what = l.uplo + " seed " + SEED;
        launch(l, 1, r.nextBoolean(), what);
        for (int p = 0; p < count; p++) {
            double[][] found = triangle(l, p, most);
            for (int i = 0; i < most; i++) {
                double[] expected = i < l.n(p) ? Arrays.copyOf(factors[p][i], i + 1) : before[p][i];
                assertThat(found[i]).as("row %d of problem %d, %s", i, p, what).isEqualTo(expected);
            }
        }
    }

    /** The rows of the lower factor, or of the matrix in its place. */
    private static double[][] triangle(Launch l, int p, int n) {
        double[][] rows = new double[n][];
        for (int i = 0; i < n; i++) {
            rows[i] = new double[i + 1];
            for (int j = 0; j <= i; j++) {
                rows[i][j] = Memory.f64(at(l.c, p, l.uplo, i, j));
            }
        }
        return rows;
    }

    /** Runs a launch on a device of so many multiprocessors; the counters are zero again behind it. */
    private void launch(Launch l, int blocks, boolean backwards, String what) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment arguments = arena.allocate(Arguments.BYTES, 64);
            MemorySegment sync = arena.allocate(Launcher.SYNC_BYTES, 64);
            new Launcher<>(shim, blocks, true).run(l, arguments.address(), sync.address(), backwards);
            for (int i = 0; i < 4096; i++) {
                assertThat(Memory.i32(sync.address() + 4L * i)).as(what).isZero();
            }
        }
    }

    private static double[][] factor(int n, Random r) {
        double[][] f = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                f[i][j] = r.nextInt(3) - 1;
            }
            f[i][i] = 1 + r.nextInt(2);
        }
        return f;
    }

    /** The triangle of f·fᵀ times a factor, NaN beside it. */
    private static void put(Operand o, int p, Uplo uplo, double[][] f, double scale, int failing, Random r) {
        for (int i = 0; i < f.length; i++) {
            for (int j = 0; j < f.length; j++) {
                double sum = 0;
                for (int k = 0; k <= Math.min(i, j); k++) {
                    sum += f[i][k] * f[j][k];
                }
                if (i == j && i == failing) {
                    sum = r.nextInt(4) == 0 ? Double.NaN : sum - f[i][i] * f[i][i] - r.nextInt(2);
                }
                Memory.f64(at(o, p, uplo, i, j), i < j ? Double.NaN : scale * sum);
            }
        }
    }

    /** Where element (i, j) of the lower factor is, of an upper one transposed. */
    private static long at(Operand o, int p, Uplo uplo, int i, int j) {
        return o.at(p) + 8 * (uplo == Uplo.LOWER ? i + j * o.ld : j + i * o.ld);
    }
}
