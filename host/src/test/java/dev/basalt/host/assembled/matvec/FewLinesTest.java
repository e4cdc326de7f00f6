package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.Guarded;
import dev.basalt.host.engine.AssembledDLeaf;
import dev.basalt.host.engine.AssembledSLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Products of few rows or columns agree with the portable ones, read nothing behind their operands, and keep their bits where the longer side is cut. */
class FewLinesTest {
    private static final long SEED = 20_271;
    private static final Op[] OPS = {Op.NONE, Op.TRANS};

    private final Random random = new Random(SEED);
    private final Guarded guardA = new Guarded(8 << 20);
    private final Guarded guardB = new Guarded(8 << 20);
    private final Guarded guardC = new Guarded(2 << 20);
    private int size;
    private Leaf assembled;
    private Leaf portable;

    private void everywhere(Runnable suite) {
        int widest = 0;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("FewLinesTest: " + e.getMessage());
        }
        Assumptions.assumeTrue(widest >= 256, "skipped: no assembled kernels here");
        for (int bits = 256; bits <= widest; bits *= 2) {
            size = 8;
            assembled = new AssembledDLeaf(AssembledKernels.real(bits, 8));
            portable = new DLeaf();
            suite.run();
            size = 4;
            assembled = new AssembledSLeaf(AssembledKernels.real(bits, 4));
            portable = new SLeaf();
            suite.run();
        }
    }

    private double[] numbers(long count) {
        double[] result = new double[(int) count];
        for (int i = 0; i < result.length; i++) {
            result[i] = (float) (random.nextDouble() * 2 - 1);
        }
        return result;
    }

    private double[] values(long at, int count) {
        double[] result = new double[count];
        for (int i = 0; i < count; i++) {
            result[i] = size == 8 ? f64(at + i * 8L) : f32(at + i * 4L);
        }
        return result;
    }

    private void agree(Op opA, Op opB, int m, int n, int k, double alpha, double beta) {
        int rowsA = opA == Op.NONE ? m : k;
        int rowsB = opB == Op.NONE ? k : n;
        int lda = rowsA + random.nextInt(3);
        int ldb = rowsB + random.nextInt(3);
        int ldc = m + random.nextInt(3);
        long a = guardA.place(numbers((long) lda * ((opA == Op.NONE ? k : m) - 1) + rowsA), size);
        long b = guardB.place(numbers((long) ldb * ((opB == Op.NONE ? n : k) - 1) + rowsB), size);
        double[] c = numbers((long) ldc * (n - 1) + m);
        for (int i = 0; beta == 0 && i < c.length; i++) {
            c[i] = i % ldc < m ? Double.NaN : c[i];
        }
        double[][] results = new double[2][];
        for (int pass = 0; pass < 2; pass++) {
            long pc = guardC.place(c, size);
            Leaf leaf = pass == 0 ? portable : assembled;
            leaf.wholeGemm(opA, opB, m, n, k, alpha, 0, a, lda, b, ldb, beta, 0, pc, ldc, 0, 0);
            results[pass] = values(pc, c.length);
            assertThat(guardC.intact()).isTrue();
        }
        double tolerance = (size == 8 ? 0x1p-50 : 0x1p-21) * Math.sqrt(k) * 4;
        for (int i = 0; i < c.length; i++) {
            assertThat(Math.abs(results[1][i] - results[0][i]))
                    .as("%s %s %dx%dx%d alpha %s beta %s, %d bytes, at %d", opA, opB, m, n, k, alpha, beta, size, i)
                    .isLessThanOrEqualTo(tolerance);
        }
    }

    @Test
    void fewLines() {
        everywhere(() -> {
            for (int i = 0; i < 150; i++) {
                int few = 1 + random.nextInt(14);
                int many = 1 + random.nextInt(i % 10 == 0 ? 600 : 60);
                int k = 60 + random.nextInt(i % 10 == 5 ? 2200 : 300);
                boolean rows = random.nextBoolean();
                double alpha = random.nextBoolean() ? 1 : -0.75;
                double beta = new double[] {0, 1, 0.5}[random.nextInt(3)];
                agree(OPS[random.nextInt(2)], OPS[random.nextInt(2)], rows ? few : many, rows ? many : few, k, alpha,
                        beta);
            }
        });
    }

    @Test
    void smallTriangles() {
        everywhere(() -> {
            for (int i = 0; i < 100; i++) {
                int n = 1 + random.nextInt(i % 2 == 0 ? 14 : 5);
                int k = 60 + random.nextInt(i % 10 == 5 ? 2200 : 300);
                triangle(Uplo.values()[random.nextInt(2)], OPS[random.nextInt(2)], n, k,
                        random.nextBoolean() ? 1 : -0.75, new double[] {0, 1, 0.5}[random.nextInt(3)]);
            }
        });
    }

    private void triangle(Uplo uplo, Op op, int n, int k, double alpha, double beta) {
        int rows = op == Op.NONE ? n : k;
        int lda = rows + random.nextInt(3);
        int ldc = n + random.nextInt(3);
        long a = guardA.place(numbers((long) lda * ((op == Op.NONE ? k : n) - 1) + rows), size);
        double[] c = numbers((long) ldc * (n - 1) + n);
        double[][] results = new double[2][];
        for (int pass = 0; pass < 2; pass++) {
            long pc = guardC.place(c, size);
            Leaf leaf = pass == 0 ? portable : assembled;
            leaf.wholeSyrk(uplo, op, false, n, k, alpha, 0, a, lda, beta, 0, pc, ldc, 0, 0);
            results[pass] = values(pc, c.length);
        }
        // Of squares, sums grow with their length.
        double tolerance = (size == 8 ? 0x1p-53 : 0x1p-24) * k * k / 8;
        for (int i = 0; i < c.length; i++) {
            boolean stored = i % ldc < n && (uplo == Uplo.UPPER ? i % ldc <= i / ldc : i % ldc >= i / ldc);
            assertThat(Math.abs(results[1][i] - (stored ? results[0][i] : size == 8 ? c[i] : (float) c[i])))
                    .as("%s %s %dx%d alpha %s beta %s, %d bytes, at %d", uplo, op, n, k, alpha, beta, size, i)
                    .isLessThanOrEqualTo(stored ? tolerance : 0);
        }
    }

    /** Parts with more lines than are few. */
    @Test
    void cutsKeepBits() {
        everywhere(() -> {
            for (Op opA : OPS) {
                for (Op opB : OPS) {
                    for (int few = 2; few <= 12; few += 5) {
                        cut(opA, opB, few, true);
                        cut(opA, opB, few, false);
                    }
                }
            }
        });
    }

    private void cut(Op opA, Op opB, int few, boolean rows) {
        int many = 93;
        int k = 1300;
        int m = rows ? few : many;
        int n = rows ? many : few;
        int lda = opA == Op.NONE ? m : k;
        int ldb = opB == Op.NONE ? k : n;
        long a = guardA.place(numbers((long) m * k), size);
        long b = guardB.place(numbers((long) n * k), size);
        double[] c = numbers((long) m * n);
        double[][] results = new double[2][];
        int[][] ends = {{0, many}, {0, 16, 32, 64, many}};
        for (int pass = 0; pass < 2; pass++) {
            long pc = guardC.place(c, size);
            for (int p = 1; p < ends[pass].length; p++) {
                int from = ends[pass][p - 1];
                int some = ends[pass][p] - from;
                long fromA = rows ? a : a + (long) from * (opA == Op.NONE ? 1 : lda) * size;
                long fromB = rows ? b + (long) from * (opB == Op.NONE ? ldb : 1) * size : b;
                assembled.wholeGemm(opA, opB, rows ? m : some, rows ? some : n, k, 0.75, 0, fromA, lda, fromB, ldb, 0.5,
                        0, pc + (long) from * (rows ? m : 1) * size, m, 0, 0);
            }
            results[pass] = values(pc, c.length);
        }
        assertThat(results[1]).as("%s %s %dx%d, %d bytes", opA, opB, m, n, size).isEqualTo(results[0]);
    }
}
