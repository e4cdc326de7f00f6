package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.Guarded;
import dev.basalt.host.engine.AssembledCLeaf;
import dev.basalt.host.engine.AssembledDLeaf;
import dev.basalt.host.engine.AssembledSLeaf;
import dev.basalt.host.engine.AssembledZLeaf;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Memory;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Products by assembled kernels agree with the portable ones, on operands that end at the end of readable memory. */
class ProductTest {
    private static final int LARGE = 8 << 20;

    private static final List<Case> CASES = new ArrayList<>();

    private final Random random = new Random(7);
    private final Guarded guardA = new Guarded(LARGE);
    private final Guarded guardB = new Guarded(LARGE);
    private final Guarded guardC = new Guarded(LARGE);
    private final Guarded guardW = new Guarded(LARGE);

    /** An element type on an instruction set. */
    private record Case(String name, int size, int parts, Leaf leaf, Leaf portable, GemmBlocking blocking) {
        int bytes() {
            return size * parts;
        }

        double get(long at) {
            return size == 8 ? f64(at) : f32(at);
        }

        void set(long at, double value) {
            if (size == 8) {
                f64(at, value);
            } else {
                f32(at, (float) value);
            }
        }
    }

    @BeforeAll
    static void cases() {
        int widest;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("ProductTest: skipped, " + e.getMessage());
            return;
        }
        for (int bits = 256; bits <= widest; bits *= 2) {
            AssembledKernels d = AssembledKernels.real(bits, 8);
            AssembledKernels s = AssembledKernels.real(bits, 4);
            AssembledKernels z = AssembledKernels.complex(bits, 8);
            AssembledKernels c = AssembledKernels.complex(bits, 4);
            CASES.add(new Case("d" + bits, 8, 1, new AssembledDLeaf(d), new DLeaf(), d.blocking()));
            CASES.add(new Case("s" + bits, 4, 1, new AssembledSLeaf(s), new SLeaf(), s.blocking()));
            CASES.add(new Case("z" + bits, 8, 2, new AssembledZLeaf(z), new ZLeaf(), z.blocking()));
            CASES.add(new Case("c" + bits, 4, 2, new AssembledCLeaf(c), new CLeaf(), c.blocking()));
        }
    }

    private int upTo(int limit) {
        return random.nextInt(limit + 1);
    }

    private Op op() {
        return Op.values()[random.nextInt(Op.values().length)];
    }

    private double scalar() {
        double[] some = {0, 1, -1, 0.7, -1.3};
        return some[random.nextInt(some.length)];
    }

    private static long bytes(Case type, long rows, long columns, long ld) {
        return rows == 0 || columns == 0 ? 0 : ((columns - 1) * ld + rows) * type.bytes();
    }

    private long matrix(Case type, Guarded guard, long rows, long columns, long ld) {
        long bytes = bytes(type, rows, columns, ld);
        long at = guard.place(bytes);
        for (long i = 0; i < bytes; i += type.size) {
            type.set(at + i, random.nextDouble() * 2 - 1);
        }
        return at;
    }

    private void product(Case type, int m, int n, int k, int tier) {
        Op opA = op();
        Op opB = op();
        boolean complex = type.parts == 2;
        double alphaRe = scalar();
        double alphaIm = complex ? scalar() : 0;
        double betaRe = scalar();
        double betaIm = complex ? scalar() : 0;
        long lda = (opA == Op.NONE ? m : k) + 1 + upTo(5);
        long ldb = (opB == Op.NONE ? k : n) + 1 + upTo(5);
        long ldc = m + 1 + upTo(5);
        long a = matrix(type, guardA, opA == Op.NONE ? m : k, opA == Op.NONE ? k : m, lda);
        long b = matrix(type, guardB, opB == Op.NONE ? k : n, opB == Op.NONE ? n : k, ldb);
        long c = matrix(type, guardC, m, n, ldc);
        long bytes = bytes(type, m, n, ldc);
        long workBytes = type.blocking.bytes(tier, m, n, k, type.bytes(), 1);
        long work = workBytes == 0 ? 0 : guardW.place(workBytes);
        String what = type.name + " " + opA + " " + opB + " " + m + " " + n + " " + k + " tier " + tier + " alpha "
                + alphaRe + " " + alphaIm + " beta " + betaRe + " " + betaIm;
        try (Arena arena = Arena.ofConfined()) {
            long expected = arena.allocate(Math.max(8, bytes), 64).address();
            Memory.copy(c, expected, bytes);
            if (betaRe == 0 && betaIm == 0) {
                for (long j = 0; j < n; j++) {
                    for (long i = 0; i < m * type.parts; i++) {
                        type.set(c + j * ldc * type.bytes() + i * type.size, Double.NaN);
                    }
                }
            }
            type.portable.gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, expected, ldc, 0,
                    0);
            type.leaf.gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                    workBytes);
            double tolerance = 32 * (k + 8) * (type.size == 8 ? 0x1p-53 : 0x1p-24);
            for (long at = 0; at < bytes; at += type.size) {
                long row = at / type.bytes() % ldc;
                double found = type.get(c + at);
                double want = type.get(expected + at);
                if (!(Math.abs(found - want) <= (row < m ? tolerance : 0))) {
                    assertThat(found).as(what + " row " + row + " byte " + at).isEqualTo(want);
                }
            }
            assertThat(guardC.intact() && (workBytes == 0 || guardW.intact())).as(what).isTrue();
        }
    }

    @Test
    void allSmallShapes() {
        for (Case type : CASES) {
            for (int m = 0; m <= 70; m++) {
                for (int n = 0; n <= 70; n++) {
                    if (type.parts == 1 || (m * 31 + n) % 4 == 0) {
                        product(type, m, n, upTo(20), random.nextInt(3));
                    }
                }
            }
            for (int k = 0; k <= 70; k++) {
                for (int round = 0; round < 8; round++) {
                    product(type, upTo(70), upTo(20), k, random.nextInt(3));
                }
            }
        }
    }

    @Test
    void shapesOfSeveralBlocks() {
        for (Case type : CASES) {
            for (int round = 0; round < 12; round++) {
                product(type, 100 + upTo(200), upTo(60), 200 + upTo(500), random.nextInt(3));
                product(type, upTo(60), 100 + upTo(200), upTo(300), random.nextInt(3));
            }
            for (int round = 0; round < 3; round++) {
                product(type, 3072 / type.bytes() + upTo(300), 250 + upTo(600), 128 + upTo(130), random.nextInt(3));
            }
            for (int round = 0; round < 12; round++) {
                product(type, 1 + upTo(40), 300 + upTo(600), 1 + upTo(150), random.nextInt(3));
                product(type, 300 + upTo(600), 1 + upTo(40), 1 + upTo(150), random.nextInt(3));
            }
            product(type, 20, 2100 / type.parts, 30, 0);
            product(type, 1100 / type.parts, 9, 300, 0);
        }
    }

    @Test
    void bitsDependNeitherOnPackingMemoryNorOnCuts() {
        for (Case type : CASES) {
            int m = 3 * type.blocking.mr() + 5;
            int n = 3 * type.blocking.nr() + 3;
            for (Op opA : List.of(Op.NONE, Op.CONJ_TRANS)) {
                for (Op opB : List.of(Op.NONE, Op.CONJ_TRANS)) {
                    // One piece of the inner dimension, for which op(A) is written out, or two.
                    int k = opB == Op.NONE ? type.blocking.kc() + 77 : 180;
                    long lda = opA == Op.NONE ? m : k;
                    long ldb = opB == Op.NONE ? k : n;
                    long a = matrix(type, guardA, lda, opA == Op.NONE ? k : m, lda);
                    long b = matrix(type, guardB, ldb, opB == Op.NONE ? n : k, ldb);
                    long bytes = bytes(type, m, n, m);
                    byte[] first = null;
                    for (int tier = 0; tier <= GemmBlocking.PACKED_TIERS; tier++) {
                        for (int cut : new int[] {m, 2 * type.blocking.mr()}) {
                            long c = guardC.place(bytes);
                            for (long i = 0; i < bytes; i += type.size) {
                                type.set(c + i, i % 13);
                            }
                            for (int i = 0; i < m; i += cut) {
                                int rows = Math.min(cut, m - i);
                                long workBytes = type.blocking.bytes(tier, rows, n, k, type.bytes(), 1);
                                long work = guardW.place(workBytes);
                                long from = a + (opA == Op.NONE ? i : i * lda) * type.bytes();
                                type.leaf.gemm(opA, opB, rows, n, k, 0.7, 0.3, from, lda, b, ldb, 0.9, 0,
                                        c + (long) i * type.bytes(), m, work, workBytes);
                            }
                            byte[] bits = new byte[(int) bytes];
                            for (int i = 0; i < bytes; i++) {
                                bits[i] = Memory.i8(c + i);
                            }
                            first = first == null ? bits : first;
                            assertThat(bits).as(type.name + " tier " + tier).isEqualTo(first);
                        }
                    }
                }
            }
        }
    }

    /** A in place, in small kernels too, against its transpose, which is packed; scalars real and complex, one after the other. */
    @Test
    void bitsAreThoseOfPackedOperands() {
        double[][] scalars =
                {{1, 0, 0, 0}, {1, 0, 1, 0}, {-1, 0, 0.5, 0}, {0.7, -0.3, 1, 0}, {0.7, 0, 0.2, 2}, {0, 1, 0, -1}};
        for (Case type : CASES) {
            for (int round = 0; round < 60; round++) {
                int m = 1 + upTo(round < 40 ? 40 : round < 58 ? 200 : 1000);
                int n = 1 + upTo(40);
                int k = 1 + (round < 58 ? upTo(round < 50 ? 30 : 380) : 150 + upTo(100));
                Op opB = op();
                double[] q = scalars[round % scalars.length];
                long ldb = opB == Op.NONE ? k : n;
                long a = matrix(type, guardA, m, k, m);
                long b = matrix(type, guardB, ldb, opB == Op.NONE ? n : k, ldb);
                long bytes = bytes(type, m, n, m);
                String what = type.name + " " + m + "×" + n + "×" + k + " " + opB + " " + q[0] + " " + q[1];
                try (Arena arena = Arena.ofConfined()) {
                    long turned = arena.allocate((long) m * k * type.bytes(), 64).address();
                    for (int i = 0; i < m; i++) {
                        for (int p = 0; p < k; p++) {
                            long from = a + (i + (long) p * m) * type.bytes();
                            Memory.copy(from, turned + (p + (long) i * k) * type.bytes(), type.bytes());
                        }
                    }
                    long c = guardC.place(bytes);
                    long other = arena.allocate(bytes, 64).address();
                    for (long i = 0; i < bytes; i += type.size) {
                        type.set(c + i, random.nextDouble());
                        type.set(other + i, type.get(c + i));
                    }
                    double alphaIm = type.parts == 2 ? q[1] : 0;
                    double betaIm = type.parts == 2 ? q[3] : 0;
                    if (q[0] == 0 && alphaIm == 0) {
                        continue;
                    }
                    type.leaf.gemm(Op.NONE, opB, m, n, k, q[0], alphaIm, a, m, b, ldb, q[2], betaIm, c, m, 0, 0);
                    type.leaf.gemm(Op.TRANS, opB, m, n, k, q[0], alphaIm, turned, k, b, ldb, q[2], betaIm, other, m, 0,
                            0);
                    for (long i = 0; i < bytes; i += type.size) {
                        if (type.get(c + i) != type.get(other + i)) {
                            assertThat(type.get(c + i)).as(what + " byte " + i).isEqualTo(type.get(other + i));
                        }
                    }
                    assertThat(guardC.intact()).as(what).isTrue();
                }
            }
        }
    }

    @Test
    void nothingIsReadForAlphaZero() {
        for (Case type : CASES) {
            long c = matrix(type, guardC, 40, 30, 40);
            double before = type.get(c);
            type.leaf.gemm(Op.NONE, Op.NONE, 40, 30, 50, 0, 0, 0, 40, 0, 50, 0.5, 0, c, 40, 0, 0);
            assertThat(type.get(c)).isEqualTo(before / 2);
            type.leaf.gemm(Op.NONE, Op.NONE, 40, 30, 0, 1, 0, 0, 40, 0, 50, 0, 0, c, 40, 0, 0);
            assertThat(type.get(c)).isZero();
        }
    }

    @Test
    void nanInOneOperandStaysInItsRow() {
        for (Case type : CASES) {
            long a = matrix(type, guardA, 30, 10, 30);
            long b = matrix(type, guardB, 10, 30, 10);
            long c = matrix(type, guardC, 30, 30, 30);
            type.set(a + 3L * type.bytes(), Double.NaN);
            type.leaf.gemm(Op.NONE, Op.NONE, 30, 30, 10, 1, 0, a, 30, b, 10, 1, 0, c, 30, 0, 0);
            for (int j = 0; j < 30; j++) {
                for (int i = 0; i < 30; i++) {
                    double value = type.get(c + (long) (i + j * 30) * type.bytes());
                    assertThat(Double.isNaN(value)).as(type.name + " " + i + " " + j).isEqualTo(i == 3);
                }
            }
        }
    }

    @Test
    void threadsMultiplyAtOnce() throws InterruptedException {
        for (Case type : CASES) {
            int n = 70;
            long bytes = bytes(type, n, n, n);
            long a = matrix(type, guardA, n, n, n);
            List<Throwable> failures = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            try (Arena arena = Arena.ofShared()) {
                long[] results = new long[4];
                for (int t = 0; t < results.length; t++) {
                    long c = arena.allocate(bytes, 64).address();
                    results[t] = c;
                    Thread thread = new Thread(() -> {
                        for (int round = 0; round < 50; round++) {
                            type.leaf.gemm(Op.TRANS, Op.NONE, n, n, n, 1, 0, a, n, a, n, round == 0 ? 0 : 0.5, 0, c, n,
                                    0, 0);
                        }
                    });
                    thread.setUncaughtExceptionHandler((failed, e) -> failures.add(e));
                    threads.add(thread);
                    thread.start();
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(failures).isEmpty();
                for (long at = 0; at < bytes; at += type.size) {
                    for (long c : results) {
                        assertThat(type.get(c + at)).isEqualTo(type.get(results[0] + at));
                    }
                }
            }
        }
    }
}
