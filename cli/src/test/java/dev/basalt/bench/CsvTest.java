package dev.basalt.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Figures keep their digits however slow or fast the machine is. */
class CsvTest {
    private static final Settings SETTINGS = new Settings(3, 1, 1, 0, 1, true, true);

    @ParameterizedTest
    @ValueSource(doubles = {0.7, 31, 33_000, 1e7, 4e11})
    void digitsOfAnySpeed(double nanos) {
        Workload w = Arguments.of("function=gemm precision=d n=8 k=4").workload();
        Times times = new Times(nanos, nanos, nanos);
        Times peer = new Times(31, 31, 31);
        Limit limit = new Limit("peak", 0.04);
        Bench.Line line = new Bench.Line(w, times, peer, 0, false, 0.1, 0.1, false, limit);
        Csv csv = new Csv(SETTINGS, "host", 1, "openblas");
        List<String> names = Arrays.asList(csv.head().split(",", -1));
        List<String> values = Arrays.asList(csv.line(line).split(",", -1));
        double flops = 2 * 8 * 8 * 4;
        check(values.get(names.indexOf("us")), nanos / 1e3);
        check(values.get(names.indexOf("us_min")), nanos / 1e3);
        check(values.get(names.indexOf("gflops")), flops / nanos);
        check(values.get(names.indexOf("gbytes")), w.bytes() / nanos);
        check(values.get(names.indexOf("ratio")), 31 / nanos);
        check(values.get(names.indexOf("limit")), 0.04);
        check(values.get(names.indexOf("share")), flops / nanos / 0.04);
    }

    private static void check(String printed, double exact) {
        assertThat(Double.parseDouble(printed)).isCloseTo(exact, Percentage.withPercentage(0.06));
    }

    @ParameterizedTest
    @CsvSource({
            "3, 17.0667, 17.067",
            "3, 0.0102444, 0.01024",
            "4, 0.03, 0.03000",
            "1, 0, 0.000",
            "3, Infinity, Infinity"})
    void decimals(int decimals, double value, String text) {
        assertThat(Csv.decimal(decimals, value)).isEqualTo(text);
    }
}
