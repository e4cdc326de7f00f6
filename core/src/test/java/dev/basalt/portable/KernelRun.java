package dev.basalt.portable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.util.Random;

/** One launch of a kernel on a batch of two random problems, for tests. Odd seeds fill with NaN and use pointer tables. */
final class KernelRun implements AutoCloseable {
    static final int COUNT = 2;
    static final BatchedKernels KERNELS = new BatchedKernels(new SLeaf(), new DLeaf(), new CLeaf(), new ZLeaf(), 16);

    final long seed;
    final Random random;
    final Launch l = new Launch();
    final boolean complex;
    final double filler;
    private final Arena arena = Arena.ofConfined();
    private final ElementType type;
    private final Batch[] batches = new Batch[7];

    KernelRun(Kernel kernel, ElementType type, long seed) {
        this.seed = seed;
        this.type = type;
        this.random = new Random(seed);
        this.complex = type.isComplex();
        this.filler = seed % 2 == 1 ? Double.NaN : 12345;
        l.reset(kernel, type, COUNT);
    }

    private Batch put(Operand operand, Batch batch) {
        for (int i = 0; i < 7; i++) {
            if (l.operand(i) == operand) {
                batches[i] = batch;
            }
        }
        return batch.into(operand);
    }

    Batch matrix(Operand operand, int m, int n) {
        // No two operands have the same leading dimension.
        int ld = m + (operand == l.a ? 1 : operand == l.b ? 2 : 3);
        return put(operand, Batch.matrix(arena, type, COUNT, seed % 2 == 1, filler, m, n, ld));
    }

    Batch band(Operand operand, int m, int n, int kl, int ku) {
        return put(operand, Batch.band(arena, type, COUNT, seed % 2 == 1, filler, m, n, kl, ku));
    }

    Batch packed(Operand operand, int n) {
        return put(operand, Batch.packed(arena, type, COUNT, seed % 2 == 1, filler, n, l.uplo));
    }

    Batch vector(Operand operand, int n, long inc) {
        return put(operand, Batch.vector(arena, type, COUNT, seed % 2 == 1, filler, n, inc));
    }

    Batch vector(Operand operand, ElementType elements, int n) {
        return put(operand, Batch.vector(arena, elements, COUNT, false, 0, n, 1));
    }

    Batch matrix(Operand operand, ElementType elements, int m, int n) {
        return put(operand, Batch.matrix(arena, elements, COUNT, seed % 2 == 1, filler, m, n, m + 2));
    }

    Batch vector(Operand operand, ElementType elements, int n, long inc) {
        return put(operand, Batch.vector(arena, elements, COUNT, seed % 2 == 1, filler, n, inc));
    }

    /** Scratch of some bytes. */
    void work(long bytes) {
        l.work = arena.allocate(bytes, 64).address();
        l.workBytes = bytes;
    }

    Mat random(int m, int n) {
        return Mat.random(random, m, n, complex);
    }

    /** A random matrix in each problem of a batch. */
    Mat[] fill(Batch batch, int m, int n) {
        Mat[] values = {random(m, n), random(m, n)};
        for (int i = 0; i < COUNT; i++) {
            batch.put(i, values[i]);
        }
        return values;
    }

    /** Sets alpha and beta; a real type has no imaginary parts. */
    void scalars(double[] parts) {
        l.alpha.set(parts[0], complex ? parts[1] : 0);
        l.beta.set(parts[2], complex ? parts[3] : 0);
    }

    boolean alphaIsZero() {
        return l.alpha.is(0);
    }

    boolean betaIsZero() {
        return l.beta.is(0);
    }

    /** alpha·product + beta·old. */
    Mat combine(Mat product, Mat old) {
        return product.times(l.alpha.re(), l.alpha.im()).plus(old.times(l.beta.re(), l.beta.im()));
    }

    void run() {
        KERNELS.run(l);
        for (Batch batch : batches) {
            assertThat(batch == null || batch.paddingIntact()).as("padding: %s", this).isTrue();
        }
    }

    void check(Batch batch, int problem, Mat expected, double tolerance) {
        Mat actual = batch.get(problem);
        double distance = actual.distance(expected);
        assertThat(distance)
                .as(() -> "problem " + problem + ", " + this + "\nexpected\n" + expected + "actual\n" + actual)
                .isLessThanOrEqualTo(tolerance);
    }

    void check(Batch batch, int problem, Mat expected) {
        check(batch, problem, expected, 0);
    }

    /** Rounding unit of the type. */
    double unit() {
        return type.real() == ElementType.F32 ? 0x1p-23 : 0x1p-52;
    }

    @Override
    public String toString() {
        return l.kernel + " " + l.type + " seed " + seed + " m " + l.m + " n " + l.n + " k " + l.k + " opA " + l.opA
                + " opB " + l.opB + " " + l.side + " " + l.uplo + " " + l.diag + " conj " + l.conjugated + " hermitian "
                + l.hermitian + " backward " + l.backward + " real " + l.real + " alpha " + l.alpha + " beta " + l.beta
                + " inc " + l.a.ld + " " + l.b.ld + " " + l.c.ld;
    }

    @Override
    public void close() {
        arena.close();
    }
}
