package dev.basalt.host.engine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.portable.Leaf;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Matrix products agree with the portable ones on all paths, and their bits do not depend on the path. */
class VectorGemmTest extends VectorLeafTest {
    private static final int SHAPES = 100;
    private static final int REDZONE = 64;

    /** Packing memory of exactly the bytes of a tier, between redzones. */
    private static final class Work {
        private final MemorySegment segment;
        final long address;
        final long bytes;

        Work(Arena arena, ElementType type, int tier, int m, int n, int k) {
            bytes = ENGINE.gemm(type).bytes(tier, m, n, k, type.bytes(), 1);
            segment = arena.allocate(bytes + 2 * REDZONE, 64).fill((byte) 0x5a);
            address = bytes == 0 ? 0 : segment.address() + REDZONE;
        }

        void check() {
            byte[] zone = new byte[REDZONE];
            Arrays.fill(zone, (byte) 0x5a);
            assertThat(segment.asSlice(0, REDZONE).toArray(JAVA_BYTE)).isEqualTo(zone);
            assertThat(segment.asSlice(REDZONE + bytes).toArray(JAVA_BYTE)).isEqualTo(zone);
        }
    }

    @Test
    void smallShapes() {
        for (ElementType type : TYPES) {
            for (int shape = 0; shape < SHAPES; shape++) {
                product(type, upTo(70), upTo(70), upTo(70), random.nextInt(3));
            }
        }
    }

    @Test
    void shapesOfSeveralBlocks() {
        for (ElementType type : TYPES) {
            for (int shape = 0; shape < 8; shape++) {
                product(type, 200 + upTo(200), upTo(60), 200 + upTo(500), random.nextInt(3));
                product(type, upTo(60), 200 + upTo(200), upTo(300), random.nextInt(3));
            }
        }
    }

    private void product(ElementType type, int m, int n, int k, int tier) {
        try (Arena arena = Arena.ofConfined()) {
            Op opA = any(Op.values());
            Op opB = any(Op.values());
            double ar = scalar();
            double ai = scalar();
            double br = scalar();
            double bi = scalar();
            Operand a = opA == Op.NONE ? matrix(arena, type, m, k) : matrix(arena, type, k, m);
            Operand b = opB == Op.NONE ? matrix(arena, type, k, n) : matrix(arena, type, n, k);
            Operand c = matrix(arena, type, m, n);
            if (br == 0 && bi == 0) {
                nan(c);
            }
            Work work = new Work(arena, type, tier, m, n, k);
            agree(type, "gemm " + opA + " " + opB + " " + m + " " + n + " " + k + " tier " + tier,
                    8 * (k + 8) * epsilon(type), (leaf, pass) -> leaf.gemm(opA, opB, m, n, k, ar, ai, a.address(), a.ld,
                            b.address(), b.ld, br, bi, c.address(), c.ld, work.address, work.bytes),
                    c);
            work.check();
        }
    }

    private static void nan(Operand c) {
        for (int j = 0; j < c.columns; j++) {
            for (int i = 0; i < c.rows; i++) {
                c.set(i, j, Double.NaN, Double.NaN);
            }
        }
    }

    @Test
    void nothingIsReadForAlphaZero() {
        for (ElementType type : TYPES) {
            try (Arena arena = Arena.ofConfined()) {
                Operand c = matrix(arena, type, 40, 30);
                agree(type, "gemm with alpha = 0", 0, (leaf, pass) -> leaf.gemm(Op.NONE, Op.NONE, 40, 30, 50, 0, 0, 0,
                        40, 0, 50, 0.5, 0, c.address(), c.ld, 0, 0), c);
            }
        }
    }

    @Test
    void bitsDependNeitherOnPackingMemoryNorOnCuts() {
        for (ElementType type : TYPES) {
            GemmBlocking blocking = ENGINE.gemm(type);
            int m = 5 * blocking.mr() + 5;
            int n = 5 * blocking.nr() + 3;
            int k = blocking.kc() + 77;
            for (Op opA : List.of(Op.NONE, Op.CONJ_TRANS)) {
                for (Op opB : List.of(Op.NONE, Op.CONJ_TRANS)) {
                    try (Arena arena = Arena.ofConfined()) {
                        Operand a = opA == Op.NONE ? matrix(arena, type, m, k) : matrix(arena, type, k, m);
                        Operand b = opB == Op.NONE ? matrix(arena, type, k, n) : matrix(arena, type, n, k);
                        Operand c = matrix(arena, type, m, n);
                        for (int j = 0; j < n; j++) {
                            for (int i = 0; i < m; i++) {
                                c.set(i, j, 0.125, 1);
                            }
                        }
                        byte[] old = c.content();
                        byte[] expected = null;
                        for (int tier = 0; tier <= GemmBlocking.PACKED_TIERS; tier++) {
                            Work work = new Work(arena, type, tier, m, n, k);
                            for (int rows : new int[] {m, 3 * blocking.mr()}) {
                                for (int columns : new int[] {n, 2 * blocking.nr()}) {
                                    c.set(old);
                                    pieces(vector(type), opA, opB, m, n, k, rows, columns, a, b, c, work);
                                    expected = expected == null ? c.content() : expected;
                                    assertThat(c.content()).isEqualTo(expected);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static void pieces(Leaf leaf, Op opA, Op opB, int m, int n, int k, int rows, int columns, Operand a,
            Operand b, Operand c, Work work) {
        int bytes = a.type.bytes();
        for (int i = 0; i < m; i += rows) {
            for (int j = 0; j < n; j += columns) {
                leaf.gemm(opA, opB, Math.min(rows, m - i), Math.min(columns, n - j), k, 0.7, 0.3,
                        a.address() + (opA == Op.NONE ? i : i * a.ld) * bytes, a.ld,
                        b.address() + (opB == Op.NONE ? j * b.ld : j) * bytes, b.ld, 0.9, 0,
                        c.address() + (i + j * c.ld) * bytes, c.ld, work.address, work.bytes);
            }
        }
    }

    @Test
    void symmetricProducts() {
        for (ElementType type : TYPES) {
            for (int shape = 0; shape < SHAPES; shape++) {
                try (Arena arena = Arena.ofConfined()) {
                    int n = upTo(90);
                    int k = upTo(70);
                    Uplo uplo = any(Uplo.values());
                    boolean hermitian = flag();
                    Op turned = hermitian ? Op.CONJ_TRANS : Op.TRANS;
                    Op op = flag() ? Op.NONE : turned;
                    double ar = scalar();
                    double ai = scalar();
                    double br = scalar();
                    double bi = scalar();
                    Operand a = op == Op.NONE ? matrix(arena, type, n, k) : matrix(arena, type, k, n);
                    Operand c = matrix(arena, type, n, n);
                    agree(type, "syrk " + uplo + " " + op + " " + hermitian + " " + n + " " + k,
                            8 * (k + 8) * epsilon(type), (leaf, pass) -> leaf.syrk(uplo, op, hermitian, n, k, ar, ai,
                                    a.address(), a.ld, br, bi, c.address(), c.ld),
                            c);
                    Side side = any(Side.values());
                    int m = upTo(40);
                    Operand s = matrix(arena, type, n, n);
                    Operand b = side == Side.LEFT ? matrix(arena, type, n, m) : matrix(arena, type, m, n);
                    Operand d = side == Side.LEFT ? matrix(arena, type, n, m) : matrix(arena, type, m, n);
                    agree(type, "symm " + side + " " + uplo + " " + hermitian + " " + m + " " + n,
                            8 * (n + 8) * epsilon(type), (leaf, pass) -> leaf.symm(side, uplo, hermitian, b.rows,
                                    b.columns, ar, ai, s.address(), s.ld, b.address(), b.ld, br, bi, d.address(), d.ld),
                            d);
                }
            }
        }
    }
}
