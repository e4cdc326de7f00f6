package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * LU without interchanges by tiles in one launch, on integers, of which the factors are known and found without rounding: orders around the borders of
 * tiles, one block that does all and several that wait for each other, numbers of extreme size, and pivots that are zero anywhere.
 */
class LuTilesTest {
    private static final int[] ORDERS = {65, 128, 129, 257};
    private static final long SEED = Seed.OF_RUN;

    /** What the matrix is multiplied with. */
    enum Size {
        ORDINARY(1), TINY(0x1p-1015), HUGE(0x1p1000);

        final double factor;

        Size(double factor) {
            this.factor = factor;
        }
    }

    private final Shim shim = Shim.ABSENT == null ? new Shim() : null;

    private static void needsShim() {
        if (Shim.ABSENT != null) {
            System.out.println("skipped: " + Shim.ABSENT);
        }
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
    }

    @ParameterizedTest
    @EnumSource(Size.class)
    void integersAreExact(Size size) {
        needsShim();
        for (int n : ORDERS) {
            if (size == Size.ORDINARY || n == 129) {
                Random r = new Random(SEED + n);
                run(n, size, n < 150 ? 2 : 1, 1 + r.nextInt(4), -1, r);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void zeroPivotsAreFound(int blocks) {
        needsShim();
        int[] failing = {0, 31, 64, 127, 129};
        for (int row : failing) {
            Random r = new Random(SEED + row);
            run(130, Size.ORDINARY, 1, blocks, row, r);
        }
    }

    /** One factorisation of {@code count} problems, the first of which has a pivot of zero, or none where that is negative. */
    private void run(int n, Size size, int count, int blocks, int failing, Random r) {
        Trial t = new Trial(Kernel.GETF2_NPVT, ElementType.F64, count, r);
        Launch l = t.l;
        l.n = n;
        l.p = r.nextInt(4);
        l.k = r.nextInt(2);
        t.matrix(l.c, ElementType.F64, n, n, r.nextInt(3), r.nextBoolean());
        t.vector(l.e, ElementType.I32, 1, 1, r.nextBoolean());
        double[][][] factors = new double[count][][];
        for (int p = 0; p < count; p++) {
            Memory.i32(l.e.at(p), l.k == 0 ? 0 : 5);
            factors[p] = factors(n, p == 0 ? failing : -1, r);
            put(l, p, factors[p], size.factor);
        }
        String what = "order " + n + ", " + count + " problems, " + blocks + " blocks, failing " + failing + ", " + size
                + ", seed " + SEED;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment arguments = arena.allocate(Arguments.BYTES, 64);
            MemorySegment sync = arena.allocate(Launcher.SYNC_BYTES, 64);
            new Launcher<>(shim, blocks, true).run(l, arguments.address(), sync.address(), r.nextBoolean());
            for (int i = 0; i < 4096; i++) {
                assertThat(Memory.i32(sync.address() + 4L * i)).as(what).isZero();
            }
        }
        for (int p = 0; p < count; p++) {
            boolean fails = p == 0 && failing >= 0;
            assertThat(Memory.i32(l.e.at(p))).as(what).isEqualTo(fails ? (int) l.p + failing + 1 : 0);
            for (int j = 0; !fails && j < n; j++) {
                for (int i = 0; i < n; i++) {
                    double expected = factors[p][i][j] * (i > j ? 1 : size.factor);
                    double found = Memory.f64(l.c.at(p) + 8 * (i + j * l.c.ld));
                    if (found != expected) {
                        assertThat(found).as("(%d, %d): %s", i, j, what).isEqualTo(expected);
                    }
                }
            }
        }
    }

    /** L below the diagonal and U in one matrix. */
    private static double[][] factors(int n, int failing, Random r) {
        double[][] f = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                f[i][j] = i == j ? (1 + r.nextInt(2)) * (r.nextBoolean() ? 1 : -1) : r.nextInt(3) - 1;
            }
        }
        if (failing >= 0) {
            f[failing][failing] = 0;
        }
        return f;
    }

    /** L·U times a factor. */
    private static void put(Launch l, int p, double[][] f, double scale) {
        for (int i = 0; i < f.length; i++) {
            for (int j = 0; j < f.length; j++) {
                double sum = i <= j ? f[i][j] : 0;
                for (int k = 0; k < i && k <= j; k++) {
                    sum += f[i][k] * f[k][j];
                }
                Memory.f64(l.c.at(p) + 8 * (i + j * l.c.ld), scale * sum);
            }
        }
    }
}
