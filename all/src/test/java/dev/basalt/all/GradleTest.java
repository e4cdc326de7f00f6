package dev.basalt.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.all.Installed.Outcome;
import dev.basalt.all.Readme.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The lines for Gradle, as the page has them, in a build of its own: artifacts come from a local repository of Maven's layout, and nothing from a network.
 * Gradle may be too old for this Java: it runs on a Java of its own, and this one compiles and runs the program.
 */
class GradleTest {
    /** What stands in a local repository: the folder of each pom, and a class of its jar. */
    private static final Map<String, String> ARTIFACTS =
            Map.of("basalt-core", "dev.basalt.Device", "basalt-host", "dev.basalt.host.HostProvider", "basalt-gpu",
                    "dev.basalt.gpu.Launcher", "basalt-cuda", "dev.basalt.cuda.CudaProvider");

    /** What is of the machine: which Java, and a task that starts the program. Names of old and of new versions of Gradle. */
    private static final String MACHINE = """
            allprojects {
                afterEvaluate {
                    tasks.withType(JavaCompile) {
                        options.fork = true
                        options.forkOptions.javaHome = file("%1$s")
                    }
                    tasks.create(name: "first", type: JavaExec) {
                        classpath = sourceSets.main.runtimeClasspath
                        executable = "%1$s/bin/java"
                        if (it.hasProperty("mainClass")) {
                            mainClass = "app.First"
                        } else {
                            main = "app.First"
                        }
                    }
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void theFirstProgramRuns() throws IOException {
        Installed installed = Installed.in(folder);
        // With the machine's own Java, not the one that Installed puts before it.
        String gradle =
                "unset JAVA_HOME; PATH='" + System.getenv("PATH") + "' gradle --no-daemon --offline -q -g home ";
        Outcome version = installed.shell(gradle + "--version");
        Assumptions.assumeTrue(version.code() == 0, "skipped: there is no Gradle that runs: " + version.err());

        String page = Readme.read(Readme.ROOT.resolve("docs/getting-started.md"));
        Block first = Readme.blocks(page, "java").get(0);
        Files.writeString(folder.resolve("build.gradle"), Readme.blocks(page, "groovy").get(0).text());
        Files.writeString(folder.resolve("settings.gradle"), "rootProject.name = 'app'\n");
        Path source = Files.createDirectories(folder.resolve("src/main/java/app"));
        Files.writeString(source.resolve("First.java"), first.text());
        String java = System.getProperty("java.home");
        Files.writeString(folder.resolve("machine.gradle"), String.format(MACHINE, java));
        repository(installed, folder.resolve("repository"));

        Outcome outcome =
                installed.shell(gradle + "-Dmaven.repo.local=\"$PWD/repository\" --init-script machine.gradle first");
        assertThat(outcome.code()).as(outcome.err()).isZero();
        assertThat(outcome.out()).isEqualTo(first.printed());
        // Java warns where native access is not granted.
        assertThat(outcome.err()).doesNotContain("enable-native-access");
    }

    /** As {@code mvn install} leaves it, with the lists of versions that it took from elsewhere. */
    private static void repository(Installed installed, Path to) throws IOException {
        Path junit = Path.of(System.getProperty("localRepository", System.getProperty("user.home") + "/.m2/repository"))
                .resolve("org/junit/junit-bom");
        try (Stream<Path> files = Files.walk(junit)) {
            for (Path file : files.filter(file -> file.toString().endsWith(".pom")).toList()) {
                Path copy = to.resolve("org/junit/junit-bom").resolve(junit.relativize(file));
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        Path lib = installed.lib();
        for (String pom : new String[] {".", "bom", "all", "core", "host", "gpu", "cuda"}) {
            Path file = Readme.ROOT.resolve(pom).resolve("pom.xml");
            String text = Readme.read(file);
            String name = text.replaceFirst("(?s)<parent>.*?</parent>", "")
                    .replaceFirst("(?s).*?<artifactId>([^<]*)</artifactId>.*", "$1");
            String version = Readme.read(Readme.ROOT.resolve("bom/pom.xml"))
                    .replaceFirst("(?s).*?<version>([^<]*)</version>.*", "$1");
            Path at = Files.createDirectories(to.resolve("dev/basalt").resolve(name).resolve(version));
            Files.copy(file, at.resolve(name + "-" + version + ".pom"));
            Path jar = at.resolve(name + "-" + version + ".jar");
            if (ARTIFACTS.containsKey(name)) {
                Files.copy(lib.resolve(ARTIFACTS.get(name).replaceFirst(".*\\.", "") + ".jar"), jar);
            } else if (pom.equals("all")) {
                // It has a descriptor alone, which the class path does not look at.
                new JarOutputStream(Files.newOutputStream(jar), new Manifest()).close();
            }
        }
    }
}
