package dev.basalt.host.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Vector kernels agree with the portable ones on vectors of all lengths, with gaps and without. */
class VectorLevel1Test extends VectorLeafTest {
    private static final int LONGEST = 300;

    @Test
    void mapsOverVectors() {
        for (ElementType type : TYPES) {
            for (int n = 0; n <= LONGEST; n += n < 70 ? 1 : 19) {
                try (Arena arena = Arena.ofConfined()) {
                    Operand x = vector(arena, type, n);
                    Operand y = vector(arena, type, n);
                    double re = scalar();
                    double im = scalar();
                    boolean real = flag();
                    int size = n;
                    double tolerance = 8 * epsilon(type);
                    if (re != 0 || im != 0) {
                        agree(type, "axpy " + n, tolerance,
                                (leaf, pass) -> leaf.axpy(size, re, im, x.address(), x.inc, y.address(), y.inc), y);
                    }
                    agree(type, "scal " + n, tolerance,
                            (leaf, pass) -> leaf.scal(size, re, im, real, x.address(), x.inc), x);
                    agree(type, "swap " + n, 0, (leaf, pass) -> leaf.swap(size, x.address(), x.inc, y.address(), y.inc),
                            x, y);
                    agree(type, "rot " + n, tolerance,
                            (leaf, pass) -> leaf.rot(size, re, im, 0.3, real, x.address(), x.inc, y.address(), y.inc),
                            x, y);
                    agree(type, "copy " + n, 0, (leaf, pass) -> leaf.copy(size, x.address(), x.inc, y.address(), y.inc),
                            y);
                    agree(type, "fill " + n, 0, (leaf, pass) -> leaf.fill(size, re, im, x.address(), x.inc), x);
                }
            }
        }
    }

    @Test
    void reductions() {
        for (ElementType type : TYPES) {
            for (int n = 0; n <= LONGEST; n += n < 70 ? 1 : 19) {
                try (Arena arena = Arena.ofConfined()) {
                    Operand x = vector(arena, type, n);
                    Operand y = vector(arena, type, n);
                    Operand result = matrix(arena, type, 1, 1);
                    boolean conj = flag();
                    int size = n;
                    double tolerance = 4 * (n + 8) * epsilon(type);
                    agree(type, "dot " + n, tolerance, (leaf, pass) -> leaf.dot(size, x.address(), x.inc, y.address(),
                            y.inc, conj, result.address()), result);
                    double asum = portable(type).asum(n, x.address(), x.inc);
                    double nrm2 = portable(type).nrm2(n, x.address(), x.inc);
                    assertThat(vector(type).asum(n, x.address(), x.inc)).isBetween(asum - tolerance, asum + tolerance);
                    assertThat(vector(type).nrm2(n, x.address(), x.inc)).isBetween(nrm2 - tolerance, nrm2 + tolerance);
                    assertThat(vector(type).iamax(n, x.address(), x.inc))
                            .isEqualTo(portable(type).iamax(n, x.address(), x.inc));
                    assertThat(vector(type).iamin(n, x.address(), x.inc))
                            .isEqualTo(portable(type).iamin(n, x.address(), x.inc));
                }
            }
        }
    }

    @Test
    void normsOutsideTheSafeRange() {
        for (ElementType type : TYPES) {
            for (double scale : new double[] {
                    1e-300,
                    1e-44,
                    1e-30,
                    1e30,
                    1e300,
                    0,
                    Double.NaN,
                    Double.POSITIVE_INFINITY}) {
                try (Arena arena = Arena.ofConfined()) {
                    Operand x = matrix(arena, type, 100, 1);
                    for (int i = 0; i < 100; i++) {
                        x.set(i, 0, scale, i == 50 ? scale : 0);
                    }
                    double expected = portable(type).nrm2(100, x.address(), 1);
                    double actual = vector(type).nrm2(100, x.address(), 1);
                    if (Double.isFinite(expected)) {
                        assertThat(actual).isBetween(expected * (1 - 100 * epsilon(type)),
                                expected * (1 + 100 * epsilon(type)));
                    } else {
                        assertThat(Double.compare(actual, expected)).isZero();
                    }
                }
            }
        }
    }

    @Test
    void largestWithNaNsInfinitiesAndTies() {
        for (ElementType type : TYPES) {
            for (int n = 1; n <= LONGEST; n += 7) {
                for (double odd : new double[] {Double.NaN, Double.NEGATIVE_INFINITY, -5, 0}) {
                    try (Arena arena = Arena.ofConfined()) {
                        Operand x = matrix(arena, type, n, 1);
                        for (int repeat = 0; repeat < 3; repeat++) {
                            x.set(random.nextInt(n), 0, odd, flag() ? odd : 0);
                        }
                        if (flag()) {
                            x.set(random.nextInt(n), 0, Double.POSITIVE_INFINITY, 1);
                        }
                        assertThat(vector(type).iamax(n, x.address(), 1))
                                .isEqualTo(portable(type).iamax(n, x.address(), 1));
                        assertThat(vector(type).iamin(n, x.address(), 1))
                                .isEqualTo(portable(type).iamin(n, x.address(), 1));
                    }
                }
            }
        }
    }

    @Test
    void anElementHasTheSameBitsWhereverARangeBegins() {
        for (ElementType type : TYPES) {
            try (Arena arena = Arena.ofConfined()) {
                int n = 128 * 2 + 77;
                Operand x = matrix(arena, type, n, 1);
                Operand whole = matrix(arena, type, n, 1, 0);
                Operand parts = matrix(arena, type, n, 1, 0);
                for (int i = 0; i < n; i++) {
                    parts.set(i, 0, 0.5, 0.25);
                    whole.set(i, 0, 0.5, 0.25);
                }
                vector(type).axpy(n, 0.3, 0.7, x.address(), 1, whole.address(), 1);
                for (int from = 0; from < n; from += 128) {
                    long shift = (long) from * type.bytes();
                    vector(type).axpy(Math.min(128, n - from), 0.3, 0.7, x.address() + shift, 1,
                            parts.address() + shift, 1);
                }
                for (int i = 0; i < n; i++) {
                    assertThat(parts.re(i, 0)).isEqualTo(whole.re(i, 0));
                }
            }
        }
    }
}
