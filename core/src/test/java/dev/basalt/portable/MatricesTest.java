package dev.basalt.portable;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies and maps of matrices and triangles. */
class MatricesTest {
    private static final int[] ORDERS = {0, 1, 2, 6};
    private static final double[][] BETAS = {{0, 0}, {1, 0}, {2, -1}};

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64", "I32", "I64"})
    void copy(ElementType type) {
        for (int m : new int[] {0, 1, 4, 70}) {
            for (int n : new int[] {0, 1, 3}) {
                // Integers have no NaN to fill with.
                try (KernelRun r = new KernelRun(Kernel.COPY_MATRIX, type, type.isFloating() ? m + n : 2)) {
                    r.l.m = m;
                    r.l.n = n;
                    Mat[] as = r.fill(r.matrix(r.l.a, m, n), m, n);
                    Batch c = r.matrix(r.l.c, m, n);
                    r.run();
                    r.check(c, 0, as[0]);
                    r.check(c, 1, as[1]);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void scale(ElementType type) {
        long seed = 0;
        for (int n : ORDERS) {
            for (double[] beta : BETAS) {
                try (KernelRun r = new KernelRun(Kernel.SCAL_MATRIX, type, seed++)) {
                    r.l.m = 5;
                    r.l.n = n;
                    r.scalars(new double[] {0, 0, beta[0], beta[1]});
                    Batch c = r.matrix(r.l.c, 5, n);
                    Mat[] cs = {r.random(5, n), r.random(5, n)};
                    for (int i = 0; i < KernelRun.COUNT && !r.betaIsZero(); i++) {
                        c.put(i, cs[i]);
                    }
                    r.run();
                    r.check(c, 1, r.combine(new Mat(5, n), cs[1]));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void triangles(ElementType type) {
        long seed = 100;
        for (int n : ORDERS) {
            for (Uplo uplo : Uplo.values()) {
                for (boolean hermitian : new boolean[] {false, true}) {
                    for (double[] beta : BETAS) {
                        triangle(Kernel.SCAL_TRIANGLE, type, seed++, n, uplo, hermitian, beta);
                        triangle(Kernel.ADD_TRIANGLE, type, seed++, n, uplo, hermitian, beta);
                    }
                }
            }
        }
    }

    private static void triangle(Kernel kernel, ElementType type, long seed, int n, Uplo uplo, boolean hermitian,
            double[] beta) {
        try (KernelRun r = new KernelRun(kernel, type, seed)) {
            r.l.n = n;
            r.l.uplo = uplo;
            r.l.hermitian = hermitian;
            r.scalars(new double[] {1, 0, beta[0], hermitian ? 0 : beta[1]});
            Batch a = r.matrix(r.l.a, n, n);
            Batch c = r.matrix(r.l.c, n, n);
            Mat[] as = {r.random(n, n), r.random(n, n)};
            Mat[] cs = {r.random(n, n), r.random(n, n)};
            for (int i = 0; i < KernelRun.COUNT; i++) {
                a.putTriangle(i, as[i], uplo, Diag.NON_UNIT);
                if (!r.betaIsZero()) {
                    c.putTriangle(i, cs[i], uplo, Diag.NON_UNIT);
                }
            }
            r.run();
            for (int i = 0; i < KernelRun.COUNT; i++) {
                Mat sum = r.combine(kernel == Kernel.ADD_TRIANGLE ? as[i] : new Mat(n, n), cs[i]);
                Mat expected = hermitian && r.complex ? sum.symmetric(uplo, true) : sum;
                r.check(c, i, expected.triangleOver(uplo, c.filler()));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void expand(ElementType type) {
        long seed = 200;
        for (int n : ORDERS) {
            for (Uplo uplo : Uplo.values()) {
                for (Diag diag : Diag.values()) {
                    for (Structure structure : Structure.values()) {
                        try (KernelRun r = new KernelRun(Kernel.EXPAND, type, seed++)) {
                            r.l.n = n;
                            r.l.uplo = uplo;
                            r.l.diag = diag;
                            r.l.structure = structure;
                            Batch a = r.matrix(r.l.a, n, n);
                            Batch c = r.matrix(r.l.c, n, n);
                            Mat as = r.random(n, n);
                            a.putTriangle(1, as, uplo, structure == Structure.TRIANGULAR ? diag : Diag.NON_UNIT);
                            r.run();
                            r.check(c, 1,
                                    structure == Structure.TRIANGULAR
                                            ? as.triangular(uplo, diag)
                                            : as.symmetric(uplo, structure == Structure.HERMITIAN && r.complex));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void copyTriangle(ElementType type) {
        long seed = 300;
        for (int n : ORDERS) {
            for (Uplo uplo : Uplo.values()) {
                for (Diag diag : Diag.values()) {
                    try (KernelRun r = new KernelRun(Kernel.COPY_TRIANGLE, type, seed++)) {
                        r.l.n = n;
                        r.l.uplo = uplo;
                        r.l.diag = diag;
                        Batch a = r.matrix(r.l.a, n, n);
                        Batch c = r.matrix(r.l.c, n, n);
                        Mat as = r.random(n, n);
                        a.putTriangle(1, as, uplo, diag);
                        r.run();
                        r.check(c, 1, as.triangular(uplo, diag).triangleOver(uplo, c.filler()));
                    }
                }
            }
        }
    }

    /** Not even with what is there: an inverse in place through two tables has a unit diagonal that holds anything. */
    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void triangleIsNotCopiedToItself(ElementType type) {
        for (Diag diag : Diag.values()) {
            try (KernelRun r = new KernelRun(Kernel.COPY_TRIANGLE, type, 400)) {
                r.l.n = 5;
                r.l.diag = diag;
                Batch a = r.matrix(r.l.a, 5, 5);
                Mat as = r.random(5, 5);
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    a.put(i, as);
                }
                r.l.c.set(r.l.a);
                r.run();
                r.check(a, 0, as);
                r.check(a, 1, as);
            }
        }
    }
}
