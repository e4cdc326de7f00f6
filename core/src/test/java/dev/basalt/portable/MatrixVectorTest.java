package dev.basalt.portable;

import dev.basalt.spi.Kernel;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Level 2 against definitions, exactly, on small integers. */
class MatrixVectorTest {
    private static final int[] ORDERS = {0, 1, 2, 5, 9, 16, 17, 35};
    private static final long[][] INCREMENTS = {{1, 1}, {2, -1}, {-3, 2}};
    private static final double[][] SCALARS = {{0, 0, 0, 0}, {0, 0, 2, 1}, {1, 0, 1, 0}, {-2, 1, 0, 0}, {2, 1, 2, -1}};

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void gemv(ElementType type) {
        long seed = 0;
        int[][] shapes = {{0, 3}, {3, 0}, {1, 1}, {2, 3}, {5, 4}, {4, 9}, {33, 7}, {6, 35}};
        for (int[] shape : shapes) {
            for (Op op : Op.values()) {
                for (long[] inc : INCREMENTS) {
                    for (double[] scalars : SCALARS) {
                        gemv(type, seed++, shape[0], shape[1], op, inc, scalars);
                    }
                }
            }
        }
    }

    private static void gemv(ElementType type, long seed, int m, int n, Op op, long[] inc, double[] scalars) {
        try (KernelRun r = new KernelRun(Kernel.GEMV, type, seed)) {
            r.l.m = m;
            r.l.n = n;
            r.l.opA = op;
            r.scalars(scalars);
            int rows = op == Op.NONE ? m : n;
            int cols = op == Op.NONE ? n : m;
            Batch a = r.matrix(r.l.a, m, n);
            Batch b = r.vector(r.l.b, cols, inc[0]);
            Batch c = r.vector(r.l.c, rows, inc[1]);
            Mat[] as = {r.random(m, n), r.random(m, n)};
            Mat[] bs = {r.random(cols, 1), r.random(cols, 1)};
            Mat[] cs = {r.random(rows, 1), r.random(rows, 1)};
            for (int i = 0; i < KernelRun.COUNT; i++) {
                a.put(i, r.alphaIsZero() ? a.filler() : as[i]);
                b.put(i, r.alphaIsZero() ? b.filler() : bs[i]);
                c.put(i, r.betaIsZero() ? c.filler() : cs[i]);
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                r.check(c, i, r.combine(as[i].op(op).times(bs[i]), cs[i]));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void ger(ElementType type) {
        long seed = 1000;
        for (int[] shape : new int[][] {{0, 3}, {3, 0}, {1, 1}, {5, 4}, {4, 9}}) {
            for (boolean conj : new boolean[] {false, true}) {
                for (long[] inc : INCREMENTS) {
                    for (double[] scalars : SCALARS) {
                        int m = shape[0];
                        int n = shape[1];
                        try (KernelRun r = new KernelRun(Kernel.GER, type, seed++)) {
                            r.l.m = m;
                            r.l.n = n;
                            r.l.conjugated = conj;
                            r.scalars(new double[] {scalars[0], scalars[1], 1, 0});
                            Mat[] as = r.fill(r.vector(r.l.a, m, inc[0]), m, 1);
                            Mat[] bs = r.fill(r.vector(r.l.b, n, inc[1]), n, 1);
                            Batch c = r.matrix(r.l.c, m, n);
                            Mat[] cs = r.fill(c, m, n);
                            r.run();
                            for (int i = 0; i < KernelRun.COUNT; i++) {
                                Mat product = as[i].times(bs[i].op(conj ? Op.CONJ_TRANS : Op.TRANS));
                                r.check(c, i, r.combine(product, cs[i]));
                            }
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void symv(ElementType type) {
        long seed = 2000;
        for (int n : ORDERS) {
            for (Uplo uplo : Uplo.values()) {
                for (boolean hermitian : new boolean[] {false, true}) {
                    for (long[] inc : INCREMENTS) {
                        for (double[] scalars : SCALARS) {
                            symv(type, seed++, n, uplo, hermitian, inc, scalars);
                        }
                    }
                }
            }
        }
    }

    private static void symv(ElementType type, long seed, int n, Uplo uplo, boolean hermitian, long[] inc,
            double[] scalars) {
        try (KernelRun r = new KernelRun(Kernel.SYMV, type, seed)) {
            r.l.n = n;
            r.l.uplo = uplo;
            r.l.hermitian = hermitian;
            r.scalars(scalars);
            Batch a = r.matrix(r.l.a, n, n);
            Batch b = r.vector(r.l.b, n, inc[0]);
            Batch c = r.vector(r.l.c, n, inc[1]);
            Mat[] as = {r.random(n, n), r.random(n, n)};
            Mat[] bs = {r.random(n, 1), r.random(n, 1)};
            Mat[] cs = {r.random(n, 1), r.random(n, 1)};
            for (int i = 0; i < KernelRun.COUNT; i++) {
                if (!r.alphaIsZero()) {
                    a.putTriangle(i, as[i], uplo, Diag.NON_UNIT);
                    b.put(i, bs[i]);
                }
                c.put(i, r.betaIsZero() ? c.filler() : cs[i]);
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat product = as[i].symmetric(uplo, hermitian && r.complex).times(bs[i]);
                r.check(c, i, r.combine(product, cs[i]));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void trmvAndTrsv(ElementType type) {
        long seed = 3000;
        for (int n : ORDERS) {
            for (Uplo uplo : Uplo.values()) {
                for (Op op : Op.values()) {
                    for (Diag diag : Diag.values()) {
                        for (long inc : new long[] {1, 2, -3}) {
                            trmv(type, seed++, n, uplo, op, diag, inc, Kernel.TRMV);
                            trmv(type, seed++, n, uplo, op, diag, inc, Kernel.TRSV);
                        }
                    }
                }
            }
        }
    }

    private static void trmv(ElementType type, long seed, int n, Uplo uplo, Op op, Diag diag, long inc, Kernel kernel) {
        try (KernelRun r = new KernelRun(kernel, type, seed)) {
            r.l.n = n;
            r.l.uplo = uplo;
            r.l.opA = op;
            r.l.diag = diag;
            Batch a = r.matrix(r.l.a, n, n);
            Batch c = r.vector(r.l.c, n, inc);
            Mat[] expected = new Mat[KernelRun.COUNT];
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat full = r.random(n, n).easyDiagonal(r.random, r.complex);
                Mat x = r.random(n, 1);
                Mat product = full.triangular(uplo, diag).op(op).times(x);
                a.putTriangle(i, full, uplo, diag);
                c.put(i, kernel == Kernel.TRMV ? x : product);
                expected[i] = kernel == Kernel.TRMV ? product : x;
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                r.check(c, i, expected[i]);
            }
        }
    }
}
