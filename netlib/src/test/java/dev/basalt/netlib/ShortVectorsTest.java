package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.blas.JavaBLAS;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Short vectors on the heap, on both sides of the length from which kernels do the work, and what the loops must leave to them. */
class ShortVectorsTest {
    private static final BLAS BASALT = Netlib.blas();
    private static final BLAS JAVA = JavaBLAS.getInstance();

    private final Random random = new Random(Long.getLong("basalt.test.seed", 20261127));

    private double[] numbers(int n) {
        return random.doubles(n, 0.5, 1).toArray();
    }

    private static float[] single(double[] numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 255, 319, 320, 321, 4097})
    void agreeWithNetlib(int n) {
        double[] x = numbers(n + 3);
        double[] y = numbers(n + 2);
        assertThat(BASALT.ddot(n, x, 3, 1, y, 2, 1)).isCloseTo(JAVA.ddot(n, x, 3, 1, y, 2, 1), withinPercentage(1e-10));
        assertThat(BASALT.dasum(n, x, 3, 1)).isCloseTo(JAVA.dasum(n, x, 3, 1), withinPercentage(1e-10));
        assertThat(BASALT.dnrm2(n, x, 3, 1)).isCloseTo(JAVA.dnrm2(n, x, 3, 1), withinPercentage(1e-10));
        double[] sum = y.clone();
        double[] other = y.clone();
        BASALT.daxpy(n, 0.75, x, 3, 1, sum, 2, 1);
        JAVA.daxpy(n, 0.75, x, 3, 1, other, 2, 1);
        assertThat(sum).containsExactly(other, org.assertj.core.data.Offset.offset(1e-15));
        BASALT.dscal(n, 0.75, sum, 1, 1);
        JAVA.dscal(n, 0.75, other, 1, 1);
        assertThat(sum).containsExactly(other, org.assertj.core.data.Offset.offset(1e-15));
        float[] sx = single(x);
        float[] sy = single(y);
        assertThat(BASALT.sdot(n, sx, 3, 1, sy, 2, 1)).isCloseTo(JAVA.sdot(n, sx, 3, 1, sy, 2, 1),
                withinPercentage(0.01));
        assertThat(BASALT.snrm2(n, sx, 3, 1)).isCloseTo(JAVA.snrm2(n, sx, 3, 1), withinPercentage(0.01));
    }

    @Test
    void aNormNeitherOverflowsNorUnderflows() {
        for (double scale : new double[] {1e200, 1e155, 1e-155, 1e-200, 1e-310}) {
            assertThat(BASALT.dnrm2(2, new double[] {3 * scale, 4 * scale}, 1)).isCloseTo(5 * scale,
                    withinPercentage(1e-10));
        }
        for (float scale : new float[] {1e30f, 1e-30f}) {
            assertThat(BASALT.snrm2(2, new float[] {3 * scale, 4 * scale}, 1)).isCloseTo(5 * scale,
                    withinPercentage(1e-3));
        }
        assertThat(BASALT.dnrm2(3, new double[3], 1)).isZero();
        assertThat(BASALT.dnrm2(2, new double[] {1, Double.NaN}, 1)).isNaN();
        assertThat(BASALT.dnrm2(2, new double[] {1, Double.NEGATIVE_INFINITY}, 1)).isInfinite();
    }

    @Test
    void aFactorOfZeroReadsNothing() {
        double[] y = {1, 2};
        BASALT.daxpy(2, 0, new double[] {Double.NaN, Double.POSITIVE_INFINITY}, 1, y, 1);
        assertThat(y).containsExactly(1, 2);
        double[] x = {Double.NaN, 2};
        BASALT.dscal(2, 0, x, 1);
        assertThat(x[0]).isNaN();
        assertThat(x[1]).isZero();
    }

    @Test
    void whatIsTooShortIsRefusedAndUntouched() {
        double[] y = {1, 2};
        assertThatThrownBy(() -> BASALT.daxpy(3, 1, new double[3], 1, y, 1)).isInstanceOf(RuntimeException.class);
        assertThatThrownBy(() -> BASALT.daxpy(2, 1, new double[2], 1, 1, y, 0, 1)).isInstanceOf(RuntimeException.class);
        assertThat(y).containsExactly(1, 2);
    }
}
