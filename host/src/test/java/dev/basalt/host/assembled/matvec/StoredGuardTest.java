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
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * Bands and stored triangles by assembled kernels agree with the portable ones. What is not stored is NaN, and operands end at the end of readable
 * memory, or begin at its beginning.
 */
class StoredGuardTest {
    private static final long SEED = 20_252;

    private final Random random = new Random(SEED);
    private final Guarded guardA = new Guarded(8 << 20);
    private final Guarded guardX = new Guarded(1 << 20);
    private final Guarded guardY = new Guarded(1 << 20);
    private int bits;
    private int size;
    private int parts;
    private Leaf assembled;
    private Leaf portable;

    private interface Suite {
        void run();
    }

    private interface Run {
        void on(Leaf leaf, long a, long x, long y);
    }

    private void everywhere(Suite suite) {
        int widest = 0;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("StoredGuardTest: " + e.getMessage());
        }
        Assumptions.assumeTrue(widest >= 256, "skipped: no assembled kernels here");
        for (bits = 256; bits <= widest; bits *= 2) {
            start(8, 1, new AssembledDLeaf(AssembledKernels.real(bits, 8)), new DLeaf());
            suite.run();
            start(4, 1, new AssembledSLeaf(AssembledKernels.real(bits, 4)), new SLeaf());
            suite.run();
            start(8, 2, new AssembledZLeaf(AssembledKernels.complex(bits, 8)), new ZLeaf());
            suite.run();
            start(4, 2, new AssembledCLeaf(AssembledKernels.complex(bits, 4)), new CLeaf());
            suite.run();
        }
    }

    private void start(int bytes, int numbers, Leaf tested, Leaf reference) {
        size = bytes;
        parts = numbers;
        assembled = tested;
        portable = reference;
    }

    private double[] values(long at, int count) {
        double[] result = new double[count];
        for (int i = 0; i < count; i++) {
            result[i] = size == 8 ? f64(at + i * 8L) : f32(at + i * 4L);
        }
        return result;
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

    private double[] nans(long elements) {
        double[] result = numbers(elements);
        Arrays.fill(result, Double.NaN);
        return result;
    }

    private double[] vector(int n, int inc) {
        return numbers(n == 0 ? 0 : 1 + (long) (n - 1) * Math.abs(inc));
    }

    /** Where element 0 is. */
    private long first(long at, int n, int inc) {
        return inc < 0 ? at + (long) (n - 1) * -inc * parts * size : at;
    }

    private int increment() {
        return random.nextInt(2) == 0 ? 1 : new int[] {-2, -1, 2}[random.nextInt(3)];
    }

    private void agree(String what, double[] a, double[] x, double[] y, int terms, Run run) {
        double[][][] results = new double[2][][];
        for (int pass = 0; pass < 2; pass++) {
            long atA = guardA.place(a, size);
            long atX = guardX.place(x, size);
            long atY = guardY.place(y, size);
            run.on(pass == 0 ? assembled : portable, atA, atX, atY);
            results[pass] = new double[][] {values(atA, a.length), values(atX, x.length), values(atY, y.length)};
            assertThat(guardA.intact() && guardX.intact() && guardY.intact()).as(what).isTrue();
        }
        double tolerance = (size == 8 ? 0x1p-51 : 0x1p-22) * (terms + 4);
        for (int operand = 0; operand < 3; operand++) {
            for (int i = 0; i < results[0][operand].length; i++) {
                double found = results[0][operand][i];
                double expected = results[1][operand][i];
                boolean same = Double.isNaN(expected) && Double.isNaN(found);
                if (!same && !(Math.abs(found - expected) <= tolerance * Math.max(1, Math.abs(expected)))) {
                    assertThat(found)
                            .as("%s, %d bits, %d bytes, operand %d at %d, seed %d", what, bits, size, operand, i, SEED)
                            .isEqualTo(expected);
                }
            }
        }
    }

    private void band(int m, int n) {
        band(m, n, m + 3, n + 3);
    }

    /** Less diagonals than that below the main one and above it. */
    private void band(int m, int n, int mostBelow, int mostAbove) {
        int below = random.nextInt(mostBelow);
        int above = random.nextInt(mostAbove);
        // A block beside the diagonal of a larger band.
        int shift = random.nextInt(3) > 0 ? 0 : random.nextInt(below + above + 2) - below;
        int kl = below + shift;
        int ku = above - shift;
        int lda = kl + ku + 1 + random.nextInt(3);
        double[] a = nans((long) lda * (n - 1) + kl + ku + 1);
        for (int j = 0; j < n; j++) {
            for (int i = Math.max(0, j - ku); i < Math.min(m, j + kl + 1); i++) {
                System.arraycopy(numbers(1), 0, a, (ku + i - j + j * lda) * parts, parts);
            }
        }
        for (Op op : Op.values()) {
            int incx = increment();
            int incy = increment();
            int nx = op == Op.NONE ? n : m;
            int ny = op == Op.NONE ? m : n;
            double beta = random.nextInt(3) - 1;
            double[] y = beta == 0 ? nans(1 + (long) (ny - 1) * Math.abs(incy)) : vector(ny, incy);
            agree("gbmv " + op + " " + m + "x" + n + " " + kl + " " + ku + " inc " + incx + " " + incy + " beta "
                    + beta, a, vector(nx, incx), y, m + n,
                    (leaf, pa, px, py) -> leaf.gbmv(op, m, n, kl, ku, 0.75, im(-0.5), pa, lda, first(px, nx, incx),
                            incx, beta, im(0.25 * beta), first(py, ny, incy), incy));
        }
    }

    @Test
    void bands() {
        everywhere(() -> {
            for (int i = 0; i < 300; i++) {
                band(1 + random.nextInt(70), 1 + random.nextInt(70));
            }
            for (int i = 0; i < 150; i++) {
                band(1 + random.nextInt(40), 1 + random.nextInt(40), 9, 9);
            }
            band(300, 400);
            band(450, 160);
        });
    }

    /** A triangle: how it is stored, and its numbers with NaN where nothing is. */
    private final class Triangle {
        final Uplo uplo = Uplo.values()[random.nextInt(2)];
        final boolean upper = uplo == Uplo.UPPER;
        final int n;
        final int k;
        final int step;
        final int growth;
        /** Elements before that with indices (0, 0), or where it would be. */
        final int before;

        final double[] a;

        Triangle(int n, int storage) {
            this.n = n;
            if (storage == 0) {
                k = random.nextInt(random.nextBoolean() ? n + 2 : 10);
                step = k + random.nextInt(3);
                growth = 0;
                before = upper ? k : 0;
                a = nans((long) (step + 1) * (n - 1) + k + 1);
            } else if (storage == 1) {
                k = n;
                step = upper ? 1 : n - 1;
                growth = upper ? 1 : -1;
                before = 0;
                a = nans((long) n * (n + 1) / 2);
            } else {
                k = n;
                step = n + random.nextInt(3);
                growth = 0;
                before = 0;
                a = nans((long) step * (n - 1) + n);
            }
            for (int j = 0; j < n; j++) {
                for (int i = upper ? Math.max(0, j - k) : j; i <= (upper ? j : Math.min(n - 1, j + k)); i++) {
                    System.arraycopy(numbers(1), 0, a, at(i, j) * parts, parts);
                }
            }
        }

        int at(int i, int j) {
            return before + i + step * j + growth * (j * (j - 1) / 2);
        }

        long address(long start) {
            return start + (long) before * parts * size;
        }

        /** A diagonal that keeps solutions small. */
        void dominate() {
            for (int i = 0; i < a.length; i++) {
                a[i] /= n;
            }
            for (int i = 0; i < n; i++) {
                a[at(i, i) * parts] = i % 2 == 0 ? 1.75 : -1.5;
            }
        }

        @Override
        public String toString() {
            return uplo + " n " + n + " k " + k + " step " + step + " growth " + growth;
        }
    }

    private void symmetric(int n, int storage) {
        Triangle t = new Triangle(n, storage);
        int incx = increment();
        int incy = increment();
        boolean hermitian = random.nextBoolean();
        double beta = random.nextInt(3) - 1;
        double[] y = beta == 0 ? nans(1 + (long) (n - 1) * Math.abs(incy)) : vector(n, incy);
        for (int i = 0; hermitian && parts == 2 && i < n; i++) {
            t.a[t.at(i, i) * 2 + 1] = Double.NaN;
        }
        agree("symv " + t + " inc " + incx + " " + incy + " hermitian " + hermitian + " beta " + beta, t.a,
                vector(n, incx), y, 2 * n,
                (leaf, pa, px, py) -> leaf.symvStored(t.uplo, hermitian, n, t.k, 0.75, im(-0.5), t.address(pa), t.step,
                        t.growth, first(px, n, incx), incx, beta, im(0.25 * beta), first(py, n, incy), incy));
        if (storage == 0) {
            return;
        }
        int from = random.nextInt(2) * random.nextInt(n);
        int to = random.nextBoolean() ? n : from + random.nextInt(n - from + 1);
        agree("syr " + t + " inc " + incx + " hermitian " + hermitian, t.a, vector(n, incx), new double[0], 4,
                (leaf, pa, px, py) -> leaf.syr(t.uplo, hermitian, n, from, to, 0.75, im(-0.5), first(px, n, incx), incx,
                        t.address(pa), t.step, t.growth));
        agree("syr2 " + t + " inc " + incx + " " + incy + " hermitian " + hermitian, t.a, vector(n, incx),
                vector(n, incy), 4, (leaf, pa, px, py) -> leaf.syr2(t.uplo, hermitian, n, from, to, 0.75, im(-0.5),
                        first(px, n, incx), incx, first(py, n, incy), incy, t.address(pa), t.step, t.growth));
    }

    private void triangular(int n, int storage) {
        Triangle t = new Triangle(n, storage);
        int incx = increment();
        t.dominate();
        for (Op op : Op.values()) {
            for (Diag diag : Diag.values()) {
                double[] a = t.a.clone();
                for (int i = 0; diag == Diag.UNIT && i < n; i++) {
                    Arrays.fill(a, t.at(i, i) * parts, (t.at(i, i) + 1) * parts, Double.NaN);
                }
                String what = t + " " + op + " " + diag + " inc " + incx;
                agree("trmv " + what, a, vector(n, incx), new double[0], n,
                        (leaf, pa, px, py) -> leaf.trmvStored(t.uplo, op, diag, n, t.k, t.address(pa), t.step, t.growth,
                                first(px, n, incx), incx));
                agree("trsv " + what, a, vector(n, incx), new double[0], 8 * n,
                        (leaf, pa, px, py) -> leaf.trsvStored(t.uplo, op, diag, n, t.k, t.address(pa), t.step, t.growth,
                                first(px, n, incx), incx));
            }
        }
    }

    @Test
    void triangles() {
        everywhere(() -> {
            for (int storage = 0; storage < 3; storage++) {
                for (int i = 0; i < 100; i++) {
                    symmetric(1 + random.nextInt(90), storage);
                    triangular(1 + random.nextInt(90), storage);
                }
                // Packed complex products go by panels from here on.
                for (int n = 300; n < 312; n++) {
                    symmetric(n, storage);
                }
                symmetric(450, storage);
                triangular(450, storage);
            }
        });
    }

    /** Where the reciprocal of a pivot overflows, or a pivot is 0 or no number, the quotients are what they are. */
    @Test
    void pivotsWithoutReciprocals() {
        everywhere(() -> {
            if (parts == 2) {
                return;
            }
            double tiny = size == 8 ? 0x1p-1060 : 0x1p-140;
            for (int i = 0; i < 200; i++) {
                Triangle t = new Triangle(1 + random.nextInt(60), i % 2);
                t.dominate();
                int at = random.nextInt(t.n);
                pivot(t, at, new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}[i % 3], 1);
                pivot(t, at, tiny, tiny);
            }
        });
    }

    private void pivot(Triangle t, int at, double pivot, double scale) {
        double[] a = t.a.clone();
        a[t.at(at, at)] = pivot;
        for (Op op : Op.values()) {
            double[] x = vector(t.n, 1);
            boolean lower = t.upper != (op == Op.NONE);
            for (int i = 0; i < t.n; i++) {
                boolean before = lower ? i < at : i > at;
                // Nothing comes to the right-hand side of a tiny pivot but tiny numbers.
                x[i] *= before && scale != 1 ? 0 : i == at ? scale : 1;
            }
            agree("trsv " + t + " " + op + " pivot " + pivot + " at " + at, a, x, new double[0], 8 * t.n,
                    (leaf, pa, px, py) -> leaf.trsvStored(t.uplo, op, Diag.NON_UNIT, t.n, t.k, t.address(pa), t.step,
                            t.growth, px, 1));
        }
    }

    /** Long columns of what is updated begin with parts of a vector, up to where the next vector is aligned: an element's bits are those of any other part. */
    @Test
    void placesKeepBits() {
        everywhere(() -> {
            for (Uplo uplo : Uplo.values()) {
                for (int growth = -1; growth < 2; growth++) {
                    if (growth == 0 || growth == (uplo == Uplo.UPPER ? 1 : -1)) {
                        place(uplo, growth);
                    }
                }
            }
        });
    }

    private void place(Uplo uplo, int growth) {
        int n = 90;
        int step = growth == 0 ? n + 1 : growth > 0 ? 1 : n - 1;
        double[] a = numbers(growth == 0 ? (long) step * n : (long) n * (n + 1) / 2);
        long px = guardX.place(vector(n, 1), size);
        long py = guardY.place(vector(n, 1), size);
        double[][] first = new double[2][];
        // Operands end at the end of a page; others behind them move them by an element.
        for (int behind = 0; behind < 2 * 64 / size / parts; behind++) {
            double[] longer = Arrays.copyOf(a, a.length + behind * parts);
            for (int two = 0; two < 2; two++) {
                long pa = guardA.place(longer, size);
                if (two == 0) {
                    assembled.syr(uplo, false, n, 0, n, 0.75, im(-0.5), px, 1, pa, step, growth);
                } else {
                    assembled.syr2(uplo, false, n, 0, n, 0.75, im(-0.5), px, 1, py, 1, pa, step, growth);
                }
                double[] found = values(pa, a.length);
                first[two] = behind == 0 ? found : first[two];
                assertThat(found).as("%s growth %d, %d behind, two %d", uplo, growth, behind, two)
                        .isEqualTo(first[two]);
            }
        }
    }

    /** Whoever cuts a band by rows, or by columns where it is transposed, gets the same bits. */
    @Test
    void cutsKeepBits() {
        everywhere(() -> {
            for (int inc = 1; inc < 3; inc++) {
                for (Op op : Op.values()) {
                    cut(op, inc, 30);
                    cut(op, inc, 3);
                    cut(op, inc, 100);
                }
            }
        });
    }

    private void cut(Op op, int inc, int k) {
        int n = 150;
        int lda = 2 * k + 1;
        boolean plain = op == Op.NONE;
        double[] x = vector(n, inc);
        double[] y = vector(n, inc);
        long pa = guardA.place(numbers((long) lda * n), size);
        long px = guardX.place(x, size);
        double[][] results = new double[2][];
        for (int pass = 0; pass < 2; pass++) {
            long py = guardY.place(y, size);
            int[] ends = pass == 0 ? new int[] {0, n} : new int[] {0, 48, 112, n};
            for (int p = 1; p < ends.length; p++) {
                int from = ends[p - 1];
                int part = ends[p] - from;
                long element = (long) parts * size;
                long to = py + from * inc * element;
                if (plain) {
                    // Row 0 moves down: fewer diagonals are below its main one and more above.
                    assembled.gbmv(op, part, n, k - from, k + from, 0.75, im(-0.5), pa, lda, px, inc, 1, 0, to, inc);
                } else {
                    long a = pa + (long) from * lda * element;
                    assembled.gbmv(op, n, part, k + from, k - from, 0.75, im(-0.5), a, lda, px, inc, 1, 0, to, inc);
                }
            }
            results[pass] = values(py, y.length);
        }
        assertThat(results[1]).as("%s inc %d, %d diagonals", op, inc, k).isEqualTo(results[0]);
    }
}
