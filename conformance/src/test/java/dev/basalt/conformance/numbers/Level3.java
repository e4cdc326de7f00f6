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
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** One trial of each level-3 routine against its definition. */
final class Level3 {
    /** Where the result of a routine goes that may work in place. */
    private enum Place {
        APART,
        /** Input and output are one view. */
        SAME_VIEW,
        /** Two views of the same problems, each with a table of addresses of its own. */
        OTHER_VIEW;

        MatrixView view(Batch b) {
            return this == OTHER_VIEW ? b.otherView() : b.matrix();
        }
    }

    private Level3() {}

    static void gemm(Trial t) {
        Op opA = t.option("opA", Op.values());
        Op opB = t.option("opB", Op.values());
        Complex alpha = t.alpha();
        Complex beta = t.beta();
        int m = t.size("m");
        int n = t.size("n");
        int k = t.size("k");
        Batch a = opA == Op.NONE ? t.input(m, k) : t.input(k, m);
        Batch b = opB == Op.NONE ? t.input(k, n) : t.input(n, k);
        Batch c = t.output(m, n);
        Reference.unread(alpha, a, b);
        Reference.unread(beta, c);
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        MatrixView cv = c.matrix();
        Passing passing = t.passing(alpha, beta);
        VectorView alphaView = t.device(alpha);
        VectorView betaView = t.device(beta);
        boolean ran = t.run(h -> switch (passing) {
            case REAL -> Blas.gemm(h, opA, opB, alpha.re(), av, bv, beta.re(), cv);
            case COMPLEX -> Blas.gemm(h, opA, opB, alpha, av, bv, beta, cv);
            case DEVICE -> Blas.gemm(h, opA, opB, alphaView, av, bv, betaView, cv);
        });
        for (int p = 0; ran && p < t.count; p++) {
            Reference.of(alpha, a.value(p).op(opA), b.value(p).op(opB), beta, c.value(p)).check(t, c, p);
        }
    }

    static void symm(Trial t) {
        symmetric(t, false);
    }

    static void hemm(Trial t) {
        symmetric(t, true);
    }

    private static void symmetric(Trial t, boolean hermitian) {
        Side side = t.option("side", Side.values());
        Uplo uplo = t.option("uplo", Uplo.values());
        Complex alpha = t.alpha();
        Complex beta = t.beta();
        int m = t.size("m");
        int n = t.size("n");
        int order = side == Side.LEFT ? m : n;
        Batch a = t.sharedMatrix(order, order);
        for (int p = 0; p < a.count; p++) {
            a.put(p, t.random(order, order), uplo, Diag.NON_UNIT);
        }
        if (hermitian) {
            a.withoutImaginaryDiagonal();
        }
        Batch b = t.input(m, n);
        Batch c = t.output(m, n);
        Reference.unread(alpha, a, b);
        Reference.unread(beta, c);
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        MatrixView cv = c.matrix();
        Passing passing = t.passing(alpha, beta);
        VectorView alphaView = t.device(alpha);
        VectorView betaView = t.device(beta);
        boolean ran = t.run(h -> {
            if (hermitian) {
                return switch (passing) {
                    case REAL -> Blas.hemm(h, side, uplo, alpha.re(), av, bv, beta.re(), cv);
                    case COMPLEX -> Blas.hemm(h, side, uplo, alpha, av, bv, beta, cv);
                    case DEVICE -> Blas.hemm(h, side, uplo, alphaView, av, bv, betaView, cv);
                };
            }
            return switch (passing) {
                case REAL -> Blas.symm(h, side, uplo, alpha.re(), av, bv, beta.re(), cv);
                case COMPLEX -> Blas.symm(h, side, uplo, alpha, av, bv, beta, cv);
                case DEVICE -> Blas.symm(h, side, uplo, alphaView, av, bv, betaView, cv);
            };
        });
        for (int p = 0; ran && p < t.count; p++) {
            Mat full = a.value(p).symmetric(uplo, hermitian);
            Mat left = side == Side.LEFT ? full : b.value(p);
            Mat right = side == Side.LEFT ? b.value(p) : full;
            Reference.of(alpha, left, right, beta, c.value(p)).check(t, c, p);
        }
    }

    static void syrk(Trial t) {
        rankK(t, false, t.type.isComplex() ? new Op[] {Op.NONE, Op.TRANS} : Op.values());
    }

    static void herk(Trial t) {
        rankK(t, true, Op.NONE, Op.CONJ_TRANS);
    }

    private static void rankK(Trial t, boolean hermitian, Op... ops) {
        Uplo uplo = t.option("uplo", Uplo.values());
        Op op = t.option("op", ops);
        Complex alpha = hermitian ? Complex.of(t.alpha().re()) : t.alpha();
        Complex beta = hermitian ? Complex.of(t.beta().re()) : t.beta();
        int n = t.size("n");
        int k = t.size("k");
        Batch a = op == Op.NONE ? t.input(n, k) : t.input(k, n);
        Batch c = t.matrix(n, n).writes(uplo, Diag.NON_UNIT);
        boolean nothing = beta.equals(Complex.ONE) && (k == 0 || alpha.equals(Complex.ZERO));
        for (int p = 0; p < t.count; p++) {
            Mat before = t.random(n, n);
            c.put(p, hermitian ? before.symmetric(uplo, true) : before, uplo, Diag.NON_UNIT);
        }
        Reference.unread(alpha, a);
        if (beta.equals(Complex.ZERO)) {
            c.erase(uplo);
        } else if (hermitian && !nothing) {
            c.withoutImaginaryDiagonal();
        }
        MatrixView av = a.matrix();
        MatrixView cv = c.matrix();
        Passing passing = t.passing(alpha, beta);
        VectorView alphaView = t.device(alpha);
        VectorView betaView = t.device(beta);
        boolean ran = t.run(h -> {
            if (hermitian) {
                return passing == Passing.DEVICE
                        ? Blas.herk(h, uplo, op, alphaView, av, betaView, cv)
                        : Blas.herk(h, uplo, op, alpha.re(), av, beta.re(), cv);
            }
            return switch (passing) {
                case REAL -> Blas.syrk(h, uplo, op, alpha.re(), av, beta.re(), cv);
                case COMPLEX -> Blas.syrk(h, uplo, op, alpha, av, beta, cv);
                case DEVICE -> Blas.syrk(h, uplo, op, alphaView, av, betaView, cv);
            };
        });
        for (int p = 0; ran && p < t.count; p++) {
            Mat left = a.value(p).op(op);
            Mat right = left.op(hermitian ? Op.CONJ_TRANS : Op.TRANS);
            Reference.of(alpha, left, right, beta, c.value(p)).check(t, c, p);
            for (int i = 0; hermitian && i < n; i++) {
                Reference.require(c.get(p).im(i, i) == 0, "the diagonal is real", c.get(p));
            }
        }
    }

    static void trmm(Trial t) {
        Side side = t.option("side", Side.values());
        Uplo uplo = t.option("uplo", Uplo.values());
        Op op = t.option("op", Op.values());
        Diag diag = t.option("diag", Diag.values());
        Place place = t.option("place", Place.values());
        boolean inPlace = place != Place.APART;
        Complex alpha = t.alpha();
        int m = t.size("m");
        int n = t.size("n");
        int order = side == Side.LEFT ? m : n;
        Batch a = t.sharedMatrix(order, order);
        for (int p = 0; p < a.count; p++) {
            a.put(p, t.random(order, order), uplo, diag);
        }
        Batch b = inPlace ? t.output(m, n) : t.input(m, n);
        Batch c = inPlace ? b : t.output(m, n).erase();
        Reference.unread(alpha, a, b);
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        MatrixView cv = place.view(c);
        Passing passing = t.passing(alpha);
        VectorView alphaView = t.device(alpha);
        boolean ran = t.run(h -> switch (passing) {
            case REAL -> Blas.trmm(h, side, uplo, op, diag, alpha.re(), av, bv, cv);
            case COMPLEX -> Blas.trmm(h, side, uplo, op, diag, alpha, av, bv, cv);
            case DEVICE -> Blas.trmm(h, side, uplo, op, diag, alphaView, av, bv, cv);
        });
        for (int p = 0; ran && p < t.count; p++) {
            Mat triangle = a.value(p).triangular(uplo, diag).op(op);
            Mat left = side == Side.LEFT ? triangle : b.value(p);
            Mat right = side == Side.LEFT ? b.value(p) : triangle;
            Reference.of(alpha, left, right).check(t, c, p);
        }
    }

    /** On integers B is the product with a known X; else the residual is checked. */
    static void trsm(Trial t) {
        Side side = t.option("side", Side.values());
        Uplo uplo = t.option("uplo", Uplo.values());
        Op op = t.option("op", Op.values());
        Diag diag = t.option("diag", Diag.values());
        Complex alpha = t.alpha();
        int m = t.size("m");
        int n = t.size("n");
        int order = side == Side.LEFT ? m : n;
        Batch a = t.sharedMatrix(order, order);
        for (int p = 0; p < a.count; p++) {
            a.put(p, t.randomTriangle(order, uplo, diag), uplo, diag);
        }
        Batch b = t.output(m, n);
        Mat[] solutions = new Mat[t.count];
        for (int p = 0; t.exact && p < t.count; p++) {
            solutions[p] = t.random(m, n);
            b.put(p, product(side, a.value(p).op(op), solutions[p]));
        }
        Reference.unread(alpha, a, b);
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        Passing passing = t.passing(alpha);
        VectorView alphaView = t.device(alpha);
        boolean ran = t.run(h -> switch (passing) {
            case REAL -> Blas.trsm(h, side, uplo, op, diag, alpha.re(), av, bv);
            case COMPLEX -> Blas.trsm(h, side, uplo, op, diag, alpha, av, bv);
            case DEVICE -> Blas.trsm(h, side, uplo, op, diag, alphaView, av, bv);
        });
        for (int p = 0; ran && p < t.count; p++) {
            if (t.exact) {
                t.check(b, p, solutions[p].times(alpha), null, 0);
                continue;
            }
            Mat triangle = a.value(p).op(op);
            Mat x = b.get(p);
            Mat right = b.value(p).times(alpha);
            t.checkResidual(p, product(side, triangle, x).minus(right),
                    product(side, triangle.abs(), x.abs()).plus(right.abs()), order);
        }
    }

    private static Mat product(Side side, Mat triangle, Mat x) {
        return side == Side.LEFT ? triangle.times(x) : x.times(triangle);
    }

    /** On integers of small order the inverse has a few binary digits and is exact. */
    static void trtri(Trial t) {
        Uplo uplo = t.option("uplo", Uplo.values());
        Diag diag = t.option("diag", Diag.values());
        Place place = t.option("place", Place.values());
        boolean inPlace = place != Place.APART;
        int n = t.size("n");
        boolean exact = t.exact && n <= 4;
        Batch a = inPlace ? t.matrix(n, n) : t.sharedMatrix(n, n);
        for (int p = 0; p < a.count; p++) {
            a.put(p, t.randomTriangle(n, uplo, diag, exact), uplo, diag);
        }
        Batch inverse = inPlace ? a : t.matrix(n, n);
        inverse.writes(uplo, inPlace ? diag : Diag.NON_UNIT);
        MatrixView av = a.matrix();
        MatrixView iv = place.view(inverse);
        boolean ran = t.run(h -> Blas.trtri(h, uplo, diag, av, iv));
        for (int p = 0; ran && p < t.count; p++) {
            Mat triangle = a.value(p);
            Mat x = inverse.get(p);
            for (int i = 0; !inPlace && diag == Diag.UNIT && i < n; i++) {
                Reference.require(x.re(i, i) == 1 && x.im(i, i) == 0, "the diagonal is one", x);
            }
            x = x.triangular(uplo, diag);
            Mat off = triangle.times(x).minus(Mat.identity(n));
            Reference.require(!exact || off.norm1() == 0, "A times its inverse is exactly 1", x);
            Mat bound = triangle.abs().times(x.abs());
            t.checkResidual(p, off, bound.times(bound).plus(Mat.identity(n)), n);
        }
    }
}
