package dev.basalt.portable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * LU and Cholesky of matrices that are made from their factors. The factors are such that no step rounds and that the
 * pivots are unique, so the factorisation has to give them back exactly.
 */
class FactorisationsTest {
    private static final int FIRST = 3;

    private static Mat column(double[] values) {
        return Mat.of(values.length, 1, (i, j) -> values[i], (i, j) -> 0);
    }

    /** Rows i and p[i] change places. */
    private static Mat exchanged(Mat a, int[] p, int from, int to, boolean backward) {
        Mat r = Mat.of(a.m(), a.n(), a::re, a::im);
        for (int s = from; s < to; s++) {
            int i = backward ? to - 1 - (s - from) : s;
            Mat before = Mat.of(a.m(), a.n(), r::re, r::im);
            for (int j = 0; j < a.n(); j++) {
                r.re()[i + j * a.m()] = before.re(p[i], j);
                r.im()[i + j * a.m()] = before.im(p[i], j);
                r.re()[p[i] + j * a.m()] = before.re(i, j);
                r.im()[p[i] + j * a.m()] = before.im(i, j);
            }
        }
        return r;
    }

    private static int[] pivots(Random random, int k, int m) {
        int[] p = new int[k];
        for (int i = 0; i < k; i++) {
            p[i] = i + random.nextInt(m - i);
        }
        return p;
    }

    private static Mat oneBased(int[] p, int offset) {
        return Mat.of(p.length, 1, (i, j) -> offset + p[i] + 1, (i, j) -> 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void lu(ElementType type) {
        long seed = 0;
        int[][] shapes = {
                {0, 3},
                {3, 0},
                {1, 1},
                {1, 4},
                {4, 1},
                {5, 5},
                {7, 30},
                {30, 7},
                {9, 9},
                {21, 13},
                {13, 21},
                {40, 40}};
        for (int[] shape : shapes) {
            for (int zero : new int[] {-1, 0, 3, 11}) {
                for (int infoBefore : new int[] {0, 2}) {
                    lu(type, seed++, shape[0], shape[1], zero, infoBefore);
                }
            }
        }
    }

    private static void lu(ElementType type, long seed, int m, int n, int zero, int infoBefore) {
        int k = Math.min(m, n);
        try (KernelRun r = new KernelRun(Kernel.GETF2, type, seed)) {
            r.l.m = m;
            r.l.n = n;
            r.l.p = FIRST;
            Batch c = r.matrix(r.l.c, m, n);
            Batch d = r.vector(r.l.d, ElementType.I64, k);
            Batch e = r.vector(r.l.e, ElementType.I32, 1);
            Mat[] packed = new Mat[KernelRun.COUNT];
            int[][] p = new int[KernelRun.COUNT][];
            for (int i = 0; i < KernelRun.COUNT; i++) {
                p[i] = pivots(r.random, k, m);
                // Multipliers of at most one half: only the element that belongs there can be the pivot.
                Mat half = Mat.random(r.random, m, k, false);
                Mat lower = Mat.of(m, k, (a, b) -> a == b ? 1 : a < b || b == zero ? 0 : Math.signum(half.re(a, b)) / 2,
                        (a, b) -> 0);
                Mat upper = Mat.random(r.random, k, n, r.complex).easyDiagonal(r.random, r.complex);
                if (zero >= 0 && zero < k) {
                    upper.re()[zero + zero * k] = 0;
                    upper.im()[zero + zero * k] = 0;
                    p[i][zero] = zero;
                }
                packed[i] = Mat.of(m, n, (a, b) -> a > b ? lower.re(a, b) : upper.re(a, b),
                        (a, b) -> a > b ? lower.im(a, b) : upper.im(a, b));
                Mat clean = Mat.of(k, n, (a, b) -> a > b ? 0 : upper.re(a, b), (a, b) -> a > b ? 0 : upper.im(a, b));
                c.put(i, exchanged(lower.times(clean), p[i], 0, k, true));
                e.put(i, column(new double[] {infoBefore}));
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                r.check(c, i, packed[i]);
                r.check(d, i, oneBased(p[i], FIRST));
                int info = infoBefore != 0 ? infoBefore : zero >= 0 && zero < k ? FIRST + zero + 1 : 0;
                r.check(e, i, column(new double[] {info}));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void luOfAnyMatrix(ElementType type) {
        int n = 50;
        try (KernelRun r = new KernelRun(Kernel.GETF2, type, 7)) {
            r.l.m = n;
            r.l.n = n;
            Batch c = r.matrix(r.l.c, n, n);
            Batch d = r.vector(r.l.d, ElementType.I64, n);
            r.vector(r.l.e, ElementType.I32, 1);
            Mat[] a = r.fill(c, n, n);
            r.run();
            Mat f = c.get(0);
            int[] p = new int[n];
            for (int i = 0; i < n; i++) {
                p[i] = (int) d.get(0).re(i, 0) - 1;
            }
            Mat lower = f.triangular(Uplo.LOWER, Diag.UNIT);
            Mat product = lower.times(f.triangular(Uplo.UPPER, Diag.NON_UNIT));
            double distance = product.distance(exchanged(a[0], p, 0, n, false));
            assertThat(distance).as(r::toString).isLessThan(1000 * r.unit());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void pivotRule(ElementType type) {
        double nan = Double.NaN;
        pivot(type, new double[] {1, -2, 2, 2}, 2, 0);
        pivot(type, new double[] {0, 0, 0}, 1, 1);
        pivot(type, new double[] {5, nan, 7}, 2, 0);
        // Too small for its reciprocal.
        double tiny = type.real() == ElementType.F32 ? Float.MIN_VALUE : Double.MIN_VALUE;
        pivot(type, new double[] {0, 4 * tiny, 2 * tiny}, 2, 0);
    }

    private static void pivot(ElementType type, double[] values, int expected, int info) {
        try (KernelRun r = new KernelRun(Kernel.GETF2, type, 8)) {
            r.l.m = values.length;
            r.l.n = 1;
            Batch c = r.matrix(r.l.c, values.length, 1);
            Batch d = r.vector(r.l.d, ElementType.I64, 1);
            Batch e = r.vector(r.l.e, ElementType.I32, 1);
            c.put(0, column(values));
            c.put(1, column(values));
            r.run();
            r.check(d, 1, column(new double[] {expected}));
            r.check(e, 1, column(new double[] {info}));
            if (info == 0 && !Double.isNaN(values[1])) {
                assertThat(c.get(1).re(2, 0)).isEqualTo(values[2] / values[1]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void interchanges(ElementType type) {
        long seed = 500;
        for (int n : new int[] {0, 1, 3, 4, 7}) {
            for (boolean backward : new boolean[] {false, true}) {
                for (int from : new int[] {0, 2}) {
                    int m = 9;
                    int to = 6;
                    int offset = 5;
                    try (KernelRun r = new KernelRun(Kernel.LASWP, type, seed++)) {
                        r.l.m = m;
                        r.l.n = n;
                        r.l.p = from;
                        r.l.q = to;
                        r.l.k = offset;
                        r.l.backward = backward;
                        Batch c = r.matrix(r.l.c, m, n);
                        Mat[] cs = r.fill(c, m, n);
                        Batch d = r.vector(r.l.d, ElementType.I64, to);
                        int[][] p = {pivots(r.random, to, m), pivots(r.random, to, m)};
                        d.put(0, oneBased(p[0], offset));
                        d.put(1, oneBased(p[1], offset));
                        r.run();
                        r.check(c, 0, exchanged(cs[0], p[0], from, to, backward));
                        r.check(c, 1, exchanged(cs[1], p[1], from, to, backward));
                    }
                }
            }
        }
    }

    /** Pivots that are no rows make NaN of their problem, whatever has been exchanged, and say so in info. */
    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void interchangesWithRowsThatAreNone(ElementType type) {
        int m = 9;
        int offset = 5;
        long[] wrong = {
                offset,
                offset + m + 1,
                0,
                -1,
                1L << 31,
                (1L << 31) - 1,
                1L << 61,
                (1L << 61) + offset + 1,
                Long.MIN_VALUE,
                Long.MAX_VALUE};
        long seed = 700;
        for (long pivot : wrong) {
            for (boolean backward : new boolean[] {false, true}) {
                try (KernelRun r = new KernelRun(Kernel.LASWP, type, seed++)) {
                    r.l.m = m;
                    r.l.n = 3;
                    r.l.q = 6;
                    r.l.k = offset;
                    r.l.backward = backward;
                    Batch c = r.matrix(r.l.c, m, 3);
                    Mat[] cs = r.fill(c, m, 3);
                    Batch d = r.vector(r.l.d, ElementType.I64, 6);
                    Batch e = r.vector(r.l.e, ElementType.I32, 1);
                    int[] good = pivots(r.random, 6, m);
                    d.put(0, oneBased(good, offset));
                    d.put(1, oneBased(good, offset));
                    Memory.i64(r.l.d.at(1) + 8L * r.random.nextInt(6), pivot);
                    r.run();
                    r.check(c, 0, exchanged(cs[0], good, 0, 6, backward));
                    r.check(e, 0, column(new double[] {0}));
                    r.check(e, 1, column(new double[] {Kernel.WRONG_PIVOTS}));
                    Mat nan = Mat.of(m, 3, (i, j) -> Double.NaN, (i, j) -> type.isComplex() ? Double.NaN : 0);
                    r.check(c, 1, nan);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void cholesky(ElementType type) {
        long seed = 1000;
        for (int n : new int[] {0, 1, 2, 7, 8, 9, 21, 40}) {
            for (Uplo uplo : Uplo.values()) {
                for (int bad : new int[] {-1, 0, 5, 17}) {
                    for (double value : new double[] {0, -1, Double.NaN}) {
                        cholesky(type, seed++, n, uplo, bad, value, 0);
                    }
                }
                cholesky(type, seed++, n, uplo, -1, 0, 9);
            }
        }
    }

    /** With {@code bad}, the minor of order bad + 1 has a last pivot of at most 0, or NaN. */
    private static void cholesky(ElementType type, long seed, int n, Uplo uplo, int bad, double value, int infoBefore) {
        try (KernelRun r = new KernelRun(Kernel.POTF2, type, seed)) {
            r.l.n = n;
            r.l.uplo = uplo;
            r.l.p = FIRST;
            Batch c = r.matrix(r.l.c, n, n);
            Batch e = r.vector(r.l.e, ElementType.I32, 1);
            Mat[] factor = new Mat[KernelRun.COUNT];
            Mat[] full = new Mat[KernelRun.COUNT];
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat any = r.random(n, n);
                Mat l = Mat.of(n, n, (a, b) -> a == b ? 1 << a % 2 : a > b ? any.re(a, b) : 0,
                        (a, b) -> a > b ? any.im(a, b) : 0);
                full[i] = l.times(l.op(Op.CONJ_TRANS));
                factor[i] = uplo == Uplo.LOWER ? l : l.op(Op.CONJ_TRANS);
                if (bad >= 0 && bad < n) {
                    double diagonal = l.re(bad, bad);
                    full[i].re()[bad + bad * n] += value - diagonal * diagonal;
                }
                if (r.complex) {
                    // Not used, so it may be anything.
                    for (int j = 0; j < n; j++) {
                        full[i].im()[j + j * n] = 77;
                    }
                }
                c.putTriangle(i, full[i], uplo, Diag.NON_UNIT);
                e.put(i, column(new double[] {infoBefore}));
            }
            r.run();
            boolean fails = bad >= 0 && bad < n;
            for (int i = 0; i < KernelRun.COUNT; i++) {
                double info = infoBefore != 0 ? infoBefore : fails ? FIRST + bad + 1 : 0;
                r.check(e, i, column(new double[] {info}));
                // A failed problem is left half done: only the other triangle is sure.
                Mat result = infoBefore != 0 ? full[i] : fails ? c.get(i) : factor[i];
                r.check(c, i, result.triangleOver(uplo, c.filler()));
            }
        }
    }
}
