package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
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
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Sums of matrices, and products with diagonal ones, by assembled kernels agree with the portable ones, with operands that end where memory does. */
class MapsGuardTest {
    private static final long SEED = 20_254;

    private final Random random = new Random(SEED);
    private final Guarded guardA = new Guarded(4 << 20);
    private final Guarded guardB = new Guarded(4 << 20);
    private final Guarded guardC = new Guarded(4 << 20);
    private int size;
    private int parts;
    private Leaf assembled;
    private Leaf portable;

    private interface Run {
        void on(Leaf leaf, long a, long b, long c);
    }

    /** An imaginary part of a scalar: 0 for real kernels. */
    private double im(double value) {
        return parts == 2 ? value : 0;
    }

    private double[] numbers(long elements) {
        double[] result = new double[(int) elements * parts];
        for (int i = 0; i < result.length; i++) {
            result[i] = (float) (random.nextDouble() * 2 - 1);
        }
        return result;
    }

    private void agree(String what, double[] a, double[] b, double[] c, int terms, Run run) {
        double[][] results = new double[2][c.length];
        for (int pass = 0; pass < 2; pass++) {
            long atC = guardC.place(c, size);
            run.on(pass == 0 ? assembled : portable, guardA.place(a, size), guardB.place(b, size), atC);
            for (int i = 0; i < c.length; i++) {
                results[pass][i] = size == 8 ? f64(atC + i * 8L) : f32(atC + i * 4L);
            }
            assertThat(guardA.intact() && guardB.intact() && guardC.intact()).as(what).isTrue();
        }
        double tolerance = (size == 8 ? 0x1p-51 : 0x1p-22) * (4 * terms + 8);
        for (int i = 0; i < c.length; i++) {
            boolean same = Double.isNaN(results[0][i]) && Double.isNaN(results[1][i]);
            if (!same && !(Math.abs(results[0][i] - results[1][i]) <= tolerance)) {
                assertThat(results[0][i]).as("%s, %d bytes, at %d of %d, seed %d", what, size, i, c.length, SEED)
                        .isEqualTo(results[1][i]);
            }
        }
    }

    private double[] nans(double[] values) {
        double[] result = values.clone();
        Arrays.fill(result, Double.NaN);
        return result;
    }

    private double[] matrix(int m, int n, int ld) {
        return numbers((long) ld * (n - 1) + m);
    }

    private void sums(int m, int n) {
        for (Op opA : Op.values()) {
            for (Op opB : Op.values()) {
                boolean plainA = opA == Op.NONE;
                boolean plainB = opB == Op.NONE;
                int lda = (plainA ? m : n) + random.nextInt(3);
                int ldb = (plainB ? m : n) + random.nextInt(3);
                int ldc = m + random.nextInt(3);
                double alpha = random.nextInt(3) - 1;
                double beta = random.nextInt(3) - 1;
                double[] a = matrix(plainA ? m : n, plainA ? n : m, lda);
                double[] b = matrix(plainB ? m : n, plainB ? n : m, ldb);
                double[] c = nans(matrix(m, n, ldc));
                String what = "geam " + opA + " " + opB + " " + m + "x" + n + " " + alpha + " " + beta;
                agree(what, alpha == 0 ? nans(a) : a, beta == 0 ? nans(b) : b, c, 2, (leaf, pa, pb, pc) -> leaf
                        .geam(opA, opB, m, n, alpha, im(alpha / 4), pa, lda, beta, im(-beta / 2), pb, ldb, pc, ldc));
                if (plainA) {
                    agree(what + " in A", b, b, a, 2, (leaf, pa, pb, pc) -> leaf.geam(opA, opB, m, n, alpha,
                            im(alpha / 4), pc, lda, beta, im(-beta / 2), pb, ldb, pc, lda));
                }
                if (plainB) {
                    agree(what + " in B", a, a, b, 2, (leaf, pa, pb, pc) -> leaf.geam(opA, opB, m, n, alpha,
                            im(alpha / 4), pa, lda, beta, im(-beta / 2), pc, ldb, pc, ldb));
                }
            }
        }
    }

    private void diagonals(int m, int n) {
        for (Side side : Side.values()) {
            for (int inc = -2; inc <= 2; inc++) {
                if (inc == 0) {
                    continue;
                }
                int order = side == Side.LEFT ? m : n;
                int step = inc;
                long back = inc < 0 ? (long) (order - 1) * -inc * parts * size : 0;
                int lda = m + random.nextInt(3);
                int ldc = m + random.nextInt(3);
                double[] a = matrix(m, n, lda);
                double[] x = numbers(1 + (long) (order - 1) * Math.abs(inc));
                String what = "dgmm " + side + " " + m + "x" + n + " inc " + inc;
                agree(what, a, x, nans(matrix(m, n, ldc)), 2,
                        (leaf, pa, px, pc) -> leaf.dgmm(side, m, n, pa, lda, px + back, step, pc, ldc));
                agree(what + " in place", x, x, a, 2,
                        (leaf, pa, px, pc) -> leaf.dgmm(side, m, n, pc, lda, px + back, step, pc, lda));
            }
        }
    }

    @Test
    void randomShapes() {
        int widest = 0;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("MapsGuardTest: " + e.getMessage());
        }
        Assumptions.assumeTrue(widest >= 256, "skipped: no assembled kernels here");
        for (int bits = 256; bits <= widest; bits *= 2) {
            start(8, 1, new AssembledDLeaf(AssembledKernels.real(bits, 8)), new DLeaf());
            start(4, 1, new AssembledSLeaf(AssembledKernels.real(bits, 4)), new SLeaf());
            start(8, 2, new AssembledZLeaf(AssembledKernels.complex(bits, 8)), new ZLeaf());
            start(4, 2, new AssembledCLeaf(AssembledKernels.complex(bits, 4)), new CLeaf());
        }
    }

    /** What is stored past the caches, from an address in the middle of a line on, is what smaller pieces are. */
    @Test
    void largeResults() {
        Assumptions.assumeTrue(AssembledKernels.vectorBits() >= 256);
        Leaf leaf = new AssembledDLeaf(AssembledKernels.real(AssembledKernels.vectorBits(), 8));
        int m = 2000;
        int n = 1700;
        try (Arena arena = Arena.ofConfined()) {
            long bytes = 8L * m * n;
            MemorySegment[] memory = new MemorySegment[3];
            long[] at = new long[3];
            for (int i = 0; i < 3; i++) {
                memory[i] = arena.allocate(bytes + 64, 64).asSlice(24L * (i % 2), bytes);
                at[i] = memory[i].address();
                for (long j = 0; j < (long) m * n; j++) {
                    f64(at[i] + 8 * j, (float) random.nextDouble());
                }
            }
            for (Op op : Op.values()) {
                boolean plain = op == Op.NONE;
                int ld = plain ? m : n;
                for (int part = 0; part < 4; part++) {
                    // The last is the whole, and the others are where it is expected to have the same bits.
                    long c = part < 3 ? at[2] : at[1];
                    int from = part < 3 ? part * 600 : 0;
                    int columns = part < 3 ? Math.min(600, n - from) : n;
                    leaf.geam(op, Op.NONE, m, columns, 0.75, 0, at[0] + 8L * from * (plain ? m : 1), ld, 0, 0, at[0], m,
                            c + 8L * m * from, m);
                }
                assertThat(memory[1].mismatch(memory[2])).as("%s", op).isEqualTo(-1);
            }
        }
    }

    /** Large sums are rounded as small ones are: by tiles that are fetched ahead, past the caches or not, wherever columns begin. */
    @Test
    void largeSums() {
        Assumptions.assumeTrue(AssembledKernels.vectorBits() >= 256);
        for (int bits = 256; bits <= AssembledKernels.vectorBits(); bits *= 2) {
            Leaf leaf = new AssembledDLeaf(AssembledKernels.real(bits, 8));
            largeSums(leaf, 1500, 1000, 0);
            largeSums(leaf, 1096, 1024, 24);
            largeSums(leaf, 1003, 1021, 8);
        }
    }

    private void largeSums(Leaf leaf, int m, int n, long skip) {
        try (Arena arena = Arena.ofConfined()) {
            long[] at = new long[3];
            for (int i = 0; i < 3; i++) {
                at[i] = arena.allocate(8L * m * n + 64, 64).address() + skip;
                for (int j = 0; j < m * n; j++) {
                    f64(at[i] + 8L * j, random.nextDouble());
                }
            }
            for (int ops = 0; ops < 4; ops++) {
                boolean turnsA = ops % 2 == 1;
                boolean turnsB = ops > 1;
                for (double beta : new double[] {0, 0.3}) {
                    leaf.geam(turnsA ? Op.TRANS : Op.NONE, turnsB ? Op.TRANS : Op.NONE, m, n, 0.7, 0, at[0],
                            turnsA ? n : m, beta, 0, at[1], turnsB ? n : m, at[2], m);
                    int wrong = 0;
                    for (int j = 0; j < n; j++) {
                        for (int i = 0; i < m; i++) {
                            double a = f64(at[0] + 8L * (turnsA ? j + i * n : i + j * m));
                            double b = f64(at[1] + 8L * (turnsB ? j + i * n : i + j * m));
                            double sum = beta == 0 ? 0.7 * a : Math.fma(beta, b, 0.7 * a);
                            wrong += f64(at[2] + 8L * (i + j * m)) == sum ? 0 : 1;
                        }
                    }
                    assertThat(wrong).as("%dx%d, transposed %s and %s, beta %s", m, n, turnsA, turnsB, beta).isZero();
                }
            }
        }
    }

    /** Large results whose columns lie differently to lines, in pieces of columns of which the last has few rows. */
    @Test
    void largeWithGaps() {
        Assumptions.assumeTrue(AssembledKernels.vectorBits() >= 256);
        for (int bits = 256; bits <= AssembledKernels.vectorBits(); bits *= 2) {
            Leaf leaf = new AssembledDLeaf(AssembledKernels.real(bits, 8));
            for (int gap : new int[] {0, 1, 5}) {
                largeWithGaps(leaf, 4096 + 3, 321, 4096 + 3 + gap);
                largeWithGaps(leaf, 2056, 641, 2056 + gap);
            }
        }
    }

    private void largeWithGaps(Leaf leaf, int m, int n, int ld) {
        try (Arena arena = Arena.ofConfined()) {
            long[] at = new long[4];
            for (int i = 0; i < at.length; i++) {
                at[i] = arena.allocate(8L * ld * n + 64, 64).address() + 8L * i;
                for (int j = 0; j < ld * n; j++) {
                    f64(at[i] + 8L * j, random.nextDouble());
                }
            }
            for (int what = 0; what < 4; what++) {
                int wrong = 0;
                for (int j = 0; j < n; j++) {
                    f64(at[2] + 8L * (m - 1 + (long) j * ld), Double.NaN);
                    if (ld > m) {
                        f64(at[2] + 8L * (m + (long) j * ld), -1);
                    }
                }
                if (what < 2) {
                    leaf.geam(Op.NONE, Op.NONE, m, n, 0.7, 0, at[0], ld, what * 0.3, 0, at[1], ld, at[2], ld);
                } else {
                    leaf.dgmm(what == 2 ? Side.LEFT : Side.RIGHT, m, n, at[0], ld, at[3], 1, at[2], ld);
                }
                for (int j = 0; j < n; j++) {
                    for (int i = 0; i < m; i++) {
                        long place = 8L * (i + (long) j * ld);
                        double a = f64(at[0] + place);
                        double expected = what > 1 ? a * f64(at[3] + 8L * (what == 2 ? i : j))
                                : what == 1 ? Math.fma(0.3, f64(at[1] + place), 0.7 * a)
                                : 0.7 * a;
                        wrong += f64(at[2] + place) == expected ? 0 : 1;
                    }
                    wrong += ld == m || f64(at[2] + 8L * (m + (long) j * ld)) == -1 ? 0 : 1;
                }
                assertThat(wrong).as("%dx%d, columns %d apart, call %d", m, n, ld, what).isZero();
            }
        }
    }

    private void start(int bytes, int numbers, Leaf tested, Leaf reference) {
        size = bytes;
        parts = numbers;
        assembled = tested;
        portable = reference;
        for (int i = 0; i < 60; i++) {
            sums(1 + random.nextInt(90), 1 + random.nextInt(60));
            diagonals(1 + random.nextInt(90), 1 + random.nextInt(40));
        }
        sums(130, 70);
        diagonals(9000, 3);
        sums(9000, 2);
    }
}
