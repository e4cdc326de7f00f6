package dev.basalt.portable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Kernel;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Level 3 against definitions, exactly, on small integers. */
class ProductsTest {
    private static final int[] ORDERS = {0, 1, 2, 5, 8, 9, 19};
    private static final double[][] ALPHAS = {{0, 0}, {1, 0}, {-2, 1}};
    private static final double[][] BETAS = {{0, 0}, {1, 0}, {2, -1}};

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void gemm(ElementType type) {
        long seed = 0;
        int[][] shapes =
                {{0, 2, 3}, {2, 0, 1}, {3, 2, 0}, {1, 1, 1}, {4, 4, 4}, {5, 3, 7}, {6, 9, 2}, {2, 7, 5}, {9, 1, 6}};
        for (int[] shape : shapes) {
            for (Op opA : Op.values()) {
                for (Op opB : Op.values()) {
                    for (double[] alpha : ALPHAS) {
                        for (double[] beta : BETAS) {
                            gemm(type, seed++, shape, opA, opB, alpha, beta);
                        }
                    }
                }
            }
        }
        for (Op opA : Op.values()) {
            gemm(type, seed++, new int[] {133, 5, 259}, opA, Op.CONJ_TRANS, ALPHAS[2], BETAS[2]);
        }
    }

    private static void gemm(ElementType type, long seed, int[] shape, Op opA, Op opB, double[] alpha, double[] beta) {
        try (KernelRun r = new KernelRun(Kernel.GEMM, type, seed)) {
            int m = shape[0];
            int n = shape[1];
            int k = shape[2];
            r.l.m = m;
            r.l.n = n;
            r.l.k = k;
            r.l.opA = opA;
            r.l.opB = opB;
            double ai = r.complex ? alpha[1] : 0;
            double bi = r.complex ? beta[1] : 0;
            r.l.alpha.set(alpha[0], ai);
            r.l.beta.set(beta[0], bi);
            boolean reads = alpha[0] != 0;
            Batch a = opA == Op.NONE ? r.matrix(r.l.a, m, k) : r.matrix(r.l.a, k, m);
            Batch b = opB == Op.NONE ? r.matrix(r.l.b, k, n) : r.matrix(r.l.b, n, k);
            Batch c = r.matrix(r.l.c, m, n);
            Mat[] as = {r.random(m, k).op(opA), r.random(m, k).op(opA)};
            Mat[] bs = {r.random(k, n).op(opB), r.random(k, n).op(opB)};
            Mat[] cs = {r.random(m, n), r.random(m, n)};
            for (int i = 0; i < KernelRun.COUNT; i++) {
                a.put(i, reads ? as[i] : a.filler());
                b.put(i, reads ? bs[i] : b.filler());
                c.put(i, beta[0] == 0 ? Mat.nan(m, n) : cs[i]);
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat expected = as[i].op(opA).times(bs[i].op(opB)).times(alpha[0], ai);
                r.check(c, i, expected.plus(cs[i].times(beta[0], bi)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void symm(ElementType type) {
        long seed = 1000;
        for (int order : ORDERS) {
            for (Side side : Side.values()) {
                for (Uplo uplo : Uplo.values()) {
                    for (boolean hermitian : new boolean[] {false, true}) {
                        for (double[] alpha : ALPHAS) {
                            for (double[] beta : BETAS) {
                                symm(type, seed++, order, side, uplo, hermitian, alpha, beta);
                            }
                        }
                    }
                }
            }
        }
    }

    private static void symm(ElementType type, long seed, int order, Side side, Uplo uplo, boolean hermitian,
            double[] alpha, double[] beta) {
        try (KernelRun r = new KernelRun(Kernel.SYMM, type, seed)) {
            int m = side == Side.LEFT ? order : 3;
            int n = side == Side.LEFT ? 3 : order;
            r.l.m = m;
            r.l.n = n;
            r.l.side = side;
            r.l.uplo = uplo;
            r.l.hermitian = hermitian;
            double ai = r.complex ? alpha[1] : 0;
            double bi = r.complex ? beta[1] : 0;
            r.l.alpha.set(alpha[0], ai);
            r.l.beta.set(beta[0], bi);
            boolean reads = alpha[0] != 0;
            Batch a = r.matrix(r.l.a, order, order);
            Batch b = r.matrix(r.l.b, m, n);
            Batch c = r.matrix(r.l.c, m, n);
            Mat[] as = {r.random(order, order), r.random(order, order)};
            Mat[] bs = {r.random(m, n), r.random(m, n)};
            Mat[] cs = r.fill(c, m, n);
            for (int i = 0; i < KernelRun.COUNT && reads; i++) {
                a.putTriangle(i, as[i], uplo, Diag.NON_UNIT);
                b.put(i, bs[i]);
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat full = as[i].symmetric(uplo, hermitian && r.complex);
                Mat product = side == Side.LEFT ? full.times(bs[i]) : bs[i].times(full);
                r.check(c, i, product.times(alpha[0], ai).plus(cs[i].times(beta[0], bi)));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void syrk(ElementType type) {
        long seed = 2000;
        for (int n : ORDERS) {
            for (int k : new int[] {0, 1, 6}) {
                for (Uplo uplo : Uplo.values()) {
                    for (Op op : Op.values()) {
                        for (boolean hermitian : new boolean[] {false, true}) {
                            for (double[] alpha : ALPHAS) {
                                for (double[] beta : BETAS) {
                                    syrk(type, seed++, n, k, uplo, op, hermitian, alpha, beta);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static void syrk(ElementType type, long seed, int n, int k, Uplo uplo, Op op, boolean hermitian,
            double[] alpha, double[] beta) {
        if (type.isComplex() && op == (hermitian ? Op.TRANS : Op.CONJ_TRANS)) {
            return;
        }
        try (KernelRun r = new KernelRun(Kernel.SYRK, type, seed)) {
            r.l.n = n;
            r.l.k = k;
            r.l.uplo = uplo;
            r.l.opA = op;
            r.l.hermitian = hermitian;
            boolean real = hermitian || !r.complex;
            double ai = real ? 0 : alpha[1];
            double bi = real ? 0 : beta[1];
            r.l.alpha.set(alpha[0], ai);
            r.l.beta.set(beta[0], bi);
            boolean reads = alpha[0] != 0;
            Batch a = op == Op.NONE ? r.matrix(r.l.a, n, k) : r.matrix(r.l.a, k, n);
            Batch c = r.matrix(r.l.c, n, n);
            Mat[] as = {r.random(n, k).op(op), r.random(n, k).op(op)};
            Mat[] cs = {r.random(n, n), r.random(n, n)};
            for (int i = 0; i < KernelRun.COUNT; i++) {
                a.put(i, reads ? as[i] : a.filler());
                c.putTriangle(i, beta[0] == 0 ? Mat.nan(n, n) : cs[i], uplo, Diag.NON_UNIT);
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat x = as[i].op(op);
                Mat old = hermitian ? cs[i].symmetric(uplo, r.complex) : cs[i];
                Mat product = x.times(x.op(hermitian ? Op.CONJ_TRANS : Op.TRANS)).times(alpha[0], ai);
                r.check(c, i, product.plus(old.times(beta[0], bi)).triangleOver(uplo, c.filler()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void trmmAndTrsm(ElementType type) {
        long seed = 3000;
        for (int order : ORDERS) {
            for (Side side : Side.values()) {
                for (Uplo uplo : Uplo.values()) {
                    for (Op op : Op.values()) {
                        for (Diag diag : Diag.values()) {
                            for (double[] alpha : new double[][] {{0, 0}, {1, 0}, {2, 0}, {0, 2}}) {
                                trmm(type, seed++, order, side, uplo, op, diag, alpha, Kernel.TRMM);
                                trmm(type, seed++, order, side, uplo, op, diag, alpha, Kernel.TRSM);
                            }
                        }
                    }
                }
            }
        }
    }

    /** TRSM runs backwards: it gets what TRMM would give, and has to find what TRMM would start from. */
    private static void trmm(ElementType type, long seed, int order, Side side, Uplo uplo, Op op, Diag diag,
            double[] alpha, Kernel kernel) {
        if (!type.isComplex() && alpha[1] != 0) {
            return;
        }
        try (KernelRun r = new KernelRun(kernel, type, seed)) {
            int m = side == Side.LEFT ? order : 3;
            int n = side == Side.LEFT ? 3 : order;
            r.l.m = m;
            r.l.n = n;
            r.l.side = side;
            r.l.uplo = uplo;
            r.l.opA = op;
            r.l.diag = diag;
            r.l.alpha.set(alpha[0], alpha[1]);
            boolean zero = alpha[0] == 0 && alpha[1] == 0;
            Batch a = r.matrix(r.l.a, order, order);
            Batch c = r.matrix(r.l.c, m, n);
            Mat[] expected = new Mat[KernelRun.COUNT];
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat full = r.random(order, order).easyDiagonal(r.random, r.complex);
                Mat x = r.random(m, n);
                Mat t = full.triangular(uplo, diag).op(op);
                Mat product = side == Side.LEFT ? t.times(x) : x.times(t);
                if (!zero) {
                    a.putTriangle(i, full, uplo, diag);
                }
                if (kernel == Kernel.TRMM) {
                    c.put(i, zero ? Mat.nan(m, n) : x);
                    expected[i] = product.times(alpha[0], alpha[1]);
                } else {
                    // 1 / alpha is conj(alpha) / |alpha|².
                    double square = alpha[0] * alpha[0] + alpha[1] * alpha[1];
                    c.put(i, zero ? Mat.nan(m, n) : product.times(alpha[0] / square, -alpha[1] / square));
                    expected[i] = zero ? new Mat(m, n) : x;
                }
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                r.check(c, i, expected[i]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void trtri(ElementType type) {
        long seed = 4000;
        for (int n : ORDERS) {
            for (Uplo uplo : Uplo.values()) {
                for (Diag diag : Diag.values()) {
                    try (KernelRun r = new KernelRun(Kernel.TRTRI, type, seed++)) {
                        r.l.n = n;
                        r.l.uplo = uplo;
                        r.l.diag = diag;
                        Batch c = r.matrix(r.l.c, n, n);
                        Mat[] full = new Mat[KernelRun.COUNT];
                        for (int i = 0; i < KernelRun.COUNT; i++) {
                            // Small beside the diagonal, so that the inverse is small too.
                            Mat easy = r.random(n, n).times(1 / 32.0, 0).easyDiagonal(r.random, r.complex);
                            c.putTriangle(i, easy, uplo, diag);
                            full[i] = easy.triangular(uplo, diag);
                        }
                        r.run();
                        for (int i = 0; i < KernelRun.COUNT; i++) {
                            Mat inverse = c.get(i);
                            Mat product = full[i].times(inverse.triangular(uplo, diag));
                            assertThat(product.distance(Mat.identity(n))).as(r::toString).isLessThan(64 * r.unit());
                            Mat untouched = inverse.triangleOver(uplo, c.filler());
                            for (int j = 0; j < n && diag == Diag.UNIT; j++) {
                                untouched.re()[j + j * n] = c.filler().re()[0];
                                untouched.im()[j + j * n] = c.filler().im()[0];
                            }
                            r.check(c, i, untouched);
                        }
                    }
                }
            }
        }
    }
}
