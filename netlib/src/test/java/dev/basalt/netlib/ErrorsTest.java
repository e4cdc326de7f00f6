package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.lapack.JavaLAPACK;
import dev.ludovic.netlib.lapack.LAPACK;
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
        assertThat(BasaltBLAS.CALLS.delegatedMethods()).containsExactlyInAnyOrder("lsame", "sdsdot");
    }
}
