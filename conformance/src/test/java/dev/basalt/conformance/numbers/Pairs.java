package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Mat;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Selection;

/**
 * What ggev or gges left of a pair of matrices.
 *
 * @param alphas numerators of eigenvalues, complex
 * @param betas their denominators
 * @param left left vectors; eigenvectors are complex
 * @param right right ones
 * @param s the first form
 * @param t the second
 * @param info what is said of the iteration
 * @param chosen how many eigenvalues stand first
 */
record Pairs(Mat alphas, Mat betas, Mat left, Mat right, Mat s, Mat t, int info, long chosen) {
    private static final double THRESHOLD = 100;

    static Pairs ggev(Handle h, DeviceArena arena, ElementType type, Mat a, Mat b) {
        int n = a.n;
        MatrixView va = arena.matrix(type, n, n);
        MatrixView vb = arena.matrix(type, n, n);
        MatrixView vl = arena.matrix(type, n, n);
        MatrixView vr = arena.matrix(type, n, n);
        VectorView alphas = arena.vector(type, n);
        VectorView alphai = arena.vector(type, n);
        VectorView betas = arena.vector(type, n);
        VectorView info = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(va, a);
        Orthogonal.upload(vb, b);
        if (type.isComplex()) {
            Lapack.ggev(h, Evect.ORIGINAL, Evect.ORIGINAL, va, vb, alphas, betas, vl, vr, info);
        } else {
            Lapack.ggev(h, Evect.ORIGINAL, Evect.ORIGINAL, va, vb, alphas, alphai, betas, vl, vr, info);
        }
        Mat values = values(type, alphas, alphai, n);
        boolean real = !type.isComplex();
        return new Pairs(values, Orthogonal.download(betas, n), vectors(real, values, Orthogonal.download(vl, n, n)),
                vectors(real, values, Orthogonal.download(vr, n, n)), Orthogonal.download(va, n, n),
                Orthogonal.download(vb, n, n), number(info), 0);
    }

    static Pairs gges(Handle h, DeviceArena arena, ElementType type, Mat a, Mat b, Selection select) {
        int n = a.n;
        MatrixView va = arena.matrix(type, n, n);
        MatrixView vb = arena.matrix(type, n, n);
        MatrixView vl = arena.matrix(type, n, n);
        MatrixView vr = arena.matrix(type, n, n);
        VectorView alphas = arena.vector(type, n);
        VectorView alphai = arena.vector(type, n);
        VectorView betas = arena.vector(type, n);
        VectorView sdim = arena.vector(ElementType.I64, 1);
        VectorView info = arena.vector(ElementType.I32, 1);
        Orthogonal.upload(va, a);
        Orthogonal.upload(vb, b);
        if (type.isComplex()) {
            Lapack.gges(h, Evect.ORIGINAL, Evect.ORIGINAL, select, va, vb, sdim, alphas, betas, vl, vr, info);
        } else {
            Lapack.gges(h, Evect.ORIGINAL, Evect.ORIGINAL, select, va, vb, sdim, alphas, alphai, betas, vl, vr, info);
        }
        long[] chosen = new long[1];
        sdim.download(chosen);
        return new Pairs(values(type, alphas, alphai, n), Orthogonal.download(betas, n), Orthogonal.download(vl, n, n),
                Orthogonal.download(vr, n, n), Orthogonal.download(va, n, n), Orthogonal.download(vb, n, n),
                number(info), chosen[0]);
    }

    static int number(VectorView info) {
        int[] numbers = new int[1];
        info.download(numbers);
        return numbers[0];
    }

    private static Mat values(ElementType type, VectorView alphas, VectorView alphai, int n) {
        Mat values = Orthogonal.download(alphas, n);
        if (type.isComplex()) {
            return values;
        }
        Mat imaginary = Orthogonal.download(alphai, n);
        return Mat.of(n, 1, (i, j) -> values.re[i], (i, j) -> imaginary.re[i]);
    }

    /** Complex vectors of pairs of real columns. */
    private static Mat vectors(boolean pairs, Mat values, Mat v) {
        double[] im = values.im;
        return !pairs
                ? v
                : Mat.of(v.n, v.n, (i, j) -> im[j] < 0 ? v.re(i, j - 1) : v.re(i, j),
                        (i, j) -> im[j] < 0 ? -v.re(i, j) : im[j] > 0 ? v.re(i, j + 1) : 0);
    }

    static Mat times(double s, Mat a) {
        return Mat.of(a.m, a.n, (i, j) -> s * a.re(i, j), (i, j) -> s * a.im(i, j));
    }

    /** A power of two that brings numbers to size 1. */
    static double scale(Mat a) {
        double size = 0;
        for (int i = 0; i < a.re.length; i++) {
            size = Math.max(size, Math.max(Math.abs(a.re[i]), Math.abs(a.im[i])));
        }
        return size == 0 ? 1 : Math.scalb(1.0, -Math.clamp(Math.getExponent(size), -1020, 1020));
    }

    double size(int i) {
        return Math.hypot(alphas.re[i], alphas.im[i]);
    }

    /** Residuals of both kinds of vectors; what numbers near the end of the range have lost may be lost. */
    void measure(String what, ElementType type, Mat first, Mat second) {
        int n = first.n;
        double scaleA = scale(first);
        double scaleB = scale(second);
        Mat a = times(scaleA, first);
        Mat b = times(scaleB, second);
        double normA = Math.max(a.norm1(), Double.MIN_NORMAL);
        double normB = Math.max(b.norm1(), Double.MIN_NORMAL);
        double lost = type.real() == ElementType.F32 ? 0x1p-149 : 0x1p-1074;
        for (int j = 0; j < n; j++) {
            int k = j;
            double re = scaleA * alphas.re[j] / normA;
            double im = scaleA * alphas.im[j] / normA;
            double own = scaleB * betas.re[j] / normB;
            double large = Math.max(Math.hypot(re, im), own);
            double vague = large > 0 ? (lost * scaleA / normA + lost * scaleB / normB) / large : 0;
            if (vague > 1) {
                continue;
            }
            // Numbers of about 1, whatever the range of the matrices is. Both are 0 where any number is an eigenvalue.
            double ar = large > 0 ? re / large : 0;
            double ai = large > 0 ? im / large : 0;
            double beta = large > 0 ? own / large : 0;
            Mat pencil = Mat.of(n, n,
                    (r, c) -> beta * (a.re(r, c) / normA) - (ar * (b.re(r, c) / normB) - ai * (b.im(r, c) / normB)),
                    (r, c) -> beta * (a.im(r, c) / normA) - (ar * (b.im(r, c) / normB) + ai * (b.re(r, c) / normB)));
            Mat x = Mat.of(n, 1, (i, c) -> right.re(i, k), (i, c) -> right.im(i, k));
            Mat y = Mat.of(n, 1, (i, c) -> left.re(i, k), (i, c) -> left.im(i, k));
            double allowed = n * (THRESHOLD * n * ColumnPivotingTest.unit(type) + 4 * vague);
            assertThat(pencil.times(x).norm1()).as("%s: right %d", what, j).isLessThan(allowed);
            assertThat(pencil.op(Op.CONJ_TRANS).times(y).norm1()).as("%s: left %d", what, j).isLessThan(allowed);
            assertThat(Math.abs(largest(x) - 1)).as("%s: size of right %d", what, j).isLessThan(allowed);
            assertThat(Math.abs(largest(y) - 1)).as("%s: size of left %d", what, j).isLessThan(allowed);
        }
    }

    private static double largest(Mat x) {
        double most = 0;
        for (int i = 0; i < x.re.length; i++) {
            most = Math.max(most, Math.abs(x.re[i]) + Math.abs(x.im[i]));
        }
        return most;
    }

    /** Backward errors of both forms, orthogonality of the vectors, and what is zero and positive in the forms. */
    void forms(String what, ElementType type, Mat a, Mat b) {
        int n = a.n;
        error(what + ": A", type, a, s);
        error(what + ": B", type, b, t);
        for (Mat q : new Mat[] {left, right}) {
            assertThat(q.op(Op.CONJ_TRANS).times(q).minus(Mat.identity(n)).norm1()).as("%s: orthogonality", what)
                    .isLessThanOrEqualTo(THRESHOLD * n * ColumnPivotingTest.unit(type));
        }
        for (int j = 0; j < n; j++) {
            boolean pair = !type.isComplex() && j + 1 < n && s.re(j + 1, j) != 0;
            assertThat(pair && j > 0 && s.re(j, j - 1) != 0).as("%s: three rows at %d", what, j).isFalse();
            assertThat(t.re(j, j)).as("%s: T(%d, %d)", what, j, j).isGreaterThanOrEqualTo(0);
            assertThat(t.im(j, j)).as("%s: T(%d, %d)", what, j, j).isZero();
            if (pair) {
                assertThat(t.re(j, j + 1)).as("%s: T(%d, %d)", what, j, j + 1).isZero();
                assertThat(t.re(j, j)).as("%s: order of T at %d", what, j).isGreaterThanOrEqualTo(t.re(j + 1, j + 1));
            }
            for (int i = j + 1; i < n; i++) {
                assertThat(t.re(i, j) == 0 && t.im(i, j) == 0).as("%s: T(%d, %d)", what, i, j).isTrue();
                assertThat(pair && i == j + 1 || s.re(i, j) == 0 && s.im(i, j) == 0).as("%s: S(%d, %d)", what, i, j)
                        .isTrue();
            }
        }
    }

    private void error(String what, ElementType type, Mat given, Mat form) {
        int n = given.n;
        double scale = scale(given);
        double lost = (type.real() == ElementType.F32 ? 0x1p-149 : 0x1p-1074) * scale;
        Mat a = times(scale, given);
        assertThat(left.times(times(scale, form)).times(right.op(Op.CONJ_TRANS)).minus(a).norm1()).as(what)
                .isLessThanOrEqualTo(THRESHOLD * n * ColumnPivotingTest.unit(type) * a.norm1() + 8 * n * n * lost);
    }

    /** Whether a rule chooses eigenvalue i. */
    boolean chooses(Selection select, int i) {
        double re = alphas.re[i];
        double beta = betas.re[i];
        return switch (select) {
            case NONE -> false;
            case LEFT_HALF -> re < 0 && beta > 0;
            case RIGHT_HALF -> re > 0 && beta > 0;
            case INSIDE -> size(i) < beta;
            case OUTSIDE -> size(i) > beta;
        };
    }

    /** Where an eigenvalue lies beside others, on the sphere of numbers: the distance to the nearest. */
    static double distance(double re, double im, double beta, Mat others, Mat denominators) {
        double best = Double.MAX_VALUE;
        double own = Math.hypot(Math.hypot(re, im), beta);
        for (int j = 0; j < others.re.length; j++) {
            double size = Math.hypot(Math.hypot(others.re[j], others.im[j]), denominators.re[j]);
            double x = re / own * (denominators.re[j] / size) - others.re[j] / size * (beta / own);
            double y = im / own * (denominators.re[j] / size) - others.im[j] / size * (beta / own);
            best = Math.min(best, Math.hypot(x, y));
        }
        return best;
    }
}
