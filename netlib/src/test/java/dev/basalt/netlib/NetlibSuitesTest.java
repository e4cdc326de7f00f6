package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * netlib's own JUnit suites, from the sources in a clone of its repository, which {@code basalt.netlib.clone} names: they are published nowhere else. They are compiled as they are, but for the
 * implementations that they ask for: each is Basalt, but F2j, which they compare with.
 */
class NetlibSuitesTest {
    private static final List<String> INTERFACES = List.of("blas", "lapack", "arpack");
    private static final String SUITES = System.getProperty("basalt.netlib.suites", ".*");

    @TempDir
    private Path folder;

    @Test
    @EnabledIfSystemProperty(named = "basalt.netlib.clone", matches = ".+",
            disabledReason = "needs a clone of netlib's repository")
    @DisplayName("netlib's own suites pass with Basalt in the place of each of its implementations")
    void theirOwnSuites() throws IOException {
        Path clone = Path.of(System.getProperty("basalt.netlib.clone"));
        Path classes = Files.createDirectory(folder.resolve("classes"));
        List<String> sources = new ArrayList<>();
        take(clone.resolve("test-utils/src/main/java"), sources);
        for (String name : INTERFACES) {
            take(clone.resolve(name + "/src/test/java"), sources);
            copy(clone.resolve(name + "/src/test/resources"), classes);
        }
        List<String> javac = new ArrayList<>(
                List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp", Child.classPath(false)));
        javac.addAll(sources);
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, javac.toArray(String[]::new))).isZero();
        List<String> said = Child.run(List.of(), classes + File.pathSeparator + Child.classPath(false), SuitesRun.class,
                classes.toString());
        said.forEach(System.out::println);
        assertThat(said.getLast()).matches("[1-9][0-9]* passed, 0 failed, [0-9]+ left out");
    }

    private void take(Path from, List<String> sources) throws IOException {
        for (Path file : files(from)) {
            String text = Files.readString(file);
            for (String name : INTERFACES) {
                text = text.replaceAll(
                        "\\b(?!F2j)[A-Za-z0-9]*" + name.toUpperCase(java.util.Locale.ROOT) + "\\.getInstance\\(\\)",
                        "dev.basalt.netlib.Netlib." + name + "()");
            }
            Path copy = folder.resolve("sources").resolve(from.relativize(file).toString());
            String suite = file.getFileName().toString().replace(".java", "");
            // What builds their instances is theirs, and not an implementation.
            if (!suite.startsWith("InstanceBuilder")
                    && (!suite.matches("[DSI][a-z0-9]+Test") || suite.matches(SUITES))) {
                Files.createDirectories(copy.getParent());
                sources.add(Files.writeString(copy, text).toString());
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path file : files(from)) {
            Path copy = to.resolve(from.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }
}
