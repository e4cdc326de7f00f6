package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.JavaLAPACK;
import dev.ludovic.netlib.lapack.LAPACK;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.netlib.util.intW;

class ErrorsTest {
    private final BLAS blas = Netlib.blas();
    private final LAPACK lapack = Netlib.lapack();

    @Test
    @DisplayName("A letter or a size that no routine takes is an IllegalArgumentException in netlib's words, with the number of the argument")
    void illegalArgument() {
        double[] a = new double[4];
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> blas.dgemm("X", "N", 2, 2, 2, 1, a, 2, a, 2, 0, a, 2))
                .withMessageContaining("** On entry to 'DGEMM' parameter number 1 had an illegal value");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> blas.dgemm("N", "N", 2, 2, 2, 1, a, 1, a, 2, 0, a, 2))
                .withMessageContaining("** On entry to 'DGEMM' parameter number 8 had an illegal value");
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> lapack.dpotrf("U", -1, a, 2, new intW(0)))
                .withMessageContaining("** On entry to 'DPOTRF' parameter number 2 had an illegal value");
    }

    @Test
    @DisplayName("An array that is too short is an IndexOutOfBoundsException, and nothing has been touched")
    void shortArray() {
        double[] a = {4, 1, 1, 4};
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> lapack.dpotrf("U", 2, a, 1, 2, new intW(0)))
                .withMessageContaining("too short");
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> blas.dscal(3, 2, a, 2, 1));
        assertThat(a).containsExactly(4, 1, 1, 4);
    }

    @Test
    @DisplayName("A missing array is a NullPointerException")
    void missingArray() {
        assertThatNullPointerException().isThrownBy(() -> blas.daxpy(2, 1, null, 1, new double[2], 1));
    }

    @Test
    @DisplayName("Where there is nothing to do, arrays may be missing")
    void nothingToDo() {
        assertThat(blas.ddot(0, null, 1, null, 1)).isZero();
        blas.dgemv("N", 0, 3, 1, new double[0], 1, new double[3], 1, 0, new double[0], 1);
    }

    @Test
    @DisplayName("info is the order of the minor that is not positive definite, as LAPACK has it")
    void info() {
        intW info = new intW(7);
        lapack.dpotrf("L", 2, new double[] {1, 2, 0, 1}, 2, info);
        assertThat(info.val).isEqualTo(2);
    }

    @Test
    @DisplayName("A query of workspace is answered as netlib answers it, and works on nothing")
    void query() {
        double[] a = {1, 2, 3, 4};
        double[] expected = new double[1];
        double[] work = new double[1];
        intW info = new intW(0);
        JavaLAPACK.getInstance().dgeqrf(2, 2, a, 2, new double[2], expected, -1, info);
        lapack.dgeqrf(2, 2, a, 2, new double[2], work, -1, info);
        assertThat(work[0]).isEqualTo(expected[0]).isPositive();
        assertThat(a).containsExactly(1, 2, 3, 4);
    }

    @Test
    @DisplayName("A method that Basalt lacks is netlib's, and the call is counted")
    void delegated() {
        long before = Netlib.delegated().getOrDefault("dlamch", 0L);
        assertThat(lapack.dlamch("E")).isPositive();
        assertThat(Netlib.delegated()).containsEntry("dlamch", before + 1);
        assertThat(BasaltLAPACK.CALLS.delegatedMethods()).contains("dlamch").doesNotContain("dgetrf");
        assertThat(BasaltBLAS.CALLS.delegatedMethods()).containsExactly("lsame");
    }

    @Test
    @DisplayName("sdsdot sums in double precision, from sb on, whatever the number of elements")
    void wideSum() {
        float[] x = {1e8f, 1, -1e8f, 0, 0, 0, 3};
        float[] y = {1, 1, 1, 9, 9, 9, 1};
        assertThat(Netlib.blas().sdsdot(3, 0.5f, x, 1, y, 1)).isEqualTo(1.5f);
        assertThat(Netlib.blas().sdsdot(7, 0.5f, x, 1, y, 1)).isEqualTo(4.5f);
        assertThat(Netlib.blas().sdsdot(0, 0.5f, x, 1, y, 1)).isEqualTo(0.5f);
        assertThatThrownBy(() -> Netlib.blas().sdsdot(8, 0.5f, x, 1, y, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @DisplayName("Rows that are not there are an error, and none has been moved then")
    void rowsOutside() {
        double[] a = {1, 2, 3, 4};
        assertThatThrownBy(() -> lapack.dlaswp(2, a, 2, 1, 2, new int[] {2, 3}, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> lapack.dlaswp(2, a, 2, 1, 2, new int[] {2, 0}, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> lapack.dlaswp(2, a, 2, 1, 2, new int[] {2}, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(a).containsExactly(1, 2, 3, 4);
        lapack.dlaswp(2, a, 2, 1, 2, new int[] {2, 3}, 0);
        lapack.dlaswp(2, a, 2, 2, 1, new int[] {2, 3}, 1);
        assertThat(a).containsExactly(1, 2, 3, 4);
        lapack.dlaswp(2, a, 2, 1, 1, new int[] {2}, 1);
        assertThat(a).containsExactly(2, 1, 4, 3);
    }

    @Test
    @DisplayName("Matrices, triangles and bands are scaled with the bits of netlib: also in steps, where the quotient is out of range")
    void scaling() {
        double[][] factors =
                {{0.5, 3}, {3, -0.7}, {7, 0}, {1e-200, 1e200}, {-1e200, 1e-200}, {1e-310, 3e-310}, {1e300, 1e-10}};
        for (String type : List.of("G", "l", "U", "H", "B", "Q", "Z")) {
            for (double[] factor : factors) {
                double[] a = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1e300, 1e-300, 1.2e-308, -13, 14, 15, 16};
                double[] expected = a.clone();
                long before = Netlib.delegated().getOrDefault("dlascl", 0L);
                intW info = new intW(7);
                intW expectedInfo = new intW(7);
                lapack.dlascl(type, 1, 1, factor[0], factor[1], 3, 3, a, 4, info);
                JavaLAPACK.getInstance().dlascl(type, 1, 1, factor[0], factor[1], 3, 3, expected, 4, expectedInfo);
                assertThat(a).as("%s, from %s to %s", type, factor[0], factor[1]).containsExactly(expected);
                assertThat(info.val).isEqualTo(expectedInfo.val);
                assertThat(Netlib.delegated().getOrDefault("dlascl", 0L) - before).isZero();
            }
        }
    }

    @Test
    @DisplayName("Of a band what lies in its columns is scaled, and nothing beside, whatever its shape")
    void bands() {
        Random random = new Random(20291129);
        for (int round = 0; round < 500; round++) {
            String type = List.of("B", "q", "Z").get(round % 3);
            int n = 1 + random.nextInt(8);
            int m = type.equals("Z") ? 1 + random.nextInt(8) : n;
            int kl = random.nextInt(m);
            int ku = type.equals("Z") ? random.nextInt(n) : kl;
            int lda = (type.equals("Z") ? 2 * kl + ku + 1 : kl + 1) + random.nextInt(3);
            double[] a = random.doubles((long) lda * n + 2).toArray();
            double[] expected = a.clone();
            intW info = new intW(7);
            lapack.dlascl(type, kl, ku, 3, 0.7, m, n, a, 2, lda, info);
            JavaLAPACK.getInstance().dlascl(type, kl, ku, 3, 0.7, m, n, expected, 2, lda, new intW(7));
            assertThat(a).as("%s of %d x %d, %d below, %d above", type, m, n, kl, ku).containsExactly(expected);
            assertThat(info.val).isZero();
        }
    }

    @Test
    @DisplayName("info tells which argument of a band is wrong, and nothing has been touched")
    void wrongBands() {
        double[] a = {1, 2, 3, 4};
        Object[][] wrong = {
                {"x", 0, 0, 2, 2, 2, -1},
                {"B", 0, 0, 2, 1, 2, -7},
                {"Q", 2, 2, 2, 2, 2, -2},
                {"B", 1, 0, 2, 2, 2, -3},
                {"Z", 1, 2, 2, 2, 9, -3},
                {"Z", 1, 1, 2, 2, 3, -9},
                {"Q", 1, 1, 2, 2, 1, -9}};
        for (Object[] c : wrong) {
            intW info = new intW(7);
            lapack.dlascl((String) c[0], (int) c[1], (int) c[2], 2, 3, (int) c[3], (int) c[4], a, (int) c[5], info);
            assertThat(info.val).as(List.of(c).toString()).isEqualTo(c[6]);
            assertThat(a).containsExactly(1, 2, 3, 4);
        }
    }

    /** netlib's own Java goes on for ever there. */
    @Test
    @DisplayName("A matrix is scaled from infinity and to it")
    void infinity() {
        double[] a = {1, -2, 0, 4};
        lapack.dlascl("G", 0, 0, 2, Double.NEGATIVE_INFINITY, 2, 2, a, 2, new intW(0));
        assertThat(a).containsExactly(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NaN,
                Double.NEGATIVE_INFINITY);
        double[] b = {1, -2, 0, 4};
        lapack.dlascl("G", 0, 0, Double.POSITIVE_INFINITY, 3, 2, 2, b, 2, new intW(0));
        assertThat(b).containsExactly(0, -0.0, 0, 0);
    }

    /** netlib's own Java ends the JVM there, by Fortran's xerbla. */
    @Test
    @DisplayName("info tells of a scale that is zero or no number, and nothing has been touched")
    void noScale() {
        for (double from : new double[] {0, Double.NaN}) {
            intW info = new intW(7);
            double[] a = {1, 2, 3, 4};
            lapack.dlascl("G", 0, 0, from, 3, 2, 2, a, 2, info);
            assertThat(info.val).isEqualTo(-4);
            assertThat(a).containsExactly(1, 2, 3, 4);
        }
    }
}
