package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The estimate beside condition numbers that are known, with factors that are an inverse on paper. */
class ConditionEstimateTest {
    private static final Percentage CLOSE = Percentage.withPercentage(1e-8);

    /** Multiplies by the inverse, or its conjugate transpose. */
    private static ConditionEstimate.Factors inverse(DenseMatrix inverse) {
        int parts = inverse.isComplex() ? 2 : 1;
        return (x, adjoint) -> {
            double[] y = new double[x.length];
            for (int j = 0; j < inverse.cols(); j++) {
                int col = j;
                inverse.column(j, (i, re, im) -> {
                    int to = adjoint ? col : i;
                    int from = adjoint ? i : col;
                    double xIm = parts == 2 ? x[2 * from + 1] : 0;
                    double sign = adjoint ? -im : im;
                    y[to * parts] += re * x[from * parts] - sign * xIm;
                    if (parts == 2) {
                        y[to * 2 + 1] += re * xIm + sign * x[from * 2];
                    }
                });
            }
            System.arraycopy(y, 0, x, 0, x.length);
        };
    }

    private static DenseMatrix diagonal(boolean complex, double... numbers) {
        int parts = complex ? 2 : 1;
        double[][] columns = new double[numbers.length][numbers.length * parts];
        for (int j = 0; j < numbers.length; j++) {
            // An imaginary diagonal, where there may be one.
            columns[j][j * parts + parts - 1] = numbers[j];
        }
        return new DenseMatrix(numbers.length, complex, columns);
    }

    private static double[] inverted(double... numbers) {
        return Arrays.stream(numbers).map(number -> 1 / number).toArray();
    }

    private static double estimate(boolean complex, double... numbers) {
        double[] inverses = inverted(numbers);
        if (complex) {
            Arrays.setAll(inverses, i -> -inverses[i]);
        }
        return ConditionEstimate.of(diagonal(complex, numbers), complex, inverse(diagonal(complex, inverses)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void diagonalMatrices(boolean complex) {
        assertThat(estimate(complex, 1, 1, 1, 1)).isCloseTo(1, CLOSE);
        assertThat(estimate(complex, -2, 1, 1e-3, 5)).isCloseTo(5000, CLOSE);
        assertThat(estimate(complex, 1, 1e-17)).isCloseTo(1e17, CLOSE);
        assertThat(estimate(complex, 7)).isCloseTo(1, CLOSE);
    }

    /** Norms that overflow, or whose inverses do. */
    @ParameterizedTest
    @ValueSource(doubles = {1e-300, 1e-150, 1e150, 1e300, 8e307})
    void scaleDoesNotMatter(double scale) {
        assertThat(estimate(false, scale, scale / 2, -scale / 100)).isCloseTo(100, CLOSE);
        assertThat(estimate(false, scale)).isCloseTo(1, CLOSE);
        DenseMatrix sum = new DenseMatrix(2, false, new double[][] {{scale, scale}, {-scale, scale}});
        double half = 0.5 / scale;
        DenseMatrix inverse = new DenseMatrix(2, false, new double[][] {{half, -half}, {half, half}});
        assertThat(ConditionEstimate.of(sum, false, inverse(inverse))).isCloseTo(2, CLOSE);
    }

    /** A lower bound that is hardly ever off by more than 3: here unit triangular matrices, whose inverses are known exactly. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void triangularMatrices(boolean complex) {
        Random random = new Random(3);
        int parts = complex ? 2 : 1;
        for (int n = 2; n < 40; n++) {
            double[][] a = new double[n][n * parts];
            double[][] inverse = new double[n][n * parts];
            double[] factors = random.doubles(n * 2L, -2, 2).toArray();
            for (int j = 0; j < n; j++) {
                a[j][j * parts] = 1;
                // Bidiagonal: an element of the inverse is a product of elements.
                double re = 1;
                double im = 0;
                for (int i = j; i < n; i++) {
                    inverse[j][i * parts] = re;
                    double fRe = -factors[2 * i];
                    double fIm = complex ? -factors[2 * i + 1] : 0;
                    if (complex) {
                        inverse[j][2 * i + 1] = im;
                    }
                    double next = re * fRe - im * fIm;
                    im = re * fIm + im * fRe;
                    re = next;
                }
                if (j + 1 < n) {
                    a[j][(j + 1) * parts] = factors[2 * j];
                    if (complex) {
                        a[j][2 * j + 3] = factors[2 * j + 1];
                    }
                }
            }
            DenseMatrix matrix = new DenseMatrix(n, complex, a);
            DenseMatrix exact = new DenseMatrix(n, complex, inverse);
            double condition = norm(matrix) * norm(exact);
            assertThat(ConditionEstimate.of(matrix, complex, inverse(exact))).as("n = %s", n)
                    .isBetween(condition / 3, condition * (1 + 1e-10));
        }
    }

    private static double norm(DenseMatrix a) {
        double[] sums = new double[a.cols()];
        for (int j = 0; j < a.cols(); j++) {
            int col = j;
            a.column(j, (i, re, im) -> sums[col] += Math.hypot(re, im));
        }
        return Arrays.stream(sums).max().orElseThrow();
    }

    @Test
    void whatOverflowsIsInfinite() {
        DenseMatrix one = diagonal(false, 1, 1);
        for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThat(ConditionEstimate.of(one, false, (x, adjoint) -> Arrays.fill(x, bad))).isInfinite();
            assertThat(ConditionEstimate.of(one, false, (x, adjoint) -> x[1] = bad)).isInfinite();
            assertThat(ConditionEstimate.of(one, true, (x, adjoint) -> x[2] = adjoint ? bad : x[2]))
                    .isGreaterThanOrEqualTo(1);
        }
    }
}
