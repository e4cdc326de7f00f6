package dev.basalt.host.assembled.product;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledCase;
import dev.basalt.host.assembled.code.Guarded;
import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Triangular solves by assembled kernels agree with the portable ones, on operands that end at the end of readable memory. What
 * is not stored is NaN.
 */
class SolveTest {
    private static final int LARGE = 4 << 20;

    private static final List<AssembledCase> CASES = AssembledCase.all();

    private final Random random = new Random(11);
    private final Guarded guardA = new Guarded(LARGE);
    private final Guarded guardW = new Guarded(LARGE);
    private final Guarded guardB = new Guarded(LARGE);

    private int upTo(int limit) {
        return random.nextInt(limit + 1);
    }

    /** A well-conditioned triangle, NaN where it must not be read. */
    private long triangle(AssembledCase type, Uplo uplo, Diag diag, int order, long lda) {
        long a = guardA.place(type.bytes(order, order, lda));
        for (int j = 0; j < order; j++) {
            for (int i = 0; i < order; i++) {
                boolean stored = uplo == Uplo.LOWER ? i > j : i < j;
                for (int part = 0; part < type.parts(); part++) {
                    double x = (random.nextDouble() - 0.5) / order;
                    double d = diag == Diag.UNIT ? Double.NaN : 1 + random.nextDouble();
                    type.set(a + (i + j * lda) * type.bytes() + (long) part * type.size(),
                            i == j ? d : stored ? x : Double.NaN);
                }
            }
        }
        return a;
    }

    private void solve(AssembledCase type, int order, int other) {
        for (Side side : Side.values()) {
            for (Uplo uplo : Uplo.values()) {
                for (Op op : Op.values()) {
                    for (Diag diag : Diag.values()) {
                        solve(type, side, uplo, op, diag, order, other);
                    }
                }
            }
        }
    }

    private void solve(AssembledCase type, Side side, Uplo uplo, Op op, Diag diag, int order, int other) {
        double[] alphas = {1, 1, -1, 0.7};
        double alphaRe = alphas[upTo(3)];
        double alphaIm = type.parts() == 2 && upTo(3) == 0 ? 0.3 : 0;
        int m = side == Side.LEFT ? order : other;
        int n = side == Side.LEFT ? other : order;
        long lda = order + upTo(5);
        long ldb = m + upTo(5);
        long a = triangle(type, uplo, diag, order, lda);
        long bytes = type.bytes(m, n, ldb);
        long b = type.uniform(random, guardB.place(bytes), bytes);
        String what = type.name() + " " + side + " " + uplo + " " + op + " " + diag + " " + m + "x" + n + " alpha "
                + alphaRe + " " + alphaIm;
        try (Arena arena = Arena.ofConfined()) {
            long expected = arena.allocate(bytes, 64).address();
            Memory.copy(b, expected, bytes);
            type.portable().trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, expected, ldb);
            long workBytes = upTo(1) * type.workBytes(order);
            long work = guardW.place(workBytes);
            type.leaf().trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, work, workBytes);
            double tolerance = 32 * (order + 8) * (type.size() == 8 ? 0x1p-53 : 0x1p-24);
            assertThat(type.difference(b, expected, bytes, m, ldb, tolerance)).as(what).isNull();
            assertThat(guardB.intact() && guardW.intact()).as(what).isTrue();
        }
    }

    @Test
    void smallTriangles() {
        for (AssembledCase type : CASES) {
            for (int order = 1; order <= 40; order++) {
                solve(type, order, 1 + upTo(70));
                solve(type, order, 1 + upTo(8));
            }
        }
    }

    @Test
    void trianglesOfManyBlocks() {
        for (AssembledCase type : CASES) {
            for (int round = 0; round < 3; round++) {
                solve(type, 64 + upTo(80), 1 + upTo(60));
            }
            solve(type, Solve.ORDER + 1 + upTo(50), 30);
        }
    }

    @Test
    void bitsDoNotDependOnHowRightHandSidesAreCut() {
        for (AssembledCase type : CASES) {
            for (Side side : Side.values()) {
                int order = 50;
                int other = 77;
                boolean left = side == Side.LEFT;
                int m = left ? order : other;
                int n = left ? other : order;
                long a = triangle(type, Uplo.LOWER, Diag.NON_UNIT, order, order);
                long bytes = type.bytes(m, n, m);
                long b = type.uniform(random, guardB.place(bytes), bytes);
                try (Arena arena = Arena.ofConfined()) {
                    long whole = arena.allocate(bytes, 64).address();
                    Memory.copy(b, whole, bytes);
                    type.leaf().trsm(side, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, m, n, 1, 0, a, order, whole, m);
                    for (int i = 0; i < other; i += 33) {
                        int part = Math.min(33, other - i);
                        long from = b + (left ? (long) i * m : i) * type.bytes();
                        type.leaf()
                                .trsm(side, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, left ? m : part, left ? part : n, 1, 0,
                                        a, order, from, m);
                    }
                    for (long i = 0; i < bytes; i++) {
                        assertThat(Memory.i8(b + i)).as(type.name() + " " + side).isEqualTo(Memory.i8(whole + i));
                    }
                }
            }
        }
    }

    @Test
    void diagonalsWithoutReciprocalsAreDividedBy() {
        for (AssembledCase type : CASES) {
            double tiny = type.size() == 8 ? 0x1p-1060 : 0x1p-140;
            long a = triangle(type, Uplo.LOWER, Diag.NON_UNIT, 9, 9);
            for (int j = 0; j < 9; j++) {
                long at = a + j * 10L * type.bytes();
                type.set(at, j == 4 ? tiny : 1);
                for (int part = 1; part < type.parts(); part++) {
                    type.set(at + type.size(), 0);
                }
                for (int i = j + 1; i < 9; i++) {
                    for (int part = 0; part < type.parts(); part++) {
                        type.set(a + (i + j * 9L) * type.bytes() + (long) part * type.size(), 0);
                    }
                }
            }
            long b = guardB.place(9L * type.bytes());
            Memory.fill(b, 9L * type.bytes(), (byte) 0);
            type.set(b + 4L * type.bytes(), 3 * tiny);
            type.leaf().trsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 9, 1, 1, 0, a, 9, b, 9);
            assertThat(type.get(b + 4L * type.bytes())).as(type.name()).isEqualTo(3);
        }
    }

    @Test
    void alphaZeroClearsAndReadsNothing() {
        for (AssembledCase type : CASES) {
            long b = guardB.place(20L * type.bytes());
            for (long at = 0; at < 20L * type.bytes(); at += type.size()) {
                type.set(b + at, Double.NaN);
            }
            type.leaf().trsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 5, 4, 0, 0, 0, 5, b, 5);
            for (long at = 0; at < 20L * type.bytes(); at += type.size()) {
                assertThat(type.get(b + at)).isZero();
            }
        }
    }
}
