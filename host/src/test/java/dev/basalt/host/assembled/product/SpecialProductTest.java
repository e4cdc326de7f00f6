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
 * Products with triangular, symmetric and Hermitian matrices by assembled kernels agree with the portable ones, on operands that
 * end at the end of readable memory. What is not stored is NaN.
 */
class SpecialProductTest {
    private static final int LARGE = 4 << 20;

    private static final List<AssembledCase> CASES = AssembledCase.all();

    private final Random random = new Random(13);
    private final Guarded guardA = new Guarded(LARGE);
    private final Guarded guardW = new Guarded(LARGE);
    private final Guarded guardB = new Guarded(LARGE);
    private final Guarded guardC = new Guarded(LARGE);

    private int upTo(int limit) {
        return random.nextInt(limit + 1);
    }

    /** A triangle; the other one is NaN, and so is what of the diagonal must not be read. */
    private long triangle(AssembledCase type, Uplo uplo, boolean unit, boolean hermitian, int order, long lda) {
        long bytes = type.bytes(order, order, lda);
        long a = type.uniform(random, guardA.place(bytes), bytes);
        for (int j = 0; j < order; j++) {
            for (int i = 0; i < order; i++) {
                boolean stored = i == j ? !unit : uplo == Uplo.LOWER ? i > j : i < j;
                for (int part = 0; part < type.parts(); part++) {
                    if (!stored || (hermitian && i == j && part == 1)) {
                        type.set(a + (i + j * lda) * type.bytes() + (long) part * type.size(), Double.NaN);
                    }
                }
            }
        }
        return a;
    }

    private void trmm(AssembledCase type, Side side, Uplo uplo, Op op, Diag diag, int order, int other) {
        double alphaRe = 0.7;
        double alphaIm = type.parts() == 2 ? 0.3 : 0;
        int m = side == Side.LEFT ? order : other;
        int n = side == Side.LEFT ? other : order;
        long lda = order + upTo(5);
        long ldb = m + upTo(5);
        long a = triangle(type, uplo, diag == Diag.UNIT, false, order, lda);
        long bytes = type.bytes(m, n, ldb);
        long b = type.uniform(random, guardB.place(bytes), bytes);
        String what = type.name() + " " + side + " " + uplo + " " + op + " " + diag + " " + m + "x" + n;
        try (Arena arena = Arena.ofConfined()) {
            long expected = arena.allocate(bytes, 64).address();
            Memory.copy(b, expected, bytes);
            type.portable().trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, expected, ldb);
            long workBytes = upTo(1) * type.workBytes(order);
            long work = guardW.place(workBytes);
            type.leaf().trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, work, workBytes);
            double tolerance = 32 * (order + 8) * (type.size() == 8 ? 0x1p-53 : 0x1p-24);
            assertThat(type.difference(b, expected, bytes, m, ldb, tolerance)).as(what).isNull();
            assertThat(guardB.intact() && guardW.intact()).as(what).isTrue();
        }
    }

    private void symm(AssembledCase type, Side side, Uplo uplo, boolean hermitian, int order, int other) {
        double alphaRe = 0.7;
        double alphaIm = type.parts() == 2 ? 0.3 : 0;
        double betaRe = upTo(2) / 2.0;
        double betaIm = type.parts() == 2 && upTo(1) == 0 ? 0.4 : 0;
        int m = side == Side.LEFT ? order : other;
        int n = side == Side.LEFT ? other : order;
        long lda = order + upTo(5);
        long ldb = m + upTo(5);
        long ldc = m + upTo(5);
        long a = triangle(type, uplo, false, hermitian, order, lda);
        long bytesB = type.bytes(m, n, ldb);
        long b = type.uniform(random, guardB.place(bytesB), bytesB);
        long bytes = type.bytes(m, n, ldc);
        long c = type.uniform(random, guardC.place(bytes), bytes);
        if (betaRe == 0 && betaIm == 0) {
            type.set(c, Double.NaN);
        }
        String what = type.name() + " " + side + " " + uplo + " " + hermitian + " " + m + "x" + n + " beta " + betaRe;
        try (Arena arena = Arena.ofConfined()) {
            long expected = arena.allocate(bytes, 64).address();
            Memory.copy(c, expected, bytes);
            type.portable()
                    .symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, expected, ldc);
            long workBytes = upTo(1) * type.workBytes(order);
            long work = guardW.place(workBytes);
            type.leaf()
                    .symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                            workBytes);
            double tolerance = 32 * (order + 8) * (type.size() == 8 ? 0x1p-53 : 0x1p-24);
            assertThat(type.difference(c, expected, bytes, m, ldc, tolerance)).as(what).isNull();
            assertThat(guardC.intact() && guardW.intact()).as(what).isTrue();
        }
    }

    private void syrk(AssembledCase type, Uplo uplo, Op op, boolean hermitian, int n, int k) {
        boolean complex = type.parts() == 2 && !hermitian;
        double alphaIm = complex ? 0.3 : 0;
        double betaRe = upTo(2) / 2.0;
        double betaIm = complex && upTo(1) == 0 ? 0.4 : 0;
        int rows = op == Op.NONE ? n : k;
        long lda = rows + upTo(5);
        long ldc = n + upTo(5);
        long bytesA = type.bytes(rows, op == Op.NONE ? k : n, lda);
        long a = type.uniform(random, guardA.place(bytesA), bytesA);
        long bytes = type.bytes(n, n, ldc);
        long c = type.uniform(random, guardC.place(bytes), bytes);
        if (betaRe == 0 && betaIm == 0) {
            type.set(c, Double.NaN);
        }
        String what = type.name() + " " + uplo + " " + op + " " + hermitian + " " + n + " " + k + " beta " + betaRe
                + " " + betaIm;
        try (Arena arena = Arena.ofConfined()) {
            long expected = arena.allocate(bytes, 64).address();
            Memory.copy(c, expected, bytes);
            type.portable().syrk(uplo, op, hermitian, n, k, 0.7, alphaIm, a, lda, betaRe, betaIm, expected, ldc);
            long workBytes =
                    upTo(1) * type.kernels().blocking().blockBytes(n, Math.min(k, Product.KC), type.bytes(), 1);
            long work = guardW.place(workBytes);
            type.leaf().syrk(uplo, op, hermitian, n, k, 0.7, alphaIm, a, lda, betaRe, betaIm, c, ldc, work, workBytes);
            double tolerance = 32 * (k + 8) * (type.size() == 8 ? 0x1p-53 : 0x1p-24);
            assertThat(type.difference(c, expected, bytes, n, ldc, tolerance)).as(what).isNull();
            assertOtherTriangle(type, uplo, n, ldc, c, expected, what);
            assertThat(guardC.intact() && guardW.intact()).as(what).isTrue();
        }
    }

    private static void assertOtherTriangle(AssembledCase type, Uplo uplo, int n, long ldc, long c, long expected,
            String what) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                if (uplo == Uplo.LOWER ? i < j : i > j) {
                    long at = (i + j * ldc) * type.bytes();
                    assertThat(Memory.ALL.asSlice(c + at, type.bytes())
                            .mismatch(Memory.ALL.asSlice(expected + at, type.bytes()))).as(what).isEqualTo(-1);
                }
            }
        }
    }

    @Test
    void updatesOfTriangles() {
        for (AssembledCase type : CASES) {
            for (int n = 1; n <= 300; n += n < 30 ? 1 : 7 + upTo(60)) {
                for (Uplo uplo : Uplo.values()) {
                    syrk(type, uplo, Op.NONE, false, n, 1 + upTo(n < 30 ? 40 : 300));
                    syrk(type, uplo, Op.TRANS, false, n, 1 + upTo(n < 30 ? 40 : 300));
                    syrk(type, uplo, Op.NONE, true, n, 1 + upTo(40));
                    syrk(type, uplo, Op.CONJ_TRANS, true, n, 1 + upTo(40));
                }
            }
        }
    }

    private void every(AssembledCase type, int order, int other) {
        for (Side side : Side.values()) {
            for (Uplo uplo : Uplo.values()) {
                for (Op op : Op.values()) {
                    for (Diag diag : Diag.values()) {
                        trmm(type, side, uplo, op, diag, order, other);
                    }
                }
                symm(type, side, uplo, false, order, other);
                symm(type, side, uplo, true, order, other);
            }
        }
    }

    @Test
    void smallMatrices() {
        for (AssembledCase type : CASES) {
            for (int order = 1; order <= 60; order += order < 26 ? 1 : 1 + upTo(6)) {
                every(type, order, 1 + upTo(60));
            }
        }
    }

    /** Few rows and columns beside matrices around the orders where they become vectors, or columns of a square take one vector more. */
    @Test
    void fewLinesBesideSymmetricMatrices() {
        for (AssembledCase type : CASES) {
            for (int order = 2; order <= 33; order++) {
                for (int lines = 1; lines <= 4; lines++) {
                    for (Side side : Side.values()) {
                        for (Uplo uplo : Uplo.values()) {
                            symm(type, side, uplo, false, order, lines);
                            symm(type, side, uplo, true, order, lines);
                        }
                    }
                }
            }
        }
    }

    @Test
    void matricesOfManyPanels() {
        for (AssembledCase type : CASES) {
            for (int round = 0; round < 1; round++) {
                every(type, 64 + upTo(150), 1 + upTo(60));
            }
            every(type, 270, 20);
        }
    }

    @Test
    void alphaZeroReadsNothing() {
        for (AssembledCase type : CASES) {
            long bytes = type.bytes(5, 4, 5);
            long b = type.uniform(random, guardB.place(bytes), bytes);
            double before = type.get(b);
            type.leaf().symm(Side.LEFT, Uplo.LOWER, false, 5, 4, 0, 0, 0, 5, 0, 5, 0.5, 0, b, 5);
            assertThat(type.get(b)).isEqualTo(before / 2);
            type.leaf().trmm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.NON_UNIT, 5, 4, 0, 0, 0, 5, b, 5);
            assertThat(type.get(b)).isZero();
        }
    }
}
