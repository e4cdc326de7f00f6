package dev.basalt.conformance.arrays;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayLapack;
import dev.basalt.arrays.ArrayWorkspace;
import dev.basalt.arrays.RowMajorBlas;
import dev.basalt.arrays.RowMajorLapack;
import dev.basalt.portable.HeapOperands;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls on arrays while another thread allocates and collects: numbers are right, and no piece of work that a collector waits for grows with a call. */
class CollectorStormTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261124);

    /** Multiplications of a call at most: some fifty microseconds of one core. */
    private static final double MULTIPLICATIONS = 2e6;

    /** Numbers that a call reads at most. */
    private static final double NUMBERS = 1 << 18;

    @AfterEach
    void release() {
        ArrayWorkspace.release();
    }

    private static double[] numbers(Random random, int n) {
        return random.doubles(n, -1, 1).toArray();
    }

    @Test
    void numbersAreRightUnderAStorm() throws InterruptedException {
        AtomicBoolean done = new AtomicBoolean();
        Thread storm = Thread.ofPlatform().start(() -> {
            List<byte[]> kept = new ArrayList<>();
            for (int i = 0; !done.get(); i++) {
                kept.add(new byte[50_000 + i % 7]);
                if (kept.size() > 100) {
                    kept.subList(0, 50).clear();
                }
                if (i % 200 == 0) {
                    System.gc();
                }
            }
        });
        try {
            double[] expected = null;
            for (int round = 0; round < 4; round++) {
                double[] sums = work();
                expected = expected == null ? sums : expected;
                assertThat(sums).as("round %d, seed %d", round, SEED).containsExactly(expected);
            }
        } finally {
            done.set(true);
            storm.join();
        }
        // Without a storm it is the same.
        assertThat(work()).isEqualTo(work());
    }

    /** In place, on copies, and by rows; the product of a solution is what it was solved for. */
    private static double[] work() {
        Random random = new Random(SEED);
        int n = 150;
        double[] a = numbers(random, n * n);
        double[] x = numbers(random, n);
        double[] y = new double[n];
        ArrayBlas.dgemv(Op.NONE, n, n, 1, a, n, x, 1, 0, y, 1);
        double[] factors = a.clone();
        double[] solution = y.clone();
        assertThat(ArrayLapack.dgesv(n, 1, factors, n, new int[n], solution, n)).isZero();
        double[] c = new double[n * n];
        ArrayBlas.dgemm(Op.TRANS, Op.NONE, n, n, n, 1, a, n, a, n, 0, c, n);
        ArrayBlas.dsymv(Uplo.LOWER, n, 1, c, n, x, 1, 0, y, 1);
        double[][] rows = new double[n][n];
        double[][] other = new double[n][];
        Arrays.setAll(other, i -> Arrays.copyOfRange(a, i * n, (i + 1) * n));
        RowMajorBlas.dgemm(Op.NONE, Op.TRANS, n, n, n, 1, other, other, 0, rows);
        assertThat(RowMajorLapack.dpotrf(Uplo.LOWER, n, rows)).isZero();
        for (int i = 0; i < n; i++) {
            assertThat(Math.abs(solution[i] - x[i])).as("seed %d", SEED).isLessThan(1e-8);
            for (int j = 0; j < i; j++) {
                // Columns of a, whose products are c, are the rows of the array above.
                double sum = 0;
                for (int p = 0; p <= j; p++) {
                    sum += rows[i][p] * rows[j][p];
                }
                assertThat(Math.abs(sum - c[i + j * n])).as("seed %d", SEED).isLessThan(1e-11);
            }
        }
        return new double[] {ArrayBlas.dnrm2(n, y, 1), ArrayBlas.dasum(n, solution, 1), rows[n - 1][n - 1]};
    }

    @Test
    void whatACollectorWaitsForDoesNotGrowWithTheCall() {
        Random random = new Random(SEED);
        for (int n : new int[] {200, 500}) {
            double[] a = numbers(random, n * n);
            double[] c = new double[n * n];
            for (Op op : List.of(Op.NONE, Op.TRANS)) {
                assertWork("dgemm " + op, (double) n * n * n, MULTIPLICATIONS,
                        () -> ArrayBlas.dgemm(op, op, n, n, n, 1, a, n, a, n, 0, c, n));
                assertWork("dgemv " + op, (double) n * n, NUMBERS,
                        () -> ArrayBlas.dgemv(op, n, n, 1, a, n, a, 1, 0, c, 1));
            }
            assertWork("dsymv", (double) n * n, NUMBERS, () -> ArrayBlas.dsymv(Uplo.UPPER, n, 1, a, n, a, 1, 0, c, 1));
            assertWork("dger", (double) n * n, NUMBERS, () -> ArrayBlas.dger(n, n, 1e-9, a, 1, a, 1, c, n));
            System.arraycopy(a, 0, c, 0, n * n);
            assertWork("dgetrf", 2.0 / 3 * n * n * n, MULTIPLICATIONS,
                    () -> ArrayLapack.dgetrf(n, n, c, n, new int[n]));
            System.arraycopy(a, 0, c, 0, n * n);
            for (int i = 0; i < n; i++) {
                c[i * (n + 1)] += 2 * n;
            }
            assertWork("dpotrf", (double) n * n * n / 3, MULTIPLICATIONS,
                    () -> ArrayLapack.dpotrf(Uplo.LOWER, n, c, n));
        }
        double[] x = numbers(random, 4_000_000);
        double[] y = x.clone();
        assertWork("ddot", x.length, NUMBERS, () -> ArrayBlas.ddot(x.length, x, 1, y, 1));
        assertWork("dnrm2", x.length, NUMBERS, () -> ArrayBlas.dnrm2(x.length, x, 1));
        assertWork("daxpy", x.length, NUMBERS, () -> ArrayBlas.daxpy(x.length, 1, x, 1, y, 1));
        assertWork("dscal", x.length, NUMBERS, () -> ArrayBlas.dscal(x.length, 1, x, 1));
        assertWork("dcopy", x.length, NUMBERS, () -> ArrayBlas.dcopy(x.length, x, 1, y, 1));
    }

    /** A device that copies all operands makes no such call. */
    private static void assertWork(String what, double work, double most, Runnable call) {
        long before = HeapOperands.own().calls();
        call.run();
        long calls = HeapOperands.own().calls() - before;
        if (calls > 0) {
            assertThat(work / calls).as("%s: work of a call of machine code, of %d", what, calls).isLessThan(most);
        }
    }
}
