package dev.basalt.conformance.numbers;

import static dev.basalt.conformance.numbers.Reference.require;

import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Batch;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Oracle;
import dev.basalt.conformance.support.Trial;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Arrays;

/** One trial of each LAPACK routine: factors against what was multiplied, pivots and info against LAPACK's. */
final class Factorisations {
    /** Up to this order rounding in single precision does not change a pivot of a random matrix. */
    private static final int SAFE_PIVOTS = 16;

    private static final int NO_FAILURE = -1;

    private Factorisations() {}

    // ---- LU -----------------------------------------------------------------------------------------------

    /** The pivots are known because every column of L below the diagonal is at most 1/2; on integers the factors are too. */
    static void getrf(Trial t) {
        int m = t.size("m");
        int n = t.size("n");
        int min = Math.min(m, n);
        Batch a = t.matrix(m, n).writes();
        Batch pivots = pivots(t, min);
        Batch info = t.perProblem(ElementType.I32).writes();
        Factored[] expected = new Factored[t.count];
        for (int p = 0; p < t.count; p++) {
            expected[p] = Factored.random(t, m, n);
            a.put(p, expected[p].product());
        }
        MatrixView av = a.matrix();
        VectorView pv = pivots.vector();
        VectorView iv = info.vector();
        if (!t.run(h -> Lapack.getrf(h, av, pv, iv))) {
            return;
        }
        for (int p = 0; p < t.count; p++) {
            require(Trial.integer(info, p) == 0, "info of problem " + p + " is 0", Trial.integer(info, p));
            long[] found = Arrays.copyOf(pivots.integers(p), min);
            require(Arrays.equals(found, expected[p].pivots()),
                    "pivots of problem " + p + " are " + Arrays.toString(expected[p].pivots()), Arrays.toString(found));
            if (t.exact) {
                t.check(a, p, expected[p].factors(), null, 0);
            } else {
                residual(t, p, a.value(p), a.get(p), found);
            }
        }
    }

    /** Denormal pivots, whose reciprocals overflow; multiples of a power of two, so that factors are exact all the same. */
    static void getrfTiny(Trial t) {
        int m = t.size("m");
        int n = t.size("n");
        Complex tiny = Complex.of(t.type.real() == ElementType.F32 ? 0x1p-140 : 0x1p-1060);
        Batch a = t.matrix(m, n).writes();
        Batch pivots = pivots(t, Math.min(m, n));
        Batch info = t.perProblem(ElementType.I32).writes();
        Factored[] expected = new Factored[t.count];
        for (int p = 0; p < t.count; p++) {
            expected[p] = Factored.random(t, m, n, true);
            a.put(p, expected[p].product().times(tiny));
        }
        MatrixView av = a.matrix();
        VectorView pv = pivots.vector();
        VectorView iv = info.vector();
        t.run(h -> Lapack.getrf(h, av, pv, iv));
        for (int p = 0; p < t.count; p++) {
            require(Trial.integer(info, p) == 0, "info of problem " + p + " is 0", Trial.integer(info, p));
            Mat f = expected[p].factors();
            Mat u = f.times(tiny);
            t.checkEqual(a, p,
                    Mat.of(m, n, (i, j) -> i > j ? f.re(i, j) : u.re(i, j), (i, j) -> i > j ? f.im(i, j) : u.im(i, j)));
        }
    }

    /** Pivots of matrices without any structure, singular ones among them, against OpenBLAS. */
    static void getrfPivots(Trial t) {
        int m = t.size("m");
        int n = t.size("n");
        int min = Math.min(m, n);
        Batch a = t.matrix(m, n).writes();
        Batch pivots = pivots(t, min);
        Batch info = t.perProblem(ElementType.I32).writes();
        int[] zero = new int[t.count];
        for (int p = 0; p < t.count; p++) {
            Mat value = uniform(t, m, n);
            zero[p] = min > 0 && t.random.nextBoolean() ? t.note("zeroColumn", t.random.nextInt(min)) : NO_FAILURE;
            a.put(p, zero[p] == NO_FAILURE ? value : zeroColumn(value, zero[p]));
        }
        MatrixView av = a.matrix();
        VectorView pv = pivots.vector();
        VectorView iv = info.vector();
        t.run(h -> Lapack.getrf(h, av, pv, iv));
        for (int p = 0; p < t.count; p++) {
            require(Trial.integer(info, p) == zero[p] + 1, "info of problem " + p + " is " + (zero[p] + 1),
                    Trial.integer(info, p));
            long[] found = Arrays.copyOf(pivots.integers(p), min);
            residual(t, p, a.value(p), a.get(p), found);
            if (min > 0 && (t.type.real() == ElementType.F64 || min <= SAFE_PIVOTS)) {
                Oracle.Factors oracle = Oracle.getrf(a.value(p), t.type);
                require(Arrays.equals(found, oracle.pivots()),
                        "pivots of problem " + p + " are " + Arrays.toString(oracle.pivots()), Arrays.toString(found));
                require(oracle.info() == zero[p] + 1, "LAPACK's info is " + (zero[p] + 1), oracle.info());
            }
        }
    }

    /** A batch in which problem j is singular in column j, and the last one is not. */
    static void getrfInfo(Trial t) {
        int n = t.size("n") % 40;
        t.problems(n + 1);
        Batch a = t.matrix(n, n).writes();
        Batch pivots = pivots(t, n);
        Batch info = t.perProblem(ElementType.I32).writes();
        for (int p = 0; p < t.count; p++) {
            Mat value = Factored.random(t, n, n).product();
            a.put(p, p == n ? value : zeroColumn(value, p));
        }
        MatrixView av = a.matrix();
        VectorView pv = pivots.vector();
        VectorView iv = info.vector();
        t.run(h -> Lapack.getrf(h, av, pv, iv));
        for (int p = 0; p < t.count; p++) {
            long expected = p == n ? 0 : p + 1;
            require(Trial.integer(info, p) == expected, "info of problem " + p + " is " + expected,
                    Trial.integer(info, p));
        }
    }

    /** NaN is not zero: the factorisation ends, its info is 0, and its pivots are rows of the matrix. */
    static void getrfNan(Trial t) {
        int m = 1 + t.size("m");
        int n = 1 + t.size("n");
        int min = Math.min(m, n);
        Batch a = t.matrix(m, n).writes();
        Batch pivots = pivots(t, min);
        Batch info = t.perProblem(ElementType.I32).writes();
        for (int p = 0; p < t.count; p++) {
            Mat value = uniform(t, m, n);
            value.set(t.random.nextInt(m), t.random.nextInt(n), Double.NaN, 0);
            a.put(p, value);
        }
        MatrixView av = a.matrix();
        VectorView pv = pivots.vector();
        VectorView iv = info.vector();
        t.run(h -> Lapack.getrf(h, av, pv, iv));
        for (int p = 0; p < t.count; p++) {
            require(Trial.integer(info, p) == 0, "info of problem " + p + " is 0", Trial.integer(info, p));
            long[] found = pivots.integers(p);
            for (int j = 0; j < min; j++) {
                require(found[j] > j && found[j] <= m, "pivot " + j + " is a row from there on", found[j]);
            }
        }
    }

    static void getrs(Trial t) {
        Op op = t.option("op", Op.values());
        int n = t.size("n");
        int nrhs = t.size("nrhs");
        Batch a = t.sharedMatrix(n, n);
        Batch pivots = t.vector(ElementType.I64, n, 1);
        Batch b = t.output(n, nrhs);
        Factored[] factored = new Factored[t.count];
        Mat[] solutions = new Mat[t.count];
        for (int p = 0; p < t.count; p++) {
            factored[p] = p < a.count ? Factored.random(t, n, n) : factored[0].permuted(t);
            if (p < a.count) {
                a.put(p, factored[p].factors());
            }
            pivots.put(p, factored[p].pivots());
            if (t.exact) {
                solutions[p] = t.random(n, nrhs);
                b.put(p, factored[p].product().op(op).times(solutions[p]));
            }
        }
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        VectorView pv = pivots.vector();
        boolean ran = t.run(h -> Lapack.getrs(h, op, av, pv, bv));
        for (int p = 0; ran && p < t.count; p++) {
            if (t.exact) {
                t.check(b, p, solutions[p], null, 0);
            } else {
                solved(t, p, factored[p].product().op(op), factored[p].bound().op(op), b);
            }
        }
    }

    static void gesv(Trial t) {
        int n = t.size("n");
        int nrhs = t.size("nrhs");
        Batch a = t.matrix(n, n).writes();
        Batch pivots = pivots(t, n);
        Batch b = t.output(n, nrhs);
        Batch info = t.perProblem(ElementType.I32).writes();
        Factored[] factored = new Factored[t.count];
        Mat[] solutions = new Mat[t.count];
        int[] zero = new int[t.count];
        for (int p = 0; p < t.count; p++) {
            factored[p] = Factored.random(t, n, n);
            zero[p] = n > 0 && t.random.nextInt(4) == 0 ? t.note("zeroColumn", t.random.nextInt(n)) : NO_FAILURE;
            Mat product = factored[p].product();
            a.put(p, zero[p] == NO_FAILURE ? product : zeroColumn(product, zero[p]));
            if (t.exact) {
                solutions[p] = t.random(n, nrhs);
                b.put(p, product.times(solutions[p]));
            }
        }
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        VectorView pv = pivots.vector();
        VectorView iv = info.vector();
        boolean ran = t.run(h -> Lapack.gesv(h, av, pv, bv, iv));
        for (int p = 0; ran && p < t.count; p++) {
            require(Trial.integer(info, p) == zero[p] + 1, "info of problem " + p + " is " + (zero[p] + 1),
                    Trial.integer(info, p));
            if (zero[p] != NO_FAILURE) {
                t.checkEqual(b, p, b.value(p));
                continue;
            }
            long[] found = Arrays.copyOf(pivots.integers(p), n);
            require(Arrays.equals(found, factored[p].pivots()),
                    "pivots of problem " + p + " are " + Arrays.toString(factored[p].pivots()), Arrays.toString(found));
            if (t.exact) {
                t.check(a, p, factored[p].factors(), null, 0);
                t.check(b, p, solutions[p], null, 0);
            } else {
                residual(t, p, a.value(p), a.get(p), found);
                solved(t, p, a.value(p), Factored.of(a.get(p), found).bound(), b);
            }
        }
    }

    private static Batch pivots(Trial t, int min) {
        return t.vector(ElementType.I64, min + t.random.nextInt(2), 1).writesFirst(min);
    }

    private static Mat uniform(Trial t, int m, int n) {
        boolean complex = t.type.isComplex();
        return Mat.of(m, n, (i, j) -> t.round(t.random.nextDouble() - 0.5),
                (i, j) -> complex ? t.round(t.random.nextDouble() - 0.5) : 0);
    }

    private static Mat zeroColumn(Mat a, int column) {
        return Mat.of(a.m, a.n, (i, j) -> j == column ? 0 : a.re(i, j), (i, j) -> j == column ? 0 : a.im(i, j));
    }

    /** |P·A - L·U| within γ·|L|·|U|, which holds for every order of the operations. */
    private static void residual(Trial t, int problem, Mat a, Mat factors, long[] pivots) {
        Factored f = Factored.of(factors, pivots);
        t.checkResidual(problem, f.product().minus(a), f.bound(), Math.min(a.m, a.n));
    }

    /** |B - A·X| within γ·(|L|·|U|·|X| + |B|). */
    private static void solved(Trial t, int problem, Mat a, Mat bound, Batch b) {
        Mat x = b.get(problem);
        Mat right = b.value(problem);
        t.checkResidual(problem, a.times(x).minus(right), bound.times(x.abs()).plus(right.abs()), 3 * a.n);
    }

    // ---- Cholesky -----------------------------------------------------------------------------------------

    /** On integers the factor is known. A third of the problems are not definite, or not a number. */
    static void potrf(Trial t) {
        Uplo uplo = t.option("uplo", Uplo.values());
        int n = t.size("n");
        Batch a = t.matrix(n, n).writes(uplo, Diag.NON_UNIT);
        Batch info = t.perProblem(ElementType.I32).writes();
        Mat[] factors = new Mat[t.count];
        int[] failing = new int[t.count];
        for (int p = 0; p < t.count; p++) {
            factors[p] = factor(t, n);
            failing[p] = n > 0 && t.random.nextInt(3) == 0 ? t.note("failing", t.random.nextInt(n)) : NO_FAILURE;
            put(t, a, p, uplo, spoil(t, squared(t, factors[p]), factors[p], failing[p]));
        }
        MatrixView av = a.matrix();
        VectorView iv = info.vector();
        boolean ran = t.run(h -> Lapack.potrf(h, uplo, av, iv));
        for (int p = 0; ran && p < t.count; p++) {
            require(Trial.integer(info, p) == failing[p] + 1, "info of problem " + p + " is " + (failing[p] + 1),
                    Trial.integer(info, p));
            if (failing[p] == NO_FAILURE) {
                cholesky(t, a, p, uplo, factors[p]);
            } else if (!Double.isNaN(a.value(p).norm1())) {
                int lapack = Oracle.potrf(uplo, a.value(p), t.type).info();
                require(lapack == failing[p] + 1, "LAPACK's info is " + (failing[p] + 1), lapack);
            }
        }
    }

    /** A batch in which the minor of order j + 1 of problem j is the first that is not definite, and the last one is definite. */
    static void potrfInfo(Trial t) {
        Uplo uplo = t.option("uplo", Uplo.values());
        int n = t.size("n") % 40;
        t.problems(n + 1);
        Batch a = t.matrix(n, n).writes(uplo, Diag.NON_UNIT);
        Batch info = t.perProblem(ElementType.I32).writes();
        for (int p = 0; p < t.count; p++) {
            Mat factor = factor(t, n);
            put(t, a, p, uplo, spoil(t, squared(t, factor), factor, p == n ? NO_FAILURE : p));
        }
        MatrixView av = a.matrix();
        VectorView iv = info.vector();
        t.run(h -> Lapack.potrf(h, uplo, av, iv));
        for (int p = 0; p < t.count; p++) {
            long expected = p == n ? 0 : p + 1;
            require(Trial.integer(info, p) == expected, "info of problem " + p + " is " + expected,
                    Trial.integer(info, p));
        }
    }

    static void potrs(Trial t) {
        Uplo uplo = t.option("uplo", Uplo.values());
        int n = t.size("n");
        int nrhs = t.size("nrhs");
        Batch a = t.sharedMatrix(n, n);
        Batch b = t.output(n, nrhs);
        Mat[] factors = new Mat[t.count];
        Mat[] solutions = new Mat[t.count];
        for (int p = 0; p < t.count; p++) {
            factors[p] = p < a.count ? factor(t, n) : factors[0];
            if (p < a.count) {
                a.put(p, uplo == Uplo.LOWER ? factors[p] : factors[p].op(Op.CONJ_TRANS), uplo, Diag.NON_UNIT);
            }
            if (t.exact) {
                solutions[p] = t.random(n, nrhs);
                b.put(p, factors[p].times(factors[p].op(Op.CONJ_TRANS)).times(solutions[p]));
            }
        }
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        boolean ran = t.run(h -> Lapack.potrs(h, uplo, av, bv));
        for (int p = 0; ran && p < t.count; p++) {
            if (t.exact) {
                t.check(b, p, solutions[p], null, 0);
            } else {
                solved(t, p, factors[p].times(factors[p].op(Op.CONJ_TRANS)), square(factors[p].abs()), b);
            }
        }
    }

    static void posv(Trial t) {
        Uplo uplo = t.option("uplo", Uplo.values());
        int n = t.size("n");
        int nrhs = t.size("nrhs");
        Batch a = t.matrix(n, n).writes(uplo, Diag.NON_UNIT);
        Batch b = t.output(n, nrhs);
        Batch info = t.perProblem(ElementType.I32).writes();
        Mat[] factors = new Mat[t.count];
        Mat[] solutions = new Mat[t.count];
        int[] failing = new int[t.count];
        for (int p = 0; p < t.count; p++) {
            factors[p] = factor(t, n);
            Mat squared = squared(t, factors[p]);
            failing[p] = n > 0 && t.random.nextInt(4) == 0 ? t.note("failing", t.random.nextInt(n)) : NO_FAILURE;
            put(t, a, p, uplo, spoil(t, squared, factors[p], failing[p]));
            if (t.exact && failing[p] == NO_FAILURE) {
                solutions[p] = t.random(n, nrhs);
                b.put(p, squared.times(solutions[p]));
            }
        }
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        VectorView iv = info.vector();
        boolean ran = t.run(h -> Lapack.posv(h, uplo, av, bv, iv));
        for (int p = 0; ran && p < t.count; p++) {
            require(Trial.integer(info, p) == failing[p] + 1, "info of problem " + p + " is " + (failing[p] + 1),
                    Trial.integer(info, p));
            if (failing[p] != NO_FAILURE) {
                t.checkEqual(b, p, b.value(p));
                continue;
            }
            cholesky(t, a, p, uplo, factors[p]);
            if (t.exact) {
                t.check(b, p, solutions[p], null, 0);
            } else {
                Mat factor = lower(a.get(p), uplo);
                solved(t, p, a.value(p).symmetric(uplo, true), square(factor.abs()), b);
            }
        }
    }

    /** The factor of a definite matrix: with a diagonal of ones and twos, or well conditioned. */
    private static Mat factor(Trial t, int n) {
        Mat l = t.randomTriangle(n, Uplo.LOWER, Diag.NON_UNIT);
        for (int i = 0; i < n; i++) {
            l.set(i, i, Math.abs(l.re(i, i)) + Math.abs(l.im(i, i)), 0);
        }
        return l;
    }

    private static Mat square(Mat l) {
        return l.times(l.op(Op.CONJ_TRANS));
    }

    private static Mat squared(Trial t, Mat l) {
        return t.rounded(square(l).symmetric(Uplo.LOWER, true));
    }

    /** Makes the pivot of a row zero or negative on integers, else negative, or puts a NaN that reaches the row first. */
    private static Mat spoil(Trial t, Mat a, Mat factor, int row) {
        if (row == NO_FAILURE) {
            return a;
        }
        if (t.random.nextInt(4) == 0) {
            int column = t.random.nextInt(row + 1);
            a.set(row, column, Double.NaN, 0);
            a.set(column, row, Double.NaN, 0);
            return a;
        }
        double sum = 0;
        for (int j = 0; j < row; j++) {
            sum += factor.re(row, j) * factor.re(row, j) + factor.im(row, j) * factor.im(row, j);
        }
        a.set(row, row, t.exact ? sum - t.pick(0, 1, 4) : t.round(sum - 0.5), 0);
        return a;
    }

    private static void put(Trial t, Batch a, int problem, Uplo uplo, Mat value) {
        a.put(problem, value, uplo, Diag.NON_UNIT);
        if (t.type.isComplex()) {
            a.withoutImaginaryDiagonal();
        }
    }

    private static Mat lower(Mat stored, Uplo uplo) {
        Mat triangle = stored.triangular(uplo, Diag.NON_UNIT);
        return uplo == Uplo.LOWER ? triangle : triangle.op(Op.CONJ_TRANS);
    }

    private static void cholesky(Trial t, Batch a, int problem, Uplo uplo, Mat expected) {
        Mat l = lower(a.get(problem), uplo);
        for (int i = 0; i < l.m; i++) {
            require(l.im(i, i) == 0 && l.re(i, i) > 0, "the diagonal is real and positive", l);
        }
        if (t.exact) {
            t.check(a, problem, uplo == Uplo.LOWER ? expected : expected.op(Op.CONJ_TRANS), null, 0);
        } else {
            Mat off = square(l).minus(a.value(problem).symmetric(uplo, true));
            t.checkResidual(problem, off, square(l.abs()), l.n + 1);
        }
    }
}
