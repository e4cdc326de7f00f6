package dev.basalt.conformance.every;

import dev.basalt.type.Fact;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Operands of expert drivers: matrices that are worth scaling, and what an earlier call left: factors, pivots, and scales that are powers of two. */
final class Experts {
    private Experts() {}

    /** Makes them of what the call has anyway. */
    static void fill(TableCall call, Problem problem) {
        Object fact = call.options.get("fact");
        if (fact == Fact.FACTORED && call.sizes.get("n") > 0) {
            earlier(call, problem);
        } else if (fact == Fact.EQUILIBRATE) {
            grade(call, problem);
        }
    }

    /** Rows of sizes far apart; of a definite matrix columns too. Were columns alone, two pivots could be 1. */
    private static void grade(TableCall call, Problem problem) {
        if (problem.arrays().get("A").length % 3 == 0) {
            return;
        }
        Dense a = Dense.of(call, problem, "A");
        boolean definite = call.uplo() != null;
        for (int j = 0; j < a.cols; j++) {
            for (int i = 0; i < a.rows; i++) {
                double scale = Math.scalb(1.0, -3 * (i % 3 + (definite ? j % 3 : 0)));
                a.re[a.at(i, j)] *= scale;
                a.im[a.at(i, j)] *= scale;
            }
        }
        a.into(call, problem, "A", false);
    }

    private static void earlier(TableCall call, Problem problem) {
        boolean definite = call.uplo() != null;
        int scaled = problem.arrays().get("B").length % (definite ? 2 : 4);
        problem.arrays().get("equed")[0] = scaled;
        for (String scale : definite ? new String[] {"s"} : new String[] {"r", "c"}) {
            double[] numbers = problem.arrays().get(scale);
            for (int i = 0; i < numbers.length; i++) {
                numbers[i] = Math.scalb(1.0, (i + scaled) % 5 - 2);
            }
        }
        if (definite) {
            Dense l = cholesky(Dense.full(call, problem, "A", true));
            round(call, call.uplo() == Uplo.LOWER ? l : l.op(Op.CONJ_TRANS)).into(call, problem, "AF", false);
        } else {
            Dense lu = Dense.of(call, problem, "A");
            eliminate(lu, problem.arrays().get("ipiv"));
            round(call, lu).into(call, problem, "AF", false);
        }
    }

    private static Dense round(TableCall call, Dense a) {
        for (int i = 0; i < a.re.length; i++) {
            a.re[i] = call.rounded(a.re[i]);
            a.im[i] = call.rounded(a.im[i]);
        }
        return a;
    }

    private static void eliminate(Dense a, double[] ipiv) {
        for (int j = 0; j < a.cols; j++) {
            int pivot = j;
            for (int i = j; i < a.rows; i++) {
                pivot = size(a, i, j) > size(a, pivot, j) ? i : pivot;
            }
            ipiv[j] = pivot + 1;
            for (int k = 0; k < a.cols; k++) {
                swap(a.re, a.at(j, k), a.at(pivot, k));
                swap(a.im, a.at(j, k), a.at(pivot, k));
            }
            for (int i = j + 1; i < a.rows; i++) {
                divide(a, a.at(i, j), a.re[a.at(j, j)], a.im[a.at(j, j)]);
                for (int k = j + 1; k < a.cols; k++) {
                    subtract(a, a.at(i, k), a.at(i, j), a.at(j, k), 1);
                }
            }
        }
    }

    private static Dense cholesky(Dense a) {
        int n = a.rows;
        Dense l = new Dense(n, n);
        for (int j = 0; j < n; j++) {
            for (int i = j; i < n; i++) {
                int at = l.at(i, j);
                l.re[at] = a.re[at];
                l.im[at] = a.im[at];
                for (int k = 0; k < j; k++) {
                    subtract(l, at, l.at(i, k), l.at(j, k), -1);
                }
                if (i == j) {
                    l.re[at] = Math.sqrt(l.re[at]);
                    l.im[at] = 0;
                } else {
                    divide(l, at, l.re[l.at(j, j)], 0);
                }
            }
        }
        return l;
    }

    private static double size(Dense a, int i, int j) {
        return Math.abs(a.re[a.at(i, j)]) + Math.abs(a.im[a.at(i, j)]);
    }

    private static void swap(double[] x, int i, int j) {
        double kept = x[i];
        x[i] = x[j];
        x[j] = kept;
    }

    /** The element at to -= x·y, or x·conj(y) with a sign of -1. */
    private static void subtract(Dense a, int to, int x, int y, int sign) {
        double re = a.re[x] * a.re[y] - sign * a.im[x] * a.im[y];
        double im = sign * a.re[x] * a.im[y] + a.im[x] * a.re[y];
        a.re[to] -= re;
        a.im[to] -= im;
    }

    private static void divide(Dense a, int at, double re, double im) {
        double size = re * re + im * im;
        double x = a.re[at];
        double y = a.im[at];
        a.re[at] = (x * re + y * im) / size;
        a.im[at] = (y * re - x * im) / size;
    }
}
