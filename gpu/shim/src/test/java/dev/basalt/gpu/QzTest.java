package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Selection;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Schur forms of pairs of which the second is singular: roundings decide in which order eigenvalues are found, so what is made is held to what it is to be. */
class QzTest {
    private static final long SEED = Seed.OF_RUN;
    private static final int N = 26;
    private static final int LD = N + 3;
    private static final int THREADS = 64;

    private final Launch l = new Launch();
    private ElementType type;
    private int parts;
    private Arena arena;
    private double unit;

    /** A few in a usual run: each takes as long as some hundred launches of other kernels. */
    static Stream<Object[]> pencils() {
        Stream<Object[]> usual = Stream.of(of(ElementType.F32, 2), of(ElementType.F64, 0), of(ElementType.F64, 26),
                of(ElementType.C32, 0), of(ElementType.C64, 2));
        return !Boolean.getBoolean("basalt.test.long")
                ? usual
                : Stream.of(ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64)
                        .flatMap(type -> Stream.of(0, 2, 26).map(zeros -> of(type, zeros)));
    }

    private static Object[] of(ElementType type, int zeros) {
        return new Object[] {type, zeros};
    }

    @ParameterizedTest
    @MethodSource("pencils")
    void vectorsTakeBothMatricesToTheirForms(ElementType element, int zeros) {
        if (Shim.ABSENT != null) {
            System.out.println("skipped: " + Shim.ABSENT);
        }
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
        type = element;
        parts = type.isComplex() ? 2 : 1;
        unit = type.real() == ElementType.F64 ? 0x1p-52 : 0x1p-23;
        Random r = new Random(SEED);
        try (Arena memory = Arena.ofConfined()) {
            arena = memory;
            l.reset(Kernel.QZ, type, 1);
            l.n = N;
            l.a.vector(type, take(N), N, 1, N);
            l.b.vector(type, take(1), 1, 1, 1);
            for (Operand o : new Operand[] {l.c, l.d, l.f, l.g}) {
                o.matrix(type, take(LD * N), N, N, LD, (long) LD * N);
            }
            l.e.vector(ElementType.I32, take(1), 1, 1, 1);
            for (int j = 0; j < N; j++) {
                for (int i = 0; i < parts * N; i++) {
                    Trial.set(type, l.c.at(0), i + (long) parts * LD * j, r.nextGaussian() / Math.sqrt(N));
                    // Columns of zeros in the middle.
                    boolean none = Math.abs(2 * j - N + 1) < zeros;
                    Trial.set(type, l.d.at(0), i + (long) parts * LD * j, none ? 0 : r.nextGaussian() / Math.sqrt(N));
                }
            }
            double[] a = dense(l.c);
            double[] b = dense(l.d);
            run(l, r);
            assertThat(Memory.i32(l.e.at(0))).as("seed %d", SEED).isZero();
            int infinite = 0;
            for (int j = 0; j < N; j++) {
                double beta = Trial.get(type, l.d.at(0), (long) parts * j * (LD + 1));
                infinite += beta <= 20 * N * unit ? 1 : 0;
            }
            assertThat(infinite).as("infinite eigenvalues, seed %d", SEED).isEqualTo(zeros);
            holds(a, b);
            order(r);
            holds(a, b);
        }
    }

    /** Eigenvalues inside the unit circle come first. */
    private void order(Random r) {
        l.kernel = Kernel.TGSEN;
        l.select = Selection.INSIDE;
        boolean[] before = inside(r);
        int expected = 0;
        for (boolean inside : before) {
            expected += inside ? 1 : 0;
        }
        l.a.vector(ElementType.I64, take(1), 1, 1, 1);
        l.b.vector(type.real(), take(2), 2, 1, 2);
        Trial.set(type.real(), l.b.at(0), 0, 1);
        Trial.set(type.real(), l.b.at(0), 1, 1);
        run(l, r);
        assertThat(Memory.i64(l.a.at(0))).as("chosen, seed %d", SEED).isEqualTo(expected);
        boolean[] after = inside(r);
        for (int j = 0; j < N; j++) {
            assertThat(after[j]).as("eigenvalue %d of %d, seed %d", j, expected, SEED).isEqualTo(j < expected);
        }
    }

    /** Which eigenvalues are inside the unit circle. */
    private boolean[] inside(Random r) {
        Launch v = new Launch().reset(Kernel.PAIR_VALUES, type, 1);
        v.n = N;
        v.a.vector(type, take(N), N, 1, N);
        v.b.vector(type, take(N), N, 1, N);
        v.f.vector(type, take(N), N, 1, N);
        v.c.set(l.c);
        v.d.set(l.d);
        v.e.vector(ElementType.I32, take(1), 1, 1, 1);
        Memory.i32(v.e.at(0), 0);
        run(v, r);
        boolean[] inside = new boolean[N];
        for (int j = 0; j < N; j++) {
            double re = Trial.get(type, v.a.at(0), (long) parts * j);
            double im = parts == 2 ? Trial.get(type, v.a.at(0), 2L * j + 1) : Trial.get(type, v.b.at(0), j);
            inside[j] = Math.hypot(re, im) < Trial.get(type, v.f.at(0), (long) parts * j);
        }
        return inside;
    }

    private long take(long elements) {
        return arena.allocate(elements * 16, 64).address();
    }

    private void run(Launch launch, Random r) {
        MemorySegment arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5);
        MemorySegment sync = arena.allocate(Launcher.SYNC_BYTES, 64);
        Shim shim = new Shim();
        new Launcher<Boolean>((f, x, y, z, threads, shared, at, channel) -> shim.launch(f, x, y, z,
                Math.min(THREADS, threads), shared, at, channel), 3)
                .run(launch, arguments.address(), sync.address(), r.nextBoolean());
    }

    private void holds(double[] a, double[] b) {
        double[] q = dense(l.f);
        double[] z = dense(l.g);
        residual(a, q, triangle(l.c, parts == 1), z, "A");
        residual(b, q, triangle(l.d, false), z, "B");
        blocks();
        double[] one = new double[2 * N * N];
        for (int j = 0; j < N; j++) {
            one[2 * j * (N + 1)] = 1;
            long e = (long) parts * j * (LD + 1);
            assertThat(Trial.get(type, l.d.at(0), e)).as("diagonal %d, seed %d", j, SEED).isNotNegative();
            assertThat(parts == 2 ? Trial.get(type, l.d.at(0), e + 1) : 0).isZero();
        }
        difference(multiply(q, q, true), one, "Q");
        difference(multiply(z, z, true), one, "Z");
    }

    /** Blocks of real matrices are apart, and the second matrix is diagonal in them, with the larger element first. */
    private void blocks() {
        double[] a = dense(l.c);
        double[] b = dense(l.d);
        for (int j = 0; j + 1 < N; j++) {
            int e = 2 * j * (N + 1);
            if (a[e + 2] != 0) {
                assertThat(j + 2 < N ? a[e + 2 * (N + 1) + 2] : 0).as("block %d, seed %d", j, SEED).isZero();
                assertThat(b[e + 2 * N]).as("block %d, seed %d", j, SEED).isZero();
                assertThat(b[e]).as("block %d, seed %d", j, SEED).isGreaterThanOrEqualTo(b[e + 2 * (N + 1)]);
            }
        }
    }

    /** Nothing but zeros is below the diagonal, or below the one beside it. */
    private double[] triangle(Operand o, boolean beside) {
        double[] x = dense(o);
        for (int j = 0; j < N; j++) {
            for (int i = 2 * (j + (beside ? 2 : 1)); i < 2 * N; i++) {
                assertThat(x[i + 2 * N * j]).as("part %d of column %d, seed %d", i, j, SEED).isZero();
            }
        }
        return x;
    }

    /** The matrix times its right vectors is its left vectors times the form. */
    private void residual(double[] matrix, double[] q, double[] form, double[] z, String name) {
        difference(multiply(matrix, z, false), multiply(q, form, false), name);
    }

    private void difference(double[] x, double[] y, String name) {
        double most = 0;
        for (int e = 0; e < x.length; e++) {
            most = Math.max(most, Math.abs(x[e] - y[e]));
        }
        assertThat(most).as("%s, seed %d", name, SEED).isLessThan(20 * N * unit);
    }

    private double[] dense(Operand o) {
        double[] x = new double[2 * N * N];
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < parts * N; i++) {
                x[2 / parts * i + 2 * N * j] = Trial.get(type, o.at(0), i + (long) parts * LD * j);
            }
        }
        return x;
    }

    /** a·b, or aᴴ·b. */
    private static double[] multiply(double[] a, double[] b, boolean turned) {
        double[] c = new double[2 * N * N];
        for (int j = 0; j < N; j++) {
            for (int i = 0; i < N; i++) {
                double re = 0;
                double im = 0;
                for (int k = 0; k < N; k++) {
                    int x = 2 * (turned ? k + i * N : i + k * N);
                    int y = 2 * (k + j * N);
                    double part = turned ? -a[x + 1] : a[x + 1];
                    re += a[x] * b[y] - part * b[y + 1];
                    im += a[x] * b[y + 1] + part * b[y];
                }
                c[2 * (i + j * N)] = re;
                c[2 * (i + j * N) + 1] = im;
            }
        }
        return c;
    }
}
