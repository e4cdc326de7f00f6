package dev.basalt.cli;

import java.util.Arrays;

/**
 * Estimates the condition number of a factored matrix in the 1-norm, as LAPACK's gecon and pocon do. The norm of the inverse is
 * found by at most a dozen solutions (Higham, ACM TOMS 14, 1988; LAPACK's lacn2): a lower bound, hardly ever off by more than 3.
 */
final class ConditionEstimate {
    private static final int MOST_ROUNDS = 5;

    /** Solves with the factors. */
    interface Factors {
        /**
         * Replaces x by the solution of A y = x.
         *
         * @param x a vector, real and imaginary parts alternating if it is complex
         * @param adjoint whether to solve with the conjugate transpose of A instead
         */
        void solve(double[] x, boolean adjoint);
    }

    private final int n;
    private final int parts;
    private final Factors factors;
    /** What stands for 1 in the vectors. */
    private final double one;

    private ConditionEstimate(int n, boolean complex, double one, Factors factors) {
        this.n = n;
        this.parts = complex ? 2 : 1;
        this.one = one;
        this.factors = factors;
    }

    /**
     * The condition number of a matrix.
     *
     * @param a the matrix as it was before it was factored
     * @param complex whether the vectors have imaginary parts
     * @param factors solve with the factors
     * @return an estimate of at least 1; infinite if a solution overflows
     */
    static double of(Matrix a, boolean complex, Factors factors) {
        // The norm of A may overflow, and that of its inverse: so the norm is kept in two factors.
        double unit = unit(a);
        double multiple = norm(a, unit);
        // Halfway between the size of A and that of its inverse, neither right-hand sides nor solutions leave the
        // range.
        double one = Math.scalb(1.0, Math.getExponent(unit) / 2);
        double inverse = new ConditionEstimate(a.rows(), complex, one, factors).inverse();
        double condition = inverse * (unit / one) * multiple;
        return Double.isFinite(condition) ? Math.max(1, condition) : Double.POSITIVE_INFINITY;
    }

    /** The power of two below the largest element. */
    private static double unit(Matrix a) {
        double[] most = new double[1];
        for (int j = 0; j < a.cols(); j++) {
            a.column(j, (i, re, im) -> most[0] = Math.max(most[0], Math.max(Math.abs(re), Math.abs(im))));
        }
        return Math.scalb(1.0, Math.max(Math.getExponent(most[0]), Double.MIN_EXPONENT));
    }

    /** The 1-norm: the largest sum of moduli in a column, in a unit. */
    private static double norm(Matrix a, double unit) {
        double norm = 0;
        double[] sum = new double[1];
        for (int j = 0; j < a.cols(); j++) {
            sum[0] = 0;
            a.column(j, (i, re, im) -> sum[0] += Accuracy.modulus(re / unit, im / unit));
            norm = Math.max(norm, sum[0]);
        }
        return norm;
    }

    /** The 1-norm of the inverse, times {@link #one}. */
    private double inverse() {
        double[] x = new double[n * parts];
        for (int i = 0; i < n; i++) {
            x[i * parts] = one / n;
        }
        double largest = solvedSum(x);
        if (n == 1) {
            return largest;
        }
        double[] signs = signs(x);
        int at = steepest(signs.clone());
        for (int round = 2; round <= MOST_ROUNDS && at >= 0; round++) {
            double[] column = new double[n * parts];
            column[at * parts] = one;
            double sum = solvedSum(column);
            double[] now = signs(column);
            // A vector of signs that comes again leads nowhere new; complex ones never come again exactly.
            boolean again = !(sum > largest) || (parts == 1 && Arrays.equals(now, signs));
            largest = Math.max(largest, sum);
            if (again) {
                break;
            }
            signs = now;
            double[] slopes = now.clone();
            int next = steepest(slopes);
            at = next < 0 || modulus(slopes, at) == modulus(slopes, next) ? -1 : next;
        }
        // Against matrices made to fool what is above.
        Arrays.fill(x, 0);
        for (int i = 0; i < n; i++) {
            x[i * parts] = one * (i % 2 == 0 ? 1 : -1) * (1 + (double) i / (n - 1));
        }
        return Math.max(largest, 2 * solvedSum(x) / (3.0 * n));
    }

    private double solvedSum(double[] x) {
        factors.solve(x, false);
        double sum = 0;
        for (int i = 0; i < n; i++) {
            sum += modulus(x, i);
        }
        return sum;
    }

    /** Each element divided by its modulus. */
    private double[] signs(double[] x) {
        double[] signs = new double[x.length];
        for (int i = 0; i < n; i++) {
            double modulus = modulus(x, i);
            boolean zero = !(modulus >= Double.MIN_NORMAL);
            for (int part = 0; part < parts; part++) {
                int k = i * parts + part;
                signs[k] = one * (zero ? 1 - part : parts == 1 ? Math.signum(x[k]) : x[k] / modulus);
            }
        }
        return signs;
    }

    /** The column of the inverse whose sum grows fastest from a vector of signs, which gets the slopes; -1 if none can be told. */
    private int steepest(double[] signs) {
        factors.solve(signs, true);
        int at = -1;
        double most = -1;
        for (int i = 0; i < n; i++) {
            double modulus = modulus(signs, i);
            if (modulus > most) {
                most = modulus;
                at = i;
            }
        }
        return at;
    }

    private double modulus(double[] x, int i) {
        return parts == 2 ? Accuracy.modulus(x[2 * i], x[2 * i + 1]) : Math.abs(x[i]);
    }
}
