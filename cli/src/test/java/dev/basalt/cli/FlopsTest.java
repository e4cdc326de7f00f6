package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.basalt.internal.signature.Operations;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code solve} says of its operations has the leading terms of the table of routines. */
class FlopsTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({"LU, gesv, 3000", "CHOLESKY, posv, 3000", "LDL, sysv, 3000", "QR, gels, 4000", "QR, gels, 2000"})
    void theTableOfRoutinesCountsTheSame(Method method, String family, long m) {
        Map<String, Long> sizes = Map.of("m", m, "n", 3000L, "nrhs", 7L);
        double flops = Flops.solve(method, false, m, 3000, 7);
        assertThat(Operations.of(family, sizes::get)).isCloseTo(flops, withinPercentage(0.1));
        assertThat(Flops.solve(method, true, m, 3000, 7)).isCloseTo(4 * flops, withinPercentage(0.1));
    }

    /** The table of routines has the first step of what iterates: the rest follows from where the values go. */
    @ParameterizedTest(name = "{0} of {1} rows")
    @CsvSource({"syevd, 3000", "gesvd, 3000", "gesvd, 5000", "gesvd, 2000"})
    void valuesAloneCountTheReduction(String family, long m) {
        Map<String, Long> sizes = Map.of("m", m, "n", 3000L);
        boolean symmetric = family.equals("syevd");
        double flops = symmetric ? Flops.symmetric(false, false, 3000) : Flops.singular(false, false, m, 3000);
        assertThat(Operations.of(family, sizes::get)).isCloseTo(flops, withinPercentage(0.1));
    }

    @Test
    void vectorsAndComplexNumbersCountMore() {
        assertThat(Flops.symmetric(true, false, 300)).isCloseTo(14.0 / 3 * 27e6, withinPercentage(0.1));
        assertThat(Flops.singular(true, false, 300, 300)).isCloseTo(20.0 / 3 * 27e6, withinPercentage(0.1));
        assertThat(Flops.singular(true, true, 500, 300)).isEqualTo(Flops.singular(true, true, 300, 500));
        assertThat(Flops.general(true, true, 300)).isCloseTo(4 * 79.0 / 30 * Flops.general(false, false, 300),
                withinPercentage(0.1));
        assertThat(Flops.inverse(false, 3000) + Flops.solve(Method.LU, false, 3000, 3000, 0)).isCloseTo(2 * 27e9,
                withinPercentage(0.1));
    }

    @Test
    void aBandWithoutDiagonalsBelowCountsTheSame() {
        Map<String, Long> sizes = Map.of("n", 3000L, "kl", 0L, "ku", 40L, "nrhs", 7L);
        assertThat(Flops.banded(new Bandwidth(0, 40), false, 3000, 7)).isEqualTo(Operations.of("gbsv", sizes::get));
    }

    @Test
    void interchangesOfRowsOfABandAreLeftOut() {
        Map<String, Long> sizes = Map.of("n", 3000L, "kl", 20L, "ku", 20L, "nrhs", 7L);
        assertThat(Flops.banded(new Bandwidth(20, 20), false, 3000, 7)).isLessThan(Operations.of("gbsv", sizes::get));
    }
}
