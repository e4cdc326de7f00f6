package dev.basalt.host.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Triangular and factorising kernels agree with the portable ones. */
class VectorTriangleTest extends VectorLeafTest {
    private static final int SHAPES = 70;

    @Test
    void solvingAndMultiplying() {
        for (ElementType type : TYPES) {
            for (int shape = 0; shape < SHAPES; shape++) {
                try (Arena arena = Arena.ofConfined()) {
                    int m = upTo(70);
                    int n = upTo(70);
                    Side side = any(Side.values());
                    Uplo uplo = any(Uplo.values());
                    Op op = any(Op.values());
                    Diag diag = any(Diag.values());
                    double ar = scalar();
                    double ai = scalar();
                    Operand a = triangle(arena, type, side == Side.LEFT ? m : n, uplo);
                    Operand b = matrix(arena, type, m, n);
                    String what = side + " " + uplo + " " + op + " " + diag + " " + m + " " + n;
                    double tolerance = 32 * (m + n + 8) * epsilon(type);
                    agree(type, "trsm " + what, tolerance, (leaf, pass) -> leaf.trsm(side, uplo, op, diag, m, n, ar, ai,
                            a.address(), a.ld, b.address(), b.ld), b);
                    agree(type, "trmm " + what, tolerance, (leaf, pass) -> leaf.trmm(side, uplo, op, diag, m, n, ar, ai,
                            a.address(), a.ld, b.address(), b.ld), b);
                }
            }
        }
    }

    @Test
    void triangleWithTinyAndHugeDiagonal() {
        for (ElementType type : TYPES) {
            for (Side side : Side.values()) {
                for (double extreme : new double[] {1e-38, 1e37, 0}) {
                    try (Arena arena = Arena.ofConfined()) {
                        int n = 16;
                        Operand a = triangle(arena, type, n, Uplo.LOWER);
                        a.set(3, 3, extreme, 0);
                        Operand b = matrix(arena, type, n, n);
                        for (int i = 0; i < n; i++) {
                            for (int j = 0; j < n; j++) {
                                boolean column = side == Side.LEFT ? i == 3 : j == 3;
                                b.set(i, j, column ? 0 : 1, 0);
                            }
                        }
                        for (int j = 0; j < 3; j++) {
                            a.set(3, j, 0, 0);
                        }
                        for (int i = 4; i < n; i++) {
                            a.set(i, 3, 0, 0);
                        }
                        agree(type, "trsm " + side + " with " + extreme, 32 * n * epsilon(type),
                                (leaf, pass) -> leaf.trsm(side, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, n, n, 1, 0,
                                        a.address(), a.ld, b.address(), b.ld),
                                b);
                    }
                }
            }
        }
    }

    @Test
    void inverses() {
        for (ElementType type : TYPES) {
            for (int n = 0; n <= 70; n += n < 20 ? 1 : 5) {
                for (Uplo uplo : Uplo.values()) {
                    try (Arena arena = Arena.ofConfined()) {
                        Operand a = triangle(arena, type, n, uplo);
                        Diag diag = any(Diag.values());
                        int order = n;
                        agree(type, "trtri " + uplo + " " + n, 32 * (n + 8) * epsilon(type),
                                (leaf, pass) -> leaf.trtri(uplo, diag, order, a.address(), a.ld), a);
                    }
                }
            }
        }
    }

    @Test
    void luFactors() {
        for (ElementType type : TYPES) {
            for (int shape = 0; shape < SHAPES; shape++) {
                try (Arena arena = Arena.ofConfined()) {
                    int m = upTo(100);
                    int n = upTo(70);
                    int k = Math.min(m, n);
                    Operand a = matrix(arena, type, m, n);
                    long[] pivots = {arena.allocate(8 * k + 8, 8).address(), arena.allocate(8 * k + 8, 8).address()};
                    long[] info = new long[2];
                    agree(type, "getf2 " + m + " " + n, 1000 * (m + n + 8) * epsilon(type),
                            (leaf, pass) -> info[pass] = leaf.getf2(m, n, a.address(), a.ld, pivots[pass], 3), a);
                    assertThat(info[1]).isEqualTo(info[0]);
                    for (int i = 0; i < k; i++) {
                        assertThat(Memory.i64(pivots[1] + 8L * i)).isEqualTo(Memory.i64(pivots[0] + 8L * i));
                    }
                    boolean backward = flag();
                    Operand b = matrix(arena, type, m, n);
                    agree(type, "laswp " + m + " " + n, 0,
                            (leaf, pass) -> leaf.laswp(m, n, b.address(), b.ld, 0, k, pivots[0], 3, backward), b);
                }
            }
        }
    }

    @Test
    void choleskyFactors() {
        for (ElementType type : TYPES) {
            for (int n = 0; n <= 100; n += n < 40 ? 1 : 7) {
                for (Uplo uplo : Uplo.values()) {
                    for (int bad : new int[] {-1, n / 2}) {
                        try (Arena arena = Arena.ofConfined()) {
                            Operand a = triangle(arena, type, n, uplo);
                            for (int i = 0; i < n; i++) {
                                a.set(i, i, i == bad ? -1 : 4, 0);
                            }
                            long[] info = new long[2];
                            int order = n;
                            agree(type, "potf2 " + uplo + " " + n,
                                    bad >= 0 ? Double.MAX_VALUE : 32 * (n + 8) * epsilon(type),
                                    (leaf, pass) -> info[pass] = leaf.potf2(uplo, order, a.address(), a.ld), a);
                            assertThat(info[1]).isEqualTo(info[0]);
                        }
                    }
                }
            }
        }
    }

    /** Well conditioned, with NaN in the triangle that must not be read. */
    private Operand triangle(Arena arena, ElementType type, int n, Uplo uplo) {
        Operand a = matrix(arena, type, n, n);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                double v = a.re(i, j) / 16;
                if (i == j) {
                    a.set(i, j, 2 + v, v);
                } else if (uplo == Uplo.LOWER ? i < j : i > j) {
                    a.set(i, j, Double.NaN, Double.NaN);
                } else {
                    a.set(i, j, v / 4, -v / 8);
                }
            }
        }
        return a;
    }
}
