package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script of the runtime image: how it starts Java, by a Java that only prints what it was given. */
@EnabledOnOs(OS.LINUX)
class ImageScriptTest {
    private static final String VECTORS = "jdk.incubator.vector";
    private static final int LARGE = 1_000_001;

    @TempDir
    private Path folder;

    private Path image;

    @BeforeEach
    void makeImage() throws IOException {
        image = Files.createDirectories(folder.resolve("an image (with [signs])"));
        for (String inner : List.of("bin", "runtime/bin", "lib/app")) {
            Files.createDirectories(image.resolve(inner));
        }
        Files.copy(Path.of("../image/basalt.sh"), image.resolve("bin/basalt"));
        for (String jar : List.of("b.jar", "a.jar", "B.jar")) {
            Files.createFile(image.resolve("lib/app").resolve(jar));
        }
        java("");
        Files.writeString(folder.resolve("small.mtx"), "small");
        try (RandomAccessFile large = new RandomAccessFile(folder.resolve("large.mtx").toFile(), "rw")) {
            large.setLength(LARGE);
        }
    }

    private void java(String more) throws IOException {
        Path java = Files.writeString(image.resolve("runtime/bin/java"),
                "#!/bin/sh\nprintf '%s\\n' \"$@\"\n" + more + "\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private record Ended(List<String> options, List<String> arguments) {
        boolean isBrief() {
            boolean brief = options.stream().anyMatch(option -> option.matches("-XX:AOTCache=.*/lib/brief\\.aot"));
            assertThat(options.contains(VECTORS)).isNotEqualTo(brief);
            assertThat(options.contains("-XX:TieredStopAtLevel=1")).isEqualTo(brief);
            assertThat(options.stream().anyMatch(option -> option.matches("-XX:AOTCache=.*/lib/vector\\.aot")))
                    .isNotEqualTo(brief);
            return brief;
        }
    }

    private Path err() {
        return folder.resolve("err");
    }

    private Ended run(Map<String, String> environment, Path script, String... words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", script.toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectError(err().toFile());
        List.of("BASALT_JAVA_OPTS", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
                .forEach(builder.environment()::remove);
        builder.environment().putAll(environment);
        Process process = builder.start();
        List<String> lines =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        assertThat(process.waitFor()).isZero();
        int main = lines.indexOf("dev.basalt.cli.Main");
        assertThat(main).as("%s", lines).isPositive();
        return new Ended(lines.subList(0, main), lines.subList(main + 1, lines.size()));
    }

    private Ended run(String... words) throws IOException, InterruptedException {
        return run(Map.of(), image.resolve("bin/basalt"), words);
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "",
            "--help",
            "doctor",
            "plan solve -n 4000",
            "solve small.mtx",
            "eig small.mtx#a",
            "svd small.mtx small.mtx"})
    void whatIsSoonDoneStartsWithoutTheVectorModule(String line) throws IOException, InterruptedException {
        assumeTrue(Files.readString(Path.of("/proc/cpuinfo")).contains(" avx2 "), "skipped: the processor has no AVX2");
        Ended ended = line.isEmpty() ? run() : run(line.split(" "));
        assertThat(ended.isBrief()).isTrue();
        assertThat(ended.arguments()).isEqualTo(line.isEmpty() ? List.of() : List.of(line.split(" ")));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "bench -f gemm",
            "doctor --report",
            "solve -",
            "solve large.mtx",
            "solve small.mtx large.mtx",
            "svd large.mtx#a",
            "trace large.mtx"})
    void workStartsWithTheVectorModule(String line) throws IOException, InterruptedException {
        Ended ended = run(line.split(" "));
        assertThat(ended.isBrief()).isFalse();
        assertThat(ended.arguments()).isEqualTo(List.of(line.split(" ")));
    }

    @Test
    void optionsOfJavaAreKept() throws IOException, InterruptedException {
        Map<String, String> options = Map.of("BASALT_JAVA_OPTS", "-Dbasalt.engine=vector  -Da=*");
        Ended ended = run(options, image.resolve("bin/basalt"), "doctor");
        assertThat(ended.isBrief()).isFalse();
        assertThat(ended.options()).contains("-Dbasalt.engine=vector", "-Da=*");
        assertThat(run(Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g"), image.resolve("bin/basalt"), "doctor").isBrief())
                .isFalse();
    }

    @Test
    void wordsAndTheOrderOfJarsAreKept() throws IOException, InterruptedException {
        Ended ended = run("solve", "no such file *.mtx", "", "a  b");
        assertThat(ended.arguments()).containsExactly("solve", "no such file *.mtx", "", "a  b");
        String path = ended.options().get(ended.options().indexOf("-cp") + 1);
        assertThat(path.replace(image.toRealPath() + "/lib/app/", "")).isEqualTo("B.jar:a.jar:b.jar");
    }

    @Test
    void aLinkToItWillDo() throws IOException, InterruptedException {
        Path link = Files.createSymbolicLink(folder.resolve("basalt"), image.resolve("bin/basalt"));
        assertThat(run(Map.of(), link, "doctor").options()).isEqualTo(run("doctor").options());
        assertThat(run(Map.of(), Path.of("basalt"), "doctor").options()).isEqualTo(run("doctor").options());
    }

    @Test
    void errorsPassAndTheLineOfTheModuleDoesNot() throws IOException, InterruptedException {
        java("echo 'WARNING: Using incubator modules: " + VECTORS + "' >&2; echo 'basalt: a b' >&2");
        assertThat(errors(Map.of(), "bench")).isEqualTo("basalt: a b\n");
        java("echo 'basalt: a b' >&2");
        assertThat(errors(Map.of(), "doctor")).isEqualTo("basalt: a b\n");
        java("echo Picked up JAVA_TOOL_OPTIONS: -Xmx1g >&2; echo 'basalt: a b' >&2");
        assertThat(errors(Map.of("JAVA_TOOL_OPTIONS", "-Xmx1g"), "doctor")).isEqualTo("basalt: a b\n");
    }

    /** The Java of this test does not wait for the filter as the real one does, so a line may come a moment later. */
    private String errors(Map<String, String> environment, String... words) throws IOException, InterruptedException {
        run(environment, image.resolve("bin/basalt"), words);
        long start = System.nanoTime();
        String text = Files.readString(err());
        while (!text.endsWith("\n") && System.nanoTime() - start < 60_000_000_000L) {
            Thread.sleep(10);
            text = Files.readString(err());
        }
        return text;
    }
}
