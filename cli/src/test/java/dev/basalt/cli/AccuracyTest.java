package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccuracyTest {
    private static DenseMatrix column(boolean complex, double... numbers) {
        return new DenseMatrix(complex ? numbers.length / 2 : numbers.length, complex, new double[][] {numbers});
    }

    @Test
    void residualsSeeWhatPlainSumsLose() {
        // 1e16 + 1 - 1e16 is 0 in a plain sum from the left.
        DenseMatrix a = new DenseMatrix(1, false, new double[][] {{1e16}, {1}, {-1e16}});
        double[] r = Accuracy.residual(a, new double[] {1, 1, 1}, new double[] {0}, false);
        assertThat(r).containsExactly(-1);
        // The rounding error of a product alone.
        double third = 1.0 / 3;
        DenseMatrix three = new DenseMatrix(1, false, new double[][] {{3}});
        assertThat(Accuracy.residual(three, new double[] {third}, new double[] {1}, false))
                .containsExactly(Math.fma(-3, third, 1));
    }

    @Test
    void complexResiduals() {
        DenseMatrix a = column(true, 1, 2);
        // 5 + 6i - (1 + 2i)(3 + 4i) = 5 + 6i - (-5 + 10i)
        assertThat(Accuracy.residual(a, new double[] {3, 4}, new double[] {5, 6}, true)).containsExactly(10, -4);
    }

    @Test
    void backwardErrorIsRelativeToMatrixAndRightHandSide() {
        DenseMatrix a = new DenseMatrix(2, false, new double[][] {{2, 1}, {-1, 0}});
        // Residual (1, 0), norms 3, 1 and 2.
        assertThat(Accuracy.backwardError(a, column(false, 1, 1), column(false, 2, 1))).isEqualTo(1.0 / (3 * 1 + 2));
    }

    @Test
    void largeNormsDoNotOverflow() {
        DenseMatrix a = column(false, 1e300);
        assertThat(Accuracy.backwardError(a, column(false, 1e8), column(false, 1e308))).isLessThan(1e-15);
        assertThat(Accuracy.norm(column(true, 3e300, 4e300))).isEqualTo(5e300);
    }

    @Test
    void theWorstColumnCounts() {
        DenseMatrix x = new DenseMatrix(1, false, new double[][] {{1}, {2.5}});
        DenseMatrix truth = new DenseMatrix(1, false, new double[][] {{1}, {2}});
        assertThat(Accuracy.forwardError(x, truth)).isEqualTo(0.25);
    }

    @Test
    void whatIsNotFiniteShows() {
        DenseMatrix a = column(false, 1);
        assertThat(Accuracy.backwardError(a, column(false, Double.NaN), column(false, 1))).isNaN();
    }

    @Test
    void operationsAreThoseOfLapack() {
        // n = 10, one right-hand side: getrf 625 and getrs 190, potrf 385 and potrs 200.
        assertThat(Flops.solve(Method.LU, false, 10, 10, 1)).isCloseTo(815, within(1e-9));
        assertThat(Flops.solve(Method.CHOLESKY, false, 10, 10, 1)).isCloseTo(585, within(1e-9));
        assertThat(Flops.solve(Method.CHOLESKY, true, 10, 10, 1)).isCloseTo(6 * 330 + 2 * 255, within(1e-9));
    }

    /** Threads share columns out; the worst is the worst, and each one counts. */
    @Test
    void theWorstOfManyColumns() {
        int count = 100;
        double[][] x = new double[count][];
        double[][] b = new double[count][];
        for (int j = 0; j < count; j++) {
            x[j] = new double[] {1, 1};
            b[j] = new double[] {j == 70 ? 4 : 3, 3};
        }
        DenseMatrix a = new DenseMatrix(2, false, new double[][] {{1, 2}, {2, 1}});
        DenseMatrix solution = new DenseMatrix(2, false, x);
        DenseMatrix sides = new DenseMatrix(2, false, b);
        List<Double> shares = Collections.synchronizedList(new ArrayList<>());
        assertThat(Accuracy.backwardError(a, solution, sides, shares::add)).isCloseTo(1.0 / (3 + 4), within(1e-15));
        assertThat(shares).hasSize(count).contains(0.01, 0.5, 1.0);
        assertThat(Accuracy.remainder(a, solution, sides, done -> {})).isEqualTo(0.25);
        assertThat(Accuracy.orthogonality(a, solution, sides, done -> {})).isPositive();
    }
}
