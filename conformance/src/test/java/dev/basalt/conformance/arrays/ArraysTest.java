package dev.basalt.conformance.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.BlasException;
import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayLapack;
import dev.basalt.arrays.ArrayWorkspace;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Calls on arrays as a program makes them: large ones that stay in place, many threads, and a collector at work meanwhile. */
class ArraysTest extends OnArrays {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261124);

    ArraysTest() {
        super(SEED);
    }

    @Test
    void multipliesLargeMatricesInPlace() {
        int m = 301;
        int n = 283;
        int k = 523;
        for (Op transA : List.of(Op.NONE, Op.TRANS)) {
            for (Op transB : List.of(Op.NONE, Op.TRANS)) {
                int lda = (transA == Op.NONE ? m : k) + 3;
                int ldb = (transB == Op.NONE ? k : n) + 1;
                int ldc = m + 2;
                double[] a = numbers(5 + lda * (transA == Op.NONE ? k : m));
                double[] b = numbers(7 + ldb * (transB == Op.NONE ? n : k));
                double[] c = numbers(3 + ldc * n);
                double[] expected = c.clone();
                for (int j = 0; j < n; j++) {
                    for (int i = 0; i < m; i++) {
                        double sum = 0;
                        for (int p = 0; p < k; p++) {
                            sum += a[5 + (transA == Op.NONE ? i + p * lda : p + i * lda)]
                                    * b[7 + (transB == Op.NONE ? p + j * ldb : j + p * ldb)];
                        }
                        expected[3 + i + j * ldc] = 1.5 * sum - 0.5 * expected[3 + i + j * ldc];
                    }
                }
                ArrayBlas.dgemm(transA, transB, m, n, k, 1.5, a, 5, lda, b, 7, ldb, -0.5, c, 3, ldc);
                for (int i = 0; i < c.length; i++) {
                    assertThat(Math.abs(c[i] - expected[i])).as("%s %s c[%d], seed %d", transA, transB, i, SEED)
                            .isLessThan(1e-11);
                }
            }
        }
    }

    @Test
    void saysHowLongAnArrayMustBe() {
        double[] c = {1, 2, 3};
        assertThatThrownBy(
                () -> ArrayBlas.dgemm(Op.NONE, Op.NONE, 2, 2, 1, 1, new double[2], 2, new double[2], 1, 0, c, 2))
                .isInstanceOf(BlasException.class)
                .hasMessageContaining("C: its array is too short: 4 numbers are needed")
                .hasMessageContaining("it has 3");
        assertThat(c).containsExactly(1, 2, 3);
    }

    @Test
    void refusesAnOffsetBeforeTheArray() {
        assertThatThrownBy(() -> ArrayBlas.dscal(2, 2, new double[4], -1, 1)).isInstanceOf(BlasException.class)
                .hasMessageContaining("offset is -1");
    }

    @Test
    void oneElementMayBeAllOfAVector() {
        double[] y = {1};
        ArrayBlas.daxpy(3, 2, new double[] {1, 2, 3}, 1, y, 0);
        assertThat(y[0]).isEqualTo(13);
    }

    @Test
    void normOfLargeNumbersDoesNotOverflow() {
        double[] x = new double[100];
        java.util.Arrays.fill(x, 1e200);
        assertThat(ArrayBlas.dnrm2(100, x, 1)).isBetween(0.999999e201, 1.000001e201);
    }

    /** No product is made then, so Java clears what lies in an array. */
    @Test
    void aProductWithTwoFactorsOfZeroClearsTheResult() {
        for (int n : new int[] {3, 9, 40}) {
            double[] c = new double[n * n];
            java.util.Arrays.fill(c, Double.NaN);
            ArrayBlas.dgemm(Op.NONE, Op.TRANS, n, n, n, 0, null, n, null, n, 0, c, n);
            assertThat(c).containsOnly(0);
            float[] s = new float[n * n];
            java.util.Arrays.fill(s, Float.POSITIVE_INFINITY);
            ArrayBlas.sgemm(Op.TRANS, Op.NONE, n, n, n, 0, null, n, null, n, 0, s, n);
            assertThat(s).containsOnly(0);
        }
    }

    @Test
    void findsNaNInPlace() {
        double[] x = numbers(100);
        x[57] = Double.NaN;
        assertThat(ArrayBlas.idamax(100, x, 1)).isEqualTo(58);
    }

    @Test
    void solvesOnManyThreadsWhileTheCollectorMovesArrays() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Thread storm = Thread.ofPlatform().start(() -> {
            List<byte[]> kept = new ArrayList<>();
            for (int i = 0; !done.get(); i++) {
                kept.add(new byte[20_000]);
                if (kept.size() > 200) {
                    kept.subList(0, 100).clear();
                }
                if (i % 500 == 0) {
                    System.gc();
                }
            }
        });
        double[] expected = work(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(3);
                ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<double[]>> results = new ArrayList<>();
            Callable<double[]> task = () -> work(1);
            for (int i = 0; i < 12; i++) {
                results.add(threads.submit(task));
                results.add(virtual.submit(task));
            }
            for (Future<double[]> result : results) {
                assertThat(result.get()).isEqualTo(expected);
            }
        } finally {
            done.set(true);
            storm.join();
            Thread.ofVirtual().start(ArrayWorkspace::release).join();
        }
    }

    /** Products, solutions and sums whose bits depend on nothing but the seed. */
    private static double[] work(long seed) {
        Random numbers = new Random(seed);
        int n = 60;
        double[] sums = new double[20];
        for (int round = 0; round < sums.length; round++) {
            double[] a = numbers.doubles(n * n, -1, 1).toArray();
            double[] b = numbers.doubles(n * n, -1, 1).toArray();
            double[] c = new double[n * n];
            ArrayBlas.dgemm(Op.NONE, Op.TRANS, n, n, n, 1, a, n, b, n, 0, c, n);
            ArrayBlas.dsymv(Uplo.LOWER, n, 1, c, n, a, 1, 0, b, 1);
            int[] ipiv = new int[n];
            assertThat(ArrayLapack.dgesv(n, 1, c, n, ipiv, b, n)).isZero();
            ArrayBlas.daxpy(n, 0.5, a, 1, b, 1);
            sums[round] = ArrayBlas.ddot(n, b, 1, a, 1);
        }
        return sums;
    }
}
