package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Spark with a master, two workers and an executor for each, every one a JVM of its own; Basalt comes by {@code --jars}. What
 * {@code spark-submit} starts is in Spark's jars; a worker wants nothing of a distribution but the folder {@code jars}.
 */
class SparkClusterTest {
    private static final List<String> JOBS = List.of("als", "regression", "pca", "svd", "mixture");

    @TempDir
    private Path folder;

    @Test
    @EnabledIfSystemProperty(named = "basalt.test.long", matches = "true", disabledReason = "three JVMs of Spark")
    @DisplayName("In a local cluster Basalt comes to each executor by --jars, and does the work there; ALS, regression, PCA, SVD and mixtures learn the same")
    void basaltComesByJars() throws IOException {
        List<String> without = submit(List.of());
        List<Path> ours = new ArrayList<>();
        for (String entry : Child.classPath(Child::isOurs).split(java.io.File.pathSeparator)) {
            ours.add(jar(Path.of(entry), "ours" + ours.size()));
        }
        List<String> with = submit(List.of("--jars", String.join(",", ours.stream().map(Path::toString).toList()),
                "--conf", "spark.plugins=dev.basalt.netlib.BasaltPlugin", "--conf",
                "spark.executor.extraJavaOptions=-Dbasalt.netlib.counts=true"));
        assertThat(lines(without, "executor ")).hasSize(2).noneMatch(line -> line.contains("BasaltBLAS"));
        assertThat(lines(with, "executor ")).hasSize(2)
                .allSatisfy(line -> assertThat(line).matches("executor [01] BasaltBLAS .*[sd]spr=.*"))
                // The normal equations of ALS.
                .allSatisfy(line -> assertThat(line).contains("dppsv="));
        assertThat(lines(with, "learnt ")).hasSize(JOBS.size());
        SparkTest.compare(without, with);
    }

    /** Before JUnit does, which warns of each link. */
    @AfterEach
    void unlink() throws IOException {
        try (Stream<Path> links = Files.walk(folder)) {
            for (Path link : links.filter(Files::isSymbolicLink).toList()) {
                Files.delete(link);
            }
        }
    }

    private static List<String> lines(List<String> all, String start) {
        return all.stream().filter(line -> line.startsWith(start)).distinct().toList();
    }

    /** Runs the jobs as {@code spark-submit} does. */
    private List<String> submit(List<String> options) throws IOException {
        Path home = folder.resolve("home");
        Path jars = home.resolve("jars");
        if (Files.notExists(jars)) {
            Files.createDirectories(jars);
            for (String entry : Child.classPath(SparkClusterTest::isSparks).split(java.io.File.pathSeparator)) {
                Files.createSymbolicLink(jars.resolve(Path.of(entry).getFileName()), Path.of(entry));
            }
        }
        Path tests = Path.of(SparkJobs.class.getProtectionDomain().getCodeSource().getLocation().getPath());
        List<String> arguments = new ArrayList<>(List.of("--master", "local-cluster[2,1,1024]", "--conf",
                "spark.ui.enabled=false", "--conf", "spark.log.level=ERROR"));
        arguments.addAll(options);
        arguments.addAll(List.of("--class", SparkJobs.class.getName(), jar(tests, "app").toString(), "off", "small",
                String.join(",", JOBS) + ",executors"));
        List<String> java = new ArrayList<>(SparkTest.opened());
        java.add("-XX:TieredStopAtLevel=1");
        return Child.run(java, Child.classPath(SparkClusterTest::isSparks),
                Map.of("SPARK_HOME", home.toString(), "SPARK_SCALA_VERSION", "2.13", "SPARK_LOCAL_IP", "127.0.0.1"),
                "org.apache.spark.deploy.SparkSubmit", arguments);
    }

    /** The jars of Spark and of what it depends on. */
    private static boolean isSparks(String entry) {
        return entry.endsWith(".jar") && !Child.isOurs(entry);
    }

    /** An entry of the class path as a jar, with its classes alone. */
    private Path jar(Path entry, String name) throws IOException {
        if (!Files.isDirectory(entry)) {
            return entry;
        }
        Path jar = folder.resolve(name + ".jar");
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream all = new JarOutputStream(out);
                Stream<Path> files = Files.walk(entry)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.putNextEntry(new JarEntry(entry.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, all);
                all.closeEntry();
            }
        }
        return jar;
    }
}
