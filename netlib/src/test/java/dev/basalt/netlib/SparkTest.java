package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Spark MLlib with the plugin and without, each in a JVM of its own, since netlib's choice holds for a whole JVM. With {@code -Plong} the
 * jobs are large, and what they take stands side by side in the log.
 */
class SparkTest {
    private static final boolean FULL = Boolean.getBoolean("basalt.test.long");

    private static final String SIZE = FULL ? "full" : "small";

    private static final List<String> OPENED = List.of("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io",
            "java.net", "java.nio", "java.util", "java.util.concurrent", "java.util.concurrent.atomic",
            "jdk.internal.ref", "sun.nio.ch", "sun.nio.cs", "sun.util.calendar");

    @Test
    @DisplayName("ALS, regression, PCA, SVD, mixtures and products learn the same with the plugin, and reach Basalt")
    void pluginOnAndOff() {
        CompletableFuture<List<String>> plain = CompletableFuture.supplyAsync(() -> run("off", SIZE));
        List<String> off = FULL ? plain.join() : null;
        List<String> on = run("on", SIZE);
        compare(off == null ? plain.join() : off, on);
        assertThat(byWord(on, "learnt ")).hasSize(6);
        Map<String, String> counts = byWord(on, "");
        String served = counts.get("served");
        assertThat(served).contains("dgemm=", "dppsv=", "dgesdd=", "dsyev=");
        System.out.println("by Basalt " + served + ", by netlib's Java " + counts.get("delegated"));
    }

    static void compare(List<String> off, List<String> on) {
        Map<String, String> expected = byWord(off, "learnt ");
        Map<String, String> learnt = byWord(on, "learnt ");
        Map<String, String> secondsOff = byWord(off, "seconds ");
        Map<String, String> secondsOn = byWord(on, "seconds ");
        assertThat(learnt.keySet()).isEqualTo(expected.keySet()).isNotEmpty();
        expected.forEach((job, numbers) -> {
            System.out.println(
                    job + ": " + secondsOff.get(job) + " s without the plugin, " + secondsOn.get(job) + " s with it");
            String[] wanted = numbers.split(" ");
            String[] found = learnt.get(job).split(" ");
            assertThat(found).as(job).hasSameSizeAs(wanted);
            for (int i = 0; i < wanted.length; i++) {
                double number = Double.parseDouble(wanted[i]);
                // Predictions of ALS are floats.
                double tolerance = (job.equals("als") ? 1e-3 : 1e-6) * Math.max(1, Math.abs(number));
                assertThat(Double.parseDouble(found[i])).as(job + " " + i).isCloseTo(number, within(tolerance));
            }
        });
    }

    /** Lines that begin in one way, by their next word. */
    static Map<String, String> byWord(List<String> lines, String start) {
        Map<String, String> map = new LinkedHashMap<>();
        for (String line : lines) {
            if (line.startsWith(start)) {
                String[] parts = line.substring(start.length()).split(" ", 2);
                map.put(parts[0], parts[1]);
            }
        }
        return map;
    }

    /** Options that open to Spark what {@code spark-submit} opens. */
    static List<String> opened() {
        return OPENED.stream().map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED").toList();
    }

    /** Runs jobs of a size, by name; all of them where no names are given. */
    static List<String> run(String plugin, String size, String... names) {
        List<String> options = new ArrayList<>(List.of("-Dlog4j2.level=ERROR", "-Dbasalt.netlib.counts=true"));
        if (!size.equals("small")) {
            options.addAll(List.of("-Xms4g", "-Xmx4g", "-XX:-UseDynamicNumberOfCompilerThreads"));
        } else {
            // Starting Spark takes more processor time than the jobs do, and most of it is the second compiler's.
            options.add("-XX:TieredStopAtLevel=1");
        }
        options.addAll(opened());
        return Child.run(options, Child.classPath(false), SparkJobs.class,
                names.length == 0 ? new String[] {plugin, size} : new String[] {plugin, size, String.join(",", names)});
    }
}
