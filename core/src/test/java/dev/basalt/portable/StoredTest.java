package dev.basalt.portable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Storage;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels over bands and packed triangles against the book. */
class StoredTest {
    private static final int ROUNDS = 300;
    private static final int[] SIZES = {0, 1, 2, 3, 5, 9, 17, 33};
    private static final int[] DIAGONALS = {0, 1, 2, 5, 40};
    private static final long[] INCREMENTS = {-2, -1, 1, 2};
    private static final double[][] SCALARS = {{1, 0, 0, 0}, {2, -1, 1, 0}, {0, 0, 2, 1}, {-1, 2, 3, -1}, {0, 0, 0, 0}};

    private static int any(Random random, int[] of) {
        return of[random.nextInt(of.length)];
    }

    private static long increment(Random random) {
        return INCREMENTS[random.nextInt(INCREMENTS.length)];
    }

    private static double[] scalars(Random random) {
        return SCALARS[random.nextInt(SCALARS.length)];
    }

    /** A triangle of some order in operand a: a band of k diagonals, or packed. */
    private static Batch triangle(KernelRun r, int n, int k) {
        if (k < 0) {
            return r.packed(r.l.a, n);
        }
        boolean upper = r.l.uplo == Uplo.UPPER;
        // What the other triangle has room for is not read.
        int other = r.random.nextInt(3);
        return r.band(r.l.a, n, n, upper ? other : k, upper ? k : other);
    }

    private static Mat within(Mat a, int k) {
        return k < 0 ? a : a.band(k, k);
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void gbmv(ElementType type) {
        for (int round = 0; round < ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.GEMV, type, 100 + round)) {
                int m = any(r.random, SIZES);
                int n = any(r.random, SIZES);
                int kl = any(r.random, DIAGONALS);
                int ku = any(r.random, DIAGONALS);
                r.l.opA = Op.values()[r.random.nextInt(3)];
                r.l.m = m;
                r.l.n = n;
                r.scalars(scalars(r.random));
                int rows = r.l.opA == Op.NONE ? m : n;
                Batch a = r.band(r.l.a, m, n, kl, ku);
                Batch b = r.vector(r.l.b, m + n - rows, increment(r.random));
                Batch c = r.vector(r.l.c, rows, increment(r.random));
                Mat[] as = {r.random(m, n), r.random(m, n)};
                Mat[] bs = {r.random(m + n - rows, 1), r.random(m + n - rows, 1)};
                Mat[] cs = {r.random(rows, 1), r.random(rows, 1)};
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    if (!r.alphaIsZero()) {
                        a.put(i, as[i]);
                        b.put(i, bs[i]);
                    }
                    c.put(i, r.betaIsZero() ? c.filler() : cs[i]);
                }
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat product = as[i].band(kl, ku).op(r.l.opA).times(bs[i]);
                    r.check(c, i, r.combine(product, cs[i]));
                }
            }
        }
    }

    /** Blocks of a band, beside the diagonal too, are bands. */
    @ParameterizedTest
    @EnumSource(names = {"F32", "C64"})
    void blocksOfBands(ElementType type) {
        for (int round = 0; round < ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.GEMV, type, 2 * round)) {
                int n = 12;
                int kl = r.random.nextInt(4);
                int ku = r.random.nextInt(4);
                int i0 = r.random.nextInt(n);
                int j0 = r.random.nextInt(n);
                int rows = r.random.nextInt(n - i0 + 1);
                int cols = r.random.nextInt(n - j0 + 1);
                Batch a = r.band(r.l.a, n, n, kl, ku);
                Batch b = r.vector(r.l.b, cols, 1);
                Batch c = r.vector(r.l.c, rows, 1);
                Mat[] as = r.fill(a, n, n);
                Mat[] bs = r.fill(b, cols, 1);
                r.l.a.block(r.l.a, i0, j0, rows, cols);
                r.l.m = rows;
                r.l.n = cols;
                assertThat(r.l.a.storage).isEqualTo(Storage.BAND);
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat whole = as[i].band(kl, ku);
                    Mat block =
                            Mat.of(rows, cols, (x, y) -> whole.re(i0 + x, j0 + y), (x, y) -> whole.im(i0 + x, j0 + y));
                    r.check(c, i, block.times(bs[i]));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void sbmvAndSpmv(ElementType type) {
        for (int round = 0; round < ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.SYMV, type, 500 + round)) {
                int n = any(r.random, SIZES);
                int k = round % 3 == 0 ? -1 : any(r.random, DIAGONALS);
                r.l.n = n;
                r.l.uplo = Uplo.values()[r.random.nextInt(2)];
                r.l.hermitian = r.random.nextBoolean();
                r.scalars(scalars(r.random));
                Batch a = triangle(r, n, k);
                Batch b = r.vector(r.l.b, n, increment(r.random));
                Batch c = r.vector(r.l.c, n, increment(r.random));
                Mat[] as = {r.random(n, n), r.random(n, n)};
                Mat[] bs = {r.random(n, 1), r.random(n, 1)};
                Mat[] cs = {r.random(n, 1), r.random(n, 1)};
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    if (!r.alphaIsZero()) {
                        a.putTriangle(i, as[i], r.l.uplo, Diag.NON_UNIT);
                        b.put(i, bs[i]);
                    }
                    c.put(i, r.betaIsZero() ? c.filler() : cs[i]);
                }
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat full = within(as[i].symmetric(r.l.uplo, r.l.hermitian && r.complex), k);
                    r.check(c, i, r.combine(full.times(bs[i]), cs[i]));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void multipliesAndSolvesWithTriangles(ElementType type) {
        for (int round = 0; round < 2 * ROUNDS; round++) {
            Kernel kernel = round % 4 < 2 ? Kernel.TRMV : Kernel.TRSV;
            try (KernelRun r = new KernelRun(kernel, type, 900 + round)) {
                int n = any(r.random, SIZES);
                int k = round % 3 == 0 ? -1 : any(r.random, DIAGONALS);
                r.l.n = n;
                r.l.uplo = Uplo.values()[r.random.nextInt(2)];
                r.l.opA = Op.values()[r.random.nextInt(3)];
                r.l.diag = Diag.values()[r.random.nextInt(2)];
                Batch a = triangle(r, n, k);
                Batch c = r.vector(r.l.c, n, increment(r.random));
                Mat[] xs = {r.random(n, 1), r.random(n, 1)};
                Mat[] products = new Mat[KernelRun.COUNT];
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat full = r.random(n, n).easyDiagonal(r.random, r.complex);
                    a.putTriangle(i, full, r.l.uplo, r.l.diag);
                    products[i] = within(full.triangular(r.l.uplo, r.l.diag), k).op(r.l.opA).times(xs[i]);
                    c.put(i, kernel == Kernel.TRMV ? xs[i] : products[i]);
                }
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    r.check(c, i, kernel == Kernel.TRMV ? products[i] : xs[i]);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void rankUpdates(ElementType type) {
        for (int round = 0; round < 2 * ROUNDS; round++) {
            Kernel kernel = round % 4 < 2 ? Kernel.SYR : Kernel.SYR2;
            try (KernelRun r = new KernelRun(kernel, type, 1500 + round)) {
                int n = any(r.random, SIZES);
                r.l.n = n;
                r.l.uplo = Uplo.values()[r.random.nextInt(2)];
                boolean hermitian = r.random.nextBoolean();
                r.l.hermitian = hermitian;
                r.scalars(scalars(r.random));
                if (hermitian && kernel == Kernel.SYR) {
                    r.l.alpha.set(r.l.alpha.re(), 0);
                }
                Batch c = r.random.nextBoolean() ? r.packed(r.l.c, n) : r.matrix(r.l.c, n, n);
                Batch a = r.vector(r.l.a, n, increment(r.random));
                Batch b = r.vector(r.l.b, n, increment(r.random));
                boolean conj = hermitian && r.complex;
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat x = r.random(n, 1);
                    Mat y = kernel == Kernel.SYR ? x : r.random(n, 1);
                    Mat old = r.random(n, n);
                    if (!r.alphaIsZero()) {
                        a.put(i, x);
                        b.put(i, y);
                    }
                    c.putTriangle(i, old, r.l.uplo, Diag.NON_UNIT);
                    Mat before = c.get(i);
                    Op turn = conj ? Op.CONJ_TRANS : Op.TRANS;
                    double re = r.l.alpha.re();
                    double im = r.l.alpha.im();
                    Mat sum = x.times(y.op(turn)).times(re, im);
                    if (kernel == Kernel.SYR2) {
                        sum = sum.plus(y.times(x.op(turn)).times(re, conj ? -im : im));
                    }
                    Mat whole = old.plus(sum);
                    boolean drop = conj && !r.alphaIsZero();
                    Mat expected = Mat.of(n, n, whole::re, (p, q) -> p == q && drop ? 0 : whole.im(p, q));
                    KernelRun.KERNELS.run(r.l, i, i + 1, 0, 0);
                    r.check(c, i, expected.triangleOver(r.l.uplo, before));
                }
            }
        }
    }
}
