package dev.basalt.conformance.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.BlasException;
import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.RowMajorBlas;
import dev.basalt.arrays.RowMajorLapack;
import dev.basalt.type.Op;
import dev.basalt.type.Svect;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Matrices by rows as a program has them. */
class RowMajorTest extends OnArrays {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261124);

    RowMajorTest() {
        super(SEED);
    }

    private double[][] numbers(int rows, int cols) {
        double[][] a = new double[rows][];
        Arrays.setAll(a, i -> numbers(cols));
        return a;
    }

    private static double[][] copy(double[][] a) {
        return Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
    }

    @Test
    void solvesASystemOfRows() {
        double[][] a = {{4, 2, 1}, {2, 3, 1.5}, {8, 8, 6}};
        double[][] b = {{11}, {12.5}, {42}};
        int[] ipiv = new int[3];
        assertThat(RowMajorLapack.dgesv(3, 1, a, ipiv, b)).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(b[i][0]).isCloseTo(i + 1, org.assertj.core.data.Offset.offset(1e-14));
        }
        // As in LAPACK: the third row came first.
        assertThat(ipiv[0]).isEqualTo(3);
        assertThat(a[0]).containsExactly(8, 8, 6);
    }

    @Test
    void multipliesLargeMatricesInPlace() {
        int m = 130;
        int n = 71;
        int k = 301;
        for (Op transA : List.of(Op.NONE, Op.TRANS)) {
            for (Op transB : List.of(Op.NONE, Op.TRANS)) {
                double[][] a = numbers(transA == Op.NONE ? m : k, transA == Op.NONE ? k : m);
                double[][] b = numbers(transB == Op.NONE ? k : n, transB == Op.NONE ? n : k);
                double[][] c = numbers(m, n);
                double[][] expected = copy(c);
                for (int i = 0; i < m; i++) {
                    for (int j = 0; j < n; j++) {
                        double sum = 0;
                        for (int p = 0; p < k; p++) {
                            sum += (transA == Op.NONE ? a[i][p] : a[p][i]) * (transB == Op.NONE ? b[p][j] : b[j][p]);
                        }
                        expected[i][j] = 1.5 * sum - 0.5 * expected[i][j];
                    }
                }
                double[] flatC = flat(c, n + 3);
                RowMajorBlas.dgemm(transA, transB, m, n, k, 1.5, flat(a, a[0].length + 1), a[0].length + 1,
                        flat(b, b[0].length), b[0].length, -0.5, flatC, n + 3);
                RowMajorBlas.dgemm(transA, transB, m, n, k, 1.5, a, b, -0.5, c);
                for (int i = 0; i < m; i++) {
                    for (int j = 0; j < n; j++) {
                        assertThat(Math.abs(c[i][j] - expected[i][j])).as("seed %d", SEED).isLessThan(1e-12);
                        assertThat(flatC[i * (n + 3) + j]).isEqualTo(c[i][j]);
                    }
                }
            }
        }
    }

    private static double[] flat(double[][] a, int step) {
        double[] flat = new double[a.length * step];
        for (int i = 0; i < a.length; i++) {
            System.arraycopy(a[i], 0, flat, i * step, a[i].length);
        }
        return flat;
    }

    @ParameterizedTest
    @CsvSource({
            "SINGULAR, SINGULAR",
            "ALL, ALL",
            "ALL, SINGULAR",
            "SINGULAR, OVERWRITE",
            "OVERWRITE, SINGULAR",
            "OVERWRITE, ALL",
            "NONE, NONE",
            "NONE, SINGULAR"})
    void singularVectorsOfRowsMakeTheMatrixAgain(Svect left, Svect right) {
        for (int[] shape : new int[][] {{9, 5}, {5, 9}, {31, 31}, {60, 24}}) {
            int m = shape[0];
            int n = shape[1];
            int r = Math.min(m, n);
            double[][] a = numbers(m, n);
            double[][] work = copy(a);
            double[] s = new double[r];
            double[][] u = left == Svect.ALL ? new double[m][m] : left == Svect.SINGULAR ? new double[m][r] : null;
            double[][] vt = right == Svect.ALL ? new double[n][n] : right == Svect.SINGULAR ? new double[r][n] : null;
            assertThat(RowMajorLapack.dgesdd(left, right, m, n, work, s, u, vt)).isZero();
            for (int i = 1; i < r; i++) {
                assertThat(s[i]).isBetween(0.0, s[i - 1]);
            }
            if (left == Svect.NONE || right == Svect.NONE) {
                double squares = Arrays.stream(a).flatMapToDouble(Arrays::stream).map(x -> x * x).sum();
                assertThat(Arrays.stream(s).map(x -> x * x).sum() / squares).isBetween(1 - 1e-13, 1 + 1e-13);
                continue;
            }
            double[][] leftVectors = u == null ? work : u;
            double[][] rightVectors = vt == null ? work : vt;
            for (int i = 0; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    double sum = 0;
                    for (int p = 0; p < r; p++) {
                        sum += leftVectors[i][p] * s[p] * rightVectors[p][j];
                    }
                    assertThat(Math.abs(sum - a[i][j])).as("%d×%d, seed %d", m, n, SEED).isLessThan(1e-12);
                }
            }
        }
    }

    @Test
    void complexSingularVectorsAreNotConjugatedTwice() {
        int m = 7;
        int n = 4;
        double[] a = numbers(2 * m * n);
        double[] work = a.clone();
        double[] s = new double[n];
        double[] u = new double[2 * m * n];
        double[] vt = new double[2 * n * n];
        assertThat(RowMajorLapack.zgesdd(Svect.SINGULAR, Svect.SINGULAR, m, n, work, n, s, u, n, vt, n)).isZero();
        double[] us = u.clone();
        for (int i = 0; i < m; i++) {
            for (int p = 0; p < n; p++) {
                us[2 * (i * n + p)] *= s[p];
                us[2 * (i * n + p) + 1] *= s[p];
            }
        }
        double[] product = new double[2 * m * n];
        RowMajorBlas.zgemm(Op.NONE, Op.NONE, m, n, n, dev.basalt.type.Complex.ONE, us, n, vt, n,
                dev.basalt.type.Complex.ZERO, product, n);
        for (int i = 0; i < product.length; i++) {
            assertThat(Math.abs(product[i] - a[i])).as("seed %d", SEED).isLessThan(1e-13);
        }
    }

    @Test
    void saysWhichRowIsTooShort() {
        double[][] c = {{1, 2}, {3}};
        assertThatThrownBy(
                () -> RowMajorBlas.dgemm(Op.NONE, Op.NONE, 2, 2, 1, 1, new double[2][1], new double[1][2], 0, c))
                .isInstanceOf(BlasException.class)
                .hasMessageContaining("C: its row 1 needs 2 numbers, and has 1");
        assertThat(c[0]).containsExactly(1, 2);
        c[1] = null;
        assertThatThrownBy(
                () -> RowMajorBlas.dgemm(Op.NONE, Op.NONE, 2, 2, 1, 1, new double[2][1], new double[1][2], 0, c))
                .hasMessageContaining("and is null");
        assertThatThrownBy(() -> RowMajorBlas.dgemm(Op.NONE, Op.NONE, 2, 2, 1, 1, new double[1][1], new double[1][2], 0,
                new double[2][2])).hasMessageContaining("A: it has 2 rows, and 1 arrays are given");
    }

    @Test
    void namesTheOperandOfTheUsersCall() {
        // The call is turned, so that B is the first factor of the one by columns.
        assertThatThrownBy(() -> RowMajorBlas.dgemm(Op.NONE, Op.NONE, 2, 3, 4, 1, new double[8], 4, new double[11], 3,
                0, new double[6], 3)).isInstanceOf(BlasException.class)
                .hasMessageContaining("B: its array is too short: 12 numbers are needed");
        assertThatThrownBy(() -> RowMajorBlas.dgemm(Op.NONE, Op.NONE, 2, 3, 4, 1, new double[8], 2, new double[12], 3,
                0, new double[6], 3))
                .hasMessageContaining("A: the distance between its rows is 2, and must be at least 4");
        assertThatThrownBy(() -> RowMajorBlas.dgemm(Op.NONE, Op.NONE, -1, 3, 4, 1, null, 4, null, 3, 0, null, 3))
                .hasMessageContaining("m");
    }

    @Test
    void isTheProductOfTransposesByColumns() {
        double[] a = numbers(20 * 30);
        double[] b = numbers(30 * 25);
        double[] rows = new double[20 * 25];
        double[] columns = new double[20 * 25];
        RowMajorBlas.dgemm(Op.NONE, Op.NONE, 20, 25, 30, 1, a, 30, b, 25, 0, rows, 25);
        ArrayBlas.dgemm(Op.NONE, Op.NONE, 25, 20, 30, 1, b, 25, a, 30, 0, columns, 25);
        assertThat(rows).containsExactly(columns);
    }
}
