package dev.basalt.host.assembled.stream;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledCase;
import dev.basalt.host.assembled.code.Guarded;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The largest and smallest element of vectors with gaps, and of short ones: ties, NaN, infinities and zeros, beside the portable kernels. */
class ExtremesApartTest {
    private static final int[] LENGTHS = {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 15, 16, 17, 31, 63, 64, 65, 129, 700, 4100};
    private static final int[] INCREMENTS = {1, 2, 3, 8, 9, 64};
    private static final double[] ODD =
            {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, -0.0, 5, -5, Double.MIN_VALUE};

    private final Guarded memory = new Guarded(8 << 20);
    private final Random random = new Random(20261128);

    private static void set(AssembledCase c, long at, double value) {
        if (c.size() == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }

    private void compare(AssembledCase c, int n, int inc, double most, int odd) {
        long bytes = ((long) (n - 1) * inc + 1) * c.bytes();
        long x = memory.place(bytes);
        for (long at = x; at < x + bytes; at += c.size()) {
            // Between the elements lies what no element is; among the elements are many ties.
            boolean in = (at - x) / c.bytes() % inc == 0;
            set(c, at, in ? random.nextInt(7) - most : random.nextBoolean() ? Double.NaN : 1e6 * random.nextInt(2));
        }
        for (int i = 0; i < odd; i++) {
            long at = x + (long) random.nextInt(n) * inc * c.bytes() + (long) random.nextInt(c.parts()) * c.size();
            set(c, at, ODD[random.nextInt(ODD.length)]);
        }
        String what = c.name() + " n = " + n + " inc = " + inc + " odd " + odd;
        assertThat(c.leaf().iamax(n, x, inc)).as("iamax %s", what).isEqualTo(c.portable().iamax(n, x, inc));
        assertThat(c.leaf().iamin(n, x, inc)).as("iamin %s", what).isEqualTo(c.portable().iamin(n, x, inc));
    }

    @Test
    void placesAreThoseOfThePortableKernels() {
        for (AssembledCase c : AssembledCase.all()) {
            for (int n : LENGTHS) {
                for (int inc : INCREMENTS) {
                    if (n * inc > 100_000) {
                        continue;
                    }
                    for (int trial = 0; trial < (n < 100 ? 12 : 3); trial++) {
                        compare(c, n, inc, 3, trial % 4);
                        compare(c, n, inc, 1e3, trial % 3);
                    }
                }
            }
        }
    }

    @Test
    void vectorsOfNothingElse() {
        for (AssembledCase c : AssembledCase.all()) {
            for (double value : ODD) {
                for (int n = 1; n < 40; n++) {
                    for (int inc = 1; inc < 4; inc++) {
                        long x = memory.place(((long) (n - 1) * inc + 1) * c.bytes());
                        for (int i = 0; i < n; i++) {
                            for (int p = 0; p < c.parts(); p++) {
                                set(c, x + (long) i * inc * c.bytes() + (long) p * c.size(), value);
                            }
                        }
                        String what = c.name() + " of " + value + ", n = " + n + " inc = " + inc;
                        assertThat(c.leaf().iamax(n, x, inc)).as(what).isEqualTo(c.portable().iamax(n, x, inc));
                        assertThat(c.leaf().iamin(n, x, inc)).as(what).isEqualTo(c.portable().iamin(n, x, inc));
                    }
                }
            }
        }
    }
}
