package dev.basalt.portable;

import dev.basalt.spi.Kernel;
import dev.basalt.type.Diag;
import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kernels that are a small routine in one launch, by their definitions on numbers so small that nothing rounds. */
class SmallReductionsTest {
    /** A read from its end. */
    private static Mat mirrored(Mat a) {
        return Mat.of(a.m(), a.n(), (i, j) -> a.re(a.m() - 1 - i, a.n() - 1 - j),
                (i, j) -> a.im(a.m() - 1 - i, a.n() - 1 - j));
    }

    private static Mat small(Random random, int m, int n, boolean complex) {
        return Mat.of(m, n, (i, j) -> random.nextInt(3) - 1, (i, j) -> complex ? random.nextInt(3) - 1 : 0);
    }

    /** I - τ·v·vᴴ of the reflector in column j, whose one is a row below. */
    private static Mat reflector(Mat a, Mat tau, int j, int high) {
        int n = a.m();
        Mat v = Mat.of(n, 1, (i, c) -> i == j + 1 ? 1 : i > j + 1 && i < high ? a.re(i, j) : 0,
                (i, c) -> i > j + 1 && i < high ? a.im(i, j) : 0);
        return Mat.identity(n).plus(v.times(v.op(Op.CONJ_TRANS)).times(-tau.re(j, 0), -tau.im(j, 0)));
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void qOfAReduction(ElementType type) {
        int[][] ranges =
                {{0, 0, 0}, {1, 0, 1}, {2, 0, 2}, {3, 0, 3}, {6, 0, 6}, {6, 2, 5}, {6, 0, 3}, {6, 3, 3}, {5, 4, 5}};
        long seed = 0;
        for (int[] range : ranges) {
            for (boolean backward : range[1] == 0 && range[2] == range[0]
                    ? new boolean[] {false, true}
                    : new boolean[] {false}) {
                qOfAReduction(type, seed++, range[0], range[1], range[2], backward);
                qOfAReduction(type, seed++, range[0], range[1], range[2], backward);
            }
        }
    }

    private static void qOfAReduction(ElementType type, long seed, int n, int low, int high, boolean backward) {
        try (KernelRun r = new KernelRun(Kernel.ORGTR, type, seed)) {
            r.l.m = n;
            r.l.n = n;
            r.l.p = low;
            r.l.q = high;
            r.l.backward = backward;
            Batch c = r.matrix(r.l.c, n, n);
            Batch d = r.vector(r.l.d, Math.max(0, n - 1), 1);
            Mat[] expected = new Mat[KernelRun.COUNT];
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat a = small(r.random, n, n, r.complex);
                Mat tau = small(r.random, Math.max(0, n - 1), 1, r.complex);
                Mat q = Mat.identity(n);
                for (int j = low; j < high - 1; j++) {
                    q = q.times(reflector(a, tau, j, high));
                }
                c.put(i, backward ? mirrored(a) : a);
                d.put(i, backward ? mirrored(tau) : tau);
                expected[i] = backward ? mirrored(q) : q;
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                r.check(c, i, expected[i]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void standardProblem(ElementType type) {
        long seed = 0;
        for (int n : new int[] {0, 1, 2, 3, 7, 9, 12}) {
            for (Uplo uplo : Uplo.values()) {
                for (Eform form : Eform.values()) {
                    standardProblem(type, seed++, n, uplo, form);
                    standardProblem(type, seed++, n, uplo, form);
                }
            }
        }
    }

    private static void standardProblem(ElementType type, long seed, int n, Uplo uplo, Eform form) {
        try (KernelRun r = new KernelRun(Kernel.SYGST, type, seed)) {
            r.l.m = n;
            r.l.n = n;
            r.l.uplo = uplo;
            r.l.itype = form;
            r.l.hermitian = r.complex;
            Batch a = r.matrix(r.l.a, n, n);
            Batch b = r.matrix(r.l.b, n, n);
            Batch c = r.matrix(r.l.c, n, n);
            Mat[] expected = new Mat[KernelRun.COUNT];
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat lower = small(r.random, n, n, r.complex).easyDiagonal(r.random, false)
                        .triangular(Uplo.LOWER, Diag.NON_UNIT);
                Mat higher = lower.op(Op.CONJ_TRANS);
                Mat own = small(r.random, n, n, r.complex).symmetric(Uplo.LOWER, true);
                boolean divides = form == Eform.AX;
                Mat given = divides ? lower.times(own).times(higher) : own;
                Mat made = divides ? own : higher.times(own).times(lower);
                // What is in the other triangles is not read.
                Mat other = Mat.of(n, n, (x, y) -> Double.NaN, (x, y) -> r.complex ? Double.NaN : 0);
                Mat stored = given.triangleOver(uplo, other);
                a.put(i, (uplo == Uplo.LOWER ? lower : higher).triangleOver(uplo, other));
                c.put(i, stored);
                expected[i] = made.triangleOver(uplo, stored);
            }
            b.put(0, r.random(n, n));
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                r.check(c, i, expected[i]);
            }
        }
    }

    /** Bands that are gone through by element, and the next wider one; of fewer rows than diagonals, too. */
    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void choleskyOfNarrowBands(ElementType type) {
        long seed = 0;
        for (int n : new int[] {1, 2, 3, 5, 12}) {
            for (int k = 0; k <= 5; k++) {
                for (Uplo uplo : Uplo.values()) {
                    for (int fails : new int[] {-1, 0, n / 2, n - 1}) {
                        choleskyOfNarrowBands(type, seed++, n, k, uplo, fails);
                    }
                }
            }
        }
    }

    private static void choleskyOfNarrowBands(ElementType type, long seed, int n, int k, Uplo uplo, int fails) {
        try (KernelRun r = new KernelRun(Kernel.POTF2_STORED, type, seed)) {
            boolean isLower = uplo == Uplo.LOWER;
            r.l.n = n;
            r.l.uplo = uplo;
            Batch c = r.band(r.l.c, n, n, isLower ? k : 0, isLower ? 0 : k);
            Batch e = r.vector(r.l.e, ElementType.I32, 1);
            Mat[] factors = new Mat[KernelRun.COUNT];
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat any = small(r.random, n, n, r.complex);
                Mat lower = Mat.of(n, n, (a, b) -> a == b ? 1 << r.random.nextInt(2) : any.re(a, b),
                        (a, b) -> a == b ? 0 : any.im(a, b)).triangular(Uplo.LOWER, Diag.NON_UNIT).band(k, 0);
                Mat given = lower.times(lower.op(Op.CONJ_TRANS));
                if (fails >= 0) {
                    // What is left of this element is 0.
                    given.re()[fails * (n + 1)] -= lower.re(fails, fails) * lower.re(fails, fails);
                }
                c.put(i, given.triangular(uplo, Diag.NON_UNIT));
                factors[i] = isLower ? lower : lower.op(Op.CONJ_TRANS);
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                r.check(e, i, Mat.of(1, 1, (a, b) -> fails + 1, (a, b) -> 0));
                if (fails < 0) {
                    r.check(c, i, factors[i]);
                }
            }
        }
    }
}
