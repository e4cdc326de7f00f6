package dev.basalt.conformance.numbers;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Batch;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Passing;
import dev.basalt.conformance.support.Trial;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** One trial of each level-2 routine against its definition. */
final class Level2 {
    /** Which outer product. */
    private enum Outer {
        GER, GERU, GERC
    }

    private Level2() {}

    static void gemv(Trial t) {
        Op op = t.option("op", Op.values());
        Complex alpha = t.alpha();
        Complex beta = t.beta();
        int m = t.size("m");
        int n = t.size("n");
        gemv(t, op, alpha, beta, m, n);
    }

    /** Tall or wide enough to be summed in parts. */
    static void gemvLong(Trial t) {
        Op op = t.option("op", Op.values());
        Complex alpha = t.alpha();
        Complex beta = t.beta();
        boolean tall = t.option("tall", true, false);
        int most = t.length("m");
        int few = 1 + t.random.nextInt(6);
        gemv(t, op, alpha, beta, tall ? most : few, tall ? t.note("n", few) : most);
    }

    private static void gemv(Trial t, Op op, Complex alpha, Complex beta, int m, int n) {
        Batch a = t.input(m, n);
        Batch x = t.inputVector(op == Op.NONE ? n : m, t.increment("incx"));
        Batch y = t.outputVector(op == Op.NONE ? m : n, t.increment("incy"));
        boolean quick = m == 0 || n == 0;
        Reference.unread(alpha, a, x);
        if (quick) {
            y.writesNothing();
        } else {
            Reference.unread(beta, y);
        }
        MatrixView av = a.matrix();
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        Passing passing = t.passing(alpha, beta);
        VectorView alphaView = t.device(alpha);
        VectorView betaView = t.device(beta);
        boolean ran = t.run(h -> switch (passing) {
            case REAL -> Blas.gemv(h, op, alpha.re(), av, xv, beta.re(), yv);
            case COMPLEX -> Blas.gemv(h, op, alpha, av, xv, beta, yv);
            case DEVICE -> Blas.gemv(h, op, alphaView, av, xv, betaView, yv);
        });
        for (int p = 0; ran && !quick && p < t.count; p++) {
            Reference.of(alpha, a.value(p).op(op), x.value(p), beta, y.value(p)).check(t, y, p);
        }
    }

    static void ger(Trial t) {
        outer(t, Outer.GER);
    }

    static void geru(Trial t) {
        outer(t, Outer.GERU);
    }

    static void gerc(Trial t) {
        outer(t, Outer.GERC);
    }

    private static void outer(Trial t, Outer outer) {
        Complex alpha = t.alpha();
        int m = t.size("m");
        int n = t.size("n");
        Batch x = t.inputVector(m, t.increment("incx"));
        Batch y = t.inputVector(n, t.increment("incy"));
        Batch a = t.output(m, n);
        Reference.unread(alpha, x, y);
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        MatrixView av = a.matrix();
        Passing passing = t.passing(alpha);
        VectorView alphaView = t.device(alpha);
        boolean ran = t.run(h -> switch (outer) {
            case GER -> switch (passing) {
                case REAL -> Blas.ger(h, alpha.re(), xv, yv, av);
                case COMPLEX -> Blas.ger(h, alpha, xv, yv, av);
                case DEVICE -> Blas.ger(h, alphaView, xv, yv, av);
            };
            case GERU -> switch (passing) {
                case REAL -> Blas.geru(h, alpha.re(), xv, yv, av);
                case COMPLEX -> Blas.geru(h, alpha, xv, yv, av);
                case DEVICE -> Blas.geru(h, alphaView, xv, yv, av);
            };
            case GERC -> switch (passing) {
                case REAL -> Blas.gerc(h, alpha.re(), xv, yv, av);
                case COMPLEX -> Blas.gerc(h, alpha, xv, yv, av);
                case DEVICE -> Blas.gerc(h, alphaView, xv, yv, av);
            };
        });
        for (int p = 0; ran && p < t.count; p++) {
            Mat row = y.value(p).op(outer == Outer.GERC ? Op.CONJ_TRANS : Op.TRANS);
            Reference.of(alpha, x.value(p), row, Complex.ONE, a.value(p)).check(t, a, p);
        }
    }

    static void symv(Trial t) {
        symmetric(t, false, t.size("n"));
    }

    static void hemv(Trial t) {
        symmetric(t, true, t.size("n"));
    }

    static void symvLong(Trial t) {
        symmetric(t, false, t.longOrder("n"));
    }

    static void hemvLong(Trial t) {
        symmetric(t, true, t.longOrder("n"));
    }

    private static void symmetric(Trial t, boolean hermitian, int n) {
        Uplo uplo = t.option("uplo", Uplo.values());
        Complex alpha = t.alpha();
        Complex beta = t.beta();
        Batch a = t.sharedMatrix(n, n);
        for (int p = 0; p < a.count; p++) {
            a.put(p, t.random(n, n), uplo, Diag.NON_UNIT);
        }
        if (hermitian) {
            a.withoutImaginaryDiagonal();
        }
        Batch x = t.inputVector(n, t.increment("incx"));
        Batch y = t.outputVector(n, t.increment("incy"));
        Reference.unread(alpha, a, x);
        Reference.unread(beta, y);
        MatrixView av = a.matrix();
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        Passing passing = t.passing(alpha, beta);
        VectorView alphaView = t.device(alpha);
        VectorView betaView = t.device(beta);
        boolean ran = t.run(h -> {
            if (hermitian) {
                return switch (passing) {
                    case REAL -> Blas.hemv(h, uplo, alpha.re(), av, xv, beta.re(), yv);
                    case COMPLEX -> Blas.hemv(h, uplo, alpha, av, xv, beta, yv);
                    case DEVICE -> Blas.hemv(h, uplo, alphaView, av, xv, betaView, yv);
                };
            }
            return switch (passing) {
                case REAL -> Blas.symv(h, uplo, alpha.re(), av, xv, beta.re(), yv);
                case COMPLEX -> Blas.symv(h, uplo, alpha, av, xv, beta, yv);
                case DEVICE -> Blas.symv(h, uplo, alphaView, av, xv, betaView, yv);
            };
        });
        for (int p = 0; ran && p < t.count; p++) {
            Mat full = a.value(p).symmetric(uplo, hermitian);
            Reference.of(alpha, full, x.value(p), beta, y.value(p)).check(t, y, p);
        }
    }

    static void trmv(Trial t) {
        Uplo uplo = t.option("uplo", Uplo.values());
        Op op = t.option("op", Op.values());
        Diag diag = t.option("diag", Diag.values());
        int n = t.size("n");
        Batch a = t.sharedMatrix(n, n);
        for (int p = 0; p < a.count; p++) {
            a.put(p, t.random(n, n), uplo, diag);
        }
        Batch x = t.outputVector(n, t.increment("incx"));
        MatrixView av = a.matrix();
        VectorView xv = x.vector();
        boolean ran = t.run(h -> Blas.trmv(h, uplo, op, diag, av, xv));
        for (int p = 0; ran && p < t.count; p++) {
            Mat triangle = a.value(p).triangular(uplo, diag).op(op);
            Reference.of(Complex.ONE, triangle, x.value(p)).check(t, x, p);
        }
    }

    /** On integers b is the product with a known x; else the residual is checked. */
    static void trsv(Trial t) {
        Uplo uplo = t.option("uplo", Uplo.values());
        Op op = t.option("op", Op.values());
        Diag diag = t.option("diag", Diag.values());
        int n = t.size("n");
        Batch a = t.sharedMatrix(n, n);
        for (int p = 0; p < a.count; p++) {
            a.put(p, t.randomTriangle(n, uplo, diag), uplo, diag);
        }
        Batch x = t.outputVector(n, t.increment("incx"));
        Mat[] solutions = new Mat[t.count];
        for (int p = 0; t.exact && p < t.count; p++) {
            solutions[p] = t.random(n, 1);
            x.put(p, a.value(p).op(op).times(solutions[p]));
        }
        MatrixView av = a.matrix();
        VectorView xv = x.vector();
        boolean ran = t.run(h -> Blas.trsv(h, uplo, op, diag, av, xv));
        for (int p = 0; ran && p < t.count; p++) {
            if (t.exact) {
                t.check(x, p, solutions[p], null, 0);
                continue;
            }
            Mat triangle = a.value(p).op(op);
            Mat solution = x.get(p);
            Mat right = x.value(p);
            Mat bound = triangle.abs().times(solution.abs()).plus(right.abs());
            t.checkResidual(p, triangle.times(solution).minus(right), bound, n);
        }
    }
}
