package dev.basalt.cli;

import java.util.stream.IntStream;

/**
 * How well pairs of vectors fit a matrix, in double precision with compensated sums. A pair costs as much as a product with the
 * matrix, so of many pairs a sample spread over all of them is looked at.
 */
final class SampledPairs {
    private static final int MOST = 8;

    private final Matrix a;
    private final double[] values;
    private final double[] imaginary;
    private final int[] sample;

    /**
     * Pairs.
     *
     * @param a matrix
     * @param values a value for each pair
     */
    SampledPairs(Matrix a, double[] values) {
        this(a, values, null);
    }

    /**
     * Pairs with complex values.
     *
     * @param a matrix
     * @param re the real part of a value for each pair
     * @param im the imaginary part; null if all are 0
     */
    SampledPairs(Matrix a, double[] re, double[] im) {
        this.a = a;
        this.values = re;
        this.imaginary = im;
        int count = Math.min(MOST, re.length);
        this.sample = IntStream.range(0, count).map(i -> count == 1 ? 0 : i * (re.length - 1) / (count - 1)).toArray();
    }

    int count() {
        return sample.length;
    }

    /**
     * The largest residual A x − value y of the sample in the 2-norm.
     *
     * @param right x, a column for each value
     * @param left y, a column for each value
     * @param scale the norm of A
     * @return relative to the scale
     */
    double residual(DenseMatrix right, DenseMatrix left, double scale) {
        double worst = 0;
        for (int j : sample) {
            double[] image = image(left.column(j), j);
            worst = Math.max(worst, norm(Accuracy.residual(a, right.column(j), image, right.isComplex())));
        }
        return worst == 0 ? 0 : worst / scale;
    }

    /** A vector, complex where values are, times a value. */
    private double[] image(double[] y, int j) {
        double[] image = y.clone();
        double im = imaginary == null ? 0 : imaginary[j];
        for (int i = 0; i < image.length; i++) {
            double other = im == 0 ? 0 : i % 2 == 0 ? -im * y[i + 1] : im * y[i - 1];
            image[i] = values[j] * y[i] + other;
        }
        return image;
    }

    /** The largest element of Xᴴ X − I in the columns of the sample. */
    double orthogonality(DenseMatrix vectors) {
        double worst = 0;
        for (int i : sample) {
            for (int j = 0; j < vectors.cols(); j++) {
                double product = product(vectors.column(j), vectors.column(i), vectors.isComplex(), i == j ? 1 : 0);
                worst = Double.isNaN(product) ? product : Math.max(worst, product);
            }
        }
        return worst;
    }

    /** |xᴴ·y - less| of vectors that are complex or not. */
    static double product(double[] x, double[] y, boolean complex, double less) {
        double re = -less;
        double im = 0;
        for (int i = 0; i < x.length; i += complex ? 2 : 1) {
            re += x[i] * y[i] + (complex ? x[i + 1] * y[i + 1] : 0);
            im += complex ? x[i] * y[i + 1] - x[i + 1] * y[i] : 0;
        }
        return Math.hypot(re, im);
    }

    private static double norm(double[] x) {
        double largest = 0;
        for (double one : x) {
            largest = Double.isNaN(one) ? one : Math.max(largest, Math.abs(one));
        }
        if (largest == 0 || !Double.isFinite(largest)) {
            return largest;
        }
        double sum = 0;
        for (double one : x) {
            sum += one / largest * (one / largest);
        }
        return largest * Math.sqrt(sum);
    }

    /** The Frobenius norm of a matrix. */
    static double frobenius(Matrix a) {
        double[] largest = {0};
        for (int j = 0; j < a.cols(); j++) {
            a.column(j, (i, re, im) -> largest[0] = Math.max(largest[0], Math.max(Math.abs(re), Math.abs(im))));
        }
        double most = largest[0];
        if (most == 0 || !Double.isFinite(most)) {
            return most;
        }
        double[] columns = new double[a.cols()];
        for (int j = 0; j < columns.length; j++) {
            int at = j;
            a.column(j, (i, re, im) -> columns[at] += re / most * (re / most) + im / most * (im / most));
            columns[at] = Math.sqrt(columns[at]);
        }
        return most * norm(columns);
    }

    /** The 2-norm of numbers, without overflow. */
    static double euclidean(double[] x) {
        return norm(x);
    }
}
