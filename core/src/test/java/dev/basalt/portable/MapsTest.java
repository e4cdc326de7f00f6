package dev.basalt.portable;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Semiring;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Products into triangles, diagonal scaling, sums of matrices and products over semirings against the book. */
class MapsTest {
    private static final int ROUNDS = 200;
    private static final int[] SIZES = {0, 1, 2, 3, 7, 9, 17, 33};
    private static final double[][] SCALARS = {{1, 0, 0, 0}, {2, -1, 1, 0}, {0, 0, 2, 1}, {-1, 2, 3, -1}, {0, 0, 0, 0}};

    private static int size(KernelRun r) {
        return SIZES[r.random.nextInt(SIZES.length)];
    }

    private static Batch stored(KernelRun r, Operand operand, Op op, int m, int n) {
        return op == Op.NONE ? r.matrix(operand, m, n) : r.matrix(operand, n, m);
    }

    private static Mat realDiagonal(Mat a, boolean drop) {
        return Mat.of(a.m(), a.n(), a::re, (i, j) -> i == j && drop ? 0 : a.im(i, j));
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void gemmtAndSyr2k(ElementType type) {
        for (int round = 0; round < 2 * ROUNDS; round++) {
            boolean two = round % 4 < 2;
            try (KernelRun r = new KernelRun(two ? Kernel.SYR2K : Kernel.GEMMT, type, 3000 + round)) {
                int n = size(r);
                int k = size(r);
                r.l.n = n;
                r.l.k = k;
                r.l.uplo = Uplo.values()[r.random.nextInt(2)];
                r.l.hermitian = r.random.nextBoolean();
                r.scalars(SCALARS[r.random.nextInt(SCALARS.length)]);
                boolean conj = r.l.hermitian && r.complex;
                Op turn = conj ? Op.CONJ_TRANS : Op.TRANS;
                r.l.opA = two ? r.random.nextBoolean() ? Op.NONE : turn : Op.values()[r.random.nextInt(3)];
                r.l.opB = Op.values()[r.random.nextInt(3)];
                if (r.l.hermitian) {
                    r.l.beta.set(r.l.beta.re(), 0);
                }
                Batch a = stored(r, r.l.a, r.l.opA, n, k);
                Batch b = two ? stored(r, r.l.b, r.l.opA, n, k) : stored(r, r.l.b, r.l.opB, k, n);
                Batch c = r.matrix(r.l.c, n, n);
                Mat[] as = new Mat[KernelRun.COUNT];
                Mat[] bs = new Mat[KernelRun.COUNT];
                Mat[] cs = new Mat[KernelRun.COUNT];
                Mat[] before = new Mat[KernelRun.COUNT];
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    as[i] = r.l.opA == Op.NONE ? r.random(n, k) : r.random(k, n);
                    boolean tall = two ? r.l.opA == Op.NONE : r.l.opB != Op.NONE;
                    bs[i] = tall ? r.random(n, k) : r.random(k, n);
                    cs[i] = r.random(n, n);
                    if (!r.alphaIsZero()) {
                        a.put(i, as[i]);
                        b.put(i, bs[i]);
                    }
                    if (!r.betaIsZero()) {
                        c.putTriangle(i, cs[i], r.l.uplo, Diag.NON_UNIT);
                    }
                    before[i] = c.get(i);
                }
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat left = as[i].op(r.l.opA);
                    Mat right = two ? bs[i].op(r.l.opA).op(turn) : bs[i].op(r.l.opB);
                    double re = r.l.alpha.re();
                    double im = r.l.alpha.im();
                    Mat sum = left.times(right).times(re, im);
                    if (two) {
                        Mat second = bs[i].op(r.l.opA).times(as[i].op(r.l.opA).op(turn));
                        sum = sum.plus(second.times(re, conj ? -im : im));
                    }
                    Mat old = realDiagonal(cs[i], conj).times(r.l.beta.re(), r.l.beta.im());
                    Mat expected = realDiagonal(sum.plus(old), conj);
                    r.check(c, i, expected.triangleOver(r.l.uplo, before[i]));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void dgmm(ElementType type) {
        for (int round = 0; round < ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.DGMM, type, 4000 + round)) {
                int m = size(r);
                int n = size(r);
                r.l.m = m;
                r.l.n = n;
                r.l.side = Side.values()[r.random.nextInt(2)];
                int order = r.l.side == Side.LEFT ? m : n;
                int inc = r.random.nextInt(5) - 2;
                Batch a = r.matrix(r.l.a, m, n);
                Batch b = r.vector(r.l.b, order, inc);
                Batch c = r.matrix(r.l.c, m, n);
                Mat[] as = r.fill(a, m, n);
                Mat[] bs = r.fill(b, order, 1);
                if (r.random.nextInt(3) == 0) {
                    c = a;
                    r.l.c.set(r.l.a);
                }
                // With an increment of 0 the last element that was put is the only one.
                int one = inc == 0 ? order - 1 : -1;
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat x = bs[i];
                    Mat diagonal = Mat.of(order, order, (p, q) -> p == q ? x.re(one < 0 ? p : one, 0) : 0,
                            (p, q) -> p == q ? x.im(one < 0 ? p : one, 0) : 0);
                    r.check(c, i, r.l.side == Side.LEFT ? diagonal.times(as[i]) : as[i].times(diagonal));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void geam(ElementType type) {
        for (int round = 0; round < 2 * ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.GEAM, type, 5000 + round)) {
                int m = size(r);
                int n = size(r);
                r.l.m = m;
                r.l.n = n;
                r.l.opA = Op.values()[r.random.nextInt(3)];
                r.l.opB = Op.values()[r.random.nextInt(3)];
                r.scalars(SCALARS[r.random.nextInt(SCALARS.length)]);
                Batch a = stored(r, r.l.a, r.l.opA, m, n);
                Batch b = stored(r, r.l.b, r.l.opB, m, n);
                Batch c = r.matrix(r.l.c, m, n);
                Mat[] as = {a.get(0), a.get(1)};
                Mat[] bs = {b.get(0), b.get(1)};
                if (!r.alphaIsZero()) {
                    as = r.l.opA == Op.NONE ? r.fill(a, m, n) : r.fill(a, n, m);
                }
                if (!r.betaIsZero()) {
                    bs = r.l.opB == Op.NONE ? r.fill(b, m, n) : r.fill(b, n, m);
                }
                boolean meets = r.random.nextInt(3) == 0;
                if (meets && r.l.opA == Op.NONE) {
                    c = a;
                    r.l.c.set(r.l.a);
                } else if (meets && r.l.opB == Op.NONE) {
                    c = b;
                    r.l.c.set(r.l.b);
                }
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat zero = new Mat(m, n);
                    Mat left = r.alphaIsZero() ? zero : as[i].op(r.l.opA).times(r.l.alpha.re(), r.l.alpha.im());
                    Mat right = r.betaIsZero() ? zero : bs[i].op(r.l.opB).times(r.l.beta.re(), r.l.beta.im());
                    r.check(c, i, left.plus(right));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64"})
    void geamEx(ElementType type) {
        for (int round = 0; round < ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.GEAM_EX, type, 6000 + round)) {
                int m = size(r);
                int n = size(r);
                int k = size(r);
                r.l.m = m;
                r.l.n = n;
                r.l.k = k;
                r.l.opA = Op.values()[r.random.nextInt(2)];
                r.l.opB = Op.values()[r.random.nextInt(2)];
                r.l.semiring = Semiring.values()[r.random.nextInt(2)];
                r.scalars(SCALARS[r.random.nextInt(SCALARS.length)]);
                Batch a = stored(r, r.l.a, r.l.opA, m, k);
                Batch b = stored(r, r.l.b, r.l.opB, k, n);
                Batch c = r.matrix(r.l.c, m, n);
                Batch d = r.matrix(r.l.d, m, n);
                Mat none = new Mat(0, 0);
                Mat[] as = {none, none};
                Mat[] bs = {none, none};
                Mat[] cs = {new Mat(m, n), new Mat(m, n)};
                if (!r.alphaIsZero()) {
                    as = r.l.opA == Op.NONE ? r.fill(a, m, k) : r.fill(a, k, m);
                    bs = r.l.opB == Op.NONE ? r.fill(b, k, n) : r.fill(b, n, k);
                }
                if (!r.betaIsZero()) {
                    cs = r.fill(c, m, n);
                }
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    Mat x = as[i].op(r.l.opA);
                    Mat y = bs[i].op(r.l.opB);
                    Mat old = cs[i];
                    r.check(d, i, Mat.of(m, n, (p, q) -> element(r, x, y, old.re(p, q), p, q), (p, q) -> 0));
                }
            }
        }
    }

    private static double element(KernelRun r, Mat x, Mat y, double old, int p, int q) {
        double alpha = r.l.alpha.re();
        double v = r.l.beta.re() * old;
        for (int l = 0; l < r.l.k; l++) {
            double left = alpha == 0 ? 0 : alpha * x.re(p, l);
            double right = alpha == 0 ? 0 : alpha * y.re(l, q);
            v = r.l.semiring == Semiring.MIN_PLUS ? Math.min(v, left + right) : v + Math.min(left, right);
        }
        return v;
    }
}
