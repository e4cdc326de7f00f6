package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledCase;
import java.lang.foreign.Arena;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A := alpha·x·yᵀ + A of few elements, with gaps or without, has the bits of the kernels for vectors without gaps. */
class SmallUpdatesTest {
    private static final int[] INCREMENTS = {1, 2, -1, -3};
    private static final double[] ODD = {Double.NaN, Double.POSITIVE_INFINITY, 0, -0.0, 1e30, 1e-30};

    private final Random random = new Random(20261128);

    private double number() {
        return random.nextInt(12) == 0 ? ODD[random.nextInt(ODD.length)] : random.nextDouble() - 0.5;
    }

    private static double get(AssembledCase c, long at, long i) {
        return c.size() == 8 ? f64(at + 8 * i) : f32(at + 4 * i);
    }

    private static void set(AssembledCase c, long at, long i, double value) {
        if (c.size() == 8) {
            f64(at + 8 * i, value);
        } else {
            f32(at + 4 * i, (float) value);
        }
    }

    /** A vector of numbers with gaps, and the same without; returns the address of element 0. */
    private long vector(AssembledCase c, Arena arena, int n, int inc, long plain) {
        long extent = (long) (n - 1) * Math.abs(inc) + 1;
        long base = arena.allocate(extent * c.bytes(), 64).address();
        long first = inc < 0 ? base + (extent - 1) * c.bytes() : base;
        for (int i = 0; i < n; i++) {
            for (int p = 0; p < c.parts(); p++) {
                double value = number();
                set(c, first + (long) i * inc * c.bytes(), p, value);
                set(c, plain, (long) i * c.parts() + p, value);
            }
        }
        return first;
    }

    private void update(AssembledCase c, int m, int n, int incx, int incy) {
        boolean conj = c.parts() == 2 && random.nextBoolean();
        double re = random.nextInt(4) == 0 ? 1 : random.nextDouble() - 0.5;
        double im = c.parts() == 2 && random.nextBoolean() ? random.nextDouble() - 0.5 : 0;
        long lda = m + random.nextInt(3);
        long numbers = lda * n * c.parts();
        try (Arena arena = Arena.ofConfined()) {
            long plainX = arena.allocate((long) m * c.bytes(), 64).address();
            long plainY = arena.allocate((long) n * c.bytes(), 64).address();
            long x = vector(c, arena, m, incx, plainX);
            long y = vector(c, arena, n, incy, plainY);
            long expected = arena.allocate(numbers * c.size(), 64).address();
            long actual = arena.allocate(numbers * c.size(), 64).address();
            for (long i = 0; i < numbers; i++) {
                double value = number();
                set(c, expected, i, value);
                set(c, actual, i, value);
            }
            c.kernels().level2().ger(conj, m, n, re, im, plainX, plainY, expected, lda);
            c.leaf().ger(m, n, re, im, x, incx, y, incy, conj, actual, lda);
            for (long i = 0; i < numbers; i++) {
                // Zeros of both signs are told apart, and no NaN from another.
                assertThat(Double.compare(get(c, actual, i), get(c, expected, i)))
                        .as("%s %d×%d incx %d incy %d, number %d", c.name(), m, n, incx, incy, i)
                        .isZero();
            }
        }
    }

    @Test
    void elementsHaveTheBitsOfTheKernels() {
        for (AssembledCase c : AssembledCase.all()) {
            for (int m = 1; m <= 14; m++) {
                for (int n = 1; n <= 14; n++) {
                    for (int incx : INCREMENTS) {
                        update(c, m, n, incx, INCREMENTS[random.nextInt(INCREMENTS.length)]);
                    }
                }
            }
        }
    }
}
