package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Spark MLlib without the plugin and with it, in turn, as many times as {@code basalt.spark.pairs} says; {@code basalt.spark.size} is medium
 * or full. The table is {@code target/spark-pairs.csv}. Models must agree; no speed is asserted.
 */
class SparkPairsTest {
    private static final String[] JOBS = {"als", "regression", "pca", "svd", "mixture", "multiply"};

    @Test
    @EnabledIfSystemProperty(named = "basalt.spark.pairs", matches = "[1-9][0-9]*",
            disabledReason = "figures take minutes")
    @DisplayName("Pairs of runs without the plugin and with it learn the same; a table says what they took")
    void pairs() throws IOException {
        String size = System.getProperty("basalt.spark.size", "medium");
        List<String> table =
                new ArrayList<>(List.of("job,pair,off_seconds,on_seconds,off_processor_seconds,on_processor_seconds,"
                        + "off_compiler_seconds,on_compiler_seconds,served,delegated"));
        for (int pair = 1; pair <= Integer.getInteger("basalt.spark.pairs"); pair++) {
            List<String> off = SparkTest.run("off", size, JOBS);
            List<String> on = SparkTest.run("on", size, JOBS);
            SparkTest.compare(off, on);
            Map<String, String> calls = SparkTest.byWord(on, "calls ");
            for (String job : JOBS) {
                table.add(String.join(",", job, "" + pair, SparkTest.byWord(off, "seconds ").get(job),
                        SparkTest.byWord(on, "seconds ").get(job), SparkTest.byWord(off, "processors ").get(job),
                        SparkTest.byWord(on, "processors ").get(job), SparkTest.byWord(off, "compilers ").get(job),
                        SparkTest.byWord(on, "compilers ").get(job), calls.get(job).replace(' ', ',')));
            }
            Files.createDirectories(Path.of("target"));
            Files.write(Path.of("target/spark-pairs.csv"), table);
        }
        for (String job : JOBS) {
            System.out.printf(Locale.ROOT, "%s: medians of ratios off/on %.2f by the clock, %.2f of processor time%n",
                    job, ratio(table, job, 2), ratio(table, job, 4));
        }
        assertThat(table).hasSize(1 + JOBS.length * Integer.getInteger("basalt.spark.pairs"));
    }

    private static double ratio(List<String> table, String job, int column) {
        double[] ratios = table.stream()
                .map(line -> line.split(","))
                .filter(line -> line[0].equals(job))
                .mapToDouble(line -> Double.parseDouble(line[column]) / Double.parseDouble(line[column + 1]))
                .sorted()
                .toArray();
        int half = ratios.length / 2;
        return ratios.length % 2 == 1 ? ratios[half] : (ratios[half - 1] + ratios[half]) / 2;
    }
}
