package dev.basalt.conformance.numbers;

import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Batch;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Trial;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.Arrays;

/** Solves with pivots that getrf never wrote: what a program gets that passes the wrong array, or one that nobody has filled. */
final class Pivots {
    private static final int WRONG_PIVOTS = -6;

    private Pivots() {}

    /** A problem with such a pivot becomes NaN and its info -6; the others are solved, and nothing else is written. */
    static void getrs(Trial t) {
        Op op = t.option("op", Op.values());
        boolean tells = t.option("info", true, false);
        int n = t.size("n");
        int nrhs = t.random.nextInt(3) == 0 ? t.note("nrhs", 1) : t.size("nrhs");
        Batch a = t.matrix(n, n);
        Batch pivots = t.vector(ElementType.I64, n, 1);
        Batch b = t.output(n, nrhs);
        Batch info = t.perProblem(ElementType.I32);
        if (tells) {
            info.writes();
        }
        boolean[] wrong = new boolean[t.count];
        Mat[] solutions = new Mat[t.count];
        for (int p = 0; p < t.count; p++) {
            Factored factored = Factored.random(t, n, n, true);
            a.put(p, factored.factors());
            solutions[p] = t.random(n, nrhs);
            b.put(p, factored.product().op(op).times(solutions[p]));
            wrong[p] = n > 0 && t.random.nextInt(3) > 0;
            pivots.put(p, wrong[p] ? spoilt(t, factored.pivots()) : factored.pivots());
        }
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        VectorView pv = pivots.vector();
        VectorView iv = info.vector();
        t.run(h -> tells ? Lapack.getrs(h, op, av, pv, bv, iv) : Lapack.getrs(h, op, av, pv, bv));
        for (int p = 0; p < t.count; p++) {
            long expected = wrong[p] && nrhs > 0 ? WRONG_PIVOTS : 0;
            if (tells && Trial.integer(info, p) != expected) {
                throw new AssertionError(
                        "info of problem " + p + " is " + Trial.integer(info, p) + ", not " + expected);
            }
            if (wrong[p]) {
                allNan(t, b.get(p), p);
            } else if (t.exact) {
                t.check(b, p, solutions[p], null, 0);
            }
        }
    }

    /** gesv writes its pivots before it reads them, so what was there does not matter. */
    static void gesv(Trial t) {
        int n = t.size("n");
        int nrhs = t.size("nrhs");
        Batch a = t.matrix(n, n).writes();
        Batch pivots = t.vector(ElementType.I64, n, 1).writes();
        Batch b = t.output(n, nrhs);
        Batch info = t.perProblem(ElementType.I32).writes();
        Mat[] solutions = new Mat[t.count];
        for (int p = 0; p < t.count; p++) {
            Factored factored = Factored.random(t, n, n, true);
            a.put(p, factored.product());
            pivots.put(p, spoilt(t, factored.pivots()));
            solutions[p] = t.random(n, nrhs);
            b.put(p, factored.product().times(solutions[p]));
        }
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        VectorView pv = pivots.vector();
        VectorView iv = info.vector();
        t.run(h -> Lapack.gesv(h, av, pv, bv, iv));
        for (int p = 0; p < t.count; p++) {
            if (Trial.integer(info, p) != 0) {
                throw new AssertionError("info of problem " + p + " is " + Trial.integer(info, p));
            }
            if (t.exact) {
                t.check(b, p, solutions[p], null, 0);
            }
        }
    }

    /** Whatever is in a matrix, NaN and infinities everywhere, the pivots found are rows: kernels exchange by them at once. */
    static void getrfOfAnything(Trial t) {
        int m = 1 + t.size("m");
        int n = 1 + t.size("n");
        int min = Math.min(m, n);
        Batch a = t.matrix(m, n).writes();
        Batch pivots = t.vector(ElementType.I64, min, 1).writes();
        Batch info = t.perProblem(ElementType.I32).writes();
        Double[] all = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.0, -0.0, 1.0, 1e-44, 1e38};
        Double[] some = Arrays.copyOfRange(all, 0, t.note("values", 1 + t.random.nextInt(all.length)));
        for (int p = 0; p < t.count; p++) {
            a.put(p, Mat.of(m, n, (i, j) -> t.pick(some), (i, j) -> t.type.isComplex() ? t.pick(some) : 0));
        }
        MatrixView av = a.matrix();
        VectorView pv = pivots.vector();
        VectorView iv = info.vector();
        t.run(h -> Lapack.getrf(h, av, pv, iv));
        for (int p = 0; p < t.count; p++) {
            long[] found = pivots.integers(p);
            for (int j = 0; j < min; j++) {
                if (found[j] <= j || found[j] > m) {
                    throw new AssertionError("pivot " + j + " of problem " + p + " is " + found[j]);
                }
            }
            long zero = Trial.integer(info, p);
            if (zero < 0 || zero > min) {
                throw new AssertionError("info of problem " + p + " is " + zero);
            }
        }
    }

    private static long[] spoilt(Trial t, long[] pivots) {
        long n = pivots.length;
        long[] values = {
                0,
                n + 1,
                -1,
                (1L << 31) - 1,
                1L << 31,
                (1L << 32) + 1,
                (1L << 60) + 1,
                (1L << 61) + 1,
                Long.MIN_VALUE,
                Long.MIN_VALUE + 1,
                Long.MAX_VALUE,
                0x7ff8_0bad_c0de_0badL,
                t.random.nextLong() | 1L << 40};
        long[] spoilt = pivots.clone();
        int many = t.random.nextInt(4) == 0 ? pivots.length : 1;
        for (int k = 0; k < many && n > 0; k++) {
            spoilt[many == 1 ? t.random.nextInt(pivots.length) : k] = values[t.random.nextInt(values.length)];
        }
        return spoilt;
    }

    private static void allNan(Trial t, Mat b, int problem) {
        for (int j = 0; j < b.n; j++) {
            for (int i = 0; i < b.m; i++) {
                if (!Double.isNaN(b.re(i, j)) || t.type.isComplex() && !Double.isNaN(b.im(i, j))) {
                    throw new AssertionError("element (" + i + ", " + j + ") of problem " + problem + " is a number: "
                            + b.re(i, j) + " " + b.im(i, j));
                }
            }
        }
    }
}
