package dev.basalt.host.engine;

import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Vector kernels agree with the portable ones on matrices and vectors of many shapes. */
class VectorLevel2Test extends VectorLeafTest {
    private static final int SHAPES = 100;

    @Test
    void products() {
        for (ElementType type : TYPES) {
            for (int shape = 0; shape < SHAPES; shape++) {
                try (Arena arena = Arena.ofConfined()) {
                    int m = upTo(70);
                    int n = upTo(70);
                    Op op = any(Op.values());
                    double ar = scalar();
                    double ai = scalar();
                    double br = scalar();
                    double bi = scalar();
                    Operand a = matrix(arena, type, m, n);
                    Operand x = vector(arena, type, op == Op.NONE ? n : m);
                    Operand y = vector(arena, type, op == Op.NONE ? m : n);
                    agree(type, "gemv " + op + " " + m + " " + n, 4 * (m + n + 8) * epsilon(type), (leaf, pass) -> leaf
                            .gemv(op, m, n, ar, ai, a.address(), a.ld, x.address(), x.inc, br, bi, y.address(), y.inc),
                            y);
                    Operand u = vector(arena, type, m);
                    Operand v = vector(arena, type, n);
                    boolean conj = flag();
                    agree(type, "ger " + m + " " + n, 16 * epsilon(type), (leaf, pass) -> leaf.ger(m, n, ar, ai,
                            u.address(), u.inc, v.address(), v.inc, conj, a.address(), a.ld), a);
                }
            }
        }
    }

    @Test
    void symmetricMatrices() {
        for (ElementType type : TYPES) {
            for (int shape = 0; shape < SHAPES; shape++) {
                try (Arena arena = Arena.ofConfined()) {
                    int n = upTo(70);
                    Uplo uplo = any(Uplo.values());
                    boolean hermitian = flag();
                    double ar = scalar();
                    double ai = scalar();
                    double br = scalar();
                    double bi = scalar();
                    Operand a = triangle(arena, type, n, uplo);
                    Operand x = vector(arena, type, n);
                    Operand y = vector(arena, type, n);
                    agree(type, "symv " + uplo + " " + n, 8 * (n + 8) * epsilon(type), (leaf, pass) -> leaf.symv(uplo,
                            hermitian, n, ar, ai, a.address(), a.ld, x.address(), x.inc, br, bi, y.address(), y.inc),
                            y);
                }
            }
        }
    }

    @Test
    void triangles() {
        for (ElementType type : TYPES) {
            for (int shape = 0; shape < SHAPES; shape++) {
                try (Arena arena = Arena.ofConfined()) {
                    int n = upTo(70);
                    Uplo uplo = any(Uplo.values());
                    Op op = any(Op.values());
                    Diag diag = any(Diag.values());
                    Operand a = triangle(arena, type, n, uplo);
                    for (int j = 0; j < n; j++) {
                        for (int i = 0; i < n; i++) {
                            a.set(i, j, i == j ? 2 : a.re(i, j) / 64, 0.25 / 64);
                        }
                    }
                    Operand x = vector(arena, type, n);
                    double tolerance = 16 * (n + 8) * epsilon(type);
                    agree(type, "trmv " + uplo + " " + op + " " + n, tolerance,
                            (leaf, pass) -> leaf.trmv(uplo, op, diag, n, a.address(), a.ld, x.address(), x.inc), x);
                    agree(type, "trsv " + uplo + " " + op + " " + n, tolerance,
                            (leaf, pass) -> leaf.trsv(uplo, op, diag, n, a.address(), a.ld, x.address(), x.inc), x);
                }
            }
        }
    }

    /** NaN in the triangle that must not be read. */
    private Operand triangle(Arena arena, ElementType type, int n, Uplo uplo) {
        Operand a = matrix(arena, type, n, n);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                if (uplo == Uplo.LOWER ? i < j : i > j) {
                    a.set(i, j, Double.NaN, Double.NaN);
                }
            }
        }
        return a;
    }
}
