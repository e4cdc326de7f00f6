package dev.basalt.cli;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleConsumer;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * How good a solution is, computed from the matrix as it was read, in double precision with compensated sums (Ogita, Rump,
 * Oishi, 2005): plain sums would report their own rounding errors, which are as large as those of the solver.
 */
final class Accuracy {
    private Accuracy() {}

    /**
     * The normwise backward error: the least relative change of A and b for which x is exact (Rigal and Gaches, 1967), in the
     * infinity norm, of the worst column.
     *
     * @param a matrix
     * @param x solution
     * @param b right-hand side, complex if x is
     * @return max ||b - A x|| / (||A|| ||x|| + ||b||)
     */
    static double backwardError(Matrix a, DenseMatrix x, DenseMatrix b) {
        return backwardError(a, x, b, done -> {});
    }

    /** The same, telling how much is done. */
    static double backwardError(Matrix a, DenseMatrix x, DenseMatrix b, DoubleConsumer share) {
        double normA = norm(a);
        // Against overflow of a product of two large norms.
        double scale = Math.max(normA, Double.MIN_NORMAL);
        return worst(x.cols(), share, j -> {
            double r = max(residual(a, x.column(j), b.column(j), x.isComplex()), x.isComplex());
            double size = normA / scale * max(x.column(j), x.isComplex()) + max(b.column(j), x.isComplex()) / scale;
            return r == 0 ? 0 : r / scale / size;
        });
    }

    /** The worst of so many columns, which threads share out; NaN if there is one. */
    private static double worst(int count, DoubleConsumer share, IntToDoubleFunction column) {
        AtomicInteger over = new AtomicInteger();
        return IntStream.range(0, count).parallel().mapToDouble(j -> {
            double value = column.applyAsDouble(j);
            share.accept(over.incrementAndGet() / (double) count);
            return value;
        }).reduce(0, Math::max);
    }

    /**
     * How far a residual is from being orthogonal to the columns of A, as that of least squares is, in the infinity norm, of the worst column.
     *
     * @param a matrix with more rows than columns
     * @param x solution
     * @param b right-hand side, complex if x is
     * @param share is told how much is done
     * @return max ||Aᴴ (b - A x)|| / (||Aᴴ|| (||A|| ||x|| + ||b||))
     */
    static double orthogonality(Matrix a, DenseMatrix x, DenseMatrix b, DoubleConsumer share) {
        boolean complex = x.isComplex();
        double normA = Math.max(norm(a), Double.MIN_NORMAL);
        return worst(x.cols(), share, c -> {
            double[] r = residual(a, x.column(c), b.column(c), complex);
            double size = max(x.column(c), complex) + max(b.column(c), complex) / normA;
            double most = 0;
            double widest = 0;
            double[] sums = new double[3];
            for (int j = 0; j < a.cols(); j++) {
                Arrays.fill(sums, 0);
                a.column(j, (i, re, im) -> {
                    double rRe = r[complex ? 2 * i : i] / normA;
                    double rIm = complex ? r[2 * i + 1] / normA : 0;
                    sums[0] += re * rRe + im * rIm;
                    sums[1] += re * rIm - im * rRe;
                    sums[2] += modulus(re, im);
                });
                most = Math.max(most, modulus(sums[0], sums[1]));
                widest = Math.max(widest, sums[2]);
            }
            return most == 0 ? 0 : most / widest / size;
        });
    }

    /**
     * What is left of the right-hand side, in the infinity norm, of the worst column.
     *
     * @param a matrix
     * @param x solution
     * @param b right-hand side, complex if x is
     * @param share is told how much is done
     * @return max ||b - A x|| / ||b||
     */
    static double remainder(Matrix a, DenseMatrix x, DenseMatrix b, DoubleConsumer share) {
        return worst(x.cols(), share, j -> {
            double r = max(residual(a, x.column(j), b.column(j), x.isComplex()), x.isComplex());
            return r == 0 ? 0 : r / max(b.column(j), x.isComplex());
        });
    }

    /**
     * The forward error in the infinity norm, of the worst column.
     *
     * @param x solution
     * @param truth what it should be
     * @return max ||x - truth|| / ||truth||
     */
    static double forwardError(DenseMatrix x, DenseMatrix truth) {
        double worst = 0;
        for (int j = 0; j < x.cols(); j++) {
            double[] is = x.column(j);
            double[] should = truth.column(j);
            double[] difference = new double[is.length];
            for (int i = 0; i < is.length; i++) {
                difference[i] = is[i] - should[i];
            }
            worst = Math.max(worst, max(difference, x.isComplex()) / max(should, x.isComplex()));
        }
        return worst;
    }

    /**
     * b - A x.
     *
     * @param a matrix
     * @param x a vector
     * @param b a vector
     * @param complex whether x and b have imaginary parts
     * @return a new vector
     */
    static double[] residual(Matrix a, double[] x, double[] b, boolean complex) {
        double[] sum = b.clone();
        double[] lost = new double[b.length];
        for (int j = 0; j < a.cols(); j++) {
            if (complex) {
                double re = x[2 * j];
                double im = x[2 * j + 1];
                a.column(j, (i, aRe, aIm) -> {
                    subtract(sum, lost, 2 * i, aRe, re);
                    subtract(sum, lost, 2 * i, -aIm, im);
                    subtract(sum, lost, 2 * i + 1, aRe, im);
                    subtract(sum, lost, 2 * i + 1, aIm, re);
                });
            } else {
                double xj = x[j];
                a.column(j, (i, aRe, aIm) -> subtract(sum, lost, i, aRe, xj));
            }
        }
        for (int i = 0; i < sum.length; i++) {
            sum[i] += lost[i];
        }
        return sum;
    }

    /** sum[i] -= a·b, where the rounding errors of the product and of the difference go to lost[i]. */
    private static void subtract(double[] sum, double[] lost, int i, double a, double b) {
        double product = -a * b;
        double before = sum[i];
        double after = before + product;
        double part = after - before;
        lost[i] += (before - (after - part)) + (product - part) + Math.fma(-a, b, -product);
        sum[i] = after;
    }

    /** The largest sum of moduli in a row. */
    static double norm(Matrix a) {
        double[] sums = new double[a.rows()];
        for (int j = 0; j < a.cols(); j++) {
            a.column(j, (i, re, im) -> sums[i] += modulus(re, im));
        }
        return Arrays.stream(sums).max().orElse(0);
    }

    /** The largest modulus; NaN if there is one. */
    private static double max(double[] x, boolean complex) {
        double most = 0;
        for (int i = 0; i < x.length; i += complex ? 2 : 1) {
            most = Math.max(most, complex ? modulus(x[i], x[i + 1]) : Math.abs(x[i]));
        }
        return most;
    }

    /** {@link Math#hypot} where squares overflow or vanish; it takes ten times as long. */
    static double modulus(double re, double im) {
        if (im == 0) {
            return Math.abs(re);
        }
        double large = Math.max(Math.abs(re), Math.abs(im));
        return large > 1e-140 && large < 1e140 ? Math.sqrt(re * re + im * im) : Math.hypot(re, im);
    }
}
