package dev.basalt.host.assembled.product;

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
import dev.basalt.spi.RankUpdates;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Triangles of products and updates of rank 2k by assembled kernels agree with the portable ones, with operands that end where memory does. */
class TriangleProductTest {
    private static final long SEED = 20_253;

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

    /** What assembled kernels leave in C. Threads make the two products of syr2k apart, so bits must be those. */
    private long[] bits(double[] a, double[] b, double[] c, Run run) {
        long atC = guardC.place(c, size);
        run.on(assembled, guardA.place(a, size), guardB.place(b, size), atC);
        long[] bits = new long[c.length];
        for (int i = 0; i < c.length; i++) {
            bits[i] = size == 8
                    ? Double.doubleToRawLongBits(f64(atC + i * 8L))
                    : Float.floatToRawIntBits(f32(atC + i * 4L));
        }
        return bits;
    }

    /** A matrix of order n; what must not be read is NaN: the other triangle, and all of it if beta is 0. */
    private double[] triangle(Uplo uplo, int n, int ldc, double beta) {
        double[] c = numbers((long) ldc * (n - 1) + n);
        for (int i = 0; i < c.length; i++) {
            int row = i / parts % ldc;
            int column = i / parts / ldc;
            boolean inside = row < n && (uplo == Uplo.LOWER ? row >= column : row <= column);
            c[i] = inside && beta != 0 ? c[i] : Double.NaN;
        }
        return c;
    }

    private void products(int n, int k) {
        for (Uplo uplo : Uplo.values()) {
            double beta = random.nextInt(3) - 1;
            boolean hermitian = random.nextBoolean();
            double betaIm = hermitian ? 0 : im(0.25 * beta);
            int ldc = n + random.nextInt(3);
            double[] c = triangle(uplo, n, ldc, beta);
            for (Op op : Op.values()) {
                for (Op opB : Op.values()) {
                    int lda = (op == Op.NONE ? n : k) + random.nextInt(3);
                    int ldb = (opB == Op.NONE ? k : n) + random.nextInt(3);
                    double[] a = numbers((long) lda * (op == Op.NONE ? k : n));
                    double[] b = numbers((long) ldb * (opB == Op.NONE ? n : k));
                    agree("gemmt " + uplo + " " + op + " " + opB + " " + n + " " + k + " " + hermitian + " " + beta, a,
                            b, c, k, (leaf, pa, pb, pc) -> leaf.gemmt(uplo, op, opB, hermitian, n, k, 0.75, im(-0.5),
                                    pa, lda, pb, ldb, beta, betaIm, pc, ldc, 0, 0));
                }
                boolean turns = op == Op.CONJ_TRANS ? hermitian : op == Op.NONE || !hermitian;
                if (turns) {
                    int ld = (op == Op.NONE ? n : k) + random.nextInt(3);
                    double[] a = numbers((long) ld * (op == Op.NONE ? k : n));
                    double[] b = numbers((long) ld * (op == Op.NONE ? k : n));
                    agree("syr2k " + uplo + " " + op + " " + n + " " + k + " " + hermitian + " " + beta, a, b, c, 2 * k,
                            (leaf, pa, pb, pc) -> leaf.syr2k(uplo, op, hermitian, n, k, 0.75, im(-0.5), pa, ld, pb, ld,
                                    beta, betaIm, pc, ldc, 0, 0));
                    agree("whole syr2k " + uplo + " " + op + " " + n + " " + k + " " + hermitian + " " + beta, a, b, c,
                            2 * k, (leaf, pa, pb, pc) -> leaf.wholeSyr2k(uplo, op, hermitian, n, k, 0.75, im(-0.5), pa,
                                    ld, pb, ld, beta, betaIm, pc, ldc, 0, 0));
                    int first = random.nextInt(n);
                    int end = first + 1 + random.nextInt(n - first);
                    long[] whole = bits(a, b, c, (leaf, pa, pb, pc) -> leaf.wholeSyr2k(uplo, op, hermitian, n, k, 0.75,
                            im(-0.5), pa, ld, pb, ld, beta, 0, pc, ldc, 0, 0));
                    if (RankUpdates.beside(parts == 2, parts == 2 && hermitian && op != Op.NONE, n, k)) {
                        assertThat(bits(a, b, c, (leaf, pa, pb, pc) -> {
                            for (int[] columns : new int[][] {{0, first}, {first, end}, {end, n}}) {
                                if (columns[0] < columns[1]) {
                                    leaf.syr2kColumns(uplo, op, hermitian, n, columns[0], columns[1], k, 0.75, im(-0.5),
                                            pa, ld, pb, ld, beta, 0, pc, ldc, 0, 0);
                                }
                            }
                        })).as("columns %s %s %d %d %s %d %d, seed %d", uplo, op, n, k, hermitian, first, end, SEED)
                                .isEqualTo(whole);
                    }
                    boolean turned = hermitian && op != Op.NONE;
                    if (k > RankUpdates.most(parts == 2, turned, n)) {
                        Op second = op != Op.NONE ? Op.NONE : hermitian ? Op.CONJ_TRANS : Op.TRANS;
                        assertThat(bits(a, b, c,
                                (leaf, pa, pb, pc) -> leaf.syr2k(uplo, op, hermitian, n, k, 0.75, im(-0.5), pa, ld, pb,
                                        ld, beta, betaIm, pc, ldc, 0, 0)))
                                .as("syr2k %s %s %d %d %s, seed %d", uplo, op, n, k, hermitian, SEED)
                                .isEqualTo(bits(a, b, c, (leaf, pa, pb, pc) -> {
                                    leaf.gemmt(uplo, op, second, hermitian, n, k, 0.75, im(-0.5), pa, ld, pb, ld, beta,
                                            betaIm, pc, ldc, 0, 0);
                                    leaf.gemmt(uplo, op, second, hermitian, n, k, 0.75, im(hermitian ? 0.5 : -0.5), pb,
                                            ld, pa, ld, 1, 0, pc, ldc, 0, 0);
                                }));
                    }
                }
            }
        }
    }

    @Test
    void randomShapes() {
        int widest = 0;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("TriangleProductTest: " + e.getMessage());
        }
        Assumptions.assumeTrue(widest >= 256, "skipped: no assembled kernels here");
        for (int bits = 256; bits <= widest; bits *= 2) {
            start(8, 1, new AssembledDLeaf(AssembledKernels.real(bits, 8)), new DLeaf());
            start(4, 1, new AssembledSLeaf(AssembledKernels.real(bits, 4)), new SLeaf());
            start(8, 2, new AssembledZLeaf(AssembledKernels.complex(bits, 8)), new ZLeaf());
            start(4, 2, new AssembledCLeaf(AssembledKernels.complex(bits, 4)), new CLeaf());
        }
    }

    private void start(int bytes, int numbers, Leaf tested, Leaf reference) {
        size = bytes;
        parts = numbers;
        assembled = tested;
        portable = reference;
        for (int i = 0; i < 30; i++) {
            products(1 + random.nextInt(90), 1 + random.nextInt(40));
        }
        for (int n : new int[] {2, 15, 16, 17, (int) AssembledKernels.BOTH, (int) AssembledKernels.BOTH + 1}) {
            products(n, 5);
            products(n, 300);
        }
        products(300, 20);
        products(120, 9);
        products(70, 300);
    }
}
