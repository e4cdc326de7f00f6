package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DoctorTest {
    @Test
    @DisplayName("The doctor says whose BLAS, LAPACK and ARPACK a class path gives, and who does each method")
    void says() {
        List<String> lines = Child.run(List.of(), Child.classPath(true), Doctor.class);
        assertThat(lines).hasSize(9).startsWith("BLAS.getInstance() is dev.basalt.netlib.BasaltBLAS");
        assertThat(lines.get(1)).startsWith("  by Basalt: ").contains(" dgemm ");
        assertThat(lines.get(1)).contains(" dspr ");
        assertThat(lines.get(2)).startsWith("  by netlib's own Java: ").contains(" lsame");
        assertThat(lines.get(4)).contains(" dgetrf ").doesNotContain(" dlamch ");
        assertThat(lines.get(7)).isEqualTo("  by Basalt: 4: dsaupd ssaupd dseupd sseupd");
    }
}
