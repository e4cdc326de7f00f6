package dev.basalt.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers of operations: what they come to, what readers see, and that every routine has one of its own dimensions. */
class FormulaTest {
    private static final Map<String, Long> SIZES = Map.of("m", 5L, "n", 3L, "k", 2L);

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {
                    "2*m*n*k | 60 | 2·m·n·k",
                    "1/3*n^3 | 9 | ⅓·n³",
                    "m-n-k | 0 | m − n − k",
                    "m-(n-k) | 4 | m − (n − k)",
                    "2*n*(m+k+1) | 48 | 2·n·(m + k + 1)",
                    "(n+1)^2 | 16 | (n + 1)²",
                    "max(m,n)*min(m,n)^2-1/3*min(m,n)^3 | 36 | max(m, n)·min(m, n)² − ⅓·min(m, n)³",
                    "m/(n/3) | 5 | m/(n/3)",
                    "4/3*n^3 | 36 | 4/3·n³",
                    "min(m,n+1) | 4 | min(m, n + 1)"})
    void isReadFromLeftToRight(String text, double value, String words) {
        Formula formula = Formula.of(text);
        assertThat(formula.value(SIZES)).isCloseTo(value, org.assertj.core.api.Assertions.within(1e-12));
        assertThat(formula.words()).isEqualTo(words);
    }

    @Test
    void javaHasItsOrderOfOperators() {
        assertThat(Formula.of("m-(n-k)").java())
                .isEqualTo("size.applyAsDouble(\"m\") - (size.applyAsDouble(\"n\") - size.applyAsDouble(\"k\"))");
        assertThat(Formula.of("2/3*min(m,n)^3").java())
                .isEqualTo("2.0 / 3.0 * Math.pow(Math.min(size.applyAsDouble(\"m\"), size.applyAsDouble(\"n\")), 3.0)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "2*", "m n", "min(m)", "(m", "m)", "m**n", "n^", "~n"})
    void whatIsNoneIsRefused(String text) {
        assertThatThrownBy(() -> Formula.of(text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a formula");
    }

    @Test
    void everyRoutineHasOneOfItsOwnDimensions() throws IOException {
        for (ClassicFamily family : RoutineTable.read()) {
            Complexity complexity = new Complexity(family);
            Set<String> known = new TreeSet<>(family.dimensions());
            if (family.has(ClassicOption.class, "side")) {
                known.add("order");
            }
            assertThat(known).as(family.name()).containsAll(complexity.first().names());
            assertThat(complexity.operations()).as(family.name()).doesNotContain("*", "^", "~");
        }
    }
}
