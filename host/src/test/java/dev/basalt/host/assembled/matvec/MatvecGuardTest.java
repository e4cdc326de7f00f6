package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.Guarded;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.engine.AssembledCLeaf;
import dev.basalt.host.engine.AssembledDLeaf;
import dev.basalt.host.engine.AssembledSLeaf;
import dev.basalt.host.engine.AssembledZLeaf;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Matrices and vectors by assembled kernels agree with the portable ones, with operands that end at the end of readable memory. */
class MatvecGuardTest {
    private static final long SEED = 20_251;

    private final Random random = new Random(SEED);
    private final Guarded guardA = new Guarded(4 << 20);
    private final Guarded guardX = new Guarded(2 << 20);
    private final Guarded guardY = new Guarded(2 << 20);
    private int bits;
    private int size;
    private boolean complex;
    private Leaf assembled;
    private Leaf portable;

    /** A call on a matrix and two vectors without gaps. */
    private interface Run {
        void on(Leaf leaf, long a, long x, long y);
    }

    private double get(long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    private long place(Guarded guard, long elements, double[] values) {
        long count = complex ? 2 * elements : elements;
        long at = guard.place(count * size);
        for (int i = 0; i < count; i++) {
            if (size == 8) {
                f64(at + i * 8L, values[i]);
            } else {
                f32(at + i * 4L, (float) values[i]);
            }
        }
        return at;
    }

    private double[] values(long at, long elements) {
        double[] result = new double[(int) (complex ? 2 * elements : elements)];
        for (int i = 0; i < result.length; i++) {
            result[i] = get(at + (long) i * size);
        }
        return result;
    }

    private double[] numbers(long elements) {
        double[] result = new double[(int) (complex ? 2 * elements : elements)];
        for (int i = 0; i < result.length; i++) {
            result[i] = (float) (random.nextDouble() * 2 - 1);
        }
        return result;
    }

    /** Runs a call by both and compares all that it may have written; {@code terms} is the length of sums. */
    private void agree(String what, long elements, double[] a, long nx, long ny, int terms, Run run) {
        double[] x = numbers(nx);
        double[] y = numbers(ny);
        double[][][] results = new double[2][][];
        for (int pass = 0; pass < 2; pass++) {
            long atA = place(guardA, elements, a);
            long atX = place(guardX, nx, x);
            long atY = place(guardY, ny, y);
            run.on(pass == 0 ? assembled : portable, atA, atX, atY);
            results[pass] = new double[][] {values(atA, elements), values(atX, nx), values(atY, ny)};
            assertThat(guardA.intact() && guardX.intact() && guardY.intact()).as(what).isTrue();
        }
        double tolerance = (size == 8 ? 0x1p-51 : 0x1p-22) * (terms + 4);
        for (int operand = 0; operand < 3; operand++) {
            for (int i = 0; i < results[0][operand].length; i++) {
                double found = results[0][operand][i];
                double expected = results[1][operand][i];
                boolean same = Double.isNaN(expected) && Double.isNaN(found);
                if (!same && !(Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected)))) {
                    assertThat(found).as("%s, %d bits, operand %d at %d, seed %d", what, bits, operand, i, SEED)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private interface Suite {
        void run();
    }

    private void everywhere(Suite suite) {
        int widest = 0;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("MatvecGuardTest: " + e.getMessage());
        }
        Assumptions.assumeTrue(widest >= 256, "skipped: no assembled kernels here");
        for (bits = 256; bits <= widest; bits *= 2) {
            start(8, false, new AssembledDLeaf(AssembledKernels.real(bits, 8)), new DLeaf());
            suite.run();
            start(4, false, new AssembledSLeaf(AssembledKernels.real(bits, 4)), new SLeaf());
            suite.run();
            start(8, true, new AssembledZLeaf(AssembledKernels.complex(bits, 8)), new ZLeaf());
            suite.run();
            start(4, true, new AssembledCLeaf(AssembledKernels.complex(bits, 4)), new CLeaf());
            suite.run();
        }
    }

    private void start(int bytes, boolean isComplex, Leaf tested, Leaf reference) {
        size = bytes;
        complex = isComplex;
        assembled = tested;
        portable = reference;
    }

    private void products(int m, int n) {
        int lda = m + random.nextInt(3);
        long elements = (long) lda * (n - 1) + m;
        double[] a = numbers(elements);
        for (Op op : Op.values()) {
            boolean plain = op == Op.NONE;
            double beta = random.nextInt(3) - 1;
            agree("gemv " + op + " " + m + "x" + n + " beta " + beta, elements, a, plain ? n : m, plain ? m : n,
                    plain ? n : m,
                    (leaf, pa, px, py) -> leaf.gemv(op, m, n, 0.75, -0.5, pa, lda, px, 1, beta, 0, py, 1));
        }
        for (int conj = 0; conj < 2; conj++) {
            boolean conjugate = conj == 1;
            agree("ger " + m + "x" + n, elements, a, m, n, 1,
                    (leaf, pa, px, py) -> leaf.ger(m, n, 0.75, -0.5, px, 1, py, 1, conjugate, pa, lda));
        }
    }

    @Test
    void productsOfAllSmallShapes() {
        everywhere(() -> {
            for (int m = 1; m <= 40; m++) {
                for (int n = 1; n <= 18; n++) {
                    products(m, n);
                }
            }
        });
    }

    /** Sizes on both sides of those where another kernel takes over, and where matrices are cut. */
    @Test
    void productsOfLargerShapes() {
        int[][] shapes = {
                {63, 65},
                {71, 73},
                {127, 129},
                {257, 40},
                {300, 17},
                {1023, 9},
                {1500, 21},
                {8193, 5},
                {16500, 3},
                {3, 1200},
                {17, 1100},
                {130, 517}};
        everywhere(() -> {
            for (int[] shape : shapes) {
                products(shape[0], shape[1]);
            }
        });
    }

    /** A matrix of order n with NaN in the triangle that must not be read. */
    private double[] triangle(int n, int lda, Uplo uplo) {
        double[] a = numbers((long) lda * (n - 1) + n);
        int parts = complex ? 2 : 1;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                if (uplo == Uplo.LOWER ? i < j : i > j) {
                    Arrays.fill(a, (i + j * lda) * parts, (i + j * lda + 1) * parts, Double.NaN);
                }
            }
        }
        return a;
    }

    private void symmetric(int n) {
        int lda = n + random.nextInt(3);
        for (Uplo uplo : Uplo.values()) {
            for (int hermitian = 0; hermitian < 2; hermitian++) {
                boolean h = hermitian == 1;
                double beta = random.nextInt(3) - 1;
                double[] a = triangle(n, lda, uplo);
                agree("symv " + uplo + " " + h + " " + n, (long) lda * (n - 1) + n, a, n, n, 2 * n,
                        (leaf, pa, px, py) -> leaf.symv(uplo, h, n, 0.75, -0.5, pa, lda, px, 1, beta, 0, py, 1));
            }
        }
    }

    @Test
    void symmetricMatrices() {
        everywhere(() -> {
            for (int n = 1; n <= 70; n++) {
                symmetric(n);
            }
            symmetric(101);
            symmetric(203);
            symmetric(350);
        });
    }

    /** 0·∞ must not turn up where a triangle is cut out of a square. */
    @Test
    void infinityStaysInfinity() {
        everywhere(() -> {
            for (int n = 1; n <= 20; n++) {
                for (Uplo uplo : Uplo.values()) {
                    double[] a = triangle(n, n, uplo);
                    double[] x = numbers(n);
                    Arrays.fill(x, 1);
                    x[(n - 1) * (complex ? 2 : 1)] = Double.POSITIVE_INFINITY;
                    double[][] results = new double[2][];
                    for (int pass = 0; pass < 2; pass++) {
                        long pa = place(guardA, (long) n * n, a);
                        long px = place(guardX, n, x);
                        long py = place(guardY, n, numbers(n));
                        (pass == 0 ? assembled : portable).symv(uplo, true, n, 1, 0, pa, n, px, 1, 0, 0, py, 1);
                        results[pass] = values(py, n);
                    }
                    for (int i = 0; !complex && i < n; i++) {
                        assertThat(results[0][i]).as("%s %d at %d", uplo, n, i).isEqualTo(results[1][i]);
                        assertThat(results[0][i]).isInfinite();
                    }
                }
            }
        });
    }

    /** Vectors too long for one piece, if pieces are short. */
    @Test
    void pieces() {
        everywhere(() -> {
            Isa isa = bits == 512 ? Isa.AVX512 : Isa.AVX2;
            Matvec short512 = new Matvec(new Shape(isa, size == 8 ? Real.F64 : Real.F32), complex, 512);
            Leaf reference = portable;
            for (int n : new int[] {65, 129, 200, 333}) {
                double[] a = numbers((long) n * n);
                for (Op op : Op.values()) {
                    agree("gemv in pieces " + op + " " + n, (long) n * n, a, n, n, n, (leaf, pa, px, py) -> {
                        if (leaf == reference) {
                            leaf.gemv(op, n, n, 0.75, -0.5, pa, n, px, 1, 0, 0, py, 1);
                        } else {
                            short512.gemv(op, true, n, n, 0.75, -0.5, pa, n, px, py);
                        }
                    });
                }
                agree("ger in pieces " + n, (long) n * n, a, n, n, 1, (leaf, pa, px, py) -> {
                    if (leaf == reference) {
                        leaf.ger(n, n, 0.75, -0.5, px, 1, py, 1, true, pa, n);
                    } else {
                        short512.ger(true, n, n, 0.75, -0.5, px, py, pa, n);
                    }
                });
                for (Uplo uplo : Uplo.values()) {
                    double[] t = triangle(n, n, uplo);
                    agree("symv in pieces " + uplo + " " + n, (long) n * n, t, n, n, 2 * n, (leaf, pa, px, py) -> {
                        if (leaf == reference) {
                            leaf.symv(uplo, true, n, 0.75, -0.5, pa, n, px, 1, 1, 0, py, 1);
                        } else {
                            short512.symv(uplo, true, n, 0.75, -0.5, pa, n, px, py);
                        }
                    });
                }
            }
        });
    }

    /** As {@link #triangle}, with a diagonal that keeps solutions small. */
    private double[] dominant(int n, int lda, Uplo uplo) {
        double[] a = triangle(n, lda, uplo);
        int parts = complex ? 2 : 1;
        for (int i = 0; i < a.length; i++) {
            a[i] /= 16;
        }
        for (int i = 0; i < n; i++) {
            a[i * (lda + 1) * parts] = i % 2 == 0 ? 1.75 : -1.5;
        }
        return a;
    }

    private void triangles(int n) {
        int lda = n + random.nextInt(3);
        long elements = (long) lda * (n - 1) + n;
        for (Uplo uplo : Uplo.values()) {
            double[] a = dominant(n, lda, uplo);
            for (Op op : Op.values()) {
                for (Diag diag : Diag.values()) {
                    String what = uplo + " " + op + " " + diag + " " + n;
                    agree("trmv " + what, elements, a, n, 1, n,
                            (leaf, pa, px, py) -> leaf.trmv(uplo, op, diag, n, pa, lda, px, 1));
                    agree("trsv " + what, elements, a, n, 1, 4 * n,
                            (leaf, pa, px, py) -> leaf.trsv(uplo, op, diag, n, pa, lda, px, 1));
                }
            }
        }
    }

    @Test
    void triangularMatrices() {
        everywhere(() -> {
            for (int n = 1; n <= 50; n++) {
                triangles(n);
            }
            triangles(101);
            triangles(300);
        });
    }

    /** Where the reciprocal of a pivot overflows, or a pivot is 0 or no number, the quotients are what they are. */
    @Test
    void pivotsWithoutReciprocals() {
        double[] pivots = {0, Double.NaN, Double.POSITIVE_INFINITY, 1};
        everywhere(() -> {
            double tiny = size == 8 ? 0x1p-1060 : 0x1p-140;
            for (int n : new int[] {1, 5, 8, 13, 24, 29, 61}) {
                for (int at = 0; at < n; at += 1 + n / 9) {
                    for (double pivot : pivots) {
                        pivots(n, at, pivot, 1);
                    }
                    pivots(n, at, tiny, tiny);
                }
            }
        });
    }

    private void pivots(int n, int at, double pivot, double scale) {
        for (Uplo uplo : Uplo.values()) {
            for (Op op : Op.values()) {
                double[] a = dominant(n, n, uplo);
                int parts = complex ? 2 : 1;
                a[at * (n + 1) * parts] = pivot;
                if (complex) {
                    a[at * (n + 1) * 2 + 1] = 0;
                }
                double[] b = numbers(n);
                boolean lower = (uplo == Uplo.LOWER) == (op == Op.NONE);
                for (int i = 0; i < n; i++) {
                    boolean before = lower ? i < at : i > at;
                    for (int p = 0; p < parts; p++) {
                        // Nothing comes to the right-hand side of a tiny pivot but tiny numbers.
                        b[parts * i + p] *= before && scale != 1 ? 0 : i == at ? scale : 1;
                    }
                }
                double[][] results = new double[2][];
                for (int pass = 0; pass < 2; pass++) {
                    long pa = place(guardA, (long) n * n, a);
                    long px = place(guardX, n, b);
                    (pass == 0 ? assembled : portable).trsv(uplo, op, Diag.NON_UNIT, n, pa, n, px, 1);
                    results[pass] = values(px, n);
                }
                for (int i = 0; i < n * parts; i++) {
                    double found = results[0][i];
                    double expected = results[1][i];
                    // Which parts of complex numbers become infinite and which NaN depends on the order of operations.
                    boolean same = complex && !Double.isFinite(expected) ? !Double.isFinite(found)
                            : Double.isNaN(expected) ? Double.isNaN(found)
                            : found == expected;
                    double tolerance = 4 * (n + 4) * (size == 8 ? 0x1p-51 : 0x1p-22);
                    if (!same && !(Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected)))) {
                        assertThat(found).as("%s %s %d, pivot %s at %d, unknown %d", uplo, op, n, pivot, at, i)
                                .isEqualTo(expected);
                    }
                }
            }
        }
    }

    @Test
    void triangularPieces() {
        everywhere(() -> {
            Isa isa = bits == 512 ? Isa.AVX512 : Isa.AVX2;
            Matvec pieces = new Matvec(new Shape(isa, size == 8 ? Real.F64 : Real.F32), complex);
            Leaf reference = portable;
            // More columns than one call takes.
            int n = (size == 8 ? 603 : 805) / (complex ? 2 : 1);
            for (Uplo uplo : Uplo.values()) {
                double[] a = dominant(n, n, uplo);
                for (int i = 0; i < a.length; i++) {
                    a[i] /= i / (complex ? 2 : 1) % (n + 1) == 0 ? 1 : 16;
                }
                for (Op op : Op.values()) {
                    agree("trmv in pieces " + uplo + op, (long) n * n, a, n, 1, n, (leaf, pa, px, py) -> {
                        if (leaf == reference) {
                            leaf.trmv(uplo, op, Diag.NON_UNIT, n, pa, n, px, 1);
                        } else {
                            pieces.trmv(uplo, op, Diag.NON_UNIT, n, pa, n, px);
                        }
                    });
                    agree("trsv in pieces " + uplo + op, (long) n * n, a, n, 1, 4 * n, (leaf, pa, px, py) -> {
                        if (leaf == reference) {
                            leaf.trsv(uplo, op, Diag.NON_UNIT, n, pa, n, px, 1);
                        } else {
                            assertThat(pieces.trsv(uplo, op, Diag.NON_UNIT, n, pa, n, px)).isZero();
                        }
                    });
                }
            }
        });
    }
}
