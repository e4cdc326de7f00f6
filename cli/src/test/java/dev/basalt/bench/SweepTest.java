package dev.basalt.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lists and ranges of arguments. */
class SweepTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|',
            value = {
                    "8,16,32|8 16 32",
                    "64:256:64|64 128 192 256",
                    "3:5|3 4 5",
                    "10:1000:*10|10 100 1000",
                    "10:999:*10|10 100",
                    "7:7|7",
                    "1,10:30:10,5|1 10 20 30 5"})
    void values(String text, String expected) {
        assertThat(String.join(" ", Sweep.values("n", text))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"5:1", "1:2:0", "1:2:*1", "1:x", ":", "1:2:3:4", "-4:4", "0:8:4", "1:9223372036854775807"})
    void nonsense(String text) {
        assertThatThrownBy(() -> Sweep.values("n", text)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("n = \"" + text);
    }

    @Test
    void allCombinations() {
        var all = Sweep.of(Arguments.of("function=gemm precision=s,d n=8,16 transposeA=T"));
        assertThat(all.stream().map(a -> a.workload().toString())).containsExactly("sgemm 8x8x8", "sgemm 16x16x16",
                "dgemm 8x8x8", "dgemm 16x16x16");
        assertThat(all).allMatch(a -> a.get("transposeA").equals("T"));
    }

    @Test
    void tooMany() {
        assertThatThrownBy(() -> Sweep.of(Arguments.of("function=gemm m=1:200 n=1:200"))).hasMessageContaining("10000");
    }
}
