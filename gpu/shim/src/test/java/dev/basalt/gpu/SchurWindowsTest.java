package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.BulgeWindows;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Schur;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Schur forms of large matrices, in which windows are worked on by one block and the rest by all: other shifts than those of the portable kernels, so what they make is held to what it is to be. */
class SchurWindowsTest {
    private static final long SEED = Seed.OF_RUN;
    private static final int N = 172;
    private static final int GAP = 2;
    private static final int THREADS = 512;

    private final Launch l = new Launch();
    private int parts;

    @ParameterizedTest
    @EnumSource(value = ElementType.class, names = {"F32", "F64", "C32", "C64"})
    void vectorsTakeTheMatrixToItsForm(ElementType type) {
        if (Shim.ABSENT != null) {
            System.out.println("skipped: " + Shim.ABSENT);
        }
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
        double unit = type.real() == ElementType.F64 ? 0x1p-52 : 0x1p-23;
        parts = type.isComplex() ? 2 : 1;
        Random r = new Random(SEED);
        try (Arena arena = Arena.ofConfined()) {
            lay(type, arena, r);
            double[] given = dense(l.c.at(0), l.c.ld, type);
            double[] squared = multiply(given, given, false);
            double[] kept = given.clone();
            MemorySegment arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5);
            MemorySegment sync = arena.allocate(Launcher.SYNC_BYTES, 64);
            Shim shim = new Shim();
            // Fewer threads: fibers that have nothing to do take time, too.
            Functions<Boolean> few = (f, x, y, z, threads, shared, at, channel) -> shim.launch(f, x, y, z,
                    Math.min(THREADS, threads), shared, at, channel);
            new Launcher<>(few, 3).run(l, arguments.address(), sync.address(), r.nextBoolean());
            assertThat(Memory.i32(l.e.at(0))).as("seed %d", SEED).isZero();
            assertThat(Memory.i32(sync.address())).isZero();
            assertThat(Memory.i32(sync.address() + 4)).isZero();
            double[] form = dense(l.c.at(0), l.c.ld, type);
            double[] vectors = dense(l.d.at(0), l.d.ld, type);
            double[] product = multiply(vectors, form, false);
            double[] other = multiply(given, vectors, false);
            double[] square = multiply(vectors, vectors, true);
            double difference = 0;
            double bend = 0;
            for (int e = 0; e < product.length; e++) {
                difference = Math.max(difference, Math.abs(product[e] - other[e]));
                boolean one = e % parts == 0 && e / parts % N == e / parts / N;
                bend = Math.max(bend, Math.abs(square[e] - (one ? 1 : 0)));
            }
            assertThat(difference).as("residual, seed %d", SEED).isLessThan(20 * N * unit);
            assertThat(bend).as("orthogonality, seed %d", SEED).isLessThan(4 * N * unit);
            values(form, type, unit);
            // The same without vectors, of which the sums of the eigenvalues and of their squares are known.
            for (int e = 0; e < kept.length; e++) {
                Trial.set(type, l.c.at(0), e % (parts * N) + (long) e / (parts * N) * parts * l.c.ld, kept[e]);
            }
            l.job = Schur.EIGENVALUES;
            l.d.clear();
            new Launcher<>(few, 3).run(l, arguments.address(), sync.address(), r.nextBoolean());
            assertThat(Memory.i32(l.e.at(0))).as("seed %d", SEED).isZero();
            sums(type, kept, squared, unit);
        }
    }

    private void sums(ElementType type, double[] given, double[] squared, double unit) {
        double[] sum = new double[4];
        for (int j = 0; j < N; j++) {
            double re = Trial.get(type, l.a.at(0), (long) parts * j);
            double im = Trial.get(type, parts == 2 ? l.a.at(0) : l.b.at(0), parts == 2 ? 2L * j + 1 : j);
            int e = parts * j * (N + 1);
            sum[0] += re - given[e];
            sum[1] += im - (parts == 2 ? given[e + 1] : 0);
            sum[2] += re * re - im * im - squared[e];
            sum[3] += 2 * re * im - (parts == 2 ? squared[e + 1] : 0);
        }
        for (double x : sum) {
            assertThat(Math.abs(x)).as("sums, seed %d", SEED).isLessThan(20 * N * unit);
        }
    }

    private void lay(ElementType type, Arena arena, Random r) {
        l.reset(Kernel.HSEQR, type, 1);
        l.n = N;
        l.p = 0;
        l.q = N;
        l.job = Schur.SCHUR;
        long ld = N + GAP;
        long bytes = type.bytes();
        l.a.vector(type, arena.allocate(N * bytes, 64).address(), N, 1, N);
        if (parts == 1) {
            l.b.vector(type, arena.allocate(N * bytes, 64).address(), N, 1, N);
        }
        l.c.matrix(type, arena.allocate(ld * N * bytes, 64).address(), N, N, ld, ld * N);
        l.d.matrix(type, arena.allocate(ld * N * bytes, 64).address(), N, N, ld, ld * N);
        l.e.vector(ElementType.I32, arena.allocate(4, 64).address(), 1, 1, 1);
        long elements = BulgeWindows.elements(N, type.isComplex());
        l.g.vector(type, arena.allocate(elements * bytes, 64).address(), elements, 1, elements);
        for (long j = 0; j < N; j++) {
            for (long i = 0; i < parts * Math.min(N, j + 2); i++) {
                Trial.set(type, l.c.at(0), i + parts * j * ld, r.nextGaussian() / Math.sqrt(N));
            }
            Trial.set(type, l.d.at(0), parts * j * (ld + 1), 1);
        }
    }

    private double[] dense(long at, long ld, ElementType type) {
        double[] x = new double[parts * N * N];
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < parts * N; i++) {
                x[i + parts * N * j] = Trial.get(type, at, i + parts * ld * j);
            }
        }
        return x;
    }

    /** a·b, or aᴴ·b. */
    private double[] multiply(double[] a, double[] b, boolean turned) {
        double[] c = new double[parts * N * N];
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                double re = 0;
                double im = 0;
                for (int k = 0; k < N; k++) {
                    int x = parts * (turned ? k + i * N : i + k * N);
                    int y = parts * (k + j * N);
                    double xIm = parts == 1 ? 0 : turned ? -a[x + 1] : a[x + 1];
                    double yIm = parts == 1 ? 0 : b[y + 1];
                    re += a[x] * b[y] - xIm * yIm;
                    im += a[x] * yIm + xIm * b[y];
                }
                c[parts * (i + j * N)] = re;
                if (parts == 2) {
                    c[parts * (i + j * N) + 1] = im;
                }
            }
        }
        return c;
    }

    /** The form is triangular, but for pairs, and has the eigenvalues on its diagonal. */
    private void values(double[] form, ElementType type, double unit) {
        boolean before = false;
        for (int j = 0; j < N; j++) {
            for (int i = j + 1; i < N; i++) {
                int e = parts * (i + j * N);
                if (i > j + 1 || parts == 2 || before) {
                    assertThat(form[e]).as("element %d %d, seed %d", i, j, SEED).isZero();
                }
            }
            before = parts == 1 && j + 1 < N && form[j + 1 + j * N] != 0;
            for (int q = 0; q < parts; q++) {
                double value = Trial.get(type, l.a.at(0), (long) parts * j + q);
                assertThat(Math.abs(value - form[parts * j * (N + 1) + q])).as("eigenvalue %d", j).isLessThan(N * unit);
            }
        }
    }
}
